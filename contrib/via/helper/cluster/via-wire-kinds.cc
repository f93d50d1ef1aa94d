/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
// The wires of a fabric whose cables differ: costs by end, and slow wires that lead to fast ones.

#include "via-wire-kinds.h"

#include "ns3/via-error.h"

#include <algorithm>

namespace ns3
{
namespace via
{

namespace
{

constexpr std::uint64_t BYTES_PER_MBIT = 1'000'000 / 8;

/// What @p wire costs in place of @p usual. @param least cells of room
LinkCosts
Changed(LinkCosts usual, const WireSpec& wire, std::uint32_t least, const std::string& topology)
{
    if (wire.rateMbitS > 0)
    {
        usual.byteClock = {wire.rateMbitS * BYTES_PER_MBIT, 1};
    }
    if (wire.wires > 1 && usual.wires == 1)
    {
        throw ConfigError("--topology",
                          topology,
                          "wires = " + std::to_string(wire.wires) +
                              " needs a product whose cards have several (nic.ports); parallel "
                              "edges do without");
    }
    if (wire.cells > 0 && usual.flow != FlowControl::CREDITS)
    {
        throw ConfigError("--topology",
                          topology,
                          "cells = " + std::to_string(wire.cells) +
                              " needs a product with link.flow_control = credits");
    }
    if (wire.cells > 0 && wire.cells < least)
    {
        throw ConfigError("--topology",
                          topology,
                          "cells = " + std::to_string(wire.cells) + " is less than the " +
                              std::to_string(least) + " of a DMA burst (nic.dma_burst)");
    }
    usual.wires = wire.wires > 0 ? wire.wires : usual.wires;
    usual.credits = wire.cells > 0 ? wire.cells : usual.credits;
    return usual;
}

/// Whether a byte takes longer on @p one than on @p other.
bool
IsSlower(const Link& one, const Link& other)
{
    const Frequency a = one.Costs().byteClock;
    const Frequency b = other.Costs().byteClock;
    return static_cast<unsigned __int128>(a.num) * b.den <
           static_cast<unsigned __int128>(b.num) * a.den;
}

} // namespace

Ps
FlightOf(const Cable& cable, const ProviderProfile& profile)
{
    const WireSpec& wire = cable.wire;
    if (wire.latencyNs > 0)
    {
        return static_cast<Ps>(wire.latencyNs) * PS_PER_NS;
    }
    const std::uint64_t length =
        wire.lengthMm > 0 ? wire.lengthMm : profile.Number("link.cable_length_mm");
    const std::uint64_t hosts = (cable.a.isSwitch ? 0 : 1) + (cable.b.isSwitch ? 0 : 1);
    return static_cast<Ps>(length * profile.Number("link.propagation_ps_per_m") / 1000 +
                           hosts * profile.Number("link.host_phy_ps"));
}

SlowEntrance::SlowEntrance(const Link& wire,
                           Switch& peer,
                           std::uint32_t port,
                           Notice notice,
                           const Link& fastest)
    : m_wire(wire),
      m_peer(peer),
      m_port(port),
      m_notice(notice),
      m_fastest(fastest)
{
}

const Link&
SlowEntrance::Exit(const Packet& packet) const
{
    const RouteTable& routes = m_peer.Routes();
    // which of several ways it takes is not known yet
    return routes.HasChoices() ? m_fastest : m_peer.Out(routes.To(packet.destination).port);
}

void
SlowEntrance::OnAgenda(std::uint32_t kind, std::uint64_t data)
{
    Cell& cell = *reinterpret_cast<Cell*>(data);
    const Link& out = Exit(*cell.packet);
    if (!IsSlower(m_wire, out))
    {
        m_peer.Entrance()->OnAgenda(kind, data);
        return;
    }
    // it begins so that no bit leaves before it has come
    const LinkCosts& costs = out.Costs();
    const Packet& packet = *cell.packet;
    const std::uint32_t missing = cell.ends ? costs.Shortfall(packet.length, packet.cells) : 0;
    const Cycles toCome(m_notice == Notice::LAST_BIT ? 0 : costs.cellBytes - missing);
    const Ps begin = cell.last.at - ClockDomain(costs.byteClock).Span(toCome);
    cell.first = m_peer.Wait(cell.first, Stage::LINK_WAIT, Engine::LINK, begin);
    if (cell.first.at > m_peer.Now())
    {
        m_peer.Schedule(cell.first.at, m_port, m_peer.Entrance(), kind, data);
        return;
    }
    m_peer.Entrance()->OnAgenda(kind, data);
}

WireKinds::WireKinds(const ProviderProfile& profile, const Topology& topology)
    : m_usual([&] {
          LinkCosts costs = LinkCosts::From(profile);
          costs.lanes = std::max(costs.lanes, topology.lanes);
          return costs;
      }())
{
    const std::uint32_t least = profile.Number32("nic.dma_burst") / m_usual->cellPayload;
    std::map<Place, Shared<LinkCosts>> kinds; // by rate, wires and cells
    for (const Cable& cable : topology.cables)
    {
        const WireSpec& wire = cable.wire;
        if (!wire.SendsOtherwise())
        {
            continue;
        }
        const Place kind{wire.rateMbitS, wire.wires, wire.cells};
        auto known = kinds.find(kind);
        if (known == kinds.end())
        {
            known = kinds.emplace(kind, Changed(*m_usual, wire, least, topology.name)).first;
        }
        for (const Endpoint& end : {cable.a, cable.b})
        {
            m_unusual.emplace(Place{end.isSwitch ? 1U : 0U, end.index, end.port}, known->second);
        }
    }
}

const Shared<LinkCosts>&
WireKinds::From(const Endpoint& end) const
{
    const auto found = m_unusual.find(Place{end.isSwitch ? 1U : 0U, end.index, end.port});
    return found == m_unusual.end() ? m_usual : found->second;
}

void
WireKinds::Equip(Switch& one, std::uint32_t index) const
{
    const auto end = m_unusual.lower_bound(Place{1, index + 1, 0});
    for (auto at = m_unusual.lower_bound(Place{1, index, 0}); at != end; ++at)
    {
        one.SetWire(at->first[2], at->second);
    }
}

AgendaTarget*
WireKinds::Entrance(const Link& wire, Switch& peer, std::uint32_t port, Notice notice)
{
    const Link* fastest = &wire;
    for (std::uint32_t out = 0; !m_unusual.empty() && out < peer.PortCount(); ++out)
    {
        const bool isFaster = peer.HasWire(out) && IsSlower(*fastest, peer.Out(out));
        fastest = isFaster ? &peer.Out(out) : fastest;
    }
    if (fastest == &wire)
    {
        return peer.Entrance();
    }
    m_entrances.push_back(std::make_unique<SlowEntrance>(wire, peer, port, notice, *fastest));
    return m_entrances.back().get();
}

} // namespace via
} // namespace ns3
