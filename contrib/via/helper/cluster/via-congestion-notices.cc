/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
// Carries congestion notices from a switch with a full output to the source that fills it.

#include "via-congestion-notices.h"

#include "ns3/via-switch.h"

#include <utility>

namespace ns3
{
namespace via
{

CongestionNotices::CongestionNotices(const Topology& topology,
                                     const Adjacency& graph,
                                     std::vector<Sink> sinks,
                                     HopTimes hopTimes)
    : m_topology(topology),
      m_graph(graph),
      m_sinks(std::move(sinks)),
      m_hopTimes(std::move(hopTimes))
{
}

CongestionNotices::HopTimes
CongestionNotices::TimesOf(const Topology& topology,
                           const std::function<Ps(const Cable&, const Endpoint&)>& timeOf)
{
    HopTimes times(topology.PlaneSize());
    for (std::size_t i = 0; i < times.size(); ++i)
    {
        times[i].resize(topology.switches[i].ports);
    }
    for (const Cable& cable : topology.cables)
    {
        for (const Endpoint* from : {&cable.a, &cable.b})
        {
            if (from->isSwitch && from->index < times.size())
            {
                times[from->index][from->port] = timeOf(cable, *from);
            }
        }
    }
    return times;
}

Ps
CongestionNotices::Delay(std::uint32_t where, NodeId source) const
{
    Ps delay = 0;
    const std::uint32_t first = where % m_topology.PlaneSize();
    m_topology.ForEachHop(m_graph, first, source, [&](const Endpoint& out) {
        delay += m_hopTimes[out.index][out.port];
    });
    return delay;
}

void
CongestionNotices::OnCongestion(const Switch& where, NodeId source, NodeId destination)
{
    const std::uint32_t number = where.Id() - m_topology.hosts; // switches follow the hosts
    const std::uint32_t plane = number / m_topology.PlaneSize();
    const Sink& sink = m_sinks[plane * m_topology.hosts + source];
    const Ps at = where.Now() + Delay(number, source);
    ++m_notices;
    if (m_carrier)
    {
        m_carrier(source, number, destination, at);
        return;
    }
    sink.component->Schedule(at, sink.port, sink.target, sink.kind, destination);
}

} // namespace via
} // namespace ns3
