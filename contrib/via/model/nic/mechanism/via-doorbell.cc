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
        m_fifo.m_waiting.push_back(&process);
    }

    ~Place()
    {
        std::vector<Process*>& waiting = m_fifo.m_waiting;
        const auto place = std::find(waiting.begin(), waiting.end(), &m_process);
        if (place != waiting.end())
        {
            waiting.erase(place);
        }
        else
        {
            --m_fifo.m_promised; // it has the entry now
        }
    }

    Place(const Place&) = delete;
    Place& operator=(const Place&) = delete;

  private:
    DoorbellFifo& m_fifo;
    Process& m_process;
};

void
DoorbellFifo::AwaitRoom(Process& process)
{
    if (m_held + m_promised >= m_depth)
    {
        const Place place(*this, process);
        process.Busy(process.Stall("a post, for room in the card's doorbell FIFO"),
                     Stage::DOORBELL_WAIT);
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

Moment
DoorbellFifo::Take(const Doorbell& doorbell, Moment at, Ps)
{
    if (doorbell.isRung)
    {
        --m_held;
        if (!m_waiting.empty())
        {
            Process* const first = m_waiting.front();
            m_waiting.erase(m_waiting.begin());
            ++m_promised;
            first->OnReady(at);
        }
    }
    return m_processor.Work(at, Stage::DOORBELL_DECODE, Engine::NIC_SEND, m_decode);
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
    const Cycles rung = m_processor.Clock().Between(idle, doorbell.at.at);
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

Moment
DoorbellWords::Take(const Doorbell& doorbell, Moment at, Ps idle)
{
    const Cycles passed = m_processor.Clock().Between(idle, at.at);
    const Cycles found = Found(Scan(), doorbell, idle);
    const Cycles scanned(found.count > passed.count ? found.count - passed.count : 0);
    m_behind = doorbell.vi + 1;
    at = m_processor.Work(at, Stage::DOORBELL_SCAN, Engine::NIC_SEND, scanned);
    return m_processor.Work(at, Stage::DOORBELL_DECODE, Engine::NIC_SEND, m_decode);
}

} // namespace via
} // namespace ns3
