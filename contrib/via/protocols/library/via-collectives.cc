/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
// Collective operations: broadcast, reduce, all-reduce, all-gather.

#include "via-collectives.h"

namespace ns3
{
namespace via
{

Rank
TreeCollective::Parent() const
{
    Rank highest = 1;
    while (highest <= Self() / 2)
    {
        highest *= 2;
    }
    return Self() - highest;
}

std::vector<Rank>
TreeCollective::Children() const
{
    std::vector<Rank> children;
    for (std::uint64_t bit = 1; Self() + bit < Size(); bit *= 2)
    {
        if (bit > Self())
        {
            children.push_back(static_cast<Rank>(Self() + bit));
        }
    }
    return children;
}

std::vector<Rank>
TreeCollective::Targets() const
{
    std::vector<Rank> targets = Children();
    if (Self() != 0)
    {
        targets.push_back(Parent());
    }
    return targets;
}

MessageWindow
TreeCollective::Flow() const
{
    return {2, true};
}

void
TreeCollective::OnStart()
{
    if (Self() == 0)
    {
        Down(OnBegin());
    }
}

void
TreeCollective::Down(std::uint64_t value)
{
    for (const Rank child : Children())
    {
        Send(child, {m_round, value});
    }
    Count(OnDown(value));
}

void
TreeCollective::OnMessage(Rank from, const CollectiveMessage& message)
{
    if (from < Self())
    {
        Down(message.value);
    }
    else
    {
        Count(message.value);
    }
}

void
TreeCollective::Count(std::uint64_t value)
{
    m_sum += value;
    if (++m_counted <= Children().size())
    {
        return;
    }
    if (Self() != 0)
    {
        Send(Parent(), {m_round, m_sum});
    }
    else
    {
        OnUp(m_sum);
    }
    EndRound();
}

void
TreeCollective::EndRound()
{
    m_sum = 0;
    m_counted = 0;
    if (++m_round == Rounds())
    {
        Finish();
    }
    else if (Self() == 0)
    {
        Down(OnBegin());
    }
}

std::uint64_t
Broadcast::OnBegin()
{
    Enter(Round());
    Note(EventKind::PROPOSE, Round(), Own());
    return Own();
}

std::uint64_t
Broadcast::OnDown(std::uint64_t value)
{
    Note(EventKind::DECIDE, Round(), value);
    Leave(Round());
    return 0;
}

void
Broadcast::OnUp(std::uint64_t)
{
}

std::uint64_t
Reduce::OnBegin()
{
    Enter(Round());
    return 0;
}

std::uint64_t
Reduce::OnDown(std::uint64_t)
{
    Note(EventKind::PROPOSE, Round(), Own());
    return Own();
}

void
Reduce::OnUp(std::uint64_t sum)
{
    Note(EventKind::DECIDE, Round(), sum);
    Leave(Round());
}

Rank
AllReduce::PowerOfTwo() const
{
    Rank power = 1;
    while (power <= Size() / 2)
    {
        power *= 2;
    }
    return power;
}

bool
AllReduce::HasPartnerBeyond() const
{
    return Self() < PowerOfTwo() && Self() + PowerOfTwo() < Size();
}

std::vector<Rank>
AllReduce::Targets() const
{
    const Rank power = PowerOfTwo();
    if (Self() >= power)
    {
        return {Self() - power};
    }
    std::vector<Rank> targets;
    for (Rank bit = 1; bit < power; bit *= 2)
    {
        targets.push_back(Self() ^ bit);
    }
    if (HasPartnerBeyond())
    {
        targets.push_back(Self() + power);
    }
    return targets;
}

MessageWindow
AllReduce::Flow() const
{
    return {2, true};
}

Rank
AllReduce::Awaited() const
{
    if (Self() >= PowerOfTwo())
    {
        return Self() - PowerOfTwo();
    }
    return m_folded ? Self() ^ (1U << m_step) : Self() + PowerOfTwo();
}

void
AllReduce::OnStart()
{
    m_folded = !HasPartnerBeyond();
    BeginRound();
}

void
AllReduce::BeginRound()
{
    m_sum = Random(m_round) >> 16;
    m_step = 0;
    m_folded = !HasPartnerBeyond();
    Enter(m_round);
    Note(EventKind::PROPOSE, m_round, m_sum);
    if (Self() >= PowerOfTwo())
    {
        Send(Self() - PowerOfTwo(), {m_round, m_sum});
    }
    else if (m_folded)
    {
        Tell();
    }
}

void
AllReduce::Tell()
{
    Send(Self() ^ (1U << m_step), {m_round, m_sum});
}

void
AllReduce::OnMessage(Rank, const CollectiveMessage& message)
{
    if (message.round != m_round)
    {
        return; // the one before it was lost: this process waits for it for ever
    }
    if (Self() >= PowerOfTwo())
    {
        m_sum = message.value;
        EndRound();
        return;
    }
    m_sum = Combine(m_sum, message.value);
    m_step += m_folded ? 1 : 0;
    m_folded = true;
    if (1U << m_step < PowerOfTwo())
    {
        Tell();
        return;
    }
    if (HasPartnerBeyond())
    {
        Send(Self() + PowerOfTwo(), {m_round, m_sum});
    }
    EndRound();
}

void
AllReduce::EndRound()
{
    Note(EventKind::DECIDE, m_round, m_sum);
    Leave(m_round);
    m_step = 0;
    if (++m_round < Rounds())
    {
        BeginRound();
    }
    else
    {
        Finish();
    }
}

std::vector<Rank>
AllGather::Targets() const
{
    return {(Self() + 1) % Size()};
}

void
AllGather::OnStart()
{
    BeginRound();
}

void
AllGather::BeginRound()
{
    m_sum = Random(m_round) >> 16;
    m_blocks = 1;
    Enter(m_round);
    Note(EventKind::PROPOSE, m_round, m_sum);
    PassOn(m_sum);
}

std::uint64_t
AllGather::Hop() const
{
    return m_round * Size() + m_blocks;
}

void
AllGather::PassOn(std::uint64_t block)
{
    Send((Self() + 1) % Size(), {Hop(), block});
}

void
AllGather::OnMessage(Rank, const CollectiveMessage& message)
{
    if (message.round != Hop())
    {
        return; // the one before it was lost: this process waits for it for ever
    }
    m_sum += message.value;
    if (++m_blocks < Size())
    {
        PassOn(message.value);
        return;
    }
    Note(EventKind::DECIDE, m_round, m_sum);
    Leave(m_round);
    if (++m_round < Rounds())
    {
        BeginRound();
    }
    else
    {
        Finish();
    }
}

std::vector<ProtocolKind>
CollectiveKinds()
{
    const RoundSpan span = RoundSpan::FIRST_ENTRY_TO_LAST_EXIT;
    return {KindOf<Broadcast>("broadcast", span, {&CheckAgreement, &CheckValidity}),
            KindOf<Reduce>("reduce",
                           RoundSpan::FIRST_ENTRY_TO_FIRST_EXIT, // the root's
                           {&CheckAgreement, &CheckSum}),
            KindOf<AllReduce>("all-reduce", span, {&CheckAgreement, &CheckSum}),
            KindOf<AllGather>("all-gather", span, {&CheckAgreement, &CheckSum})};
}

} // namespace via
} // namespace ns3
