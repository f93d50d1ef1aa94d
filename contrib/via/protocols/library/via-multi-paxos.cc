/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
// Multi-decree Paxos: a leader, and one slot after the other.

#include "via-paxos.h"

#include <algorithm>
#include <iterator>

namespace ns3
{
namespace via
{

MultiPaxos::MultiPaxos(WorkloadParameters& parameters, std::uint32_t nodes)
    : PaxosProcess(parameters, nodes, nodes)
{
}

std::vector<Rank>
MultiPaxos::Targets() const
{
    std::vector<Rank> targets = TypedProtocol::Targets();
    if (!IsProposer())
    {
        const auto isAcceptor = [this](Rank rank) { return rank >= Proposers(); };
        targets.erase(std::remove_if(targets.begin(), targets.end(), isAcceptor), targets.end());
    }
    return targets;
}

void
MultiPaxos::OnStart()
{
    if (Self() == 0)
    {
        Lead();
    }
    else
    {
        WaitForLeader();
    }
}

void
MultiPaxos::WaitForLeader()
{
    if (IsProposer())
    {
        SetTimer(SILENCE, TimeOut() * (1 + Self()));
    }
    else if (!HasDecidedAll())
    {
        WaitForDecisions();
    }
}

void
MultiPaxos::OnSilence()
{
    if (!HasDecidedAll())
    {
        Lead();
    }
}

void
MultiPaxos::Lead()
{
    m_leads = false;
    m_ballot = NextBallot();
    m_promised = m_ballot;
    m_found = m_accepted;
    m_parts.clear();
    m_answers = {Self()};
    SendToOthers({PaxosMessage::PREPARE, 0, m_ballot, m_slot, 0, 0});
    WaitForLeader();
}

void
MultiPaxos::OnPrepare(Rank from, const PaxosMessage& message)
{
    if (HasDecided(message.slot))
    {
        return TellMissed(from, message.slot); // it has to catch up before it leads
    }
    if (message.ballot <= m_promised)
    {
        return;
    }
    m_promised = message.ballot;
    m_leads = false;
    WaitForLeader();
    const auto first = m_accepted.lower_bound(message.slot);
    const auto slots = static_cast<std::uint32_t>(std::distance(first, m_accepted.end()));
    if (slots == 0)
    {
        Send(from, {PaxosMessage::PROMISE, 1, message.ballot, message.slot, 0, 0});
    }
    for (auto one = first; one != m_accepted.end(); ++one)
    {
        const Accepted& accepted = one->second;
        Send(from,
             {PaxosMessage::PROMISE,
              slots,
              message.ballot,
              one->first,
              accepted.ballot,
              accepted.value});
    }
}

void
MultiPaxos::OnPromise(Rank from, const PaxosMessage& message)
{
    if (message.ballot != m_ballot || m_ballot != m_promised || m_leads)
    {
        return;
    }
    WaitForLeader(); // a promise has as many messages as slots
    Accepted& found = m_found[message.slot];
    if (message.accepted > found.ballot)
    {
        found = {message.accepted, message.value};
    }
    // it counts once complete: some of its messages may be lost
    if (++m_parts[from] == message.parts && IsQuorumWith(from, m_answers))
    {
        m_leads = true;
        Note(EventKind::LEAD, m_ballot);
        AskNext();
    }
}

void
MultiPaxos::AskNext()
{
    if (m_slot >= Rounds())
    {
        CancelTimer(SILENCE);
        return;
    }
    Enter(m_slot);
    Accepted& found = m_found[m_slot];
    if (found.ballot == 0)
    {
        found.value = Own(m_slot);
        Note(EventKind::PROPOSE, m_slot, found.value);
    }
    m_accepted[m_slot] = {m_ballot, found.value};
    m_answers = {Self()};
    SendToOthers({PaxosMessage::ACCEPT, 0, m_ballot, m_slot, 0, found.value});
    WaitForLeader(); // a leader without a majority starts over
}

void
MultiPaxos::OnAccept(Rank from, const PaxosMessage& message)
{
    if (message.ballot < m_promised)
    {
        return;
    }
    m_promised = message.ballot;
    m_leads = m_leads && message.ballot == m_ballot;
    m_accepted[message.slot] = {message.ballot, message.value};
    WaitForLeader();
    Send(from, {PaxosMessage::ACCEPTED, 0, message.ballot, message.slot, 0, 0});
}

void
MultiPaxos::OnAccepted(Rank from, const PaxosMessage& message)
{
    const bool isOurs = m_leads && message.ballot == m_ballot && message.slot == m_slot;
    if (isOurs && IsQuorumWith(from, m_answers))
    {
        Learn(m_slot, m_accepted[m_slot].value);
        GoOn();
        AskNext();
    }
}

void
MultiPaxos::OnLearn(const PaxosMessage& message)
{
    Decide(message.slot, message.value);
    WaitForLeader(); // more may follow, of what it has missed
    GoOn();
}

void
MultiPaxos::GoOn()
{
    while (HasDecided(m_slot))
    {
        ++m_slot;
    }
    if (HasDecidedAll())
    {
        CancelTimer(SILENCE);
    }
}

} // namespace via
} // namespace ns3
