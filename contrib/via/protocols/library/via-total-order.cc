/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
// Total order: a sequencer, and a token ring.

#include "via-total-order.h"

#include <algorithm>

namespace ns3
{
namespace via
{

TotalOrder::TotalOrder(WorkloadParameters& parameters, std::uint32_t nodes)
    : m_senders(parameters.Number("senders", nodes, 1, nodes))
{
}

void
TotalOrder::Receive(std::uint64_t position, std::uint64_t value)
{
    m_early[position] = value;
    for (auto first = m_early.begin(); first != m_early.end() && first->first == m_next;
         first = m_early.begin())
    {
        const std::uint64_t next = first->second;
        m_early.erase(first);
        Deliver(m_next, next);
    }
}

void
TotalOrder::Deliver(std::uint64_t position, std::uint64_t value)
{
    ++m_next;
    Note(EventKind::DELIVER, position, value);
    Leave(value);
    if (value / Rounds() == Self())
    {
        OnOwnDelivery();
    }
    if (m_next == m_senders * Rounds())
    {
        Finish();
    }
}

std::vector<Rank>
Sequencer::Targets() const
{
    return Self() == 0 ? TotalOrder::Targets() : std::vector<Rank>{0};
}

void
Sequencer::OnStart()
{
    if (IsSender())
    {
        Request();
    }
}

void
Sequencer::Request()
{
    const std::uint64_t value = Value(m_sent++);
    Enter(value);
    Note(EventKind::PROPOSE, value, value);
    if (Self() == 0)
    {
        Order(value);
    }
    else
    {
        Send(0, {OrderMessage::REQUEST, 0, 0, value});
    }
}

void
Sequencer::Order(std::uint64_t value)
{
    const std::uint64_t position = m_ordered++;
    SendToOthers({OrderMessage::ORDERED, 0, position, value});
    Receive(position, value);
}

void
Sequencer::OnMessage(Rank, const OrderMessage& message)
{
    if (message.kind == OrderMessage::REQUEST)
    {
        Order(message.value);
    }
    else
    {
        Receive(message.position, message.value);
    }
}

void
Sequencer::OnOwnDelivery()
{
    if (m_sent == Rounds())
    {
        return;
    }
    if (Self() == 0)
    {
        SetTimer(NEXT, 1); // it delivers where it sends: calls must not nest once a round
    }
    else
    {
        Request();
    }
}

void
Sequencer::OnTimer(TimerId)
{
    Request();
}

TokenRing::TokenRing(WorkloadParameters& parameters, std::uint32_t nodes)
    : TotalOrder(parameters, nodes),
      m_burst(parameters.Number("burst", 1, 1, 1'000))
{
}

void
TokenRing::OnStart()
{
    if (Self() == 0)
    {
        OnToken(0, 0);
    }
}

void
TokenRing::OnMessage(Rank, const OrderMessage& message)
{
    if (message.kind == OrderMessage::TOKEN)
    {
        OnToken(message.position, message.turns);
    }
    else
    {
        Receive(message.position, message.value);
    }
}

void
TokenRing::OnToken(std::uint64_t position, std::uint32_t turns)
{
    const std::uint64_t left = IsSender() ? Rounds() - m_sent : 0;
    for (std::uint64_t i = 0; i < std::min(left, m_burst); ++i)
    {
        const std::uint64_t value = Value(m_sent++);
        Enter(value);
        Note(EventKind::PROPOSE, value, value);
        SendToOthers({OrderMessage::ORDERED, 0, position, value});
        Receive(position, value);
        ++position;
    }
    turns = left > 0 ? 0 : turns + 1;
    if (turns <= Size())
    {
        Send((Self() + 1) % Size(), {OrderMessage::TOKEN, turns, position, 0});
    }
}

std::vector<ProtocolKind>
TotalOrderKinds()
{
    const RoundSpan span = RoundSpan::FIRST_ENTRY_TO_LAST_EXIT;
    return {KindWith<Sequencer>("sequencer", span, {&CheckTotalOrder}),
            KindWith<TokenRing>("token-ring", span, {&CheckTotalOrder})};
}

} // namespace via
} // namespace ns3
