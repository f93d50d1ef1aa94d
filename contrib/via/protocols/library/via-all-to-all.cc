/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
// All-to-all: each process sends a block to every other.

#include "via-all-to-all.h"

#include <utility>

namespace ns3
{
namespace via
{

void
AllToAll::OnStart()
{
    BeginRound();
}

void
AllToAll::BeginRound()
{
    const std::uint64_t own = Random(m_round) >> 16; // sums of 65,536 do not overflow
    Enter(m_round);
    Note(EventKind::PROPOSE, m_round, own);
    m_blocks[m_round % 2].sum += own;
    for (Rank step = 1; step < Size(); ++step)
    {
        const Rank to = (Self() + step) % Size();
        Send(to, {m_round, own + Address(to)});
    }
}

void
AllToAll::OnMessage(Rank, const BlockMessage& message)
{
    Blocks& blocks = m_blocks[message.round % 2];
    ++blocks.count;
    blocks.sum += message.value - Self();
    while (m_round < Rounds() && m_blocks[m_round % 2].count == Size() - 1)
    {
        Note(EventKind::DECIDE, m_round, std::exchange(m_blocks[m_round % 2], {}).sum);
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
}

std::vector<ProtocolKind>
AllToAllKinds()
{
    ProtocolKind kind = KindOf<AllToAll>("all-to-all",
                                         RoundSpan::FIRST_ENTRY_TO_LAST_EXIT,
                                         {&CheckAgreement, &CheckSum});
    kind.usualBytes = 4096;
    return {kind};
}

} // namespace via
} // namespace ns3
