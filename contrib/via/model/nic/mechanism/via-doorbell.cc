/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
// Doorbells: how the host notifies the card of a posted descriptor, and how the card notices.

#include "via-doorbell.h"

#include "ns3/via-nic.h"

#include <algorithm>

namespace ns3
{
namespace via
{

/// Keeps the place of a process whose store is held. It may be killed while it waits.
class DoorbellFifo::Place
{
  public:
    Place(DoorbellFifo& fifo, Process& process)
        : m_fifo(fifo),
          m_process(process)
    {
        m_fifo.m_stalled.push_back(&process);
    }

    ~Place()
    {
        const std::vector<Process*>& stalled = m_fifo.m_stalled;
        m_fifo.RemoveAt(std::find(stalled.begin(), stalled.end(), &m_process) - stalled.begin());
        if (!m_hasResumed)
        {
            m_fifo.PromiseFree({m_process.GetHost().Now(), 0});
        }
    }

    /// The process fills the entry that it was promised.
    void Resume()
    {
        m_hasResumed = true;
    }

    Place(const Place&) = delete;
    Place& operator=(const Place&) = delete;

  private:
    DoorbellFifo& m_fifo;
    Process& m_process;
    bool m_hasResumed{false};
};

void
DoorbellFifo::AwaitRoom(Process& process)
{
    if (m_held + m_promised >= m_depth)
    {
        Place place(*this, process);
        process.Busy(process.Stall("a post, for room in the card's doorbell FIFO"),
                     Stage::DOORBELL_WAIT);
        place.Resume();
    }
}

Moment
DoorbellFifo::RingSend(Process& process, VirtualInterface&, const WorkItem&)
{
    AwaitRoom(process);
    return process.GetHost().MmioStore(process.Clock(), m_bus);
}

Moment
DoorbellFifo::RingReceive(Process& process, VirtualInterface&, const WorkItem&)
{
    return process.GetHost().MmioStore(process.Clock(), m_bus);
}

Moment
DoorbellFifo::RingDeferred(Process& process, VirtualInterface&)
{
    AwaitRoom(process);
    return process.GetHost().MmioStore(process.Clock(), m_bus);
}

void
DoorbellFifo::Take(CardTask& engine, const Doorbell& doorbell, Ps)
{
    if (doorbell.isRung)
    {
        --m_held;
        if (m_promised < m_stalled.size())
        {
            PromiseOne(engine.At());
        }
    }
    engine.Work(Stage::DOORBELL_DECODE, m_decode);
}

void
DoorbellFifo::PromiseOne(Moment at)
{
    m_stalled[m_promised++]->OnReady(at);
}

void
DoorbellFifo::PromiseFree(Moment at)
{
    while (m_promised < m_stalled.size() && m_held + m_promised < m_depth)
    {
        PromiseOne(at);
    }
}

void
DoorbellFifo::RemoveAt(std::size_t index)
{
    m_stalled.erase(m_stalled.begin() + static_cast<std::ptrdiff_t>(index));
    m_promised -= index < m_promised ? 1 : 0;
}

void
DoorbellFifo::Forget(std::uint32_t rank, Moment at)
{
    for (std::size_t index = m_stalled.size(); index-- > 0;)
    {
        if (m_stalled[index]->Rank() == rank)
        {
            RemoveAt(index);
        }
    }
    PromiseFree(at);
}

Cycles
DoorbellScan::FoundAfter(std::uint32_t word, Cycles rung) const
{
    const bool wraps = word < next;
    const std::uint64_t looks = wraps ? open - next + word + 1 : word - next + 1;
    const bool begins = wraps || next == open;
    const std::uint64_t first = vi.count * looks + (begins ? loop.count : 0);
    const std::uint64_t sweep = loop.count + vi.count * open;
    const std::uint64_t begun = first - vi.count;
    const std::uint64_t late = rung.count > begun ? rung.count - begun : 0;
    return Cycles(first + (sweep == 0 ? late : (late + sweep - 1) / sweep * sweep));
}

DoorbellScan
DoorbellWords::Scan() const
{
    return {m_loop, m_vi, m_nic.Vis().Count(), m_nic.Vis().CountBefore(m_behind)};
}

Cycles
DoorbellWords::Found(const DoorbellScan& scan, const Doorbell& doorbell, Ps idle) const
{
    const Cycles rung = m_nic.Clock().Between(idle, doorbell.at.at);
    const bool isWord = doorbell.control == nullptr && m_nic.FindVi(doorbell.vi) != nullptr;
    return isWord ? scan.FoundAfter(m_nic.Vis().CountBefore(doorbell.vi), rung) : rung;
}

Moment
DoorbellWords::WriteWord(Process& process) const
{
    return process.GetHost().MmioStore(process.Clock(), m_nic.Card());
}

std::uint32_t
DoorbellWords::Next(const Doorbells& doorbells, Ps idle)
{
    if (doorbells.Size() == 1)
    {
        return 0;
    }
    const DoorbellScan scan = Scan();
    std::uint32_t next = 0;
    Cycles soonest = Found(scan, doorbells.At(0), idle);
    for (std::uint32_t i = 1; i < doorbells.Size(); ++i)
    {
        const Cycles found = Found(scan, doorbells.At(i), idle);
        if (found.count < soonest.count)
        {
            next = i;
            soonest = found;
        }
    }
    return next;
}

void
DoorbellWords::Take(CardTask& engine, const Doorbell& doorbell, Ps idle)
{
    const Cycles passed = m_nic.Clock().Between(idle, engine.At().at);
    const Cycles found = Found(Scan(), doorbell, idle);
    const Cycles scanned(found.count > passed.count ? found.count - passed.count : 0);
    m_behind = doorbell.vi + 1;
    engine.Work(Stage::DOORBELL_SCAN, scanned);
    engine.Work(Stage::DOORBELL_DECODE, m_decode);
}

} // namespace via
} // namespace ns3
