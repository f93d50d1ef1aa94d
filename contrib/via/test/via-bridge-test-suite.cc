/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
// The Boost.Test cases as the suite "via-boost" of ns-3's test.py: ns-3 users find them there.
// there.

#include "ns3/test.h"

#include <cstdio>
#include <string>
#include <sys/wait.h>

using namespace ns3;

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

/// The suite "via-boost" of ns-3's test.py.
class ViaBridgeTestSuite : public TestSuite
{
  public:
    ViaBridgeTestSuite();
};

ViaBridgeTestSuite::ViaBridgeTestSuite()
    : TestSuite("via-boost", TestSuite::Type::SYSTEM)
{
    AddTestCase(new BoostProgramTestCase("!@ci:!@night"));
}

ViaBridgeTestSuite g_viaBridgeTestSuite; ///< registers itself with ns-3's runner

} // namespace
