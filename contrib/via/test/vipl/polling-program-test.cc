/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
// Programs in C that poll: as the poll-by-poll reference, and for next to no events.

#include "support/via-test-folders.h"
#include "support/via-test-program-bench.h"

#include "ns3/via-cluster.h"

#include <boost/test/unit_test.hpp>
#include <fstream>
#include <unistd.h>

using namespace ns3::via;
using namespace ns3::via::test;

namespace
{

const std::string EXAMPLES = (SourceFolder() / "examples/").string();

struct PolledProgram
{
    std::uint64_t polls{0};
    Ps end{0};
    std::uint64_t events{0};
};

std::string
Polls()
{
    return BuiltProgram("polls.c",
                        "-I'" + EXAMPLES + "' '" + EXAMPLES + "vipl-util.c' '" + EXAMPLES +
                            "vipl-connect.c' '" + EXAMPLES + "vipl-options.c'");
}

PolledProgram
Run(const std::string& mode, bool reference, const std::string& workUs = "10000")
{
    const std::string path = "/tmp/via-polls." + std::to_string(getpid());
    ClusterConfig config;
    config.reference = reference;
    Cluster cluster(config);
    for (std::uint32_t node = 0; node < 2; ++node)
    {
        ProgramSpec spec;
        spec.path = Polls();
        spec.node = node;
        spec.size = 2;
        spec.arguments = {"-m", mode, "-o", path, "-w", workUs};
        cluster.AddProgram(spec);
    }
    const RunReport report = cluster.Run();
    BOOST_TEST((report.exit == RunExit::SUCCESS));
    PolledProgram polled;
    std::ifstream(path) >> polled.polls;
    unlink(path.c_str());
    polled.end = report.processes[1].end;
    polled.events = report.events;
    return polled;
}

void
Check(const std::string& mode)
{
    const PolledProgram fast = Run(mode, false);
    const PolledProgram slow = Run(mode, true);
    BOOST_TEST(fast.polls >= 100u);
    BOOST_TEST(fast.polls == slow.polls);
    BOOST_TEST(fast.end == slow.end);
    const PolledProgram atOnce = Run(mode, false, "0");
    BOOST_TEST(fast.events <= atOnce.events + 50);
}

} // namespace

BOOST_AUTO_TEST_SUITE(polling_program)

BOOST_AUTO_TEST_CASE(ATightLoopOfRecvDone)
{
    Check("tight");
}

BOOST_AUTO_TEST_CASE(TwoVisInTurn)
{
    Check("in-turn");
}

BOOST_AUTO_TEST_CASE(CqDoneAndQueryVi)
{
    Check("query");
}

BOOST_AUTO_TEST_CASE(AHundredPollsThenCqWait)
{
    Check("then-wait");
}

BOOST_AUTO_TEST_CASE(ATimeOutByGettimeofday)
{
    Check("time-out");
}

BOOST_AUTO_TEST_CASE(AFlagInMemoryThatThePeerWrites)
{
    Check("flag");
}

BOOST_AUTO_TEST_SUITE_END()
