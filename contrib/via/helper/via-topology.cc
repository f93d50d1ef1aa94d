/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
// Topologies: pure functions that return a graph with routes.

#include "via-topology.h"

#include "ns3/abort.h"
#include "ns3/via-error.h"

#include <algorithm>
#include <cctype>
#include <map>

namespace ns3
{
namespace via
{

namespace
{

/// base^exponent; the callers' bounds keep it small.
std::uint64_t
Power(std::uint64_t base, std::uint32_t exponent)
{
    std::uint64_t result = 1;
    for (std::uint32_t i = 0; i < exponent; ++i)
    {
        result *= base;
    }
    return result;
}

/// Places of the switches of a fat tree that present hosts use.
struct TreeShape
{
    std::uint32_t k;
    std::uint32_t n;
    std::uint32_t hosts;

    /**
     * Switches of a level, 0 next to the hosts: switch w of level l has the same digits as its
     * hosts above digit l; the l digits below count the switches of one such group.
     * Only the groups that hold a present host exist.
     */
    std::uint64_t CountOf(std::uint32_t level) const
    {
        const std::uint64_t group = Power(k, level + 1); // hosts below one group
        return (hosts + group - 1) / group * Power(k, level);
    }

    std::uint64_t FirstOf(std::uint32_t level) const
    {
        std::uint64_t first = 0;
        for (std::uint32_t l = 0; l < level; ++l)
        {
            first += CountOf(l);
        }
        return first;
    }
};

/// Down ports 0 .. k-1, up ports k .. 2k-1.
SwitchShape
TreeSwitch(const TreeShape& tree, std::uint32_t level, std::uint64_t place)
{
    SwitchShape shape;
    shape.ports = level + 1 == tree.n ? tree.k : 2 * tree.k;
    const std::uint64_t group = place / Power(tree.k, level);
    const std::uint64_t below = Power(tree.k, level + 1);
    for (std::uint64_t host = 0; host < tree.hosts; ++host)
    {
        const std::uint64_t digit = host / Power(tree.k, level) % tree.k;
        const bool down = host / below == group;
        // up: destination modulo k, digit by digit from the lowest
        shape.table.routes.push_back({static_cast<std::uint16_t>(down ? digit : tree.k + digit)});
    }
    return shape;
}

/// Number after `name=` in @p options; 0 when it is not there or no number.
std::uint32_t
Option(const std::string& options, const std::string& name)
{
    std::size_t at = 0;
    while (at < options.size())
    {
        const std::size_t end = std::min(options.find(',', at), options.size());
        const std::string one = options.substr(at, end - at);
        if (one.compare(0, name.size() + 1, name + "=") == 0)
        {
            const std::string digits = one.substr(name.size() + 1);
            const bool number = !digits.empty() && digits.size() < 6 &&
                                std::all_of(digits.begin(), digits.end(), [](unsigned char c) {
                                    return std::isdigit(c) != 0;
                                });
            return number ? static_cast<std::uint32_t>(std::stoul(digits)) : 0;
        }
        at = end + 1;
    }
    return 0;
}

} // namespace

std::uint32_t
Topology::Hops(std::uint32_t from, std::uint32_t to) const
{
    std::map<std::pair<std::pair<bool, std::uint32_t>, std::uint32_t>, Endpoint> far;
    for (const Cable& cable : cables)
    {
        far[{{cable.a.isSwitch, cable.a.index}, cable.a.port}] = cable.b;
        far[{{cable.b.isSwitch, cable.b.index}, cable.b.port}] = cable.a;
    }
    std::uint32_t hops = 0;
    Endpoint at = far.at({{false, from}, 0});
    while (at.isSwitch)
    {
        ++hops;
        NS_ABORT_MSG_IF(hops > switches.size(), "the routes of " << name << " run in a circle");
        at = far.at({{true, at.index}, switches[at.index].table.routes.at(to).port});
    }
    NS_ABORT_MSG_IF(at.index != to, "the routes of " << name << " lead to the wrong host");
    return hops;
}

Topology
BackToBack()
{
    return {"back-to-back", 2, {}, {{{false, 0, 0}, {false, 1, 0}}}};
}

Topology
Crossbar(std::uint32_t hosts)
{
    Topology topology{"crossbar", hosts, {{hosts, {}}}, {}};
    for (std::uint32_t host = 0; host < hosts; ++host)
    {
        topology.switches[0].table.routes.push_back({static_cast<std::uint16_t>(host)});
        topology.cables.push_back({{false, host, 0}, {true, 0, host}});
    }
    return topology;
}

Topology
FatTree(std::uint32_t k, std::uint32_t n, std::uint32_t hosts)
{
    const TreeShape tree{k, n, hosts};
    Topology topology{"fat-tree:k=" + std::to_string(k) + ",n=" + std::to_string(n), hosts, {}, {}};
    for (std::uint32_t level = 0; level < n; ++level)
    {
        for (std::uint64_t place = 0; place < tree.CountOf(level); ++place)
        {
            topology.switches.push_back(TreeSwitch(tree, level, place));
        }
    }
    for (std::uint32_t host = 0; host < hosts; ++host)
    {
        topology.cables.push_back({{false, host, 0}, {true, host / k, host % k}});
    }
    for (std::uint32_t level = 0; level + 1 < n; ++level)
    {
        const std::uint64_t width = Power(k, level);
        for (std::uint64_t place = 0; place < tree.CountOf(level); ++place)
        {
            const std::uint64_t group = place / width;
            const std::uint64_t within = place % width;
            for (std::uint32_t up = 0; up < k; ++up)
            {
                const std::uint64_t above = group / k * width * k + up * width + within;
                topology.cables.push_back(
                    {{true, static_cast<std::uint32_t>(tree.FirstOf(level) + place), k + up},
                     {true,
                      static_cast<std::uint32_t>(tree.FirstOf(level + 1) + above),
                      static_cast<std::uint32_t>(group % k)}});
            }
        }
    }
    return topology;
}

Topology
Star(std::uint32_t hosts, const std::vector<std::uint64_t>& portCounts)
{
    for (const std::uint64_t ports : portCounts)
    {
        if (hosts <= ports)
        {
            Topology topology = Crossbar(hosts);
            topology.name = "star";
            topology.switches[0].ports = static_cast<std::uint32_t>(ports);
            return topology;
        }
    }
    const auto k = static_cast<std::uint32_t>(portCounts.back() / 2);
    if (k < 2) // no tree grows
    {
        throw ConfigError("--topology",
                          "star",
                          "has room for " + std::to_string(portCounts.back()) + " nodes, not " +
                              std::to_string(hosts) +
                              ": a switch of the profile takes no more cables (switch.ports / "
                              "nic.ports), and a tree needs 4");
    }
    std::uint32_t n = 2;
    while (Power(k, n) < hosts)
    {
        ++n;
    }
    Topology topology = FatTree(k, n, hosts);
    topology.name = "star";
    return topology;
}

Topology
ParseTopology(const std::string& text, std::uint32_t hosts, const ProviderProfile& profile)
{
    const std::string option = "--topology";
    if (text == "star")
    {
        std::vector<std::uint64_t> sizes = profile.Numbers("switch.ports");
        for (std::uint64_t& cables : sizes)
        {
            cables /= profile.Number("nic.ports"); // each takes a port for each of its wires
        }
        return Star(hosts, sizes);
    }
    if (text == "crossbar")
    {
        return Crossbar(hosts);
    }
    if (text == "back-to-back")
    {
        if (hosts != 2)
        {
            throw ConfigError(option,
                              text,
                              "connects exactly 2 nodes, not " + std::to_string(hosts));
        }
        return BackToBack();
    }
    if (text.compare(0, 9, "fat-tree:") == 0)
    {
        const std::string options = text.substr(9);
        const std::uint32_t k = Option(options, "k");
        const std::uint32_t n = Option(options, "n");
        const std::string kPart = "k=" + std::to_string(k);
        const std::string nPart = "n=" + std::to_string(n);
        const bool noMore = options == kPart + "," + nPart || options == nPart + "," + kPart;
        if (!noMore || k < 2 || k > 64 || n < 1 || n > 12)
        {
            throw ConfigError(option, text, "fat-tree:k=K,n=N with K from 2 to 64, N from 1 to 12");
        }
        if (Power(k, n) < hosts)
        {
            throw ConfigError(option,
                              text,
                              "has room for " + std::to_string(Power(k, n)) + " nodes, not " +
                                  std::to_string(hosts));
        }
        return FatTree(k, n, hosts);
    }
    throw ConfigError(option, text, "one of star, back-to-back, crossbar, fat-tree:k=K,n=N");
}

} // namespace via
} // namespace ns3
