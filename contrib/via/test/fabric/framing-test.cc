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
    explicit FrameBench(const LinkCosts& costs = Frames(), Notice notice = Notice::LAST_BIT)
        : link(sender, costs, 3)
    {
        link.Connect(receiver, 5, &diary, 9, notice);
    }

    /// Sends a packet of @p bytes whose cells are all ready at @p at.
    Cells Send(std::uint32_t bytes, Ps at)
    {
        Packet* packet = world.packets.NewPacket();
        packet->length = bytes;
        packet->cells = link.CellsFor(bytes);
        const Cells cells = maker.Make(packet, at);
        Transmit(link, cells, departures);
        return cells;
    }

    Ps Edge(Ps t) const
    {
        return sender.MakeClock(Frames().byteClock, 3).EdgeAtOrAfter(t);
    }

    Component sender{world, 0, "a"};
    Component receiver{world, 1, "b"};
    Diary diary{world.agenda};
    DepartureRecorder departures;
    PacketMaker maker{world};
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
        : crossbar(world, 0, "s0", {CLOCK, Cycles(31), Notice::LAST_BIT}, Frames(), 2)
    {
        for (std::uint32_t port = 0; port < 2; ++port)
        {
            hosts.push_back(std::make_unique<Component>(world, port + 1, "n"));
            crossbar.Out(port).Connect(*hosts[port], 0, &diary, port, Notice::LAST_BIT);
            crossbar.SetUpstream(port, &credits[port]);
        }
        crossbar.SetRoutes(RouteTable(std::vector<Route>{{0}, {1}}));
    }

    /// @p bytes for port 1 whose first frame is in port 0 as a whole at @p whole, the others right
    /// after it.
    Cells Arrive(std::uint32_t bytes, Ps whole)
    {
        Packet* packet = world.packets.NewPacket();
        packet->destination = 1;
        packet->length = bytes;
        packet->cells = crossbar.Out(1).CellsFor(bytes);
        const Cells cells = maker.Make(packet, whole);
        for (Cell* cell : cells)
        {
            crossbar.Schedule(cell->first.at,
                              0,
                              &crossbar,
                              Switch::KindOfPort(0),
                              reinterpret_cast<std::uint64_t>(cell));
        }
        return cells;
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
    PacketMaker maker{world};
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
        const Cells cells = Send(payload, ready);
        const Cell* tail = cells.back();
        BOOST_TEST(tail->departed == Edge(ready) + bytes * BYTE, payload << " bytes");
        BOOST_TEST(tail->last.at == tail->departed + FLIGHT);
        const std::uint32_t head = std::min(bytes, 1538U);
        BOOST_TEST(cells[0]->first.at == Edge(ready) + head * BYTE + FLIGHT);
    }
}

BOOST_FIXTURE_TEST_CASE(NoNoticeIsEarlierThanTheShortestFrame, FrameBench)
{
    BOOST_TEST(link.Lookahead() == 84 * BYTE + FLIGHT);
    Send(1, 0);
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
    BOOST_TEST(bench.Send(0, 0)[0]->departed == bench.Edge(0) + BYTE);
}

BOOST_FIXTURE_TEST_CASE(AShortFrameFollowsALongOneWithoutAGap, FrameBench)
{
    const Cell* first = Send(1600, 0).back();
    const Cell* second = Send(46, 0).back();
    BOOST_TEST(first->departed == Edge(0) + (1538 + 38 + 100) * BYTE);
    BOOST_TEST(second->departed == first->departed + 84 * BYTE);
}

BOOST_FIXTURE_TEST_CASE(TwoWiresCarryTwoFramesInTheTimeOfOne, TwoWires)
{
    const Cells cells = Send(4 * 1500, 0);
    for (std::uint32_t i = 0; i < 4; ++i)
    {
        BOOST_TEST(cells[i]->departed == Edge(0) + (i / 2 + 1) * 1538 * BYTE, "frame " << i);
    }
    BOOST_TEST(link.CellsOut() == 4U);
}

BOOST_FIXTURE_TEST_CASE(FramesOfDifferentPacketsUseBothWires, TwoWires)
{
    for (int i = 0; i < 4; ++i)
    {
        Send(1500, 0);
    }
    const auto& frames = departures.cells;
    BOOST_TEST(frames.at(1)->departed == frames[0]->departed);
    BOOST_TEST(frames.at(3)->departed == frames[0]->departed + 1538 * BYTE);
}

BOOST_FIXTURE_TEST_CASE(AFrameThatIsShorterDoesNotOvertake, TwoWires)
{
    const Cell* first = Send(1500, 0)[0];
    const Cell* second = Send(46, 0)[0];
    const Cell* third = Send(46, 0)[0];
    BOOST_TEST(second->last.at == first->last.at);
    BOOST_TEST(third->departed == first->departed + 84 * BYTE); // the first wire is free then
    Run();
    BOOST_REQUIRE(diary.entries.size() == 3U);
    BOOST_TEST(diary.entries[0].data == reinterpret_cast<std::uint64_t>(first));
    BOOST_TEST(diary.entries[1].data == reinterpret_cast<std::uint64_t>(second));
}

BOOST_FIXTURE_TEST_CASE(AFrameThatIsReadyEarlierDoesNotOvertakeEither, TwoWiresToASwitch)
{
    const Cell* first = Send(1500, 900'000)[0];
    const Cell* second = Send(1500, 0)[0];
    BOOST_TEST(second->first.at == first->first.at);
}

BOOST_FIXTURE_TEST_CASE(AStoringSwitchSendsAFrameWhenItHasAllOfIt, StoreBench)
{
    const Cell* frame = Arrive(1000, 10'000'000)[0];
    Run();
    BOOST_TEST(frame->departed == LeavesAt(10'000'000) + 1038 * BYTE);
    BOOST_REQUIRE(credits[0].entries.size() == 1U);
    BOOST_TEST(credits[0].entries[0].at == frame->departed);
}

BOOST_FIXTURE_TEST_CASE(FramesBehindItFollowWithoutAGap, StoreBench)
{
    const Cells frames = Arrive(3 * 1500 + 46, 20'000'000);
    Run();
    const Ps out = LeavesAt(20'000'000);
    BOOST_TEST(frames[0]->first.at == out + 1538 * BYTE + FLIGHT);
    BOOST_TEST(frames[3]->departed == out + (3 * 1538 + 84) * BYTE);
}

BOOST_FIXTURE_TEST_CASE(EachFramesRoomIsFreeWhenItHasLeft, StoreBench)
{
    const Cells frames = Arrive(3 * 1500 + 46, 20'000'000);
    Run();
    const auto& entries = credits[0].entries;
    BOOST_REQUIRE(entries.size() == 4U);
    for (std::uint32_t i = 0; i < 4; ++i)
    {
        BOOST_TEST(entries[i].cells == 1U);
        BOOST_TEST(entries[i].at == frames[i]->departed);
    }
}

BOOST_AUTO_TEST_SUITE_END()
