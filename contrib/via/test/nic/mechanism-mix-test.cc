/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
// What holds for every card, whatever it is made of.

#include "../support/via-test-variant.h"
#include "../support/via-test-vipl-tour.h"

#include "ns3/via-profile-schema.h"

#include <boost/test/unit_test.hpp>

using namespace ns3::via;
using namespace ns3::via::test;

namespace
{

bool
IsInCycles(const std::string& key)
{
    return FindProfileKey(key)->unit.find("cycles") != std::string::npos;
}

std::string
TourDigest(ClusterConfig config)
{
    config.record = false;
    const WorkloadRun run = RunTour(config);
    BOOST_TEST((run.report.exit == RunExit::SUCCESS), run.report.profile);
    return run.report.digest;
}

} // namespace

BOOST_AUTO_TEST_SUITE(MechanismMixTest)

BOOST_AUTO_TEST_CASE(ACycleMoreInEveryKeyOfAMechanismIsAnotherDigest)
{
    for (const NamedChanges& card : AllVariants())
    {
        const Variant variant(card.changes);
        ClusterConfig config = variant.Recorded("star", 2);
        const std::string digest = TourDigest(config);
        for (const auto& [key, value] : card.changes)
        {
            if (IsInCycles(key))
            {
                config.overrides = {{key, std::to_string(std::stoull(value) + 1)}};
                BOOST_TEST(TourDigest(config) != digest, card.name << ", " << key);
            }
        }
    }
}

BOOST_AUTO_TEST_CASE(OneMessageInFlightTakesTheSameTimeInBothModes)
{
    for (const NamedChanges& card : AllVariants())
    {
        const Variant variant(card.changes);
        for (const std::string size : {"0", "4", "1000", "4096", "30000"})
        {
            ClusterConfig config = variant.Recorded("star", 2);
            // one round: a receive that is posted again would meet the answer on the bus; and no
            // message so long that it is acknowledged half way, by the same firmware
            const Parameters parameters = {{"size", size}, {"rounds", "1"}};
            const WorkloadRun fast = RunWorkload(config, "ping-pong", parameters);
            config.reference = true;
            const WorkloadRun reference = RunWorkload(config, "ping-pong", parameters);
            BOOST_TEST(fast.samples == reference.samples, card.name << ", " << size << " bytes");
            BOOST_TEST(EveryMessageIsTiled(fast), card.name << ", " << size << " bytes");
            BOOST_TEST(EveryMessageIsTiled(reference), card.name << ", " << size << " bytes");
        }
    }
}

BOOST_AUTO_TEST_CASE(NothingIsLeftBehindAndRowsTileUnderContention)
{
    for (const NamedChanges& card : AllVariants())
    {
        const Variant variant(card.changes);
        for (const std::string workload : {"stream", "barrier", "all-to-all"})
        {
            const WorkloadRun run =
                RunWorkload(variant.Recorded("star", 4), workload, {{"size", "5000"}});
            const std::string name = card.name + ", " + workload;
            BOOST_TEST((run.report.exit == RunExit::SUCCESS), name);
            BOOST_TEST(run.packetsAlive == 0U, name);
            BOOST_TEST(run.cellsMissing == 0U, name);
            BOOST_TEST(run.cellsIntoSwitches == run.cellsOutOfSwitches, name);
            BOOST_TEST(EveryMessageIsTiled(run), name);
        }
    }
}

BOOST_AUTO_TEST_CASE(WhatWiresSpoilIsSentAgain)
{
    constexpr std::uint64_t perMille = 1'000'000; // of a thousand million cells
    for (const NamedChanges& card : AllVariants())
    {
        const Variant variant(card.changes);
        for (const LinkLoss loss : {LinkLoss{10 * perMille, 0}, LinkLoss{0, 10 * perMille}})
        {
            ClusterConfig config = variant.Recorded("star", 4);
            config.plan.AddLoss("all", loss);
            const WorkloadRun run =
                RunWorkload(config, "all-to-all", {{"size", "5000"}, {"rounds", "2"}});
            BOOST_TEST((run.report.exit == RunExit::SUCCESS), card.name);
            BOOST_TEST(run.unacknowledged == 0U, card.name);
            BOOST_TEST(run.cellsMissing == 0U, card.name);
            BOOST_TEST(run.packetsAlive == 0U, card.name);
            BOOST_TEST(EveryMessageIsTiled(run), card.name);
        }
    }
}

BOOST_AUTO_TEST_CASE(ARunCanBeRepeatedAndEveryCardHasItsOwnDigest)
{
    std::map<std::string, std::string> digests;
    for (const NamedChanges& card : AllVariants())
    {
        const Variant variant(card.changes);
        const ClusterConfig config = variant.Recorded("star", 4);
        const std::string digest = RunWorkload(config, "all-to-all").report.digest;
        BOOST_TEST(digest == RunWorkload(config, "all-to-all").report.digest, card.name);
        BOOST_TEST(digests.emplace(digest, card.name).second, card.name);
    }
}

BOOST_AUTO_TEST_SUITE_END()
