/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
// Threads of a process: their clocks and order, what they share, how they end.

#include "support/via-test-vipl-bench.h"

#include <stdexcept>

using namespace ns3::via;
using namespace ns3::via::test;

namespace
{

FiberThread*
Spawn(std::function<void()> body)
{
    return ViplProcess::Running().StartThread(std::move(body));
}

/// Writes its name down when its scope ends.
struct Witness
{
    ~Witness()
    {
        log += name;
    }

    std::string& log;
    std::string name;
};

/// The stack of a thread that ends at once; it registers a part of it if @p party is not null.
void*
StackOfAThread(Party* party)
{
    void* bottom = nullptr;
    Spawn([&] {
        bottom = Fiber::Current()->Stack().bottom;
        VIP_MEM_HANDLE handle = 0;
        if (party != nullptr)
        {
            BOOST_TEST(party->Register(bottom, 64, &handle) == VIP_SUCCESS);
        }
    });
    Pause(PS_PER_MS);
    return bottom;
}

void
WaitForEver()
{
    FiberThread::Current()->Block(PS_NEVER, "nothing");
}

} // namespace

BOOST_AUTO_TEST_SUITE(vipl_thread)

BOOST_AUTO_TEST_CASE(AThreadBeginsWhereItsCreatorIsAndHasAClockOfItsOwn)
{
    const auto body = [] {
        Pause(PS_PER_MS);
        const Ps start = Now();
        Ps end = 0;
        Spawn([&] {
            BOOST_TEST(Now() == start);
            Pause(2 * PS_PER_MS);
            end = Now();
        });
        Pause(PS_PER_MS);
        BOOST_TEST(end == 0);
        Pause(2 * PS_PER_MS);
        BOOST_TEST(end == start + 2 * PS_PER_MS);
        BOOST_TEST(Now() == start + 3 * PS_PER_MS);
    };
    RunEach({body}, With("cpu.count", "2"));
}

BOOST_AUTO_TEST_CASE(MainComesFirstAndTheOthersInTheOrderOfTheirNumbers)
{
    std::string log;
    const auto body = [&] {
        const Ps then = Now() + PS_PER_MS;
        for (const char* name : {"2", "3", "4"})
        {
            Spawn([&log, name, then] {
                Pause(PS_PER_US * ('9' - *name));
                FiberProcess::Current()->SleepUntil(then);
                log += name;
            });
        }
        FiberProcess::Current()->SleepUntil(then);
        log += "1";
        Pause(1);
    };
    RunEach({body}, With("cpu.count", "4"));
    BOOST_TEST(log == "1234");
}

BOOST_AUTO_TEST_CASE(ThreadsShareTheHandlesOfTheirProcess)
{
    const auto client = [](Party& self, Party&) {
        VIP_UINT32 status = 0;
        Spawn([&] {
            self.Send(self.Make({self.At(0, 8)}));
            status = self.Sent();
        });
        Pause(PS_PER_MS);
        BOOST_TEST(status == SENT);
    };
    const auto server = [](Party& self, Party&) {
        self.Receive(self.Make({self.At(0, 8)}));
        VIP_UINT32 status = 0;
        Spawn([&] { status = self.Received(); });
        Pause(PS_PER_SECOND);
        BOOST_TEST(status == RECEIVED);
    };
    RunPair(client, server);
}

BOOST_AUTO_TEST_CASE(ASecondDisconnectCutsTheDrainingOfTheFirstShort)
{
    const auto client = [](Party& self, Party&) {
        for (int i = 0; i < 20; ++i)
        {
            self.Send(self.Make({self.At(0, 65536)}));
        }
        Ps first = 0;
        Spawn([&] {
            BOOST_TEST(VipDisconnect(self.vi) == VIP_SUCCESS);
            first = Now();
        });
        Pause(PS_PER_MS);
        BOOST_TEST(VipDisconnect(self.vi) == VIP_SUCCESS);
        Pause(PS_PER_MS);
        BOOST_TEST(first > 0);
        BOOST_TEST(self.State() == VIP_STATE_IDLE);
    };
    const auto server = [](Party& self, Party&) {
        for (int i = 0; i < 20; ++i)
        {
            self.Receive(self.Make({self.At(0, 65536)}));
        }
    };
    RunPair(client, server);
}

BOOST_AUTO_TEST_CASE(ADisconnectDoesNotWaitForWhatAnotherThreadPostsMeanwhile)
{
    constexpr int BEFORE = 4;
    constexpr int AFTER = 40;
    const auto client = [](Party& self, Party&) {
        for (int i = 0; i < BEFORE; ++i)
        {
            self.Send(self.Make({self.At(0, 65536)}));
        }
        int posted = 0;
        Spawn([&] {
            for (; posted < AFTER && self.State() == VIP_STATE_CONNECTED; ++posted)
            {
                self.Send(self.Make({self.At(0, 65536)}));
                Pause(500 * PS_PER_US);
            }
        });
        Pause(50 * PS_PER_US);
        BOOST_TEST(VipDisconnect(self.vi) == VIP_SUCCESS);
        BOOST_TEST(posted > 1);
        BOOST_TEST(posted < int{AFTER});
        Pause(PS_PER_MS);
    };
    const auto server = [](Party& self, Party&) {
        for (int i = 0; i < BEFORE + AFTER; ++i)
        {
            self.Receive(self.Make({self.At(0, 65536)}));
        }
    };
    RunPair(client, server, {}, With("cpu.count", "2"));
}

BOOST_AUTO_TEST_CASE(NobodyGetsAStackThatAThreadLeftRegistered)
{
    RunAlone([](Party& self) {
        const void* const plain = StackOfAThread(nullptr);
        StackOfAThread(nullptr);
        BOOST_TEST(StackOfAThread(nullptr) == plain); // two take turns
        const void* const pinned = StackOfAThread(&self);
        for (int i = 0; i < 6; ++i)
        {
            BOOST_TEST(StackOfAThread(nullptr) != pinned);
        }
    });
}

BOOST_AUTO_TEST_CASE(WhatFollowsALongCallIsNotSeenWhileItRuns)
{
    const auto body = [] {
        Party self;
        self.Open({});
        std::vector<std::uint8_t> large(1 << 20);
        bool isRegistered = false;
        Ps seen = 0;
        Spawn([&] {
            while (!isRegistered)
            {
                Pause(PS_PER_US);
            }
            seen = Now();
        });
        Pause(100 * PS_PER_US);
        VIP_MEM_HANDLE handle = 0;
        self.Register(large.data(), large.size(), &handle);
        isRegistered = true;
        const Ps end = Now();
        Pause(PS_PER_MS);
        BOOST_TEST(seen > end - FiberThread::MOST_AHEAD);
    };
    RunEach({body}, With("cpu.count", "2"));
}

BOOST_AUTO_TEST_CASE(WhenMainReturnsTheOtherThreadsAreUnwoundTheYoungestFirst)
{
    std::string log;
    const RunReport report = RunEach({[&] {
        for (const char* name : {"first ", "second "})
        {
            Spawn([&log, name] {
                const Witness witness{log, name};
                WaitForEver();
                log += "not reached ";
            });
        }
        Pause(PS_PER_MS);
    }});
    BOOST_TEST((report.exit == RunExit::SUCCESS));
    BOOST_TEST(log == "second first ");
}

BOOST_AUTO_TEST_CASE(AThreadThatSleepsLongDoesNotKeepAnEndedProcessAlive)
{
    const RunReport report = RunEach({[] {
        Spawn([] { Pause(1000 * PS_PER_SECOND); });
        Pause(PS_PER_MS);
    }});
    BOOST_TEST(report.end < PS_PER_SECOND);
}

BOOST_AUTO_TEST_CASE(AnExceptionThatLeavesAThreadEndsTheProcess)
{
    std::string log;
    const RunReport report = RunEach({[&] {
        const Witness witness{log, "main"};
        Spawn([] { throw std::runtime_error("out of luck"); });
        Pause(PS_PER_SECOND);
        log += "not reached ";
    }});
    BOOST_TEST((report.exit == RunExit::PROCESS_FAILED));
    BOOST_TEST(report.processes[0].report == "uncaught exception: out of luck");
    BOOST_TEST(report.processes[0].end < PS_PER_SECOND);
    BOOST_TEST(log == "main");
}

BOOST_AUTO_TEST_CASE(AnExceptionOfAnyTypeThatLeavesAThreadOrHandlerEndsTheProcess)
{
    Party party;
    const auto handles = [&party] {
        party.Open({});
        VipSendNotify(party.vi, nullptr, [](auto...) { throw "no luck"; });
        party.Send(party.Make({}));
        Pause(PS_PER_SECOND);
    };
    const auto spawns = [] {
        Spawn([] { throw 1.5; });
        Pause(PS_PER_SECOND);
    };
    const RunReport report = RunEach({handles, spawns});
    BOOST_TEST(report.processes[0].report == "uncaught exception of type char const*");
    BOOST_TEST(report.processes[1].report == "uncaught exception of type double");
    BOOST_TEST(report.processes[1].signal == 6);
    BOOST_TEST(report.processes[1].end < PS_PER_SECOND);
}

BOOST_AUTO_TEST_CASE(AKilledProcessUnwindsAllItsThreads)
{
    std::string log;
    Cluster cluster{ClusterConfig{}};
    const auto body = [&] {
        const Witness witness{log, "main"};
        Spawn([&] {
            const Witness other{log, "thread "};
            WaitForEver();
        });
        WaitForEver();
        return 0;
    };
    cluster.AddProcess(0, body, 0, PS_PER_MS);
    const RunReport report = cluster.Run();
    BOOST_TEST(report.processes[0].signal == 9);
    BOOST_TEST(report.processes[0].end == PS_PER_MS);
    BOOST_TEST(log == "thread main");
}

BOOST_AUTO_TEST_CASE(ADeadlockNamesEachThread)
{
    Party party;
    const RunReport report = RunEach({[&] {
        Setup setup;
        setup.cqEntries = 4;
        party.Open(setup);
        Spawn([&] {
            VIP_BOOLEAN receive;
            VipCQWait(party.cq, VIP_INFINITE, &party.vi, &receive);
        });
        WaitForEver();
    }});
    BOOST_TEST((report.exit == RunExit::DEADLOCK));
    BOOST_TEST(report.processes[0].report == "waits in nothing; thread 2 waits in VipCQWait");
}

BOOST_AUTO_TEST_CASE(ANumberIsUsedAgainWhenItsThreadHasEnded)
{
    RunEach({[] {
        BOOST_TEST(Spawn([] {})->Number() == FiberProcess::FIRST);
        BOOST_TEST(Spawn([] {})->Number() == FiberProcess::FIRST + 1);
        Pause(PS_PER_MS);
        BOOST_TEST(Spawn([] {})->Number() == FiberProcess::FIRST);
    }});
}

BOOST_AUTO_TEST_CASE(ThreadsThatLiveAtATimeAreLimited)
{
    RunEach({[] {
        std::uint32_t started = 0;
        while (Spawn(WaitForEver) != nullptr)
        {
            ++started;
        }
        BOOST_TEST(started == Process::MAX_THREADS - FiberProcess::FIRST);
    }});
}

BOOST_AUTO_TEST_CASE(TheCpuTimeOfAProcessIsThatOfAllItsThreads)
{
    const auto compute = [] { FiberThread::Current()->Spend(Stage::COMPUTE, Cycles(3000)); };
    const RunReport alone = RunEach({[&] { compute(); }});
    const auto both = [&] {
        Spawn(compute);
        compute();
        Pause(PS_PER_MS);
    };
    const RunReport two = RunEach({both}, With("cpu.count", "2"));
    BOOST_TEST(two.processes[0].cpu == 2 * alone.processes[0].cpu);
    BOOST_TEST(two.digest != alone.digest);
}

BOOST_AUTO_TEST_SUITE_END()
