/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
// VIPL: looking at work queues and waiting for them, and what that costs.

#include "support/via-test-vipl-bench.h"

using namespace ns3::via;
using namespace ns3::via::test;

namespace
{

/// What the server's VipRecvWait takes from the call to its return, for a message under way.
Ps
WaitSpan(const std::string& key, std::uint64_t extra)
{
    ClusterConfig config;
    if (!key.empty())
    {
        config.overrides[key] = std::to_string(Key(key) + extra);
    }
    Ps span = 0;
    Party ends[2];
    const auto client = [&] {
        ends[0].Open({});
        ends[0].Connect(ends[0].vi, 1);
        FiberProcess::Current()->SleepUntil(PS_PER_SECOND);
        ends[0].Send(ends[0].Make({}));
        FiberProcess::Current()->SleepUntil(2 * PS_PER_SECOND); // its end would be an interrupt
    };
    const auto server = [&] {
        ends[1].Open({});
        ends[1].Receive(ends[1].Make({}));
        ends[1].Listen(ends[1].vi);
        FiberProcess::Current()->SleepUntil(PS_PER_SECOND / 2);
        const Ps before = Now();
        BOOST_TEST(VipRecvWait(ends[1].vi, VIP_INFINITE, &ends[1].last) == VIP_SUCCESS);
        span = Now() - before;
    };
    RunEach({client, server}, config);
    return span;
}

constexpr Ps CPU_CYCLE = 3334; // at 300 MHz, rounded up

} // namespace

BOOST_AUTO_TEST_SUITE(vipl_completion)

BOOST_AUTO_TEST_CASE(AnEmptyQueueIsADescriptorErrorWithoutDescriptor)
{
    RunAlone([](Party& self) {
        VIP_DESCRIPTOR* taken = self.Make({});
        BOOST_TEST(VipSendDone(self.vi, &taken) == VIP_DESCRIPTOR_ERROR);
        BOOST_TEST(taken == nullptr);
        taken = self.Make({});
        BOOST_TEST(VipRecvDone(self.vi, &taken) == VIP_DESCRIPTOR_ERROR);
        BOOST_TEST(taken == nullptr);
        BOOST_TEST(VipSendWait(self.vi, VIP_INFINITE, &taken) == VIP_DESCRIPTOR_ERROR);
        BOOST_TEST(VipRecvWait(self.vi, VIP_INFINITE, &taken) == VIP_DESCRIPTOR_ERROR);
    });
}

BOOST_AUTO_TEST_CASE(AHeadThatIsNotFinishedIsNotDoneAndStays)
{
    RunAlone([](Party& self) {
        VIP_DESCRIPTOR* taken = nullptr;
        self.Receive(self.Make({}));
        BOOST_TEST(VipRecvDone(self.vi, &taken) == VIP_NOT_DONE);
        BOOST_TEST(VipRecvDone(self.vi, &taken) == VIP_NOT_DONE);
        BOOST_TEST(taken == nullptr);
    });
}

BOOST_AUTO_TEST_CASE(CompletionCallsCheckTheirArguments)
{
    RunAlone([](Party& self) {
        VIP_DESCRIPTOR* taken;
        BOOST_TEST(VipSendDone(nullptr, &taken) == VIP_INVALID_PARAMETER);
        BOOST_TEST(VipSendDone(self.vi, nullptr) == VIP_INVALID_PARAMETER);
        BOOST_TEST(VipRecvDone(self.nic, &taken) == VIP_INVALID_PARAMETER);
        BOOST_TEST(VipRecvDone(self.vi, nullptr) == VIP_INVALID_PARAMETER);
        BOOST_TEST(VipSendWait(nullptr, 1, &taken) == VIP_INVALID_PARAMETER);
        BOOST_TEST(VipSendWait(self.vi, 1, nullptr) == VIP_INVALID_PARAMETER);
        BOOST_TEST(VipRecvWait(nullptr, 1, &taken) == VIP_INVALID_PARAMETER);
        BOOST_TEST(VipRecvWait(self.vi, 1, nullptr) == VIP_INVALID_PARAMETER);
    });
}

BOOST_AUTO_TEST_CASE(TimeoutsAreMillisecondsOfSimulatedTime)
{
    RunAlone([](Party& self) {
        self.Receive(self.Make({}));
        for (const VIP_ULONG timeout : {1UL, 20UL, 3000UL})
        {
            VIP_DESCRIPTOR* taken = self.last;
            const Ps before = Now();
            BOOST_TEST(VipRecvWait(self.vi, timeout, &taken) == VIP_TIMEOUT);
            BOOST_TEST(Now() - before == static_cast<Ps>(timeout) * PS_PER_MS);
        }
    });
}

BOOST_AUTO_TEST_CASE(AWaitWithoutTimeIsOver)
{
    RunAlone([](Party& self) {
        self.Receive(self.Make({}));
        VIP_DESCRIPTOR* taken;
        const Ps before = Now();
        BOOST_TEST(VipRecvWait(self.vi, 0, &taken) == VIP_TIMEOUT);
        BOOST_TEST(Now() - before < 10 * PS_PER_US);
    });
}

BOOST_AUTO_TEST_CASE(BothFormsOfInfiniteWaitForEver)
{
    for (const VIP_ULONG infinite : {VIP_INFINITE, ~0UL})
    {
        const auto client = [](Party& self, Party&) {
            Pause(PS_PER_SECOND);
            self.Send(self.Make({}));
        };
        const auto server = [infinite](Party& self, Party&) {
            self.Receive(self.Make({}));
            BOOST_TEST(VipRecvWait(self.vi, infinite, &self.last) == VIP_SUCCESS);
        };
        RunPair(client, server);
    }
}

BOOST_AUTO_TEST_CASE(AMessageAfterTheTimeoutIsThereForTheNextWait)
{
    const auto client = [](Party& self, Party&) {
        Pause(20 * PS_PER_MS);
        self.Send(self.Make({}));
    };
    const auto server = [](Party& self, Party&) {
        self.Receive(self.Make({}));
        BOOST_TEST(VipRecvWait(self.vi, 5, &self.last) == VIP_TIMEOUT);
        BOOST_TEST(VipRecvWait(self.vi, 100, &self.last) == VIP_SUCCESS);
    };
    RunPair(client, server);
}

BOOST_AUTO_TEST_CASE(AFruitlessLookCostsWhatItsKeySays)
{
    RunAlone([](Party& self) {
        self.Receive(self.Make({}));
        VIP_DESCRIPTOR* taken;
        VipRecvDone(self.vi, &taken);
        const Ps before = Now();
        for (int i = 0; i < 100; ++i)
        {
            VipRecvDone(self.vi, &taken);
        }
        BOOST_TEST(std::abs(Now() - before - CpuTime(100 * Key("vipl.done_miss"))) <= CPU_CYCLE);
    });
}

BOOST_AUTO_TEST_CASE(AHarvestCostsACacheMissAndTheCall)
{
    const auto client = [](Party& self, Party&) {
        self.Send(self.Make({}));
        Pause(PS_PER_MS);
        const Ps before = Now();
        BOOST_TEST(VipSendDone(self.vi, &self.last) == VIP_SUCCESS);
        const std::uint64_t cycles = Key("cpu.cache_miss") + Key("vipl.done_hit");
        BOOST_TEST(std::abs(Now() - before - CpuTime(cycles)) <= 2 * CPU_CYCLE);
    };
    const auto server = [](Party& self, Party&) { self.Receive(self.Make({})); };
    RunPair(client, server);
}

BOOST_AUTO_TEST_CASE(WakingUpCostsAnInterruptAContextSwitchAndTheHarvest)
{
    const Ps plain = WaitSpan("", 0);
    for (const std::string key :
         {"os.interrupt", "os.context_switch", "cpu.cache_miss", "vipl.done_hit"})
    {
        const Ps longer = WaitSpan(key, 30000); // 100 us
        BOOST_TEST(std::abs(longer - plain - CpuTime(30000)) <= 2 * CPU_CYCLE,
                   key << ": " << longer << " " << plain);
    }
}

BOOST_AUTO_TEST_CASE(GoingToSleepCostsNothingWhenThereIsTimeForIt)
{
    BOOST_TEST(std::abs(WaitSpan("vipl.wait_enter", 30000) - WaitSpan("", 0)) <= 2 * CPU_CYCLE);
}

BOOST_AUTO_TEST_CASE(AWaitForSomethingThatIsThereDoesNotSleep)
{
    const auto client = [](Party& self, Party&) { self.Send(self.Make({})); };
    const auto server = [](Party& self, Party&) {
        self.Receive(self.Make({}));
        Pause(10 * PS_PER_MS);
        const Ps before = Now();
        BOOST_TEST(VipRecvWait(self.vi, 1, &self.last) == VIP_SUCCESS);
        BOOST_TEST(Now() - before < CpuTime(Key("os.interrupt")));
    };
    RunPair(client, server);
}

BOOST_AUTO_TEST_SUITE_END()
