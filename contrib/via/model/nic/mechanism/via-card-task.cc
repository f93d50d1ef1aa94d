/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
// What a part of a card does, one thing after the other: cycles of work, and transfers.

#include "via-card-task.h"

#include "ns3/abort.h"

namespace ns3
{
namespace via
{

void
CardTask::AbortIfPending() const
{
    NS_ABORT_MSG_IF(m_isPending, "a part of a card is told to go on during a transfer");
}

void
CardTask::Keep(const Kept& kept)
{
    m_more->kept.Insert(m_more->place++, kept);
}

void
CardTask::MoveLater(Stage stage, std::uint32_t bytes, bool isFirst, bool writes)
{
    if (m_isPending)
    {
        Keep({writes ? Kept::WRITE : Kept::READ, stage, isFirst, bytes, 0, nullptr});
        return;
    }
    DmaTransfer transfer;
    transfer.bus.stage = stage;
    transfer.bus.writes = writes;
    transfer.bus.bytes = bytes;
    transfer.user = m_engine;
    transfer.isFirst = isFirst;
    if (!m_dma->GoOn(transfer, m_at))
    {
        Pend(transfer);
        return;
    }
    m_moved = m_at.at;
}

void
CardTask::Pend(const DmaTransfer& transfer)
{
    if (m_more == nullptr)
    {
        m_more = std::make_unique<More>();
    }
    m_isPending = true;
    m_more->transfer = transfer;
    m_dma->Await(m_more->transfer);
}

void
CardTask::AwaitEnd()
{
    if (m_isPending)
    {
        Keep({Kept::END, Stage::PAYLOAD_READ, true, 0, 0, nullptr});
    }
    else if (m_moved == m_at.at && !m_dma->MayGoOn(m_at.at))
    {
        DmaTransfer ended;
        ended.phase = DmaTransfer::Phase::END;
        Pend(ended);
    }
}

void
CardTask::Do(const Kept& kept)
{
    switch (kept.kind)
    {
    case Kept::WORK:
        Work(kept.stage, Cycles(kept.what));
        break;
    case Kept::READ:
    case Kept::WRITE:
        Move(kept.stage,
             static_cast<std::uint32_t>(kept.what),
             kept.isFirst,
             kept.kind == Kept::WRITE);
        break;
    case Kept::END:
        AwaitEnd();
        break;
    case Kept::CALL:
        Call(*kept.listener, kept.what, kept.which);
        break;
    }
}

void
CardTask::GoOn()
{
    Ring<Kept>& kept = m_more->kept;
    const bool hasEngine = m_more->transfer.phase != DmaTransfer::Phase::ENGINE;
    m_isPending = !m_dma->GoOn(m_more->transfer, m_at);
    m_moved = m_at.at;
    if (m_isPending && !hasEngine)
    {
        m_dma->Await(m_more->transfer);
    }
    while (!m_isPending && !kept.IsEmpty())
    {
        const Kept next = kept.Front();
        kept.Pop();
        m_more->place = 0; // what it asks for comes before the others
        Do(next);
    }
    m_more->place = kept.Size();
}

} // namespace via
} // namespace ns3
