/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
// The fabric of a cluster: switches, and the cables between them and the NICs.

#include "via-cluster-fabric.h"

#include "ns3/via-routing.h"
#include "ns3/via-run-control.h"

#include <algorithm>
#include <utility>

namespace ns3
{
namespace via
{

namespace
{

constexpr std::uint32_t LINK_CLOCK = 3; // number of the uplink's clock among a host's
constexpr std::uint32_t CLOCKS_PER_CARD = 16;

} // namespace

ClusterFabric::ClusterFabric(World& world,
                             const ProviderProfile& profile,
                             const Topology& topology,
                             const Adjacency& graph,
                             std::uint32_t nodes)
    : m_world(world),
      m_profile(profile),
      m_topology(topology),
      m_graph(graph),
      m_switchCosts(SwitchCosts::From(profile)),
      m_nodes(nodes),
      m_wires(profile, topology),
      m_uplinks(std::size_t{nodes} * topology.rails)
{
}

void
ClusterFabric::Divide(const PartitionConfig& config, ComponentId first)
{
    m_remoteLinks = std::make_unique<RemoteLinks>(config, m_topology, m_world, first);
}

void
ClusterFabric::AddUplink(Host& host, std::uint32_t card)
{
    m_uplinks[std::size_t{card} * m_nodes + host.Id()] =
        std::make_unique<Link>(host,
                               m_wires.From({false, host.Id(), card}),
                               LINK_CLOCK + CLOCKS_PER_CARD * card);
}

void
ClusterFabric::Build(const FabricHosts& ends, ClusterCapture& capture)
{
    BuildSwitches();
    BuildCables(ends, capture);
    PutRoutesIntoHeads();
    BuildCongestionNotices(ends);
    if (m_remoteLinks != nullptr && m_remoteLinks->Plan().partitions > 1)
    {
        SetOutsideLookaheads(ends);
    }
}

void
ClusterFabric::BuildSwitches()
{
    for (std::uint32_t i = 0; i < m_topology.switches.size(); ++i)
    {
        RunControl::Check();
        const SwitchShape& shape = m_topology.switches[i];
        m_switches.push_back(std::make_unique<Switch>(m_world,
                                                      m_nodes + i,
                                                      "s" + std::to_string(i),
                                                      m_switchCosts,
                                                      m_wires.Usual(),
                                                      shape.ports));
        m_wires.Equip(*m_switches.back(), i);
        m_switches.back()->SetRoutes(shape.table);
        DropWiresWithoutCable(*m_switches.back(), m_graph.switches[i]);
    }
}

Link&
ClusterFabric::LinkFrom(const Endpoint& end) const
{
    return end.isSwitch ? m_switches[end.index]->Out(end.port)
                        : *m_uplinks[std::size_t{end.port} * m_nodes + end.index];
}

std::vector<const Link*>
ClusterFabric::Links() const
{
    std::vector<const Link*> links;
    for (const auto& uplink : m_uplinks)
    {
        links.push_back(uplink.get());
    }
    for (const auto& one : m_switches)
    {
        for (std::uint32_t port = 0; port < one->PortCount(); ++port)
        {
            if (one->HasWire(port))
            {
                links.push_back(&one->Out(port));
            }
        }
    }
    return links;
}

void
ClusterFabric::PlugSwitch(Link& link, const Endpoint& to, RemoteLink* remote)
{
    Switch& peer = *m_switches[to.index];
    const Notice notice = m_switchCosts.notice;
    const std::uint32_t kind = Switch::KindOfPort(to.port);
    AgendaTarget* entrance = m_wires.Entrance(link, peer, to.port, notice);
    if (remote == nullptr)
    {
        link.Connect(peer, to.port, entrance, kind, notice);
        peer.SetUpstream(to.port, &link);
        return;
    }
    remote->TakeFromLink(notice);
    remote->GiveTo(peer, to.port, entrance, kind);
    peer.SetUpstream(to.port, remote);
}

void
ClusterFabric::PlugHost(const Endpoint& from,
                        const Endpoint& to,
                        const FabricHosts& ends,
                        ClusterCapture& capture,
                        RemoteLink* remote)
{
    Link& link = LinkFrom(from);
    Host& peer = *ends.hosts[to.index];
    Nic& nic = *ends.nics[std::size_t{to.port} * m_nodes + to.index];
    link.EndAtHost(m_topology.MayOvertake());
    PairOrder* order = nullptr;
    if (m_topology.MayOvertake())
    {
        m_orders.push_back(std::make_unique<PairOrder>(peer, nic));
        order = m_orders.back().get();
    }
    const bool mayDrop = m_world.lossy || m_switchCosts.bufferCells > 0;
    // a card that hears of a departure may send more at once, before the receiver hears of the cell
    const bool inOrder = from.isSwitch && !mayDrop;
    EarlyReceiver* early = inOrder ? nic.Early() : nullptr;
    capture.Plug(peer.Name(), nic, LinkFrom(to), link, order, early, remote);
    if (early != nullptr)
    {
        m_switches[from.index]->SetReceiver(from.port, *early);
    }
    if (remote != nullptr)
    {
        peer.SetLookahead(0, 0); // what another partition sends is not known before
        peer.SetOutsideLookahead(0);
    }
    peer.SetLookahead(CellLookahead(from), link.CreditLookahead());
}

void
ClusterFabric::PlugCable(std::uint32_t index, const FabricHosts& ends, ClusterCapture& capture)
{
    const Cable& cable = m_topology.cables[index];
    const auto componentAt = [&](const Endpoint& end) -> Component& {
        return end.isSwitch ? static_cast<Component&>(*m_switches[end.index])
                            : *ends.hosts[end.index];
    };
    std::uint32_t number = 2 * index;
    RemoteLink* remotes[] = {nullptr, nullptr};
    if (m_remoteLinks != nullptr)
    {
        remotes[0] = m_remoteLinks->Make(number, componentAt(cable.a), LinkFrom(cable.a));
        remotes[1] = m_remoteLinks->Make(++number, componentAt(cable.b), LinkFrom(cable.b));
    }
    const Endpoint* const from[] = {&cable.a, &cable.b};
    for (std::size_t way = 0; way < 2; ++way)
    {
        Link& link = LinkFrom(*from[way]);
        link.SetFlight(FlightOf(cable, m_profile));
        m_longestFlight = std::max(m_longestFlight, link.Flight());
        const Endpoint& to = *from[1 - way];
        if (to.isSwitch)
        {
            PlugSwitch(link, to, remotes[way]);
        }
        else
        {
            PlugHost(*from[way], to, ends, capture, remotes[way]);
        }
    }
}

void
ClusterFabric::BuildCables(const FabricHosts& ends, ClusterCapture& capture)
{
    for (std::uint32_t index = 0; index < m_topology.cables.size(); ++index)
    {
        RunControl::Check();
        PlugCable(index, ends, capture);
    }
    if (m_remoteLinks != nullptr)
    {
        m_remoteLinks->SetLongestFlight(m_longestFlight);
        m_remoteLinks->Check();
    }
}

Ps
ClusterFabric::Through(const Endpoint& from) const
{
    // cells that wait behind the switch leave at once when a resynchronization finds their credits
    const bool passesAtOnce =
        !from.isSwitch || !m_switches[from.index]->ServesInOrder() || m_world.lossy;
    return passesAtOnce ? 0 : ClockDomain(m_switchCosts.clock).Span(m_switchCosts.latency);
}

Ps
ClusterFabric::CellLookahead(const Endpoint& from) const
{
    const Link& link = LinkFrom(from);
    const bool mayDrop = m_world.lossy || m_switchCosts.bufferCells > 0;
    return (mayDrop ? link.Flight() : link.Lookahead()) + Through(from); // a drop takes no time
}

void
ClusterFabric::SetOutsideLookaheads(const FabricHosts& ends)
{
    Ps hop = PS_NEVER; // from the arrival at a switch to that at the next one
    for (const Cable& cable : m_topology.cables)
    {
        for (const Endpoint& from : {cable.a, cable.b})
        {
            hop = from.isSwitch ? std::min(hop, CellLookahead(from)) : hop;
        }
    }
    const std::vector<OutsideDistance> distances =
        DistancesFromOutside(m_remoteLinks->Plan(), m_topology);
    // what was announced a look-ahead before the end of a window is not known in it
    const Ps unknown = m_remoteLinks->Lookahead() + 1;
    for (const Cable& cable : m_topology.cables)
    {
        const Endpoint& last = cable.a.isSwitch ? cable.a : cable.b;
        const Endpoint& host = cable.a.isSwitch ? cable.b : cable.a;
        if (!last.isSwitch || host.isSwitch)
        {
            continue;
        }
        const OutsideDistance& from = distances[last.index];
        const std::uint32_t hops =
            m_switchCosts.feedbackMark > 0 ? std::min(from.hosts, from.switches) : from.hosts;
        if (hops != OutsideDistance::UNREACHED)
        {
            const Ps way = hops * hop - unknown; // at least from the end of the cable that is cut
            ends.hosts[host.index]->SetOutsideLookahead(std::max(way, Ps{0}) + CellLookahead(last));
        }
    }
}

void
ClusterFabric::PutRoutesIntoHeads()
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
ClusterFabric::BuildCongestionNotices(const FabricHosts& ends)
{
    if (m_switchCosts.feedbackMark == 0)
    {
        return;
    }
    const Ps through = ClockDomain(m_switchCosts.clock).Span(m_switchCosts.latency);
    std::vector<CongestionNotices::Sink> sinks;
    for (const auto& nic : ends.nics)
    {
        CongestionPause& pause = m_pauses.emplace_back(*nic);
        sinks.push_back({&nic->GetHost(), &pause, CongestionPause::PORT, 0});
    }
    for (const Cable& cable : m_topology.cables)
    {
        const Endpoint& host = cable.a.isSwitch ? cable.b : cable.a;
        if (!host.isSwitch)
        {
            const Link& last = LinkFrom(cable.a.isSwitch ? cable.a : cable.b);
            sinks[std::size_t{host.port} * m_nodes + host.index].reach = through + last.Lookahead();
        }
    }
    if (m_remoteLinks != nullptr)
    {
        m_remoteLinks->SetSinks(sinks);
    }
    m_congestionNotices = std::make_unique<CongestionNotices>(m_topology,
                                                              m_graph,
                                                              std::move(sinks),
                                                              through + m_uplinks[0]->Lookahead());
    if (m_remoteLinks != nullptr)
    {
        m_congestionNotices->SetCarrier(
            [this](NodeId source, std::uint32_t where, NodeId destination, Ps at) {
                m_remoteLinks->Tell(source, where, destination, at);
            });
    }
    for (const auto& one : m_switches)
    {
        one->SetCongestionListener(m_congestionNotices.get());
    }
}

} // namespace via
} // namespace ns3
