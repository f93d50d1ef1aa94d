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

constexpr Ps FLIGHT = 30'000;

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
            crossbar.Out(port).Connect(*hosts[port], 0, &diary, port, Notice::FIRST_CELL);
            crossbar.SetUpstream(port, &credits[port]);
        }
        crossbar.SetRoutes(RouteTable(std::vector<Route>{{0}, {1}, {2}, {3}}));
    }

    /// @p burst begins to arrive at @p port when its first group says so.
    void Arrive(std::uint32_t port, Burst* burst)
    {
        crossbar.Schedule(burst->groups[0].first.at,
                          port,
                          &crossbar,
                          Switch::KindOfPort(port),
                          reinterpret_cast<std::uint64_t>(burst));
    }

    /// When a first bit that comes in at @p first can leave from an idle @p port.
    Ps LeavesAt(Ps first, std::uint32_t port) const
    {
        const Ps through = crossbar.MakeClock({62'500'000, 1}, 0).Run(first, Cycles(31)).end;
        return crossbar.MakeClock(TestLinkCosts().byteClock, port + 1).EdgeAtOrAfter(through);
    }

    std::vector<std::unique_ptr<Component>> hosts;
    std::array<CreditLog, 4> credits;
    Diary diary{world.agenda};
    BurstMaker maker{world};
    Switch crossbar;
};

} // namespace

BOOST_AUTO_TEST_SUITE(SwitchTest)

BOOST_FIXTURE_TEST_CASE(TheHeadLeavesAfterTheLatencyWhileTheTailIsOnTheWay, SwitchBench)
{
    Burst* burst = maker.Make(30, 1'000'000, 2);
    Arrive(0, burst);
    Run();
    const Ps out = LeavesAt(1'000'000, 2);
    BOOST_TEST(burst->headCell.at == out + TEST_CELL_TIME + FLIGHT);
    BOOST_TEST(burst->groups[0].last.at == out + 30 * TEST_CELL_TIME + FLIGHT);
    BOOST_TEST(out < 1'000'000 + 30 * TEST_CELL_TIME);
    BOOST_TEST(diary.entries.at(0).kind == 2U);
}

BOOST_FIXTURE_TEST_CASE(TheRestOfAPacketFollowsItsPath, SwitchBench)
{
    Packet* packet = world.packets.NewPacket();
    packet->destination = 1;
    Burst* head = maker.Make(packet, 2, 1'000'000, false);
    Burst* tail = maker.Make(packet, 2, 1'000'000 + 2 * TEST_CELL_TIME, true);
    Arrive(3, head);
    Arrive(3, tail);
    Run();
    BOOST_TEST(tail->headCell.at == head->groups[0].last.at + TEST_CELL_TIME);
}

BOOST_FIXTURE_TEST_CASE(TwoPacketsForOneOutputGoOneAfterTheOther, SwitchBench)
{
    Burst* first = maker.Make(4, 1'000'000, 2);
    Burst* second = maker.Make(4, 1'000'001, 2);
    Arrive(1, first);
    Arrive(0, second);
    Run();
    BOOST_TEST(second->headCell.at == first->groups[0].last.at + TEST_CELL_TIME);
    BOOST_TEST(crossbar.CellsIn() == 8U);
    BOOST_TEST(crossbar.CellsOut() == 8U);
}

BOOST_FIXTURE_TEST_CASE(PacketsForDifferentOutputsDoNotMeet, SwitchBench)
{
    Burst* a = maker.Make(4, 1'000'000, 2);
    Burst* b = maker.Make(4, 1'000'000, 3);
    Arrive(0, a);
    Arrive(1, b);
    Run();
    BOOST_TEST(a->headCell.at == LeavesAt(1'000'000, 2) + TEST_CELL_TIME + FLIGHT);
    BOOST_TEST(b->headCell.at == LeavesAt(1'000'000, 3) + TEST_CELL_TIME + FLIGHT);
}

BOOST_FIXTURE_TEST_CASE(AtTheSameInstantTheLowerPortIsFirst, SwitchBench)
{
    Burst* high = maker.Make(1, 1'000'000, 2);
    Burst* low = maker.Make(1, 1'000'000, 2);
    Arrive(3, high);
    Arrive(1, low);
    Run();
    BOOST_TEST(low->headCell.at == LeavesAt(1'000'000, 2) + TEST_CELL_TIME + FLIGHT);
    BOOST_TEST(high->headCell.at == low->groups[0].last.at + TEST_CELL_TIME);
}

BOOST_FIXTURE_TEST_CASE(RoomIsGivenBackWhenACellHasLeft, SwitchBench)
{
    Arrive(0, maker.Make(3, 1'000'000, 2));
    Run();
    BOOST_REQUIRE(credits[0].entries.size() == 1U);
    BOOST_TEST(credits[0].entries[0].cells == 3U);
    BOOST_TEST(credits[0].entries[0].at == LeavesAt(1'000'000, 2) + TEST_CELL_TIME);
    BOOST_TEST(credits[0].entries[0].spacing == TEST_CELL_TIME);
    BOOST_TEST(credits[1].entries.empty());
}

BOOST_FIXTURE_TEST_CASE(APacketThatWaitsForAnOutputKeepsItsRoom, SwitchBench)
{
    Burst* first = maker.Make(4, 1'000'000, 2);
    Arrive(0, first);
    Arrive(1, maker.Make(2, 1'000'001, 2));
    Run();
    const Ps free = first->departed;
    BOOST_TEST(credits[1].entries.at(0).at == free + TEST_CELL_TIME);
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
