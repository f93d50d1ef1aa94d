/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
// The kernel in the place of the card: traps, copies, interrupts.

#include "../support/via-test-variant.h"

#include <boost/test/unit_test.hpp>

using namespace ns3::via;
using namespace ns3::via::test;

namespace
{

std::uint64_t
InterruptsOf(const Changes& changes, std::uint32_t messages)
{
    const Variant card(changes);
    Cluster cluster(card.Recorded("star", 2));
    cluster.AddWorkload("stream", {{"size", "1000"}, {"messages", std::to_string(messages)}});
    cluster.Run();
    return cluster.NicAt(1).Parts().kernelReceiver->Interrupts();
}

} // namespace

BOOST_AUTO_TEST_SUITE(KernelPathTest)

BOOST_AUTO_TEST_CASE(ASmallMessagePaysTrapInterruptAndOneCopy)
{
    const std::vector<BreakdownRow> rows = PingPongRows(Variant(KernelPath()), 4, 0);
    for (const auto& [stage, cycles] : {std::pair<std::string, std::uint64_t>{"trap", 300},
                                        {"kernel-descriptor", 2 * 200},
                                        {"kernel-translate", 2 * 90},
                                        {"kernel-send", 150},
                                        {"kernel-receive", 250},
                                        {"kernel-residual", 170}})
    {
        BOOST_TEST(SumOf(rows, stage).cycles == cycles, stage);
    }
    BOOST_TEST(SumOf(rows, "interrupt").rows == 1U);
    BOOST_TEST(SumOf(rows, "copy").rows == 1U);
    BOOST_TEST(SumOf(rows, "ring-fetch").rows == 2U);
    BOOST_TEST(SumOf(rows, "descriptor-fetch").rows + SumOf(rows, "status-write").rows == 0U);
}

BOOST_AUTO_TEST_CASE(TheSenderCopiesOnlyIfItsKernelDoes)
{
    const Changes twice = KernelPath() + Changes{{"nic.send_copy", "1"}};
    BOOST_TEST(SumOf(PingPongRows(Variant(twice), 4, 0), "copy").rows == 2U);
}

BOOST_AUTO_TEST_CASE(FramesThatComeTogetherShareAnInterrupt)
{
    const std::uint64_t each = InterruptsOf(KernelPath(), 40);
    const std::uint64_t together = InterruptsOf(
        KernelPath() + Changes{{"nic.coalesce_frames", "4"}, {"nic.coalesce_delay", "200"}},
        40);
    BOOST_TEST(each > 0U);
    BOOST_TEST(together > 0U);
    BOOST_TEST(together < each);
}

BOOST_AUTO_TEST_CASE(ALoneFrameWaitsForTheDelay)
{
    const Changes lazy =
        KernelPath() + Changes{{"nic.coalesce_frames", "4"}, {"nic.coalesce_delay", "20"}};
    const StageSum wait = SumOf(PingPongRows(Variant(lazy), 4, 0), "coalesce");
    BOOST_TEST(wait.end - wait.start == 20'000'000);
}

BOOST_AUTO_TEST_CASE(TheKernelsChoicesComeTogether)
{
    for (const auto& [key, word] :
         {std::pair<std::string, std::string>{"nic.descriptor", "dma-fetch"},
          {"nic.completion", "polled"},
          {"nic.data", "cut-through"}})
    {
        Changes changes = KernelPath() + Changes{{key, word}};
        if (key == "nic.descriptor")
        {
            changes.erase("vipl.kernel_descriptor");
            changes.erase("nic.ring_entry_bytes");
            changes["nic.descriptor_prefetch"] = "0";
        }
        changes.erase(key == "nic.completion" ? "nic.coalesce_frames" : "");
        changes.erase(key == "nic.completion" ? "nic.coalesce_delay" : "");
        changes.erase(key == "nic.data" ? "nic.send_copy" : "");
        const std::string said = RefusalOf([&changes] { Variant(changes).Load(); });
        BOOST_TEST(said.find(key + " = " + word + ": must be one of: ") != std::string::npos, said);
    }
}

BOOST_AUTO_TEST_CASE(OnlyTheKernelTakesTraps)
{
    const std::string said = RefusalOf([] {
        Variant(Changes{{"nic.doorbell", "fast-trap"}, {"vipl.trap", "300"}}).Load();
    });
    BOOST_TEST(said.find("nic.doorbell = fast-trap: must be none of: fast-trap, system-call") !=
                   std::string::npos,
               said);
}

BOOST_AUTO_TEST_SUITE_END()
