/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
// CPUs: who has one, who waits, and what interrupts take.

#include "../support/via-test-world.h"

#include "ns3/via-fiber-process.h"

#include <boost/test/unit_test.hpp>
#include <functional>
#include <memory>

using namespace ns3::via;
using namespace ns3::via::test;

namespace
{

constexpr Ps QUANTUM = 100'000'000; ///< 100 us: 10,000 cycles
constexpr Ps CYCLE = 10'000;
constexpr Ps SWITCH = 30 * CYCLE;

HostCosts
Costs(std::uint32_t cpus)
{
    HostCosts costs;
    costs.cpuClock = {100'000'000, 1};
    costs.bus.clock = {100'000'000, 3};
    costs.contextSwitch = Cycles(30);
    costs.interrupt = Cycles(200);
    costs.cpuCount = cpus;
    costs.quantum = QUANTUM;
    return costs;
}

/// Runs a body on its main thread.
class TestProcess final : public FiberProcess
{
  public:
    TestProcess(Host& host, std::uint32_t rank, std::function<void(FiberThread&)> body)
        : FiberProcess(host, rank),
          m_body(std::move(body))
    {
    }

    ~TestProcess() override
    {
        Kill();
    }

    Ps end{0};

  private:
    void Main() override
    {
        m_body(Runner());
        Runner().Reach();
        end = Clock().at;
    }

    std::function<void(FiberThread&)> m_body;
};

/// Computes @p cycles, looking at the world after every @p step of them.
std::function<void(FiberThread&)>
Compute(std::uint64_t cycles, std::uint64_t step)
{
    return [=](FiberThread& thread) {
        for (std::uint64_t done = 0; done < cycles; done += step)
        {
            thread.Spend(Stage::COMPUTE, Cycles(step));
            thread.Reach();
        }
    };
}

/// A host with @p cpus CPUs; clock edges are rounded away in what it tells.
class CpuBench : public TestWorld, public AgendaTarget
{
  public:
    explicit CpuBench(std::uint32_t cpus = 1)
        : host(world, 0, "n0", Costs(cpus))
    {
    }

    TestProcess& Add(std::function<void(FiberThread&)> body, Ps start = 0)
    {
        const auto rank = static_cast<std::uint32_t>(processes.size());
        processes.push_back(std::make_unique<TestProcess>(host, rank, std::move(body)));
        processes.back()->Start(start);
        return *processes.back();
    }

    /// The kernel works for @p cycles at @p at.
    void InterruptAt(Ps at, std::uint64_t cycles)
    {
        host.Schedule(at, 0, this, 0, cycles);
    }

    void OnAgenda(std::uint32_t, std::uint64_t cycles) override
    {
        host.KernelSpend({host.Now(), 0}, Stage::INTERRUPT, Cycles(cycles));
    }

    /// Whether @p a and @p b differ by less than some clock edges.
    static bool Near(Ps a, Ps b)
    {
        return std::abs(a - b) < 50 * CYCLE;
    }

    Host host;
    std::vector<std::unique_ptr<TestProcess>> processes;
};

struct TwoCpus : CpuBench
{
    TwoCpus()
        : CpuBench(2)
    {
    }
};

} // namespace

BOOST_AUTO_TEST_SUITE(CpuTest)

BOOST_AUTO_TEST_CASE(TwoWhoComputeOnOneCpuTakeTwiceAsLong)
{
    for (const std::uint64_t step : {100U, 1'000'000U}) // with and without looks at the world
    {
        CpuBench bench;
        TestProcess& a = bench.Add(Compute(1'000'000, step));
        TestProcess& b = bench.Add(Compute(1'000'000, step));
        bench.Run();
        // 100 quanta each, in turns; switches are part of them, so some more are needed
        const Ps work = 2 * 1'000'000 * CYCLE;
        BOOST_TEST(b.end > work + 190 * SWITCH);
        BOOST_TEST(b.end < work + 210 * SWITCH);
        BOOST_TEST(b.end - a.end < 2 * QUANTUM, "they did not take turns");
    }
}

BOOST_FIXTURE_TEST_CASE(TwoWhoComputeOnTwoCpusDoNotWait, TwoCpus)
{
    TestProcess& a = Add(Compute(1'000'000, 100));
    TestProcess& b = Add(Compute(1'000'000, 100));
    Run();
    const Ps edge = host.CpuClock().EdgeAtOrAfter(0);
    BOOST_TEST(a.end == edge + 1'000'000 * CYCLE);
    BOOST_TEST(b.end == a.end);
    BOOST_TEST(host.CpuTime(Stage::CONTEXT_SWITCH) == 0);
}

BOOST_FIXTURE_TEST_CASE(ACpuGoesToTheNextAtTheEndOfAQuantum, CpuBench)
{
    std::vector<Ps> first;
    const auto body = [&first](FiberThread& thread) {
        first.push_back(thread.Clock().at);
        Compute(50'000, 50'000)(thread);
    };
    for (int i = 0; i < 4; ++i)
    {
        Add(body);
    }
    Run();
    BOOST_REQUIRE(first.size() == 4U);
    BOOST_TEST(first[0] == 0);
    for (std::size_t i = 1; i < first.size(); ++i)
    {
        BOOST_TEST(Near(first[i], static_cast<Ps>(i) * QUANTUM), i);
    }
}

BOOST_FIXTURE_TEST_CASE(ThreeOnTwoCpusAllGetTheSame, TwoCpus)
{
    for (int i = 0; i < 3; ++i)
    {
        Add(Compute(600'000, 600'000));
    }
    Run();
    for (const auto& process : processes)
    {
        BOOST_TEST(process->end > 800'000 * CYCLE);
        BOOST_TEST(process->end < 1'000'000 * CYCLE);
    }
}

BOOST_AUTO_TEST_CASE(AnInterruptLengthensWhatItInterruptsByItsOwnTime)
{
    for (const std::uint64_t step : {7U, 100'000U})
    {
        CpuBench bench;
        const Ps start = 1'000'000'000;
        TestProcess& a = bench.Add(Compute(700'000, step), start);
        bench.InterruptAt(start + 1'234'567, 500);
        bench.InterruptAt(start + 1'234'568, 500); // waits for the first
        bench.InterruptAt(start + 500'000'000, 11);
        bench.Run();
        const Ps work = static_cast<Ps>((700'000 + step - 1) / step * step);
        BOOST_TEST(a.end >= start + (work + 1'011) * CYCLE);
        BOOST_TEST(a.end < start + (work + 1'011 + 8) * CYCLE, "more than edges of the clock");
        BOOST_TEST(CpuBench::Near(a.CpuTime(), work * CYCLE));
    }
}

BOOST_FIXTURE_TEST_CASE(WorkThatHasBegunTakesTheNewSpeedForItsRest, CpuBench)
{
    const Ps edge = host.CpuClock().EdgeAtOrAfter(0);
    host.SetSpeeds({{edge + 500 * CYCLE, 3, 1}, {edge + 800 * CYCLE, 1, 1}});
    TestProcess& a = Add(Compute(1'000, 1'000));
    Run();
    // 500 cycles, 100 in the time of 300, and 400
    BOOST_TEST(a.end == edge + 1'200 * CYCLE);
}

BOOST_FIXTURE_TEST_CASE(WhoIsInterruptedMissesFastCyclesAndGetsSlowOnes, CpuBench)
{
    const Ps edge = host.CpuClock().EdgeAtOrAfter(0);
    host.SetSpeeds({{edge + 500 * CYCLE, 2, 1}});
    TestProcess& a = Add(Compute(1'000, 1'000));
    InterruptAt(edge + 200 * CYCLE, 100);
    Run();
    // 200 cycles, the kernel's 100, 200 more, and 600 in the time of 1,200
    BOOST_TEST(a.end == edge + 1'700 * CYCLE);
    BOOST_TEST(a.CpuTime() == a.end - 100 * CYCLE);
}

BOOST_FIXTURE_TEST_CASE(WhoWaitsForACpuWhileItsSpeedChangesDoesTheRestAtTheNewOne, CpuBench)
{
    const Ps edge = host.CpuClock().EdgeAtOrAfter(0);
    host.SetSpeeds({{edge + 50'000 * CYCLE, 2, 1}});
    TestProcess& a = Add(Compute(100'000, 100'000));
    TestProcess& b = Add(Compute(100'000, 100'000));
    Run();
    // 50,000 cycles are done by then, and 150,000 in the time of 300,000; switches come on top
    BOOST_TEST(b.end > edge + 350'000 * CYCLE);
    BOOST_TEST(b.end < edge + 350'000 * CYCLE + 45 * 2 * SWITCH);
    BOOST_TEST(b.end - a.end < 2 * QUANTUM);
}

BOOST_FIXTURE_TEST_CASE(AnInterruptCostsNothingOnAnotherCpu, TwoCpus)
{
    TestProcess& a = Add(Compute(1'000, 10));
    InterruptAt(1'000'000, 500);
    Run();
    BOOST_TEST(a.end == host.CpuClock().EdgeAtOrAfter(0) + 1'000 * CYCLE);
}

BOOST_FIXTURE_TEST_CASE(WhoSleepsLosesNothingToAnInterrupt, CpuBench)
{
    TestProcess& a = Add([](FiberThread& thread) { thread.SleepUntil(50'000'000); });
    InterruptAt(1'000'000, 500);
    Run();
    BOOST_TEST(a.end == 50'000'000);
}

BOOST_FIXTURE_TEST_CASE(WhoWakesDuringAnInterruptWaitsForItsEnd, CpuBench)
{
    TestProcess& a = Add([](FiberThread& thread) {
        thread.SleepUntil(50'000'000);
        thread.Spend(Stage::COMPUTE, Cycles(10));
    });
    InterruptAt(49'000'000, 500);
    Run();
    BOOST_TEST(Near(a.end, 49'000'000 + 510 * CYCLE));
}

BOOST_FIXTURE_TEST_CASE(WhoIsInterruptedOnItsWayToSleepFallsAsleepLater, CpuBench)
{
    Ps woken = 0;
    Add([&woken](FiberThread& thread) {
        thread.Spend(Stage::COMPUTE, Cycles(10'000));
        thread.SleepUntil(100'200'000);
        woken = thread.Clock().at;
    });
    InterruptAt(50'000'000, 500);
    Run();
    BOOST_TEST(Near(woken, 10'500 * CYCLE));
}

BOOST_FIXTURE_TEST_CASE(WhoFallsAsleepLaterOnAFasterCpuHasWorkedForLess, CpuBench)
{
    const Ps edge = host.CpuClock().EdgeAtOrAfter(0);
    host.SetSpeeds({{edge, 2, 1}, {edge + 400 * CYCLE, 1, 1}});
    TestProcess& a = Add([](FiberThread& thread) {
        thread.Spend(Stage::COMPUTE, Cycles(300));
        thread.SleepUntil(PS_PER_MS);
    });
    InterruptAt(edge + 100 * CYCLE, 100); // it takes 200 of the slow cycles' time
    Run();
    // 50 cycles in the time of 100, as many after the interrupt, and 200
    BOOST_TEST(a.CpuTime() == edge + 400 * CYCLE);
    BOOST_TEST(host.CpuTime(Stage::COMPUTE) == a.CpuTime());
}

BOOST_FIXTURE_TEST_CASE(ACpuIsFreeWhenItsInterruptedOwnerHasFallenAsleep, CpuBench)
{
    Ps begun = 0;
    Add([](FiberThread& thread) {
        thread.Spend(Stage::COMPUTE, Cycles(5'000));
        thread.SleepUntil(PS_PER_MS);
    });
    Add([&begun](FiberThread& thread) {
        thread.Spend(Stage::COMPUTE, Cycles(10));
        begun = thread.Clock().at;
    });
    InterruptAt(30'000'000, 1'500);
    Run();
    BOOST_TEST(Near(begun, 6'500 * CYCLE));
}

BOOST_FIXTURE_TEST_CASE(WhoSleepsGivesItsCpuUp, CpuBench)
{
    Add([](FiberThread& thread) { thread.SleepUntil(5'000'000'000'000); });
    TestProcess& b = Add(Compute(1'000'000, 1'000'000));
    Run();
    BOOST_TEST(Near(b.end, 1'000'000 * CYCLE));
}

BOOST_FIXTURE_TEST_CASE(WhoWakesTakesTheCpuOfWhoComputes, CpuBench)
{
    Ps woken = 0;
    Add([&woken](FiberThread& thread) {
        thread.SleepUntil(250'000'000);
        woken = thread.Clock().at;
        thread.Spend(Stage::COMPUTE, Cycles(10));
    });
    TestProcess& b = Add(Compute(100'000, 100'000));
    Run();
    BOOST_TEST(Near(woken, 250'000'000));
    BOOST_TEST(Near(b.end, 100'010 * CYCLE + 2 * SWITCH));
}

BOOST_FIXTURE_TEST_CASE(WhoHasJustBegunWaitsForTheEndOfTheSlice, CpuBench)
{
    Ps begun = 0;
    Add(Compute(100'000, 100'000));
    Add(
        [&begun](FiberThread& thread) {
            thread.Spend(Stage::COMPUTE, Cycles(10));
            begun = thread.Clock().at;
        },
        250'000'000);
    Run();
    BOOST_TEST(Near(begun, 300'000'000));
}

BOOST_FIXTURE_TEST_CASE(WhoSleepsALotHasTwoQuantaAtTheMost, CpuBench)
{
    Ps end = 0;
    Add([&end](FiberThread& thread) {
        thread.SleepUntil(20 * QUANTUM + QUANTUM / 2);
        Compute(50'000, 50'000)(thread);
        end = thread.Clock().at;
    });
    TestProcess& b = Add(Compute(30 * 10'000, 30 * 10'000));
    Run();
    // two quanta for the sleeper, then turns of one: its five quanta end behind three of b's
    BOOST_TEST(end > 20 * QUANTUM + QUANTUM / 2 + 7 * QUANTUM);
    BOOST_TEST(end < 20 * QUANTUM + QUANTUM / 2 + 9 * QUANTUM);
    BOOST_TEST(b.end > 35 * QUANTUM);
}

BOOST_FIXTURE_TEST_CASE(APollerSharesItsCpuWithWhoComputes, CpuBench)
{
    std::uint64_t polls = 0;
    const auto poller = [&polls](FiberThread& thread) {
        while (thread.Clock().at < 40 * QUANTUM)
        {
            thread.Reach();
            thread.Spend(Stage::CALL_POLL, Cycles(10));
            ++polls;
        }
    };
    Add(poller);
    TestProcess& b = Add(Compute(100'000, 100'000));
    const std::uint64_t before = world.agenda.EventsDone();
    Run();
    // b needs ten quanta, every other one; the poller has the rest of forty
    BOOST_TEST(b.end > 20 * QUANTUM);
    BOOST_TEST(b.end < 23 * QUANTUM);
    BOOST_TEST(polls > 29'000U);
    BOOST_TEST(polls < 30'000U);
    BOOST_TEST(world.agenda.EventsDone() - before < 100U, "polls are events");
}

BOOST_FIXTURE_TEST_CASE(ThreadsOfOneProcessCompeteToo, CpuBench)
{
    Ps other = 0;
    TestProcess& a = Add([&other](FiberThread& thread) {
        const auto body = [&other] {
            Compute(100'000, 1'000)(*FiberThread::Current());
            other = FiberThread::Current()->Clock().at;
        };
        thread.GetProcess().StartThread(thread.Clock(), {body});
        Compute(200'000, 1'000)(thread);
    });
    Run();
    BOOST_TEST(other > 190'000 * CYCLE);
    BOOST_TEST(a.end > 300'000 * CYCLE);
    BOOST_TEST(a.end < 302'000 * CYCLE);
}

BOOST_FIXTURE_TEST_CASE(WhoIsKilledWhileItWaitsForACpuIsForgotten, CpuBench)
{
    TestProcess& a = Add(Compute(100'000, 100'000));
    TestProcess& b = Add(Compute(100'000, 100'000));
    b.KillAt(250'000'000);
    Run();
    BOOST_TEST(b.WasKilled());
    BOOST_TEST(Near(a.end, 110'000 * CYCLE + 2 * SWITCH));
}

BOOST_FIXTURE_TEST_CASE(WhoIsKilledWhileItHasTheCpuLeavesItToTheNext, CpuBench)
{
    TestProcess& a = Add(Compute(100'000, 100'000));
    TestProcess& b = Add(Compute(1'000'000, 1'000'000));
    b.KillAt(150'000'000);
    Run();
    BOOST_TEST(b.WasKilled());
    BOOST_TEST(a.end < 110'000 * CYCLE);
}

BOOST_AUTO_TEST_CASE(WhoIsKilledAtAnyInstantLeavesTheCpuToOthers)
{
    // at some of these it is about to get a CPU, or switches to it
    for (Ps at = 100'000'000; at < 140'000'000; at += 7 * CYCLE)
    {
        CpuBench bench;
        TestProcess& a = bench.Add(Compute(30'000, 100));
        TestProcess& b = bench.Add(Compute(30'000, 100));
        TestProcess& c = bench.Add(Compute(30'000, 100), 2'000'000);
        b.KillAt(at);
        c.KillAt(at + 3 * CYCLE);
        bench.Run();
        BOOST_TEST(b.WasKilled(), at);
        BOOST_TEST(b.CpuTime() + c.CpuTime() <= at + 3 * CYCLE);
        BOOST_TEST(a.end >= 30'000 * CYCLE);
        BOOST_TEST(a.end < 60'000 * CYCLE);
    }
}

BOOST_AUTO_TEST_CASE(TheSameCompetitionTwiceIsTheSame)
{
    std::vector<std::string> digests;
    for (int run = 0; run < 2; ++run)
    {
        CpuBench bench;
        for (std::uint64_t i = 0; i < 5; ++i)
        {
            bench.Add(Compute(50'000 + 1'000 * i, 100 + i));
            bench.InterruptAt(static_cast<Ps>(i) * 77'777'777, 300);
        }
        bench.Run();
        Digest digest;
        digest.Combine(0, bench.host.GetDigest());
        digests.push_back(digest.Hex());
    }
    BOOST_TEST(digests[0] == digests[1]);
}

BOOST_AUTO_TEST_SUITE_END()
