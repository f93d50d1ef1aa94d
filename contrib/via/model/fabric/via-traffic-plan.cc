/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
// Destinations of raw traffic.

#include "ns3/via-error.h"
#include "ns3/via-scramble.h"
#include "ns3/via-traffic.h"

#include <array>
#include <numeric>
#include <utility>

namespace ns3
{
namespace via
{

namespace
{

using Name = std::pair<const char*, TrafficPattern>;

constexpr std::array<Name, 6> NAMES = {{{"uniform", TrafficPattern::UNIFORM},
                                        {"transpose", TrafficPattern::TRANSPOSE},
                                        {"bit-complement", TrafficPattern::BIT_COMPLEMENT},
                                        {"hot-spot", TrafficPattern::HOT_SPOT},
                                        {"all-to-all", TrafficPattern::ALL_TO_ALL},
                                        {"permutation", TrafficPattern::PERMUTATION}}};

/// The side of a square of @p nodes; 0 if @p nodes is not a square.
std::uint32_t
Side(std::uint32_t nodes)
{
    std::uint32_t side = 1;
    while (side * side < nodes)
    {
        ++side;
    }
    return side * side == nodes ? side : 0;
}

/// One cycle through all nodes in seeded order (Sattolo): no node sends to itself.
std::vector<NodeId>
Cycle(std::uint64_t seed, std::uint32_t nodes)
{
    std::vector<NodeId> next(nodes);
    std::iota(next.begin(), next.end(), 0);
    for (std::uint32_t i = nodes - 1; i > 0; --i)
    {
        std::swap(next[i], next[Scramble(Scramble(seed) ^ i) % i]);
    }
    return next;
}

/// Any node except @p node, chosen by @p draw.
NodeId
Other(std::uint32_t node, std::uint64_t draw, std::uint32_t nodes)
{
    const auto other = static_cast<NodeId>(draw % (nodes - 1));
    return other < node ? other : other + 1;
}

} // namespace

TrafficPattern
ParseTrafficPattern(const std::string& text)
{
    std::string all;
    for (const Name& name : NAMES)
    {
        if (text == name.first)
        {
            return name.second;
        }
        all += (all.empty() ? "" : ", ") + std::string(name.first);
    }
    throw ConfigError("traffic pattern", text, "one of " + all);
}

void
TrafficPlan::Check(std::uint32_t nodes) const
{
    const auto refuse = [](const char* what, std::uint64_t value, const std::string& limit) {
        throw ConfigError(what, std::to_string(value), limit);
    };
    if (nodes < 2)
    {
        refuse("traffic nodes", nodes, "at least 2");
    }
    if (load < 1 || load > ALL)
    {
        refuse("traffic load", load, "1 to 1000000 packets per million slots");
    }
    if (hotShare > ALL)
    {
        refuse("traffic hot share", hotShare, "at most 1000000 of a million packets");
    }
    if (packetCells < 1 || packetCells > MAX_PACKET_CELLS)
    {
        refuse("traffic packet cells", packetCells, "1 to " + std::to_string(MAX_PACKET_CELLS));
    }
    if (slots < 1)
    {
        refuse("traffic slots", slots, "at least 1");
    }
    if (pattern == TrafficPattern::TRANSPOSE && Side(nodes) == 0)
    {
        refuse("traffic nodes", nodes, "a square number, with transpose");
    }
    if (pattern == TrafficPattern::BIT_COMPLEMENT && (nodes & (nodes - 1)) != 0)
    {
        refuse("traffic nodes", nodes, "a power of two with bit-complement");
    }
}

NodeId
TrafficPlan::Destination(std::uint32_t node, std::uint64_t number, std::uint32_t nodes) const
{
    const std::uint64_t draw = Scramble(Scramble(seed ^ std::uint64_t{node} << 32) + 2 * number);
    switch (pattern)
    {
    case TrafficPattern::UNIFORM:
        return Other(node, draw, nodes);
    case TrafficPattern::TRANSPOSE:
        return node % Side(nodes) * Side(nodes) + node / Side(nodes);
    case TrafficPattern::BIT_COMPLEMENT:
        return nodes - 1 - node;
    case TrafficPattern::HOT_SPOT:
        return node != 0 && draw % ALL < hotShare ? 0 : Other(node, draw / ALL, nodes);
    case TrafficPattern::ALL_TO_ALL:
        return static_cast<NodeId>((node + 1 + number % (nodes - 1)) % nodes);
    case TrafficPattern::PERMUTATION:
        break;
    }
    return Cycle(seed, nodes)[node];
}

} // namespace via
} // namespace ns3
