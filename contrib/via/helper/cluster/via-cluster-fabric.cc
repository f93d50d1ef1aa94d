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

/// The number of the clock of the wire from @p end among those of its component.
std::uint32_t
ClockOfWire(const Endpoint& end)
{
    return end.isSwitch ? end.port + 1 : LINK_CLOCK + CLOCKS_PER_CARD * end.port;
}

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
    const Endpoint end{false, host.Id(), card};
    m_uplinks[std::size_t{card} * m_nodes + host.Id()] =
        std::make_unique<Link>(host, m_wires.From(end), ClockOfWire(end));
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
    m_switches.resize(m_topology.switches.size());
    for (std::uint32_t i = 0; i < m_switches.size(); ++i)
    {
        RunControl::Check();
        if (!IsOurs(Endpoint{true, i, 0}))
        {
            continue;
        }
        const SwitchShape& shape = m_topology.switches[i];
        m_switches[i] = std::make_unique<Switch>(m_world,
                                                 m_nodes + i,
                                                 "s" + std::to_string(i),
                                                 m_switchCosts,
                                                 m_wires.Usual(),
                                                 shape.ports);
        Switch& one = *m_switches[i];
        m_wires.Equip(one, i);
        one.SetRoutes(shape.table);
        DropWiresWithoutCable(one, m_graph.switches[i]);
    }
}

Link*
ClusterFabric::FindLink(const Endpoint& end) const
{
    if (!IsOurs(end))
    {
        const auto far = m_farEnds.find(PlaceOf(end));
        return far == m_farEnds.end() ? nullptr : &far->second->link;
    }
    return end.isSwitch ? &m_switches[end.index]->Out(end.port)
                        : m_uplinks[std::size_t{end.port} * m_nodes + end.index].get();
}

std::vector<const Link*>
ClusterFabric::Links() const
{
    std::vector<const Link*> links;
    for (const auto& uplink : m_uplinks)
    {
        if (uplink != nullptr)
        {
            links.push_back(uplink.get());
        }
    }
    for (const auto& one : m_switches)
    {
        for (std::uint32_t port = 0; one != nullptr && port < one->PortCount(); ++port)
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
    const Notice notice = m_switchCosts.notice;
    if (!IsOurs(to))
    {
        remote->TakeFromLink(notice);
        return;
    }
    Switch& peer = *m_switches[to.index];
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
ClusterFabric::PlugHost(const Cable& cable,
                        const Endpoint& from,
                        const Endpoint& to,
                        const FabricHosts& ends,
                        ClusterCapture& capture,
                        RemoteLink* remote)
{
    Link& link = LinkFrom(from);
    link.EndAtHost(m_topology.MayOvertake());
    if (!IsOurs(to))
    {
        capture.Skip(to.index);
        remote->TakeFromLink(Notice::LAST_BIT);
        return;
    }
    Host& peer = *ends.hosts[to.index];
    Nic& nic = *ends.nics[std::size_t{to.port} * m_nodes + to.index];
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
    if (early != nullptr && IsOurs(from))
    {
        m_switches[from.index]->SetReceiver(from.port, *early);
    }
    if (remote != nullptr)
    {
        peer.SetLookahead(0, 0); // what another partition sends is not known before
        peer.SetOutsideLookahead(0);
    }
    peer.SetLookahead(CellLookahead(cable, from), link.CreditLookahead());
}

Component&
ClusterFabric::PartAt(const Endpoint& end, const FabricHosts& ends)
{
    if (!IsOurs(end))
    {
        const ComponentId id = (end.isSwitch ? m_nodes : 0) + end.index;
        const std::string name = (end.isSwitch ? "s" : "n") + std::to_string(end.index);
        auto& far = m_farEnds[PlaceOf(end)];
        far = std::make_unique<FarEnd>(m_world, id, name, m_wires.From(end), ClockOfWire(end));
        return far->part;
    }
    return end.isSwitch ? static_cast<Component&>(*m_switches[end.index]) : *ends.hosts[end.index];
}

void
ClusterFabric::SkipHosts(const Cable& cable, ClusterCapture& capture)
{
    for (const Endpoint& to : {cable.b, cable.a}) // as PlugCable does
    {
        if (!to.isSwitch)
        {
            capture.Skip(to.index);
        }
    }
}

void
ClusterFabric::PlugCable(std::uint32_t index, const FabricHosts& ends, ClusterCapture& capture)
{
    const Cable& cable = m_topology.cables[index];
    const Ps flight = FlightOf(cable, m_profile);
    m_longestFlight = std::max(m_longestFlight, flight);
    if (!IsOurs(cable.a) && !IsOurs(cable.b))
    {
        SkipHosts(cable, capture);
        return;
    }
    const Endpoint* const from[] = {&cable.a, &cable.b};
    RemoteLink* remotes[] = {nullptr, nullptr};
    for (std::uint32_t way = 0; way < 2 && m_remoteLinks != nullptr; ++way)
    {
        Component& part = PartAt(*from[way], ends);
        remotes[way] = m_remoteLinks->Make(2 * index + way, part, LinkFrom(*from[way]));
    }
    for (std::size_t way = 0; way < 2; ++way)
    {
        Link& link = LinkFrom(*from[way]);
        link.SetFlight(flight);
        const Endpoint& to = *from[1 - way];
        if (to.isSwitch)
        {
            PlugSwitch(link, to, remotes[way]);
        }
        else
        {
            PlugHost(cable, *from[way], to, ends, capture, remotes[way]);
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
    const bool passesAtOnce = !from.isSwitch || m_world.lossy ||
                              !Switch::ServesInOrder(m_switchCosts,
                                                     *m_wires.Usual(),
                                                     m_topology.switches[from.index].table);
    return passesAtOnce ? 0 : ClockDomain(m_switchCosts.clock).Span(m_switchCosts.latency);
}

Ps
ClusterFabric::WireLookahead(const Cable& cable, const Endpoint& from) const
{
    const bool isToSwitch = &from == &cable.a ? cable.b.isSwitch : cable.a.isSwitch;
    return Link::Lookahead(*m_wires.From(from),
                           FlightOf(cable, m_profile),
                           isToSwitch ? m_switchCosts.notice : Notice::LAST_BIT);
}

Ps
ClusterFabric::CellLookahead(const Cable& cable, const Endpoint& from) const
{
    const bool mayDrop = m_world.lossy || m_switchCosts.bufferCells > 0;
    const Ps wire = mayDrop ? FlightOf(cable, m_profile) : WireLookahead(cable, from);
    return wire + Through(from); // a drop takes no time
}

void
ClusterFabric::SetOutsideLookaheads(const FabricHosts& ends)
{
    Ps hop = PS_NEVER; // from the arrival at a switch to that at the next one
    for (const Cable& cable : m_topology.cables)
    {
        if (cable.a.isSwitch && cable.b.isSwitch)
        {
            hop = std::min({hop, CellLookahead(cable, cable.a), CellLookahead(cable, cable.b)});
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
        if (!last.isSwitch || host.isSwitch || !IsOurs(host))
        {
            continue;
        }
        const OutsideDistance& from = distances[last.index];
        const std::uint32_t hops =
            m_switchCosts.feedbackMark > 0 ? std::min(from.hosts, from.switches) : from.hosts;
        if (hops != OutsideDistance::UNREACHED)
        {
            const Ps way = hops * hop - unknown; // at least from the end of the cable that is cut
            ends.hosts[host.index]->SetOutsideLookahead(std::max(way, Ps{0}) +
                                                        CellLookahead(cable, last));
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
    via::PutRoutesIntoHeads(m_topology, m_graph, [this](const Endpoint& end) {
        return FindLink(end);
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
        CongestionPause* pause = nic == nullptr ? nullptr : &m_pauses.emplace_back(*nic);
        Host* host = nic == nullptr ? nullptr : &nic->GetHost();
        sinks.push_back({host, pause, CongestionPause::PORT, 0});
    }
    if (m_remoteLinks != nullptr)
    {
        m_remoteLinks->SetSinks(sinks);
    }
    CongestionNotices::HopTimes times =
        CongestionNotices::TimesOf(m_topology, [&](const Cable& cable, const Endpoint& from) {
            return through + WireLookahead(cable, from);
        });
    m_congestionNotices = std::make_unique<CongestionNotices>(m_topology,
                                                              m_graph,
                                                              std::move(sinks),
                                                              std::move(times));
    if (m_remoteLinks != nullptr)
    {
        m_congestionNotices->SetCarrier(
            [this](NodeId source, std::uint32_t where, NodeId destination, Ps at) {
                m_remoteLinks->Tell(source, where, destination, at);
            });
    }
    for (const auto& one : m_switches)
    {
        if (one != nullptr)
        {
            one->SetCongestionListener(m_congestionNotices.get());
        }
    }
}

} // namespace via
} // namespace ns3
