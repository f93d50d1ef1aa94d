/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
// Paxos, many decrees under one leader.

#include "via-paxos.h"

#include <algorithm>

namespace ns3
{
namespace via
{

MultiPaxos::MultiPaxos(WorkloadParameters& parameters, std::uint32_t nodes)
    : m_timeOut(static_cast<Ps>(
                    parameters.Number("timeout-us", 10'000 + 100ULL * nodes, 1, 1'000'000'000)) *
                PS_PER_US),
      m_proposers(static_cast<Rank>(parameters.Number("proposers", nodes, 1, nodes)))
{
}

std::vector<Rank>
MultiPaxos::Targets() const
{
    std::vector<Rank> targets = TypedProtocol::Targets();
    if (Self() >= m_proposers)
    {
        const auto isAcceptor = [this](Rank rank) { return rank >= m_proposers; };
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
    if (Self() < m_proposers)
    {
        SetTimer(LEADER, m_timeOut * (1 + Self()));
    }
}

void
MultiPaxos::OnTimer(TimerId)
{
    if (m_decided.size() < Rounds())
    {
        Lead();
    }
}

void
MultiPaxos::Lead()
{
    m_leads = false;
    m_ballot = (m_promised / Size() + 1) * Size() + Self();
    m_promised = m_ballot;
    m_found = m_accepted;
    m_answers = {Self()};
    SendToOthers({PaxosMessage::PREPARE, 0, m_ballot, m_slot, 0, 0});
    WaitForLeader();
}

void
MultiPaxos::OnMessage(Rank from, const PaxosMessage& message)
{
    switch (message.kind)
    {
    case PaxosMessage::PREPARE:
        return OnPrepare(from, message);
    case PaxosMessage::PROMISE:
        return OnPromise(from, message);
    case PaxosMessage::ACCEPT:
        return OnAccept(from, message);
    case PaxosMessage::ACCEPTED:
        return OnAccepted(from, message);
    case PaxosMessage::LEARN:
        return Decide(message.slot, message.value);
    default:
        return;
    }
}

void
MultiPaxos::OnPrepare(Rank from, const PaxosMessage& message)
{
    if (message.ballot <= m_promised)
    {
        return;
    }
    m_promised = message.ballot;
    m_leads = false;
    WaitForLeader();
    const auto first = m_accepted.lower_bound(message.slot);
    auto left = static_cast<std::uint32_t>(std::distance(first, m_accepted.end()));
    if (left == 0)
    {
        Send(from, {PaxosMessage::PROMISE, 0, message.ballot, message.slot, 0, 0});
    }
    for (auto one = first; one != m_accepted.end(); ++one)
    {
        const Accepted& accepted = one->second;
        Send(from,
             {PaxosMessage::PROMISE,
              --left,
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
    Accepted& found = m_found[message.slot];
    if (message.accepted > found.ballot)
    {
        found = {message.accepted, message.value};
    }
    if (message.last > 0)
    {
        return; // it has more to tell
    }
    m_answers.insert(from);
    if (m_answers.size() >= Quorum())
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
        CancelTimer(LEADER);
        return;
    }
    Enter(m_slot);
    Accepted& found = m_found[m_slot];
    if (found.ballot == 0)
    {
        found.value = m_slot * Size() + Self() + 1;
        Note(EventKind::PROPOSE, m_slot, found.value);
    }
    m_accepted[m_slot] = {m_ballot, found.value};
    m_answers = {Self()};
    SendToOthers({PaxosMessage::ACCEPT, 0, m_ballot, m_slot, 0, found.value});
    WaitForLeader(); // a leader without a majority begins again
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
    if (!m_leads || message.ballot != m_ballot || message.slot != m_slot)
    {
        return;
    }
    m_answers.insert(from);
    if (m_answers.size() >= Quorum())
    {
        const std::uint64_t value = m_accepted[m_slot].value;
        SendToOthers({PaxosMessage::LEARN, 0, m_ballot, m_slot, 0, value});
        Decide(m_slot, value);
        AskNext();
    }
}

void
MultiPaxos::Decide(std::uint64_t slot, std::uint64_t value)
{
    const auto decided = m_decided.find(slot);
    if (decided == m_decided.end() || decided->second != value)
    {
        Note(EventKind::DECIDE, slot, value); // a second one that differs is for the checker
    }
    if (decided == m_decided.end())
    {
        m_decided.emplace(slot, value);
        Leave(slot);
    }
    while (m_decided.count(m_slot) > 0)
    {
        ++m_slot;
    }
    if (m_decided.size() == Rounds())
    {
        CancelTimer(LEADER);
        Finish();
    }
}

} // namespace via
} // namespace ns3
