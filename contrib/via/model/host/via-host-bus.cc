/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
// The I/O buses of a host: transactions, bursts and arbitration.

#include "via-host-bus.h"

#include "ns3/abort.h"

#include <algorithm>
#include <utility>

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

void
HostBus::AbortEarly(Moment from, Ps asked) const
{
    NS_ABORT_MSG("the bus of " << m_owner.Name() << " is requested at " << from.at
                               << " ps, after a request of " << asked << " ps");
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
HostBus::NextSplit(Moment from, BusTransfer& transfer, Lane& lane)
{
    if (!transfer.awaitsData)
    {
        transfer.awaitsData = true;
        from = Transact(from, transfer.stage, m_costs.readRequest, lane);
        const Cycles initial = Initial(from.at, transfer.asked);
        transfer.asked = PS_NEVER;
        return m_owner.Spend(from, transfer.stage, Engine::BUS, m_clock, initial);
    }
    const std::uint32_t burst = std::min(transfer.bytes, m_costs.burstBytes);
    transfer.bytes -= burst;
    transfer.awaitsData = false;
    const Cycles turnaround(m_costs.readOverhead.count - m_costs.readRequest.count -
                            m_costs.readInitial.count);
    const Cycles data = DataPhases(burst) + m_costs.reads.Gaps(burst);
    return Transact(from, transfer.stage, data + turnaround, lane);
}

Moment
HostBus::NextRead(Moment from, BusTransfer& transfer, Lane& lane)
{
    const std::uint32_t longest = m_costs.burstBytes;
    if (transfer.asked < from.at && lane.free == from.at && lane.burst + transfer.bytes <= longest)
    {
        const std::uint32_t bytes = std::exchange(transfer.bytes, 0);
        const Cycles before = m_costs.reads.Gaps(lane.burst);
        lane.burst += bytes;
        const Cycles gaps(m_costs.reads.Gaps(lane.burst).count - before.count);
        return Transact(from, transfer.stage, DataPhases(bytes) + gaps, lane);
    }
    lane.burst = transfer.isFurther ? longest : transfer.bytes; // what was cut does not go on
    transfer.isFurther = true;
    transfer.asked = PS_NEVER;
    const std::uint32_t burst = std::min(transfer.bytes, longest);
    transfer.bytes -= burst;
    const Cycles clocks = m_costs.readOverhead + DataPhases(burst) + m_costs.reads.Gaps(burst);
    return Transact(from, transfer.stage, clocks, lane);
}

Moment
HostBus::Next(Moment from, BusTransfer& transfer, std::uint32_t bus)
{
    Lane& lane = Of(bus);
    if (!transfer.writes)
    {
        return m_costs.splitReads ? NextSplit(from, transfer, lane)
                                  : NextRead(from, transfer, lane);
    }
    const std::uint32_t burst = std::min(transfer.bytes, m_costs.burstBytes);
    transfer.bytes -= burst;
    return Transact(from, transfer.stage, m_costs.writeOverhead + DataPhases(burst), lane);
}

Moment
HostBus::NextStore(Moment from, Stage stage, std::uint32_t& bytes, std::uint32_t bus)
{
    const std::uint32_t burst = std::min(bytes, m_costs.storeBytes);
    bytes -= burst;
    return Transact(from, stage, m_costs.storeOverhead + DataPhases(burst), Of(bus));
}

Ps
HostBus::DataSpan(std::uint32_t bytes) const
{
    const std::uint32_t further = bytes == 0 ? 0 : (bytes - 1) / m_costs.burstBytes;
    const std::uint32_t last = bytes - further * m_costs.burstBytes;
    return m_clock.Span(DataPhases(last) + m_costs.reads.Gaps(last));
}

} // namespace via
} // namespace ns3
