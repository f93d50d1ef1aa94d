/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
// Who looks in on a run: it ends when he wants, or when simulated time stands still.

#include "ns3/via-cluster.h"
#include "ns3/via-run-control.h"
#include "ns3/via-run-ticks.h"

#include <boost/test/unit_test.hpp>
#include <string>

using namespace ns3::via;

namespace
{

/// Has work again and again at one instant.
class Busybody final : public AgendaTarget
{
  public:
    explicit Busybody(Host& host)
        : m_host(host)
    {
        Plan(1000);
    }

    void OnAgenda(std::uint32_t, std::uint64_t) override
    {
        Plan(m_host.Now());
    }

  private:
    void Plan(Ps at)
    {
        m_host.Schedule(at, Nic::WIRE_PORT, this, 3);
    }

    Host& m_host;
};

/// Says yes so many times.
class Visitor final : public RunMonitor
{
  public:
    explicit Visitor(std::uint32_t visits)
        : m_visits(visits)
    {
    }

    bool GoesOn() override
    {
        return m_visits-- > 0;
    }

  private:
    std::uint32_t m_visits;
};

} // namespace

BOOST_AUTO_TEST_SUITE(Standstills)

BOOST_AUTO_TEST_CASE(WorkThatComesAgainAtOneInstantIsNamed)
{
    Cluster cluster((ClusterConfig()));
    Busybody busybody(cluster.HostAt(1));
    Visitor visitor(1'000'000);
    const RunTicks ticks;
    const RunControl::Watch watch(visitor, 1);
    BOOST_CHECK_EXCEPTION(cluster.Run(), NoProgress, [](const NoProgress& error) {
        const std::string text = error.what();
        return text.find("time has stood still at 1000 ps") != std::string::npos &&
               text.find("n1 is handling event 3 of (anonymous namespace)::Busybody") !=
                   std::string::npos;
    });
}

BOOST_AUTO_TEST_CASE(AnOverseerEndsWorkThatNeverMovesOn)
{
    Cluster cluster((ClusterConfig()));
    Busybody busybody(cluster.HostAt(1));
    Visitor visitor(2);
    const RunTicks ticks;
    const RunControl::Watch watch(visitor, 0);
    cluster.Simulate();
    BOOST_TEST(RunControl::IsAsked());
    BOOST_TEST(cluster.GetWorld().agenda.Now() == 1000);
}

BOOST_AUTO_TEST_CASE(LongWorkOutsideOfARunCanBeEnded)
{
    Visitor visitor(0);
    const RunControl::Watch watch(visitor, 0);
    RunControl::Check();
    RunControl::Ask();
    BOOST_CHECK_THROW(RunControl::Check(), RunStopped);
}

BOOST_AUTO_TEST_SUITE_END()
