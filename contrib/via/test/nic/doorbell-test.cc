/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
// Doorbells: words that firmware polls, and a FIFO that can be full.

#include "../support/via-test-variant.h"

#include "ns3/via-doorbell.h"

#include <boost/test/unit_test.hpp>

using namespace ns3::via;
using namespace ns3::via::test;

namespace
{

/// The scan, look by look.
std::uint64_t
FoundByLooking(const DoorbellScan& scan, std::uint32_t word, std::uint64_t rung)
{
    std::uint64_t at = 0;
    for (std::uint32_t next = scan.next;; ++next)
    {
        if (next == scan.open)
        {
            at += scan.loop.count;
            next = 0;
        }
        const bool seen = at >= rung;
        at += scan.vi.count;
        if (next == word && seen)
        {
            return at;
        }
    }
}

} // namespace

BOOST_AUTO_TEST_SUITE(DoorbellTest)

BOOST_AUTO_TEST_CASE(TheClosedFormOfAScanIsTheLoopItself)
{
    for (const std::uint32_t open : {1U, 2U, 5U})
    {
        for (std::uint32_t next = 0; next <= open; ++next)
        {
            const DoorbellScan scan{Cycles(11), Cycles(3), open, next};
            for (std::uint32_t word = 0; word < open; ++word)
            {
                for (std::uint64_t rung = 0; rung < 80; ++rung)
                {
                    BOOST_REQUIRE(scan.FoundAfter(word, Cycles(rung)).count ==
                                  FoundByLooking(scan, word, rung));
                }
            }
        }
    }
}

BOOST_AUTO_TEST_CASE(AScanForNothingFindsAWordWhenItIsWritten)
{
    const DoorbellScan scan{Cycles(0), Cycles(0), 3, 1};
    BOOST_TEST(scan.FoundAfter(0, Cycles(17)).count == 17U);
}

BOOST_AUTO_TEST_CASE(WithMoreOpenVisFirmwareNeedsLongerToFindAWord)
{
    const auto life = [](const Changes& changes, std::uint32_t idle) {
        const Variant card(changes);
        Cluster cluster(card.Recorded("star", 2));
        cluster.AddWorkload("ping-pong", {{"size", "4"}, {"rounds", "1"}});
        for (std::uint32_t i = 0; i < idle; ++i)
        {
            cluster.NicAt(0).GetHandles().CreateVi(ViAttributes{}, 0, 0, nullptr, nullptr);
        }
        cluster.Run();
        return cluster.GetWorkload()->Samples()[0];
    };
    // the second sweep finds the word: 7 cycles of 16 ns for each of 1000 words before it
    const Ps more = life(PolledWords(), 1000) - life(PolledWords(), 0);
    BOOST_TEST(more > 50'000'000);
    BOOST_TEST(more < 2 * 112'000'000);
    BOOST_TEST(life({}, 1000) == life({}, 0));
}

BOOST_AUTO_TEST_CASE(AFullFifoHoldsTheCpu)
{
    const Variant card(Changes{{"nic.doorbell_depth", "1"}});
    const WorkloadRun run =
        RunWorkload(card.Recorded("star", 2), "stream", {{"size", "4096"}, {"messages", "40"}});
    BOOST_TEST((run.report.exit == RunExit::SUCCESS));
    BOOST_TEST(SumOf(run.breakdown, "doorbell-wait").rows > 0U);
    BOOST_TEST(EveryMessageIsTiled(run));
}

// A doorbell that waited for room in the channel once left the FIFO twice, which then was full for
// ever.
BOOST_AUTO_TEST_CASE(ADoorbellThatHasToComeBackLeavesTheFifoOnce)
{
    const Variant card(Changes{{"nic.retransmit_buffer", "4096"}, {"nic.doorbell_depth", "64"}});
    const WorkloadRun run =
        RunWorkload(card.Recorded("star", 2), "stream", {{"size", "4096"}, {"messages", "40"}});
    BOOST_TEST((run.report.exit == RunExit::SUCCESS));
    BOOST_TEST(SumOf(run.breakdown, "doorbell-wait").rows == 0U);
}

BOOST_AUTO_TEST_CASE(AFifoThatIsLongEnoughHoldsNobody)
{
    const Variant card(Changes{{"nic.doorbell_depth", "64"}});
    const WorkloadRun run =
        RunWorkload(card.Recorded("star", 2), "stream", {{"size", "4096"}, {"messages", "40"}});
    BOOST_TEST(SumOf(run.breakdown, "doorbell-wait").rows == 0U);
    const WorkloadRun plain =
        RunWorkload(Recorded("star", 2), "stream", {{"size", "4096"}, {"messages", "40"}});
    BOOST_TEST(run.report.digest == plain.report.digest);
}

BOOST_AUTO_TEST_SUITE_END()
