/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
// The I/O buses of a host: transactions, bursts and arbitration.

#include "via-host-bus.h"

#include <algorithm>

namespace ns3
{
namespace via
{

BusCosts
BusCosts::From(const ProviderProfile& profile)
{
    const auto clocks = [&profile](const char* key) { return Cycles(profile.Number(key)); };
    const auto bytes = [&profile](const char* key) { return profile.Number32(key); };
    BusCosts costs;
    costs.clock = profile.Clock("bus.clock");
    costs.width = bytes("bus.width");
    costs.readRequest = clocks("bus.arbitration") + clocks("bus.address");
    costs.readInitial = clocks("bus.read_initial");
    const Cycles turnaround = clocks("bus.turnaround");
    costs.readOverhead = costs.readRequest + costs.readInitial + turnaround;
    costs.writeOverhead = costs.readRequest + clocks("bus.write_initial") + turnaround;
    costs.storeOverhead = costs.readRequest + clocks("bus.store_initial") + turnaround;
    const std::uint64_t timer = clocks("bus.latency_timer").count * costs.width;
    costs.burstBytes =
        static_cast<std::uint32_t>(std::min<std::uint64_t>(bytes("bus.burst_bytes"), timer));
    costs.reads = {bytes("bus.read_piece"), clocks("bus.read_gap")};
    costs.splitReads = profile.Number("bus.split_reads") != 0;
    costs.storeBytes = std::max(bytes("bus.store_bytes"), bytes("bus.write_combining"));
    costs.count = bytes("bus.count");
    return costs;
}

HostBus::HostBus(Component& owner, const BusCosts& costs, const ClockDomain& clock)
    : m_owner(owner),
      m_costs(costs),
      m_clock(clock),
      m_byWidth(costs.width),
      m_others(costs.count - 1)
{
}

Moment
HostBus::Transact(Moment from, Stage stage, Cycles clocks, std::uint32_t bus)
{
    return m_owner
        .Use(from, stage, Stage::BUS_WAIT, Engine::BUS, Of(bus).timeline, m_clock, clocks);
}

template <class Clocks>
[[gnu::always_inline]] inline Moment
HostBus::Bursts(Moment from,
                Stage stage,
                std::uint32_t bytes,
                std::uint32_t bus,
                std::uint32_t longest,
                Clocks clocksOf)
{
    for (; bytes > longest; bytes -= longest)
    {
        from = Transact(from, stage, clocksOf(longest), bus);
    }
    return Transact(from, stage, clocksOf(bytes), bus);
}

Cycles
HostBus::Initial(Ps at, Ps asked) const
{
    if (asked >= at)
    {
        return m_costs.readInitial;
    }
    const std::uint64_t passed = m_clock.Between(asked, at).count;
    const std::uint64_t between = m_costs.readOverhead.count - m_costs.readInitial.count;
    const std::uint64_t gap = m_costs.reads.gap.count;
    const std::uint64_t initial = m_costs.readInitial.count;
    const std::uint64_t least = std::min(gap > between ? gap - between : 0, initial);
    return Cycles(std::max(initial > passed ? initial - passed : 0, least));
}

Moment
HostBus::ReadSplit(Moment from, Stage stage, std::uint32_t bytes, std::uint32_t bus, Ps asked)
{
    const Cycles turnaround(m_costs.readOverhead.count - m_costs.readRequest.count -
                            m_costs.readInitial.count);
    for (;; bytes -= m_costs.burstBytes)
    {
        const std::uint32_t burst = std::min(bytes, m_costs.burstBytes);
        from = Transact(from, stage, m_costs.readRequest, bus);
        from = m_owner.Spend(from, stage, Engine::BUS, m_clock, Initial(from.at, asked));
        asked = PS_NEVER;
        const Cycles data = DataPhases(burst) + m_costs.reads.Gaps(burst);
        from = Transact(from, stage, data + turnaround, bus);
        if (burst == bytes)
        {
            return from;
        }
    }
}

Moment
HostBus::Read(Moment from, Stage stage, std::uint32_t bytes, std::uint32_t bus, Ps asked)
{
    return m_costs.splitReads ? ReadSplit(from, stage, bytes, bus, asked)
                              : ReadOn(from, stage, bytes, bus, asked);
}

Moment
HostBus::ReadOn(Moment from, Stage stage, std::uint32_t bytes, std::uint32_t bus, Ps asked)
{
    const std::uint32_t longest = m_costs.burstBytes;
    Lane& lane = Of(bus);
    if (asked < from.at && lane.timeline.FreeFrom() == from.at && lane.burst + bytes <= longest)
    {
        const Cycles before = m_costs.reads.Gaps(lane.burst);
        lane.burst += bytes;
        const Cycles gaps(m_costs.reads.Gaps(lane.burst).count - before.count);
        return Transact(from, stage, DataPhases(bytes) + gaps, bus);
    }
    lane.burst = bytes;
    return Bursts(from, stage, bytes, bus, longest, [this](std::uint32_t burst) {
        return m_costs.readOverhead + DataPhases(burst) + m_costs.reads.Gaps(burst);
    });
}

Moment
HostBus::Write(Moment from, Stage stage, std::uint32_t bytes, std::uint32_t bus)
{
    return Bursts(from, stage, bytes, bus, m_costs.burstBytes, [this](std::uint32_t burst) {
        return m_costs.writeOverhead + DataPhases(burst);
    });
}

Moment
HostBus::Store(Moment from, Stage stage, std::uint32_t bytes, std::uint32_t bus)
{
    return Bursts(from, stage, bytes, bus, m_costs.storeBytes, [this](std::uint32_t burst) {
        return m_costs.storeOverhead + DataPhases(burst);
    });
}

Ps
HostBus::DataSpan(std::uint32_t bytes) const
{
    const std::uint32_t further = bytes == 0 ? 0 : (bytes - 1) / m_costs.burstBytes;
    const Cycles gaps = m_costs.reads.Gaps(std::min(bytes, m_costs.burstBytes)) * further +
                        m_costs.reads.Gaps(bytes - further * m_costs.burstBytes);
    return m_clock.Span(DataPhases(bytes) + m_costs.readOverhead * further + gaps);
}

} // namespace via
} // namespace ns3
