/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
// Storms: crashes, slowness and partitions at random. Whatever happens, nothing is ever wrong.

#include "../fuzz/via-fuzz-random.h"
#include "../support/via-test-protocol-bench.h"

#include <algorithm>
#include <boost/test/unit_test.hpp>

using namespace ns3::via;
using namespace ns3::via::test;

namespace
{

/// What a protocol has to stand, by its page.
struct ProtocolStorm
{
    const char* name;
    std::uint32_t nodes;
    std::uint64_t rounds;  ///< enough for 1,000 messages before it may come to a stop
    std::uint32_t least;   ///< crashes
    std::uint32_t crashes; ///< at the most
    bool partitions;       ///< messages may be lost
    std::uint32_t longest; ///< microseconds that a process is slow with a message
    std::uint32_t from;    ///< per cent of the quiet run: nothing stops a process before
    Parameters parameters;
};

const std::vector<ProtocolStorm>&
Storms()
{
    static const std::vector<ProtocolStorm> storms = {
        {"all-gather", 6, 80, 0, 1, false, 200, 60, {}},
        {"all-reduce", 7, 180, 0, 1, false, 200, 60, {}},
        {"barrier", 8, 90, 0, 1, false, 200, 60, {}},
        {"broadcast", 8, 220, 0, 1, false, 200, 70, {}},
        {"central-barrier", 8, 500, 0, 1, false, 200, 70, {}},
        {"chain-replication", 6, 400, 0, 1, true, 200, 70, {}},
        {"gossip", 12, 40, 0, 3, true, 200, 75, {}},
        {"lock-server", 8, 400, 0, 1, true, 200, 70, {}},
        {"mscs-global-update", 6, 140, 0, 2, true, 2000, 60, {{"writers", "3"}}},
        {"mscs-heartbeat", 12, 20, 1, 2, false, 2000, 20, {}},
        {"mscs-regroup", 6, 16, 0, 2, false, 2000, 30, {}},
        {"multi-paxos", 5, 150, 0, 2, true, 2000, 10, {{"timeout-us", "2000"}}},
        {"paxos", 5, 80, 0, 2, true, 2000, 10, {{"proposers", "3"}, {"timeout-us", "1000"}}},
        {"primary-backup", 6, 600, 0, 1, true, 200, 70, {}},
        {"raft", 5, 200, 0, 2, true, 2000, 10, {{"election-us", "4000"}}},
        {"reduce", 8, 220, 0, 1, false, 200, 70, {}},
        {"request-reply", 8, 600, 0, 1, true, 200, 70, {}},
        {"ricart-agrawala", 6, 60, 0, 1, true, 200, 70, {}},
        {"sequencer", 6, 80, 0, 1, true, 200, 70, {}},
        {"three-phase-commit", 5, 100, 0, 2, false, 50, 20, {{"abort-percent", "3"}}},
        {"token-ring", 6, 80, 0, 1, true, 200, 70, {}},
        {"tree-barrier", 8, 220, 0, 1, false, 200, 70, {}},
        {"two-phase-commit", 6, 320, 0, 2, true, 2000, 60, {{"abort-percent", "5"}}},
    };
    return storms;
}

/// What a run without faults is like.
struct Quiet
{
    std::uint64_t received; ///< by a process, about
    std::uint64_t us;
};

Quiet
QuietRun(const ProtocolStorm& storm, Parameters parameters)
{
    const ProtocolRun run = RunProtocol(storm.name, storm.nodes, parameters);
    Ps last = 1;
    for (const RoundTimes& round : run.history.Rounds())
    {
        last = std::max(last, round.lastExit);
    }
    return {run.messages / storm.nodes, static_cast<std::uint64_t>(last / PS_PER_US)};
}

/// Faults at random: always a slow process, mostly more.
std::string
DrawFaults(const ProtocolStorm& storm, const Quiet& quiet, FuzzRandom& random)
{
    const auto rank = [&] { return std::to_string(random.Below(storm.nodes)); };
    const auto moment = [&](std::uint64_t all) {
        const std::uint64_t first = all * storm.from / 100;
        return first + random.Below((all - first) / 2 + 1);
    };
    std::string faults = "slow:" + rank() + ":" + std::to_string(1 + random.Below(10)) + ":" +
                         std::to_string(1 + random.Below(20)) + ":" +
                         std::to_string(1 + random.Below(storm.longest));
    const std::uint64_t more = random.Below(storm.crashes - storm.least + 1);
    for (std::uint64_t crash = storm.least + more; crash > 0; --crash)
    {
        faults += ",crash:" + rank() + ":" + std::to_string(1 + moment(quiet.received));
    }
    if (storm.partitions && random.Below(2) == 0)
    {
        const std::uint64_t from = moment(quiet.us);
        faults += ",partition:" + std::to_string(1 + random.Below(storm.nodes - 1)) + ":" +
                  std::to_string(from) + ":" +
                  std::to_string(from + 1 + random.Below(quiet.us / 10 + 1));
    }
    return faults;
}

/// Rounds that somebody left: with a decision, a delivery, a view or a lock.
std::uint64_t
Decisions(const History& history)
{
    std::uint64_t rounds = 0;
    for (const RoundTimes& round : history.Rounds())
    {
        rounds += round.exits > 0 ? 1 : 0;
    }
    return rounds;
}

void
RunStorms(std::uint64_t seeds)
{
    for (const ProtocolStorm& storm : Storms())
    {
        Parameters parameters = storm.parameters;
        parameters["rounds"] = std::to_string(storm.rounds);
        const Quiet quiet = QuietRun(storm, parameters);
        parameters["limit-ms"] = "60000";
        for (std::uint64_t seed = 1; seed <= seeds; ++seed)
        {
            FuzzRandom random(seed);
            parameters["process-faults"] = DrawFaults(storm, quiet, random);
            parameters["transport"] = seed % 2 == 0 ? "via-send" : "via-rdma-write";
            BOOST_TEST_CONTEXT(storm.name << " SEED " << seed << " " << parameters["transport"]
                                          << " " << parameters["process-faults"])
            {
                const ProtocolRun run = RunProtocol(storm.name, storm.nodes, parameters, seed);
                BOOST_TEST(run.violations.empty(),
                           (run.violations.empty() ? "" : run.violations.front()));
                BOOST_TEST(run.messages >= 1'000U);
                BOOST_TEST(run.hits.All() >= 1U);
                BOOST_TEST(Decisions(run.history) >= 10U);
            }
        }
    }
}

} // namespace

BOOST_AUTO_TEST_SUITE(ProtocolStormTest)

BOOST_AUTO_TEST_CASE(EveryProtocolHasItsStorm)
{
    std::vector<std::string> stormy;
    for (const ProtocolStorm& storm : Storms())
    {
        stormy.push_back(storm.name);
    }
    BOOST_TEST(stormy == ProtocolNames(), boost::test_tools::per_element());
}

BOOST_AUTO_TEST_CASE(NothingIsEverWrongInOneStorm)
{
    RunStorms(1);
}

BOOST_AUTO_TEST_CASE(NothingIsEverWrongInFiftyStorms, *boost::unit_test::label("ci"))
{
    RunStorms(50);
}

BOOST_AUTO_TEST_CASE(NothingIsEverWrongInAThousandStorms, *boost::unit_test::label("night"))
{
    RunStorms(1'000);
}

BOOST_AUTO_TEST_SUITE_END()
