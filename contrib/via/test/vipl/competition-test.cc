/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
// VIPL programs that share their nodes' CPUs with others: rows tile, both modes agree.

#include "../support/via-test-cluster-bench.h"
#include "support/via-test-vipl-bench.h"

#include "ns3/via-vipl-process.h"

#include <algorithm>
#include <memory>

using namespace ns3::via;
using namespace ns3::via::test;

namespace
{

constexpr int ROUNDS = 20;

/// How a party gets its messages, and how many CPUs its node has.
struct Case
{
    bool blocking;
    bool reference;
    std::string cpus;
    bool competitor{true}; ///< one on each node computes
};

VIP_UINT32
Get(Party& self, bool blocking)
{
    if (blocking)
    {
        return self.Received();
    }
    while (VipRecvDone(self.vi, &self.last) == VIP_NOT_DONE)
    {
    }
    return self.last->CS.Status;
}

void
Bounce(Party& self, bool first, bool blocking)
{
    for (int round = 0; round < ROUNDS; ++round)
    {
        self.Receive(self.Make({self.At(0, 64)}));
        Pause(first ? 250 * PS_PER_US
                    : 0); // the other's receive is posted: it may wait for its CPU
        if (first)
        {
            self.Send(self.Make({self.At(64, 64)}));
        }
        BOOST_TEST(Get(self, blocking) == RECEIVED);
        if (!first)
        {
            Pause(250 * PS_PER_US);
            self.Send(self.Make({self.At(64, 64)}));
        }
        BOOST_TEST(self.Sent() == SENT);
    }
}

/// Two that bounce a message and, beside each of them, one that computes for 20 ms.
WorkloadRun
RunCase(const Case& one)
{
    ClusterConfig config = Recorded("star", 2);
    config.reference = one.reference;
    config.overrides = {{"os.quantum", "100"}, {"cpu.count", one.cpus}};
    Party ends[2];
    Cluster cluster(config);
    for (std::uint32_t node = 0; node < 2; ++node)
    {
        cluster.AddProcess(node, [&ends, node, &one] {
            Party& self = ends[node];
            self.Open({});
            BOOST_TEST((node == 0 ? self.Connect(self.vi, 1) : self.Listen(self.vi)) ==
                       VIP_SUCCESS);
            Bounce(self, node == 0, one.blocking);
            Pause(PS_PER_MS);
            return 0;
        });
    }
    for (std::uint32_t node = 0; node < 2 && one.competitor; ++node)
    {
        cluster.AddProcess(node, [] {
            for (int i = 0; i < 2'000; ++i)
            {
                FiberThread& thread = ViplProcess::Running().Runner();
                thread.Spend(Stage::COMPUTE, Cycles(3'000));
                thread.Reach();
            }
            return 0;
        });
    }
    WorkloadRun run = Finish(cluster);
    BOOST_TEST((run.report.exit == RunExit::SUCCESS));
    return run;
}

/// Interrupts a host every now and then.
class Interrupter final : public AgendaTarget
{
  public:
    static constexpr Ps EVERY = 37'123'457;
    static constexpr std::uint64_t TIMES = 40;

    explicit Interrupter(Host& host)
        : m_host(host)
    {
        for (std::uint64_t i = 0; i < TIMES; ++i)
        {
            host.Schedule(static_cast<Ps>(i) * EVERY + host.Id() * 1'111, 0, this, 0);
        }
    }

    void OnAgenda(std::uint32_t, std::uint64_t) override
    {
        m_host.KernelSpend({m_host.Now(), 0}, Stage::INTERRUPT, Cycles(1'335));
    }

  private:
    Host& m_host;
};

/// The built-in ping-pong on nodes with @p cpus CPUs, interrupted or not.
WorkloadRun
PingPong(bool interrupted, const std::string& cpus, bool reference = false)
{
    ClusterConfig config = Recorded("star", 2);
    config.reference = reference;
    config.overrides["cpu.count"] = cpus;
    Cluster cluster(config);
    cluster.AddWorkload("ping-pong", {{"rounds", "100"}, {"size", "8"}});
    std::vector<std::unique_ptr<Interrupter>> all;
    for (std::uint32_t node = 0; node < 2 && interrupted; ++node)
    {
        all.push_back(std::make_unique<Interrupter>(cluster.HostAt(node)));
    }
    return Finish(cluster);
}

bool
HasStage(const WorkloadRun& run, const std::string& stage)
{
    return std::any_of(run.breakdown.begin(), run.breakdown.end(), [&stage](const auto& row) {
        return row.stage == stage;
    });
}

std::vector<Ps>
Ends(const WorkloadRun& run)
{
    std::vector<Ps> ends;
    for (const MessageRow& row : run.messages)
    {
        ends.push_back(row.end);
    }
    for (const ProcessReport& process : run.report.processes)
    {
        ends.push_back(process.end);
        ends.push_back(process.cpu);
    }
    return ends;
}

} // namespace

BOOST_AUTO_TEST_SUITE(CompetitionTest)

BOOST_AUTO_TEST_CASE(RowsTileWithTwoProcessesOnACpu)
{
    for (const bool blocking : {false, true})
    {
        const WorkloadRun run = RunCase({blocking, false, "1"});
        BOOST_TEST(run.messages.size() == 2U * ROUNDS);
        BOOST_TEST(EveryMessageIsTiled(run), blocking);
        BOOST_TEST(HasStage(run, "cpu-wait"), blocking);
    }
}

BOOST_AUTO_TEST_CASE(FastAndReferenceModeAgreeWithTwoProcessesOnACpu)
{
    for (const bool blocking : {false, true})
    {
        const WorkloadRun fast = RunCase({blocking, false, "1"});
        const WorkloadRun reference = RunCase({blocking, true, "1"});
        BOOST_TEST(Ends(fast) == Ends(reference), boost::test_tools::per_element());
        BOOST_TEST(fast.report.events < reference.report.events);
    }
}

BOOST_AUTO_TEST_CASE(ACompetitorWithACpuOfItsOwnChangesNothing)
{
    for (const bool blocking : {false, true})
    {
        const WorkloadRun alone = RunCase({blocking, false, "1", false});
        const WorkloadRun beside = RunCase({blocking, false, "2"});
        BOOST_TEST(!HasStage(beside, "cpu-wait"));
        for (std::size_t i = 0; i < alone.messages.size(); ++i)
        {
            BOOST_TEST(alone.messages[i].end == beside.messages[i].end);
        }
    }
}

BOOST_AUTO_TEST_CASE(InterruptsHoldUpAPollingWorkload)
{
    const WorkloadRun quiet = PingPong(false, "1");
    const WorkloadRun held = PingPong(true, "1");
    BOOST_TEST(EveryMessageIsTiled(held));
    const Ps all = 2 * Interrupter::TIMES * CpuTime(1'335);
    const Ps longer = held.report.processes[0].end - quiet.report.processes[0].end;
    BOOST_TEST(longer > all / 20, "most of them hit who waits anyway");
    BOOST_TEST(longer < all);
    // a step of a workload is planned at once: what interrupts it is lost in the next one
    const WorkloadRun reference = PingPong(true, "1", true);
    BOOST_TEST(EveryMessageIsTiled(reference));
    const Ps end = reference.report.processes[0].end;
    BOOST_TEST(std::abs(held.report.processes[0].end - end) < end / 10);
}

BOOST_AUTO_TEST_CASE(InterruptsOnAnotherCpuHoldNobodyUp)
{
    BOOST_TEST(PingPong(true, "2").samples == PingPong(false, "2").samples,
               boost::test_tools::per_element());
}

BOOST_AUTO_TEST_CASE(ACpuIsFreeOnlyWhenTheClockOfItsLastProcessHasPassed)
{
    ClusterConfig config;
    config.overrides = {{"cpu.count", "2"}};
    Cluster cluster(config);
    std::uint32_t first = 0;
    std::uint32_t second = 0;
    const auto copy = [](std::uint32_t& cpu) {
        ProgramServices& program = ViplProcess::Running().Services();
        cpu = program.Cpu();
        program.SpendCopy(1'000'000); // at once, and then it sleeps, ahead of the agenda
        program.SleepUntil(10 * PS_PER_MS);
    };
    cluster.AddProcess(0, [&] {
        copy(first);
        return 0;
    });
    cluster.AddProcess(
        0,
        [&] {
            copy(second);
            return 0;
        },
        PS_PER_US);
    cluster.Run();
    BOOST_TEST(first == 1U);
    BOOST_TEST(second == 0U);
}

BOOST_AUTO_TEST_CASE(APollerHasHalfOfItsCpu)
{
    const RunReport report = RunCase({false, false, "1"}).report;
    for (const ProcessReport& process : report.processes)
    {
        BOOST_TEST(process.cpu <= process.end);
    }
    // 20 ms of work beside somebody who sleeps now and then: more than 20, not more than 40 ms
    BOOST_TEST(report.processes[2].end > 20 * PS_PER_MS);
    BOOST_TEST(report.processes[2].end < 41 * PS_PER_MS);
    BOOST_TEST(report.cpu.at("compute") >= 40 * PS_PER_MS);
}

BOOST_AUTO_TEST_CASE(TheSameCompetitionTwiceHasTheSameDigest)
{
    const std::string digest = RunCase({true, false, "1"}).report.digest;
    BOOST_TEST(RunCase({true, false, "1"}).report.digest == digest);
    BOOST_TEST(RunCase({true, false, "2"}).report.digest != digest);
}

BOOST_AUTO_TEST_SUITE_END()
