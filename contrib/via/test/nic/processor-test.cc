/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
// What runs the engines, starts their DMA and gets their descriptors.

#include "../support/via-test-variant.h"
#include "../support/via-test-vipl-bench.h"
#include "../support/via-test-world.h"

#include "ns3/via-card-task.h"

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

/// Tasks of the cards of one host; each has DMA engines by the costs that are set then.
struct DmaBench : ProcessorBench
{
    CardTask Task(Engine engine)
    {
        if (dma == nullptr || engines != costs.dmaEngines)
        {
            engines = costs.dmaEngines;
            dma = std::make_unique<DmaEngines>(host, processor, turn, costs);
        }
        return CardTask(*dma, engine);
    }

    NicProcessor processor{host, clock, false};
    CardTurn turn{host, PS_NEVER};
    MechanismCosts costs;
    std::uint32_t engines{0};
    std::unique_ptr<DmaEngines> dma;
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
        const CardTurn turn{other, PS_NEVER};
        DmaEngines dma(other, processor, turn, costs);
        CardTask task(dma, Engine::NIC_SEND);
        task.Read(Stage::PAYLOAD_READ, 64);
        const Ps first = task.At().at;
        for (int i = 0; i < 3; ++i)
        {
            task.Read(Stage::PAYLOAD_READ, 64, false);
        }
        return task.At().at - first;
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

BOOST_FIXTURE_TEST_CASE(ADmaEngineServesOneTransferAfterTheOther, DmaBench)
{
    costs.dmaStart = Cycles(1'000);
    CardTask first = Task(Engine::NIC_SEND);
    CardTask second = Task(Engine::NIC_SEND);
    first.Read(Stage::PAYLOAD_READ, 64);
    second.Write(Stage::STATUS_WRITE, 16);
    BOOST_TEST(!first.IsPending());
    BOOST_TEST(second.IsPending());
    BOOST_TEST(second.PendingAt() == first.At().at);
    second.GoOn();
    BOOST_TEST(!second.IsPending());
    BOOST_TEST(second.At().at > first.At().at + 1'000'000);
}

BOOST_FIXTURE_TEST_CASE(ATransferWaitsUntilThatOfAnotherHasEndedAndNobodyKnowsWhen, DmaBench)
{
    costs.dmaStart = Cycles(1'000);
    CardTask first = Task(Engine::NIC_SEND);
    CardTask second = Task(Engine::NIC_SEND);
    CardTask third = Task(Engine::NIC_SEND);
    turn.end = 500'000; // the first has an engine, and will ask for the bus
    first.Read(Stage::PAYLOAD_READ, 64);
    second.Read(Stage::PAYLOAD_READ, 64);
    third.Read(Stage::PAYLOAD_READ, 64);
    BOOST_TEST(first.PendingAt() == 1'000'000);
    BOOST_TEST(second.PendingAt() == PS_NEVER);
    turn.end = PS_NEVER;
    first.GoOn();
    BOOST_TEST(second.PendingAt() == first.At().at);
    BOOST_TEST(third.PendingAt() == PS_NEVER, "the second is first");
}

BOOST_FIXTURE_TEST_CASE(WhatFollowsATransferIsDoneAfterIt, DmaBench)
{
    CardTask task = Task(Engine::NIC_SEND);
    turn.end = -1;
    task.Read(Stage::DESCRIPTOR_FETCH, 64);
    task.Work(Stage::SEGMENT, Cycles(1));
    task.Write(Stage::STATUS_WRITE, 16);
    BOOST_TEST(task.At().at == 0, "nothing may be done yet");
    turn.end = 0;
    task.GoOn();
    BOOST_TEST(task.IsPending());
    const Ps worked = task.PendingAt();
    turn.end = PS_NEVER;
    task.GoOn();
    BOOST_TEST(!task.IsPending());
    BOOST_TEST(task.At().at > worked);
}

BOOST_FIXTURE_TEST_CASE(WhatIsAskedForInACallComesBeforeWhatWasKept, DmaBench)
{
    struct Caller final : CardTask::Listener
    {
        void OnReached(CardTask& task, std::uint64_t, std::uint64_t) override
        {
            reached.push_back(task.At().at);
            task.Read(Stage::TRANSLATION_FETCH, 64);
            task.Work(Stage::TRANSLATE, Cycles(1'000));
        }

        std::vector<Ps> reached;
    } caller;

    CardTask task = Task(Engine::NIC_SEND);
    turn.end = -1;
    task.Read(Stage::DESCRIPTOR_FETCH, 64);
    task.Call(caller, 0, 0);
    task.Call(caller, 0, 0);
    turn.end = 0;
    task.GoOn();
    BOOST_TEST(caller.reached.size() == 1U, "its transfer comes later");
    turn.end = PS_NEVER;
    task.GoOn();
    BOOST_TEST(caller.reached.size() == 2U);
    BOOST_TEST(caller.reached[1] > caller.reached[0] + 1'000'000, "after all of the first");
}

BOOST_FIXTURE_TEST_CASE(TwoDirectionsShareOneDmaEngineOrNot, DmaBench)
{
    costs.dmaStart = Cycles(100'000);
    for (const std::uint32_t engines : {1U, 2U})
    {
        costs.dmaEngines = engines;
        CardTask read = Task(Engine::NIC_SEND);
        CardTask written = Task(Engine::NIC_RECEIVE);
        turn.end = 1'000;
        read.Read(Stage::PAYLOAD_READ, 64);
        written.Write(Stage::PAYLOAD_WRITE, 64);
        BOOST_TEST((written.PendingAt() == PS_NEVER) == (engines == 1));
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

// The store that announces the second receive is on its way while the card takes the first message.
BOOST_AUTO_TEST_CASE(AReceiveIsReadAheadWhenTheCardKnowsOfIt)
{
    for (Ps after = 0; after < 60 * PS_PER_US; after += PS_PER_US)
    {
        const auto client = [](Party& self, Party&) {
            for (int i = 0; i < 2; ++i)
            {
                self.Send(self.Make({self.At(0, 8)}));
            }
            BOOST_TEST(self.Sent() == SENT);
            BOOST_TEST(self.Sent() == SENT);
        };
        const auto server = [after](Party& self, Party&) {
            self.Receive(self.Make({self.At(0, 8)}));
            Pause(PS_PER_MS + after);
            self.Receive(self.Make({self.At(8, 8)}));
            self.Received(); // the second message may have come too early
        };
        ClusterConfig config;
        config.profile = "infinihost";
        config.overrides = {{"nic.descriptor_prefetch", "1"}, {"bus.store_initial", "1000"}};
        Setup setup;
        setup.level = VIP_SERVICE_UNRELIABLE;
        const std::string fast = RunPair(client, server, setup, config).digest;
        config.reference = true;
        BOOST_TEST(RunPair(client, server, setup, config).digest == fast, after);
    }
}

BOOST_AUTO_TEST_SUITE_END()
