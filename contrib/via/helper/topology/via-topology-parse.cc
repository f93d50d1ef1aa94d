/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
// Builds the topology from the text of --topology, with routes, and checks for deadlock.

#include "ns3/via-routing.h"
#include "ns3/via-topology-families.h"

#include <string>
#include <utility>

namespace ns3
{
namespace via
{

namespace
{

// Said after the usage of a family; what it lists is known to the hints for misspelled options.
const char* const OF_EACH_FAMILY = "; each family also takes routing=, deadlock= and rails=";

} // namespace

Topology
ParseTopology(const std::string& text, std::uint32_t hosts, const ProviderProfile& profile)
{
    TopologyText pieces(text);
    const TopologyFamily& family = FamilyOf(pieces);
    const std::string usage = std::string(family.usage) + OF_EACH_FAMILY;
    const std::string routing = pieces.TakeWord("routing", "");
    const std::string deadlock = pieces.TakeWord("deadlock", "refuse");
    if (deadlock != "refuse" && deadlock != "allow")
    {
        pieces.Refuse("deadlock is one of refuse, allow");
    }
    const std::uint32_t rails =
        pieces.TakeNumber("rails",
                          1,
                          MOST_RAILS,
                          1,
                          "rails is a number of planes from 1 to " + std::to_string(MOST_RAILS));
    Topology topology = family.build({pieces, hosts, profile, usage});
    pieces.ExpectNoMore(usage);
    topology.name = text;
    const std::string own = topology.routing;
    topology =
        WithRouting(std::move(topology), routing.empty() ? own : routing, deadlock == "allow");
    topology = WithRails(std::move(topology), rails);
    topology.name = text;
    return topology;
}

} // namespace via
} // namespace ns3
