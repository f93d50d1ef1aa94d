/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
// The suite "via" of ns-3's test.py: what can be said without Boost.Test, and under ns-3's runner.

#include "ns3/node-container.h"
#include "ns3/simulator.h"
#include "ns3/test.h"
#include "ns3/via-cluster.h"
#include "ns3/via-error.h"
#include "ns3/via-helper.h"

#include <functional>
#include <string>
#include <sys/wait.h>
#include <unistd.h>

using namespace ns3;
using namespace ns3::via;

namespace
{

/// A NIC under ns-3's own resolution, which its runner has and the Boost.Test program has not.
class ResolutionTestCase : public TestCase
{
  public:
    ResolutionTestCase();

  private:
    void DoRun() override;
};

ResolutionTestCase::ResolutionTestCase()
    : TestCase("a NIC is refused unless the resolution is one picosecond")
{
}

void
ResolutionTestCase::DoRun()
{
    const NodeContainer nodes(2);
    bool refused = false;
    try
    {
        ViaHelper().Install(nodes);
    }
    catch (const ConfigError&)
    {
        refused = true;
    }
    const bool coarse = Time::GetResolution() != Time::PS;
    Simulator::Destroy();
    NS_TEST_ASSERT_MSG_EQ(refused, coarse, "resolution " << Time::GetResolution());
}

/// @return what a ping-pong of two nodes reports
RunReport
PingPong(std::uint64_t seed)
{
    ClusterConfig config;
    config.seed = seed;
    Cluster cluster(config);
    cluster.AddWorkload("ping-pong", {{"rounds", "20"}});
    return cluster.Run();
}

/**
 * Whole clusters. They run in a child process: the resolution is one of the whole process, and in
 * ns-3's runner other suites may come after this one.
 */
class ClusterTestCase : public TestCase
{
  public:
    /// @param name what holds @param holds whether it does; runs in the child
    ClusterTestCase(const std::string& name, const std::function<bool()>& holds);

  private:
    void DoRun() override;

    std::function<bool()> m_holds; ///< what is tried
};

ClusterTestCase::ClusterTestCase(const std::string& name, const std::function<bool()>& holds)
    : TestCase(name),
      m_holds(holds)
{
}

void
ClusterTestCase::DoRun()
{
    const pid_t child = ::fork();
    NS_TEST_ASSERT_MSG_NE(child, -1, "cannot start a process");
    if (child == 0)
    {
        ::_exit(m_holds() ? 0 : 1);
    }
    int status = 0;
    NS_TEST_ASSERT_MSG_EQ(::waitpid(child, &status, 0), child, "the process is lost");
    NS_TEST_ASSERT_MSG_EQ(status, 0, "it does not hold");
}

/// The suite "via" of ns-3's test.py.
class ViaTestSuite : public TestSuite
{
  public:
    ViaTestSuite();
};

ViaTestSuite::ViaTestSuite()
    : TestSuite("via", TestSuite::Type::SYSTEM)
{
    AddTestCase(new ResolutionTestCase());
    AddTestCase(new ClusterTestCase("a run that succeeds counts its messages", [] {
        const RunReport report = PingPong(1);
        return report.exit == RunExit::SUCCESS && report.messages == 40;
    }));
    AddTestCase(new ClusterTestCase("runs of the same seed have the same digest",
                                    [] { return PingPong(1).digest == PingPong(1).digest; }));
    AddTestCase(new ClusterTestCase("another seed has other phases, and another digest",
                                    [] { return PingPong(1).digest != PingPong(2).digest; }));
}

ViaTestSuite g_viaTestSuite; ///< registers itself with ns-3's runner

} // namespace
