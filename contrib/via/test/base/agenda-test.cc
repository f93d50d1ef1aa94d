/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
// The agenda: order by (time, component, port, sequence), cancelling, stopping.

#include "../support/via-test-world.h"

#include "ns3/nstime.h"
#include "ns3/simulator.h"

#include <algorithm>
#include <array>
#include <boost/test/unit_test.hpp>
#include <map>
#include <numeric>
#include <tuple>
#include <vector>

using namespace ns3::via;
using namespace ns3::via::test;

namespace
{

using Numbers = std::vector<std::uint64_t>;

/// Plans one more piece of work for the same instant when its own is done.
class Echo final : public AgendaTarget
{
  public:
    Echo(Agenda& agenda, Diary& diary)
        : m_agenda(agenda),
          m_diary(diary)
    {
    }

    void OnAgenda(std::uint32_t, std::uint64_t data) override
    {
        m_diary.OnAgenda(0, data);
        m_agenda.Schedule(0, m_agenda.Now(), 0, &m_diary, 1, data + 1);
    }

  private:
    Agenda& m_agenda;
    Diary& m_diary;
};

/// Notes the hints that it gets.
class Hinted final : public AgendaTarget
{
  public:
    void OnAgenda(std::uint32_t, std::uint64_t) override
    {
    }

    void Prefetch(Hint hint, std::uint32_t, std::uint64_t data) override
    {
        hints[data].push_back(hint);
    }

    std::map<std::uint64_t, std::vector<Hint>> hints; ///< by the item's data
};

const std::vector<Hint> ALL_HINTS{Hint::FAR, Hint::SOON, Hint::NEXT, Hint::NOW};

} // namespace

BOOST_AUTO_TEST_SUITE(AgendaTest)

BOOST_AUTO_TEST_CASE(WorkIsDoneInOrderOfTime)
{
    TestWorld bench;
    Agenda& agenda = bench.world.agenda;
    Diary diary(agenda);
    for (const Ps at : {50, 10, 40, 20, 30})
    {
        agenda.Schedule(1, at, 0, &diary, 7, static_cast<std::uint64_t>(at));
    }
    bench.Run();
    BOOST_TEST((diary.Data() == Numbers{10, 20, 30, 40, 50}));
    BOOST_TEST(diary.entries[2].at == 30);
    BOOST_TEST(diary.entries[2].kind == 7U);
}

BOOST_AUTO_TEST_CASE(AnInstantIsOrderedByComponentThenPortWhateverTheInsertion)
{
    std::array<std::uint64_t, 5> order{0, 1, 2, 3, 4}; // component 0 .. 2, port 0 .. 1
    do
    {
        TestWorld bench;
        Agenda& agenda = bench.world.agenda;
        Diary diary(agenda);
        for (const std::uint64_t i : order)
        {
            agenda.Schedule(static_cast<ComponentId>(i / 2),
                            100,
                            static_cast<AgendaPort>(i % 2),
                            &diary,
                            0,
                            i);
        }
        bench.Run();
        BOOST_REQUIRE((diary.Data() == Numbers{0, 1, 2, 3, 4}));
    } while (std::next_permutation(order.begin(), order.end()));
}

BOOST_AUTO_TEST_CASE(WorkOfOnePortIsDoneInTheOrderOfPlanning)
{
    TestWorld bench;
    Agenda& agenda = bench.world.agenda;
    Diary diary(agenda);
    for (std::uint64_t i = 0; i < 20; ++i)
    {
        agenda.Schedule(0, 100, 3, &diary, 0, i);
    }
    bench.Run();
    BOOST_TEST(std::is_sorted(diary.entries.begin(), diary.entries.end(), [](auto& a, auto& b) {
        return a.data < b.data;
    }));
}

BOOST_AUTO_TEST_CASE(ManyPiecesOfWorkAreDoneAsIfSorted)
{
    TestWorld bench(7);
    Agenda& agenda = bench.world.agenda;
    Diary diary(agenda);
    std::vector<std::tuple<Ps, ComponentId, AgendaPort, std::uint64_t>> work;
    std::uint64_t random = 3;
    for (std::uint64_t i = 0; i < 2'000; ++i)
    {
        random = random * 6364136223846793005ULL + 1442695040888963407ULL;
        work.emplace_back(random >> 58, (random >> 40) % 7, (random >> 30) % 3, i);
        const auto& [at, component, port, data] = work.back();
        agenda.Schedule(component, at, port, &diary, 0, data);
    }
    bench.Run();
    std::sort(work.begin(), work.end());
    for (std::size_t i = 0; i < work.size(); ++i)
    {
        BOOST_REQUIRE(diary.entries[i].data == std::get<3>(work[i]));
        BOOST_REQUIRE(diary.entries[i].at == std::get<0>(work[i]));
    }
}

BOOST_AUTO_TEST_CASE(WhatIsCancelledIsNotDone)
{
    TestWorld bench;
    Agenda& agenda = bench.world.agenda;
    Diary diary(agenda);
    Numbers numbers;
    for (std::uint64_t i = 0; i < 10; ++i)
    {
        numbers.push_back(agenda.Schedule(2, static_cast<Ps>(10 * (i % 4)), 0, &diary, 0, i));
    }
    for (const std::size_t i : {0, 4, 9, 3})
    {
        agenda.Cancel(2, numbers[i]);
    }
    BOOST_TEST(agenda.Size() == 6U);
    bench.Run();
    BOOST_TEST(agenda.Size() == 0U);
    BOOST_TEST((diary.Data() == Numbers{8, 1, 5, 2, 6, 7}));
    BOOST_TEST(agenda.EventsDone() == 6U);
}

BOOST_AUTO_TEST_CASE(EqualWorkKeepsItsOrderWhenSomeIsCancelled)
{
    TestWorld bench;
    Agenda& agenda = bench.world.agenda;
    Diary diary(agenda);
    Numbers numbers;
    for (std::uint64_t i = 0; i < 3000; ++i)
    {
        numbers.push_back(agenda.Schedule(1, 10, 0, &diary, 0, i));
    }
    agenda.Cancel(1, numbers[0]);
    agenda.Cancel(1, numbers[2999]);
    bench.Run();
    Numbers expected(2998);
    std::iota(expected.begin(), expected.end(), 1U);
    BOOST_TEST(diary.Data() == expected);
}

BOOST_AUTO_TEST_CASE(TimersThatAreAlwaysCancelledLeaveTheOrderOfTheRest)
{
    TestWorld bench;
    Agenda& agenda = bench.world.agenda;
    Diary diary(agenda);
    for (std::uint64_t i = 0; i < 10; ++i)
    {
        agenda.Schedule(2, static_cast<Ps>(1'000'000 * i), 0, &diary, 0, i);
    }
    for (std::uint64_t i = 0; i < 1000; ++i) // a hundred times as many entries as items
    {
        agenda.Cancel(1, agenda.Schedule(1, 1'000'000'000, 0, &diary, 0, 5000));
    }
    BOOST_TEST(agenda.Size() == 10U);
    BOOST_TEST(agenda.HeadOf(1) == PS_NEVER);
    bench.Run();
    BOOST_TEST((diary.Data() == Numbers{0, 1, 2, 3, 4, 5, 6, 7, 8, 9}));
}

BOOST_AUTO_TEST_CASE(AllWorkOfSomeComponentsIsCancelled)
{
    TestWorld bench(4);
    Agenda& agenda = bench.world.agenda;
    Diary diary(agenda);
    agenda.Untrack(3);
    for (ComponentId component = 0; component < 4; ++component)
    {
        agenda.Schedule(component, 10, 0, &diary, 0, component);
        agenda.Schedule(component, 20, 0, &diary, 0, 10 + component);
    }
    agenda.CancelWorkOf({true, false, true, true});
    BOOST_TEST(agenda.HeadOf(0) == PS_NEVER);
    BOOST_TEST(agenda.Size() == 2U);
    bench.Run();
    BOOST_TEST((diary.Data() == Numbers{1, 11}));
}

BOOST_AUTO_TEST_CASE(TheHeadOfAComponentIsKnownAtAnyTime)
{
    TestWorld bench;
    Agenda& agenda = bench.world.agenda;
    Diary diary(agenda);
    const std::uint32_t late = agenda.Schedule(1, 30, 0, &diary, 0);
    const std::uint32_t early = agenda.Schedule(1, 10, 0, &diary, 0);
    agenda.Schedule(1, 20, 0, &diary, 0);
    BOOST_TEST(agenda.HeadOf(1) == 10);
    BOOST_TEST(agenda.HeadBut(1, early) == 20);
    BOOST_TEST(agenda.HeadBut(1, late) == 10);
    agenda.Cancel(1, early);
    BOOST_TEST(agenda.HeadOf(1) == 20);
    bench.Run();
    BOOST_TEST(agenda.HeadOf(1) == PS_NEVER);
}

BOOST_AUTO_TEST_CASE(CancellingTheOnlyWorkOfAComponentLeavesNothing)
{
    TestWorld bench;
    Agenda& agenda = bench.world.agenda;
    Diary diary(agenda);
    const std::uint32_t only = agenda.Schedule(1, 10, 0, &diary, 0);
    agenda.Schedule(2, 20, 0, &diary, 0, 5);
    agenda.Cancel(1, only);
    BOOST_TEST(agenda.HeadOf(1) == PS_NEVER);
    BOOST_TEST(agenda.Head() == 20);
    bench.Run();
    BOOST_TEST((diary.Data() == Numbers{5}));
}

BOOST_AUTO_TEST_CASE(TheHeadIsTheEarliestWorkOfAll)
{
    TestWorld bench;
    Agenda& agenda = bench.world.agenda;
    Diary diary(agenda);
    BOOST_TEST(agenda.Head() == PS_NEVER);
    agenda.Schedule(0, 30, 0, &diary, 0);
    agenda.Schedule(1, 20, 0, &diary, 0);
    agenda.Schedule(0, 10, 0, &diary, 0);
    BOOST_TEST(agenda.Head() == 10);
    BOOST_TEST(agenda.HeadOf(0) == 10);
    BOOST_TEST(agenda.HeadOf(1) == 20);
    BOOST_TEST(agenda.HeadOf(2) == PS_NEVER);
    bench.Run();
    BOOST_TEST(agenda.Head() == PS_NEVER);
}

BOOST_AUTO_TEST_CASE(ProgramsBeforeTheirCallsHaveAHeadOfTheirOwn)
{
    TestWorld bench;
    Agenda& agenda = bench.world.agenda;
    Diary diary(agenda);
    constexpr AgendaPort port = Agenda::FIRST_PROGRAM_PORT;
    agenda.Schedule(0, 20, port, &diary, 0, 2);
    agenda.Schedule(0, 10, 0, &diary, Agenda::BEFORE_CALL, 0); // a card's: the bit has no meaning
    const std::uint32_t first = agenda.Schedule(1, 10, port, &diary, Agenda::BEFORE_CALL, 1);
    agenda.Schedule(1, 20, port, &diary, Agenda::BEFORE_CALL, 3);
    BOOST_TEST(agenda.HeadOfOthers() == 10);
    BOOST_TEST(agenda.HeadBeforeCalls() == 10);
    BOOST_TEST(agenda.HeadOfPrograms() == 20);
    agenda.Cancel(1, first);
    BOOST_TEST(agenda.HeadBeforeCalls() == 20);
    bench.Run();
    BOOST_TEST((diary.Data() == Numbers{0, 2, 3})); // ties: by component, whatever the order
}

BOOST_AUTO_TEST_CASE(WorkOfOneProgramIsDoneInTheOrderOfPlanningBeforeACallOrNot)
{
    TestWorld bench;
    Agenda& agenda = bench.world.agenda;
    Diary diary(agenda);
    constexpr AgendaPort port = Agenda::FIRST_PROGRAM_PORT;
    for (std::uint64_t i = 0; i < 6; ++i)
    {
        agenda.Schedule(1, 10, port, &diary, i % 2 == 0 ? 0 : Agenda::BEFORE_CALL, i);
    }
    bench.Run();
    BOOST_TEST((diary.Data() == Numbers{0, 1, 2, 3, 4, 5}));
}

BOOST_AUTO_TEST_CASE(NothingHappensBehindTheStop)
{
    TestWorld bench;
    Agenda& agenda = bench.world.agenda;
    Diary diary(agenda);
    agenda.StopAt(20);
    for (const Ps at : {10, 20, 21})
    {
        agenda.Schedule(0, at, 0, &diary, 0, static_cast<std::uint64_t>(at));
    }
    bench.Run();
    BOOST_TEST((diary.Data() == Numbers{10, 20}));
    BOOST_TEST(agenda.Head() == 21);
    BOOST_TEST(agenda.Now() == 20);
}

BOOST_AUTO_TEST_CASE(HintsOfWorkComeInOrderWhosesoeverItIs)
{
    const std::array<std::array<ComponentId, 4>, 3> owners{
        {{0, 1, 2, 0}, {1, 1, 1, 1}, {2, 0, 0, 1}}};
    for (const auto& components : owners)
    {
        TestWorld bench(3 + 2 * Agenda::CROWD);
        Agenda& agenda = bench.world.agenda;
        Diary others(agenda);
        for (ComponentId i = 0; i < 2 * Agenda::CROWD; ++i)
        {
            agenda.Schedule(3 + i, i < Agenda::CROWD ? 10 + i : 10'000 + i, 0, &others, 0, i);
        }
        Hinted target;
        for (std::uint64_t i = 0; i < components.size(); ++i)
        {
            agenda.Schedule(components[i], static_cast<Ps>(5'000 + i), 0, &target, 0, i);
        }
        bench.Run();
        BOOST_TEST(target.hints.size() == components.size());
        for (const auto& [item, hints] : target.hints)
        {
            BOOST_TEST((hints == ALL_HINTS), "item " << item);
        }
    }
}

/// A run of work at 10, 20 and 30, with an event of ns-3 at 25: what ns-3's clock was at each.
std::vector<Ps>
ClocksOfARun(const OtherEvents* others)
{
    /// Notes ns-3's clock.
    class Clocks final : public AgendaTarget
    {
      public:
        void OnAgenda(std::uint32_t, std::uint64_t) override
        {
            seen.push_back(ns3::Simulator::Now().GetTimeStep());
        }

        std::vector<Ps> seen;
    };

    TestWorld bench;
    Clocks clocks;
    for (const Ps at : {10, 20, 30})
    {
        bench.world.agenda.Schedule(0, at, 0, &clocks, 0);
    }
    ns3::Simulator::Schedule(ns3::TimeStep(25), [] {});
    bench.world.agenda.RunOn(others);
    bench.Run();
    BOOST_TEST(bench.world.agenda.Now() == 30);
    return clocks.seen;
}

BOOST_AUTO_TEST_CASE(WorkRunsOnUpToTheNextEventOfOthers)
{
    const OthersAt at20(20);
    const OthersAt at25(25);
    BOOST_TEST((ClocksOfARun(nullptr) == std::vector<Ps>{10, 20, 30}));
    BOOST_TEST((ClocksOfARun(&at25) == std::vector<Ps>{10, 10, 30}));
    BOOST_TEST((ClocksOfARun(&at20) == std::vector<Ps>{10, 20, 30})); // theirs may come first
}

BOOST_AUTO_TEST_CASE(NobodyIsGivenHintsInASmallWorld)
{
    TestWorld bench(Agenda::CROWD);
    Hinted target;
    for (ComponentId i = 0; i + 1 < Agenda::CROWD; ++i)
    {
        bench.world.agenda.Schedule(i, static_cast<Ps>(i), 0, &target, 0, i);
    }
    bench.Run();
    BOOST_TEST(target.hints.empty());
}

BOOST_AUTO_TEST_CASE(WorkMayPlanWorkForTheSameInstant)
{
    TestWorld bench;
    Agenda& agenda = bench.world.agenda;
    Diary diary(agenda);
    Echo echo(agenda, diary);
    agenda.Schedule(1, 10, 0, &echo, 0, 100);
    agenda.Schedule(2, 10, 0, &echo, 0, 200);
    bench.Run();
    BOOST_TEST((diary.Data() == Numbers{100, 101, 200, 201}));
    BOOST_TEST(agenda.Now() == 10);
}

BOOST_AUTO_TEST_CASE(OtherPartitionsMayGiveWorkAtAnyTimeUnlessTheirNextInstantIsKnown)
{
    TestWorld bench;
    Agenda& agenda = bench.world.agenda;
    const OthersAt at70(70);
    BOOST_TEST(agenda.OutsideNext() == PS_NEVER);
    agenda.HeedPartitions(nullptr);
    BOOST_TEST(agenda.OutsideNext() == agenda.Now());
    agenda.HeedPartitions(&at70);
    BOOST_TEST(agenda.OutsideNext() == 70);
}

BOOST_AUTO_TEST_SUITE_END()
