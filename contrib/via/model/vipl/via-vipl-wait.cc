/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
// VIPL: waiting for work queues and completion queues.

#include "via-vipl.h"

#include <algorithm>
#include <utility>

namespace ns3
{
namespace via
{

void
Vipl::WakeUp()
{
    Caller().WakeUp();
}

bool
Vipl::Await(const CompletionClaims::Key& key,
            const CompletionSource& source,
            Ps deadline,
            const char* what)
{
    FiberThread& caller = Caller();
    caller.Spend(Stage::CALL_WAIT, Library().Costs().waitEnter);
    CompletionClaim claim;
    claim.waiter = &caller;
    const std::uint64_t number = m_claims.Add(key, source, claim);
    caller.Reach();
    Mine().woken = {};
    for (;;)
    {
        const bool isFirst = m_claims.IsFirst(key, number);
        const Moment* next = isFirst ? source.Next() : nullptr;
        if (next != nullptr && next->at <= caller.Clock().at)
        {
            return true;
        }
        if ((isFirst && source.HasEnded()) || !caller.Block(deadline, what, next))
        {
            m_claims.Remove(key, number, caller.Clock().at);
            return false;
        }
        Mine().woken = caller.Woken();
        if (key.second && caller.Woken().cause != 0)
        {
            caller.Follow(Later({caller.Clock().at, caller.Woken().cause}, caller.Woken()));
        }
        else
        {
            caller.Wait(caller.Woken(), Stage::BLOCKED);
        }
        WakeUp();
    }
}

void
Vipl::EndWaits(ViId vi, Moment at)
{
    for (const bool receive : {false, true})
    {
        m_claims.WakeEnded(CompletionClaims::KeyOf(HandleOf(vi), receive), at);
    }
}

Ps
Vipl::DeadlineOrTimer(VIP_ULONG milliseconds) const
{
    const Ps deadline = Deadline(milliseconds);
    if (m_first.m_timer == nullptr)
    {
        return deadline;
    }
    const Ps end = std::exchange(*m_first.m_waitEnd, PS_NEVER);
    return std::min<Ps>({deadline, *m_first.m_timer, end});
}

VIP_RETURN
Vipl::Wait(VIP_VI_HANDLE handle, VIP_ULONG timeout, VIP_DESCRIPTOR** descriptor, bool receive)
{
    const Use use(m_vis.Find(handle));
    VirtualInterface* vi = FindVi(handle);
    if (vi == nullptr || descriptor == nullptr)
    {
        return Charge(Stage::CALL_SETUP, Library().Costs().query, VIP_INVALID_PARAMETER);
    }
    const Ps deadline = DeadlineOrTimer(timeout);
    const auto key = CompletionClaims::KeyOf(handle, receive);
    if (!m_claims.IsClaimed(key))
    {
        const Harvest first = Library().Poll(*vi, receive);
        if (first.result != Harvest::NOT_DONE)
        {
            return Answer(first, descriptor);
        }
    }
    const CompletionSource source(*vi, receive);
    if (!Await(key, source, deadline, receive ? "VipRecvWait" : "VipSendWait"))
    {
        if (source.HasEnded())
        {
            return Answer(Harvest{}, descriptor); // as a new call does
        }
        ProgramMemory::Write(descriptor, nullptr);
        return VIP_TIMEOUT;
    }
    const Harvest harvest = Library().Reap(*vi, receive, receive && Mine().woken.cause != 0);
    m_claims.Finish(key, Caller().Clock().at);
    return Answer(harvest, descriptor);
}

VIP_RETURN
Vipl::CqWait(VIP_CQ_HANDLE handle, VIP_ULONG timeout, VIP_VI_HANDLE* vi, VIP_BOOLEAN* receive)
{
    CompletionQueue** cq = m_cqs.Find(handle);
    if (cq == nullptr || vi == nullptr || receive == nullptr)
    {
        return Charge(Stage::CALL_SETUP, Library().Costs().query, VIP_INVALID_PARAMETER);
    }
    const Use use(*cq);
    const Ps deadline = DeadlineOrTimer(timeout);
    const auto key = CompletionClaims::KeyOf(handle, false);
    Completion completion;
    if (m_claims.IsClaimed(key) || !Library().PollCq(**cq, completion))
    {
        if (!Await(key, CompletionSource(**cq), deadline, "VipCQWait"))
        {
            return VIP_TIMEOUT;
        }
        Library().ReapCq(**cq, completion);
        m_claims.Finish(key, Caller().Clock().at);
    }
    return Answer(completion, vi, receive);
}

} // namespace via
} // namespace ns3
