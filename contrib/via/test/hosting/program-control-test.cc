/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
// The control network of hosted programs: a second network that costs nothing.

#include "support/via-test-program-bench.h"
#include "support/via-test-program-run.h"

#include <boost/test/unit_test.hpp>

using namespace ns3::via;
using namespace ns3::via::test;

namespace
{

/// Runs a program on each node, mostly of a cluster with a control network. Its own instructions
/// take no time: they are not what is compared.
SharedRun
RunBeside(const std::string& program,
          const Arguments& arguments,
          std::uint32_t nodes = 2,
          bool hasControl = true)
{
    ClusterConfig config;
    config.nodes = nodes;
    config.controlNetwork = hasControl;
    const std::string built = BuiltProgram(program, "--no-trace-pc");
    const SharedRun run = RunOnEachNode(built, arguments, 1, config, {"SERVER=c0"});
    for (const ProcessReport& process : run.report.processes)
    {
        BOOST_TEST_MESSAGE(process.report);
    }
    return run;
}

/// @return the CPU time of @p run's kernels and of its programs beside their own work, by stage
std::map<std::string, Ps>
KernelTime(const SharedRun& run)
{
    std::map<std::string, Ps> stages = run.report.cpu;
    stages.erase("compute");
    stages.erase("clock-call"); // ends at an edge of the clock that is read
    return stages;
}

} // namespace

BOOST_AUTO_TEST_SUITE(program_control)

BOOST_AUTO_TEST_CASE(WhatIsExchangedBeforeCostsNothing)
{
    const SharedRun alone = RunBeside("control.c", {"begin"}, 4);
    const SharedRun told = RunBeside("control.c", {"begin", "c"}, 4);
    const SharedRun onWire = RunBeside("control.c", {"begin", "n"}, 4);
    BOOST_TEST(alone.out.size() > 20);
    BOOST_TEST(told.out == alone.out);
    BOOST_TEST((KernelTime(told) == KernelTime(alone)));
    BOOST_TEST(KernelTime(onWire).at("system-call") > KernelTime(alone).at("system-call"));
}

BOOST_AUTO_TEST_CASE(WithoutItTheWireIsTheSame)
{
    BOOST_TEST(RunBeside("control.c", {"begin"}, 4, false).out ==
               RunBeside("control.c", {"begin", "c"}, 4).out);
}

BOOST_AUTO_TEST_CASE(ASocketWithoutAnAddressIsOnBothNetworks)
{
    const SharedRun run = RunBeside("control.c", {"networks"});
    BOOST_TEST(run.out == "c1 172.16.0.2, 172.16.0.2:5000\n"
                          "lo 127.0.0.1 eth0 10.0.0.2 ctl0 172.16.0.2 No route to host\n"
                          "n1 10.0.0.2, 10.0.0.2:5000\n");
}

BOOST_AUTO_TEST_CASE(BytesArriveWhenTheyAreSent)
{
    BOOST_TEST(RunBeside("control.c", {"instant"}).out == "1111111111");
}

BOOST_AUTO_TEST_CASE(WhoIsWokenThereSendsInTheOrderOfTimeWithWhatItsCardReceives)
{
    ClusterConfig config;
    config.nodes = 2;
    config.profile = "myvia-m2000";
    config.controlNetwork = true;
    const SharedRun usual = RunOnEachNode(BuiltProgram("control.c"), {"answers"}, 1, config);
    config.reference = true;
    const SharedRun oracle = RunOnEachNode(BuiltProgram("control.c"), {"answers"}, 1, config);
    BOOST_TEST(usual.report.processes.at(0).exit == 0);
    BOOST_TEST(usual.report.digest == oracle.report.digest);
}

BOOST_AUTO_TEST_CASE(StreamsBehaveAsOnTheWire)
{
    BOOST_TEST(RunBeside("tcp.c", {"bytes", "1000000"}).out ==
               "1000000 bytes arrived, then the end 0\n");
    BOOST_TEST(RunBeside("tcp.c", {"many", "60"}).out == "served 60\n");
    BOOST_TEST(RunBeside("tcp.c", {"select", "210"}).out == "selected among 210, served 210\n");
    BOOST_TEST(RunBeside("tcp.c", {"late"}).out == "write: Broken pipe\n");
    BOOST_TEST(RunBeside("tcp.c", {"names"}).out ==
               "172.16.0.2:32768 - 172.16.0.1:5000 c0\n172.16.0.1:5000 - 172.16.0.2:32768 c1\n");
}

BOOST_AUTO_TEST_CASE(StreamsFailAsOnTheWire)
{
    BOOST_TEST(RunBeside("tcp.c", {"aborts"}).out == "read 0 end, write -1 Broken pipe\n");
    BOOST_TEST(RunBeside("tcp.c", {"resets"}).out ==
               "read -1 Connection reset by peer, write -1 Broken pipe\n");
    BOOST_TEST(RunBeside("tcp.c", {"unreachable"}).out == "connect: Connection refused\n");
    const SharedRun run = RunBeside("tcp.c", {"never read"});
    BOOST_TEST((run.report.exit == RunExit::DEADLOCK));
    BOOST_TEST(Contains(run.report.processes.at(1).report, "waits in a write to a descriptor"));
}

BOOST_AUTO_TEST_CASE(DatagramsKeepTheirBoundsThere)
{
    BOOST_TEST(RunBeside("udp.c", {}).out == "0 -1, 1 2, 1000 3, 5000 4, done\nsilence: timeout\n");
}

BOOST_AUTO_TEST_CASE(ResultsRepeat)
{
    BOOST_TEST(RunBeside("tcp.c", {"many", "60"}).report.digest ==
               RunBeside("tcp.c", {"many", "60"}).report.digest);
}

BOOST_AUTO_TEST_SUITE_END()
