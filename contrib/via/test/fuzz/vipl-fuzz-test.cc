/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
// VIPL under random calls of four processes on two nodes.

#include "fuzz/via-fuzz-model.h"
#include "support/via-test-vipl-bench.h"

#include <numeric>

using namespace ns3::via;
using namespace ns3::via::test;

namespace
{

constexpr std::uint32_t PROCESSES = 4;
constexpr std::uint32_t NODES = 2;
constexpr std::uint64_t LOOK_EVERY = 50; // choices

const std::vector<FuzzCall>&
AllCalls()
{
    static const std::vector<FuzzCall> calls = [] {
        std::vector<FuzzCall> all;
        for (const FuzzCalls& part :
             {ResourceCalls(), ConnectionCalls(), DataCalls(), QueueCalls()})
        {
            all.insert(all.end(), part.begin(), part.end());
        }
        return all;
    }();
    return calls;
}

void
MakeOneCall(FuzzModel& self)
{
    const std::vector<FuzzCall>& calls = AllCalls();
    static const std::uint64_t sum =
        std::accumulate(calls.begin(), calls.end(), 0U, [](std::uint32_t n, const FuzzCall& call) {
            return n + call.weight;
        });
    std::uint64_t choice = self.random.Below(sum);
    std::size_t i = 0;
    while (choice >= calls[i].weight)
    {
        choice -= calls[i++].weight;
    }
    calls[i].make(self);
}

struct FuzzRun
{
    std::string digest;
    std::string problem;
    FuzzCounts sum;
};

/// Small limits; for odd seeds everything that a product may leave out, for some a lossy fabric.
ClusterConfig
ConfigOf(std::uint64_t seed)
{
    ClusterConfig config;
    config.nodes = NODES;
    config.seed = seed;
    config.overrides["nic.max_queue_depth"] = "24";
    config.overrides["nic.max_regions"] = "72";
    if (seed % 2 == 1)
    {
        config.overrides["nic.rdma_read"] = "1";
        config.overrides["nic.reliability"] = "unreliable, reliable-delivery, reliable-reception";
    }
    if (seed % 4 == 3)
    {
        config.plan.AddLoss("all", {10000000, 1000000}); // 1 % damaged, 0.1 % gone
    }
    return config;
}

void
Add(FuzzCounts& sum, const FuzzCounts& one)
{
    sum.calls += one.calls;
    sum.connected += one.connected;
    sum.received += one.received;
    sum.sent += one.sent;
    sum.written += one.written;
    sum.read += one.read;
    sum.failed += one.failed;
    sum.announced += one.announced;
    sum.notified += one.notified;
    for (std::size_t i = 0; i < sum.errors.size(); ++i)
    {
        sum.errors[i] += one.errors[i];
    }
}

FuzzRun
Fuzz(std::uint64_t seed, std::uint64_t calls)
{
    FuzzModel::Others all;
    std::vector<std::unique_ptr<FuzzModel>> models;
    Cluster cluster(ConfigOf(seed));
    for (std::uint32_t i = 0; i < PROCESSES; ++i)
    {
        models.push_back(std::make_unique<FuzzModel>(i, i % NODES, seed, all));
        all.push_back(models.back().get());
        cluster.AddProcess(i % NODES, [self = all.back(), calls] {
            Furnish(*self);
            for (std::uint64_t i = 1; self->counts.calls < calls / PROCESSES; ++i)
            {
                MakeOneCall(*self);
                if (i % LOOK_EVERY == 0)
                {
                    self->Look();
                }
                if (!self->problem.empty())
                {
                    return 1;
                }
            }
            return 0;
        });
    }
    const RunReport report = cluster.Run();
    FuzzRun run{report.digest, report.exit == RunExit::SUCCESS ? "" : "a process failed", {}};
    for (const std::unique_ptr<FuzzModel>& model : models)
    {
        const std::string late = model->arena.Look();
        run.problem += model->problem.empty() ? late : model->problem;
        Add(run.sum, model->counts);
    }
    return run;
}

/// Fuzzes, and checks that it was about something.
void
ExpectPeace(std::uint64_t seed, std::uint64_t calls)
{
    const FuzzRun run = Fuzz(seed, calls);
    BOOST_TEST_INFO("seed " << seed);
    BOOST_TEST(run.problem == "");
    const FuzzCounts& sum = run.sum;
    BOOST_TEST_MESSAGE("seed " << seed << ": " << sum.calls << " calls, " << sum.connected
                               << " connections, " << sum.sent << " sent, " << sum.received
                               << " received, " << sum.written << " written, " << sum.read
                               << " read, " << sum.failed << " failed, " << sum.announced
                               << " announced, " << sum.notified << " notified");
    for (std::size_t code = 0; code < sum.errors.size(); ++code)
    {
        BOOST_TEST_MESSAGE("  asynchronous error " << code << ": " << sum.errors[code]);
    }
    BOOST_TEST(sum.connected > calls / 2000);
    BOOST_TEST(sum.received > calls / 2000);
    BOOST_TEST(sum.written > calls / 2000);
    BOOST_TEST(sum.failed > calls / 100);
    BOOST_TEST(sum.announced > calls / 2000);
    BOOST_TEST(sum.notified > calls / 2000);
}

} // namespace

BOOST_AUTO_TEST_SUITE(vipl_fuzz)

BOOST_AUTO_TEST_CASE(RandomCallsLeaveForeignMemoryAlone)
{
    ExpectPeace(1, 5000);
    ExpectPeace(2, 5000);
}

BOOST_AUTO_TEST_CASE(RandomCallsAreTheSameForTheSameSeed)
{
    BOOST_TEST(Fuzz(3, 5000).digest == Fuzz(3, 5000).digest);
    BOOST_TEST(Fuzz(3, 5000).digest != Fuzz(4, 5000).digest);
}

BOOST_AUTO_TEST_CASE(AHundredThousandRandomCallsLeaveForeignMemoryAlone,
                     *boost::unit_test::label("ci"))
{
    ExpectPeace(5, 100000);
    ExpectPeace(6, 100000);
    ExpectPeace(7, 100000);
}

BOOST_AUTO_TEST_CASE(AMillionRandomCallsOfTwentySeedsLeaveForeignMemoryAlone,
                     *boost::unit_test::label("night"))
{
    for (std::uint64_t seed = 100; seed < 120; ++seed)
    {
        ExpectPeace(seed, 1000000);
    }
}

BOOST_AUTO_TEST_SUITE_END()
