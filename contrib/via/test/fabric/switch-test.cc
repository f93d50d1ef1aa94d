/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
// Switches: virtual cut-through, contention for an output, order of ports, credits upstream.

#include "../support/via-test-fabric-bench.h"

#include "ns3/via-switch.h"

#include <array>
#include <boost/test/unit_test.hpp>

using namespace ns3::via;
using namespace ns3::via::test;

namespace
{

/// Component 0 is a switch of four ports; behind port p is component p + 1, host p.
struct SwitchBench : TestWorld
{
    SwitchBench()
        : TestWorld(5),
          crossbar(world, 0, "s0", {{62'500'000, 1}, Cycles(31)}, TestLinkCosts(), 4)
    {
        for (std::uint32_t port = 0; port < 4; ++port)
        {
            hosts.push_back(std::make_unique<Component>(world, port + 1, "n"));
            crossbar.Out(port).Connect(*hosts[port], 0, &diary, port, Notice::LAST_BIT);
            crossbar.SetUpstream(port, &credits[port]);
        }
        crossbar.SetRoutes(RouteTable(std::vector<Route>{{0}, {1}, {2}, {3}}));
    }

    /// Each of @p cells begins to arrive at @p port when it says so.
    void Arrive(std::uint32_t port, const Cells& cells)
    {
        for (Cell* cell : cells)
        {
            crossbar.Schedule(cell->first.at,
                              port,
                              &crossbar,
                              Switch::KindOfPort(port),
                              reinterpret_cast<std::uint64_t>(cell));
        }
    }

    /// When a first bit that comes in at @p first can leave from an idle @p port.
    Ps LeavesAt(Ps first, std::uint32_t port) const
    {
        const Ps through = crossbar.MakeClock({62'500'000, 1}, 0).Run(first, Cycles(31)).end;
        return crossbar.MakeClock(TestLinkCosts().byteClock, port + 1).EdgeAtOrAfter(through);
    }

    /// Looks at the counters of port 2.
    struct Probe final : AgendaTarget
    {
        explicit Probe(const Switch& part)
            : crossbar(part)
        {
        }

        void OnAgenda(std::uint32_t, std::uint64_t) override
        {
            seen = crossbar.CountersNow(2);
        }

        const Switch& crossbar;
        PortCounters seen;
    };

    std::vector<std::unique_ptr<Component>> hosts;
    std::array<CreditLog, 4> credits;
    Diary diary{world.agenda};
    PacketMaker maker{world};
    Switch crossbar;
};

} // namespace

BOOST_AUTO_TEST_SUITE(SwitchTest)

BOOST_FIXTURE_TEST_CASE(TheHeadLeavesAfterTheLatencyWhileTheTailIsOnTheWay, SwitchBench)
{
    const Cells cells = maker.Make(30, 1'000'000, 2);
    Arrive(0, cells);
    Run();
    const Ps out = LeavesAt(1'000'000, 2);
    BOOST_TEST(cells.front()->first.at == out + TEST_CELL_TIME + FLIGHT);
    BOOST_TEST(cells.back()->last.at == out + 30 * TEST_CELL_TIME + FLIGHT);
    BOOST_TEST(out < cells.back()->first.at);
    BOOST_TEST(diary.entries.at(0).kind == 2U);
}

BOOST_FIXTURE_TEST_CASE(TheRestOfAPacketFollowsItsPath, SwitchBench)
{
    const Cells cells = maker.Make(4, 1'000'000, 1);
    Arrive(3, cells);
    Run();
    for (std::uint32_t i = 1; i < 4; ++i)
    {
        BOOST_TEST(cells[i]->first.at == cells[i - 1]->last.at + TEST_CELL_TIME);
    }
}

BOOST_FIXTURE_TEST_CASE(TwoPacketsForOneOutputTakeItInTurn, SwitchBench)
{
    const Cells first = maker.Make(4, 1'000'000, 2);
    const Cells second = maker.Make(4, 1'000'001, 2);
    Arrive(1, first);
    Arrive(0, second);
    Run();
    for (std::uint32_t i = 0; i < 4; ++i)
    {
        BOOST_TEST(second[i]->first.at == first[i]->last.at + TEST_CELL_TIME);
    }
    BOOST_TEST(crossbar.CellsIn() == 8U);
    BOOST_TEST(crossbar.CellsOut() == 8U);
}

BOOST_FIXTURE_TEST_CASE(PacketsForDifferentOutputsDoNotMeet, SwitchBench)
{
    const Cells a = maker.Make(4, 1'000'000, 2);
    const Cells b = maker.Make(4, 1'000'000, 3);
    Arrive(0, a);
    Arrive(1, b);
    Run();
    BOOST_TEST(a[0]->first.at == LeavesAt(1'000'000, 2) + TEST_CELL_TIME + FLIGHT);
    BOOST_TEST(b[0]->first.at == LeavesAt(1'000'000, 3) + TEST_CELL_TIME + FLIGHT);
}

BOOST_FIXTURE_TEST_CASE(AtTheSameInstantTheLowerPortIsFirst, SwitchBench)
{
    const Cells high = maker.Make(1, 1'000'000, 2);
    const Cells low = maker.Make(1, 1'000'000, 2);
    Arrive(3, high);
    Arrive(1, low);
    Run();
    BOOST_TEST(low[0]->first.at == LeavesAt(1'000'000, 2) + TEST_CELL_TIME + FLIGHT);
    BOOST_TEST(high[0]->first.at == low[0]->last.at + TEST_CELL_TIME);
}

BOOST_FIXTURE_TEST_CASE(RoomIsGivenBackWhenACellHasLeft, SwitchBench)
{
    Arrive(0, maker.Make(3, 1'000'000, 2));
    Run();
    BOOST_REQUIRE(credits[0].entries.size() == 3U);
    for (std::uint32_t i = 0; i < 3; ++i)
    {
        BOOST_TEST(credits[0].entries[i].cells == 1U);
        BOOST_TEST(credits[0].entries[i].at == LeavesAt(1'000'000, 2) + (i + 1) * TEST_CELL_TIME);
    }
    BOOST_TEST(credits[1].entries.empty());
}

BOOST_FIXTURE_TEST_CASE(ACellThatWaitsForAnOutputKeepsItsRoom, SwitchBench)
{
    const Cells first = maker.Make(1, 1'000'000, 2);
    Arrive(0, first);
    Arrive(1, maker.Make(1, 1'000'001, 2));
    Run();
    BOOST_TEST(credits[1].entries.at(0).at == first[0]->departed + TEST_CELL_TIME);
}

BOOST_FIXTURE_TEST_CASE(OnlyCellsThatHaveLeftCount, SwitchBench)
{
    crossbar.RecordDepartures();
    Arrive(0, maker.Make(6, 1'000'000, 2));
    Arrive(1, maker.Make(6, 1'000'000, 2));
    Probe probe(crossbar);
    const Ps second = LeavesAt(1'000'000, 2) + TEST_CELL_TIME;
    hosts[0]->Schedule(second + TEST_CELL_TIME / 2, 9, &probe, 0);
    Run();
    BOOST_TEST(probe.seen.cellsOut == 1U);
    BOOST_TEST(probe.seen.bytesOut == TestLinkCosts().cellBytes);
    BOOST_TEST(crossbar.CountersNow(2).cellsOut == 12U);
}

BOOST_FIXTURE_TEST_CASE(APortWithoutCableHasNoWire, SwitchBench)
{
    BOOST_TEST(crossbar.HasWire(3));
    crossbar.DropWire(3);
    BOOST_TEST(!crossbar.HasWire(3));
    BOOST_TEST(crossbar.PortCount() == 4U);
    BOOST_TEST(crossbar.Counters(3).cellsOut == 0U);
    BOOST_TEST(crossbar.Violation() == "");
}

BOOST_AUTO_TEST_SUITE_END()
