/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
// The families of topologies by name: the syntax of each and the function that builds it.

#include "via-topology-families.h"

#include "ns3/via-topology-file.h"
#include "ns3/via-topology-shapes.h"

#include <algorithm>
#include <array>
#include <filesystem>
#include <iterator>
#include <system_error>

namespace ns3
{
namespace via
{

namespace
{

constexpr std::uint32_t MOST_PER_SWITCH = 1024;
constexpr std::uint64_t MOST_SWITCHES = 65536;
constexpr std::uint64_t MOST_ROUTES = std::uint64_t{1} << 28; // a minute to find and check them

/// The requested number of hosts, or all of @p room.
std::uint32_t
HostsFor(const TopologyOrder& order, std::uint64_t switches, std::uint64_t room)
{
    if (order.hosts > room)
    {
        order.text.Refuse("has room for " + std::to_string(room) + " nodes, not " +
                          std::to_string(order.hosts));
    }
    const std::uint64_t hosts = order.hosts == 0 ? room : order.hosts;
    if (hosts > MOST_HOSTS || switches > MOST_SWITCHES || switches * hosts > MOST_ROUTES)
    {
        order.text.Refuse("at most " + std::to_string(MOST_HOSTS) + " nodes, " +
                          std::to_string(MOST_SWITCHES) + " switches, and a product of both of " +
                          std::to_string(MOST_ROUTES));
    }
    return static_cast<std::uint32_t>(hosts);
}

/// The number of nodes, for families whose size depends on it.
std::uint32_t
NeededHosts(const TopologyOrder& order)
{
    if (order.hosts == 0)
    {
        order.text.Refuse("its size depends on the number of nodes: state it");
    }
    return order.hosts;
}

std::uint32_t
Number(const TopologyOrder& order, const char* name, std::uint32_t least, std::uint32_t most)
{
    return order.text.TakeNumber(name, least, most, 0, order.usage); // 0 is rejected
}

std::uint32_t
HostsPerSwitch(const TopologyOrder& order)
{
    return order.text.TakeNumber("hosts", 1, MOST_PER_SWITCH, 1, order.usage);
}

Topology
BuildStar(const TopologyOrder& order)
{
    std::vector<std::uint64_t> sizes = order.profile.Numbers("switch.ports");
    for (std::uint64_t& cables : sizes)
    {
        cables /= order.profile.Number("nic.ports"); // a card takes a port for each of its wires
    }
    return Star(NeededHosts(order), sizes);
}

Topology
BuildCrossbar(const TopologyOrder& order)
{
    const std::uint32_t hosts = NeededHosts(order);
    if (hosts > Route::NONE)
    {
        order.text.Refuse("a switch has at most " + std::to_string(Route::NONE) + " ports, not " +
                          std::to_string(hosts));
    }
    return Crossbar(hosts);
}

Topology
BuildBackToBack(const TopologyOrder& order)
{
    if (order.hosts != 2 && order.hosts != 0)
    {
        order.text.Refuse("connects exactly 2 nodes, not " + std::to_string(order.hosts));
    }
    return BackToBack();
}

Topology
BuildGrid(const TopologyOrder& order, std::vector<std::uint32_t> sizes, bool wraps)
{
    std::uint64_t switches = 1;
    for (const std::uint32_t size : sizes)
    {
        switches = std::min(switches * size, MOST_SWITCHES + 1); // HostsFor rejects it
    }
    const std::uint32_t perSwitch = HostsPerSwitch(order);
    const std::uint32_t hosts = HostsFor(order, switches, switches * perSwitch);
    return Grid({std::move(sizes), wraps, perSwitch}, hosts);
}

/// A ring or chain with the number of switches in its text, or as many as its nodes need.
Topology
BuildRow(const TopologyOrder& order, bool wraps)
{
    const std::uint32_t perSwitch = HostsPerSwitch(order);
    std::vector<std::uint32_t> sizes;
    if (order.text.HasShape())
    {
        sizes = order.text.TakeSizes(order.usage);
    }
    else
    {
        sizes = {(NeededHosts(order) + perSwitch - 1) / perSwitch};
    }
    if (sizes.size() != 1)
    {
        order.text.Refuse(order.usage);
    }
    const std::uint32_t hosts = HostsFor(order, sizes[0], std::uint64_t{sizes[0]} * perSwitch);
    Topology topology = Grid({sizes, wraps, perSwitch}, hosts);
    topology.family = wraps ? "ring" : "chain";
    return topology;
}

Topology
BuildChain(const TopologyOrder& order)
{
    return BuildRow(order, false);
}

Topology
BuildRing(const TopologyOrder& order)
{
    return BuildRow(order, true);
}

Topology
BuildMesh(const TopologyOrder& order)
{
    return BuildGrid(order, order.text.TakeSizes(order.usage), false);
}

Topology
BuildTorus(const TopologyOrder& order)
{
    return BuildGrid(order, order.text.TakeSizes(order.usage), true);
}

Topology
BuildHypercube(const TopologyOrder& order)
{
    const std::vector<std::uint32_t> dimensions = order.text.TakeSizes(order.usage);
    if (dimensions.size() != 1 || dimensions[0] > 16)
    {
        order.text.Refuse(order.usage);
    }
    Topology topology = BuildGrid(order, std::vector<std::uint32_t>(dimensions[0], 2), false);
    topology.family = "hypercube";
    return topology;
}

Topology
BuildFatTree(const TopologyOrder& order)
{
    const std::uint32_t k = Number(order, "k", 2, 64);
    const std::uint32_t n = Number(order, "n", 1, 12);
    std::uint64_t room = 1;
    for (std::uint32_t i = 0; i < n; ++i)
    {
        room *= k; // 64^12 would overflow; the cap exceeds the hosts of any request
        room = std::min(room, std::uint64_t{1} << 32);
    }
    return FatTree(k, n, HostsFor(order, 0, room));
}

Topology
BuildClos(const TopologyOrder& order)
{
    ClosShape shape;
    shape.spines = Number(order, "m", 1, MOST_PER_SWITCH);
    shape.hostsPerLeaf = Number(order, "n", 1, MOST_PER_SWITCH);
    shape.leaves = Number(order, "r", 1, MOST_PER_SWITCH);
    const std::uint64_t switches = shape.spines + shape.leaves;
    const std::uint64_t room = std::uint64_t{shape.hostsPerLeaf} * shape.leaves;
    return Clos(shape, HostsFor(order, switches, room));
}

Topology
BuildDragonfly(const TopologyOrder& order)
{
    DragonflyShape shape;
    shape.routers = Number(order, "a", 1, MOST_PER_SWITCH);
    shape.hostsPerRouter = Number(order, "p", 1, MOST_PER_SWITCH);
    shape.globalPorts = Number(order, "h", 1, MOST_PER_SWITCH);
    const std::uint32_t most =
        std::min(shape.routers * shape.globalPorts + 1, std::uint32_t{MOST_SWITCHES});
    shape.groups = order.text.TakeNumber("g", 1, most, most, order.usage);
    const std::uint64_t switches = shape.Switches();
    return Dragonfly(shape, HostsFor(order, switches, switches * shape.hostsPerRouter));
}

Topology
BuildFile(const TopologyOrder& order)
{
    const std::string path = order.text.TakeShape();
    const std::size_t comma = path.rfind(',');
    const bool hasOption = comma != std::string::npos && path.find('=', comma) < path.size();
    std::error_code unread;
    if (hasOption && !std::filesystem::exists(path, unread))
    {
        order.text.Refuse(order.usage); // the option is misspelled
    }
    const GraphDescription graph = ReadGraph(path);
    const std::uint32_t hosts = HostsFor(order, graph.switches.size(), graph.hosts.size());
    return FromGraph(graph, hosts, order.text.Text());
}

constexpr std::array<TopologyFamily, 12> FAMILIES{{
    {"star", "star, without options of its own", &BuildStar},
    {"back-to-back", "back-to-back, without options of its own", &BuildBackToBack},
    {"crossbar", "crossbar, without options of its own", &BuildCrossbar},
    {"chain", "chain[:SWITCHES][,hosts=1 to 1024 per switch]", &BuildChain},
    {"ring", "ring[:SWITCHES][,hosts=1 to 1024 per switch]", &BuildRing},
    {"mesh", "mesh:8x8, any number of dimensions[,hosts=1 to 1024 per switch]", &BuildMesh},
    {"torus", "torus:8x8x4, any number of dimensions[,hosts=1 to 1024 per switch]", &BuildTorus},
    {"hypercube", "hypercube:D with D from 1 to 16[,hosts=1 to 1024 per switch]", &BuildHypercube},
    {"fat-tree", "fat-tree:k=K,n=N with K from 2 to 64, N from 1 to 12", &BuildFatTree},
    {"clos", "clos:m=SPINES,n=HOSTS,r=LEAVES, hosts per leaf; each from 1 to 1024", &BuildClos},
    {"dragonfly",
     "dragonfly:a=ROUTERS,p=HOSTS,h=CABLES[,g=GROUPS] of a group, a router, a router to other "
     "groups; each from 1 to 1024, at most a*h+1 groups",
     &BuildDragonfly},
    {"file", "file:PATH of a .graphml or .csv file", &BuildFile},
}};

} // namespace

const TopologyFamily&
FamilyOf(const TopologyText& text)
{
    const auto* const found =
        std::find_if(FAMILIES.begin(), FAMILIES.end(), [&text](const TopologyFamily& one) {
            return text.Family() == one.name;
        });
    if (found == FAMILIES.end())
    {
        std::string names;
        for (const TopologyFamily& one : FAMILIES)
        {
            names += (names.empty() ? "one of " : ", ") + std::string(one.name);
        }
        text.Refuse(names);
    }
    return *found;
}

} // namespace via
} // namespace ns3
