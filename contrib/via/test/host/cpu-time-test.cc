/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
// CPU time in reports: processes that share a CPU have no more than it, whatever its speed.

#include "../support/via-test-cluster-bench.h"
#include "../support/via-test-fault-bench.h"

#include <boost/test/unit_test.hpp>

using namespace ns3::via;
using namespace ns3::via::test;

namespace
{

/// Processes of node 0 compute, at 1 GHz, with slices of 1 ms.
RunReport
Compute(const std::vector<PlannedFault>& faults,
        std::vector<Ps> work,
        Ps stop = PS_NEVER,
        bool inKernel = false)
{
    ClusterConfig config = Planned(faults);
    config.stop = stop;
    config.overrides = {{"os.quantum", "1000"}, {"cpu.clock", "1 GHz"}};
    Cluster cluster(config);
    for (const Ps time : work)
    {
        cluster.AddProcess(0, [time, inKernel] {
            FiberThread& thread = *FiberThread::Current();
            const Cycles cycles(static_cast<std::uint64_t>(time / PS_PER_NS));
            if (inKernel)
            {
                thread.SpendInKernel(Stage::COMPUTE, cycles);
            }
            else
            {
                thread.Spend(Stage::COMPUTE, cycles);
            }
            thread.Reach();
            return 0;
        });
    }
    return cluster.Run();
}

constexpr Ps NAP_SWITCH = 6 * PS_PER_US;

/// On one CPU a process polls for ever, and another one sleeps for long and for less than a switch.
RunReport
PollBesideNaps(Ps stop, bool reference)
{
    ClusterConfig config;
    config.nodes = 2;
    config.stop = stop;
    config.reference = reference;
    config.overrides = {{"cpu.count", "1"},
                        {"cpu.clock", "1 GHz"},
                        {"os.context_switch", std::to_string(NAP_SWITCH / PS_PER_NS)}};
    Cluster cluster(config);
    cluster.AddProcess(0, [] {
        FiberThread& self = *FiberThread::Current();
        for (;;)
        {
            self.Spend(Stage::CALL_POLL, Cycles(700));
            self.Reach();
        }
        return 0;
    });
    cluster.AddProcess(0, [] {
        FiberThread& self = *FiberThread::Current();
        for (const Ps nap : {1'000 * PS_PER_US, 3 * PS_PER_US})
        {
            self.SleepUntil(self.Clock().at + nap);
        }
        return 0;
    });
    return cluster.Run();
}

/// What the processes have booked.
Ps
BookedBy(const RunReport& report)
{
    Ps sum = 0;
    for (const ProcessReport& process : report.processes)
    {
        sum += process.cpu;
    }
    return sum;
}

/// Node 0 is slow for a while.
PlannedFault
Slow(Ps from, Ps until)
{
    PlannedFault slow = MakeFault(FaultKind::SLOW_NODE, "n0", until, from);
    slow.num = 10;
    return slow;
}

/// The CPU of node 0 had something to do all the time, and no more than that.
void
CheckThatACpuWasBusyAllTheTime(const RunReport& report)
{
    const Ps edge = 10 * PS_PER_NS; // of a slow clock
    BOOST_TEST(BookedBy(report) <= report.end);
    BOOST_TEST(BookedBy(report) > report.end - edge);
    Ps node = 0;
    for (const auto& [stage, time] : report.nodeCpu.Of(0))
    {
        BOOST_TEST(time >= 0, stage);
        node += time;
    }
    BOOST_TEST(node == BookedBy(report));
}

} // namespace

BOOST_AUTO_TEST_SUITE(CpuTimeTest)

BOOST_AUTO_TEST_CASE(WhoSharesACpuThatSlowsDownAndSpeedsUpHasTheTimeThatItWasOn)
{
    const std::vector<std::pair<Ps, Ps>> slow = {{0, PS_NEVER}, {0, 5}, {3, 9}, {7, PS_NEVER}};
    for (const auto& [from, until] : slow)
    {
        const Ps end = until == PS_NEVER ? until : until * PS_PER_MS;
        for (const bool inKernel : {false, true})
        {
            const RunReport report = Compute({Slow(from * PS_PER_MS, end)},
                                             {20 * PS_PER_MS, 15 * PS_PER_MS, 20 * PS_PER_MS},
                                             PS_NEVER,
                                             inKernel);
            CheckThatACpuWasBusyAllTheTime(report);
            BOOST_TEST((report.processes.at(0).system > 0) == inKernel);
        }
    }
}

BOOST_AUTO_TEST_CASE(WhoSharesACpuWhenTheRunIsStoppedHasOnlyWhatItHadByThen)
{
    for (Ps stop = 10 * PS_PER_MS; stop < 12 * PS_PER_MS; stop += 523'456'789)
    {
        const std::vector<Ps> work(3, PS_PER_SECOND);
        CheckThatACpuWasBusyAllTheTime(Compute({}, work, stop));
        CheckThatACpuWasBusyAllTheTime(Compute({Slow(0, 5 * PS_PER_MS)}, work, stop));
    }
}

// All that the interrupts put off was taken from the last stage, which had less than nothing.
BOOST_AUTO_TEST_CASE(NoStageHasLessThanNothingWhereverARunIsStopped)
{
    for (const std::string profile : {"gamma-tulip", "mvia-gnic2"})
    {
        ClusterConfig config;
        config.nodes = 7;
        config.profile = profile;
        for (config.stop = 20 * PS_PER_US; config.stop < 90 * PS_PER_US; config.stop += 345'678)
        {
            const RunReport report = RunWorkload(config, "request-reply", {{"rounds", "2"}}).report;
            for (std::uint32_t node = 0; node < config.nodes; ++node)
            {
                for (const auto& [stage, time] : report.nodeCpu.Of(node))
                {
                    BOOST_TEST(time >= 0, profile << " until " << config.stop << ": " << stage);
                }
            }
        }
    }
}

BOOST_AUTO_TEST_CASE(TheCallThatSharesASlowCpuIsSystemTimeAsLongAsItTakes)
{
    const RunReport report =
        Compute({Slow(5 * PS_PER_MS, PS_NEVER)}, {10 * PS_PER_MS, 10 * PS_PER_MS}, PS_NEVER, true);
    for (const ProcessReport& process : report.processes)
    {
        BOOST_TEST(process.cpu - process.system < PS_PER_MS); // switches
        BOOST_TEST(process.cpu > 70 * PS_PER_MS);
        BOOST_TEST(process.cpu < 85 * PS_PER_MS);
    }
}

// What it had done before the switch was taken from it first, as much as there was in each mode.
BOOST_AUTO_TEST_CASE(WhoLosesItsCpuWithinASwitchLosesNothingOfWhatItHasDone)
{
    for (Ps stop = 1'000 * PS_PER_US; stop < 1'030 * PS_PER_US; stop += 912'345)
    {
        const RunReport report = PollBesideNaps(stop, false);
        BOOST_TEST((report.nodeCpu.Of(0) == PollBesideNaps(stop, true).nodeCpu.Of(0)), stop);
        for (const auto& [stage, time] : report.nodeCpu.Of(0))
        {
            const bool isSwitch = stage == StageName(Stage::CONTEXT_SWITCH);
            BOOST_TEST((!isSwitch || time <= 5 * NAP_SWITCH), stop);
        }
    }
}

BOOST_AUTO_TEST_SUITE_END()
