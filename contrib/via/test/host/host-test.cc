/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
// Hosts: what the bus costs, who waits for whom, and the clock of a process.

#include "../support/via-test-dma.h"
#include "../support/via-test-world.h"

#include "ns3/simulator.h"
#include "ns3/via-process.h"

#include <boost/test/unit_test.hpp>
#include <functional>

using namespace ns3::via;
using namespace ns3::via::test;

namespace
{

/// 10 ns of CPU, 30 ns of bus, 4 bytes per data phase.
HostCosts
TestHostCosts()
{
    HostCosts costs;
    costs.cpuClock = {100'000'000, 1};
    costs.bus.clock = {100'000'000, 3};
    costs.bus.width = 4;
    costs.bus.readOverhead = Cycles(18);
    costs.bus.writeOverhead = Cycles(6);
    costs.bus.storeOverhead = Cycles(4);
    costs.lineBytes = 32;
    costs.cacheBytes = 1024;
    costs.copyBase = Cycles(50);
    costs.copyLine = Cycles(10);
    costs.copyLineCached = Cycles(3);
    return costs;
}

/// A program that never gives way.
class SteadyProcess final : public Process
{
  public:
    using Process::Process;

    void Reach() override
    {
    }

    Moment Stall(const char*) override
    {
        return m_clock;
    }

    void OnReady(Moment) override
    {
    }

    void OnAgenda(std::uint32_t, std::uint64_t) override
    {
    }

    void AwaitKill() override
    {
    }
};

/// A card with one step, which is noticed later than it begins.
class LatePlanner final : public BusPlanner
{
  public:
    LatePlanner(Host& host, Ps step, Ps noticed)
        : m_host(host),
          m_step(step),
          m_noticed(noticed)
    {
        host.SetLookahead(10, 10);
        host.AddPlanner(this);
        host.Replan();
    }

    Ps NextAt() override
    {
        return m_step;
    }

    Ps NoticedAt() override
    {
        return m_noticed;
    }

    void PlanStep() override
    {
        doneAt = m_host.Now();
        m_step = PS_NEVER;
    }

    Ps doneAt{-1};

  private:
    Host& m_host;
    Ps m_step;
    Ps m_noticed;
};

struct HostBench : TestWorld
{
    /// The bus clock's edge at or after @p t.
    Ps BusEdge(Ps t) const
    {
        return host.MakeClock(TestHostCosts().bus.clock, 1).EdgeAtOrAfter(t);
    }

    /// ps that a transaction of @p clocks takes.
    static Ps Bus(Ps clocks)
    {
        return 30'000 * clocks;
    }

    Host host{world, 0, "n0", TestHostCosts()};
    SteadyProcess process{host, 7};
};

} // namespace

BOOST_AUTO_TEST_SUITE(HostTest)

BOOST_FIXTURE_TEST_CASE(ADmaCostsItsOverheadAndOneClockPerWord, HostBench)
{
    Ps from = 0;
    for (const std::uint32_t bytes : {1U, 4U, 5U, 64U, 384U})
    {
        from += 100'000'000;
        const Ps words = (bytes + 3) / 4;
        const Moment read = DmaRead(host, {from, 0}, bytes);
        BOOST_TEST(read.at == BusEdge(from) + Bus(18 + words));
        from += 100'000'000;
        const Moment written = DmaWrite(host, {from, 0}, bytes);
        BOOST_TEST(written.at == BusEdge(from) + Bus(6 + words));
        BOOST_TEST(host.DataSpan(bytes) == Bus(words));
    }
}

BOOST_FIXTURE_TEST_CASE(ADoorbellWaitsForTheDmaAhead, HostBench)
{
    const Moment dma = DmaRead(host, {0, 0}, 384);
    const Moment rung = host.MmioStore({1'000, 0});
    BOOST_TEST(rung.at == dma.at + Bus(5));
}

BOOST_FIXTURE_TEST_CASE(ADmaWaitsForTheDoorbellAhead, HostBench)
{
    const Moment rung = host.MmioStore({0, 0});
    const Moment fetched = DmaRead(host, {1'000, 0}, 64);
    BOOST_TEST(fetched.at == rung.at + Bus(18 + 16));
}

BOOST_FIXTURE_TEST_CASE(WhoComesWhenTheBusIsIdleAgainDoesNotWait, HostBench)
{
    host.MmioStore({0, 0});
    BOOST_TEST(host.MmioStore({1'000'000, 0}).at == BusEdge(1'000'000) + Bus(5));
}

BOOST_FIXTURE_TEST_CASE(AProcessSpendsCyclesOfItsCpu, HostBench)
{
    process.Spend(Stage::COMPUTE, Cycles(10));
    const Ps edge = host.CpuClock().EdgeAtOrAfter(0);
    BOOST_TEST(process.Clock().at == edge + 100'000);
    process.Spend(Stage::COMPUTE, Cycles(1));
    BOOST_TEST(process.Clock().at == edge + 110'000);
    BOOST_TEST(process.CpuTime() == edge + 110'000);
    BOOST_TEST(process.Rank() == 7U);
}

BOOST_FIXTURE_TEST_CASE(AWaitTakesNoCpuTimeAPollingOneDoes, HostBench)
{
    process.Wait({500'000, 0}, Stage::BLOCKED);
    BOOST_TEST(process.Clock().at == 500'000);
    BOOST_TEST(process.CpuTime() == 0);
    process.Busy({700'000, 0}, Stage::CALL_POLL);
    BOOST_TEST(process.Clock().at == 700'000);
    BOOST_TEST(process.CpuTime() == 200'000);
}

BOOST_FIXTURE_TEST_CASE(ACopyCostsItsLinesFewerCyclesOutOfTheCache, HostBench)
{
    BOOST_TEST(host.CopyCost(0, false).count == 50U);
    BOOST_TEST(host.CopyCost(1, false).count == 60U);
    BOOST_TEST(host.CopyCost(33, false).count == 70U);
    BOOST_TEST(host.CopyCost(1024, true).count == 50U + 32 * 3);
    BOOST_TEST(host.CopyCost(1025, true).count == 50U + 33 * 10, "more than the cache holds");
}

BOOST_FIXTURE_TEST_CASE(TheKernelDoesOneThingAfterTheOther, HostBench)
{
    const Ps edge = host.CpuClock().EdgeAtOrAfter(0);
    BOOST_TEST(host.KernelSpend({0, 0}, Stage::INTERRUPT, Cycles(10)).at == edge + 100'000);
    BOOST_TEST(host.KernelSpend({50'000, 0}, Stage::COPY, Cycles(5)).at == edge + 150'000);
    BOOST_TEST(host.KernelSpend({7, 0}, Stage::COPY, Cycles(0)).at == 7);
    BOOST_TEST(host.CpuTime(Stage::COPY) == 50'000);
}

BOOST_FIXTURE_TEST_CASE(AProcessNeverGoesBack, HostBench)
{
    process.Wait({500'000, 0}, Stage::BLOCKED);
    process.Wait({400'000, 0}, Stage::BLOCKED);
    BOOST_TEST(process.Clock().at == 500'000);
}

BOOST_FIXTURE_TEST_CASE(AProcessSeesWhatTheNicHasWrittenUpToItsClock, HostBench)
{
    char byte = '-';
    Packet* packet = world.packets.NewPacket();
    packet->bytes = {'x'};
    host.Memory().WriteAt(300'000, &byte, *packet, 0, 1);
    process.Wait({299'999, 0}, Stage::BLOCKED);
    process.Settle();
    BOOST_TEST(byte == '-');
    process.Wait({300'000, 0}, Stage::BLOCKED);
    process.Settle();
    BOOST_TEST(byte == 'x');
}

/// Work that is a function.
struct Work final : AgendaTarget
{
    void OnAgenda(std::uint32_t, std::uint64_t) override
    {
        work();
    }

    std::function<void()> work;
};

BOOST_FIXTURE_TEST_CASE(TheHorizonIsOursOrTheOthersPlusTheWayToUs, HostBench)
{
    Diary diary(world.agenda);
    Work work;
    host.SetLookahead(1'000, 10);
    work.work = [&] {
        BOOST_TEST(host.NextChange() == PS_NEVER);
        world.agenda.Schedule(1, 5'000, 0, &diary, 0);
        BOOST_TEST(host.NextChange() == 6'000);
        host.SetWaitsForCredits(true);
        BOOST_TEST(host.NextChange() == 5'010);
        world.agenda.Schedule(0, 5'005, 0, &diary, 0);
        BOOST_TEST(host.NextChange() == 5'005);
    };
    world.agenda.Schedule(0, 100, Process::FIRST_PORT, &work, 0);
    ns3::Simulator::Run();
}

BOOST_FIXTURE_TEST_CASE(WithEventsOfOthersTheHorizonIsNowAtOnce, HostBench)
{
    Work work;
    host.SetLookahead(1'000, 10);
    work.work = [&] {
        BOOST_TEST(host.NextChange() == PS_NEVER);
        world.agenda.Heed(); // as when a program asks for IP: their next event is not known
        BOOST_TEST(host.NextChange() == 100);
    };
    world.agenda.Schedule(0, 100, Process::FIRST_PORT, &work, 0);
    ns3::Simulator::Run();
}

BOOST_FIXTURE_TEST_CASE(WhatProgramsDoReachesUsLaterThanWhatCardsDo, HostBench)
{
    Diary diary(world.agenda);
    Work work;
    host.SetLookahead(1'000, 10);
    world.leads.program = 500;
    work.work = [&] {
        world.agenda.Schedule(1, 5'000, Process::FIRST_PORT, &diary, 0);
        BOOST_TEST(host.NextChange() == 6'500);
        world.agenda.Schedule(1, 5'400, 0, &diary, 0);
        BOOST_TEST(host.NextChange() == 6'400);
        host.SetWaitsForCredits(true); // a program may make room for a cell at once
        BOOST_TEST(host.NextChange() == 5'010);
    };
    world.agenda.Schedule(0, 100, Process::FIRST_PORT, &work, 0);
    ns3::Simulator::Run();
}

BOOST_FIXTURE_TEST_CASE(AProgramThatMustHarvestAndPostReachesUsLaterStill, HostBench)
{
    Diary diary(world.agenda);
    Work work;
    host.SetLookahead(1'000, 10);
    world.leads.program = 500;
    world.leads.call = 70;
    work.work = [&] {
        world.agenda.Schedule(1, 5'000, Process::FIRST_PORT, &diary, Agenda::BEFORE_CALL);
        BOOST_TEST(host.NextChange() == 6'570);
        BOOST_TEST(host.IsWithinHorizon(6'569));
        BOOST_TEST(!host.IsWithinHorizon(6'570));
        world.agenda.Schedule(1, 5'060, Process::FIRST_PORT, &diary, 1);
        BOOST_TEST(host.NextChange() == 6'560);
        BOOST_TEST(!host.IsWithinHorizon(6'560));
    };
    world.agenda.Schedule(0, 100, Process::FIRST_PORT, &work, 0);
    ns3::Simulator::Run();
}

BOOST_FIXTURE_TEST_CASE(CardsReachUsLateUnlessTheyHaveBeenToldToSend, HostBench)
{
    Diary diary(world.agenda);
    Work work;
    host.SetLookahead(1'000, 10);
    world.leads.control = 700;
    world.inbound.Watch(2, false);
    work.work = [&] {
        world.agenda.Schedule(1, 5'000, 0, &diary, 0);
        BOOST_TEST(host.NextChange() == 6'700);
        BOOST_TEST(host.IsWithinHorizon(6'699));
        BOOST_TEST(!host.IsWithinHorizon(6'700));
        world.inbound.Add(host.Id(), 5'300);
        BOOST_TEST(host.NextChange() == 6'300);
        BOOST_TEST(host.IsWithinHorizon(6'299));
        BOOST_TEST(!host.IsWithinHorizon(6'300));
        world.inbound.Add(host.Id(), 200); // it is on its way: the next work may be its arrival
        BOOST_TEST(host.NextChange() == 6'000);
        BOOST_TEST(!host.IsWithinHorizon(6'000));
        world.inbound.Remove(host.Id(), 2);
        BOOST_TEST(host.NextChange() == 6'700);
        host.SetWaitsForCredits(true);
        BOOST_TEST(host.NextChange() == 5'010);
    };
    world.agenda.Schedule(0, 100, Process::FIRST_PORT, &work, 0);
    ns3::Simulator::Run();
}

BOOST_FIXTURE_TEST_CASE(OtherPartitionsReachUsAfterTheWayFromThem, HostBench)
{
    Diary diary(world.agenda);
    OthersAt outside(3'000);
    Work work;
    host.SetLookahead(1'000, 10);
    host.SetOutsideLookahead(1'600);
    world.leads.control = 700;
    world.inbound.Watch(1, false);
    world.agenda.HeedPartitions(&outside);
    work.work = [&] {
        world.agenda.Schedule(1, 5'000, 0, &diary, 0);
        BOOST_TEST(host.NextChange() == 4'600); // of what was not announced
        BOOST_TEST(host.IsWithinHorizon(4'599));
        BOOST_TEST(!host.IsWithinHorizon(4'600));
        world.inbound.Add(host.Id(), 200); // it may wait at a switch for a credit from elsewhere
        BOOST_TEST(host.NextChange() == 4'000);
        BOOST_TEST(!host.IsWithinHorizon(4'000));
        host.SetWaitsForCredits(true);
        BOOST_TEST(host.NextChange() == 3'010);
    };
    world.agenda.Schedule(0, 100, Process::FIRST_PORT, &work, 0);
    ns3::Simulator::Run();
}

BOOST_FIXTURE_TEST_CASE(AProcessThatHasFinishedHearsOfOthersThatFinish, HostBench)
{
    Diary diary(world.agenda);
    OthersAt outside(8'000);
    Work work;
    host.SetLookahead(1'000, 10);
    world.leads.program = 500;
    world.agenda.HeedPartitions(&outside);
    work.work = [&] {
        world.agenda.Schedule(1, 5'000, Process::FIRST_PORT, &diary, 0);
        BOOST_TEST(host.NextChange() == 6'500);
        host.HearAfter(400);
        BOOST_TEST(host.NextChange() == 5'400);
        BOOST_TEST(!host.IsWithinHorizon(5'400));
        outside.at = 5'100;
        BOOST_TEST(host.NextChange() == 5'000);
        BOOST_TEST(!host.IsWithinHorizon(5'000));
    };
    world.agenda.Schedule(0, 100, Process::FIRST_PORT, &work, 0);
    ns3::Simulator::Run();
}

BOOST_FIXTURE_TEST_CASE(WithoutLeadsAWordOfAnotherPartitionComesNoLaterThanACell, HostBench)
{
    OthersAt outside(3'000);
    Work work;
    host.SetLookahead(1'000, 10);
    world.agenda.HeedPartitions(&outside);
    work.work = [&] {
        BOOST_TEST(host.NextChange() == 4'000);
        host.HearAfter(400);
        BOOST_TEST(host.NextChange() == 3'000);
        BOOST_TEST(host.IsWithinHorizon(2'999));
        BOOST_TEST(!host.IsWithinHorizon(3'000));
    };
    world.agenda.Schedule(0, 100, Process::FIRST_PORT, &work, 0);
    ns3::Simulator::Run();
}

BOOST_FIXTURE_TEST_CASE(WhileAThreadWaitsOnTheControlNetworkAnyWorkOfOthersMatters, HostBench)
{
    Diary diary(world.agenda);
    Work work;
    work.work = [&] {
        host.SetLookahead(1'000, 10);
        world.agenda.Schedule(1, 5'000, Process::FIRST_PORT, &diary, 0);
        host.NoteListeners(2);
        BOOST_TEST(host.NextChange() == 5'000);
        host.NoteListeners(-1);
        BOOST_TEST(!host.IsWithinHorizon(5'000));
        host.NoteListeners(-1);
        BOOST_TEST(host.NextChange() == 6'000);
    };
    world.agenda.Schedule(0, 100, Process::FIRST_PORT, &work, 0);
    ns3::Simulator::Run();
}

BOOST_FIXTURE_TEST_CASE(WhatOthersDoMattersAtTheEarliestNow, HostBench)
{
    Diary diary(world.agenda);
    OthersAt outside(PS_NEVER);
    Work work;
    host.SetLookahead(1'000, 10);
    world.leads.program = 500;
    world.agenda.HeedPartitions(&outside);
    work.work = [&] {
        world.agenda.Schedule(1, 120, 0, &diary, 0);
        host.HearAfter(400); // words take less than a doorbell and the way of a cell
        BOOST_TEST(host.NextChange() == 100);
        outside.at = 50; // others have told of no later event
        BOOST_TEST(host.NextChange() == 100);
        BOOST_TEST(host.IsWithinHorizon(99));
    };
    world.agenda.Schedule(0, 100, Process::FIRST_PORT, &work, 0);
    ns3::Simulator::Run();
}

BOOST_FIXTURE_TEST_CASE(InTheWorkOfOthersTheHorizonIsTheirNowPlusTheWay, HostBench)
{
    Diary diary(world.agenda);
    Work work;
    host.SetLookahead(1'000, 10);
    work.work = [&] { BOOST_TEST(host.NextChange() == 1'100); };
    world.agenda.Schedule(1, 100, 0, &work, 0);
    ns3::Simulator::Run();
}

BOOST_FIXTURE_TEST_CASE(AStepIsDoneWhenSomebodyCanNoticeIt, HostBench)
{
    LatePlanner card(host, 5'000, 9'000);
    Run();
    BOOST_TEST(card.doneAt == 9'000);
}

BOOST_FIXTURE_TEST_CASE(WhatBeginsBeforeTheRunIsStoppedIsDone, HostBench)
{
    world.agenda.StopAt(7'000);
    LatePlanner card(host, 5'000, 9'000);
    Run();
    BOOST_TEST(card.doneAt == 7'000);
}

BOOST_FIXTURE_TEST_CASE(ATimerAtTheInstantOfAStepComesAfterIt, HostBench)
{
    LatePlanner card(host, 5'000, 9'000);
    Work arrival;
    Work timer;
    arrival.work = [&] { BOOST_TEST(card.doneAt == -1); };
    timer.work = [&] { BOOST_TEST(card.doneAt == 5'000); };
    world.agenda.Schedule(0, 5'000, Host::STEP_PORT - 1, &arrival, 0);
    world.agenda.Schedule(0, 5'000, Host::STEP_PORT + 1, &timer, 0);
    Run();
    BOOST_TEST(card.doneAt == 5'000);
}

BOOST_AUTO_TEST_SUITE_END()
