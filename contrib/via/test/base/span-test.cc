/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
// Spans and what components book: paths run back to their root, waits and work tile the time.

#include "../support/via-test-world.h"

#include <boost/test/unit_test.hpp>
#include <set>
#include <string>

using namespace ns3::via;
using namespace ns3::via::test;

namespace
{

struct ComponentBench : TestWorld
{
    ComponentBench()
    {
        world.spans.Enable();
    }

    Span LastSpan() const
    {
        return world.spans.Unpack().back();
    }

    std::vector<Span> PathOf(const Moment& moment) const
    {
        return PathTo(world.spans.Unpack(), moment.cause, 0);
    }

    Component part{world, 2, "part"};
    ClockDomain clock{Frequency{100'000'000, 1}}; // 10000 ps
};

} // namespace

BOOST_AUTO_TEST_SUITE(SpanTest)

BOOST_AUTO_TEST_CASE(EveryStageAndEngineHasANameOfItsOwn)
{
    std::set<std::string> names;
    for (int i = 0; i < static_cast<int>(STAGE_COUNT); ++i)
    {
        BOOST_TEST(names.insert(StageName(static_cast<Stage>(i))).second);
    }
    for (int i = 0; i <= static_cast<int>(Engine::PROGRAM); ++i)
    {
        BOOST_TEST(names.count(EngineName(static_cast<Engine>(i))) == 0U);
    }
}

BOOST_FIXTURE_TEST_CASE(WorkAlignsToTheClockAndThenCounts, ComponentBench)
{
    const Moment done = part.Spend({1, 0}, Stage::DEMUX, Engine::NIC_RECEIVE, clock, Cycles(3));
    BOOST_TEST(done.at == 40'000);
    const std::vector<Span> path = PathOf(done);
    BOOST_REQUIRE(path.size() == 2U);
    BOOST_TEST((path[0].stage == Stage::ALIGN && path[0].start == 1 && path[0].end == 10'000));
    BOOST_TEST((path[1].stage == Stage::DEMUX && path[1].end == 40'000));
    BOOST_TEST((path[1].cycles == 3 && path[1].hz == 100'000'000 && path[1].component == 2));
}

BOOST_FIXTURE_TEST_CASE(WhatCostsNothingTakesNoTime, ComponentBench)
{
    const Moment done = part.Spend({7, 0}, Stage::DEMUX, Engine::CPU, clock, Cycles(0));
    BOOST_TEST(done.at == 7);
    BOOST_TEST(part.GetDigest().Count() == 0U);
}

BOOST_FIXTURE_TEST_CASE(AWaitThatIsOverIsNone, ComponentBench)
{
    const Moment same = part.Wait({7, 0}, Stage::BLOCKED, Engine::CPU, 7);
    BOOST_TEST((same.at == 7 && same.cause == 0));
    const Moment later = part.Wait({7, 0}, Stage::BLOCKED, Engine::CPU, 9);
    BOOST_TEST((later.at == 9 && later.cause == 1));
    BOOST_TEST(LastSpan().hz == 0U);
}

BOOST_FIXTURE_TEST_CASE(WaitingForOthersIsToldFromAligning, ComponentBench)
{
    Timeline bus;
    part.Use({0, 0}, Stage::DOORBELL, Stage::BUS_WAIT, Engine::BUS, bus, clock, Cycles(2));
    const Moment second =
        part.Use({5, 0}, Stage::PAYLOAD_READ, Stage::BUS_WAIT, Engine::BUS, bus, clock, Cycles(1));
    const std::vector<Span> path = PathOf(second);
    BOOST_REQUIRE(path.size() == 3U);
    BOOST_TEST((path[0].stage == Stage::ALIGN && path[0].end == 10'000));
    BOOST_TEST((path[1].stage == Stage::BUS_WAIT && path[1].end == 20'000));
    BOOST_TEST((path[2].stage == Stage::PAYLOAD_READ && path[2].end == 30'000));
}

BOOST_FIXTURE_TEST_CASE(RecordingDoesNotChangeTimesOrDigests, ComponentBench)
{
    TestWorld quiet;
    Component twin(quiet.world, 2, "part");
    Timeline ours;
    Timeline its;
    for (const Ps at : {3, 5, 90'000})
    {
        const Moment a = part.Use({at, 0},
                                  Stage::DOORBELL,
                                  Stage::BUS_WAIT,
                                  Engine::BUS,
                                  ours,
                                  clock,
                                  Cycles(2));
        const Moment b =
            twin.Use({at, 0}, Stage::DOORBELL, Stage::BUS_WAIT, Engine::BUS, its, clock, Cycles(2));
        BOOST_TEST(a.at == b.at);
        BOOST_TEST(b.cause == 0U);
    }
    BOOST_TEST(part.GetDigest().Hex() == twin.GetDigest().Hex());
}

BOOST_FIXTURE_TEST_CASE(ANoteIsNotCountedTwice, ComponentBench)
{
    const ClockDomain::Window window = clock.Run(0, Cycles(1));
    part.Note({0, 0}, Stage::SERIALIZE, Engine::LINK, clock, Cycles(1), window);
    BOOST_TEST(part.GetDigest().Count() == 0U);
    BOOST_TEST(LastSpan().cycles == 1U);
}

BOOST_FIXTURE_TEST_CASE(TheLaterOfTwoReleasesAndTheFirstWinsATie, ComponentBench)
{
    BOOST_TEST(Later({1, 10}, {2, 20}).cause == 20U);
    BOOST_TEST(Later({2, 10}, {1, 20}).cause == 10U);
    BOOST_TEST(Later({2, 10}, {2, 20}).cause == 10U);
}

BOOST_AUTO_TEST_SUITE_END()
