/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
// Virtual lanes and marks on a wire: turns, rooms of their own, one lane as ever, broken receivers.

#include "../support/via-test-fabric-bench.h"

#include "ns3/via-error.h"

#include <boost/test/unit_test.hpp>

using namespace ns3::via;
using namespace ns3::via::test;

namespace
{

LinkCosts
Lanes(std::uint32_t lanes, std::uint32_t credits)
{
    LinkCosts costs = TestLinkCosts(credits);
    costs.lanes = lanes;
    return costs;
}

LinkCosts
Marks(FlowControl flow)
{
    LinkCosts costs = TestLinkCosts(32);
    costs.flow = flow;
    costs.stopMark = 16;
    costs.goMark = 8;
    costs.pauseTime = flow == FlowControl::PAUSE ? 1'000'000 : 0;
    return costs;
}

/// A wire from component 0 to component 1.
struct LaneBench : TestWorld
{
    explicit LaneBench(const LinkCosts& costs = Lanes(2, 8))
        : link(sender, costs, 3)
    {
        link.Connect(receiver, 5, &diary, 9, Notice::LAST_BIT);
    }

    /// A packet of @p count cells on @p lane. @return the last one
    Cell* Hand(std::uint32_t lane, std::uint32_t count, Ps at = 0)
    {
        const Cells cells = maker.Make(count, at);
        for (Cell* cell : cells)
        {
            cell->lane = static_cast<std::uint8_t>(lane);
        }
        Transmit(link, cells, departures);
        return cells.back();
    }

    Component sender{world, 0, "a"};
    Component receiver{world, 1, "b"};
    Diary diary{world.agenda};
    DepartureRecorder departures;
    PacketMaker maker{world};
    Link link;
};

struct StopBench : LaneBench
{
    StopBench()
        : LaneBench(Marks(FlowControl::STOP_AND_GO))
    {
    }
};

} // namespace

BOOST_AUTO_TEST_SUITE(LaneTest)

BOOST_FIXTURE_TEST_CASE(LanesTakeTheWireInTurn, LaneBench)
{
    Cell* a = Hand(0, 1);
    Cell* b = Hand(0, 1);
    Cell* c = Hand(1, 1);
    Run();
    BOOST_TEST(b->departed == c->departed + TEST_CELL_TIME);
    BOOST_TEST(c->departed == a->departed + TEST_CELL_TIME);
}

BOOST_FIXTURE_TEST_CASE(AFullLaneStopsNobodyElse, LaneBench)
{
    Hand(0, 8);
    Cell* stuck = Hand(0, 2);
    Cell* free = Hand(1, 2);
    Run();
    BOOST_TEST(free->departed > 0);
    BOOST_TEST(link.WaitingCells() == 2U);
    const Ps now = sender.Now();
    link.OfLane(0)->ReturnCredits(8, now);
    Run();
    BOOST_TEST(stuck->departed >= now + link.CreditLookahead());
}

BOOST_FIXTURE_TEST_CASE(ALaneWhoseCreditIsOnItsWayDoesNotTakeTheWire, LaneBench)
{
    Hand(0, 8);
    Cell* late = Hand(0, 1);
    Run();
    const Ps now = sender.Now();
    link.OfLane(0)->ReturnCredits(1, now);
    Cell* free = Hand(1, 1, now);
    Run();
    BOOST_TEST(late->departed >= now + link.CreditLookahead());
    BOOST_TEST(free->departed < late->departed);
}

BOOST_FIXTURE_TEST_CASE(CreditsOfALaneAreItsOwn, LaneBench)
{
    Hand(0, 8);
    Hand(1, 8);
    Run();
    BOOST_TEST(link.CellsOut() == 16U);
    link.OfLane(0)->ReturnCredits(8, sender.Now());
    BOOST_TEST(link.CellsOut() == 8U);
    BOOST_TEST(!link.Violation().empty());
    link.OfLane(1)->ReturnCredits(8, sender.Now());
    BOOST_TEST(link.Violation() == "");
}

BOOST_FIXTURE_TEST_CASE(ToAHostThereIsOneLane, LaneBench)
{
    link.EndAtHost(false);
    Cell* cell = Hand(1, 1);
    BOOST_TEST(cell->lane == 0U);
    BOOST_TEST(link.OfLane(1) == link.OfLane(0));
}

BOOST_AUTO_TEST_CASE(OneMessageTakesTheSameTimeWhateverTheFlowControl)
{
    Ps plain = 0;
    {
        LaneBench bench(TestLinkCosts(32));
        plain = bench.Hand(0, 12, 1'000)->departed;
    }
    std::vector<LinkCosts> others = {Lanes(4, 32),
                                     Marks(FlowControl::STOP_AND_GO),
                                     Marks(FlowControl::PAUSE)};
    others.push_back(TestLinkCosts(32));
    others.back().flow = FlowControl::NONE;
    for (const LinkCosts& costs : others)
    {
        LaneBench bench(costs);
        const Cell* last = bench.Hand(0, 12, 1'000);
        bench.Run();
        BOOST_TEST(last->departed == plain);
    }
}

BOOST_FIXTURE_TEST_CASE(TheReceiverStopsASenderAndLetsItGoOn, StopBench)
{
    Hand(0, 40);
    Run();
    const std::uint64_t sent = link.CellsSent();
    BOOST_TEST(sent >= 16U);
    BOOST_TEST(sent <= 18U); // those that left before the stop was there
    const Ps now = sender.Now();
    link.OfLane(0)->ReturnCredits(static_cast<std::uint32_t>(sent) - 8, now);
    Run();
    BOOST_TEST(link.CellsSent() >= sent + 8);
    BOOST_TEST(departures.cells.back()->departed >= now + link.CreditLookahead());
}

BOOST_AUTO_TEST_CASE(WithoutFlowControlNothingIsHeldBack)
{
    LinkCosts costs = TestLinkCosts(4);
    costs.flow = FlowControl::NONE;
    LaneBench bench(costs);
    bench.Hand(0, 60);
    BOOST_TEST(bench.link.CellsSent() == 60U);
}

BOOST_AUTO_TEST_CASE(ACableTooLongForTheSlackIsRefused)
{
    LaneBench bench(Marks(FlowControl::STOP_AND_GO));
    BOOST_CHECK_NO_THROW(bench.link.SetFlight(500'000));
    BOOST_CHECK_THROW(bench.link.SetFlight(5'000'000), ConfigError);
}

BOOST_FIXTURE_TEST_CASE(ACableOfItsOwnLengthHasItsOwnFlight, LaneBench)
{
    link.SetFlight(123'000);
    Cell* cell = Hand(0, 1);
    Run();
    BOOST_TEST(cell->last.at == cell->departed + 123'000);
    BOOST_TEST(link.Lookahead() > 123'000);
}

BOOST_FIXTURE_TEST_CASE(RouteBytesLengthenTheHeadByWhatIsAhead, LaneBench)
{
    LinkCosts costs = TestLinkCosts(32);
    costs.routeBytes = 1;
    LaneBench routed(costs);
    const std::vector<std::uint8_t> ahead = {0, 3};
    routed.link.SetSwitchesAhead(std::make_shared<const std::vector<std::uint8_t>>(ahead));
    const Cell* tail = routed.Hand(0, 2);
    const Ps start = routed.sender.MakeClock(costs.byteClock, 3).EdgeAtOrAfter(0);
    BOOST_TEST(tail->departed == start + 2 * TEST_CELL_TIME + 3 * 8'000);
    BOOST_TEST(routed.departures.cells[0]->departed == start + TEST_CELL_TIME + 3 * 8'000);
}

BOOST_AUTO_TEST_SUITE_END()
