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
                                     Ps perCable)
    : m_topology(topology),
      m_graph(graph),
      m_sinks(std::move(sinks)),
      m_perCable(perCable)
{
}

void
CongestionNotices::OnCongestion(const Switch& where, NodeId source, NodeId destination)
{
    const std::uint32_t number = where.Id() - m_topology.hosts; // switches follow the hosts
    const std::uint32_t plane = number / m_topology.PlaneSize();
    const std::uint32_t first = plane * m_topology.PlaneSize();
    const Ps cables = m_topology.HopsFromSwitch(m_graph, number - first, source);
    const Sink& sink = m_sinks[plane * m_topology.hosts + source];
    const Ps at = where.Now() + (cables - 1) * m_perCable + sink.reach;
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
