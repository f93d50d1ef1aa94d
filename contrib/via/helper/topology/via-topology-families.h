/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
// The families of topologies by name: the syntax of each and the function that builds it.

#ifndef VIA_TOPOLOGY_FAMILIES_H
#define VIA_TOPOLOGY_FAMILIES_H

#include "ns3/via-topology-text.h"
#include "ns3/via-topology.h"

#include <cstdint>
#include <string>

namespace ns3
{
namespace via
{

/// The input of TopologyFamily::build.
struct TopologyOrder
{
    TopologyText& text;
    std::uint32_t hosts; ///< 0: as many as fit
    const ProviderProfile& profile;
    std::string usage;
};

/// One family.
struct TopologyFamily
{
    const char* name;
    const char* usage;
    Topology (*build)(const TopologyOrder& order);
};

/// The family that @p text names. @throws ConfigError listing all names
const TopologyFamily& FamilyOf(const TopologyText& text);

} // namespace via
} // namespace ns3

#endif // VIA_TOPOLOGY_FAMILIES_H
