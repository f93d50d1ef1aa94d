/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
// What runs the engines, starts their DMA and gets their descriptors.

#include "../support/via-test-variant.h"
#include "../support/via-test-world.h"

#include "ns3/via-dma-engines.h"

#include <boost/test/unit_test.hpp>

using namespace ns3::via;
using namespace ns3::via::test;

namespace
{

struct ProcessorBench : TestWorld
{
    Host host{world, 0, "n0", HostCosts::From(ProviderProfile::Load(CARD))};
    ClockDomain clock{Frequency{1'000'000'000, 1}};
};

} // namespace

BOOST_AUTO_TEST_SUITE(ProcessorTest)

BOOST_FIXTURE_TEST_CASE(HardwareEnginesWorkSideBySide, ProcessorBench)
{
    NicProcessor processor(host, clock, false);
    const Moment sent = processor.Work({0, 0}, Stage::SEGMENT, Engine::NIC_SEND, Cycles(10));
    const Moment taken = processor.Work({0, 0}, Stage::DEMUX, Engine::NIC_RECEIVE, Cycles(10));
    BOOST_TEST(sent.at == 10'000);
    BOOST_TEST(taken.at == 10'000);
}

BOOST_FIXTURE_TEST_CASE(FirmwareDoesOneThingAfterTheOther, ProcessorBench)
{
    NicProcessor processor(host, clock, true);
    processor.Work({0, 0}, Stage::SEGMENT, Engine::NIC_SEND, Cycles(10));
    const Moment taken = processor.Work({0, 0}, Stage::DEMUX, Engine::NIC_RECEIVE, Cycles(10));
    const Moment none = processor.Work({3, 0}, Stage::DEMUX, Engine::NIC_RECEIVE, Cycles(0));
    BOOST_TEST(taken.at == 20'000);
    BOOST_TEST(none.at == 3);
}

BOOST_FIXTURE_TEST_CASE(TheUpkeepOfASendIsDoneBeforeAnythingElse, ProcessorBench)
{
    NicProcessor processor(host, clock, true);
    processor.EndSend(0, Cycles(10));
    const Moment received = processor.Work({0, 0}, Stage::DEMUX, Engine::NIC_RECEIVE, Cycles(4));
    BOOST_TEST(received.at == 14'000);
    BOOST_TEST(processor.BeginReceive({0, 0}).at == 0, "nothing is owed for a receive");
    processor.EndSend(14'000, Cycles(0));
    BOOST_TEST(processor.Work(received, Stage::DEMUX, Engine::NIC_RECEIVE, Cycles(1)).at == 15'000);
}

BOOST_FIXTURE_TEST_CASE(TheUpkeepOfAReceiveIsDoneWhenNothingElseIsToBeDone, ProcessorBench)
{
    NicProcessor processor(host, clock, true);
    processor.EndReceive(0, Cycles(10));
    processor.Work({0, 0}, Stage::SEGMENT, Engine::NIC_SEND, Cycles(4));
    BOOST_TEST(processor.BeginReceive({8'000, 0}).at == 14'000, "4 idle cycles of 8");
    BOOST_TEST(processor.BeginReceive({14'000, 0}).at == 14'000, "it is done once");
    processor.EndReceive(14'000, Cycles(10));
    BOOST_TEST(processor.BeginReceive({30'000, 0}).at == 30'000);
}

BOOST_FIXTURE_TEST_CASE(ReadsRequestedAheadWaitForMemoryOnce, ProcessorBench)
{
    const auto took = [this](bool split, std::uint32_t ahead) {
        HostCosts bus = HostCosts::From(ProviderProfile::Load(CARD));
        bus.bus.splitReads = split;
        Host other{world, 1, "n1", bus};
        MechanismCosts costs;
        costs.readAhead = ahead;
        NicProcessor processor(other, clock, false);
        DmaEngines dma(other, processor, costs);
        const Moment first = dma.Read({0, 0}, Stage::PAYLOAD_READ, Engine::NIC_SEND, 64);
        Moment at = first;
        for (int i = 0; i < 3; ++i)
        {
            at = dma.Read(at, Stage::PAYLOAD_READ, Engine::NIC_SEND, 64, false);
        }
        return at.at - first.at;
    };
    BOOST_TEST(took(false, 1) < took(false, 0), "they are one burst");
    BOOST_TEST(took(false, 3) == took(false, 1));
    BOOST_TEST(took(true, 3) <= took(true, 1));
    BOOST_TEST(took(true, 1) < took(true, 0));
}

BOOST_FIXTURE_TEST_CASE(AProcessorStandsStillWhilePayloadUsesItsMemory, ProcessorBench)
{
    NicProcessor processor(host, clock, true, 8);
    processor.UseMemory(0, 33);
    BOOST_TEST(processor.Work({0, 0}, Stage::DEMUX, Engine::NIC_RECEIVE, Cycles(10)).at == 15'000);
    NicProcessor wide(host, clock, true);
    wide.UseMemory(0, 33);
    BOOST_TEST(wide.Work({0, 0}, Stage::DEMUX, Engine::NIC_RECEIVE, Cycles(10)).at == 10'000);
}

BOOST_AUTO_TEST_CASE(ADmaEngineIsBusyFromItsStartToTheEndOfTheBurst)
{
    DmaCalendar calendar;
    calendar.Occupy(100, 200);
    calendar.Occupy(300, 400);
    BOOST_TEST(calendar.FreeFrom(50, 50) == 50);
    BOOST_TEST(calendar.FreeFrom(50, 51) == 200);
    BOOST_TEST(calendar.FreeFrom(150, 101) == 400);
    BOOST_TEST(!calendar.IsFreeFrom(399));
    BOOST_TEST(calendar.IsFreeFrom(400));
    calendar.Forget(200);
    BOOST_TEST(calendar.FreeFrom(50, 51) == 50);
    BOOST_TEST(calendar.FreeFrom(350, 10) == 400);
}

BOOST_FIXTURE_TEST_CASE(TwoDirectionsShareOneDmaEngineOrNot, ProcessorBench)
{
    for (const std::uint32_t engines : {1U, 2U})
    {
        Host other{world, 1, "n1", HostCosts::From(ProviderProfile::Load(CARD))};
        MechanismCosts costs;
        costs.dmaEngines = engines;
        costs.dmaStart = Cycles(100'000);
        NicProcessor processor(other, clock, false);
        DmaEngines dma(other, processor, costs);
        const Moment read = dma.Read({0, 0}, Stage::PAYLOAD_READ, Engine::NIC_SEND, 64);
        const Moment written = dma.Write({0, 0}, Stage::PAYLOAD_WRITE, Engine::NIC_RECEIVE, 64);
        const Ps start = 100'000'000;
        BOOST_TEST((written.at >= read.at + start) == (engines == 1));
    }
}

BOOST_AUTO_TEST_CASE(AWrittenDescriptorIsTakenWithoutDma)
{
    const std::vector<BreakdownRow> rows = PingPongRows(Variant(PioDescriptors()), 4, 0);
    BOOST_TEST(SumOf(rows, "descriptor-fetch").rows == 0U);
    BOOST_TEST(SumOf(rows, "descriptor-read").cycles == 2 * 9U);
    // 48 bytes in bursts of 32 and 16, each with 5 clocks beside its data
    BOOST_TEST(SumOf(rows, "descriptor-write").rows == 2U);
    BOOST_TEST(SumOf(rows, "descriptor-write").cycles == 5U + 8 + 5 + 4);
}

BOOST_AUTO_TEST_CASE(ADescriptorThatWasReadAheadIsNotFetchedAgain)
{
    const auto fetches = [](const char* ahead) {
        const Variant card(Changes{{"nic.descriptor_prefetch", ahead}});
        return SumOf(PingPongRows(card, 4, 0), "descriptor-fetch").rows;
    };
    BOOST_TEST(fetches("0") == 2U);
    BOOST_TEST(fetches("1") == 1U);
}

BOOST_AUTO_TEST_SUITE_END()
