/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
// What the names in a plan of faults mean in a topology.

#ifndef VIA_FAULT_PLACES_H
#define VIA_FAULT_PLACES_H

#include "ns3/via-fault-plan.h"
#include "ns3/via-topology.h"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace ns3
{
namespace via
{

/**
 * @brief Names of hosts "n3", switches "s0", ports "s0.2" and wires.
 *
 *     all      every wire             n3      the wires of host 3
 *     s0       those of switch 0      s0.2    the one at its port 2
 *     n3-s0    between these two      n3>s0   the same, one direction only
 */
class FaultPlaces
{
  public:
    explicit FaultPlaces(const Topology& topology)
        : m_topology(topology)
    {
    }

    /// One direction of a cable, by the ends it leads from and to.
    struct Wire
    {
        Endpoint from;
        Endpoint to;
    };

    /// The directed wires that @p where names; none if there is no such thing.
    std::vector<Wire> Wires(const std::string& where) const;

    /// The host that @p where names.
    std::optional<std::uint32_t> Host(const std::string& where) const;

    /// The switch that @p where names.
    std::optional<std::uint32_t> Switch(const std::string& where) const;

    /// Each component of its kind that @p storm may strike, by name.
    std::vector<std::string> Targets(const Storm& storm) const;

    /// What there is, for messages.
    std::string Hosts() const;
    std::string Switches() const;

  private:
    const Topology& m_topology;
};

} // namespace via
} // namespace ns3

#endif // VIA_FAULT_PLACES_H
