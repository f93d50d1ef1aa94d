/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
// The families of topologies by name: how each is written, and what builds it.

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

/// What a family needs to know beside its text.
struct TopologyOrder
{
    TopologyText& text;
    std::uint32_t hosts; ///< 0: as many as there is room for
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

/// The family that @p text names. @throws ConfigError with the names of all
const TopologyFamily& FamilyOf(const TopologyText& text);

} // namespace via
} // namespace ns3

#endif // VIA_TOPOLOGY_FAMILIES_H
