/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
// VIPL: program handlers for completions and asynchronous errors, and their thread.

#include "via-vipl.h"

#include <algorithm>
#include <cstring>

namespace ns3
{
namespace via
{

namespace
{

/// The name of an asynchronous error, without VIP_ERROR_.
const char*
ErrorName(VIP_ERROR_CODE code)
{
    const char* const names[] = {"POST_DESC",
                                 "CONN_LOST",
                                 "RECVQ_EMPTY",
                                 "VI_OVERRUN",
                                 "RDMAW_PROT",
                                 "RDMAW_DATA",
                                 "RDMAW_ABORT",
                                 "RDMAR_PROT",
                                 "COMP_PROT",
                                 "RDMA_TRANSPORT",
                                 "CATASTROPHIC"};
    return names[code];
}

/// @return whether program code can be there; the CPU cannot even fault cleanly on other addresses.
template <class Handler>
bool
IsAddress(Handler handler)
{
    constexpr unsigned USER_BITS = 47; // of x86-64
    return reinterpret_cast<std::uintptr_t>(handler) >> USER_BITS == 0;
}

/// The operation that an asynchronous error refers to.
VIP_ULONG
OperationOf(VIP_ERROR_CODE code)
{
    switch (code)
    {
    case VIP_ERROR_RDMAW_PROT:
    case VIP_ERROR_RDMAW_DATA:
    case VIP_ERROR_RDMAW_ABORT:
        return VIP_CONTROL_OP_RDMAWRITE;
    case VIP_ERROR_RDMAR_PROT:
        return VIP_CONTROL_OP_RDMAREAD;
    default:
        return VIP_CONTROL_OP_SENDRECV;
    }
}

} // namespace

VIP_RETURN
Vipl::Notify(VIP_VI_HANDLE handle, VIP_PVOID context, VIP_VI_CALLBACK handler, bool receive)
{
    Caller().Reach();
    VirtualInterface* vi = FindVi(handle);
    if (vi == nullptr || handler == nullptr || !IsAddress(handler))
    {
        return Charge(Stage::CALL_SETUP, Library().Costs().query, VIP_INVALID_PARAMETER);
    }
    CompletionClaim claim;
    claim.context = context;
    claim.viHandler = handler;
    return Arm(CompletionClaims::KeyOf(handle, receive), CompletionSource(*vi, receive), claim);
}

VIP_RETURN
Vipl::CqNotify(VIP_CQ_HANDLE handle, VIP_PVOID context, VIP_CQ_CALLBACK handler)
{
    Caller().Reach();
    CompletionQueue** cq = m_cqs.Find(handle);
    if (cq == nullptr || handler == nullptr || !IsAddress(handler))
    {
        return Charge(Stage::CALL_SETUP, Library().Costs().query, VIP_INVALID_PARAMETER);
    }
    CompletionClaim claim;
    claim.context = context;
    claim.cqHandler = handler;
    return Arm(CompletionClaims::KeyOf(handle, false), CompletionSource(**cq), claim);
}

VIP_RETURN
Vipl::Arm(const CompletionClaims::Key& key, const CompletionSource& source, CompletionClaim claim)
{
    Charge(Stage::CALL_WAIT, Library().Costs().waitEnter);
    claim.waiter = &m_first.m_handlerWakeUp;
    claim.since = Caller().Clock().at;
    const bool first = !m_claims.IsClaimed(key);
    m_claims.Add(key, source, claim);
    if (first && source.Next() != nullptr)
    {
        m_first.m_handlerWakeUp.OnReady(Later(Moment{claim.since, 0}, *source.Next()));
    }
    return VIP_SUCCESS;
}

void
Vipl::DropTarget(OpenedNic& opened, VIP_NIC_HANDLE nic)
{
    auto& all = opened.targets;
    const auto isOurs = [nic](const ErrorTarget& target) { return target.nic == nic; };
    all.erase(std::remove_if(all.begin(), all.end(), isOurs), all.end());
}

VIP_RETURN
Vipl::ErrorCallback(VIP_NIC_HANDLE nic, VIP_PVOID context, VIP_ERROR_HANDLER handler)
{
    OpenedNic* opened = FindNic(nic);
    if (opened == nullptr || !IsAddress(handler))
    {
        return Charge(Stage::CALL_SETUP, Library().Costs().query, VIP_INVALID_PARAMETER);
    }
    DropTarget(*opened, nic);
    if (handler != nullptr)
    {
        opened->targets.push_back({nic, handler, context});
    }
    return Charge(Stage::CALL_SETUP, Library().Costs().query);
}

VIP_ERROR_DESCRIPTOR
Vipl::Describe(const AsyncError& error)
{
    VIP_ERROR_DESCRIPTOR description;
    std::memset(&description, 0, sizeof(description));
    description.NicHandle = NicHandleOf(error.owner);
    description.ViHandle = HandleOf(error.vi);
    description.CQHandle =
        m_cqs.HandleOf([&error](const CompletionQueue* cq) { return cq == error.cq; });
    description.DescriptorPtr = reinterpret_cast<VIP_DESCRIPTOR*>(error.descriptor);
    description.ErrorCode = static_cast<VIP_ERROR_CODE>(error.code);
    description.OpCode = OperationOf(description.ErrorCode);
    description.ResourceCode = error.cq != nullptr                        ? VIP_RESOURCE_CQ
                               : error.code == AsyncCode::POST_DESCRIPTOR ? VIP_RESOURCE_DESCRIPTOR
                                                                          : VIP_RESOURCE_VI;
    return description;
}

void
Vipl::OnAsyncError(const AsyncError& error)
{
    if (m_process.HasEnded())
    {
        m_first.m_unhandled.push_back(error);
        return;
    }
    // describe it now: its VI or CQ may be gone when the handler runs
    const PendingError pending{error, Describe(error)};
    const auto later = [](const PendingError& a, const PendingError& b) {
        return a.error.at < b.error.at;
    };
    m_errors.insert(std::upper_bound(m_errors.begin(), m_errors.end(), pending, later), pending);
    m_first.m_handlerWakeUp.OnReady({error.at, 0});
    EndWaits(error.vi, {error.at, 0});
}

void
Vipl::ForgetErrors(ViId vi, Ps after)
{
    m_errors.erase(std::remove_if(m_errors.begin(),
                                  m_errors.end(),
                                  [vi, after](const PendingError& pending) {
                                      return pending.error.vi == vi && pending.error.at > after;
                                  }),
                   m_errors.end());
}

Vipl::Event
Vipl::NextEvent() const
{
    Event event{m_claims.Earliest(), false, {}};
    const Ps error = m_errors.empty() ? PS_NEVER : m_errors.front().error.at;
    event.isError = error <= event.completion.at;
    event.due = event.isError ? Moment{error, 0}
                              : Moment{event.completion.at, event.completion.visible.cause};
    return event;
}

Vipl&
Vipl::NextToServe()
{
    Vipl* next = this;
    for (Vipl* other : m_further)
    {
        next = other->NextEvent().due.at < next->NextEvent().due.at ? other : next;
    }
    return *next;
}

void
Vipl::ServeHandlers()
{
    FiberThread& thread = Caller();
    Moment woken;
    m_handlerWakeUp.SetBusy(true);
    for (;;)
    {
        thread.Reach();
        Vipl& next = NextToServe();
        const Event event = next.NextEvent();
        if (event.due.at <= thread.Clock().at)
        {
            event.isError ? next.TellError() : next.TellCompletion(event.completion, woken);
            continue;
        }
        m_handlerWakeUp.SetBusy(false);
        if (!thread.Block(PS_NEVER, nullptr, event.due.at == PS_NEVER ? nullptr : &event.due))
        {
            return; // the process is ending
        }
        m_handlerWakeUp.SetBusy(true);
        woken = thread.Woken();
        if (NextToServe().NextEvent().due.at <= woken.at) // else it was cancelled
        {
            woken.cause != 0 ? thread.Follow(Later({thread.Clock().at, woken.cause}, woken))
                             : thread.Wait(woken, Stage::BLOCKED);
            WakeUp();
        }
    }
}

void
Vipl::CallProgram(const std::function<void()>& handler)
{
    m_guard ? m_guard(handler) : handler();
}

void
Vipl::TellError()
{
    PendingError pending = m_errors.front();
    m_errors.pop_front();
    const OpenedNic* opened = FindNic(NicHandleOf(pending.error.owner));
    if (opened == nullptr || opened->targets.empty())
    {
        m_first.m_unhandled.push_back(pending.error);
        Log(pending.error);
        return;
    }
    const ErrorTarget target = opened->targets.back();
    CallProgram([&] { target.handler(target.context, &pending.description); });
}

void
Vipl::Log(const AsyncError& error)
{
    if (m_log)
    {
        m_log("via: " + m_nic.GetHost().Name() + ": asynchronous error " +
              ErrorName(static_cast<VIP_ERROR_CODE>(error.code)) +
              (error.cq == nullptr ? " on VI " : " on a CQ of VI ") + std::to_string(error.vi) +
              " (no handler)");
    }
}

void
Vipl::TellCompletion(const CompletionClaims::Notification& next, const Moment& woken)
{
    const CompletionClaim& claim = next.claim;
    auto* const handle = reinterpret_cast<void*>(next.key.first);
    if (claim.cqHandler != nullptr)
    {
        CompletionQueue& cq = **m_cqs.Find(handle);
        const VIP_NIC_HANDLE nic = NicHandleOf(cq.Owner());
        Completion completion;
        Library().ReapCq(cq, completion);
        m_claims.Remove(next.key, claim.number, Caller().Clock().at);
        const VIP_VI_HANDLE vi = HandleOf(completion.vi);
        const VIP_BOOLEAN receive = completion.receive ? VIP_TRUE : VIP_FALSE;
        CallProgram([&] { claim.cqHandler(claim.context, nic, vi, receive); });
        return;
    }
    VirtualInterface& vi = *FindVi(handle);
    const VIP_NIC_HANDLE nic = NicHandleOf(vi.owner);
    const bool receive = next.key.second;
    const Moment& visible = next.visible;
    const bool followed = visible.cause != 0 && visible.cause == woken.cause;
    const Harvest harvest = Library().Reap(vi, receive, receive && followed);
    m_claims.Remove(next.key, claim.number, Caller().Clock().at);
    auto* const descriptor = reinterpret_cast<VIP_DESCRIPTOR*>(harvest.descriptor);
    CallProgram([&] { claim.viHandler(claim.context, nic, handle, descriptor); });
}

} // namespace via
} // namespace ns3
