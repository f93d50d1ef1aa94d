/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
// The fabric of a cluster: switches, and the cables between them and the NICs.

#include "ns3/via-cluster.h"
#include "ns3/via-routing.h"
#include "ns3/via-run-control.h"

#include <algorithm>
#include <utility>

namespace ns3
{
namespace via
{

LinkCosts
Cluster::WireCosts() const
{
    LinkCosts costs = LinkCosts::From(m_profile);
    costs.lanes = std::max(costs.lanes, m_topology.lanes);
    return costs;
}

void
Cluster::BuildSwitches()
{
    const SwitchCosts switchCosts = SwitchCosts::From(m_profile);
    const Shared<LinkCosts> linkCosts = WireCosts();
    for (std::uint32_t i = 0; i < m_topology.switches.size(); ++i)
    {
        RunControl::Check();
        const SwitchShape& shape = m_topology.switches[i];
        m_switches.push_back(std::make_unique<Switch>(m_world,
                                                      m_config.nodes + i,
                                                      "s" + std::to_string(i),
                                                      switchCosts,
                                                      linkCosts,
                                                      shape.ports));
        m_switches.back()->SetRoutes(shape.table);
    }
}

Link&
Cluster::LinkFrom(const Endpoint& end)
{
    return end.isSwitch ? m_switches[end.index]->Out(end.port)
                        : *m_uplinks[end.port * m_config.nodes + end.index];
}

Component&
Cluster::ComponentAt(const Endpoint& end)
{
    return end.isSwitch ? static_cast<Component&>(*m_switches[end.index]) : *m_hosts[end.index];
}

void
Cluster::PlugSwitch(Link& link, const Endpoint& to, Crossing* crossing)
{
    Switch& peer = *m_switches[to.index];
    const Notice notice = SwitchCosts::From(m_profile).notice;
    const std::uint32_t kind = Switch::KindOfPort(to.port);
    if (crossing == nullptr)
    {
        link.Connect(peer, to.port, peer.Entrance(), kind, notice);
        peer.SetUpstream(to.port, &link);
        return;
    }
    crossing->TakeFromLink(notice);
    crossing->GiveTo(peer, to.port, peer.Entrance(), kind);
    peer.SetUpstream(to.port, crossing);
}

void
Cluster::Plug(const Endpoint& from, const Endpoint& to, std::uint32_t lengthMm, Crossing* crossing)
{
    Link& link = LinkFrom(from);
    if (lengthMm > 0)
    {
        link.SetFlight(
            static_cast<Ps>(lengthMm * m_profile.Number("link.propagation_ps_per_m") / 1000));
    }
    if (m_crossings != nullptr)
    {
        m_crossings->NoteFlight(link.Flight());
    }
    if (to.isSwitch)
    {
        PlugSwitch(link, to, crossing);
        return;
    }
    Host& peer = *m_hosts[to.index];
    Nic& nic = NicAt(to.index, to.port);
    link.EndAtHost();
    PairOrder* order = nullptr;
    if (m_topology.MayOvertake())
    {
        m_orders.push_back(std::make_unique<PairOrder>(peer, nic));
        order = m_orders.back().get();
    }
    m_capture.Plug(peer.Name(), nic, LinkFrom(to), link, order);
    if (crossing != nullptr)
    {
        crossing->TakeFromLink(Notice::FIRST_CELL);
        crossing->GiveTo(peer, Nic::WIRE_PORT, &nic, Nic::BURST);
        nic.Plug(&LinkFrom(to), crossing->OfLane(0));
    }
    const SwitchCosts costs = SwitchCosts::From(m_profile);
    const Ps through = from.isSwitch ? ClockDomain(costs.clock).Span(costs.latency) : 0;
    peer.SetLookahead(link.Lookahead() + through, link.CreditLookahead());
}

void
Cluster::PlugCable(std::uint32_t index)
{
    const Cable& cable = m_topology.cables[index];
    Crossing* there = nullptr;
    Crossing* back = nullptr;
    if (m_crossings != nullptr)
    {
        Component& a = ComponentAt(cable.a);
        Component& b = ComponentAt(cable.b);
        there = m_crossings->Make(2 * index, a, LinkFrom(cable.a));
        back = m_crossings->Make(2 * index + 1, b, LinkFrom(cable.b));
    }
    Plug(cable.a, cable.b, cable.lengthMm, there);
    Plug(cable.b, cable.a, cable.lengthMm, back);
}

void
Cluster::BuildCables()
{
    for (std::uint32_t index = 0; index < m_topology.cables.size(); ++index)
    {
        RunControl::Check();
        PlugCable(index);
    }
    if (m_crossings != nullptr)
    {
        m_crossings->Check();
    }
}

void
Cluster::PutRoutesIntoHeads()
{
    if (LinkCosts::From(m_profile).routeBytes == 0)
    {
        return;
    }
    via::PutRoutesIntoHeads(m_topology, m_graph, [this](const Endpoint& end) -> Link& {
        return LinkFrom(end);
    });
}

void
Cluster::BuildFeedback()
{
    if (SwitchCosts::From(m_profile).feedbackMark == 0)
    {
        return;
    }
    std::vector<Feedback::Sink> sinks;
    for (const auto& nic : m_nics)
    {
        sinks.push_back({&nic->GetHost(), nic.get(), Nic::TIMER_PORT, Nic::CONGESTION});
    }
    if (m_crossings != nullptr)
    {
        m_crossings->SetSinks(sinks);
    }
    m_feedback = std::make_unique<Feedback>(m_topology,
                                            m_graph,
                                            std::move(sinks),
                                            m_uplinks[0]->CreditLookahead());
    if (m_crossings != nullptr)
    {
        m_feedback->SetCarrier(
            [this](NodeId source, std::uint32_t where, NodeId destination, Ps at) {
                m_crossings->Tell(source, where, destination, at);
            });
    }
    for (const auto& one : m_switches)
    {
        one->SetCongestionListener(m_feedback.get());
    }
}

} // namespace via
} // namespace ns3
