/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
// Gates: modules beside a card hold its messages back.

#include "../support/via-test-cluster-bench.h"

#include "ns3/via-send-gate.h"

#include <boost/test/unit_test.hpp>
#include <map>
#include <string>

using namespace ns3::via;
using namespace ns3::via::test;

namespace
{

using Parameters = std::map<std::string, std::string>;

const Parameters ROUNDS{{"rounds", "3"}};

/// Host 0 of two plays ping-pong; no message of it begins before a time.
class GateBench : public SendGate
{
  public:
    GateBench()
    {
        cluster.AddWorkload("ping-pong", ROUNDS);
        cluster.NicAt(0).Sender().SetGate(*this);
    }

    RunReport Run(Ps until)
    {
        m_until = until;
        return cluster.Run();
    }

    void Close()
    {
        NoteClosed();
    }

    Cluster cluster{ClusterConfig()};
    std::uint32_t asked{0};

  private:
    bool MustWait(const VirtualInterface& vi, bool, Moment& at) override
    {
        ++asked;
        if (at.at < m_until)
        {
            cluster.NicAt(0).RingAgain(vi, m_until);
        }
        return at.at < m_until;
    }

    Ps m_until{0};
};

constexpr Ps LATE = 500 * PS_PER_US;

} // namespace

BOOST_AUTO_TEST_SUITE(SendGateTest)

BOOST_FIXTURE_TEST_CASE(AGateThatWasNeverClosedIsNotAsked, GateBench)
{
    BOOST_TEST((Run(LATE).exit == RunExit::SUCCESS));
    BOOST_TEST(asked == 0U);
}

BOOST_FIXTURE_TEST_CASE(AMessageThatIsHeldBackBeginsWhenItsDoorbellRingsAgain, GateBench)
{
    Close();
    const RunReport report = Run(LATE);
    BOOST_TEST((report.exit == RunExit::SUCCESS));
    BOOST_TEST(report.end > LATE);
    BOOST_TEST(asked == 4U); // once too early, then by the first, the second and the third message
}

BOOST_AUTO_TEST_CASE(AGateThatLetsMessagesPassChangesNoTime)
{
    const Ps without = RunWorkload(ClusterConfig(), "ping-pong", ROUNDS).report.end;
    GateBench bench;
    bench.Close();
    BOOST_TEST(bench.Run(0).end == without);
    BOOST_TEST(bench.asked == 3U);
}

BOOST_AUTO_TEST_SUITE_END()
