/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
// Wormhole switches: one decision for a worm, and the times are those of one decision for each
// cell.

#include "../support/via-test-fabric-bench.h"

#include "ns3/via-switch.h"

#include <array>
#include <boost/test/unit_test.hpp>
#include <utility>

using namespace ns3::via;
using namespace ns3::via::test;

namespace
{

constexpr std::uint32_t WORM = 4;

SwitchCosts
WormCosts()
{
    SwitchCosts costs;
    costs.clock = {62'500'000, 1};
    costs.latency = Cycles(31);
    costs.queueing = Queueing::FIFO;
    costs.worms.cells = WORM;
    costs.arbitration = Arbitration::ROUND_ROBIN;
    return costs;
}

/// Component 0 is a switch of three ports; behind port p is component p + 1.
class WormBench : public TestWorld, public AgendaTarget
{
  public:
    /// @param reference one decision for each cell
    explicit WormBench(bool reference,
                       LinkCosts links = TestLinkCosts(),
                       const SwitchCosts& costs = WormCosts())
        : TestWorld(4)
    {
        world.reference = reference;
        crossbar = std::make_unique<Switch>(world, 0, "s0", costs, links, 3);
        for (std::uint32_t port = 0; port < 3; ++port)
        {
            hosts.push_back(std::make_unique<Component>(world, port + 1, "n"));
            crossbar->Out(port).Connect(*hosts[port], 0, &diary, port, Notice::LAST_BIT);
            crossbar->SetUpstream(port, &upstream[port]);
        }
        crossbar->SetRoutes(RouteTable(std::vector<Route>{{0}, {1}, {2}}));
    }

    /// Cells of one packet for @p host arrive at @p port, one after the other.
    void Arrive(std::uint32_t port,
                std::uint32_t cells,
                Ps at,
                Ps spacing = TEST_CELL_TIME,
                NodeId host = 2)
    {
        Packet* packet = world.packets.NewPacket();
        packet->destination = host;
        packet->cells = cells;
        for (std::uint32_t number = 0; number < cells; ++number)
        {
            const Ps first = at + number * spacing;
            Cell* cell = maker.MakeOne(packet, number, first);
            crossbar->Schedule(first,
                               port,
                               crossbar->Entrance(),
                               Switch::KindOfPort(port),
                               reinterpret_cast<std::uint64_t>(cell));
        }
    }

    /// Host 2 gives @p count cells back, one each @p spacing ps.
    void ReturnCredits(std::uint32_t count, Ps first, Ps spacing)
    {
        for (std::uint32_t i = 0; i < count; ++i)
        {
            world.agenda.Schedule(3, first + i * spacing, 0, this, 0);
        }
    }

    void OnAgenda(std::uint32_t, std::uint64_t) override
    {
        crossbar->Out(2).ReturnCredits(1, world.agenda.Now());
    }

    /// When cells reach host 2, and from which packet.
    std::vector<std::pair<Ps, const Packet*>> Arrivals() const
    {
        std::vector<std::pair<Ps, const Packet*>> arrivals;
        for (const auto& entry : diary.entries)
        {
            arrivals.emplace_back(entry.at, reinterpret_cast<const Cell*>(entry.data)->packet);
        }
        return arrivals;
    }

    std::vector<std::unique_ptr<Component>> hosts;
    std::array<CreditLog, 3> upstream;
    Diary diary{world.agenda};
    PacketMaker maker{world};
    std::unique_ptr<Switch> crossbar;
};

/// Two packets of two worms each, of which the second waits for the first.
void
LetTwoMeet(WormBench& bench)
{
    bench.Arrive(0, 2 * WORM, 1'000'000);
    bench.Arrive(1, 2 * WORM, 1'100'000);
}

struct Outcome
{
    std::vector<Ps> arrivals; ///< at host 2
    std::uint64_t events;
};

/// What becomes of @p play on a switch of its own.
template <class Scene>
Outcome
Play(bool reference, const LinkCosts& links, Scene play)
{
    WormBench bench(reference, links);
    play(bench);
    bench.Run();
    Outcome outcome{{}, bench.world.agenda.EventsDone()};
    for (const auto& [at, packet] : bench.Arrivals())
    {
        outcome.arrivals.push_back(at);
    }
    return outcome;
}

} // namespace

BOOST_AUTO_TEST_SUITE(WormTest)

BOOST_AUTO_TEST_CASE(CellsLeaveAsIfEachHadBeenDecidedAlone)
{
    const Outcome oracle = Play(true, TestLinkCosts(), LetTwoMeet);
    const Outcome found = Play(false, TestLinkCosts(), LetTwoMeet);
    BOOST_TEST(found.arrivals.size() == 4 * WORM);
    BOOST_TEST(found.arrivals == oracle.arrivals, boost::test_tools::per_element());
    BOOST_TEST(found.events + 2 * WORM < oracle.events);
}

BOOST_AUTO_TEST_CASE(OnTwoWiresToo)
{
    LinkCosts links = TestLinkCosts();
    links.wires = 2;
    const auto atOnce = [](WormBench& bench) { // the second cell could leave before the first one
        bench.Arrive(0, 2, 1'000'000, 0);
        bench.Arrive(1, 2, 1'000'000, 0);
    };
    const Outcome oracle = Play(true, links, atOnce);
    BOOST_TEST(oracle.arrivals.size() == 4U);
    BOOST_TEST(Play(false, links, atOnce).arrivals == oracle.arrivals,
               boost::test_tools::per_element());
}

BOOST_AUTO_TEST_CASE(TheCellsOfAWormStayTogether)
{
    WormBench bench(false);
    LetTwoMeet(bench);
    bench.Run();
    const auto arrivals = bench.Arrivals();
    for (std::size_t i = 0; i < arrivals.size(); ++i)
    {
        BOOST_TEST(arrivals[i].second == arrivals[i / WORM * WORM].second);
    }
    BOOST_TEST(bench.crossbar->Violation() != ""); // nobody has given the credits back
    BOOST_TEST(bench.crossbar->CellsOut() == 4 * WORM);
}

BOOST_AUTO_TEST_CASE(TheHeaderOfAMessageMakesItsLastWormLonger)
{
    const Worms worms{WORM, 1};
    BOOST_TEST(!worms.EndAt(WORM, WORM + 1)); // the header's bytes, not those of another packet
    BOOST_TEST(worms.EndAt(WORM, WORM + 2));
    BOOST_TEST(!worms.EndAt(2 * WORM, 2 * WORM + 1));
    BOOST_TEST(worms.EndAt(2 * WORM + 1, 2 * WORM + 1));
}

// Each message of 4 KB was a worm of 16 cells and one of a cell, for which it waited once more.
BOOST_AUTO_TEST_CASE(AMessageThatFillsAPacketIsOneWorm)
{
    for (const char* name :
         {"gm-lanai9-200", "berkeley-via-lanai4", "myvia", "vmmc", "mx-d", "bip"})
    {
        const ProviderProfile profile = ProviderProfile::Load(name);
        const Worms worms = Worms::From(profile);
        const LinkCosts links = LinkCosts::From(profile);
        const std::uint32_t bytes = profile.Number32("nic.native_mtu") + links.messageHeader;
        const std::uint32_t cells = (bytes + links.cellPayload - 1) / links.cellPayload;
        std::uint32_t ends = 0;
        for (std::uint32_t sent = 1; sent <= cells; ++sent)
        {
            ends += worms.EndAt(sent, cells) ? 1 : 0;
        }
        BOOST_TEST(ends == 1U, name << ": " << ends << " worms");
    }
}

BOOST_AUTO_TEST_CASE(AWormWithoutCreditsGoesOnWhenTheyReturn)
{
    const auto starve = [](WormBench& bench) {
        LetTwoMeet(bench);
        bench.ReturnCredits(4 * WORM, 9'000'000, 1'000'000);
    };
    const Outcome oracle = Play(true, TestLinkCosts(3), starve);
    BOOST_TEST(oracle.arrivals.size() == 4 * WORM);
    BOOST_TEST(oracle.arrivals.back() > 9'000'000);
    BOOST_TEST(Play(false, TestLinkCosts(3), starve).arrivals == oracle.arrivals,
               boost::test_tools::per_element());
}

BOOST_AUTO_TEST_CASE(WhatWaitsForACreditBlocksItsInput)
{
    LinkCosts links = TestLinkCosts();
    links.credits = 1;
    WormBench bench(false, links);
    bench.Arrive(0, 1, 1'000'000);
    bench.Arrive(0, 1, 2'000'000); // there is no credit for it
    bench.Arrive(0, 1, 3'000'000, TEST_CELL_TIME, 1);
    bench.ReturnCredits(1, 9'000'000, 0);
    bench.Run();
    BOOST_REQUIRE(bench.diary.entries.size() == 3U);
    BOOST_TEST(bench.diary.entries[1].at > 9'000'000);
    BOOST_TEST(bench.Arrivals()[2].second->destination == 1U);
}

BOOST_AUTO_TEST_CASE(RoomIsGivenBackCellByCell)
{
    WormBench bench(false);
    bench.Arrive(0, WORM, 1'000'000);
    bench.Run();
    const auto& returned = bench.upstream[0].entries;
    BOOST_TEST(returned.size() == WORM);
    for (std::size_t i = 1; i < returned.size(); ++i)
    {
        BOOST_TEST(returned[i].at - returned[i - 1].at == TEST_CELL_TIME);
    }
}

BOOST_AUTO_TEST_CASE(AWormThatLosesItsLastCellLeavesTheOutputToOthers)
{
    SwitchCosts costs = WormCosts();
    costs.bufferCells = 1; // so all cells but the first find no room
    LinkCosts links = TestLinkCosts();
    links.flow = FlowControl::NONE;
    WormBench bench(false, links, costs);
    LetTwoMeet(bench);
    bench.Run();
    const auto arrivals = bench.Arrivals();
    BOOST_REQUIRE(arrivals.size() >= 2U);
    BOOST_TEST(arrivals.front().second != arrivals.back().second);
}

BOOST_AUTO_TEST_SUITE_END()
