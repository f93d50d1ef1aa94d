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

/// What the receiver of a stream does if @p where loses or damages frames.
struct LossyStream
{
    LossyStream(const std::string& where, const LinkLoss& loss, const Changes& changes = {})
    {
        const Variant card(KernelPath() + changes);
        ClusterConfig config = card.Recorded("star", 2);
        config.plan.AddLoss(where, loss);
        config.stop = 40 * PS_PER_MS;
        Cluster cluster(config);
        cluster.AddWorkload("stream", {{"size", "4000"}, {"messages", "40"}});
        report = cluster.Run();
        arrived = cluster.GetFabric().Uplinks()[0]->CellsSent() - report.cellsLost;
        Host& host = cluster.HostAt(1);
        handled = host.CpuTime(Stage::KERNEL_RECEIVE) / host.CpuClock().Span(Cycles(250));
        interrupts = cluster.NicAt(1).Parts().kernelReceiver->Interrupts();
        cpu = report.nodeCpu.Of(1);
    }

    RunReport report;
    std::uint64_t arrived{0};
    std::uint64_t interrupts{0};
    Ps handled{0}; ///< frames for which the kernel has worked
    std::map<std::string, Ps> cpu;
};

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

BOOST_AUTO_TEST_CASE(FramesThatNeverArriveCostTheReceiverNothing)
{
    const LossyStream stream("n0>s0", {0, LinkLoss::ALL, 0});
    BOOST_TEST(stream.report.cellsLost > 0U);
    BOOST_TEST(stream.interrupts == 0U);
    BOOST_TEST(stream.handled == 0);
    BOOST_TEST(stream.cpu.count("interrupt") == 0U);
}

BOOST_AUTO_TEST_CASE(FramesThatArriveDamagedCostWhatOthersCost)
{
    const LossyStream stream("n0>s0", {LinkLoss::ALL, 0, 0});
    BOOST_TEST(stream.arrived > 0U);
    BOOST_TEST(stream.interrupts > 0U);
    BOOST_TEST(stream.handled <= static_cast<Ps>(stream.arrived));
    BOOST_TEST(stream.handled > static_cast<Ps>(stream.arrived) - 10); // some come at the end
}

BOOST_AUTO_TEST_CASE(AKernelHandlesTheFramesThatArriveAmongOthersThatDoNot)
{
    const Changes lazy{{"nic.coalesce_frames", "4"}, {"nic.coalesce_delay", "20"}};
    for (const std::string where : {"n0>s0", "s0>n1"})
    {
        for (const Changes& changes : {Changes{}, lazy})
        {
            const LossyStream stream(where, {0, 3 * LinkLoss::ALL / 10, 0}, changes);
            BOOST_TEST((stream.report.exit == RunExit::SUCCESS));
            BOOST_TEST(stream.report.cellsLost > 20U);
            BOOST_TEST(stream.handled == static_cast<Ps>(stream.arrived));
            BOOST_TEST(stream.interrupts <= stream.arrived);
        }
    }
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
