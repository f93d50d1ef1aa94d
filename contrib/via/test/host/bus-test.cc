/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
// The I/O bus: bursts, split reads, stores, several masters, and published rates.

#include "../support/via-test-abort.h"
#include "../support/via-test-dma.h"
#include "../support/via-test-world.h"

#include "ns3/via-dma-rate.h"
#include "ns3/via-host.h"

#include <boost/test/unit_test.hpp>

using namespace ns3::via;
using namespace ns3::via::test;

namespace
{

/// 10 ns per clock, 8 bytes per clock, bursts of 64 bytes.
HostCosts
BusCostsOf(bool split = false)
{
    HostCosts costs;
    costs.cpuClock = {100'000'000, 1};
    costs.bus.clock = {100'000'000, 1};
    costs.bus.width = 8;
    costs.bus.readRequest = Cycles(3);
    costs.bus.readInitial = Cycles(14);
    costs.bus.readOverhead = Cycles(18);
    costs.bus.writeOverhead = Cycles(6);
    costs.bus.storeOverhead = Cycles(5);
    costs.bus.burstBytes = 64;
    costs.bus.splitReads = split;
    return costs;
}

struct BusBench : TestWorld
{
    explicit BusBench(const HostCosts& costs = BusCostsOf())
        : host(world, 0, "n0", costs),
          edge(host.MakeClock(costs.bus.clock, 1).EdgeAtOrAfter(0))
    {
    }

    /// The first edge, and @p clocks more.
    Ps After(Ps clocks) const
    {
        return edge + clocks * 10'000;
    }

    Moment Read(std::uint32_t bytes, std::uint32_t bus = 0)
    {
        return DmaRead(host, {0, 0}, bytes, bus);
    }

    Moment Write(std::uint32_t bytes, std::uint32_t bus = 0)
    {
        return DmaWrite(host, {0, 0}, bytes, bus);
    }

    Host host;
    Ps edge;
};

/// MB/s of transfers of @p bytes, one after the other, each way.
struct Rates
{
    double read;
    double write;
};

Rates
RatesOf(const HostCosts& costs, std::uint32_t bytes)
{
    BusBench bench(costs);
    const auto rate = [bytes](Ps from, Ps to) {
        return bytes * 1e6 / static_cast<double>(to - from);
    };
    const Ps read = bench.Read(bytes).at;
    const Ps written = DmaWrite(bench.host, {read, 0}, bytes).at;
    return {rate(bench.edge, read), rate(read, written)};
}

} // namespace

BOOST_AUTO_TEST_SUITE(BusTest)

BOOST_AUTO_TEST_CASE(EveryBurstPaysItsOverhead)
{
    BOOST_TEST(BusBench().Read(64).at == BusBench().After(18 + 8));
    BOOST_TEST(BusBench().Read(65).at == BusBench().After(18 + 8 + 18 + 1));
    BOOST_TEST(BusBench().Write(200).at == BusBench().After(4 * 6 + 25));
    BOOST_TEST(BusBench().Read(0).at == BusBench().After(18));
    BOOST_TEST(BusBench().host.DataSpan(64) == 8 * 10'000);
    BOOST_TEST(BusBench().host.DataSpan(65) == 10'000, "of the last burst");
}

BOOST_AUTO_TEST_CASE(AnotherMasterSlipsInBetweenTwoBursts)
{
    BusBench bench;
    BusTransfer transfer;
    transfer.bytes = 128;
    const Moment first = bench.host.Bus().Next({0, 0}, transfer, 0);
    BOOST_TEST(!transfer.IsOver());
    const Moment other = bench.host.MmioStore({first.at - 1, 0});
    const Moment second = bench.host.Bus().Next(first, transfer, 0);
    BOOST_TEST(transfer.IsOver());
    BOOST_TEST(other.at == bench.After(26 + 6));
    BOOST_TEST(second.at == bench.After(26 + 6 + 26));
}

BOOST_AUTO_TEST_CASE(NobodyRequestsTheBusAheadOfTime)
{
    BusBench bench;
    bench.host.MmioStore({1'000'000, 0});
    bench.host.MmioStore({1'000'000, 0}); // at the same instant is in order
    BOOST_TEST(Aborts([&bench] { bench.host.MmioStore({999'999, 0}); }));
    BOOST_TEST(!Aborts([&bench] { bench.host.MmioStore({1'000'001, 0}); }));
}

BOOST_AUTO_TEST_CASE(TwoMastersOfOneBusShareItTwoOfTwoBusesDoNot)
{
    BusBench one;
    one.Read(64, 0);
    BOOST_TEST(one.Write(64, 1).at == one.After(26 + 14));
    HostCosts costs = BusCostsOf();
    costs.bus.count = 2;
    BusBench two(costs);
    two.Read(64, 0);
    BOOST_TEST(two.Write(64, 1).at == two.After(14));
    BOOST_TEST(two.Write(64, 2).at == two.After(26 + 14), "card 2 is on bus 0");
}

BOOST_AUTO_TEST_CASE(DuringASplitReadTheBusIsFree)
{
    BusBench bench(BusCostsOf(true));
    BOOST_TEST(bench.Read(64).at == bench.After(26), "alone it takes as long");
    BusBench both(BusCostsOf(true));
    BusTransfer transfer;
    transfer.bytes = 64;
    const Moment waited = both.host.Bus().Next({0, 0}, transfer, 0);
    BOOST_TEST(both.Write(8).at == both.After(3 + 7), "while the read waits for its data");
    BOOST_TEST(both.Write(64).at == both.After(3 + 7 + 14));
    BOOST_TEST(both.host.Bus().Next(waited, transfer, 0).at == both.After(3 + 7 + 14 + 9),
               "its data waits for the bus");
}

BOOST_AUTO_TEST_CASE(AReadThatWasRequestedBeforeHasWaitedMeanwhile)
{
    const auto took = [](Ps ahead, std::uint32_t gap) {
        HostCosts costs = BusCostsOf(true);
        costs.bus.reads.gap = Cycles(gap);
        BusBench bench(costs);
        const Ps from = bench.After(100);
        const Ps asked = ahead == 0 ? PS_NEVER : from - ahead * 10'000;
        return (DmaRead(bench.host, {from, 0}, 64, 0, asked).at - from) / 10'000;
    };
    BOOST_TEST(took(0, 0) == 26);
    BOOST_TEST(took(7, 0) == 26 - 10, "3 clocks of the request have passed, too");
    BOOST_TEST(took(50, 0) == 12, "no wait is left");
    BOOST_TEST(took(50, 9) == 12 + 9 - 4, "a bridge needs its gap between two pieces");
    BOOST_TEST(took(50, 99) == 26, "which is no longer than the wait of a read alone");
}

BOOST_AUTO_TEST_CASE(ABurstGoesOnIfItWasRequestedBeforeAndNobodyTookTheBus)
{
    const auto took = [](std::uint32_t longest, bool taken) {
        HostCosts costs = BusCostsOf();
        costs.bus.burstBytes = longest;
        BusBench bench(costs);
        const Moment first = DmaRead(bench.host, {0, 0}, 32);
        if (taken)
        {
            bench.Write(8);
        }
        return DmaRead(bench.host, first, 32, 0, 0).at - bench.edge;
    };
    BOOST_TEST(took(64, false) == (18 + 4 + 4) * 10'000);
    BOOST_TEST(took(32, false) == (18 + 4 + 18 + 4) * 10'000, "longer than a burst may be");
    BOOST_TEST(took(64, true) == (18 + 4 + 7 + 18 + 4) * 10'000, "another master had it");
}

BOOST_AUTO_TEST_CASE(StoresAreMadeOneByOneOrCombined)
{
    HostCosts costs = BusCostsOf();
    costs.bus.storeBytes = 4;
    const auto stored = [](const HostCosts& host) {
        BusBench bench(host);
        Moment at;
        for (std::uint32_t bytes = 64; bytes > 0;)
        {
            at = bench.host.Bus().NextStore(at, Stage::DOORBELL, bytes, 0);
        }
        return at.at - bench.edge;
    };
    BOOST_TEST(stored(costs) == 16 * 6 * 10'000);
    costs.bus.storeBytes = 32;
    BOOST_TEST(stored(costs) == 2 * 9 * 10'000);
    BOOST_TEST(BusBench().host.MmioStore({0, 0}).at == BusBench().After(6));
}

BOOST_AUTO_TEST_CASE(ABridgeDeliversAReadInPiecesWithGapsAndTakesAWriteInOne)
{
    HostCosts costs = BusCostsOf();
    costs.bus.reads = {32, Cycles(5)};
    BOOST_TEST(BusBench(costs).Read(32).at == BusBench(costs).After(18 + 4));
    BOOST_TEST(BusBench(costs).Read(33).at == BusBench(costs).After(18 + 5 + 5));
    BOOST_TEST(BusBench(costs).Read(128).at == BusBench(costs).After(2 * (18 + 8 + 5)));
    BOOST_TEST(BusBench(costs).Write(64).at == BusBench(costs).After(6 + 8));
    BOOST_TEST(BusBench(costs).host.DataSpan(128) == (8 + 5) * 10'000);
    costs.bus.splitReads = true;
    BOOST_TEST(BusBench(costs).Read(128).at == BusBench(costs).After(2 * (18 + 8 + 5)));
}

BOOST_AUTO_TEST_CASE(ADmaTestTimesBurstsEachWayAndBoth)
{
    const HostCosts costs = BusCostsOf();
    BOOST_TEST(DmaTime(costs, DmaTest::READ, 64, 3) == 3 * 26 * 10'000);
    BOOST_TEST(DmaTime(costs, DmaTest::WRITE, 64, 3) == 3 * 14 * 10'000);
    BOOST_TEST(DmaTime(costs, DmaTest::BOTH, 64, 3) == 3 * (26 + 14) * 10'000);
    const Ps split = DmaTime(BusCostsOf(true), DmaTest::BOTH, 64, 3);
    BOOST_TEST(split < 3 * (26 + 14) * 10'000, "writes fill the waits of reads");
    BOOST_TEST(DmaTime(costs, DmaTest::BOTH, 64, 0) == 0);
}

BOOST_AUTO_TEST_CASE(ABusOf64BitsAt66MhzMovesWhatWasPublished)
{
    HostCosts costs = BusCostsOf();
    costs.bus.clock = {200'000'000, 3};
    costs.bus.readOverhead = Cycles(86);
    costs.bus.writeOverhead = Cycles(44);
    costs.bus.burstBytes = 512;
    for (const std::uint32_t bytes : {512U, 65536U})
    {
        const Rates rates = RatesOf(costs, bytes);
        BOOST_TEST(rates.read == 227, boost::test_tools::tolerance(0.005));
        BOOST_TEST(rates.write == 315, boost::test_tools::tolerance(0.005));
    }
}

BOOST_AUTO_TEST_CASE(PciXMovesWhatWasPublished)
{
    HostCosts costs = BusCostsOf(true);
    costs.bus.clock = {400'000'000, 3};
    costs.bus.readRequest = Cycles(4);
    costs.bus.readInitial = Cycles(60);
    costs.bus.readOverhead = Cycles(65);
    costs.bus.writeOverhead = Cycles(11);
    costs.bus.burstBytes = 2048;
    const Rates rates = RatesOf(costs, 4096);
    BOOST_TEST(rates.read > 784);
    BOOST_TEST(rates.read < 908);
    BOOST_TEST(rates.write > 946);
    BOOST_TEST(rates.write < 1044);
}

BOOST_AUTO_TEST_SUITE_END()
