/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
// Each rule that must hold is broken on purpose by a part of the test: somebody must notice.

#include "../support/via-test-abort.h"
#include "../support/via-test-fabric-bench.h"

#include "ns3/via-stop-go.h"
#include "ns3/via-switch.h"

#include <boost/test/unit_test.hpp>

using namespace ns3::via;
using namespace ns3::via::test;

namespace
{

/// A wire, and behind it a switch of two ports whose second one leads to a host.
struct BrokenBench : TestWorld
{
    BrokenBench()
        : link(sender, TestLinkCosts(8), 3),
          crossbar(world, 1, "s0", Costs(), TestLinkCosts(8), 2)
    {
        link.Connect(crossbar, 0, crossbar.Entrance(), Switch::KindOfPort(0), Notice::FIRST_BIT);
        crossbar.Out(1).Connect(receiver, 0, &diary, 0, Notice::LAST_BIT);
        crossbar.SetUpstream(0, &link);
        crossbar.SetRoutes(RouteTable(std::vector<Route>{{1}, {1}, {1}}));
    }

    static SwitchCosts Costs()
    {
        SwitchCosts costs;
        costs.clock = {62'500'000, 1};
        costs.latency = Cycles(31);
        return costs;
    }

    Component sender{world, 0, "a"};
    Component receiver{world, 2, "b"};
    Diary diary{world.agenda};
    DepartureRecorder departures;
    PacketMaker maker{world};
    Link link;
    Switch crossbar;
};

} // namespace

BOOST_AUTO_TEST_SUITE(BrokenFabricTest)

BOOST_FIXTURE_TEST_CASE(AHealthyFabricHasNoViolation, BrokenBench)
{
    Transmit(link, maker.Make(4, 0), departures);
    Run();
    crossbar.Out(1).ReturnCredits(4, world.agenda.Now());
    BOOST_TEST(link.Violation() == "");
    BOOST_TEST(crossbar.Violation() == "");
}

BOOST_FIXTURE_TEST_CASE(AReceiverThatKeepsACreditIsFound, BrokenBench)
{
    Transmit(link, maker.Make(4, 0), departures);
    Run();
    crossbar.Out(1).ReturnCredits(3, world.agenda.Now());
    BOOST_TEST(crossbar.Violation().find("1 credits are missing") != std::string::npos);
}

BOOST_FIXTURE_TEST_CASE(ASwitchThatKeepsCellsIsFound, BrokenBench)
{
    Transmit(link, maker.Make(8, 0), departures);
    Run();
    Transmit(link, maker.Make(2, world.agenda.Now()), departures); // no room behind the switch
    Run();
    BOOST_TEST(crossbar.Violation().find("10 cells in, 8 out, 0 dropped") != std::string::npos);
}

BOOST_FIXTURE_TEST_CASE(AReceiverThatReturnsACreditTwiceEndsTheRun, BrokenBench)
{
    Transmit(link, maker.Make(1, 0), departures);
    Run();
    Link& out = crossbar.Out(1);
    BOOST_TEST(Aborts([&] { out.ReturnCredits(2, world.agenda.Now()); }));
    BOOST_TEST(!Aborts([&] { out.ReturnCredits(1, world.agenda.Now()); }));
}

BOOST_AUTO_TEST_CASE(ASenderThatDoesNotHearTheStopEndsTheRun)
{
    StopGo gate({10, 6, 3});
    for (int i = 0; i < 11; ++i)
    {
        gate.Sent(1'000);
    }
    BOOST_TEST(Aborts([&] { gate.IsStopped(1'000); }));
}

BOOST_AUTO_TEST_CASE(ACellThatLeavesTwiceIsNotCountedTwice)
{
    StopGo gate({10, 6, 3});
    gate.Sent(1'000);
    gate.Sent(1'000);
    gate.Freed(3, 2'000);
    gate.IsStopped(3'000);
    BOOST_TEST(gate.Outstanding() == 0U);
}

BOOST_AUTO_TEST_SUITE_END()
