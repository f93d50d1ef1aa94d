/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
// The C functions of <vipl.h>: each goes to the library of the process that runs.

#include "ns3/via-vipl-process.h"

namespace
{

ns3::via::Vipl&
Library()
{
    return ns3::via::ViplProcess::Running().Library();
}

/// What a call answers that this provider does not offer yet; doc/vipl.md lists them.
VIP_RETURN
NotSupported()
{
    return Library().Refuse();
}

} // namespace

extern "C"
{
    VIP_RETURN
    VipOpenNic(const VIP_CHAR* name, VIP_NIC_HANDLE* nic)
    {
        return Library().OpenNic(name, nic);
    }

    VIP_RETURN
    VipCloseNic(VIP_NIC_HANDLE nic)
    {
        return Library().CloseNic(nic);
    }

    VIP_RETURN
    VipQueryNic(VIP_NIC_HANDLE nic, VIP_NIC_ATTRIBUTES* attributes)
    {
        return Library().QueryNic(nic, attributes);
    }

    VIP_RETURN
    VipRegisterMem(VIP_NIC_HANDLE nic,
                   VIP_PVOID address,
                   VIP_ULONG length,
                   VIP_MEM_ATTRIBUTES* attributes,
                   VIP_MEM_HANDLE* handle)
    {
        return Library().RegisterMem(nic, address, length, attributes, handle);
    }

    VIP_RETURN
    VipDeregisterMem(VIP_NIC_HANDLE nic, VIP_PVOID address, VIP_MEM_HANDLE handle)
    {
        return Library().DeregisterMem(nic, address, handle);
    }

    VIP_RETURN
    VipQueryMem(VIP_NIC_HANDLE nic,
                VIP_PVOID address,
                VIP_MEM_HANDLE handle,
                VIP_MEM_ATTRIBUTES* attributes)
    {
        return Library().QueryMem(nic, address, handle, attributes);
    }

    VIP_RETURN
    VipSetMemAttributes(VIP_NIC_HANDLE nic,
                        VIP_PVOID address,
                        VIP_MEM_HANDLE handle,
                        VIP_MEM_ATTRIBUTES* attributes)
    {
        return Library().SetMemAttributes(nic, address, handle, attributes);
    }

    VIP_RETURN
    VipCreatePtag(VIP_NIC_HANDLE nic, VIP_PROTECTION_HANDLE* tag)
    {
        return Library().CreatePtag(nic, tag);
    }

    VIP_RETURN
    VipDestroyPtag(VIP_NIC_HANDLE nic, VIP_PROTECTION_HANDLE tag)
    {
        return Library().DestroyPtag(nic, tag);
    }

    VIP_RETURN
    VipCreateVi(VIP_NIC_HANDLE nic,
                VIP_VI_ATTRIBUTES* attributes,
                VIP_CQ_HANDLE sendCq,
                VIP_CQ_HANDLE receiveCq,
                VIP_VI_HANDLE* vi)
    {
        return Library().CreateVi(nic, attributes, sendCq, receiveCq, vi);
    }

    VIP_RETURN
    VipDestroyVi(VIP_VI_HANDLE vi)
    {
        return Library().DestroyVi(vi);
    }

    VIP_RETURN
    VipQueryVi(VIP_VI_HANDLE vi,
               VIP_VI_STATE* state,
               VIP_VI_ATTRIBUTES* attributes,
               VIP_BOOLEAN* sendEmpty,
               VIP_BOOLEAN* receiveEmpty)
    {
        return Library().QueryVi(vi, state, attributes, sendEmpty, receiveEmpty);
    }

    VIP_RETURN
    VipSetViAttributes(VIP_VI_HANDLE vi, VIP_VI_ATTRIBUTES* attributes)
    {
        return Library().SetViAttributes(vi, attributes);
    }

    VIP_RETURN
    VipConnectWait(VIP_NIC_HANDLE nic,
                   VIP_NET_ADDRESS* local,
                   VIP_ULONG timeout,
                   VIP_NET_ADDRESS* remote,
                   VIP_VI_ATTRIBUTES* remoteAttributes,
                   VIP_CONN_HANDLE* connection)
    {
        return Library().ConnectWait(nic, local, timeout, remote, remoteAttributes, connection);
    }

    VIP_RETURN
    VipConnectAccept(VIP_CONN_HANDLE connection, VIP_VI_HANDLE vi)
    {
        return Library().ConnectAccept(connection, vi);
    }

    VIP_RETURN
    VipConnectReject(VIP_CONN_HANDLE connection)
    {
        return Library().ConnectReject(connection);
    }

    VIP_RETURN
    VipConnectRequest(VIP_VI_HANDLE vi,
                      VIP_NET_ADDRESS* local,
                      VIP_NET_ADDRESS* remote,
                      VIP_ULONG timeout,
                      VIP_VI_ATTRIBUTES* remoteAttributes)
    {
        return Library().ConnectRequest(vi, local, remote, timeout, remoteAttributes);
    }

    VIP_RETURN
    VipDisconnect(VIP_VI_HANDLE vi)
    {
        return Library().Disconnect(vi);
    }

    VIP_RETURN
    VipConnectPeerRequest(VIP_VI_HANDLE vi,
                          VIP_NET_ADDRESS* local,
                          VIP_NET_ADDRESS* remote,
                          VIP_ULONG timeout)
    {
        return Library().ConnectPeerRequest(vi, local, remote, timeout);
    }

    VIP_RETURN
    VipConnectPeerDone(VIP_VI_HANDLE vi, VIP_VI_ATTRIBUTES* remoteAttributes)
    {
        return Library().ConnectPeerDone(vi, remoteAttributes);
    }

    VIP_RETURN
    VipConnectPeerWait(VIP_VI_HANDLE vi, VIP_VI_ATTRIBUTES* remoteAttributes)
    {
        return Library().ConnectPeerWait(vi, remoteAttributes);
    }

    VIP_RETURN
    VipPostSend(VIP_VI_HANDLE vi, VIP_DESCRIPTOR* descriptor, VIP_MEM_HANDLE handle)
    {
        return Library().Post(vi, descriptor, handle, false);
    }

    VIP_RETURN
    VipSendDone(VIP_VI_HANDLE vi, VIP_DESCRIPTOR** descriptor)
    {
        return Library().Done(vi, descriptor, false);
    }

    VIP_RETURN
    VipSendWait(VIP_VI_HANDLE vi, VIP_ULONG timeout, VIP_DESCRIPTOR** descriptor)
    {
        return Library().Wait(vi, timeout, descriptor, false);
    }

    VIP_RETURN
    VipSendNotify(VIP_VI_HANDLE vi, VIP_PVOID context, VIP_VI_CALLBACK handler)
    {
        return Library().Notify(vi, context, handler, false);
    }

    VIP_RETURN
    VipPostRecv(VIP_VI_HANDLE vi, VIP_DESCRIPTOR* descriptor, VIP_MEM_HANDLE handle)
    {
        return Library().Post(vi, descriptor, handle, true);
    }

    VIP_RETURN
    VipRecvDone(VIP_VI_HANDLE vi, VIP_DESCRIPTOR** descriptor)
    {
        return Library().Done(vi, descriptor, true);
    }

    VIP_RETURN
    VipRecvWait(VIP_VI_HANDLE vi, VIP_ULONG timeout, VIP_DESCRIPTOR** descriptor)
    {
        return Library().Wait(vi, timeout, descriptor, true);
    }

    VIP_RETURN
    VipRecvNotify(VIP_VI_HANDLE vi, VIP_PVOID context, VIP_VI_CALLBACK handler)
    {
        return Library().Notify(vi, context, handler, true);
    }

    VIP_RETURN
    VipCreateCQ(VIP_NIC_HANDLE nic, VIP_ULONG entries, VIP_CQ_HANDLE* cq)
    {
        return Library().CreateCq(nic, entries, cq);
    }

    VIP_RETURN
    VipDestroyCQ(VIP_CQ_HANDLE cq)
    {
        return Library().DestroyCq(cq);
    }

    VIP_RETURN
    VipResizeCQ(VIP_CQ_HANDLE cq, VIP_ULONG entries)
    {
        return Library().ResizeCq(cq, entries);
    }

    VIP_RETURN
    VipCQDone(VIP_CQ_HANDLE cq, VIP_VI_HANDLE* vi, VIP_BOOLEAN* receive)
    {
        return Library().CqDone(cq, vi, receive);
    }

    VIP_RETURN
    VipCQWait(VIP_CQ_HANDLE cq, VIP_ULONG timeout, VIP_VI_HANDLE* vi, VIP_BOOLEAN* receive)
    {
        return Library().CqWait(cq, timeout, vi, receive);
    }

    VIP_RETURN
    VipCQNotify(VIP_CQ_HANDLE cq, VIP_PVOID context, VIP_CQ_CALLBACK handler)
    {
        return Library().CqNotify(cq, context, handler);
    }

    VIP_RETURN
    VipErrorCallback(VIP_NIC_HANDLE nic, VIP_PVOID context, VIP_ERROR_HANDLER handler)
    {
        return Library().ErrorCallback(nic, context, handler);
    }

    VIP_RETURN
    VipQuerySystemManagementInfo(VIP_NIC_HANDLE nic, VIP_ULONG type, VIP_PVOID info)
    {
        return Library().QuerySystemManagementInfo(nic, type, info);
    }

    VIP_RETURN
    VipNSInit(VIP_NIC_HANDLE nic, VIP_PVOID info)
    {
        return Library().NsInit(nic, info);
    }

    VIP_RETURN
    VipNSShutdown(VIP_NIC_HANDLE nic)
    {
        return Library().NsShutdown(nic);
    }

    VIP_RETURN
    VipNSGetHostByName(VIP_NIC_HANDLE nic,
                       VIP_CHAR* name,
                       VIP_NET_ADDRESS* address,
                       VIP_ULONG index)
    {
        return Library().NsGetHostByName(nic, name, address, index);
    }

    VIP_RETURN
    VipNSGetHostByAddr(VIP_NIC_HANDLE nic,
                       VIP_NET_ADDRESS* address,
                       VIP_CHAR* name,
                       VIP_ULONG* length)
    {
        return Library().NsGetHostByAddr(nic, address, name, length);
    }

    VIP_PVOID
    VipGetUserData(VIP_VI_HANDLE vi)
    {
        return Library().GetUserData(vi);
    }

    void VipSetUserData(VIP_VI_HANDLE vi, VIP_PVOID data)
    {
        Library().SetUserData(vi, data);
    }

    VIP_RETURN
    VipAddTagCQ(VIP_CQ_HANDLE, VIP_EVENT_HANDLE*, VIP_ULONG, VIP_ULONG)
    {
        return NotSupported();
    }

    VIP_RETURN
    VipRemoveTagCQ(VIP_CQ_HANDLE, VIP_EVENT_HANDLE, VIP_ULONG)
    {
        return NotSupported();
    }

    VIP_RETURN
    VipPostDeferredSends(VIP_VI_HANDLE, VIP_BOOLEAN, VIP_BOOLEAN*)
    {
        return NotSupported();
    }

} // extern "C"

namespace ns3
{
namespace via
{

namespace
{

const void* const g_functions[] = {
#define VIPL_FUNCTION(ret, name, params, names) reinterpret_cast<const void*>(&name),
#include <vipl-functions.def>
};

} // namespace

const void* const*
ViplFunctions()
{
    return g_functions;
}

std::uint32_t
ViplFunctionCount()
{
    return sizeof(g_functions) / sizeof(g_functions[0]);
}

} // namespace via
} // namespace ns3
