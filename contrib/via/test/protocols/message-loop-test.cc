/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
// Messengers: timers, flow control, faults of processes; and what is refused.

#include "../support/via-test-profile-bench.h"
#include "../support/via-test-protocol-bench.h"

#include <boost/test/unit_test.hpp>

using namespace ns3::via;
using namespace ns3::via::test;

namespace
{

struct Number
{
    std::uint64_t value;
};

/// Process 0 puts its timer off with each message of process 1, which sends five.
class PuttingOff : public TypedProtocol<Number>
{
  public:
    using TypedProtocol::OnMessage;

    void OnStart() override
    {
        SetTimer(0, Self() == 0 ? 100 * PS_PER_US : 50 * PS_PER_US);
        SetTimer(1, 70 * PS_PER_US); // taken back below
        CancelTimer(1);
    }

    void OnMessage(Rank, const Number&) override
    {
        SetTimer(0, 100 * PS_PER_US);
        m_last = Now();
    }

    void OnTimer(TimerId timer) override
    {
        BOOST_TEST(timer == 0U);
        if (Self() == 0)
        {
            Note(EventKind::DECIDE, 0, static_cast<std::uint64_t>(Now() - m_last));
            Finish();
        }
        else if (m_sent++ < 5)
        {
            Send(0, {m_sent});
            SetTimer(0, 50 * PS_PER_US);
        }
        else
        {
            Finish();
        }
    }

  private:
    std::uint64_t m_sent{0};
    Ps m_last{0};
};

/// Process 0 sends a thousand messages at once; process 1 wants them in order.
class Flood : public TypedProtocol<Number>
{
  public:
    using TypedProtocol::OnMessage;

    void OnStart() override
    {
        for (std::uint64_t i = 0; Self() == 0 && i < Rounds(); ++i)
        {
            Send(1, {i});
        }
        if (Self() == 0)
        {
            Finish();
        }
    }

    void OnMessage(Rank, const Number& number) override
    {
        BOOST_TEST(number.value == m_next);
        if (++m_next == Rounds())
        {
            Finish();
        }
    }

    std::vector<Rank> Targets() const override
    {
        return Self() == 0 ? std::vector<Rank>{1} : std::vector<Rank>{};
    }

  private:
    std::uint64_t m_next{0};
};

/// A run of the processes P on two nodes.
template <class P>
ProtocolRun
RunOf(const Parameters& parameters)
{
    AddProtocol(KindOf<P>("mine", RoundSpan::FIRST_ENTRY_TO_LAST_EXIT, {}));
    const ProtocolRun run = RunProtocol("mine", 2, parameters);
    RemoveProtocol("mine");
    return run;
}

std::string
Refusal(const std::string& workload, const Parameters& parameters)
{
    Cluster cluster(Config("star", 4));
    return RefusalOf([&] { cluster.AddWorkload(workload, parameters); });
}

} // namespace

BOOST_AUTO_TEST_SUITE(MessageLoopTest)

BOOST_AUTO_TEST_CASE(ATimerThatIsPutOffExpiresLater)
{
    const ProtocolRun run = RunOf<PuttingOff>({});
    BOOST_TEST(run.finished);
    BOOST_REQUIRE(run.history.Events().size() == 1U);
    const auto waited = static_cast<Ps>(run.history.Events()[0].value);
    BOOST_TEST(waited >= 100 * PS_PER_US);
    BOOST_TEST(waited < 102 * PS_PER_US);
}

BOOST_AUTO_TEST_CASE(AFloodWaitsForCreditsAndArrivesInOrder)
{
    for (const std::string& transport : TransportNames())
    {
        const ProtocolRun run = RunOf<Flood>({{"rounds", "1000"}, {"transport", transport}});
        BOOST_TEST(run.finished);
        BOOST_TEST(run.messages == 1000U);
        if (transport.find("via-") == 0)
        {
            BOOST_TEST(run.report.messages >= 1200U); // a credit for each four
            BOOST_TEST(run.report.messages <= 1250U);
        }
    }
}

BOOST_AUTO_TEST_CASE(AWindowThatLostItsCreditsOpensAgain)
{
    FaultPlan plan;
    plan.faults.emplace_back();
    plan.faults.back().kind = FaultKind::LINK_DOWN;
    plan.faults.back().where = "n2";
    plan.faults.back().when = {5 * PS_PER_MS, 205 * PS_PER_MS};
    for (const std::string protocol : {"raft", "paxos", "multi-paxos", "two-phase-commit"})
    {
        const Parameters parameters = {{"rounds", "300"},
                                       {"limit-ms", "10000"},
                                       {"transport", "kernel-udp"}};
        const ProtocolRun run = RunProtocol(protocol, 3, parameters, 1, false, "", plan);
        BOOST_TEST(run.finished, protocol);
        BOOST_TEST(run.violations.empty(), protocol);
        BOOST_TEST(EventsOf(run.history, EventKind::DECIDE, 2).size() == 300U, protocol);
    }
}

BOOST_AUTO_TEST_CASE(AFloodWaitsForASlowProcess)
{
    for (const std::string& transport : TransportNames())
    {
        const ProtocolRun run = RunOf<Flood>(
            {{"rounds", "50"}, {"transport", transport}, {"process-faults", "slow:1:1:50:100"}});
        BOOST_TEST(run.finished);
        BOOST_TEST(run.hits.delayed == 50U);
        BOOST_TEST(run.report.end > 5'000 * PS_PER_US);
    }
}

BOOST_AUTO_TEST_CASE(ACrashedProcessIsNotWaitedForAndSaysNothing)
{
    const ProtocolRun run =
        RunProtocol("two-phase-commit", 4, {{"process-faults", "crash:2:3"}, {"rounds", "5"}});
    BOOST_TEST(run.finished);
    BOOST_TEST((run.history.Crashed() == std::vector<Rank>{2}));
    BOOST_TEST(run.hits.crashed > 0U);
    BOOST_TEST(EventsOf(run.history, EventKind::DECIDE, 2).size() == 1U);
    BOOST_TEST(EventsOf(run.history, EventKind::DECIDE, 1).size() == 5U);
}

BOOST_AUTO_TEST_CASE(APartitionLosesMessagesBothWays)
{
    const ProtocolRun run =
        RunProtocol("two-phase-commit",
                    4,
                    {{"process-faults", "partition:2:0:100000"}, {"rounds", "20"}});
    BOOST_TEST(run.finished);
    BOOST_TEST(run.hits.lost > 0U);
    BOOST_TEST(EventsOf(run.history, EventKind::DECIDE, 0).front().value == 0U);
    BOOST_TEST(EventsOf(run.history, EventKind::DECIDE, 0).back().value == 1U);
}

BOOST_AUTO_TEST_CASE(WhatCannotBeReadOrIsNotThereIsRefused)
{
    BOOST_TEST(
        Refusal("barrier", {{"transport", "carrier-pigeon"}}) ==
        "transport = carrier-pigeon: one of kernel-tcp, kernel-udp, via-rdma-write, via-send");
    for (const std::string fault : {"crash",
                                    "crash:4:1",
                                    "crash:x:1",
                                    "crash:1",
                                    "slow:1:1:1",
                                    "slow:1:1:1:1000000001",
                                    "partition:1:5:5",
                                    "partition:0:1:5",
                                    "meteor:1:1"})
    {
        const std::string refusal = Refusal("barrier", {{"process-faults", fault}});
        BOOST_TEST(refusal.find("process-faults = " + fault + ": ") == 0U);
    }
    BOOST_TEST(Refusal("barrier", {{"limit-ms", "0"}}).find("barrier limit-ms = 0: ") == 0U);
    BOOST_TEST(Refusal("paxos", {{"proposers", "5"}}).find("paxos proposers = 5: ") == 0U);
}

BOOST_AUTO_TEST_CASE(ANameThatIsTakenIsRefused)
{
    const auto kind = KindOf<Flood>("stream", RoundSpan::FIRST_ENTRY_TO_LAST_EXIT, {});
    BOOST_TEST(RefusalOf([&] { AddProtocol(kind); }) ==
               "protocol = stream: a workload has this name");
}

BOOST_AUTO_TEST_SUITE_END()
