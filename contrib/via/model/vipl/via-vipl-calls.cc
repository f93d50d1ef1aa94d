/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
// The C functions of <vipl.h>: each goes to the library of the process that runs.

#include "ns3/via-vipl-process.h"

namespace
{

/// The library of the NIC that @p handle, of any kind, belongs to.
ns3::via::Vipl&
LibraryOf(const void* handle)
{
    return ns3::via::ViplProcess::Running().LibraryOf(handle);
}

} // namespace

extern "C"
{
    VIP_RETURN
    VipOpenNic(const VIP_CHAR* name, VIP_NIC_HANDLE* nic)
    {
        ns3::via::ViplProcess& process = ns3::via::ViplProcess::Running();
        ns3::via::Vipl* library = process.LibraryNamed(name);
        // without one, the first refuses, for the usual price
        return library == nullptr ? process.Library().OpenNic(nullptr, nic)
                                  : library->OpenNic(name, nic);
    }

    VIP_RETURN
    VipCloseNic(VIP_NIC_HANDLE nic)
    {
        return LibraryOf(nic).CloseNic(nic);
    }

    VIP_RETURN
    VipQueryNic(VIP_NIC_HANDLE nic, VIP_NIC_ATTRIBUTES* attributes)
    {
        return LibraryOf(nic).QueryNic(nic, attributes);
    }

    VIP_RETURN
    VipRegisterMem(VIP_NIC_HANDLE nic,
                   VIP_PVOID address,
                   VIP_ULONG length,
                   VIP_MEM_ATTRIBUTES* attributes,
                   VIP_MEM_HANDLE* handle)
    {
        return LibraryOf(nic).RegisterMem(nic, address, length, attributes, handle);
    }

    VIP_RETURN
    VipDeregisterMem(VIP_NIC_HANDLE nic, VIP_PVOID address, VIP_MEM_HANDLE handle)
    {
        return LibraryOf(nic).DeregisterMem(nic, address, handle);
    }

    VIP_RETURN
    VipQueryMem(VIP_NIC_HANDLE nic,
                VIP_PVOID address,
                VIP_MEM_HANDLE handle,
                VIP_MEM_ATTRIBUTES* attributes)
    {
        return LibraryOf(nic).QueryMem(nic, address, handle, attributes);
    }

    VIP_RETURN
    VipSetMemAttributes(VIP_NIC_HANDLE nic,
                        VIP_PVOID address,
                        VIP_MEM_HANDLE handle,
                        VIP_MEM_ATTRIBUTES* attributes)
    {
        return LibraryOf(nic).SetMemAttributes(nic, address, handle, attributes);
    }

    VIP_RETURN
    VipCreatePtag(VIP_NIC_HANDLE nic, VIP_PROTECTION_HANDLE* tag)
    {
        return LibraryOf(nic).CreatePtag(nic, tag);
    }

    VIP_RETURN
    VipDestroyPtag(VIP_NIC_HANDLE nic, VIP_PROTECTION_HANDLE tag)
    {
        return LibraryOf(nic).DestroyPtag(nic, tag);
    }

    VIP_RETURN
    VipCreateVi(VIP_NIC_HANDLE nic,
                VIP_VI_ATTRIBUTES* attributes,
                VIP_CQ_HANDLE sendCq,
                VIP_CQ_HANDLE receiveCq,
                VIP_VI_HANDLE* vi)
    {
        return LibraryOf(nic).CreateVi(nic, attributes, sendCq, receiveCq, vi);
    }

    VIP_RETURN
    VipDestroyVi(VIP_VI_HANDLE vi)
    {
        return LibraryOf(vi).DestroyVi(vi);
    }

    VIP_RETURN
    VipQueryVi(VIP_VI_HANDLE vi,
               VIP_VI_STATE* state,
               VIP_VI_ATTRIBUTES* attributes,
               VIP_BOOLEAN* sendEmpty,
               VIP_BOOLEAN* receiveEmpty)
    {
        return LibraryOf(vi).QueryVi(vi, state, attributes, sendEmpty, receiveEmpty);
    }

    VIP_RETURN
    VipSetViAttributes(VIP_VI_HANDLE vi, VIP_VI_ATTRIBUTES* attributes)
    {
        return LibraryOf(vi).SetViAttributes(vi, attributes);
    }

    VIP_RETURN
    VipConnectWait(VIP_NIC_HANDLE nic,
                   VIP_NET_ADDRESS* local,
                   VIP_ULONG timeout,
                   VIP_NET_ADDRESS* remote,
                   VIP_VI_ATTRIBUTES* remoteAttributes,
                   VIP_CONN_HANDLE* connection)
    {
        return LibraryOf(nic)
            .ConnectWait(nic, local, timeout, remote, remoteAttributes, connection);
    }

    VIP_RETURN
    VipConnectAccept(VIP_CONN_HANDLE connection, VIP_VI_HANDLE vi)
    {
        return LibraryOf(connection).ConnectAccept(connection, vi);
    }

    VIP_RETURN
    VipConnectReject(VIP_CONN_HANDLE connection)
    {
        return LibraryOf(connection).ConnectReject(connection);
    }

    VIP_RETURN
    VipConnectRequest(VIP_VI_HANDLE vi,
                      VIP_NET_ADDRESS* local,
                      VIP_NET_ADDRESS* remote,
                      VIP_ULONG timeout,
                      VIP_VI_ATTRIBUTES* remoteAttributes)
    {
        return LibraryOf(vi).ConnectRequest(vi, local, remote, timeout, remoteAttributes);
    }

    VIP_RETURN
    VipDisconnect(VIP_VI_HANDLE vi)
    {
        return LibraryOf(vi).Disconnect(vi);
    }

    VIP_RETURN
    VipConnectPeerRequest(VIP_VI_HANDLE vi,
                          VIP_NET_ADDRESS* local,
                          VIP_NET_ADDRESS* remote,
                          VIP_ULONG timeout)
    {
        return LibraryOf(vi).ConnectPeerRequest(vi, local, remote, timeout);
    }

    VIP_RETURN
    VipConnectPeerDone(VIP_VI_HANDLE vi, VIP_VI_ATTRIBUTES* remoteAttributes)
    {
        return LibraryOf(vi).ConnectPeerDone(vi, remoteAttributes);
    }

    VIP_RETURN
    VipConnectPeerWait(VIP_VI_HANDLE vi, VIP_VI_ATTRIBUTES* remoteAttributes)
    {
        return LibraryOf(vi).ConnectPeerWait(vi, remoteAttributes);
    }

    VIP_RETURN
    VipPostSend(VIP_VI_HANDLE vi, VIP_DESCRIPTOR* descriptor, VIP_MEM_HANDLE handle)
    {
        return LibraryOf(vi).Post(vi, descriptor, handle, false);
    }

    VIP_RETURN
    VipSendDone(VIP_VI_HANDLE vi, VIP_DESCRIPTOR** descriptor)
    {
        return LibraryOf(vi).Done(vi, descriptor, false);
    }

    VIP_RETURN
    VipSendWait(VIP_VI_HANDLE vi, VIP_ULONG timeout, VIP_DESCRIPTOR** descriptor)
    {
        return LibraryOf(vi).Wait(vi, timeout, descriptor, false);
    }

    VIP_RETURN
    VipSendNotify(VIP_VI_HANDLE vi, VIP_PVOID context, VIP_VI_CALLBACK handler)
    {
        return LibraryOf(vi).Notify(vi, context, handler, false);
    }

    VIP_RETURN
    VipPostRecv(VIP_VI_HANDLE vi, VIP_DESCRIPTOR* descriptor, VIP_MEM_HANDLE handle)
    {
        return LibraryOf(vi).Post(vi, descriptor, handle, true);
    }

    VIP_RETURN
    VipRecvDone(VIP_VI_HANDLE vi, VIP_DESCRIPTOR** descriptor)
    {
        return LibraryOf(vi).Done(vi, descriptor, true);
    }

    VIP_RETURN
    VipRecvWait(VIP_VI_HANDLE vi, VIP_ULONG timeout, VIP_DESCRIPTOR** descriptor)
    {
        return LibraryOf(vi).Wait(vi, timeout, descriptor, true);
    }

    VIP_RETURN
    VipRecvNotify(VIP_VI_HANDLE vi, VIP_PVOID context, VIP_VI_CALLBACK handler)
    {
        return LibraryOf(vi).Notify(vi, context, handler, true);
    }

    VIP_RETURN
    VipCreateCQ(VIP_NIC_HANDLE nic, VIP_ULONG entries, VIP_CQ_HANDLE* cq)
    {
        return LibraryOf(nic).CreateCq(nic, entries, cq);
    }

    VIP_RETURN
    VipDestroyCQ(VIP_CQ_HANDLE cq)
    {
        return LibraryOf(cq).DestroyCq(cq);
    }

    VIP_RETURN
    VipResizeCQ(VIP_CQ_HANDLE cq, VIP_ULONG entries)
    {
        return LibraryOf(cq).ResizeCq(cq, entries);
    }

    VIP_RETURN
    VipCQDone(VIP_CQ_HANDLE cq, VIP_VI_HANDLE* vi, VIP_BOOLEAN* receive)
    {
        return LibraryOf(cq).CqDone(cq, vi, receive);
    }

    VIP_RETURN
    VipCQWait(VIP_CQ_HANDLE cq, VIP_ULONG timeout, VIP_VI_HANDLE* vi, VIP_BOOLEAN* receive)
    {
        return LibraryOf(cq).CqWait(cq, timeout, vi, receive);
    }

    VIP_RETURN
    VipCQNotify(VIP_CQ_HANDLE cq, VIP_PVOID context, VIP_CQ_CALLBACK handler)
    {
        return LibraryOf(cq).CqNotify(cq, context, handler);
    }

    VIP_RETURN
    VipErrorCallback(VIP_NIC_HANDLE nic, VIP_PVOID context, VIP_ERROR_HANDLER handler)
    {
        return LibraryOf(nic).ErrorCallback(nic, context, handler);
    }

    VIP_RETURN
    VipQuerySystemManagementInfo(VIP_NIC_HANDLE nic, VIP_ULONG type, VIP_PVOID info)
    {
        return LibraryOf(nic).QuerySystemManagementInfo(nic, type, info);
    }

    VIP_RETURN
    VipNSInit(VIP_NIC_HANDLE nic, VIP_PVOID info)
    {
        return LibraryOf(nic).NsInit(nic, info);
    }

    VIP_RETURN
    VipNSShutdown(VIP_NIC_HANDLE nic)
    {
        return LibraryOf(nic).NsShutdown(nic);
    }

    VIP_RETURN
    VipNSGetHostByName(VIP_NIC_HANDLE nic,
                       VIP_CHAR* name,
                       VIP_NET_ADDRESS* address,
                       VIP_ULONG index)
    {
        return LibraryOf(nic).NsGetHostByName(nic, name, address, index);
    }

    VIP_RETURN
    VipNSGetHostByAddr(VIP_NIC_HANDLE nic,
                       VIP_NET_ADDRESS* address,
                       VIP_CHAR* name,
                       VIP_ULONG* length)
    {
        return LibraryOf(nic).NsGetHostByAddr(nic, address, name, length);
    }

    VIP_PVOID
    VipGetUserData(VIP_VI_HANDLE vi)
    {
        return LibraryOf(vi).GetUserData(vi);
    }

    void VipSetUserData(VIP_VI_HANDLE vi, VIP_PVOID data)
    {
        LibraryOf(vi).SetUserData(vi, data);
    }

    VIP_RETURN
    VipAddTagCQ(VIP_CQ_HANDLE cq, VIP_EVENT_HANDLE* event, VIP_ULONG tag, VIP_ULONG priority)
    {
        return LibraryOf(cq).AddTagCq(cq, event, tag, priority);
    }

    VIP_RETURN
    VipRemoveTagCQ(VIP_CQ_HANDLE cq, VIP_EVENT_HANDLE event, VIP_ULONG tag)
    {
        return LibraryOf(cq).RemoveTagCq(cq, event, tag);
    }

    VIP_RETURN
    VipPostDeferredSends(VIP_VI_HANDLE vi, VIP_BOOLEAN defer, VIP_BOOLEAN* deferred)
    {
        return LibraryOf(vi).PostDeferredSends(vi, defer, deferred);
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
