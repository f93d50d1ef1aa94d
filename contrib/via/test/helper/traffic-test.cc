/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
// Raw traffic over whole fabrics: known saturation points, losses to the cell, credits whole again.

#include "ns3/via-error.h"
#include "ns3/via-traffic-run.h"

#include <boost/test/unit_test.hpp>
#include <set>
#include <string>
#include <vector>

using namespace ns3::via;

namespace
{

/// A wide crossbar in slots: a switch of one cell time of latency, all clocks in step.
TrafficConfig
Slotted(const std::string& queueing, const std::string& arbitration)
{
    TrafficConfig config;
    config.topology = "crossbar";
    config.nodes = 32;
    config.profile = "ideal";
    config.slotted = true;
    config.plan.slots = 3'000;
    config.plan.warmUpSlots = 1'000;
    config.overrides = {{"switch.clock", "125 MHz"},
                        {"switch.latency", "53"},
                        {"switch.queueing", queueing},
                        {"link.credits", "4096"}};
    if (queueing != "output")
    {
        config.overrides["switch.arbitration"] = arbitration;
    }
    if (arbitration == "islip")
    {
        config.overrides["switch.iterations"] = "4";
    }
    return config;
}

TrafficReport
RunOf(const TrafficConfig& config)
{
    return TrafficRun(config).Run();
}

/// The same card in small, at a load.
TrafficConfig
Plain(const std::string& profile, std::uint64_t load)
{
    TrafficConfig config;
    config.topology = "crossbar";
    config.profile = profile;
    config.plan.load = load;
    config.plan.slots = 4'000;
    return config;
}

} // namespace

BOOST_AUTO_TEST_SUITE(TrafficTest)

BOOST_AUTO_TEST_CASE(FifoInputQueuesSaturateWhereKarolHluchyjAndMorganSay)
{
    const TrafficReport report = RunOf(Slotted("fifo", "round-robin"));
    BOOST_TEST(report.throughput > 575'000U); // 2 - sqrt 2 = 0.586 for many ports, 0.59 for 32
    BOOST_TEST(report.throughput < 605'000U);
}

BOOST_AUTO_TEST_CASE(VirtualOutputQueuesWithIslipDoNot)
{
    BOOST_TEST(RunOf(Slotted("voq", "islip")).throughput > 950'000U);
}

// The bound took the first of several ports: runs served more, or much less.
BOOST_AUTO_TEST_CASE(TheBoundKnowsHowPortsAreChosen)
{
    std::vector<std::uint64_t> bounds;
    for (const std::string routing : {"up-down", "ecmp", "adaptive"})
    {
        TrafficConfig config = Plain("giganet-clan1000", TrafficPlan::ALL / 10);
        config.topology = "fat-tree:k=4,n=2,routing=" + routing;
        config.nodes = 16;
        config.plan.pattern = TrafficPattern::TRANSPOSE; // 12 of 16 send
        config.overrides = {{"switch.feedback", "none"}};
        bounds.push_back(RunOf(config).bound);
        config.plan.load = bounds.back() * 16 / 12 * 9 / 10;
        BOOST_TEST(RunOf(config).throughput > bounds.back() * 86 / 100, routing);
    }
    BOOST_TEST(bounds[0] == 249'999U); // the three of a leaf share a wire
    BOOST_TEST(bounds[1] > bounds[0]);
    BOOST_TEST(bounds[2] == 750'000U); // each has its own
}

BOOST_AUTO_TEST_CASE(TheBoundKnowsPathsOfAnyLength)
{
    TrafficConfig config = Plain("giganet-clan1000", TrafficPlan::ALL / 1000);
    config.topology = "mesh:300,routing=adaptive";
    config.nodes = 300;
    config.plan.pattern = TrafficPattern::PERMUTATION;
    config.plan.slots = 10;
    BOOST_TEST(RunOf(config).bound > 0U);
}

BOOST_AUTO_TEST_CASE(OutputQueuesDoNotEither)
{
    BOOST_TEST(RunOf(Slotted("output", "")).throughput > 950'000U);
}

BOOST_AUTO_TEST_CASE(WhatIsDroppedIsCountedToTheCell)
{
    TrafficConfig config = Plain("mvia-tulip", TrafficPlan::ALL);
    config.plan.pattern = TrafficPattern::HOT_SPOT;
    config.plan.packetCells = 4;
    config.overrides = {{"switch.buffer_cells", "16"}};
    const TrafficReport report = RunOf(config);
    BOOST_TEST(report.dropped > 100U);
    BOOST_TEST(report.sent == report.delivered + report.dropped);
    BOOST_TEST(report.peakFill == 16U);
}

BOOST_AUTO_TEST_CASE(WithFlowControlNothingIsDropped)
{
    for (const char* profile : {"giganet-clan1000", "gm-lanai9-200", "mvia-gnic2", "infinihost"})
    {
        TrafficConfig config = Plain(profile, TrafficPlan::ALL);
        config.plan.pattern = TrafficPattern::HOT_SPOT;
        const TrafficReport report = RunOf(config);
        BOOST_TEST(report.sent == report.delivered, profile);
        BOOST_TEST(report.disordered == 0U, profile);
    }
}

BOOST_AUTO_TEST_CASE(CreditsAreWholeAgainAfterTenThousandVanishedCells)
{
    for (const char* profile : {"giganet-clan1000", "gm-lanai9-200", "mvia-gnic2", "mvia-tulip"})
    {
        TrafficConfig config = Plain(profile, TrafficPlan::ALL);
        config.loss.vanish = 200'000'000;
        config.plan.slots = 6'000;
        const TrafficReport report = RunOf(config); // which checks the credits
        BOOST_TEST(report.vanished > 10'000U, profile);
        BOOST_TEST(report.sent == report.delivered + report.vanished + report.dropped, profile);
    }
}

BOOST_AUTO_TEST_CASE(CardsWithSeveralWiresFillAllOfThem)
{
    TrafficConfig config = Plain("servernet2", TrafficPlan::ALL);
    config.overrides["nic.ports"] = "2"; // X and Y as stripes
    config.plan.pattern = TrafficPattern::PERMUTATION;
    const TrafficReport report = RunOf(config);
    BOOST_TEST(report.throughput > 900'000U);
    BOOST_TEST(report.sent == report.delivered);
    BOOST_TEST(report.disordered == 0U);
}

BOOST_AUTO_TEST_CASE(PacketsOfAPairStayInOrderOnAllLanes)
{
    TrafficConfig config = Plain("giganet-clan1000", 300'000);
    config.topology = "torus:4x4";
    config.nodes = 16;
    config.plan.packetCells = 4;
    const TrafficReport report = RunOf(config);
    BOOST_TEST(report.disordered == 0U);
    BOOST_TEST(report.sent == report.delivered);
}

BOOST_AUTO_TEST_CASE(ALonelyPacketTakesTheSameTimeThroughEverySwitch)
{
    std::set<Ps> times;
    for (const char* queueing : {"output", "fifo", "voq"})
    {
        for (const bool reference : {false, true})
        {
            TrafficConfig config = Slotted(queueing, "round-robin");
            config.nodes = 2;
            config.reference = reference;
            config.plan.pattern = TrafficPattern::PERMUTATION;
            config.plan.packetCells = 8;
            config.plan.load = 10'000;
            config.plan.slots = 20'000;
            const TrafficReport report = RunOf(config);
            times.insert(report.latencies.begin(), report.latencies.end());
        }
    }
    BOOST_TEST(times.size() == 1U);
}

BOOST_AUTO_TEST_CASE(AdaptiveRoutesKeepTheOrderOfPairs)
{
    TrafficConfig config = Plain("giganet-clan1000", 800'000);
    config.topology = "fat-tree:k=4,n=2,routing=adaptive";
    config.nodes = 16;
    config.plan.packetCells = 4;
    const TrafficReport report = RunOf(config);
    BOOST_TEST(report.disordered == 0U);
    BOOST_TEST(report.held > 0U); // packets did overtake each other
    BOOST_TEST(report.sent == report.delivered);
}

BOOST_AUTO_TEST_CASE(TenMillionCellsAtFullLoadAndNoneIsLost, *boost::unit_test::label("night"))
{
    TrafficConfig config = Plain("giganet-clan1000", TrafficPlan::ALL);
    config.topology = "fat-tree:k=4,n=2";
    config.nodes = 16;
    config.plan.slots = 700'000;
    const TrafficReport report = RunOf(config);
    BOOST_TEST(report.sent > 10'000'000U);
    BOOST_TEST(report.sent == report.delivered);
}

BOOST_AUTO_TEST_CASE(TheSameSeedGivesTheSameDigest)
{
    TrafficConfig config = Slotted("voq", "islip");
    config.plan.slots = 300;
    const std::string first = RunOf(config).digest;
    BOOST_TEST(RunOf(config).digest == first);
    config.plan.seed = 2;
    BOOST_TEST(RunOf(config).digest != first);
}

BOOST_AUTO_TEST_CASE(PatternsSendWhereTheirNamesSay)
{
    TrafficPlan plan;
    plan.pattern = ParseTrafficPattern("transpose");
    BOOST_TEST(plan.Destination(1, 0, 16) == 4U);
    plan.pattern = ParseTrafficPattern("bit-complement");
    BOOST_TEST(plan.Destination(5, 7, 16) == 10U);
    plan.pattern = ParseTrafficPattern("all-to-all");
    BOOST_TEST(plan.Destination(3, 14, 16) == 2U);
    plan.pattern = ParseTrafficPattern("permutation");
    std::set<NodeId> partners;
    for (std::uint32_t node = 0; node < 16; ++node)
    {
        partners.insert(plan.Destination(node, 0, 16));
        BOOST_TEST(plan.Destination(node, 0, 16) != node);
    }
    BOOST_TEST(partners.size() == 16U);
}

BOOST_AUTO_TEST_CASE(WhatCannotBeIsRefused)
{
    BOOST_CHECK_THROW(ParseTrafficPattern("sideways"), ConfigError);
    TrafficPlan plan;
    plan.pattern = TrafficPattern::TRANSPOSE;
    BOOST_CHECK_THROW(plan.Check(8), ConfigError);
    plan.pattern = TrafficPattern::BIT_COMPLEMENT;
    BOOST_CHECK_THROW(plan.Check(12), ConfigError);
    plan.pattern = TrafficPattern::UNIFORM;
    BOOST_CHECK_THROW(plan.Check(1), ConfigError);
    plan.load = 0;
    BOOST_CHECK_THROW(plan.Check(8), ConfigError);
}

BOOST_AUTO_TEST_SUITE_END()
