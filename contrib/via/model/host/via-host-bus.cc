/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
// The I/O bus of a host: transactions, bursts, and who waits for whom.

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
    const auto bytes = [&profile](const char* key) {
        return static_cast<std::uint32_t>(profile.Number(key));
    };
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
    costs.splitReads = profile.Number("bus.split_reads") != 0;
    costs.storeBytes = std::max(bytes("bus.store_bytes"), bytes("bus.write_combining"));
    costs.count = bytes("bus.count");
    return costs;
}

HostBus::HostBus(Component& owner, const BusCosts& costs, const ClockDomain& clock)
    : m_owner(owner),
      m_costs(costs),
      m_clock(clock),
      m_others(costs.count - 1)
{
}

Moment
HostBus::Transact(Moment from, Stage stage, Cycles clocks, std::uint32_t bus)
{
    bus = m_costs.count == 1 ? 0 : bus % m_costs.count;
    Timeline& timeline = bus == 0 ? m_first : m_others[bus - 1];
    return m_owner.Use(from, stage, Stage::BUS_WAIT, Engine::BUS, timeline, m_clock, clocks);
}

Moment
HostBus::ReadBurst(Moment from, Stage stage, std::uint32_t bytes, std::uint32_t bus)
{
    if (!m_costs.splitReads)
    {
        return Transact(from, stage, m_costs.readOverhead + DataPhases(bytes), bus);
    }
    from = Transact(from, stage, m_costs.readRequest, bus);
    from = m_owner.Spend(from, stage, Engine::BUS, m_clock, m_costs.readInitial);
    const Cycles turnaround(m_costs.readOverhead.count - m_costs.readRequest.count -
                            m_costs.readInitial.count);
    return Transact(from, stage, DataPhases(bytes) + turnaround, bus);
}

Moment
HostBus::Read(Moment from, Stage stage, std::uint32_t bytes, std::uint32_t bus)
{
    for (; bytes > m_costs.burstBytes; bytes -= m_costs.burstBytes)
    {
        from = ReadBurst(from, stage, m_costs.burstBytes, bus);
    }
    return ReadBurst(from, stage, bytes, bus);
}

Moment
HostBus::Write(Moment from, Stage stage, std::uint32_t bytes, std::uint32_t bus)
{
    for (; bytes > m_costs.burstBytes; bytes -= m_costs.burstBytes)
    {
        from = Transact(from, stage, m_costs.writeOverhead + DataPhases(m_costs.burstBytes), bus);
    }
    return Transact(from, stage, m_costs.writeOverhead + DataPhases(bytes), bus);
}

Moment
HostBus::Store(Moment from, Stage stage, std::uint32_t bytes, std::uint32_t bus)
{
    for (; bytes > m_costs.storeBytes; bytes -= m_costs.storeBytes)
    {
        from = Transact(from, stage, m_costs.storeOverhead + DataPhases(m_costs.storeBytes), bus);
    }
    return Transact(from, stage, m_costs.storeOverhead + DataPhases(bytes), bus);
}

Ps
HostBus::DataSpan(std::uint32_t bytes) const
{
    const std::uint32_t further = bytes == 0 ? 0 : (bytes - 1) / m_costs.burstBytes;
    return m_clock.Span(DataPhases(bytes) + m_costs.readOverhead * further);
}

} // namespace via
} // namespace ns3
