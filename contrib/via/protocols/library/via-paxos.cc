/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
// Paxos: the common part of both kinds, and the single decree.

#include "via-paxos.h"

#include <algorithm>

namespace ns3
{
namespace via
{

PaxosProcess::PaxosProcess(WorkloadParameters& parameters, std::uint32_t nodes, Rank proposers)
    : m_timeOut(parameters.Microseconds("timeout-us", 10'000 + 100ULL * nodes)),
      m_proposers(static_cast<Rank>(parameters.Number("proposers", proposers, 1, nodes)))
{
}

void
PaxosProcess::OnMessage(Rank from, const PaxosMessage& message)
{
    m_seen = std::max(m_seen, message.ballot);
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
        m_patience = 1;
        return OnLearn(message);
    case PaxosMessage::MISSED:
        return TellMissed(from, message.slot);
    default:
        return;
    }
}

void
PaxosProcess::OnTimer(TimerId timer)
{
    if (timer == SILENCE)
    {
        OnSilence();
    }
    else if (!HasDecidedAll())
    {
        AskForMissed();
    }
}

void
PaxosProcess::WaitForDecisions()
{
    // twice a leader's time-out: it may have lost the same messages, and be about to retry
    SetTimer(MISSED, 2 * m_timeOut * m_patience);
}

void
PaxosProcess::AskForMissed()
{
    while (HasDecided(m_slot))
    {
        ++m_slot;
    }
    Send(m_asked++ % m_proposers, {PaxosMessage::MISSED, 0, 0, m_slot, 0, 0});
    m_patience *= 2; // no process that knows may be left
    WaitForDecisions();
}

void
PaxosProcess::TellMissed(Rank to, std::uint64_t first)
{
    for (auto one = m_decided.lower_bound(first); one != m_decided.end(); ++one)
    {
        Send(to, {PaxosMessage::LEARN, 0, 0, one->first, 0, one->second});
    }
}

std::uint64_t
PaxosProcess::NextBallot()
{
    m_seen = (m_seen / Size() + 1) * Size() + Self();
    return m_seen;
}

bool
PaxosProcess::IsQuorumWith(Rank from, std::set<Rank>& answers) const
{
    answers.insert(from);
    return answers.size() >= Quorum();
}

void
PaxosProcess::Learn(std::uint64_t slot, std::uint64_t value)
{
    SendToOthers({PaxosMessage::LEARN, 0, 0, slot, 0, value});
    Decide(slot, value);
}

void
PaxosProcess::Decide(std::uint64_t slot, std::uint64_t value)
{
    const auto decided = m_decided.find(slot);
    if (decided != m_decided.end() && decided->second == value)
    {
        return;
    }
    Note(EventKind::DECIDE, slot, value); // the checker finds a second one that differs
    if (decided == m_decided.end())
    {
        m_decided.emplace(slot, value);
        Leave(slot);
    }
    if (HasDecidedAll())
    {
        CancelTimer(MISSED);
        Finish();
    }
}

Paxos::Paxos(WorkloadParameters& parameters, std::uint32_t nodes)
    : PaxosProcess(parameters, nodes, 1)
{
}

void
Paxos::OnStart()
{
    if (IsProposer())
    {
        Propose();
    }
    else
    {
        WaitForDecisions();
    }
}

void
Paxos::Propose()
{
    while (HasDecided(m_slot))
    {
        ++m_slot;
    }
    if (m_slot >= Rounds())
    {
        CancelTimer(SILENCE);
        return;
    }
    Enter(m_slot);
    m_ballot = NextBallot();
    m_asking = false;
    m_highest = m_accepted[m_slot];
    m_promised[m_slot] = m_ballot;
    m_answers = {Self()};
    SendToOthers({PaxosMessage::PREPARE, 0, m_ballot, m_slot, 0, 0});
    // time-outs differ between proposers: one of them will be alone for long enough
    const std::uint64_t spread = 1 + Random(++m_tries) % (4ULL * Proposers());
    SetTimer(SILENCE, TimeOut() * static_cast<Ps>(spread));
}

void
Paxos::OnSilence()
{
    Propose();
}

void
Paxos::OnLearn(const PaxosMessage& message)
{
    Decide(message.slot, message.value);
    if (IsProposer() && message.slot == m_slot)
    {
        Propose();
    }
}

void
Paxos::OnPrepare(Rank from, const PaxosMessage& message)
{
    if (HasDecided(message.slot))
    {
        return Send(from, {PaxosMessage::LEARN, 0, 0, message.slot, 0, DecisionOn(message.slot)});
    }
    std::uint64_t& promised = m_promised[message.slot];
    if (message.ballot > promised)
    {
        promised = message.ballot;
        const Accepted& accepted = m_accepted[message.slot];
        Send(from,
             {PaxosMessage::PROMISE,
              1,
              message.ballot,
              message.slot,
              accepted.ballot,
              accepted.value});
    }
}

void
Paxos::OnPromise(Rank from, const PaxosMessage& message)
{
    if (message.ballot != m_ballot || message.slot != m_slot || m_asking)
    {
        return;
    }
    if (message.accepted > m_highest.ballot)
    {
        m_highest = {message.accepted, message.value};
    }
    if (IsQuorumWith(from, m_answers))
    {
        Ask();
    }
}

void
Paxos::Ask()
{
    m_asking = true;
    m_answers.clear();
    m_value = m_highest.ballot > 0 ? m_highest.value
                                   : Own(m_slot); // a proposer must adopt an accepted value
    if (m_value == Own(m_slot))
    {
        Note(EventKind::PROPOSE, m_slot, m_value);
    }
    if (m_promised[m_slot] == m_ballot) // this acceptor may have promised another ballot since
    {
        m_accepted[m_slot] = {m_ballot, m_value};
        m_answers = {Self()};
    }
    SendToOthers({PaxosMessage::ACCEPT, 0, m_ballot, m_slot, 0, m_value});
}

void
Paxos::OnAccept(Rank from, const PaxosMessage& message)
{
    std::uint64_t& promised = m_promised[message.slot];
    if (message.ballot >= promised)
    {
        promised = message.ballot;
        m_accepted[message.slot] = {message.ballot, message.value};
        Send(from, {PaxosMessage::ACCEPTED, 0, message.ballot, message.slot, 0, 0});
        if (!IsProposer())
        {
            WaitForDecisions();
        }
    }
}

void
Paxos::OnAccepted(Rank from, const PaxosMessage& message)
{
    const bool isOurs = message.ballot == m_ballot && message.slot == m_slot && m_asking;
    if (isOurs && IsQuorumWith(from, m_answers))
    {
        Learn(m_slot, m_value);
        Propose();
    }
}

std::vector<ProtocolKind>
PaxosKinds()
{
    const RoundSpan span = RoundSpan::FIRST_ENTRY_TO_LAST_EXIT;
    const std::vector<Checker> checkers = {&CheckAgreement, &CheckValidity};
    return {KindWith<Paxos>("paxos", span, checkers),
            KindWith<MultiPaxos>("multi-paxos",
                                 span,
                                 {&CheckAgreement, &CheckValidity, &CheckOneLeader})};
}

} // namespace via
} // namespace ns3
