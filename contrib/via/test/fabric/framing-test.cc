/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
// Lengths of cells, and wires side by side: closed forms of when each bit is where.

#include "../support/via-test-fabric-bench.h"

#include "ns3/via-switch.h"

#include <array>
#include <boost/test/unit_test.hpp>
#include <utility>

using namespace ns3::via;
using namespace ns3::via::test;

namespace
{

constexpr Ps BYTE = 8'000;
constexpr Ps FLIGHT = 30'000;

/// Frames of Ethernet at 1 Gb/s.
LinkCosts
Frames(std::uint32_t wires = 1)
{
    LinkCosts costs = TestLinkCosts();
    costs.cellBytes = 1538;
    costs.cellPayload = 1500;
    costs.packets = true;
    costs.minPayload = 46;
    costs.messageHeader = 0;
    costs.wires = wires;
    return costs;
}

/// A wire, or several, from component 0 to component 1.
struct FrameBench : TestWorld
{
    explicit FrameBench(const LinkCosts& costs = Frames(), Notice notice = Notice::FIRST_CELL)
        : link(sender, costs, 3)
    {
        link.Connect(receiver, 5, &diary, 9, notice);
    }

    /// A packet of @p bytes whose cells are all ready at @p at.
    Burst* Make(std::uint32_t bytes, Ps at)
    {
        Packet* packet = world.packets.NewPacket();
        packet->length = bytes;
        packet->cells = link.CellsFor(bytes);
        return maker.Make(packet, packet->cells, at, true);
    }

    /// One cell of @p packet, number @p cell.
    Burst* Cell(Packet* packet, std::uint32_t cell, Ps at)
    {
        Burst* burst = maker.Make(packet, 1, at, cell + 1 == packet->cells);
        burst->firstCell = cell;
        link.Transmit(burst, &departures);
        return burst;
    }

    Ps Edge(Ps t) const
    {
        return sender.MakeClock(Frames().byteClock, 3).EdgeAtOrAfter(t);
    }

    Component sender{world, 0, "a"};
    Component receiver{world, 1, "b"};
    Diary diary{world.agenda};
    DepartureRecorder departures;
    BurstMaker maker{world};
    Link link;
};

struct TwoWires : FrameBench
{
    TwoWires()
        : FrameBench(Frames(2))
    {
    }
};

struct TwoWiresToASwitch : FrameBench
{
    TwoWiresToASwitch()
        : FrameBench(Frames(2), Notice::FIRST_BIT)
    {
    }
};

/// Component 0 is a store-and-forward switch of two ports; behind port p is component p + 1.
struct StoreBench : TestWorld
{
    StoreBench()
        : crossbar(world, 0, "s0", {CLOCK, Cycles(31), Notice::FIRST_CELL}, Frames(), 2)
    {
        for (std::uint32_t port = 0; port < 2; ++port)
        {
            hosts.push_back(std::make_unique<Component>(world, port + 1, "n"));
            crossbar.Out(port).Connect(*hosts[port], 0, &diary, port, Notice::FIRST_CELL);
            crossbar.SetUpstream(port, &credits[port]);
        }
        crossbar.SetRoutes(RouteTable(std::vector<Route>{{0}, {1}}));
    }

    /// @p bytes for port 1 whose first frame is in port 0 as a whole at @p whole.
    Burst* Arrive(std::uint32_t bytes, Ps whole)
    {
        Packet* packet = world.packets.NewPacket();
        packet->destination = 1;
        packet->length = bytes;
        packet->cells = crossbar.Out(1).CellsFor(bytes);
        Burst* burst = maker.Make(packet, packet->cells, whole, true);
        crossbar.Schedule(whole,
                          0,
                          &crossbar,
                          Switch::KindOfPort(0),
                          reinterpret_cast<std::uint64_t>(burst));
        return burst;
    }

    /// When the first bit of what was whole at @p whole leaves from an idle port 1.
    Ps LeavesAt(Ps whole) const
    {
        const Ps through = crossbar.MakeClock(CLOCK, 0).Run(whole, Cycles(31)).end;
        return crossbar.MakeClock(Frames().byteClock, 2).EdgeAtOrAfter(through);
    }

    static constexpr Frequency CLOCK{62'500'000, 1};
    std::vector<std::unique_ptr<Component>> hosts;
    std::array<CreditLog, 2> credits;
    Diary diary{world.agenda};
    BurstMaker maker{world};
    Switch crossbar;
};

} // namespace

BOOST_AUTO_TEST_SUITE(FramingTest)

BOOST_FIXTURE_TEST_CASE(AFrameTakesItsContentButAtLeastTheSmallestFrame, FrameBench)
{
    // 8 + 14 + 46 + 4 bytes are a frame of 64 with its preamble, 72; then a gap of 12
    const std::vector<std::pair<std::uint32_t, std::uint32_t>> frames = {{0, 84},
                                                                         {1, 84},
                                                                         {46, 84},
                                                                         {47, 85},
                                                                         {1000, 1038},
                                                                         {1499, 1537},
                                                                         {1500, 1538},
                                                                         {1501, 1538 + 84},
                                                                         {3000, 2 * 1538},
                                                                         {3047, 2 * 1538 + 85}};
    Ps ready = 0;
    for (const auto& [payload, bytes] : frames)
    {
        ready += 100'000'000;
        Burst* burst = Make(payload, ready);
        link.Transmit(burst, &departures);
        BOOST_TEST(burst->departed == Edge(ready) + bytes * BYTE, payload << " bytes");
        BOOST_TEST(burst->groups[0].last.at == burst->departed + FLIGHT);
        const std::uint32_t head = std::min(bytes, 1538U);
        BOOST_TEST(burst->headCell.at == Edge(ready) + head * BYTE + FLIGHT);
    }
}

BOOST_FIXTURE_TEST_CASE(NoNoticeIsEarlierThanTheShortestFrame, FrameBench)
{
    BOOST_TEST(link.Lookahead() == 84 * BYTE + FLIGHT);
    link.Transmit(Make(1, 0), &departures);
    Run();
    BOOST_TEST(diary.entries.at(0).at == Edge(0) + link.Lookahead());
}

BOOST_AUTO_TEST_CASE(TheHeaderOfAMessageIsContent)
{
    LinkCosts costs = Frames();
    costs.messageHeader = 24;
    BOOST_TEST(costs.Shortfall(22, 1) == 1500U - 46);
    BOOST_TEST(costs.Shortfall(23, 1) == 1500U - 47);
    BOOST_TEST(costs.Shortfall(1476, 1) == 0U);
    BOOST_TEST(costs.Shortfall(1477, 2) == 1500U - 46);
    costs.packets = false;
    BOOST_TEST(costs.Shortfall(22, 1) == 0U);
    BOOST_TEST(costs.ShortestCell() == 1538U);
}

BOOST_AUTO_TEST_CASE(AByteStreamHasNothingAroundItsBytesButNoEmptyCells)
{
    LinkCosts costs = Frames();
    costs.cellBytes = 1500;
    costs.minPayload = 0;
    FrameBench bench(costs);
    BOOST_TEST(costs.Shortfall(700, 1) == 800U);
    BOOST_TEST(costs.ShortestCell() == 1U);
    BOOST_TEST(bench.link.CellsFor(0) == 1U);
    Burst* burst = bench.Make(0, 0);
    bench.link.Transmit(burst, &bench.departures);
    BOOST_TEST(burst->departed == bench.Edge(0) + BYTE);
}

BOOST_FIXTURE_TEST_CASE(AShortFrameFollowsALongOneWithoutAGap, FrameBench)
{
    Burst* first = Make(1600, 0);
    Burst* second = Make(46, 0);
    link.Transmit(first, &departures);
    link.Transmit(second, &departures);
    BOOST_TEST(first->departed == Edge(0) + (1538 + 38 + 100) * BYTE);
    BOOST_TEST(second->departed == first->departed + 84 * BYTE);
}

BOOST_FIXTURE_TEST_CASE(TwoWiresCarryTwoFramesInTheTimeOfOne, TwoWires)
{
    Packet* packet = world.packets.NewPacket();
    packet->length = 4 * 1500;
    packet->cells = 4;
    for (std::uint32_t cell = 0; cell < 4; ++cell)
    {
        const Burst* burst = Cell(packet, cell, 0);
        BOOST_TEST(burst->departed == Edge(0) + (cell / 2 + 1) * 1538 * BYTE, "frame " << cell);
    }
    BOOST_TEST(link.CellsOut() == 4U);
}

BOOST_FIXTURE_TEST_CASE(FramesOfDifferentPacketsUseBothWires, TwoWires)
{
    std::vector<Burst*> bursts;
    for (int i = 0; i < 4; ++i)
    {
        bursts.push_back(Make(1500, 0));
        link.Transmit(bursts.back(), &departures);
    }
    BOOST_TEST(bursts[1]->departed == bursts[0]->departed);
    BOOST_TEST(bursts[3]->departed == bursts[0]->departed + 1538 * BYTE);
}

BOOST_FIXTURE_TEST_CASE(AFrameThatIsShorterDoesNotOvertake, TwoWires)
{
    Burst* first = Make(1500, 0);
    Burst* second = Make(46, 0);
    Burst* third = Make(46, 0);
    for (Burst* burst : {first, second, third})
    {
        link.Transmit(burst, &departures);
    }
    BOOST_TEST(second->groups[0].last.at == first->groups[0].last.at);
    BOOST_TEST(third->departed == first->departed + 84 * BYTE); // the first wire is free then
    Run();
    BOOST_REQUIRE(diary.entries.size() == 3U);
    BOOST_TEST(diary.entries[0].data == reinterpret_cast<std::uint64_t>(first));
    BOOST_TEST(diary.entries[1].data == reinterpret_cast<std::uint64_t>(second));
}

BOOST_FIXTURE_TEST_CASE(AFrameThatIsReadyEarlierDoesNotOvertakeEither, TwoWiresToASwitch)
{
    Burst* first = Make(1500, 900'000);
    Burst* second = Make(1500, 0);
    link.Transmit(first, &departures);
    link.Transmit(second, &departures);
    BOOST_TEST(second->groups[0].first.at == first->groups[0].first.at);
}

BOOST_FIXTURE_TEST_CASE(AStoringSwitchSendsAFrameWhenItHasAllOfIt, StoreBench)
{
    Burst* burst = Arrive(1000, 10'000'000);
    Run();
    BOOST_TEST(burst->departed == LeavesAt(10'000'000) + 1038 * BYTE);
    BOOST_REQUIRE(credits[0].entries.size() == 1U);
    BOOST_TEST(credits[0].entries[0].at == burst->departed);
}

BOOST_FIXTURE_TEST_CASE(FramesBehindItFollowWithoutAGap, StoreBench)
{
    Burst* burst = Arrive(3 * 1500 + 46, 20'000'000);
    Run();
    const Ps out = LeavesAt(20'000'000);
    BOOST_TEST(burst->departed == out + (3 * 1538 + 84) * BYTE);
    BOOST_TEST(burst->headCell.at == out + 1538 * BYTE + FLIGHT);
}

BOOST_FIXTURE_TEST_CASE(EachFramesRoomIsFreeWhenItHasLeft, StoreBench)
{
    Burst* burst = Arrive(3 * 1500 + 46, 20'000'000);
    Run();
    const auto& entries = credits[0].entries;
    BOOST_REQUIRE(entries.size() == 2U);
    BOOST_TEST(entries[0].cells == 3U);
    BOOST_TEST(entries[0].at == LeavesAt(20'000'000) + 1538 * BYTE);
    BOOST_TEST(entries[0].spacing == 1538 * BYTE);
    BOOST_TEST(entries[1].cells == 1U);
    BOOST_TEST(entries[1].at == burst->departed);
}

BOOST_AUTO_TEST_SUITE_END()
