/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
// A switch that goes down for an instant loses what it holds, wherever that waits.

#include "../support/via-test-cluster-bench.h"
#include "../support/via-test-fabric-bench.h"
#include "../support/via-test-fault-bench.h"

#include "ns3/via-switch.h"

#include <algorithm>
#include <array>

using namespace ns3::via;
using namespace ns3::via::test;

namespace
{

/// A switch of four ports that goes down for a picosecond.
struct BlinkingSwitch : TestWorld
{
    BlinkingSwitch(Queueing queueing, Ps at)
        : TestWorld(5),
          crossbar(world, 0, "s0", CostsOf(queueing), TestLinkCosts(), 4)
    {
        for (std::uint32_t port = 0; port < 4; ++port)
        {
            hosts.push_back(std::make_unique<Component>(world, port + 1, "n"));
            crossbar.Out(port).Connect(*hosts[port], 0, &diary, port, Notice::LAST_BIT);
            crossbar.SetUpstream(port, &credits[port]);
            crossbar.Out(port).Faults().StartAtSwitch();
            crossbar.Out(port).Faults().AddCut({at, at + 1}, true, &losses);
        }
        crossbar.SetRoutes(RouteTable(std::vector<Route>{{0}, {1}, {2}, {3}}));
    }

    static SwitchCosts CostsOf(Queueing queueing)
    {
        SwitchCosts costs{{62'500'000, 1}, Cycles(31)};
        costs.queueing = queueing;
        return costs;
    }

    /// @p count cells for host 2 begin to arrive at @p port.
    void Arrive(std::uint32_t port, std::uint32_t count)
    {
        for (Cell* cell : maker.Make(count, PS_PER_US, 2))
        {
            crossbar.Schedule(cell->first.at,
                              port,
                              crossbar.Entrance(),
                              Switch::KindOfPort(port),
                              reinterpret_cast<std::uint64_t>(cell));
        }
    }

    FaultLosses losses;
    std::vector<std::unique_ptr<Component>> hosts;
    std::array<CreditLog, 4> credits;
    Diary diary{world.agenda};
    PacketMaker maker{world};
    Switch crossbar;
};

} // namespace

BOOST_AUTO_TEST_SUITE(SwitchBufferTest)

// Cells that a crossbar had let wait were taken for new ones.
BOOST_AUTO_TEST_CASE(CellsThatWaitAreLostWhereverTheyDo)
{
    const Ps at = PS_PER_US + 6 * TEST_CELL_TIME; // all have arrived, a few have left
    for (const Queueing queueing : {Queueing::OUTPUT, Queueing::FIFO, Queueing::VOQ})
    {
        BlinkingSwitch bench(queueing, at);
        bench.Arrive(0, 6);
        bench.Arrive(1, 6);
        bench.Run();
        const auto arrived = std::count_if(bench.diary.entries.begin(),
                                           bench.diary.entries.end(),
                                           [at](const auto& entry) { return entry.at <= at; });
        BOOST_TEST(arrived > 0);
        BOOST_TEST(bench.losses.lost == 12U - static_cast<std::uint64_t>(arrived));
    }
}

// A cell on its way through the switch was not yet in its buffer.
BOOST_AUTO_TEST_CASE(CellsInsideASwitchAreLost)
{
    for (const Queueing queueing : {Queueing::OUTPUT, Queueing::FIFO, Queueing::VOQ})
    {
        BlinkingSwitch bench(queueing, PS_PER_US + PS_PER_US / 4); // it takes half of one
        bench.Arrive(0, 1);
        bench.Run();
        BOOST_TEST(bench.losses.lost == 1U);
        BlinkingSwitch with(queueing, PS_PER_US); // it arrives at that instant
        with.Arrive(0, 1);
        with.Run();
        BOOST_TEST(with.losses.lost == 1U);
        BlinkingSwitch before(queueing, PS_PER_US - 1);
        before.Arrive(0, 1);
        before.Run();
        BOOST_TEST(before.losses.lost == 0U);
    }
}

BOOST_AUTO_TEST_CASE(AFrameInsideASwitchIsLostInBothModes)
{
    ClusterConfig config = Recorded("star", 2);
    config.overrides = {{"switch.forwarding", "store-and-forward"}};
    const Parameters one = {{"size", "4"}, {"rounds", "1"}};
    const std::vector<BreakdownRow> rows = RunWorkload(config, "ping-pong", one).breakdown;
    const auto inside = std::find_if(rows.rbegin(), rows.rend(), [](const auto& row) {
        return row.stage == "switch";
    });
    BOOST_REQUIRE((inside != rows.rend()));
    const Ps middle = (inside->start + inside->end) / 2;
    config.plan.faults = {MakeFault(FaultKind::SWITCH_DOWN, "s0", middle + PS_PER_NS, middle)};
    for (const bool reference : {false, true})
    {
        config.reference = reference;
        BOOST_TEST(RunWorkload(config, "ping-pong", one).report.cellsLost == 1U);
    }
}

BOOST_AUTO_TEST_SUITE_END()
