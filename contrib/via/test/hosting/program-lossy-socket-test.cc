/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
// Sockets of hosted programs on wires that lose cells, or are cut.

#include "support/via-test-program-bench.h"
#include "support/via-test-program-run.h"

#include <boost/test/unit_test.hpp>

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

/// Cuts the wire of the node that sends.
void
AddCut(FaultPlan& plan, Ps from, Ps until)
{
    PlannedFault cut;
    cut.kind = FaultKind::LINK_DOWN;
    cut.where = "n1";
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

} // namespace

BOOST_AUTO_TEST_SUITE(program_lossy_socket)

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
