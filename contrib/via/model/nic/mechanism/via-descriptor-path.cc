/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
// How the card gets a descriptor: by DMA, from its own memory, or not at all.

#include "via-descriptor-path.h"

#include "ns3/via-nic.h"

#include <utility>

namespace ns3
{
namespace via
{

namespace
{

/// Reads the descriptor of a receive before a message needs it.
class PrefetchJob final : public CardJob
{
  public:
    PrefetchJob(Nic& nic, ViId vi, RingSerial serial, std::uint32_t bytes, Moment at)
        : CardJob(nic.Parts().dma, Engine::NIC_RECEIVE, at),
          m_nic(&nic),
          m_vi(vi),
          m_serial(serial),
          m_bytes(bytes)
    {
    }

    bool Continue() override
    {
        if (m_bytes > 0)
        {
            Read(Stage::DESCRIPTOR_FETCH, std::exchange(m_bytes, 0));
        }
        if (IsPending())
        {
            return false;
        }
        VirtualInterface* vi = m_nic->FindVi(m_vi);
        WorkItem* item = vi == nullptr ? nullptr : vi->ReceiveQueue().items.Find(m_serial);
        if (item != nullptr)
        {
            item->fetched = At().at;
        }
        m_nic->Receiver().OnPrefetched();
        return true;
    }

  private:
    Nic* m_nic;
    ViId m_vi;
    RingSerial m_serial;
    std::uint32_t m_bytes; ///< 0: they have been requested
};

} // namespace

void
FetchedDescriptors::Fetch(VirtualInterface& vi, RingSerial serial, Moment at)
{
    WorkItem* item = vi.ReceiveQueue().items.Find(serial);
    if (item != nullptr && !item->HasEnded() && item->fetched == PS_NEVER)
    {
        item->fetched = WorkItem::COMING;
        const std::uint32_t bytes = m_nic.Checks().FetchBytes(*item);
        m_nic.Jobs().Begin(at.at, PrefetchJob(m_nic, vi.id, serial, bytes, Later(at, item->rung)));
    }
}

void
FetchedDescriptors::OnPosted(VirtualInterface& vi)
{
    const WorkQueue& queue = vi.ReceiveQueue();
    const RingSerial last = queue.items.EndSerial() - 1;
    if (IsBefore(last, queue.started + m_ahead))
    {
        Fetch(vi, last, queue.items.Find(last)->rung);
    }
}

void
FetchedDescriptors::OnTaken(VirtualInterface& vi, Moment at)
{
    if (m_ahead > 0)
    {
        Fetch(vi, vi.ReceiveQueue().started + m_ahead - 1, at);
    }
}

void
FetchedDescriptors::Take(CardTask& engine, const WorkItem& item, std::uint32_t bytes)
{
    if (item.fetched == PS_NEVER)
    {
        engine.Read(Stage::DESCRIPTOR_FETCH, bytes);
        return;
    }
    engine.Follow(
        m_nic.GetHost().Wait(engine.At(), Stage::DESCRIPTOR_WAIT, engine.Owner(), item.fetched));
}

Ps
FetchedDescriptors::LeastTake() const
{
    return m_nic.GetHost().LeastReadSpan(Descriptor::CONTROL_BYTES); // only receives are prefetched
}

void
WrittenDescriptors::Post(Process& process, const VirtualInterface&, bool, std::uint32_t bytes)
{
    process.Store(Stage::DESCRIPTOR_WRITE, bytes, m_bus);
}

void
WrittenDescriptors::Take(CardTask& engine, const WorkItem&, std::uint32_t)
{
    engine.Work(Stage::DESCRIPTOR_READ, m_read);
}

Ps
WrittenDescriptors::LeastTake() const
{
    return m_clock.Span(m_read);
}

} // namespace via
} // namespace ns3
