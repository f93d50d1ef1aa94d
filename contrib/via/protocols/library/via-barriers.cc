/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
// Barriers: no process continues before all have arrived.

#include "via-barriers.h"

#include "ns3/via-nic-barrier-path.h"

#include <algorithm>

namespace ns3
{
namespace via
{

void
BarrierProtocol::OnStart()
{
    Enter(m_round);
    Arrive();
}

void
BarrierProtocol::GoOn()
{
    Leave(m_round);
    if (++m_round < Rounds())
    {
        Enter(m_round);
        Arrive();
    }
    else
    {
        Finish();
    }
}

std::vector<Rank>
DisseminationBarrier::Targets() const
{
    std::vector<Rank> targets;
    for (std::uint32_t step = 0; step < CeilLog2(Size()); ++step)
    {
        targets.push_back((Self() + (1U << step)) % Size());
    }
    return targets;
}

Rank
DisseminationBarrier::Awaited() const
{
    return (Self() + Size() - (1U << m_step)) % Size();
}

void
DisseminationBarrier::Arrive()
{
    Send((Self() + (1U << m_step)) % Size(), {Round()});
}

void
DisseminationBarrier::OnMessage(Rank, const BarrierMessage& message)
{
    if (message.round != Round())
    {
        return; // the awaited message was lost: no process continues
    }
    if (++m_step < CeilLog2(Size()))
    {
        Arrive();
    }
    else
    {
        m_step = 0;
        GoOn();
    }
}

std::vector<Rank>
CentralBarrier::Targets() const
{
    return Self() == 0 ? BarrierProtocol::Targets() : std::vector<Rank>{0};
}

void
CentralBarrier::Arrive()
{
    if (Self() == 0)
    {
        Count();
    }
    else
    {
        Send(0, {Round()});
    }
}

void
CentralBarrier::Count()
{
    if (++m_come == Size())
    {
        m_come = 0;
        SendToOthers({Round()});
        GoOn();
    }
}

void
CentralBarrier::OnMessage(Rank, const BarrierMessage&)
{
    if (Self() == 0)
    {
        Count();
    }
    else
    {
        GoOn();
    }
}

TreeBarrier::TreeBarrier(WorkloadParameters& parameters, std::uint32_t nodes)
    : m_fanIn(static_cast<Rank>(parameters.Number("fan-in", 4, 1, std::max(nodes, 2U))))
{
}

std::vector<Rank>
TreeBarrier::Children() const
{
    std::vector<Rank> children;
    for (Rank i = 1; i <= m_fanIn; ++i)
    {
        const std::uint64_t child = static_cast<std::uint64_t>(m_fanIn) * Self() + i;
        if (child < Size())
        {
            children.push_back(static_cast<Rank>(child));
        }
    }
    return children;
}

std::vector<Rank>
TreeBarrier::Targets() const
{
    std::vector<Rank> targets = Children();
    if (Self() != 0)
    {
        targets.push_back((Self() - 1) / m_fanIn);
    }
    return targets;
}

void
TreeBarrier::Arrive()
{
    Count();
}

void
TreeBarrier::Count()
{
    if (++m_come <= Children().size())
    {
        return;
    }
    m_come = 0;
    if (Self() != 0)
    {
        Send((Self() - 1) / m_fanIn, {Round()});
    }
    else
    {
        Release();
    }
}

void
TreeBarrier::Release()
{
    for (const Rank child : Children())
    {
        Send(child, {Round()});
    }
    GoOn();
}

void
TreeBarrier::OnMessage(Rank from, const BarrierMessage&)
{
    if (from > Self())
    {
        Count();
    }
    else
    {
        Release();
    }
}

std::vector<ProtocolKind>
BarrierKinds()
{
    const RoundSpan span = RoundSpan::LAST_ENTRY_TO_LAST_EXIT;
    const std::vector<Checker> checkers = {&CheckBarrier};
    ProtocolKind cards = KindOf<NicBarrierProtocol>("nic-barrier", span, checkers);
    cards.connect = &ConnectNicBarrierPaths;
    return {KindOf<DisseminationBarrier>("barrier", span, checkers),
            KindOf<CentralBarrier>("central-barrier", span, checkers),
            cards,
            KindWith<TreeBarrier>("tree-barrier", span, checkers)};
}

} // namespace via
} // namespace ns3
