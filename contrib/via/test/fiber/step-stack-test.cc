/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
// Steps of many processes on one stack.

#include "ns3/via-sanitizer.h"
#include "ns3/via-step-stack.h"

#include <boost/test/unit_test.hpp>
#include <functional>
#include <stdexcept>
#include <string>
#include <utility>

using namespace ns3::via;

namespace
{

/// A process whose steps do what a test says.
class Walker final : public StepCode
{
  public:
    explicit Walker(std::function<void()> step)
        : m_code(std::move(step))
    {
    }

    bool Begin(bool stays = false)
    {
        return m_step.Begin(*this, stays);
    }

    bool GoOn()
    {
        return m_step.GoOn();
    }

    void RunStep() override
    {
        m_code();
    }

  private:
    std::function<void()> m_code;
    ProcessStep m_step;
};

/// Counts itself.
struct Counted
{
    int& count;

    explicit Counted(int& of)
        : count(of)
    {
        ++count;
    }

    ~Counted()
    {
        --count;
    }
};

} // namespace

BOOST_AUTO_TEST_SUITE(stepstack)

BOOST_AUTO_TEST_CASE(AStepThatDoesNotWaitEndsAtOnce)
{
    int steps = 0;
    Walker walker([&] { ++steps; });
    BOOST_TEST(walker.Begin());
    BOOST_TEST(walker.Begin());
    BOOST_TEST(steps == 2);
}

BOOST_AUTO_TEST_CASE(StepsThatWaitKeepTheirLocalsWhereTheyWere)
{
    std::string text;
    const auto say = [&text](char first) {
        char local[64] = {first};
        const char* const where = local;
        Fiber::Suspend();
        BOOST_TEST(where == local);
        ++local[0];
        Fiber::Suspend();
        text += local[0];
    };
    Walker a([&] { say('a'); });
    Walker b([&] { say('p'); });
    BOOST_TEST((!a.Begin() && !b.Begin() && !a.GoOn() && !b.GoOn()));
    BOOST_TEST((b.GoOn() && a.GoOn()));
    BOOST_TEST(text == "qb");
}

#ifndef VIA_ASAN
BOOST_AUTO_TEST_CASE(StepsWhoseFramesMoveShareAStack)
{
    const char* first = nullptr;
    const char* second = nullptr;
    const auto wait = [](const char*& at) {
        char local = 0;
        at = &local;
        Fiber::Suspend();
    };
    Walker a([&] { wait(first); });
    Walker b([&] { wait(second); });
    BOOST_TEST((!a.Begin() && !b.Begin()));
    BOOST_TEST(first == second);
}
#endif

BOOST_AUTO_TEST_CASE(OthersMayWriteToFramesThatStay)
{
    int* shared = nullptr;
    int seen = 0;
    Walker writer([&] { *shared = 7; });
    Walker owner([&] {
        int local = 0;
        shared = &local;
        Fiber::Suspend();
        seen = local;
    });
    BOOST_TEST(!owner.Begin(true));
    BOOST_TEST(writer.Begin());
    BOOST_TEST(owner.GoOn());
    BOOST_TEST(seen == 7);
}

BOOST_AUTO_TEST_CASE(AStepThatWaitsInDeepFramesGoesOn)
{
    const std::function<int(int)> descend = [&descend](int depth) {
        volatile char room[256] = {static_cast<char>(depth)};
        if (depth == 0)
        {
            Fiber::Suspend();
            return 0;
        }
        const int below = descend(depth - 1);
        return below + room[0];
    };
    int sum = 0;
    Walker deep([&] { sum = descend(100); });
    Walker other([&] { descend(50); });
    BOOST_TEST((!deep.Begin() && !other.Begin()));
    BOOST_TEST((deep.GoOn() && other.GoOn()));
    BOOST_TEST(sum == 5050);
}

BOOST_AUTO_TEST_CASE(AnExceptionOfAStepReachesItsCallerAndTheStackIsFree)
{
    Walker fails([] {
        Fiber::Suspend();
        throw std::runtime_error("no");
    });
    Walker fine([] {});
    BOOST_TEST(!fails.Begin());
    BOOST_CHECK_THROW(fails.GoOn(), std::runtime_error);
    BOOST_TEST(fine.Begin());
}

BOOST_AUTO_TEST_CASE(AStepMayWaitInACatchBlockWhileAnotherThrows)
{
    std::string caught;
    const auto fail = [&caught](const std::string& what) {
        try
        {
            throw std::runtime_error(what);
        }
        catch (const std::runtime_error& error)
        {
            Fiber::Suspend();
            caught += error.what();
        }
    };
    Walker a([&] { fail("a"); });
    Walker b([&] { fail("b"); });
    BOOST_TEST((!a.Begin() && !b.Begin() && a.GoOn() && b.GoOn()));
    BOOST_TEST(caught == "ab");
}

BOOST_AUTO_TEST_CASE(DestructorsOfStepsThatWaitRunWithTheirProcesses)
{
    int objects = 0;
    {
        const auto hold = [&objects] {
            const Counted object(objects);
            Fiber::Suspend();
        };
        Walker moves(hold);
        Walker stays(hold);
        Walker ends(hold);
        BOOST_TEST((!moves.Begin() && !stays.Begin(true) && !ends.Begin()));
        BOOST_TEST(objects == 3);
        BOOST_TEST(ends.GoOn());
    }
    BOOST_TEST(objects == 0);
}

BOOST_AUTO_TEST_CASE(AStepThatSwallowsItsEndIsDropped)
{
    int waits = 0;
    {
        Walker stubborn([&waits] {
            while (waits < 1000)
            {
                try
                {
                    ++waits;
                    Fiber::Suspend();
                }
                catch (const FiberCancelled&)
                {
                }
            }
        });
        BOOST_TEST(!stubborn.Begin());
    }
    BOOST_TEST(waits == 1 + Fiber::MAX_SWALLOWED);
    Walker next([] {});
    BOOST_TEST(next.Begin());
}

BOOST_AUTO_TEST_CASE(AWaitingStepThatIsDestroyedWithinAnotherLeavesThatAlone)
{
    auto waiting = std::make_unique<Walker>([] { Fiber::Suspend(); });
    bool ended = false;
    Walker outer([&] {
        waiting.reset();
        ended = true;
    });
    BOOST_TEST(!waiting->Begin());
    BOOST_TEST(outer.Begin());
    BOOST_TEST(ended);
}

BOOST_AUTO_TEST_SUITE_END()
