/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
// Sockets of hosted programs on wires that lose cells, or are cut.

#include "support/via-test-program-bench.h"
#include "support/via-test-program-run.h"

#include <boost/test/unit_test.hpp>
#include <random>

using namespace ns3::via;
using namespace ns3::via::test;

namespace
{

constexpr LinkLoss ONE_OF_500{2'000'000, 0};

/// Runs a program on two nodes under a plan, twice: the digests must agree.
SharedRun
RunUnder(const FaultPlan& plan, const std::string& program, const Arguments& arguments)
{
    ClusterConfig config;
    config.nodes = 2;
    config.plan = plan;
    const SharedRun run = RunOnEachNode(BuiltProgram(program), arguments, 1, config);
    BOOST_TEST((run.report.exit == RunExit::SUCCESS));
    BOOST_TEST(run.report.digest ==
               RunOnEachNode(BuiltProgram(program), arguments, 1, config).report.digest);
    return run;
}

/// Cuts a wire, of the node that sends if none is named.
void
AddCut(FaultPlan& plan, Ps from, Ps until, const char* where = "n1")
{
    PlannedFault cut;
    cut.kind = FaultKind::LINK_DOWN;
    cut.where = where;
    cut.when = {from, until};
    plan.faults.push_back(cut);
}

FaultPlan
Loss()
{
    FaultPlan plan;
    plan.AddLoss("all", ONE_OF_500);
    return plan;
}

/// Cuts of up to a second, losses or both, drawn from @p number; 0: none.
FaultPlan
DrawnPlan(std::uint32_t number)
{
    std::mt19937 random(number);
    FaultPlan plan;
    Ps at = 0;
    for (std::uint32_t cuts = number % 3 == 1 ? 0 : number % 17; cuts > 0; --cuts)
    {
        const Ps from = at + random() % (1'000 * PS_PER_MS);
        at = from + random() % (random() % 2 == 0 ? PS_PER_MS : 1'000 * PS_PER_MS);
        AddCut(plan, from, at, random() % 2 == 0 ? "n0" : "n1");
    }
    if (number % 3 == 1)
    {
        plan.AddLoss("all", LinkLoss{random() % 1'000'000, random() % 300'000});
    }
    return plan;
}

/// Each of 3 connections with drawn lengths, pauses and ends carries every byte and its ends.
void
CheckExchanges(std::uint32_t number)
{
    BOOST_TEST_CONTEXT("number " << number)
    {
        ClusterConfig config;
        config.nodes = 2;
        config.plan = DrawnPlan(number);
        const Arguments arguments{std::to_string(number), "3"};
        const SharedRun run = RunOnEachNode(BuiltProgram("exchanges.c"), arguments, 1, config);
        BOOST_TEST((run.report.exit == RunExit::SUCCESS));
        BOOST_TEST(run.out == "3 exchanged\n3 exchanged\n");
        config.reference = true;
        const SharedRun oracle = RunOnEachNode(BuiltProgram("exchanges.c"), arguments, 1, config);
        BOOST_TEST(run.report.digest == oracle.report.digest);
    }
}

} // namespace

BOOST_AUTO_TEST_SUITE(program_lossy_socket)

BOOST_AUTO_TEST_CASE(EachByteAndEachEndOfAConnectionArrives)
{
    for (std::uint32_t number = 0; number < 40; ++number)
    {
        CheckExchanges(number);
    }
}

BOOST_AUTO_TEST_CASE(EachByteAndEachEndOfManyConnectionsArrives, *boost::unit_test::label("night"))
{
    for (std::uint32_t number = 40; number < 3'000; ++number)
    {
        CheckExchanges(number);
    }
}

BOOST_AUTO_TEST_CASE(TcpCarriesEveryByteOverALossyWire)
{
    const SharedRun run = RunUnder(Loss(), "tcp.c", {"bytes", "300000"});
    BOOST_TEST(run.out == "300000 bytes arrived, then the end 0\n");
    BOOST_TEST(run.report.cellsCorrupt > 0U);
}

BOOST_AUTO_TEST_CASE(TcpCarriesEveryByteAcrossCuts)
{
    FaultPlan plan;
    AddCut(plan, 3 * PS_PER_MS, 5 * PS_PER_MS);
    AddCut(plan, 200 * PS_PER_MS, 230 * PS_PER_MS); // as it tries again
    const SharedRun run = RunUnder(plan, "tcp.c", {"bytes", "1000000"});
    BOOST_TEST(run.out == "1000000 bytes arrived, then the end 0\n");
    BOOST_TEST(run.report.cellsLost > 0U);
    BOOST_TEST(run.report.end > 200 * PS_PER_MS); // TCP has waited for a time-out
}

BOOST_AUTO_TEST_CASE(AConnectionThroughADeadWireTimesOut)
{
    FaultPlan plan;
    AddCut(plan, 0, PS_NEVER);
    BOOST_TEST(RunUnder(plan, "tcp.c", {"unreachable"}).out == "connect: Connection timed out\n");
}

BOOST_AUTO_TEST_CASE(AWireThatIsCutForEverEndsTheSendersConnection)
{
    FaultPlan plan;
    AddCut(plan, 5 * PS_PER_MS, PS_NEVER);
    const std::string out = RunUnder(plan, "tcp.c", {"cut off"}).out;
    BOOST_TEST(Contains(out, "Connection timed out after bytes 1, late 1\n"), out);
    BOOST_TEST(Contains(out, "silence after bytes 1, late 1\n"), out); // nothing tells the receiver
}

BOOST_AUTO_TEST_CASE(AWindowWhoseOpeningIsLostIsFoundByProbes)
{
    FaultPlan plan; // the peer reads at 60 s, and tells it then
    AddCut(plan, 59'900 * PS_PER_MS, 65'000 * PS_PER_MS);
    const SharedRun run = RunUnder(plan, "tcp.c", {"read late", "65535"});
    BOOST_TEST(run.out == "66535 bytes\n");
    BOOST_TEST(run.report.cellsLost > 0U);
    BOOST_TEST(run.report.end > 65'000 * PS_PER_MS);
}

BOOST_AUTO_TEST_CASE(WhatUdpLosesIsLostAndTheRestArrivesAsItWas)
{
    const SharedRun run = RunUnder(Loss(), "datagrams.c", {"1000"});
    BOOST_TEST(Contains(run.out, "sent 1000\n"), run.out);
    BOOST_TEST(Contains(run.out, "lost "), run.out);
    BOOST_TEST(!Contains(run.out, "lost 0\n"), run.out);
    BOOST_TEST(!Contains(run.out, "lost 1000\n"), run.out);
}

BOOST_AUTO_TEST_CASE(UdpLosesNothingOnAWireThatLosesNothing)
{
    BOOST_TEST(Contains(RunUnder({}, "datagrams.c", {"1000"}).out, "lost 0\n"));
}

BOOST_AUTO_TEST_SUITE_END()
