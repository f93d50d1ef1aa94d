/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
// Links: serialization by cells, first in first out, credits, what the receiver hears and when.

#include "../support/via-test-fabric-bench.h"

#include <boost/test/unit_test.hpp>

using namespace ns3::via;
using namespace ns3::via::test;

namespace
{

/// A wire from component 0 to component 1.
struct LinkBench : TestWorld
{
    explicit LinkBench(std::uint32_t credits = 64, Notice notice = Notice::LAST_BIT)
        : link(sender, TestLinkCosts(credits), 3)
    {
        link.Connect(receiver, 5, &diary, 9, notice);
    }

    /// The wire's clock edge at or after @p t.
    Ps Edge(Ps t) const
    {
        return sender.MakeClock(TestLinkCosts().byteClock, 3).EdgeAtOrAfter(t);
    }

    Component sender{world, 0, "a"};
    Component receiver{world, 1, "b"};
    Diary diary{world.agenda};
    DepartureRecorder departures;
    PacketMaker maker{world};
    Link link;
};

/// Four credits; the far end, a card, gives them back in order.
struct ScarceLink : LinkBench
{
    ScarceLink()
        : LinkBench(4)
    {
        link.EndAtHost(false);
    }
};

/// Four credits; the far end, a switch, may announce an earlier one later.
struct ScarceLinkToSwitch : LinkBench
{
    ScarceLinkToSwitch()
        : LinkBench(4)
    {
    }
};

/// Notes the backlog of a link when it is due.
class BacklogDiary final : public AgendaTarget
{
  public:
    explicit BacklogDiary(Link& link)
        : m_link(link)
    {
        link.CountBacklog();
    }

    void OnAgenda(std::uint32_t, std::uint64_t) override
    {
        seen.push_back(m_link.Backlog());
    }

    std::vector<std::uint64_t> seen;

  private:
    Link& m_link;
};

struct EarlyLink : LinkBench
{
    EarlyLink()
        : LinkBench(64, Notice::FIRST_BIT)
    {
    }
};

} // namespace

BOOST_AUTO_TEST_SUITE(LinkTest)

BOOST_FIXTURE_TEST_CASE(CellsOfAPacketTakeTheirBytesBackToBack, LinkBench)
{
    for (const std::uint32_t count : {1U, 2U, 7U, 32U})
    {
        const Ps ready = 100'000'000 * count;
        const Cells cells = maker.Make(count, ready);
        Transmit(link, cells, departures);
        const Ps start = Edge(ready);
        BOOST_TEST(cells.back()->departed == start + count * TEST_CELL_TIME);
        BOOST_TEST(cells.back()->last.at == cells.back()->departed + FLIGHT);
        BOOST_TEST(cells.front()->first.at == start + TEST_CELL_TIME + FLIGHT);
    }
    BOOST_TEST(link.CellsSent() == 42U);
    BOOST_TEST(link.CellTime() == TEST_CELL_TIME);
}

BOOST_FIXTURE_TEST_CASE(CellsLeaveInTheOrderOfHandingOver, LinkBench)
{
    Cell* late = maker.Make(1, 900'000)[0];
    Cell* early = maker.Make(1, 0)[0];
    link.Transmit(late, &departures);
    link.Transmit(early, &departures);
    BOOST_TEST((departures.cells == std::vector<const Cell*>{late, early}));
    BOOST_TEST(early->departed == late->departed + TEST_CELL_TIME);
}

BOOST_FIXTURE_TEST_CASE(ACellIsBacklogUntilItsLastBitHasLeft, ScarceLink)
{
    BacklogDiary backlog(link);
    const Cells cells = maker.Make(6, 0); // two of which wait for credits
    Transmit(link, cells, departures);
    BOOST_TEST(link.Backlog() == 6U);
    for (const std::uint32_t i : {0, 3})
    {
        sender.Schedule(cells[i]->departed - 1, 0, &backlog, 0);
        sender.Schedule(cells[i]->departed, 0, &backlog, 0);
    }
    Run();
    BOOST_TEST((backlog.seen == std::vector<std::uint64_t>{6, 5, 3, 2}));
    link.ReturnCredits(2, world.agenda.Now());
    BOOST_TEST(link.Backlog() == 2U);
}

BOOST_FIXTURE_TEST_CASE(TheFirstBitLeavesWhenTheCellStarts, LinkBench)
{
    const Cells cells = maker.Make(3, 77'777'777);
    Transmit(link, cells, departures);
    for (std::uint32_t i = 0; i < 3; ++i)
    {
        BOOST_TEST(link.FirstBit(*cells[i]) == Edge(77'777'777) + i * TEST_CELL_TIME);
    }
}

BOOST_FIXTURE_TEST_CASE(TheFirstBitIsTheSameForAReceiverThatCutsThrough, EarlyLink)
{
    Cell* cell = maker.Make(1, 77'777'777)[0];
    link.Transmit(cell, &departures);
    BOOST_TEST(link.FirstBit(*cell) == Edge(77'777'777));
}

BOOST_AUTO_TEST_CASE(CellsCarryThePayloadBehindTheHeader)
{
    const LinkCosts costs = TestLinkCosts(); // 48 bytes a cell, of which a header takes 24 once
    BOOST_TEST(costs.PayloadBefore(0, 100) == 0U);
    BOOST_TEST(costs.PayloadBefore(1, 100) == 24U);
    BOOST_TEST(costs.PayloadBefore(2, 100) == 72U);
    BOOST_TEST(costs.PayloadBefore(3, 100) == 100U);
}

BOOST_FIXTURE_TEST_CASE(TheReceiverHearsWhenACellIsThere, LinkBench)
{
    const Cells cells = maker.Make(2, 0);
    Transmit(link, cells, departures);
    Run();
    BOOST_REQUIRE(diary.entries.size() == 2U);
    BOOST_TEST(diary.entries[0].at == Edge(0) + TEST_CELL_TIME + FLIGHT);
    BOOST_TEST(diary.entries[0].kind == 9U);
    BOOST_TEST(diary.entries[0].data == reinterpret_cast<std::uint64_t>(cells[0]));
    BOOST_TEST(diary.entries[0].at >= link.Lookahead());
    BOOST_TEST(diary.entries[1].at == diary.entries[0].at + TEST_CELL_TIME);
}

BOOST_FIXTURE_TEST_CASE(ACutThroughReceiverHearsWhenTheFirstBitIsThere, EarlyLink)
{
    Cell* cell = maker.Make(1, 0)[0];
    link.Transmit(cell, &departures);
    Run();
    BOOST_TEST(cell->first.at == Edge(0) + FLIGHT);
    BOOST_TEST(diary.entries.at(0).at == Edge(0) + FLIGHT);
    BOOST_TEST(link.Lookahead() == FLIGHT);
}

BOOST_FIXTURE_TEST_CASE(ACellWithoutACreditWaitsAndSoDoAllAfterIt, ScarceLink)
{
    Transmit(link, maker.Make(7, 0), departures);
    BOOST_TEST(departures.cells.size() == 4U);
    BOOST_TEST(link.WaitingCells() == 3U);
    link.ReturnCredits(2, 2'000'000);
    BOOST_TEST(departures.cells.size() == 6U);
    link.ReturnCredits(1, 3'000'000);
    BOOST_TEST(departures.cells.size() == 7U);
    BOOST_TEST(link.WaitingCells() == 0U);
}

BOOST_FIXTURE_TEST_CASE(ACreditTakesTheWayHome, ScarceLink)
{
    Transmit(link, maker.Make(4, 0), departures);
    Cell* second = maker.Make(1, 0)[0];
    link.Transmit(second, &departures);
    link.ReturnCredits(4, 9'000'000);
    const Ps home = 9'000'000 + FLIGHT + 2 * 8'000;
    BOOST_TEST(link.CreditLookahead() == FLIGHT + 2 * 8'000);
    BOOST_TEST(second->departed == Edge(home) + TEST_CELL_TIME);
}

BOOST_FIXTURE_TEST_CASE(ACellThatWaitedLeavesNoEarlierThanItsCreditIsHome, ScarceLink)
{
    Transmit(link, maker.Make(4, 0), departures);
    Cell* second = maker.Make(1, 0)[0];
    link.Transmit(second, &departures);
    sender.Schedule(5'000'000, 0, &diary, 0);
    Run();
    link.ReturnCredits(1, 5'000'000);
    const Ps start = Edge(5'000'000 + link.CreditLookahead());
    BOOST_TEST(second->departed == start + TEST_CELL_TIME);
}

BOOST_FIXTURE_TEST_CASE(OfTheCreditsOfASwitchTheEarliestIsTaken, ScarceLinkToSwitch)
{
    Transmit(link, maker.Make(4, 0), departures);
    Cell* second = maker.Make(1, 0)[0];
    link.Transmit(second, &departures);
    link.ReturnCredits(1, 9'000'000);
    link.ReturnCredits(1, 5'000'000);
    BOOST_TEST(departures.cells.size() == 4U);
    Run();
    BOOST_TEST(second->departed == Edge(5'000'000 + link.CreditLookahead()) + TEST_CELL_TIME);
}

BOOST_FIXTURE_TEST_CASE(ACreditThatIsHomeBeforeTheCellIsReadyIsCertain, ScarceLinkToSwitch)
{
    Transmit(link, maker.Make(4, 0), departures);
    link.ReturnCredits(1, 5'000'000);
    Cell* second = maker.Make(1, 9'000'000)[0];
    link.Transmit(second, &departures);
    BOOST_TEST(second->departed == Edge(9'000'000) + TEST_CELL_TIME);
}

BOOST_FIXTURE_TEST_CASE(CreditsAreAllHomeWhenAllWasRead, ScarceLink)
{
    for (int i = 0; i < 10; ++i)
    {
        Transmit(link, maker.Make(4, 0), departures);
        link.ReturnCredits(4, departures.cells.back()->departed + FLIGHT);
    }
    BOOST_TEST(link.CellsOut() == 0U);
    BOOST_TEST(link.CellsSent() == 40U);
}

BOOST_FIXTURE_TEST_CASE(TheFirstCellHasLessRoomForPayload, LinkBench)
{
    BOOST_TEST(link.CellsFor(0) == 1U);
    BOOST_TEST(link.CellsFor(24) == 1U);
    BOOST_TEST(link.CellsFor(25) == 2U);
    BOOST_TEST(link.CellsFor(72) == 2U);
    BOOST_TEST(link.CellsFor(73) == 3U);
}

BOOST_FIXTURE_TEST_CASE(OurOwnCellsAheadAreNoWaitForOthers, LinkBench)
{
    world.spans.Enable();
    const Cells ours = maker.Make(3, 0);
    Transmit(link, ours, departures);
    Cell* other = maker.Make(1, 0)[0];
    link.Transmit(other, &departures);
    const std::vector<Span> spans = world.spans.Unpack();
    for (const Span& span : PathTo(spans, ours.back()->last.cause, 0))
    {
        BOOST_TEST((span.stage != Stage::LINK_WAIT));
    }
    BOOST_TEST((PathTo(spans, other->last.cause, 0)[0].stage == Stage::LINK_WAIT));
}

BOOST_AUTO_TEST_SUITE_END()
