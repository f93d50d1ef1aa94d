/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
// Source routes in the heads of packets: a byte for each switch ahead, which takes its own away.

#include "../support/via-test-cluster-bench.h"

#include "ns3/via-error.h"

#include <boost/test/unit_test.hpp>

using namespace ns3::via;
using namespace ns3::via::test;

namespace
{

/// Bytes on the wires from n0 towards the last host: its uplink, then each switch's.
std::vector<std::uint64_t>
BytesOnTheWay(const std::string& routeBytes, const std::string& topology)
{
    ClusterConfig config = Config(topology, 3);
    config.profile = "gm-lanai9-200";
    config.overrides["link.route_bytes"] = routeBytes;
    Cluster cluster(config);
    const Adjacency graph(cluster.GetTopology());
    const ViplCosts costs = ViplCosts::From(cluster.Profile());
    WorkloadContext context;
    context.nics = {&cluster.NicAt(0), &cluster.NicAt(2)};
    context.limits = cluster.NicAt(0).Limits();
    context.costs = &costs;
    const auto workload = MakeWorkload("ping-pong", {{"size", "4"}, {"rounds", "1"}}, context);
    workload->Start();
    cluster.Run();
    std::vector<std::uint64_t> bytes = {cluster.GetFabric().Uplinks()[0]->BytesLeft()};
    for (Endpoint at = graph.hosts[0]; at.isSwitch;)
    {
        const SwitchShape& shape = cluster.GetTopology().switches[at.index];
        const std::uint32_t port = shape.table.To(2).port;
        bytes.push_back(cluster.GetFabric().Switches()[at.index]->Out(port).BytesLeft());
        at = graph.switches[at.index][port];
    }
    return bytes;
}

} // namespace

BOOST_AUTO_TEST_SUITE(RouteBytesTest)

BOOST_AUTO_TEST_CASE(EachSwitchAheadCostsItsBytesAndTakesThemAway)
{
    const std::vector<std::uint64_t> plain = BytesOnTheWay("0", "chain:3");
    const std::vector<std::uint64_t> routed = BytesOnTheWay("2", "chain:3");
    BOOST_REQUIRE(plain.size() == 4U);
    BOOST_TEST(routed[0] > plain[0]);
    const std::uint64_t perSwitch = (routed[0] - plain[0]) / 3; // 2 for each packet
    BOOST_TEST(perSwitch % 2 == 0U);
    for (std::size_t wire = 0; wire < plain.size(); ++wire)
    {
        BOOST_TEST(routed[wire] - plain[wire] == perSwitch * (3 - wire), "wire " << wire);
    }
}

BOOST_AUTO_TEST_CASE(ARouteMayNotBeLongerThanItsCounterIs)
{
    ClusterConfig config = Config("chain:300", 300);
    config.overrides["link.route_bytes"] = "1";
    BOOST_CHECK_THROW(Cluster{config}, ConfigError);
}

BOOST_AUTO_TEST_SUITE_END()
