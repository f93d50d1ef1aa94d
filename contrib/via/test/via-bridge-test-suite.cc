/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
// The Boost.Test cases as one suite of ns-3's test.py, so that an ns-3 user finds them there.

#include "ns3/node-container.h"
#include "ns3/simulator.h"
#include "ns3/test.h"
#include "ns3/via-error.h"
#include "ns3/via-helper.h"

#include <cstdio>
#include <string>
#include <sys/wait.h>

using namespace ns3;
using namespace ns3::via;

namespace
{

/// Runs the Boost.Test program; its report becomes the message of a failure.
class BoostProgramTestCase : public TestCase
{
  public:
    /// @param selector what --run_test chooses, in Boost's own syntax
    explicit BoostProgramTestCase(const std::string& selector);

  private:
    void DoRun() override;

    std::string m_selector; ///< Boost's --run_test
};

BoostProgramTestCase::BoostProgramTestCase(const std::string& selector)
    : TestCase("Boost.Test cases " + selector + " of via-tests"),
      m_selector(selector)
{
}

void
BoostProgramTestCase::DoRun()
{
    const std::string command =
        "'" VIA_TESTS_BINARY "' --catch_system_errors=no --run_test='" + m_selector + "' 2>&1";
    std::FILE* pipe = ::popen(command.c_str(), "r");
    NS_TEST_ASSERT_MSG_EQ((pipe != nullptr), true, "cannot start " << command);
    std::string report;
    char chunk[4096];
    while (const std::size_t got = std::fread(chunk, 1, sizeof(chunk), pipe))
    {
        report.append(chunk, got);
    }
    const int status = ::pclose(pipe);
    NS_TEST_ASSERT_MSG_EQ((WIFEXITED(status) && WEXITSTATUS(status) == 0), true, report);
}

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

/// The suite "via" of ns-3's test.py.
class ViaBridgeTestSuite : public TestSuite
{
  public:
    ViaBridgeTestSuite();
};

ViaBridgeTestSuite::ViaBridgeTestSuite()
    : TestSuite("via", TestSuite::Type::SYSTEM)
{
    AddTestCase(new BoostProgramTestCase("!@ci:!@night"));
    AddTestCase(new ResolutionTestCase());
}

ViaBridgeTestSuite g_viaBridgeTestSuite; ///< registers itself with ns-3's runner

} // namespace
