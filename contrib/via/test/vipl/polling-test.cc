/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
// VIPL: polling is equal to the poll-by-poll reference, and costs next to no events.

#include "support/via-test-vipl-bench.h"

#include "ns3/via-vipl-process.h"

using namespace ns3::via;
using namespace ns3::via::test;

namespace
{

constexpr Ps WORK = 10 * PS_PER_MS; ///< what the peer does before it sends
constexpr std::uint64_t MOST_EVENTS = 50;

/// A loop that polls until what it waits for has come. @return how often it looked
using Loop = std::function<std::uint64_t(Party& self)>;

/// What a polling loop saw, and what it cost.
struct Polled
{
    std::uint64_t polls{0};
    Ps end{0};
    std::uint64_t events{0}; ///< while it polled
    std::string digest;
};

/// How the simulator gets through a loop; all must agree.
enum class Mode
{
    REPEATED,  ///< polls that are known to be in vain look at nothing
    RECORDED,  ///< every poll looks, because its span is of interest
    REFERENCE, ///< every poll gives way to the agenda
};

/// The peer is busy for WORK with something, and then sends or writes.
using Peer = void (*)(Party& self);

void
Sleep(Party&)
{
    Pause(WORK);
}

void
Compute(Party&)
{
    ViplProcess::Running().Runner().Spend(Stage::COMPUTE, Cycles(3'000'000));
}

/// Polls, too, for what never comes, and watches its clock.
void
Poll(Party& self)
{
    const Ps end = Now() + WORK;
    while (Now() < end)
    {
        VipRecvDone(self.vi, &self.last);
    }
}

void
Disconnect(Party& self)
{
    Pause(WORK);
    BOOST_TEST(VipDisconnect(self.vi) == VIP_SUCCESS);
}

std::uint64_t
EventsDone()
{
    return FiberProcess::Current()->GetHost().GetWorld().agenda.EventsDone();
}

/// Busy with something every now and then.
void
NowAndThen(Party&)
{
    for (int i = 0; i < 10; ++i)
    {
        Pause(WORK / 5);
    }
}

void
Add(Cluster& cluster, std::uint32_t node, const Body& body)
{
    cluster.AddProcess(node, [body] {
        body();
        return 0;
    });
}

Polled
Run(const Loop& loop, Peer work, Mode mode, Peer third)
{
    Polled polled;
    Setup setup;
    setup.cqEntries = 16;
    ClusterConfig config;
    config.record = mode == Mode::RECORDED;
    config.reference = mode == Mode::REFERENCE;
    Party ends[2];
    const auto sender = [&] {
        Party& self = ends[0];
        self.Open(setup);
        BOOST_TEST(self.Connect(self.vi, 1) == VIP_SUCCESS);
        work(self);
        self.Fill(0, 64, 1);
        BOOST_TEST(self.Send(self.Write(ends[1].At(1024, 64), {self.At(0, 64)})) == VIP_SUCCESS);
        BOOST_TEST(self.Send(self.Make({self.At(0, 64)})) == VIP_SUCCESS);
        Pause(PS_PER_SECOND);
    };
    const auto poller = [&] {
        Party& self = ends[1];
        self.Open(setup);
        self.Receive(self.Make({self.At(0, 64)}));
        BOOST_TEST(self.Listen(self.vi) == VIP_SUCCESS);
        const std::uint64_t before = EventsDone();
        polled.polls = loop(self);
        polled.end = Now();
        polled.events = EventsDone() - before;
        Pause(PS_PER_SECOND);
    };
    config.nodes = 3;
    Cluster cluster(config);
    Add(cluster, 0, sender);
    Add(cluster, 1, poller);
    if (third != nullptr)
    {
        Add(cluster, third == Poll ? 1 : 2, [third] {
            Party self;
            self.Open({});
            third(self);
        });
    }
    const RunReport report = cluster.Run();
    BOOST_TEST((report.exit == RunExit::SUCCESS), report.processes[1].report);
    polled.digest = report.digest;
    return polled;
}

/// Runs a loop in all modes, which must agree. @return the fast one
Polled
Same(const Loop& loop, Peer work = Sleep, Peer third = nullptr)
{
    const Polled fast = Run(loop, work, Mode::REPEATED, third);
    const Polled recorded = Run(loop, work, Mode::RECORDED, third);
    const Polled slow = Run(loop, work, Mode::REFERENCE, third);
    BOOST_TEST(fast.polls == slow.polls);
    BOOST_TEST(fast.end == slow.end);
    BOOST_TEST(fast.polls == recorded.polls);
    BOOST_TEST(fast.digest == recorded.digest);
    BOOST_TEST(slow.events >= fast.polls, "the reference does not give way at every poll");
    return fast;
}

std::uint64_t
TightRecvDone(Party& self)
{
    std::uint64_t polls = 1;
    while (VipRecvDone(self.vi, &self.last) == VIP_NOT_DONE)
    {
        ++polls;
    }
    return polls;
}

std::uint64_t
TwoVisInTurn(Party& self)
{
    const VIP_VI_HANDLE other = self.CreateVi();
    BOOST_TEST(VipPostRecv(other, self.Make({self.At(256, 64)}), self.pool) == VIP_SUCCESS);
    std::uint64_t polls = 1;
    while (VipRecvDone(polls % 2 == 0 ? other : self.vi, &self.last) == VIP_NOT_DONE)
    {
        ++polls;
    }
    return polls;
}

/// Polls the completion queue, and does @p what after each poll in vain.
template <class What>
std::uint64_t
CqDoneAnd(Party& self, What what)
{
    std::uint64_t polls = 1;
    VIP_VI_HANDLE vi = nullptr;
    VIP_BOOLEAN receive = VIP_FALSE;
    while (VipCQDone(self.cq, &vi, &receive) == VIP_NOT_DONE)
    {
        what();
        ++polls;
    }
    return polls;
}

std::uint64_t
CqDoneAndQueryVi(Party& self)
{
    return CqDoneAnd(self, [&] { BOOST_REQUIRE(self.State() == VIP_STATE_CONNECTED); });
}

/// In between it polls a VI, but names the completion queue.
std::uint64_t
CqDoneAndAWrongHandle(Party& self)
{
    return CqDoneAnd(self, [&] {
        BOOST_REQUIRE(VipSendDone(self.cq, &self.last) == VIP_INVALID_PARAMETER);
    });
}

std::uint64_t
HundredPollsThenWait(Party& self)
{
    std::uint64_t polls = 0;
    VIP_VI_HANDLE vi = nullptr;
    VIP_BOOLEAN receive = VIP_FALSE;
    while (polls < 100 && VipCQDone(self.cq, &vi, &receive) == VIP_NOT_DONE)
    {
        ++polls;
    }
    BOOST_TEST(VipCQWait(self.cq, VIP_INFINITE, &vi, &receive) == VIP_SUCCESS);
    return polls;
}

/// Gives up for a while whenever its clock says so.
std::uint64_t
WithATimeOut(Party& self)
{
    std::uint64_t polls = 0;
    VIP_RETURN result = VIP_NOT_DONE;
    while (result == VIP_NOT_DONE)
    {
        const Ps deadline = Now() + PS_PER_MS;
        while (result == VIP_NOT_DONE && Now() < deadline)
        {
            result = VipRecvDone(self.vi, &self.last);
            ++polls;
        }
        Pause(PS_PER_US);
    }
    return polls;
}

/// Looks at memory that the peer writes; computes a little between two looks.
std::uint64_t
MemoryFlag(Party& self)
{
    std::uint64_t polls = 1;
    ProgramServices& compute = ViplProcess::Running().Services();
    while (self.Untouched(1024 + 63, 1))
    {
        compute.PassTime(64);
        ++polls;
    }
    return polls;
}

/// As MemoryFlag, but only looks at a clock in between.
std::uint64_t
MemoryFlagAndClock(Party& self)
{
    std::uint64_t polls = 1;
    ProgramServices& clock = ViplProcess::Running().Services();
    while (self.Untouched(1024 + 63, 1))
    {
        clock.Now();
        ++polls;
    }
    return polls;
}

/// Starts a thread in between, which competes for the CPU.
std::uint64_t
WithAnotherThread(Party& self)
{
    bool hasRun = false;
    std::uint64_t polls = 1;
    while (VipRecvDone(self.vi, &self.last) == VIP_NOT_DONE)
    {
        if (++polls == 10)
        {
            ViplProcess::Running().StartThread([&hasRun] { hasRun = true; });
        }
    }
    while (!hasRun)
    {
        Pause(PS_PER_US);
    }
    return polls;
}

std::uint64_t
UntilTheConnectionBreaks(Party& self)
{
    std::uint64_t polls = 1;
    while (self.State() == VIP_STATE_CONNECTED)
    {
        ++polls;
    }
    return polls;
}

std::uint64_t
UntilAnErrorIsTold(Party& self)
{
    std::uint64_t polls = 1;
    while (self.errors.empty())
    {
        VipSendDone(self.vi, &self.last);
        ++polls;
    }
    return polls;
}

std::uint64_t
UntilTheReceiveIsFlushed(Party& self)
{
    const std::uint64_t polls = TightRecvDone(self);
    BOOST_TEST((self.last->CS.Status & VIP_STATUS_DESC_FLUSHED_ERROR) != 0U);
    return polls;
}

/// Two nodes run a loop that never ends.
template <class Loop>
RunReport
RunDeadlocked(Loop loop, bool reference)
{
    ClusterConfig config;
    config.patience = PS_PER_MS;
    config.reference = reference;
    Party ends[2];
    const auto body = [&](Party& self) {
        self.Open({});
        self.Receive(self.Make({}));
        loop(self);
    };
    const RunReport report = RunEach({[&] { body(ends[0]); }, [&] { body(ends[1]); }}, config);
    BOOST_TEST((report.exit == RunExit::DEADLOCK));
    BOOST_TEST(report.end < 10 * PS_PER_MS);
    return report;
}

const std::vector<std::pair<const char*, Loop>> LOOPS = {
    {"tight RecvDone", TightRecvDone},
    {"two VIs in turn", TwoVisInTurn},
    {"CQDone and QueryVi", CqDoneAndQueryVi},
    {"100 polls, then CQWait", HundredPollsThenWait},
    {"with a time-out", WithATimeOut},
    {"memory flag", MemoryFlag},
    {"memory flag and clock", MemoryFlagAndClock},
};

} // namespace

BOOST_AUTO_TEST_SUITE(vipl_polling)

BOOST_AUTO_TEST_CASE(EveryLoopIsExactAndCheapWhileThePeerSleeps)
{
    for (const auto& [name, loop] : LOOPS)
    {
        BOOST_TEST_CONTEXT(name)
        {
            const Polled polled = Same(loop);
            BOOST_TEST(polled.events <= MOST_EVENTS);
        }
    }
}

BOOST_AUTO_TEST_CASE(EveryLoopIsExactAndCheapWhileThePeerComputes)
{
    for (const auto& [name, loop] : LOOPS)
    {
        BOOST_TEST_CONTEXT(name)
        {
            const Polled polled = Same(loop, Compute);
            BOOST_TEST(polled.events <= MOST_EVENTS);
        }
    }
}

BOOST_AUTO_TEST_CASE(EveryLoopIsExactWhileThePeerPolls)
{
    for (const auto& [name, loop] : LOOPS)
    {
        BOOST_TEST_CONTEXT(name)
        {
            Same(loop, Poll);
        }
    }
}

BOOST_AUTO_TEST_CASE(EveryLoopIsExactWhileAnotherProcessOfTheNodePolls)
{
    for (const auto& [name, loop] : LOOPS)
    {
        BOOST_TEST_CONTEXT(name)
        {
            Same(loop, Sleep, Poll);
        }
    }
}

BOOST_AUTO_TEST_CASE(EveryLoopIsExactAndCheapWhileAThirdNodeIsBusy)
{
    for (const auto& [name, loop] : LOOPS)
    {
        BOOST_TEST_CONTEXT(name)
        {
            const Polled polled = Same(loop, Sleep, NowAndThen);
            BOOST_TEST(polled.events <= MOST_EVENTS);
        }
    }
}

BOOST_AUTO_TEST_CASE(TheEndOfAConnectionIsSeenInTheSameInstant)
{
    Same(UntilTheConnectionBreaks, Disconnect);
    Same(UntilAnErrorIsTold, Disconnect);
    Same(UntilTheReceiveIsFlushed, Disconnect);
}

BOOST_AUTO_TEST_CASE(APollThatIsRepeatedStillRefusesNoPlaceForTheDescriptor)
{
    const auto server = [](Party& self, Party&) {
        self.Receive(self.Make({}));
        for (int i = 0; i < 10; ++i)
        {
            BOOST_TEST(VipRecvDone(self.vi, &self.last) == VIP_NOT_DONE);
            BOOST_TEST(VipRecvDone(self.vi, nullptr) == VIP_INVALID_PARAMETER);
            BOOST_TEST(VipSendDone(self.vi, &self.last) == VIP_DESCRIPTOR_ERROR); // nothing sent
        }
    };
    RunPair([](Party&, Party&) { Pause(WORK); }, server);
}

BOOST_AUTO_TEST_CASE(APollOfAnotherKindWithTheSameHandleIsNoRepetition)
{
    Same(CqDoneAndAWrongHandle, Poll);
}

BOOST_AUTO_TEST_CASE(AThreadThatStartsBetweenTwoPollsRunsAtItsTime)
{
    Same(WithAnotherThread);
    Same(WithAnotherThread, Poll);
}

BOOST_AUTO_TEST_CASE(WhoPollsForWhatNobodyWillDoIsFoundToBeDeadlocked)
{
    const auto queue = [](Party& self) {
        while (VipRecvDone(self.vi, &self.last) != VIP_SUCCESS)
        {
        }
    };
    for (const bool reference : {false, true})
    {
        const RunReport report = RunDeadlocked(queue, reference);
        BOOST_TEST(report.processes[0].report ==
                   "waits in a polling loop, longer than --patience, for something that will "
                   "never happen");
    }
}

BOOST_AUTO_TEST_CASE(WhoPollsPlainMemoryForEverIsFoundToBeDeadlocked)
{
    for (const bool reference : {false, true})
    {
        const RunReport report = RunDeadlocked(MemoryFlag, reference);
        BOOST_TEST(report.processes[0].report ==
                   "waits in a loop without calls, longer than --patience, while no other process "
                   "will ever make progress");
    }
}

BOOST_AUTO_TEST_CASE(WhoOnlyWatchesAClockForEverIsFoundToBeDeadlocked)
{
    RunDeadlocked(MemoryFlagAndClock, false);
    RunDeadlocked(MemoryFlagAndClock, true);
}

BOOST_AUTO_TEST_CASE(WhoPollsForAPeerThatSleepsLongIsNotDeadlocked)
{
    ClusterConfig config;
    config.patience = WORK / 2;
    const auto client = [](Party& self, Party&) {
        Pause(WORK);
        self.Send(self.Make({}));
        Pause(WORK);
    };
    const auto server = [](Party& self, Party&) {
        self.Receive(self.Make({}));
        TightRecvDone(self);
        BOOST_TEST(self.last->CS.Status == RECEIVED);
    };
    RunPair(client, server, {}, config);
}

BOOST_AUTO_TEST_CASE(WhoComputesLongWhileOthersPollIsNotDeadlocked)
{
    ClusterConfig config;
    config.patience = 2 * WORK;
    const auto client = [](Party& self, Party&) {
        for (int i = 0; i < 10000; ++i)
        {
            ViplProcess::Running().Services().PassTime(64);
        }
        self.Send(self.Make({}));
    };
    const auto server = [](Party& self, Party&) {
        self.Receive(self.Make({}));
        TightRecvDone(self);
        BOOST_TEST(self.last->CS.Status == RECEIVED);
    };
    RunPair(client, server, {}, config);
}

// It was judged by what the agenda held before its clock: the other one had not yet gone to sleep.
BOOST_AUTO_TEST_CASE(WhoWorksLongBeforeOthersGoToSleepIsNotDeadlocked)
{
    const auto work = [](Ps time) {
        FiberThread& self = *FiberThread::Current();
        self.Spend(Stage::COMPUTE, self.GetHost().CpuClock().Between(0, time));
        self.Reach();
    };
    for (const bool reference : {false, true})
    {
        ClusterConfig config;
        config.patience = PS_PER_MS;
        config.reference = reference;
        const auto sleeper = [&] {
            work(100 * PS_PER_US);
            Pause(10 * PS_PER_MS);
        };
        const RunReport report = RunEach({sleeper, [&] { work(3 * PS_PER_MS); }}, config);
        BOOST_TEST((report.exit == RunExit::SUCCESS));
    }
}

BOOST_AUTO_TEST_SUITE_END()
