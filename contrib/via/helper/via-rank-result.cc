/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
// What one rank found, as bytes for rank 0, and what all ranks found together.

#include "via-rank-result.h"

#include "ns3/abort.h"
#include "ns3/via-cluster.h"
#include "ns3/via-protocol-kind.h"

#include <algorithm>
#include <cstring>
#include <sys/resource.h>
#include <type_traits>

namespace ns3
{
namespace via
{

namespace
{

/// Numbers of a rank.
struct Totals
{
    RankShare share;
    Ps now{0}; ///< of the last work done
    std::uint64_t messages{0};
    std::uint64_t over{0}; ///< 1: nothing is left to do
};

/// The digest of a component.
struct ComponentDigest
{
    std::uint64_t component{0};
    Digest digest;
};

/// A process of a workload.
struct ProcessState
{
    std::uint64_t rank{0};
    Ps end{0};
    Ps cpu{0};
    std::uint64_t finished{0};
};

template <class T>
void
Put(std::vector<std::uint8_t>& bytes, const std::vector<T>& values)
{
    static_assert(std::is_trivially_copyable_v<T>, "it travels as bytes");
    const std::uint64_t count = values.size();
    const auto* head = reinterpret_cast<const std::uint8_t*>(&count);
    const auto* body = reinterpret_cast<const std::uint8_t*>(values.data());
    bytes.insert(bytes.end(), head, head + sizeof(count));
    bytes.insert(bytes.end(), body, body + count * sizeof(T));
}

/// Reads what Put wrote.
class Reader
{
  public:
    explicit Reader(const std::vector<std::uint8_t>& bytes)
        : m_bytes(bytes)
    {
    }

    template <class T>
    std::vector<T> Get()
    {
        std::uint64_t count = 0;
        Take(&count, sizeof(count));
        std::vector<T> values(count);
        Take(values.data(), count * sizeof(T));
        return values;
    }

  private:
    void Take(void* to, std::size_t size)
    {
        NS_ABORT_MSG_IF(m_bytes.size() - m_at < size, "a torn result of a rank");
        if (size > 0)
        {
            std::memcpy(to, m_bytes.data() + m_at, size);
        }
        m_at += size;
    }

    const std::vector<std::uint8_t>& m_bytes;
    std::size_t m_at{0};
};

std::uint64_t
PeakBytes()
{
    rusage usage{};
    getrusage(RUSAGE_SELF, &usage);
    return static_cast<std::uint64_t>(usage.ru_maxrss) * 1024;
}

void
CheckConservation(Cluster& cluster, const RankPlan& plan)
{
    for (std::size_t i = 0; i < plan.switches.size(); ++i)
    {
        const std::string wrong = cluster.Switches()[i]->Violation();
        NS_ABORT_MSG_IF(plan.switches[i] == plan.self && !wrong.empty(), wrong);
    }
    for (std::size_t i = 0; i < plan.hosts.size(); ++i)
    {
        const std::string wrong = cluster.Uplinks()[i]->Violation();
        NS_ABORT_MSG_IF(plan.hosts[i] == plan.self && !wrong.empty(), wrong);
    }
}

std::vector<ComponentDigest>
Digests(Cluster& cluster, const RankPlan& plan)
{
    std::vector<ComponentDigest> digests;
    for (std::uint32_t i = 0; i < plan.hosts.size(); ++i)
    {
        if (plan.hosts[i] == plan.self)
        {
            digests.push_back({i, cluster.HostAt(i).GetDigest()});
        }
    }
    for (std::size_t i = 0; i < plan.switches.size(); ++i)
    {
        if (plan.switches[i] == plan.self)
        {
            const Switch& one = *cluster.Switches()[i];
            digests.push_back({one.Id(), one.GetDigest()});
        }
    }
    return digests;
}

/// The rounds of all ranks as one history: for each round its first and last times.
void
AddRounds(History& history, const std::vector<RoundTimes>& rounds)
{
    for (std::uint64_t round = 0; round < rounds.size(); ++round)
    {
        const RoundTimes& one = rounds[round];
        if (one.entries > 0)
        {
            history.Enter(round, one.firstEntry);
            history.Enter(round, one.lastEntry);
        }
        if (one.exits > 0)
        {
            history.Leave(round, one.firstExit);
            history.Leave(round, one.lastExit);
        }
    }
}

/// Has everybody left every round that anybody entered?
bool
IsComplete(const std::vector<std::uint64_t>& exits, std::uint64_t processes)
{
    return std::all_of(exits.begin(), exits.end(), [processes](std::uint64_t n) {
        return n == processes;
    });
}

} // namespace

std::vector<std::uint8_t>
ResultOfRank(Cluster& cluster)
{
    const RankPlan& plan = cluster.Crossings()->Plan();
    World& world = cluster.GetWorld();
    if (world.agenda.Head() == PS_NEVER)
    {
        CheckConservation(cluster, plan);
    }
    Totals totals;
    totals.share.hosts =
        static_cast<std::uint32_t>(std::count(plan.hosts.begin(), plan.hosts.end(), plan.self));
    totals.share.switches = static_cast<std::uint32_t>(
        std::count(plan.switches.begin(), plan.switches.end(), plan.self));
    totals.share.events = world.agenda.EventsDone();
    totals.share.recordsSent = cluster.Crossings()->Sent();
    totals.share.peakBytes = PeakBytes();
    totals.now = world.agenda.Now();
    totals.messages = world.messages.Count();
    totals.over = world.agenda.Head() == PS_NEVER ? 1 : 0;
    std::vector<ProcessState> processes;
    for (const auto& process : cluster.GetWorkload()->Processes())
    {
        if (plan.hosts[process->GetHost().Id()] == plan.self)
        {
            processes.push_back({process->Rank(),
                                 process->Clock().at,
                                 process->CpuTime(),
                                 process->HasFinished() ? 1U : 0U});
        }
    }
    const History* history = cluster.GetWorkload()->GetHistory();
    std::vector<std::uint8_t> bytes;
    Put(bytes, std::vector<Totals>{totals});
    Put(bytes, Digests(cluster, plan));
    Put(bytes, processes);
    Put(bytes, history == nullptr ? cluster.GetWorkload()->Samples() : std::vector<Ps>{});
    Put(bytes, history == nullptr ? std::vector<RoundTimes>{} : history->Rounds());
    return bytes;
}

namespace
{

/// All that has come from the ranks, in one place.
struct Gathered
{
    explicit Gathered(std::uint32_t processes)
        : history(processes)
    {
    }

    std::vector<ComponentDigest> digests;
    std::vector<ProcessState> processes;
    History history;
    std::vector<std::uint64_t> exits; ///< by round
    bool over{true};
};

void
Take(const std::vector<std::uint8_t>& bytes, Gathered& all, RanksReport& report)
{
    Reader reader(bytes);
    const Totals totals = reader.Get<Totals>().at(0);
    report.shares.push_back(totals.share);
    report.run.events += totals.share.events;
    report.run.messages += totals.messages;
    report.run.end = std::max(report.run.end, totals.now);
    all.over = all.over && totals.over != 0;
    for (const ComponentDigest& one : reader.Get<ComponentDigest>())
    {
        all.digests.push_back(one);
    }
    for (const ProcessState& one : reader.Get<ProcessState>())
    {
        all.processes.push_back(one);
    }
    for (const Ps sample : reader.Get<Ps>())
    {
        report.samples.push_back(sample);
    }
    const auto rounds = reader.Get<RoundTimes>();
    AddRounds(all.history, rounds);
    all.exits.resize(std::max(all.exits.size(), rounds.size()));
    for (std::size_t i = 0; i < rounds.size(); ++i)
    {
        all.exits[i] += rounds[i].exits;
    }
}

std::string
DigestOf(std::vector<ComponentDigest> digests)
{
    std::sort(digests.begin(), digests.end(), [](const auto& a, const auto& b) {
        return a.component < b.component;
    });
    Digest digest;
    for (const ComponentDigest& one : digests)
    {
        digest.Combine(static_cast<std::uint32_t>(one.component), one.digest);
    }
    return digest.Hex();
}

} // namespace

RanksReport
ReportOfRanks(Cluster& cluster, const std::vector<std::vector<std::uint8_t>>& results)
{
    RanksReport report;
    RunReport& run = report.run;
    run.profile = cluster.Profile().Name();
    run.sketch = cluster.Profile().Sketch();
    run.host = cluster.Profile().Host();
    run.fingerprint = cluster.Kinds().Fingerprint();
    run.seed = cluster.Config().seed;
    run.nodes = cluster.Config().nodes;
    run.topology = cluster.GetTopology().name;
    run.mpiRanks = static_cast<std::uint32_t>(results.size());
    Gathered all(run.nodes);
    for (const std::vector<std::uint8_t>& bytes : results)
    {
        Take(bytes, all, report);
    }
    run.digest = DigestOf(std::move(all.digests));
    const Workload& workload = *cluster.GetWorkload();
    const bool isProtocol = workload.GetHistory() != nullptr;
    const std::uint64_t size = workload.Processes().size();
    bool finished = !isProtocol || IsComplete(all.exits, size);
    Ps last = 0;
    for (const ProcessState& one : all.processes)
    {
        finished = finished && (isProtocol || one.finished != 0);
        last = std::max(last, one.end);
    }
    run.exit = finished ? RunExit::SUCCESS : all.over ? RunExit::DEADLOCK : RunExit::PROCESS_FAILED;
    run.end = all.over && run.exit != RunExit::DEADLOCK ? last : std::max(run.end, last);
    if (isProtocol)
    {
        const ProtocolKind& kind = *FindProtocol(cluster.WorkloadName());
        report.samples = all.history.Durations(kind.span);
    }
    return report;
}

} // namespace via
} // namespace ns3
