/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
// The C functions of <vipl.h>: each calls the library of the running process.

#include "ns3/via-usual-floats.h"
#include "ns3/via-vipl-process.h"

#include <type_traits>

namespace
{

using ns3::via::Fiber;
using ns3::via::FiberThread;
using ns3::via::ProgramMemory;
using ns3::via::Ps;
using ns3::via::UsualFloats;
using ns3::via::Vipl;
using ns3::via::ViplProcess;

template <class Work>
using ResultOf = std::invoke_result_t<Work, ViplProcess&, FiberThread&>;

/// Guarded, with the usual settings of floating point.
template <class Work>
ResultOf<Work>
Protected(const char* name, Work work)
{
    FiberThread& caller = ViplProcess::Caller();
    auto& process = static_cast<ViplProcess&>(caller.GetProcess());
    const Fiber* fiber = Fiber::Current();
    if (fiber != nullptr && !fiber->HasRoom(__builtin_frame_address(0)))
    {
        process.OnStackUsedUp(name);
    }
    const void* missed = nullptr;
    try
    {
        return work(process, caller);
    }
    catch (const ns3::via::MemoryFault& fault)
    {
        missed = fault.Address(); // ended below: the jump must not leave a handler
    }
    process.OnBadPointer(name, missed);
}

/// As Protected, for a program that has set its floating point otherwise.
template <class Work>
[[gnu::noinline, gnu::cold]] ResultOf<Work>
Apart(const char* name, Work work)
{
    const UsualFloats usual;
    return Protected(name, work);
}

/// Runs @p work for the calling thread, inside function @p name. Ends the program if one of its
/// pointers is bad or its stack is used up. A copy of @p work stays in registers.
template <class Work>
ResultOf<Work>
Guarded(const char* name, Work work)
{
    return UsualFloats::Are() ? Protected(name, work) : Apart(name, work);
}

/// Calls the library of the NIC that @p handle, of any kind, belongs to.
template <class Function, class... Arguments>
auto
Call(const char* name, Function function, void* handle, Arguments... arguments)
{
    return Guarded(name, [=](ViplProcess& process, FiberThread& caller) {
        caller.ForgetVainPoll();
        const Ps from = caller.Clock().at;
        const auto result = (process.LibraryOf(handle).*function)(handle, arguments...);
        if (caller.Clock().at > from + FiberThread::MOST_AHEAD)
        {
            caller.KeepUp(from);
        }
        return result;
    });
}

/// Repeats a poll of the calling thread that is known to be in vain. @return false: it is not known
[[gnu::always_inline]] inline bool
Repeats(const void* queue, FiberThread::Polled polled)
{
    FiberThread* const caller = FiberThread::Current();
    if (caller == nullptr || !caller->IsInVain(queue, polled))
    {
        return false;
    }
    caller->RepeatPoll();
    return true;
}

/// Out of line: programs seldom get here. @param misses it is known that @p descriptor does
[[gnu::noinline]] VIP_RETURN
Look(const char* name, VIP_VI_HANDLE vi, VIP_DESCRIPTOR** descriptor, bool receive, bool misses)
{
    return Guarded(name, [=](ViplProcess& process, FiberThread&) {
        if (misses)
        {
            ProgramMemory::Write(descriptor, nullptr);
        }
        return process.LibraryOf(vi).Done(vi, descriptor, receive);
    });
}

/// VipSendDone or VipRecvDone, the calls that programs repeat most: these are flat, whatever else
/// this file inlines.
[[gnu::always_inline]] inline VIP_RETURN
Done(const char* name, VIP_VI_HANDLE vi, VIP_DESCRIPTOR** descriptor, bool receive)
{
    const auto polled = receive ? FiberThread::Polled::RECEIVES : FiberThread::Polled::SENDS;
    const bool isRepeated = descriptor != nullptr && Repeats(vi, polled);
    return isRepeated && ProgramMemory::TryWrite(descriptor, nullptr)
               ? VIP_NOT_DONE
               : Look(name, vi, descriptor, receive, isRepeated);
}

} // namespace

extern "C"
{
    VIP_RETURN
    VipOpenNic(const VIP_CHAR* name, VIP_NIC_HANDLE* nic)
    {
        return Guarded(__func__, [&](ViplProcess& process, FiberThread&) {
            Vipl* library = process.LibraryNamed(name);
            // no such NIC: the first library refuses, at the usual cost
            return library == nullptr ? process.Library().OpenNic(nullptr, nic)
                                      : library->OpenNic(name, nic);
        });
    }

    VIP_RETURN
    VipCloseNic(VIP_NIC_HANDLE nic)
    {
        return Call(__func__, &Vipl::CloseNic, nic);
    }

    VIP_RETURN
    VipQueryNic(VIP_NIC_HANDLE nic, VIP_NIC_ATTRIBUTES* attributes)
    {
        return Call(__func__, &Vipl::QueryNic, nic, attributes);
    }

    VIP_RETURN
    VipRegisterMem(VIP_NIC_HANDLE nic,
                   VIP_PVOID address,
                   VIP_ULONG length,
                   VIP_MEM_ATTRIBUTES* attributes,
                   VIP_MEM_HANDLE* handle)
    {
        return Call(__func__, &Vipl::RegisterMem, nic, address, length, attributes, handle);
    }

    VIP_RETURN
    VipDeregisterMem(VIP_NIC_HANDLE nic, VIP_PVOID address, VIP_MEM_HANDLE handle)
    {
        return Call(__func__, &Vipl::DeregisterMem, nic, address, handle);
    }

    VIP_RETURN
    VipQueryMem(VIP_NIC_HANDLE nic,
                VIP_PVOID address,
                VIP_MEM_HANDLE handle,
                VIP_MEM_ATTRIBUTES* attributes)
    {
        return Call(__func__, &Vipl::QueryMem, nic, address, handle, attributes);
    }

    VIP_RETURN
    VipSetMemAttributes(VIP_NIC_HANDLE nic,
                        VIP_PVOID address,
                        VIP_MEM_HANDLE handle,
                        VIP_MEM_ATTRIBUTES* attributes)
    {
        return Call(__func__, &Vipl::SetMemAttributes, nic, address, handle, attributes);
    }

    VIP_RETURN
    VipCreatePtag(VIP_NIC_HANDLE nic, VIP_PROTECTION_HANDLE* tag)
    {
        return Call(__func__, &Vipl::CreatePtag, nic, tag);
    }

    VIP_RETURN
    VipDestroyPtag(VIP_NIC_HANDLE nic, VIP_PROTECTION_HANDLE tag)
    {
        return Call(__func__, &Vipl::DestroyPtag, nic, tag);
    }

    VIP_RETURN
    VipCreateVi(VIP_NIC_HANDLE nic,
                VIP_VI_ATTRIBUTES* attributes,
                VIP_CQ_HANDLE sendCq,
                VIP_CQ_HANDLE receiveCq,
                VIP_VI_HANDLE* vi)
    {
        return Call(__func__, &Vipl::CreateVi, nic, attributes, sendCq, receiveCq, vi);
    }

    VIP_RETURN
    VipDestroyVi(VIP_VI_HANDLE vi)
    {
        return Call(__func__, &Vipl::DestroyVi, vi);
    }

    VIP_RETURN
    VipQueryVi(VIP_VI_HANDLE vi,
               VIP_VI_STATE* state,
               VIP_VI_ATTRIBUTES* attributes,
               VIP_BOOLEAN* sendEmpty,
               VIP_BOOLEAN* receiveEmpty)
    {
        return Call(__func__, &Vipl::QueryVi, vi, state, attributes, sendEmpty, receiveEmpty);
    }

    VIP_RETURN
    VipSetViAttributes(VIP_VI_HANDLE vi, VIP_VI_ATTRIBUTES* attributes)
    {
        return Call(__func__, &Vipl::SetViAttributes, vi, attributes);
    }

    VIP_RETURN
    VipConnectWait(VIP_NIC_HANDLE nic,
                   VIP_NET_ADDRESS* local,
                   VIP_ULONG timeout,
                   VIP_NET_ADDRESS* remote,
                   VIP_VI_ATTRIBUTES* remoteAttributes,
                   VIP_CONN_HANDLE* connection)
    {
        return Call(__func__,
                    &Vipl::ConnectWait,
                    nic,
                    local,
                    timeout,
                    remote,
                    remoteAttributes,
                    connection);
    }

    VIP_RETURN
    VipConnectAccept(VIP_CONN_HANDLE connection, VIP_VI_HANDLE vi)
    {
        return Call(__func__, &Vipl::ConnectAccept, connection, vi);
    }

    VIP_RETURN
    VipConnectReject(VIP_CONN_HANDLE connection)
    {
        return Call(__func__, &Vipl::ConnectReject, connection);
    }

    VIP_RETURN
    VipConnectRequest(VIP_VI_HANDLE vi,
                      VIP_NET_ADDRESS* local,
                      VIP_NET_ADDRESS* remote,
                      VIP_ULONG timeout,
                      VIP_VI_ATTRIBUTES* remoteAttributes)
    {
        return Call(__func__, &Vipl::ConnectRequest, vi, local, remote, timeout, remoteAttributes);
    }

    VIP_RETURN
    VipDisconnect(VIP_VI_HANDLE vi)
    {
        return Call(__func__, &Vipl::Disconnect, vi);
    }

    VIP_RETURN
    VipConnectPeerRequest(VIP_VI_HANDLE vi,
                          VIP_NET_ADDRESS* local,
                          VIP_NET_ADDRESS* remote,
                          VIP_ULONG timeout)
    {
        return Call(__func__, &Vipl::ConnectPeerRequest, vi, local, remote, timeout);
    }

    VIP_RETURN
    VipConnectPeerDone(VIP_VI_HANDLE vi, VIP_VI_ATTRIBUTES* remoteAttributes)
    {
        return Call(__func__, &Vipl::ConnectPeerDone, vi, remoteAttributes);
    }

    VIP_RETURN
    VipConnectPeerWait(VIP_VI_HANDLE vi, VIP_VI_ATTRIBUTES* remoteAttributes)
    {
        return Call(__func__, &Vipl::ConnectPeerWait, vi, remoteAttributes);
    }

    VIP_RETURN
    VipPostSend(VIP_VI_HANDLE vi, VIP_DESCRIPTOR* descriptor, VIP_MEM_HANDLE handle)
    {
        return Call(__func__, &Vipl::Post, vi, descriptor, handle, false);
    }

    [[gnu::flatten]] VIP_RETURN VipSendDone(VIP_VI_HANDLE vi, VIP_DESCRIPTOR** descriptor)
    {
        return Done(__func__, vi, descriptor, false);
    }

    VIP_RETURN
    VipSendWait(VIP_VI_HANDLE vi, VIP_ULONG timeout, VIP_DESCRIPTOR** descriptor)
    {
        return Call(__func__, &Vipl::Wait, vi, timeout, descriptor, false);
    }

    VIP_RETURN
    VipSendNotify(VIP_VI_HANDLE vi, VIP_PVOID context, VIP_VI_CALLBACK handler)
    {
        return Call(__func__, &Vipl::Notify, vi, context, handler, false);
    }

    VIP_RETURN
    VipPostRecv(VIP_VI_HANDLE vi, VIP_DESCRIPTOR* descriptor, VIP_MEM_HANDLE handle)
    {
        return Call(__func__, &Vipl::Post, vi, descriptor, handle, true);
    }

    [[gnu::flatten]] VIP_RETURN VipRecvDone(VIP_VI_HANDLE vi, VIP_DESCRIPTOR** descriptor)
    {
        return Done(__func__, vi, descriptor, true);
    }

    VIP_RETURN
    VipRecvWait(VIP_VI_HANDLE vi, VIP_ULONG timeout, VIP_DESCRIPTOR** descriptor)
    {
        return Call(__func__, &Vipl::Wait, vi, timeout, descriptor, true);
    }

    VIP_RETURN
    VipRecvNotify(VIP_VI_HANDLE vi, VIP_PVOID context, VIP_VI_CALLBACK handler)
    {
        return Call(__func__, &Vipl::Notify, vi, context, handler, true);
    }

    VIP_RETURN
    VipCreateCQ(VIP_NIC_HANDLE nic, VIP_ULONG entries, VIP_CQ_HANDLE* cq)
    {
        return Call(__func__, &Vipl::CreateCq, nic, entries, cq);
    }

    VIP_RETURN
    VipDestroyCQ(VIP_CQ_HANDLE cq)
    {
        return Call(__func__, &Vipl::DestroyCq, cq);
    }

    VIP_RETURN
    VipResizeCQ(VIP_CQ_HANDLE cq, VIP_ULONG entries)
    {
        return Call(__func__, &Vipl::ResizeCq, cq, entries);
    }

    VIP_RETURN
    VipCQDone(VIP_CQ_HANDLE cq, VIP_VI_HANDLE* vi, VIP_BOOLEAN* receive)
    {
        if (vi != nullptr && receive != nullptr && Repeats(cq, FiberThread::Polled::COMPLETIONS))
        {
            return VIP_NOT_DONE;
        }
        return Guarded(__func__, [=](ViplProcess& process, FiberThread&) {
            return process.LibraryOf(cq).CqDone(cq, vi, receive);
        });
    }

    VIP_RETURN
    VipCQWait(VIP_CQ_HANDLE cq, VIP_ULONG timeout, VIP_VI_HANDLE* vi, VIP_BOOLEAN* receive)
    {
        return Call(__func__, &Vipl::CqWait, cq, timeout, vi, receive);
    }

    VIP_RETURN
    VipCQNotify(VIP_CQ_HANDLE cq, VIP_PVOID context, VIP_CQ_CALLBACK handler)
    {
        return Call(__func__, &Vipl::CqNotify, cq, context, handler);
    }

    VIP_RETURN
    VipErrorCallback(VIP_NIC_HANDLE nic, VIP_PVOID context, VIP_ERROR_HANDLER handler)
    {
        return Call(__func__, &Vipl::ErrorCallback, nic, context, handler);
    }

    VIP_RETURN
    VipQuerySystemManagementInfo(VIP_NIC_HANDLE nic, VIP_ULONG type, VIP_PVOID info)
    {
        return Call(__func__, &Vipl::QuerySystemManagementInfo, nic, type, info);
    }

    VIP_RETURN
    VipNSInit(VIP_NIC_HANDLE nic, VIP_PVOID info)
    {
        return Call(__func__, &Vipl::NsInit, nic, info);
    }

    VIP_RETURN
    VipNSShutdown(VIP_NIC_HANDLE nic)
    {
        return Call(__func__, &Vipl::NsShutdown, nic);
    }

    VIP_RETURN
    VipNSGetHostByName(VIP_NIC_HANDLE nic,
                       VIP_CHAR* name,
                       VIP_NET_ADDRESS* address,
                       VIP_ULONG index)
    {
        return Call(__func__, &Vipl::NsGetHostByName, nic, name, address, index);
    }

    VIP_RETURN
    VipNSGetHostByAddr(VIP_NIC_HANDLE nic,
                       VIP_NET_ADDRESS* address,
                       VIP_CHAR* name,
                       VIP_ULONG* length)
    {
        return Call(__func__, &Vipl::NsGetHostByAddr, nic, address, name, length);
    }

    VIP_PVOID
    VipGetUserData(VIP_VI_HANDLE vi)
    {
        return Call(__func__, &Vipl::GetUserData, vi);
    }

    void VipSetUserData(VIP_VI_HANDLE vi, VIP_PVOID data)
    {
        Guarded(__func__, [=](ViplProcess& process, FiberThread&) {
            process.LibraryOf(vi).SetUserData(vi, data);
        });
    }

    VIP_RETURN
    VipAddTagCQ(VIP_CQ_HANDLE cq, VIP_EVENT_HANDLE* event, VIP_ULONG tag, VIP_ULONG priority)
    {
        return Call(__func__, &Vipl::AddTagCq, cq, event, tag, priority);
    }

    VIP_RETURN
    VipRemoveTagCQ(VIP_CQ_HANDLE cq, VIP_EVENT_HANDLE event, VIP_ULONG tag)
    {
        return Call(__func__, &Vipl::RemoveTagCq, cq, event, tag);
    }

    VIP_RETURN
    VipPostDeferredSends(VIP_VI_HANDLE vi, VIP_BOOLEAN defer, VIP_BOOLEAN* deferred)
    {
        return Call(__func__, &Vipl::PostDeferredSends, vi, defer, deferred);
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
