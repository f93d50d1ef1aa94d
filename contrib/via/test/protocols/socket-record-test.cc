/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
// Messages over kernel sockets have records and stages, as those over VIs have.

#include "../support/via-test-protocol-bench.h"

#include <algorithm>
#include <boost/test/unit_test.hpp>

using namespace ns3::via;
using namespace ns3::via::test;

namespace
{

WorkloadRun
Record(const std::string& protocol, const std::string& transport, std::uint32_t nodes)
{
    return RunWorkload(Recorded("star", nodes),
                       protocol,
                       {{"rounds", "5"}, {"transport", transport}});
}

bool
HasStage(const WorkloadRun& run, const std::string& stage)
{
    return std::any_of(run.breakdown.begin(), run.breakdown.end(), [&](const BreakdownRow& row) {
        return row.stage == stage;
    });
}

} // namespace

BOOST_AUTO_TEST_SUITE(SocketRecordTest)

BOOST_AUTO_TEST_CASE(EachMessageOfASocketHasARecord)
{
    for (const std::string transport : {"kernel-udp", "kernel-tcp"})
    {
        const WorkloadRun run = Record("request-reply", transport, 3);
        BOOST_TEST(run.report.messages == run.messages.size());
        BOOST_TEST(run.messages.size() >= 5U * 2U * 2U); // credits beside
        for (const MessageRow& message : run.messages)
        {
            BOOST_TEST(message.end > message.posted);
            BOOST_TEST(message.op == "datagram");
        }
    }
}

BOOST_AUTO_TEST_CASE(TheStagesOfASocketsMessageTileItsLife)
{
    for (const std::string transport : {"kernel-udp", "kernel-tcp"})
    {
        for (const std::string protocol : {"request-reply", "barrier", "multi-paxos"})
        {
            BOOST_TEST_CONTEXT(protocol << " over " << transport)
            {
                const WorkloadRun run = Record(protocol, transport, 4);
                BOOST_TEST(EveryMessageIsTiled(run));
                for (const std::string stage : {"system-call", "socket", "protocol", "driver"})
                {
                    BOOST_TEST(HasStage(run, stage), stage);
                }
            }
        }
    }
}

BOOST_AUTO_TEST_CASE(AConnectionIsOpenedByTheFirstMessageAtItsCost)
{
    const WorkloadRun run = Record("request-reply", "kernel-tcp", 2);
    BOOST_REQUIRE(run.samples.size() == 5U);
    BOOST_TEST(run.samples[0] > run.samples[4] * 5 / 4); // a handshake more
}

BOOST_AUTO_TEST_CASE(ADatagramThatEqualsALostOneHasItsOwnTime)
{
    // of 10^9 cells; a message is one frame, or fragments
    for (const auto& [size, lost] : {std::pair{"64", 100'000'000U}, {"5000", 2'000'000U}})
    {
        ClusterConfig config = Recorded("star", 2);
        config.plan.AddLoss("n1", {lost, 0, 0});
        const WorkloadRun run = RunWorkload(config,
                                            "mscs-heartbeat",
                                            {{"rounds", "50"},
                                             {"size", size},
                                             {"interval-us", "20000"},
                                             {"missed", "50"},
                                             {"transport", "kernel-udp"}});
        BOOST_TEST(run.messages.size() < 120U);
        BOOST_TEST(!run.messages.empty());
        for (const MessageRow& message : run.messages)
        {
            BOOST_TEST(message.end - message.posted < 2 * PS_PER_MS);
        }
        BOOST_TEST(EveryMessageIsTiled(run));
    }
}

BOOST_AUTO_TEST_SUITE_END()
