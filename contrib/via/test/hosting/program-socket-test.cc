/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
// Sockets, pipes and descriptors of hosted programs.

#include "support/via-test-program-bench.h"
#include "support/via-test-program-run.h"

#include <boost/test/unit_test.hpp>
#include <map>
#include <string>

using namespace ns3::via;
using namespace ns3::via::test;

namespace
{

/// Runs tcp.c on two nodes: rank 0 serves.
SharedRun
RunTcp(const Arguments& arguments)
{
    ClusterConfig config;
    config.nodes = 2;
    const SharedRun run = RunOnEachNode(BuiltProgram("tcp.c"), arguments, 1, config);
    for (const ProcessReport& process : run.report.processes)
    {
        BOOST_TEST_MESSAGE(process.report);
    }
    return run;
}

} // namespace

BOOST_AUTO_TEST_SUITE(program_socket)

BOOST_AUTO_TEST_CASE(DescriptorsPipesAndWaitingAreTheProcessOwn)
{
    const ProgramRun run = RunProgram(BuiltProgram("descriptors.c"));
    BOOST_TEST(run.process.exit == 0, run.process.report);
    BOOST_TEST(run.out == "numbers 3 4: into the file\n"
                          "pipes hello\n"
                          "a pipe holds 65000\n"
                          "pairs three\n"
                          "room and bytes are waited for\n"
                          "select waited 500 poll 20\n"
                          "sets are in sets\n"
                          "errors are told by name\n");
}

BOOST_AUTO_TEST_CASE(TcpCarriesEveryByteInOrder)
{
    const SharedRun run = RunTcp({"bytes", "1000000"});
    BOOST_TEST(run.out == "1000000 bytes arrived, then the end 0\n");
    BOOST_TEST(run.report.digest == RunTcp({"bytes", "1000000"}).report.digest);
}

BOOST_AUTO_TEST_CASE(ABigTransferIsChecked, *boost::unit_test::label("night"))
{
    BOOST_TEST(RunTcp({"bytes", "100000000"}).out == "100000000 bytes arrived, then the end 0\n");
}

BOOST_AUTO_TEST_CASE(BothEndsHaveNames)
{
    BOOST_TEST(RunTcp({"names"}).out ==
               "10.0.0.2:49153 - 10.0.0.1:5000 n0\n10.0.0.1:5000 - 10.0.0.2:49153 n1\n");
}

BOOST_AUTO_TEST_CASE(ConnectionsAreRefusedOrTimeOut)
{
    BOOST_TEST(RunTcp({"failures"}).out == "refused 1 soon 1 no host 1 late 1\n");
}

BOOST_AUTO_TEST_CASE(AFailingProcessClosesItsConnections)
{
    const SharedRun run = RunTcp({"aborts"});
    BOOST_TEST(run.report.processes.at(1).signal == 6);
    BOOST_TEST(run.out == "read 0 end, write -1 Broken pipe\n");
}

BOOST_AUTO_TEST_CASE(AResetIsSeen)
{
    BOOST_TEST(RunTcp({"resets"}).out ==
               "read -1 Connection reset by peer, write -1 Broken pipe\n");
}

BOOST_AUTO_TEST_CASE(APeerThatClosedLongAgoAnswersBytesWithAReset)
{
    BOOST_TEST(RunTcp({"late"}).out == "write: Broken pipe\n");
}

BOOST_AUTO_TEST_CASE(WhatAThreadClosesStaysOpenForTheCallsOfOthers)
{
    for (const std::string what : {"recv", "datagram", "pipe"})
    {
        const std::string program = BuiltProgram("closes.c");
        BOOST_TEST(RunOnNodes(program, {{what}, {what}}) == "[n1.0] " + what + " bytes\n");
    }
}

BOOST_AUTO_TEST_CASE(AThreadThatShutsDownAndClosesEndsTheCallsOfOthers)
{
    const std::string program = BuiltProgram("closes.c");
    for (const std::string what : {"recv end", "datagram end", "send bytes"}) // sent so far
    {
        const Arguments arguments{what.substr(0, what.find(' ')), "first"};
        BOOST_TEST(RunOnNodes(program, {arguments, arguments}) == "[n1.0] " + what + "\n");
    }
}

BOOST_AUTO_TEST_CASE(APeerHearsOfAnEndWhenItsProcessHasReachedItHoweverItEnds)
{
    ClusterConfig config;
    config.nodes = 2;
    for (const std::string how : {"close", "dup2", "fclose"})
    {
        config.reference = false;
        const SharedRun usual = RunOnEachNode(BuiltProgram("late-closes.c"), {how}, 1, config);
        config.reference = true;
        const SharedRun oracle = RunOnEachNode(BuiltProgram("late-closes.c"), {how}, 1, config);
        BOOST_TEST(usual.out == oracle.out, how);
        BOOST_TEST(usual.report.digest == oracle.report.digest, how);
        BOOST_TEST(std::stol(usual.out) > 4'000'000, how); // ns: the copy alone takes as long
    }
}

BOOST_AUTO_TEST_CASE(WhoSendsToAPeerThatNeverReadsIsReportedAsWaiting)
{
    const SharedRun run = RunTcp({"never read"});
    BOOST_TEST((run.report.exit == RunExit::DEADLOCK));
    BOOST_TEST(Contains(run.report.processes.at(1).report, "waits in a write to a descriptor"));
}

BOOST_AUTO_TEST_CASE(APeerThatReadsLateGetsWhatFilledItsWindowToTheByteAndWhatFollows)
{
    for (const unsigned long bytes : {65534, 65535, 65536}) // the window is 65535
    {
        BOOST_TEST(RunTcp({"read late", std::to_string(bytes)}).out ==
                   std::to_string(bytes + 1000) + " bytes\n");
    }
}

BOOST_AUTO_TEST_CASE(TwoConnectionsOfOnePortNeedTwoPeers)
{
    BOOST_TEST(RunTcp({"twice"}).out == "0 Success\n-1 Cannot assign requested address\n");
}

BOOST_AUTO_TEST_CASE(ConnectionsThatFailAndWrongArgumentsAreToldAsOnLinux)
{
    const std::map<std::string, std::string> lines{
        {"retry", "read 1"},
        {"reset after end", "read 10 0, send -1 Broken pipe"},
        {"time limits", "limits -1 0, all 3 in 100 ms, next 1"},
        {"never accepted", "read -1 Connection reset by peer"}};
    for (const auto& [what, line] : lines)
    {
        ClusterConfig config;
        config.nodes = 2;
        BOOST_TEST(RunOnEachNode(BuiltProgram("socket-errors.c"), {what}, 1, config).out ==
                   line + "\n");
    }
}

BOOST_AUTO_TEST_CASE(CallsOfOneProcessWithWrongArgumentsFailAsOnLinux)
{
    const std::map<std::string, std::string> lines{
        {"wrong sizes", "write -1 Bad address, poll -1 Invalid argument, read 1"},
        {"other names", "poll 0 1 40 1 100"},
        {"multicast", "sendto -1 Network is unreachable, connect -1 Network is unreachable"}};
    for (const auto& [what, line] : lines)
    {
        ClusterConfig config;
        config.nodes = 1;
        BOOST_TEST(RunOnEachNode(BuiltProgram("socket-errors.c"), {what}, 1, config).out ==
                   line + "\n");
    }
}

BOOST_AUTO_TEST_CASE(OneProcessServesManyConnections)
{
    BOOST_TEST(RunTcp({"many", "60"}).out == "served 60\n");
}

BOOST_AUTO_TEST_CASE(SelectWaitsForMoreThanTwoHundredSockets)
{
    const SharedRun run = RunTcp({"select", "210"});
    BOOST_TEST(run.out == "selected among 210, served 210\n");
    BOOST_TEST(run.report.digest == RunTcp({"select", "210"}).report.digest);
}

BOOST_AUTO_TEST_CASE(AThousandConnectionsAreServed, *boost::unit_test::label("night"))
{
    BOOST_TEST(RunTcp({"many", "1000"}).out == "served 1000\n");
}

BOOST_AUTO_TEST_CASE(DatagramsKeepTheirBounds)
{
    const std::string out = RunOnNodes(BuiltProgram("udp.c"), {{}, {}});
    BOOST_TEST(out == "[n1.0] 0 -1, 1 2, 1000 3, 5000 4, done\n[n0.0] silence: timeout\n");
}

BOOST_AUTO_TEST_CASE(NamesOfServicesAndInterfacesAreThoseOfTheSimulation)
{
    const std::string out = RunOnNodes(BuiltProgram("names.c"), {{}, {}});
    BOOST_TEST(out == "[n1.0] telnet is 23, lo 127.0.0.1, eth0 10.0.0.2, "
                      "lo 127.0.0.1 255.0.0.0, eth0 10.0.0.2 255.0.0.0, 10.255.255.255, done\n"
                      "[n0.0] 2 datagrams: one two, 100010 bytes of a file\n");
}

BOOST_AUTO_TEST_CASE(ThreadsWhoseSocketsAreTheFirstOfTheRunAreServed)
{
    ClusterConfig config;
    config.nodes = 2;
    config.profile = "myvia-m2000"; // two CPUs: threads are not in the order of their clocks
    config.controlNetwork = true;
    const SharedRun run = RunOnEachNode(BuiltProgram("first-sockets.c"), {}, 1, config);
    BOOST_TEST((run.report.exit == RunExit::SUCCESS));
    BOOST_TEST(run.out == "5 threads had a socket\n5 threads had a socket\n");
}

BOOST_AUTO_TEST_CASE(SystemTimeIsThatOfCallsAndOfTheKernelsWork)
{
    ClusterConfig config;
    config.nodes = 2;
    const SharedRun run = RunOnEachNode(BuiltProgram("usage.c"), {}, 1, config);
    const std::string sockets = "sockets: user below a tenth 1, system 1, sum 1\nticks 1 1\n";
    BOOST_TEST(Contains(run.out, "computing: user 1 system 0\n"));
    BOOST_TEST(Contains(run.out, "computing: user 0 system 0\n"));
    BOOST_TEST(Contains(run.out.substr(run.out.find(sockets) + 1), sockets));
    Ps processes = 0;
    Ps ofKernel = 0;
    for (const ProcessReport& process : run.report.processes)
    {
        BOOST_TEST(process.system < process.cpu);
        processes += process.cpu;
        ofKernel += process.system;
    }
    Ps all = 0;
    for (const auto& stage : run.report.cpu)
    {
        all += stage.second;
    }
    BOOST_TEST(processes <= all); // what the kernels did after the last calls is nobody's
    BOOST_TEST(processes > all - all / 100);
    BOOST_TEST(ofKernel > all / 2);
}

BOOST_AUTO_TEST_SUITE_END()
