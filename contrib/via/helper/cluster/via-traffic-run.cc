/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
// Raw traffic over a fabric of switches without hosts: throughput, latency and losses.

#include "via-traffic-run.h"

#include "ns3/abort.h"
#include "ns3/nstime.h"
#include "ns3/simulator.h"
#include "ns3/via-error.h"
#include "ns3/via-routing.h"
#include "ns3/via-wire-kinds.h"

#include <algorithm>
#include <utility>

namespace ns3
{
namespace via
{

namespace
{

ProviderProfile
LoadProfile(const TrafficConfig& config)
{
    return ProviderProfile::Load(config.profile, "").With(config.overrides);
}

} // namespace

TrafficRun::TrafficRun(const TrafficConfig& config)
    : TrafficRun(config, ParseTopology(config.topology, config.nodes, LoadProfile(config)))
{
}

TrafficRun::TrafficRun(const TrafficConfig& config, Topology topology)
    : m_config(config),
      m_profile(LoadProfile(config)),
      m_topology(std::move(topology)),
      m_graph(m_topology)
{
    m_config.plan.Check(m_topology.hosts);
    if (Time::GetResolution() != Time::PS)
    {
        Time::SetResolution(Time::PS);
    }
    m_world.seed = config.plan.seed;
    m_world.inStep = config.slotted;
    m_world.reference = config.reference;
    m_world.lossy = !config.loss.IsNone() || LinkCosts::From(m_profile).IsLossy();
    m_world.agenda.SetComponents(
        static_cast<ComponentId>(m_topology.hosts + m_topology.switches.size()));
    Build();
}

TrafficRun::~TrafficRun()
{
    Simulator::Destroy();
}

void
TrafficRun::Build()
{
    LinkCosts costs = LinkCosts::From(m_profile);
    if (m_topology.rails > 1)
    {
        throw ConfigError("rails",
                          std::to_string(m_topology.rails),
                          "1: raw traffic uses one plane");
    }
    costs.lanes = std::max(costs.lanes, m_topology.lanes);
    const Shared<LinkCosts> links = costs;
    const Shared<TrafficPlan> plan = m_config.plan;
    for (std::uint32_t i = 0; i < m_topology.hosts; ++i)
    {
        m_nodes.push_back(std::make_unique<TrafficNode>(m_world, i, plan, links, m_topology.hosts));
    }
    const SwitchCosts switchCosts = SwitchCosts::From(m_profile);
    for (std::uint32_t i = 0; i < m_topology.switches.size(); ++i)
    {
        const SwitchShape& shape = m_topology.switches[i];
        m_switches.push_back(std::make_unique<Switch>(m_world,
                                                      m_topology.hosts + i,
                                                      "s" + std::to_string(i),
                                                      switchCosts,
                                                      links,
                                                      shape.ports));
        m_switches.back()->SetRoutes(shape.table);
        DropWiresWithoutCable(*m_switches.back(), m_graph.switches[i]);
    }
    for (const Cable& cable : m_topology.cables)
    {
        if (cable.wire.SendsOtherwise())
        {
            throw ConfigError("--topology",
                              m_topology.name,
                              "raw traffic has wires of one kind: length_mm and latency_ns only");
        }
        const Ps flight = FlightOf(cable, m_profile);
        Plug(cable.a, cable.b, flight);
        Plug(cable.b, cable.a, flight);
    }
    if (costs.routeBytes > 0)
    {
        PutRoutesIntoHeads(m_topology, m_graph, [this](const Endpoint& end) {
            return &LinkFrom(end);
        });
    }
    if (switchCosts.feedbackMark > 0)
    {
        BuildFeedback();
    }
}

void
TrafficRun::BuildFeedback()
{
    const Ps pause = static_cast<Ps>(m_profile.Number("nic.feedback_pause")) * PS_PER_US;
    const SwitchCosts costs = SwitchCosts::From(m_profile);
    const Ps through = ClockDomain(costs.clock).Span(costs.latency);
    std::vector<CongestionNotices::Sink> sinks;
    for (const auto& node : m_nodes)
    {
        node->SetFeedbackPause(pause);
        sinks.push_back(
            {node.get(), node.get(), TrafficNode::SOURCE_PORT, TrafficNode::CONGESTION});
    }
    CongestionNotices::HopTimes times =
        CongestionNotices::TimesOf(m_topology, [&](const Cable& cable, const Endpoint& from) {
            const bool isToSwitch = &from == &cable.a ? cable.b.isSwitch : cable.a.isSwitch;
            const Link& wire = LinkFrom(from);
            return through + (isToSwitch ? wire.Lookahead() : wire.Flight() + wire.CellTime());
        });
    m_congestionNotices = std::make_unique<CongestionNotices>(m_topology,
                                                              m_graph,
                                                              std::move(sinks),
                                                              std::move(times));
    for (const auto& one : m_switches)
    {
        one->SetCongestionListener(m_congestionNotices.get());
    }
}

Link&
TrafficRun::LinkFrom(const Endpoint& end)
{
    return end.isSwitch ? m_switches[end.index]->Out(end.port) : m_nodes[end.index]->Uplink();
}

void
TrafficRun::Plug(const Endpoint& from, const Endpoint& to, Ps flight)
{
    Link& link = LinkFrom(from);
    if (!m_config.loss.IsNone())
    {
        link.SetLoss(m_config.loss);
    }
    link.SetFlight(flight);
    if (to.isSwitch)
    {
        Switch& peer = *m_switches[to.index];
        const Notice notice = SwitchCosts::From(m_profile).notice;
        link.Connect(peer, to.port, peer.Entrance(), Switch::KindOfPort(to.port), notice);
        peer.SetUpstream(to.port, &link);
        return;
    }
    TrafficNode& peer = *m_nodes[to.index];
    link.EndAtHost(m_topology.MayOvertake());
    AgendaTarget* target = &peer;
    if (m_topology.MayOvertake())
    {
        m_orders.push_back(std::make_unique<PairOrder>(peer, peer));
        PairOrder* order = m_orders.back().get();
        order->Plug(&peer.Uplink(), link.OfLane(0));
        peer.Plug(order, link.OfLane(0));
        target = order;
    }
    else
    {
        peer.Plug(&peer.Uplink(), link.OfLane(0));
    }
    link.Connect(peer, TrafficNode::WIRE_PORT, target, TrafficNode::CELL, Notice::LAST_BIT);
}

TrafficReport
TrafficRun::Run()
{
    for (const auto& node : m_nodes)
    {
        node->Start();
    }
    m_world.agenda.Arm();
    Simulator::Run();
    TrafficReport report = Report();
    CheckConservation(report);
    return report;
}

TrafficReport
TrafficRun::Report()
{
    TrafficReport report;
    report.topology = m_topology.name;
    report.nodes = m_topology.hosts;
    report.events = m_world.agenda.EventsDone();
    report.end = m_world.agenda.Now();
    report.slot = m_nodes[0]->SlotTime();
    std::uint64_t measured = 0;
    Digest digest;
    for (const auto& node : m_nodes)
    {
        const TrafficCount& count = node->Count();
        report.sent += count.sent;
        report.delivered += count.delivered;
        report.dropped += count.dropped;
        report.spoiled += count.spoiled;
        report.corrupt += node->Uplink().CellsCorrupt();
        report.vanished += node->Uplink().CellsLost();
        report.disordered += count.disordered;
        measured += count.measured;
        report.latencies.insert(report.latencies.end(),
                                count.latencies.begin(),
                                count.latencies.end());
        digest.Combine(node->Id(), node->GetDigest());
    }
    for (const auto& one : m_switches)
    {
        report.hops += one->CellsOut();
        for (std::uint32_t port = 0; port < one->PortCount(); ++port)
        {
            const PortCounters counters = one->Counters(port);
            report.packetHops += counters.packetsOut;
            report.stalls += counters.stalls;
            report.peakFill = std::max(report.peakFill, counters.peakFill);
            report.corrupt += one->HasWire(port) ? one->Out(port).CellsCorrupt() : 0;
            report.vanished += one->HasWire(port) ? one->Out(port).CellsLost() : 0;
        }
        digest.Combine(one->Id(), one->GetDigest());
    }
    for (const auto& order : m_orders)
    {
        report.held += order->PacketsHeld();
    }
    report.notices = m_congestionNotices == nullptr ? 0 : m_congestionNotices->Notices();
    std::sort(report.latencies.begin(), report.latencies.end());
    const std::uint64_t most = m_config.plan.slots * m_config.plan.packetCells * report.nodes;
    report.throughput = measured * TrafficPlan::ALL / most;
    report.bound = ThroughputBound(m_topology, m_config.plan);
    report.digest = digest.Hex();
    return report;
}

void
TrafficRun::CheckConservation(const TrafficReport& report)
{
    std::uint64_t dropped = 0;
    for (const auto& node : m_nodes)
    {
        NS_ABORT_MSG_IF(!node->Uplink().Violation().empty(), node->Uplink().Violation());
    }
    for (const auto& one : m_switches)
    {
        NS_ABORT_MSG_IF(!one->Violation().empty(), one->Violation());
        dropped += one->CellsDropped();
    }
    NS_ABORT_MSG_IF(dropped != report.dropped,
                    dropped << " cells were dropped, but " << report.dropped << " were reported");
    NS_ABORT_MSG_IF(report.sent != report.delivered + report.dropped + report.spoiled,
                    report.sent << " cells sent, " << report.delivered << " delivered, "
                                << report.dropped << " dropped, " << report.spoiled << " spoiled");
}

} // namespace via
} // namespace ns3
