/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
// Storms: faults of processes, cards, wires and nodes at random. Nothing is ever wrong.

#include "../fuzz/via-fuzz-random.h"
#include "../support/via-test-protocol-bench.h"

#include <algorithm>
#include <boost/test/data/test_case.hpp>
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

std::ostream&
operator<<(std::ostream& stream, const ProtocolStorm& storm)
{
    return stream << storm.name;
}

const std::vector<ProtocolStorm>&
Storms()
{
    static const std::vector<ProtocolStorm> storms = {
        {"all-gather", 6, 200, 0, 1, true, 200, 60, {}},
        {"all-reduce", 7, 180, 0, 1, true, 200, 60, {}},
        {"all-to-all", 6, 120, 0, 1, false, 200, 60, {{"size", "64"}}},
        {"barrier", 8, 140, 0, 1, false, 200, 60, {}},
        {"broadcast", 8, 220, 0, 1, false, 200, 70, {}},
        {"central-barrier", 8, 500, 0, 1, false, 200, 70, {}},
        {"chain-replication", 6, 400, 0, 1, true, 200, 70, {}},
        {"gossip", 12, 50, 0, 3, true, 200, 75, {}},
        {"lock-server", 8, 400, 0, 1, true, 200, 70, {}},
        {"mscs-global-update", 6, 160, 0, 2, true, 2000, 60, {{"writers", "3"}}},
        {"mscs-heartbeat", 12, 20, 1, 2, false, 2000, 20, {}},
        {"mscs-join", 6, 20, 0, 2, true, 2000, 60, {}},
        {"mscs-regroup", 6, 40, 0, 2, false, 2000, 30, {}},
        // without a majority they ask for one until the end
        {"multi-paxos",
         5,
         160,
         0,
         2,
         true,
         2000,
         15,
         {{"timeout-us", "2000"}, {"limit-ms", "2000"}}},
        {"nic-barrier", 8, 300, 0, 1, false, 200, 60, {}},
        {"paxos", 5, 130, 0, 2, true, 2000, 10, {{"proposers", "3"}, {"timeout-us", "1000"}}},
        {"primary-backup", 6, 600, 0, 1, true, 200, 70, {}},
        {"raft", 5, 240, 0, 2, true, 2000, 10, {{"election-us", "4000"}}},
        {"reduce", 8, 220, 0, 1, false, 200, 70, {}},
        {"request-reply", 8, 600, 0, 1, true, 200, 70, {}},
        {"ricart-agrawala", 6, 60, 0, 1, true, 200, 70, {}},
        {"sequencer", 6, 80, 0, 1, true, 200, 70, {}},
        {"three-phase-commit", 5, 150, 0, 2, false, 50, 20, {{"abort-percent", "3"}}},
        {"token-ring", 6, 80, 0, 1, true, 200, 70, {}},
        {"tree-barrier", 8, 320, 0, 1, false, 200, 70, {}},
        {"two-phase-commit", 6, 320, 0, 2, true, 2000, 60, {{"abort-percent", "5"}}},
        {"view-synchrony", 5, 100, 0, 2, true, 2000, 30, {{"timeout-us", "4000"}}},
    };
    return storms;
}

/// To whom silence is death: what makes the living silent is not for them.
bool
TakesSilenceForDeath(const std::string& name)
{
    return name == "mscs-heartbeat" || name == "mscs-regroup" || name == "three-phase-commit";
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

/// Faults of processes, and by how much they put off everything else.
struct Weather
{
    std::string faults;
    std::uint64_t lateUs{0};
};

/// A point of a run of @p all messages or microseconds, when enough of it has passed.
std::uint64_t
DrawMoment(const ProtocolStorm& storm, std::uint64_t all, FuzzRandom& random)
{
    const std::uint64_t first = all * storm.from / 100;
    return first + random.Below((all - first) / 2 + 1);
}

/// Faults at random: always a slow process, mostly more.
Weather
DrawFaults(const ProtocolStorm& storm, const Quiet& quiet, FuzzRandom& random)
{
    const auto rank = [&] { return std::to_string(random.Below(storm.nodes)); };
    const std::string slow = rank();
    const std::uint64_t first = 1 + random.Below(10);
    const std::uint64_t count = 1 + random.Below(20);
    const std::uint64_t us = 1 + random.Below(storm.longest);
    Weather weather;
    weather.lateUs = count * us;
    weather.faults = "slow:" + slow + ":" + std::to_string(first) + ":" + std::to_string(count) +
                     ":" + std::to_string(us);
    const std::uint64_t more = random.Below(storm.crashes - storm.least + 1);
    for (std::uint64_t crash = storm.least + more; crash > 0; --crash)
    {
        weather.faults += ",crash:" + rank() + ":" +
                          std::to_string(1 + DrawMoment(storm, quiet.received, random));
    }
    if (storm.partitions && random.Below(2) == 0)
    {
        const std::uint64_t from = weather.lateUs + DrawMoment(storm, quiet.us, random);
        weather.faults += ",partition:" + std::to_string(1 + random.Below(storm.nodes - 1)) + ":" +
                          std::to_string(from) + ":" +
                          std::to_string(from + 1 + random.Below(quiet.us / 10 + 1));
    }
    return weather;
}

/// Faults of the machines that @p storm has to stand over @p transport.
std::vector<FaultKind>
KindsFor(const ProtocolStorm& storm, const std::string& transport)
{
    std::vector<FaultKind> kinds = {FaultKind::SLOW_NODE, FaultKind::NODE_CRASH};
    // but for datagrams, what is lost is sent again, or nothing follows it
    const bool mayLose = storm.partitions || transport != "kernel-udp";
    if (mayLose && !TakesSilenceForDeath(storm.name))
    {
        for (const FaultKind kind :
             {FaultKind::LOSS, FaultKind::LINK_DOWN, FaultKind::NIC_RESET, FaultKind::PARTITION})
        {
            kinds.push_back(kind);
        }
    }
    return kinds;
}

/// One or two faults of machines.
FaultPlan
DrawPlan(const ProtocolStorm& storm,
         const std::string& transport,
         const Quiet& quiet,
         std::uint64_t lateUs,
         FuzzRandom& random)
{
    const std::vector<FaultKind> kinds = KindsFor(storm, transport);
    FaultPlan plan;
    for (std::uint64_t i = 1 + random.Below(2); i > 0; --i)
    {
        PlannedFault fault;
        fault.kind = kinds[random.Below(kinds.size())];
        fault.where = "n" + std::to_string(random.Below(storm.nodes));
        const std::uint64_t from = lateUs + DrawMoment(storm, quiet.us, random);
        const std::uint64_t until = from + 1 + random.Below(quiet.us / 10 + 1);
        fault.when = {static_cast<Ps>(from) * PS_PER_US, static_cast<Ps>(until) * PS_PER_US};
        fault.loss = {random.Below(100'000'000), random.Below(100'000'000), 0};
        fault.num = 2 + static_cast<std::uint32_t>(random.Below(5));
        if (fault.kind == FaultKind::PARTITION)
        {
            fault.sets = {{fault.where}};
        }
        plan.faults.push_back(fault);
    }
    return plan;
}

std::string
Shown(const FaultPlan& plan)
{
    std::string text;
    for (const PlannedFault& fault : plan.faults)
    {
        text += " " + std::string(FaultKindName(fault.kind)) + ":" + fault.where + ":" +
                std::to_string(fault.when.from / PS_PER_US) + ":" +
                std::to_string(fault.when.until / PS_PER_US);
    }
    return text;
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

/// What it is shown by.
void
ExpectSafety(const ProtocolRun& run)
{
    BOOST_TEST(run.violations.empty(), (run.violations.empty() ? "" : run.violations.front()));
    BOOST_TEST(run.messages >= 1'000U);
    BOOST_TEST(run.hits.All() >= 1U);
    BOOST_TEST(Decisions(run.history) >= 10U);
}

/// The storms of one protocol; those of even seeds have faults of machines, too.
void
RunStorms(const ProtocolStorm& storm, std::uint64_t seeds)
{
    BOOST_TEST_MESSAGE("storms of " << storm.name);
    const std::vector<std::string> transports = TransportsOf(storm.name);
    std::map<std::string, Quiet> quiets;
    Parameters parameters = storm.parameters;
    parameters["rounds"] = std::to_string(storm.rounds);
    for (const std::string& transport : transports)
    {
        parameters["transport"] = transport;
        quiets[transport] = QuietRun(storm, parameters);
    }
    parameters.emplace("limit-ms", "60000");
    for (std::uint64_t seed = 1; seed <= seeds; ++seed)
    {
        FuzzRandom random(seed);
        const std::string& transport = transports[seed / 2 % transports.size()];
        const Quiet& quiet = quiets[transport];
        const Weather weather = DrawFaults(storm, quiet, random);
        parameters["process-faults"] = weather.faults;
        parameters["transport"] = transport;
        const FaultPlan plan =
            seed % 2 == 0 ? DrawPlan(storm, transport, quiet, weather.lateUs, random) : FaultPlan{};
        BOOST_TEST_CONTEXT(storm.name << " SEED " << seed << " " << transport << " "
                                      << parameters["process-faults"] << Shown(plan))
        {
            ExpectSafety(RunProtocol(storm.name, storm.nodes, parameters, seed, false, "", plan));
        }
    }
}

void
RunAllStorms(std::uint64_t seeds)
{
    for (const ProtocolStorm& storm : Storms())
    {
        RunStorms(storm, seeds);
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

BOOST_AUTO_TEST_CASE(BytesOfAMessageThatACrashFindsUnderWayAreThoseThatWerePosted)
{
    Parameters parameters = {{"size", "64"}, {"rounds", "80"}, {"limit-ms", "60000"}};
    parameters["process-faults"] = "slow:3:3:6:114,crash:3:321";
    FaultPlan plan;
    PlannedFault crash;
    crash.kind = FaultKind::NODE_CRASH;
    crash.where = "n0";
    crash.when = {2727 * PS_PER_US, 2728 * PS_PER_US};
    plan.faults.push_back(crash);
    const ProtocolRun run = RunProtocol("all-to-all", 6, parameters, 190, false, "", plan);
    BOOST_TEST(run.violations.empty());
}

BOOST_AUTO_TEST_CASE(ThePlaceOfAPacketThatACrashCutOffIsUsedAgainAndNotTakenForIt)
{
    Parameters parameters = {{"rounds", "40"}, {"transport", "via-rdma-write"}};
    parameters["process-faults"] = "slow:5:8:7:1319,crash:5:596";
    parameters["limit-ms"] = "60000";
    FaultPlan plan;
    PlannedFault fault;
    fault.kind = FaultKind::SLOW_NODE;
    fault.where = "n3";
    fault.num = 6;
    fault.when = {11264 * PS_PER_US, 11286 * PS_PER_US};
    plan.faults.push_back(fault);
    fault.kind = FaultKind::NODE_CRASH;
    fault.where = "n1";
    fault.when = {11490 * PS_PER_US, 11638 * PS_PER_US};
    plan.faults.push_back(fault);
    // all credits must be home at the end, or the run aborts
    const ProtocolRun run = RunProtocol("mscs-regroup", 6, parameters, 412, false, "", plan);
    BOOST_TEST(run.violations.empty());
}

BOOST_AUTO_TEST_CASE(WhatCameBeforeAConnectionEndedIsReadAsItsPeers)
{
    Parameters parameters = {{"size", "64"}, {"rounds", "120"}, {"transport", "kernel-tcp"}};
    parameters["process-faults"] = "slow:2:10:19:27";
    parameters["limit-ms"] = "60000";
    FaultPlan plan;
    PlannedFault crash;
    crash.kind = FaultKind::NODE_CRASH;
    crash.where = "n4";
    crash.when = {24936 * PS_PER_US, 24989 * PS_PER_US};
    plan.faults.push_back(crash);
    const ProtocolRun run = RunProtocol("all-to-all", 6, parameters, 576, false, "", plan);
    BOOST_TEST(run.violations.empty());
}

BOOST_AUTO_TEST_CASE(NothingIsEverWrongInOneStorm)
{
    RunAllStorms(1);
}

BOOST_AUTO_TEST_CASE(NothingIsEverWrongInFiveStorms, *boost::unit_test::label("ci"))
{
    RunAllStorms(5);
}

// a case for each protocol: they take hours, run side by side, and an abort ends one of them
BOOST_TEST_DECORATOR(*boost::unit_test::label("night"))

BOOST_DATA_TEST_CASE(NothingIsEverWrongInAThousandStorms, Storms(), storm)
{
    RunStorms(storm, 1'000);
}

BOOST_AUTO_TEST_SUITE_END()
