/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
// The wires of a fabric whose cables differ: costs by end, and slow wires that lead to fast ones.

#ifndef VIA_WIRE_KINDS_H
#define VIA_WIRE_KINDS_H

#include "ns3/via-provider-profile.h"
#include "ns3/via-shared.h"
#include "ns3/via-switch.h"
#include "ns3/via-topology.h"

#include <array>
#include <map>
#include <memory>
#include <vector>

namespace ns3
{
namespace via
{

/// The time of flight through @p cable and through the transceivers of the hosts at its ends. A
/// latency that the topology gives the cable includes these.
Ps FlightOf(const Cable& cable, const ProviderProfile& profile);

/**
 * @brief Where cells of a slow wire enter a switch that has faster ones.
 *
 * A cell that leaves faster than it comes must not end before it has come: its switch begins with
 * it later.
 */
class SlowEntrance final : public AgendaTarget
{
  public:
    /**
     * @param wire that arrives at @p port of @p peer
     * @param notice the part of a cell that @p peer waits for
     * @param fastest wire of @p peer
     */
    SlowEntrance(const Link& wire,
                 Switch& peer,
                 std::uint32_t port,
                 Notice notice,
                 const Link& fastest);

    void OnAgenda(std::uint32_t kind, std::uint64_t data) override;

  private:
    const Link& Exit(const Packet& packet) const;

    const Link& m_wire;
    Switch& m_peer;
    std::uint32_t m_port;
    Notice m_notice;
    const Link& m_fastest;
};

/// The costs of the wires of a topology; of each cable that has none of its own, the profile's.
class WireKinds
{
  public:
    /**
     * @param profile, topology: read here only
     * @throws ConfigError a cable asks for parallel wires or room that the product cannot have
     */
    WireKinds(const ProviderProfile& profile, const Topology& topology);

    const Shared<LinkCosts>& Usual() const
    {
        return m_usual;
    }

    /// Costs of the wire that leaves from @p end.
    const Shared<LinkCosts>& From(const Endpoint& end) const;

    /// Gives switch @p index its unusual wires.
    void Equip(Switch& one, std::uint32_t index) const;

    /// Where cells of @p wire enter @p peer at @p port; both have all their wires.
    AgendaTarget* Entrance(const Link& wire, Switch& peer, std::uint32_t port, Notice notice);

  private:
    using Place = std::array<std::uint32_t, 3>; ///< is it a switch, index, port

    Shared<LinkCosts> m_usual;
    std::map<Place, Shared<LinkCosts>> m_unusual;
    std::vector<std::unique_ptr<SlowEntrance>> m_entrances;
};

} // namespace via
} // namespace ns3

#endif // VIA_WIRE_KINDS_H
