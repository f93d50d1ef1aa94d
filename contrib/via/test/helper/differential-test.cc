/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
// Random clusters, most of them contended, against the reference mode: the digests are equal.

#include "../support/via-test-random-clusters.h"
#include "../support/via-test-two-modes.h"

#include <boost/test/unit_test.hpp>

using namespace ns3::via;
using namespace ns3::via::test;

namespace
{

/// Compares the modes on the clusters that @p make draws for seeds from @p first to @p last.
void
Compare(Draw (*make)(std::uint64_t), std::uint64_t first, std::uint64_t last)
{
    for (std::uint64_t seed = first; seed <= last; ++seed)
    {
        const Draw draw = make(seed);
        const TwoModes modes = RunBothModes(draw.config, draw.workload, draw.parameters);
        BOOST_TEST(modes.AreEqual(), draw.shown);
        const bool isOver = modes.fast.report.exit == RunExit::SUCCESS;
        const bool mayEnd = draw.config.plan.IsEmpty() && draw.config.stop == PS_NEVER;
        BOOST_TEST((isOver || !mayEnd), draw.shown << " does not end");
    }
}

/// Compares the modes on one cluster.
void
CompareOne(const ClusterConfig& config, const std::string& workload, const Parameters& parameters)
{
    BOOST_TEST(RunBothModes(config, workload, parameters).AreEqual(), workload);
}

} // namespace

BOOST_AUTO_TEST_SUITE(DifferentialTest)

BOOST_AUTO_TEST_CASE(OneMessageInFlightIsEqualOnRandomHardware, *boost::unit_test::label("ci"))
{
    Compare(Quiet, 1, 250);
}

BOOST_AUTO_TEST_CASE(ContendedClustersAreEqual)
{
    Compare(Contended, 1, 40);
}

BOOST_AUTO_TEST_CASE(ManyContendedClustersAreEqual, *boost::unit_test::label("ci"))
{
    Compare(Contended, 41, 300);
}

BOOST_AUTO_TEST_CASE(ProductsAndProtocolsAreEqual)
{
    Compare(AnyProduct, 1, 60);
}

BOOST_AUTO_TEST_CASE(ManyProductsAndProtocolsAreEqual, *boost::unit_test::label("ci"))
{
    Compare(AnyProduct, 61, 400);
}

BOOST_AUTO_TEST_CASE(CablesThatDifferAreEqual)
{
    Compare(AnyCables, 1, 40);
}

BOOST_AUTO_TEST_CASE(ManyCablesThatDifferAreEqual, *boost::unit_test::label("ci"))
{
    Compare(AnyCables, 41, 300);
}

BOOST_AUTO_TEST_CASE(CrowdedSwitchesAreEqual)
{
    Compare(Crowded, 1, 60);
}

BOOST_AUTO_TEST_CASE(ManyCrowdedSwitchesAreEqual, *boost::unit_test::label("ci"))
{
    Compare(Crowded, 61, 400);
}

BOOST_AUTO_TEST_CASE(TransportsAndOptionsAreEqual)
{
    Compare(AnyOptions, 1, 60);
}

BOOST_AUTO_TEST_CASE(ManyTransportsAndOptionsAreEqual, *boost::unit_test::label("ci"))
{
    Compare(AnyOptions, 61, 400);
}

BOOST_AUTO_TEST_CASE(RunsThatAreStoppedAreEqual)
{
    Compare(StoppedAnywhere, 1, 60);
}

BOOST_AUTO_TEST_CASE(ManyRunsThatAreStoppedAreEqual, *boost::unit_test::label("ci"))
{
    Compare(StoppedAnywhere, 61, 400);
}

BOOST_AUTO_TEST_CASE(HostsThatFailAreEqual)
{
    Compare(HostsThatFail, 1, 40);
}

BOOST_AUTO_TEST_CASE(ManyHostsThatFailAreEqual, *boost::unit_test::label("ci"))
{
    Compare(HostsThatFail, 41, 300);
}

BOOST_AUTO_TEST_CASE(ClustersThatOnceDifferedAreEqual)
{
    // the last two: interrupts before the stop, in work that should end after it
    for (const std::uint64_t seed : {40208, 41109, 41735, 42967, 45407})
    {
        Compare(StoppedAnywhere, seed, seed);
    }
    Compare(HostsThatFail, 51577, 51577);
    for (const std::uint64_t seed : {50090, 50904, 52837})
    {
        Compare(HostsThatFail, seed, seed);
    }
    Compare(HostsThatFail, 53449, 53449);
    // the last two: a timer at the instant of a step that nobody had noticed
    for (const std::uint64_t seed : {1265, 19342, 19790, 20569, 21856, 21991, 10434, 19877})
    {
        Compare(AnyProduct, seed, seed);
    }
}

BOOST_AUTO_TEST_CASE(SomeWithOtherTransportsAndOptionsOnceDifferedToo)
{
    ClusterConfig writes = Config("star", 5, 1); // rings were shown writes of their future
    writes.profile = "bip";
    CompareOne(writes, "ricart-agrawala", {{"rounds", "2"}, {"transport", "via-rdma-write"}});

    ClusterConfig drops = Config("torus:4x4,rails=2", 8, 626); // a dropped frame had waited
    drops.profile = "mvia-tulip";
    drops.overrides = {{"link.credits", "8"},
                       {"link.lanes", "2"},
                       {"switch.queueing", "fifo"},
                       {"switch.arbitration", "round-robin"},
                       {"cpu.count", "2"}};
    CompareOne(drops, "gossip", {{"rounds", "3"}, {"size", "20000"}});

    ClusterConfig holds = Config("fat-tree:k=4,n=2,routing=adaptive", 12, 80); // cells that wait
    holds.profile = "gm2-lanaixp";
    CompareOne(holds, "view-synchrony", {{"rounds", "1"}, {"size", "20000"}});

    ClusterConfig sleeps = Config("torus:4x4", 6, 813); // a sleeper had ended
    sleeps.overrides = {{"switch.latency", "100"}, {"cpu.count", "2"}};
    sleeps.stop = 50'000 * PS_PER_US;
    CompareOne(sleeps, "mscs-join", {{"rounds", "5"}, {"transport", "kernel-udp"}, {"size", "64"}});
}

BOOST_AUTO_TEST_CASE(AProcessThatReadsWhenItsRunIsOverReadsOnInBoth)
{
    ClusterConfig config = Config("fat-tree:k=4,n=2", 12, 93685);
    config.profile = "myvia-m2000";
    config.overrides = {{"link.credits", "64"}, {"switch.latency", "1"}};
    CompareOne(config, "raft", {{"rounds", "2"}, {"transport", "kernel-tcp"}});
}

BOOST_AUTO_TEST_CASE(TwentyFourThousandClustersAreEqual, *boost::unit_test::label("night"))
{
    Compare(Contended, 1'000, 7'000);
    Compare(AnyProduct, 10'000, 22'000);
    Compare(AnyCables, 30'000, 36'000);
}

BOOST_AUTO_TEST_CASE(TwentyThousandCrowdedSwitchesAreEqual, *boost::unit_test::label("night"))
{
    Compare(Crowded, 60'000, 80'000);
}

BOOST_AUTO_TEST_CASE(TwentyThousandTransportsAndOptionsAreEqual, *boost::unit_test::label("night"))
{
    Compare(AnyOptions, 90'000, 110'000);
}

BOOST_AUTO_TEST_CASE(TenThousandStoppedOrFailingClustersAreEqual, *boost::unit_test::label("night"))
{
    Compare(StoppedAnywhere, 40'000, 46'000);
    Compare(HostsThatFail, 50'000, 54'000);
}

BOOST_AUTO_TEST_SUITE_END()
