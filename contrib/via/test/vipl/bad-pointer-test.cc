/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
// VIPL: a process that names memory that is not there ends alone.

#include "support/via-test-folders.h"
#include "support/via-test-program-bench.h"
#include "support/via-test-program-run.h"

#include "ns3/via-cluster.h"

#include <boost/test/data/monomorphic.hpp>
#include <boost/test/data/test_case.hpp>
#include <boost/test/unit_test.hpp>
#include <csignal>

using namespace ns3::via;
using namespace ns3::via::test;

namespace
{

constexpr std::uint32_t CALLS = 37; ///< of pointers.c

/// Runs pointers.c on @p nodes nodes, of which the last one must live on.
std::vector<ProcessReport>
Point(std::uint32_t nodes, const std::vector<std::string>& arguments)
{
    ClusterConfig config;
    config.nodes = nodes;
    Cluster cluster(config);
    for (std::uint32_t node = 0; node < nodes; ++node)
    {
        ProgramSpec spec;
        spec.path = BuiltProgram("pointers.c");
        spec.node = node;
        spec.size = nodes;
        spec.arguments = arguments;
        cluster.AddProgram(spec);
    }
    const RunReport report = cluster.Run();
    BOOST_TEST(report.processes.back().exit == 0, report.processes.back().report);
    return report.processes;
}

void
CheckFault(const ProcessReport& process, const std::string& part)
{
    BOOST_TEST(process.signal == SIGSEGV, process.report);
    BOOST_TEST(process.report.find("segmentation fault (SIGSEGV) at address 0x") == 0U,
               process.report);
    BOOST_TEST(Contains(process.report, part), process.report);
}

/// The calls of pointers.c that refuse a pointer instead, or only keep it.
bool
Refuses(std::uint32_t call, const std::string& how)
{
    const bool isTold = call == 3 || call == 8 || call == 20 || call == 21 || call >= 35;
    // constants can be read
    const bool isRead = call == 0 || call == 4 || call == 7 || call == 10 ||
                        (call >= 15 && call <= 19) || call == 28 || call == 30 || call == 33;
    return isTold || (how == "constant" && isRead);
}

} // namespace

BOOST_AUTO_TEST_SUITE(vipl_bad_pointer)

BOOST_DATA_TEST_CASE(
    ABadPointerInAnyCallEndsTheCallerAlone,
    boost::unit_test::data::make({"low", "constant", "no-address", "unmapped", "end"}),
    how)
{
    const std::vector<ProcessReport> processes = Point(CALLS + 1, {"call", how});
    for (std::uint32_t call = 0; call < CALLS; ++call)
    {
        BOOST_TEST_CONTEXT("call " << call)
        {
            if (Refuses(call, how) || (how == std::string("end") && processes[call].exit == 0))
            {
                BOOST_TEST(processes[call].exit == 0, processes[call].report);
            }
            else
            {
                CheckFault(processes[call], ", in Vip");
                CheckFault(processes[call], ", called from call (pointers.c:");
            }
        }
    }
}

BOOST_DATA_TEST_CASE(
    MemoryThatGoesWhileTheNicMayUseItEndsItsOwnerAlone,
    boost::unit_test::data::make({"unmapped", "protected", "before-post", "receive", "send"}),
    what)
{
    const std::vector<ProcessReport> processes = Point(3, {what});
    CheckFault(processes[0], "it is registered with the NIC, but was unmapped or protected");
    BOOST_TEST(processes[1].exit == 0, processes[1].report);
}

BOOST_AUTO_TEST_CASE(ABadPointerInAPollThatIsRepeatedEndsTheCallerAlone)
{
    const std::vector<ProcessReport> processes = Point(2, {"repeat"});
    CheckFault(processes[0], " at address 0x10, in VipRecvDone, called from take_away");
}

BOOST_AUTO_TEST_CASE(MemoryThatGoesWithTheProcessHarmsNobody)
{
    BOOST_TEST(Point(2, {"at-end"})[0].exit == 0);
}

BOOST_AUTO_TEST_CASE(AHandlerThatIsNoCodeEndsTheProcessAlone)
{
    CheckFault(Point(2, {"handler"})[0], " at address 0x10, in no code at all");
}

BOOST_AUTO_TEST_CASE(ARangeWithAHoleIsNotRegistered)
{
    const std::string out = RunOnNodes(BuiltProgram("pointers.c"), {{"hole"}, {"hole"}});
    BOOST_TEST(Contains(out, "[n0.0] 2 2 0\n"), out); // VIP_INVALID_PARAMETER until it is whole
}

BOOST_AUTO_TEST_CASE(WriteOfWhatIsNotThereFails)
{
    const std::string out = RunOnNodes(BuiltProgram("pointers.c"), {{"print"}, {"print"}});
    BOOST_TEST(Contains(out, "[n0.0] -1\n"), out);
}

BOOST_AUTO_TEST_CASE(AStackThatIsUsedUpInACallEndsTheCallerAlone)
{
    const std::vector<ProcessReport> processes = Point(2, {"deep"});
    BOOST_TEST(processes[0].signal == SIGSEGV);
    BOOST_TEST(processes[0].report.find("stack overflow (SIGSEGV), in VipQueryNic, called from "
                                        "deeper") == 0U,
               processes[0].report);
}

BOOST_AUTO_TEST_SUITE_END()
