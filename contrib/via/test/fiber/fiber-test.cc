/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
// Fibers: turns, killing, exceptions, stacks.

#include "ns3/via-fiber.h"

#include <boost/test/unit_test.hpp>
#include <cstring>
#include <exception>
#include <stdexcept>
#include <string>

using namespace ns3::via;

namespace
{

/// Notes when it is destroyed.
struct Trace
{
    std::string& text;
    char mark;

    ~Trace()
    {
        text += mark;
    }
};

struct CountingListener final : FiberListener
{
    int entered{0};
    int left{0};

    void OnEnter() noexcept override
    {
        entered++;
    }

    void OnLeave() noexcept override
    {
        left++;
    }
};

/// Notes on whose stack it runs.
struct NotingErrand final : OutsideCall
{
    int runs{0};
    const Fiber* seen{nullptr};

    void Run() override
    {
        runs++;
        seen = Fiber::Current();
    }
};

} // namespace

BOOST_AUTO_TEST_SUITE(fiber)

BOOST_AUTO_TEST_CASE(AFiberAndItsResumerTakeTurns)
{
    std::string text;
    Fiber fiber([&] {
        text += 'b';
        Fiber::Suspend();
        text += 'd';
    });
    text += 'a';
    fiber.Resume();
    text += 'c';
    fiber.Resume();
    BOOST_TEST(text == "abcd");
    BOOST_TEST(fiber.IsDone());
    BOOST_TEST(!Fiber::Current());
}

BOOST_AUTO_TEST_CASE(KillingAFiberRunsItsDestructors)
{
    std::string text;
    Fiber fiber([&] {
        Trace outer{text, '1'};
        Trace inner{text, '2'};
        Fiber::Suspend();
        text += "never";
    });
    fiber.Resume();
    fiber.Kill();
    BOOST_TEST(text == "21");
    BOOST_TEST(fiber.IsDone());
}

BOOST_AUTO_TEST_CASE(DestroyingAWaitingFiberKillsIt)
{
    std::string text;
    {
        Fiber fiber([&] {
            Trace only{text, 'x'};
            Fiber::Suspend();
        });
        fiber.Resume();
    }
    BOOST_TEST(text == "x");
}

BOOST_AUTO_TEST_CASE(AFiberThatNeverRanIsKilledWithoutRunning)
{
    bool ran = false;
    Fiber fiber([&] { ran = true; });
    fiber.Kill();
    BOOST_TEST(fiber.IsDone());
    BOOST_TEST(!ran);
}

BOOST_AUTO_TEST_CASE(ANoexceptFunctionOnTheWayDropsTheRestOfTheStack)
{
    const auto usual = std::get_terminate();
    std::string text;
    Fiber fiber([&text] {
        const Trace outer{text, 'o'};
        [&text]() noexcept {
            const Trace inner{text, 'i'};
            Fiber::Suspend();
        }();
    });
    fiber.Resume();
    fiber.Kill();
    BOOST_TEST(fiber.IsDone());
    BOOST_TEST(text.find('o') == std::string::npos);
    BOOST_TEST((std::get_terminate() == usual));
    BOOST_TEST(std::uncaught_exceptions() == 0);
}

BOOST_AUTO_TEST_CASE(AFiberThatKillsItselfInANoexceptFunctionIsDroppedToo)
{
    Fiber* self = nullptr;
    Fiber fiber([&self] { [&self]() noexcept { self->Kill(); }(); });
    self = &fiber;
    fiber.Resume();
    BOOST_TEST(fiber.IsDone());
}

BOOST_AUTO_TEST_CASE(ABodyThatSwallowsItsCancellationIsDroppedInTheEnd)
{
    int swallowed = 0;
    Fiber fiber([&] {
        for (;;)
        {
            try
            {
                Fiber::Suspend();
            }
            catch (...)
            {
                swallowed++;
            }
        }
    });
    fiber.Resume();
    fiber.Kill();
    BOOST_TEST(fiber.IsDone());
    BOOST_TEST(swallowed == Fiber::MAX_SWALLOWED);
}

BOOST_AUTO_TEST_CASE(AnExceptionOfTheBodyReachesTheResumer)
{
    Fiber fiber([] { throw std::runtime_error("from inside"); });
    BOOST_CHECK_EXCEPTION(fiber.Resume(), std::runtime_error, [](const auto& error) {
        return std::strcmp(error.what(), "from inside") == 0;
    });
    BOOST_TEST(fiber.IsDone());
}

BOOST_AUTO_TEST_CASE(AFiberMaySuspendInsideACatchBlock)
{
    // Two fibers leave their catch blocks in the order in which they entered them: the runtime's
    // stack of caught exceptions would mix them up if they shared it.
    std::string text;
    const auto body = [&](const char* name) {
        try
        {
            throw std::runtime_error(name);
        }
        catch (const std::runtime_error&)
        {
            Fiber::Suspend();
            try
            {
                throw;
            }
            catch (const std::runtime_error& again)
            {
                text += again.what();
            }
        }
    };
    Fiber first([&] { body("1"); });
    Fiber second([&] { body("2"); });
    first.Resume();
    second.Resume();
    first.Resume();
    second.Resume();
    BOOST_TEST(text == "12");
}

BOOST_AUTO_TEST_CASE(FibersNest)
{
    std::string text;
    Fiber inner([&] {
        text += 'i';
        Fiber::Suspend();
        text += 'j';
    });
    Fiber outer([&] {
        inner.Resume();
        text += 'o';
        Fiber::Suspend();
        inner.Resume();
    });
    outer.Resume();
    outer.Resume();
    BOOST_TEST(text == "ioj");
}

BOOST_AUTO_TEST_CASE(TheListenerHearsOfEverySwitch)
{
    CountingListener listener;
    Fiber fiber([] { Fiber::Suspend(); }, &listener);
    fiber.Resume();
    fiber.Resume();
    BOOST_TEST(listener.entered == 2);
    BOOST_TEST(listener.left == 2);
}

BOOST_AUTO_TEST_CASE(AStackIsUsedAgainAtTheSameAddress)
{
    char* first = nullptr;
    {
        Fiber fiber([] {});
        first = fiber.Stack().bottom;
    }
    Fiber fiber([] {});
    BOOST_TEST(fiber.Stack().bottom == first);
    BOOST_TEST(fiber.Stack().bytes == Fiber::DEFAULT_STACK_BYTES);
}

BOOST_AUTO_TEST_CASE(StacksWithoutAGuardLieSideBySide)
{
    FiberStackPool& pool = FiberStackPool::Instance();
    constexpr std::size_t odd = 5 * 4096; // of no other test
    const FiberStack first = pool.Take(odd, StackGuard::NONE);
    const FiberStack second = pool.Take(odd, StackGuard::NONE);
    const FiberStack guarded = pool.Take(odd);
    BOOST_TEST(static_cast<void*>(second.bottom) == first.Top());
    BOOST_TEST(static_cast<void*>(guarded.bottom) > second.Top());
    pool.Return(second);
    const FiberStack again = pool.Take(odd, StackGuard::NONE);
    BOOST_TEST(static_cast<void*>(again.bottom) == second.bottom);
    for (const FiberStack& stack : {first, again, guarded})
    {
        std::memset(stack.bottom, 1, stack.bytes);
        pool.Return(stack);
    }
}

BOOST_AUTO_TEST_CASE(AllOfAStackCanBeUsed)
{
    bool done = false;
    Fiber fiber(
        [&] {
            volatile char room[48 * 1024];
            std::memset(const_cast<char*>(room), 1, sizeof(room));
            done = room[0] == 1;
        },
        nullptr,
        64 * 1024);
    fiber.Resume();
    BOOST_TEST(done);
}

BOOST_AUTO_TEST_CASE(AnErrandRunsOutsideOfTheFiberInTheMiddleOfItsStep)
{
    NotingErrand errand;
    bool before = false;
    Fiber fiber([&] {
        before = errand.runs == 0;
        Fiber::RunOutside(errand);
        Fiber::RunOutside(errand);
    });
    errand.seen = &fiber;
    fiber.Resume();
    BOOST_TEST(fiber.IsDone());
    BOOST_TEST(before);
    BOOST_TEST(errand.runs == 2);
    BOOST_TEST((errand.seen == nullptr));
}

BOOST_AUTO_TEST_CASE(AnErrandOfANestedFiberRunsOutsideOfBoth)
{
    NotingErrand errand;
    Fiber outer([&] {
        Fiber inner([&] { Fiber::RunOutside(errand); });
        inner.Resume();
    });
    errand.seen = &outer;
    outer.Resume();
    BOOST_TEST(outer.IsDone());
    BOOST_TEST((errand.seen == nullptr));
}

BOOST_AUTO_TEST_CASE(AnErrandRunsAtOnceWhereThereIsNoFiber)
{
    NotingErrand errand;
    Fiber::RunOutside(errand);
    BOOST_TEST(errand.runs == 1);
}

BOOST_AUTO_TEST_SUITE_END()
