/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
// What the wires, switch ports and cards of a cluster have counted.

#ifndef VIA_RUN_COUNTERS_H
#define VIA_RUN_COUNTERS_H

#include "ns3/via-port-counters.h"
#include "ns3/via-time.h"

#include <cstdint>
#include <vector>

namespace ns3
{
namespace via
{

class Cluster;

/// What one end of a cable has sent.
struct LinkRow
{
    std::uint64_t cells{0};
    std::uint64_t bytes{0};
    std::uint64_t corrupt{0};
    std::uint64_t lost{0};
    Ps busy{0};
    Ps silent{0}; ///< from then on
};

/// A port of a switch.
struct PortRow
{
    std::uint32_t switchIndex{0};
    std::uint32_t port{0};
    PortCounters counters;
};

/// A card of a node.
struct CardRow
{
    std::uint32_t node{0};
    std::uint32_t openVis{0};
    std::uint64_t translationHits{0};
    std::uint64_t translationMisses{0};
    std::uint64_t cellsResent{0};
    std::uint64_t messagesDropped{0};
};

/// All counters of a run, or of a partition's share of it.
struct RunCounters
{
    std::vector<LinkRow> links; ///< two for each cable, in the order of Topology::cables
    std::vector<PortRow> ports; ///< those of one switch are adjacent
    std::vector<CardRow> cards; ///< those of one node are adjacent

    /// @param cluster on several partitions, with zeros for what is on others
    static RunCounters Of(Cluster& cluster);

    /// Adds what another partition of the run has counted.
    void Add(const RunCounters& other);
};

} // namespace via
} // namespace ns3

#endif // VIA_RUN_COUNTERS_H
