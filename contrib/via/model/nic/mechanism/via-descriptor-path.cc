/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
// How the card gets a descriptor: by DMA, from its own memory, or not at all.

#include "via-descriptor-path.h"

namespace ns3
{
namespace via
{

void
FetchedDescriptors::Fetch(WorkItem* item, Moment at)
{
    if (item != nullptr && item->visible.at == PS_NEVER && item->fetched == PS_NEVER)
    {
        item->fetched =
            m_dma.Read(at, Stage::DESCRIPTOR_FETCH, Engine::NIC_RECEIVE, m_checks.FetchBytes(*item))
                .at;
    }
}

void
FetchedDescriptors::OnPosted(WorkQueue& queue)
{
    const RingSerial last = queue.items.EndSerial() - 1;
    if (IsBefore(last, queue.started + m_ahead))
    {
        WorkItem* item = queue.items.Find(last);
        Fetch(item, item->rung);
    }
}

void
FetchedDescriptors::OnTaken(WorkQueue& queue, Moment at)
{
    if (m_ahead > 0)
    {
        WorkItem* item = queue.items.Find(queue.started + m_ahead - 1);
        Fetch(item, item == nullptr ? at : Later(at, item->rung));
    }
}

Moment
FetchedDescriptors::Take(Moment at, Engine engine, const WorkItem& item, std::uint32_t bytes)
{
    return item.fetched == PS_NEVER
               ? m_dma.Read(at, Stage::DESCRIPTOR_FETCH, engine, bytes)
               : m_dma.GetHost().Wait(at, Stage::DESCRIPTOR_WAIT, engine, item.fetched);
}

Ps
FetchedDescriptors::LeastTake() const
{
    return m_dma.GetHost().LeastReadSpan(Descriptor::CONTROL_BYTES); // only receives are prefetched
}

void
WrittenDescriptors::Post(Process& process, const VirtualInterface&, bool, std::uint32_t bytes)
{
    constexpr Stage stage = Stage::DESCRIPTOR_WRITE;
    process.Drive(process.GetHost().PioWrite(process.Clock(), stage, bytes, m_bus), stage);
}

Moment
WrittenDescriptors::Take(Moment at, Engine engine, const WorkItem&, std::uint32_t)
{
    return m_processor.Work(at, Stage::DESCRIPTOR_READ, engine, m_read);
}

Ps
WrittenDescriptors::LeastTake() const
{
    return m_processor.Clock().Span(m_read);
}

} // namespace via
} // namespace ns3
