/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
// Fabrics that stand still: a ring without a second lane does, and the run says which links wait.

#include "../support/via-test-cluster-bench.h"

#include "ns3/via-deadlock.h"

#include <boost/test/unit_test.hpp>

using namespace ns3::via;
using namespace ns3::via::test;

namespace
{

/// All to all over few credits: everybody's cells fill the buffers of the next switch.
RunReport
Crowded(const std::string& topology)
{
    Cluster cluster(Config(topology, 5));
    cluster.AddWorkload("all-to-all", {{"size", "60000"}, {"rounds", "2"}});
    return cluster.Run();
}

} // namespace

BOOST_AUTO_TEST_SUITE(DeadlockTest)

BOOST_AUTO_TEST_CASE(ARingOnOneLaneStandsStillAndNamesItsLinks)
{
    const RunReport report = Crowded("ring:5,routing=shortest-path,deadlock=allow");
    BOOST_TEST((report.exit == RunExit::DEADLOCK));
    BOOST_TEST(
        report.deadlock ==
        "cells wait for buffer space in a cycle: s0.1 -> s1 lane 0, s1.1 -> s2 lane 0, s2.1 -> s3 "
        "lane 0, s3.1 -> s4 lane 0, s4.1 -> s0 lane 0");
}

BOOST_AUTO_TEST_CASE(TheSameTrafficGoesThroughWithADatelineOrUpAndDown)
{
    for (const std::string topology : {"ring:5", "ring:5,routing=up-down"})
    {
        const RunReport report = Crowded(topology);
        BOOST_TEST((report.exit == RunExit::SUCCESS), topology);
        BOOST_TEST(report.deadlock.empty(), report.deadlock);
    }
}

BOOST_AUTO_TEST_CASE(PacketsOfMessagesThatShareAWireDoNotBlockEachOtherAtWormholeSwitches)
{
    for (const std::string profile : {"gm-lanai9-200", "bip", "mx-e", "myvia", "servernet2"})
    {
        for (const std::string topology : {"star", "mesh:2x3"})
        {
            for (const bool reference : {false, true})
            {
                ClusterConfig config = Config(topology, 6);
                config.profile = profile;
                config.reference = reference;
                const RunReport report =
                    RunWorkload(config, "all-to-all", {{"size", "20000"}, {"rounds", "1"}}).report;
                BOOST_TEST((report.exit == RunExit::SUCCESS), profile << " " << topology);
                BOOST_TEST(report.deadlock.empty(), report.deadlock);
            }
        }
    }
}

BOOST_AUTO_TEST_CASE(AProcessThatWaitsForNobodyIsNoDeadlockOfTheFabric)
{
    ClusterConfig config = Config("ring", 3);
    config.stop = 20 * PS_PER_US;
    BOOST_TEST(RunWorkload(config, "all-to-all").report.deadlock.empty());
}

BOOST_AUTO_TEST_SUITE_END()
