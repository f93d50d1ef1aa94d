/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
// Barriers that cards make: who can, and what they save.

#include "../support/via-test-protocol-bench.h"

#include "ns3/via-error.h"

#include <boost/test/unit_test.hpp>
#include <numeric>

using namespace ns3::via;
using namespace ns3::via::test;

namespace
{

/// The mean of 20 barriers, in ps.
Ps
BarrierTime(const std::string& name, std::uint32_t nodes)
{
    const ProtocolRun run =
        RunProtocol(name, nodes, {{"rounds", "20"}}, 1, false, "berkeley-via-lanai4");
    BOOST_TEST(run.finished);
    BOOST_TEST(run.violations.empty());
    return std::accumulate(run.samples.begin(), run.samples.end(), Ps{0}) / 20;
}

} // namespace

BOOST_AUTO_TEST_SUITE(NicBarrierTest)

BOOST_AUTO_TEST_CASE(CardsThatMakeNoBarriersAreRefusedByName)
{
    try
    {
        RunProtocol("nic-barrier", 4, {}, 1, false, "giganet-clan1000");
        BOOST_TEST(false);
    }
    catch (const ConfigError& error)
    {
        const std::string said = error.what();
        BOOST_TEST(said.find("nic.barrier") != std::string::npos, said);
        BOOST_TEST(said.find("nic.barrier = firmware") != std::string::npos, said);
    }
}

BOOST_AUTO_TEST_CASE(OnlyFirmwareMakesBarriers)
{
    ClusterConfig config = Config("star", 2);
    config.overrides = {{"nic.barrier", "firmware"}, {"nic.barrier_step", "10"}};
    BOOST_CHECK_THROW(Cluster{config}, ConfigError);
}

BOOST_AUTO_TEST_CASE(NoOtherTransportCanBeAskedFor)
{
    BOOST_CHECK_THROW(RunProtocol("nic-barrier", 4, {{"transport", "via-send"}}), ConfigError);
}

BOOST_AUTO_TEST_CASE(ItSavesTheWayThroughTheHostsInEachStep)
{
    const Ps two = BarrierTime("nic-barrier", 2);
    const Ps sixteen = BarrierTime("nic-barrier", 16);
    BOOST_TEST(sixteen < BarrierTime("barrier", 16));
    // three steps more, each of them shorter than the one with both hosts in it
    BOOST_TEST(sixteen - two < 3 * two);
}

BOOST_AUTO_TEST_CASE(EachStepCostsItsCyclesAtBothCards)
{
    const auto digest = [](const std::string& cycles) {
        ClusterConfig config = Config("star", 4);
        config.profile = "berkeley-via-lanai4";
        config.overrides = {{"nic.barrier_step", cycles}};
        return RunWorkload(config, "nic-barrier").report.digest;
    };
    BOOST_TEST(digest("100") == digest("100"));
    BOOST_TEST(digest("100") != digest("101"));
}

BOOST_AUTO_TEST_SUITE_END()
