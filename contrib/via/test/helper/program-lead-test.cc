/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
// How long a card takes at least from a program's doorbell to its first cell.

#include "../support/via-test-cluster-bench.h"

#include "ns3/via-nic-barrier.h"
#include "ns3/via-profile-reader.h"

#include <algorithm>
#include <boost/test/unit_test.hpp>
#include <map>
#include <string>

using namespace ns3::via;
using namespace ns3::via::test;

namespace
{

ClusterConfig
PairOf(const std::string& product)
{
    ClusterConfig config = Recorded("star", 2);
    config.profile = product;
    return config;
}

Leads
LeadsOf(const std::string& product)
{
    Cluster cluster(PairOf(product));
    return cluster.LeastLeads();
}

/// Of a message, when its doorbell began and when its first bit left.
struct Departure
{
    Ps rung{PS_NEVER};
    Ps left{PS_NEVER};
};

std::map<std::string, Departure>
DeparturesOf(const std::string& product)
{
    std::map<std::string, Departure> departures;
    const WorkloadRun run =
        RunWorkload(PairOf(product), "ping-pong", {{"size", "1"}, {"rounds", "8"}});
    for (const BreakdownRow& row : run.breakdown)
    {
        Departure& departure = departures[row.message];
        Ps& first = row.stage == "doorbell" ? departure.rung : departure.left;
        if (row.stage == "doorbell" || row.stage == "propagate")
        {
            first = std::min(first, row.start);
        }
    }
    return departures;
}

} // namespace

BOOST_AUTO_TEST_SUITE(ProgramLeadTest)

BOOST_AUTO_TEST_CASE(NoCardSendsSoonerThanItsLead)
{
    for (const std::string& product : ProductNames())
    {
        const Ps lead = LeadsOf(product).program;
        for (const auto& [message, departure] : DeparturesOf(product))
        {
            BOOST_TEST(departure.left - departure.rung >= lead, product << " " << message);
        }
    }
}

BOOST_AUTO_TEST_CASE(WhoHarvestsAReceiveFirstSendsLaterByBothCalls)
{
    for (const std::string& product : ProductNames())
    {
        const Ps lead = LeadsOf(product).program + LeadsOf(product).call;
        std::map<std::uint32_t, Ps> harvested; // by rank: when it began to, before its last message
        std::uint32_t seen = 0;
        WorkloadRun run =
            RunWorkload(PairOf(product), "ping-pong", {{"size", "1"}, {"rounds", "8"}});
        std::stable_sort(run.breakdown.begin(),
                         run.breakdown.end(),
                         [](const auto& a, const auto& b) { return a.start < b.start; });
        for (const BreakdownRow& row : run.breakdown)
        {
            if (row.stage == "reap")
            {
                harvested[row.destinationRank] = row.start;
            }
            else if (row.stage == "propagate" && harvested.count(row.sourceRank) > 0)
            {
                ++seen;
                BOOST_TEST(row.start - harvested[row.sourceRank] >= lead, product);
            }
        }
        BOOST_TEST(seen >= 14U, product);
    }
}

BOOST_AUTO_TEST_CASE(ControlPacketsPassTheDecoderAndTheKernelAgent)
{
    const Leads leads = LeadsOf("giganet-clan1000");
    BOOST_TEST(leads.control == leads.program); // of a program that a card has woken
    Cluster cluster(PairOf("giganet-clan1000"));
    const Ps control = cluster.NicAt(0).LeastLeads().control;
    BOOST_TEST(control == 96'000 + 2'000'000 - 8); // 6 and 125 cycles at 62.5 MHz
    BOOST_TEST(leads.send == 780'000 + 96'000 + 64'000 - 8);
    BOOST_TEST(leads.call == 500'000 + 600'000 - 2); // 150 and 180 cycles at 300 MHz
}

BOOST_AUTO_TEST_CASE(NothingIsKnownOfCardsThatSendAgain)
{
    ClusterConfig config = PairOf("giganet-clan1000");
    config.plan.AddLoss("all", {10'000'000, 1'000'000});
    const Leads leads = Cluster(config).LeastLeads();
    BOOST_TEST(leads.control == 0);
    BOOST_TEST(leads.call == 0);
    BOOST_TEST(leads.program > 0);
}

BOOST_AUTO_TEST_CASE(TheLeadIsThatOfTheFirstStages)
{
    // cLAN: the store 6 clocks and the fetch of 32 bytes 26 at 33.3 MHz, decode 6 and segment 4 at
    // 62.5 MHz
    BOOST_TEST(LeadsOf("giganet-clan1000").program == 180'000 + 780'000 + 96'000 + 64'000 - 8);
}

BOOST_AUTO_TEST_CASE(KernelsAndBarriersOfCardsLeaveNoLead)
{
    BOOST_TEST(LeadsOf("mvia-gnic2").program == 0);
    Cluster cluster(PairOf("gm-lanai9-133"));
    BOOST_TEST(cluster.NicAt(0).LeastLeads().program > 0);
    std::uint32_t finished = 0;
    const NicBarrier barrier(cluster.NicAt(0), {{1}, &finished, 0});
    BOOST_TEST(cluster.NicAt(0).LeastLeads().program == 0);
}

BOOST_AUTO_TEST_SUITE_END()
