/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
// A switch, cut-through or store-and-forward: routes a burst's head while its tail is on the way.

#include "via-switch.h"

#include "ns3/abort.h"

#include <utility>

namespace ns3
{
namespace via
{

SwitchCosts
SwitchCosts::From(const ProviderProfile& profile)
{
    const bool whole = profile.Word("switch.forwarding") == "store-and-forward";
    return {profile.Clock("switch.clock"),
            Cycles(profile.Number("switch.latency")),
            whole ? Notice::FIRST_CELL : Notice::FIRST_BIT};
}

Switch::Switch(World& world,
               ComponentId id,
               std::string name,
               const SwitchCosts& costs,
               const Shared<LinkCosts>& links,
               std::uint32_t ports)
    : Component(world, id, std::move(name)),
      m_costs(costs),
      m_clock(MakeClock(costs.clock, 0)),
      m_ports(ports)
{
    for (std::uint32_t port = 0; port < ports; ++port)
    {
        m_ports[port].out = std::make_unique<Link>(*this, links, port + 1);
    }
}

void
Switch::SetRoutes(RouteTable routes)
{
    for (const Route& route : routes.routes)
    {
        NS_ABORT_MSG_IF(route.port != Route::NONE && route.port >= m_ports.size(),
                        Name() << " has no port " << route.port);
    }
    m_routes = std::move(routes);
}

void
Switch::OnAgenda(std::uint32_t kind, std::uint64_t data)
{
    auto* burst = reinterpret_cast<Burst*>(data);
    const NodeId destination = burst->packet->destination;
    NS_ABORT_MSG_IF(!m_routes.Has(destination), Name() << " has no route to host " << destination);
    m_cellsIn += burst->CellCount();
    Port& in = m_ports[kind];
    for (std::uint32_t i = 0; i < burst->groupCount; ++i)
    {
        Burst::Group& group = burst->groups[i];
        group.ready = Through(in, *burst->packet, group.first);
    }
    if (burst->ends || burst->resent)
    {
        in.open = nullptr;
    }
    burst->cookie = kind;
    Out(m_routes.routes[destination].port).Transmit(burst, this);
}

void
Switch::Foresee(std::uint32_t kind, std::uint64_t data)
{
    __builtin_prefetch(reinterpret_cast<const Burst*>(data)->packet);
    Prefetch(&m_ports[kind]);
}

void
Switch::Expect(std::uint32_t, std::uint64_t data)
{
    const NodeId destination = reinterpret_cast<const Burst*>(data)->packet->destination;
    if (m_routes.Has(destination))
    {
        Prefetch(&Out(m_routes.routes[destination].port));
    }
}

Moment
Switch::Through(Port& in, const Packet& packet, Moment first)
{
    if (in.open == &packet)
    {
        return Wait(first, Stage::SWITCH, Engine::CROSSBAR, first.at + in.delay);
    }
    const Moment out = Spend(first, Stage::SWITCH, Engine::CROSSBAR, m_clock, m_costs.latency);
    in.open = &packet;
    in.delay = out.at - first.at;
    return out;
}

void
Switch::OnDeparture(const Burst& burst)
{
    Port& in = m_ports[burst.cookie];
    const Link& out = Out(m_routes.routes[burst.packet->destination].port);
    std::uint32_t absent = burst.vanished; // took no room here
    for (std::uint32_t i = 0; i < burst.groupCount; ++i)
    {
        const std::uint32_t sent = burst.groups[i].cells;
        std::uint32_t cells = sent - std::min(absent, sent);
        absent -= sent - cells;
        // a cell's room is free when its last bit has left
        const Link::Leaving leaving = out.WhenLeaves(burst, i);
        const bool single = leaving.isShort && cells == sent;
        cells -= single ? 1 : 0;
        if (cells > 0)
        {
            in.upstream->ReturnCredits(cells, leaving.first, out.CellTime());
        }
        if (single)
        {
            in.upstream->ReturnCredits(1, leaving.last, 0);
        }
    }
    m_cellsOut += burst.CellCount();
}

} // namespace via
} // namespace ns3
