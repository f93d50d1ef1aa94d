/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
// Packets at the ports of NICs: every cell is seen once at each end, and nobody notices.

#include "../support/via-test-vipl-tour.h"

#include "ns3/via-error.h"

#include <algorithm>
#include <array>
#include <boost/test/data/test_case.hpp>
#include <boost/test/unit_test.hpp>
#include <filesystem>

using namespace ns3::via;
using namespace ns3::via::test;
namespace data = boost::unit_test::data;

namespace
{

/// A captured packet whose header does not go away.
struct Copy
{
    CapturedPacket seen;
    Packet packet;
};

/// Keeps all packets.
class Diary final : public PacketListener
{
  public:
    void OnPacket(const CapturedPacket& seen) override
    {
        packets.push_back({seen, *seen.packet});
    }

    std::uint64_t Cells(bool received) const
    {
        return Sum(received, [](const CapturedPacket& seen) { return seen.cells; });
    }

    std::uint64_t Lost() const
    {
        return Sum(true, [](const CapturedPacket& seen) { return seen.lost; });
    }

    std::uint64_t Resent() const
    {
        return Sum(false, [](const CapturedPacket& seen) { return seen.resent ? seen.cells : 0; });
    }

    std::vector<PacketKind> Kinds(bool received) const
    {
        std::vector<PacketKind> kinds;
        for (const Copy& one : packets)
        {
            if (one.seen.received == received && IsFirst(one.packet.kind, kinds))
            {
                kinds.push_back(one.packet.kind);
            }
        }
        return kinds;
    }

    std::vector<Copy> packets;

  private:
    static bool IsFirst(PacketKind kind, const std::vector<PacketKind>& kinds)
    {
        return std::find(kinds.begin(), kinds.end(), kind) == kinds.end();
    }

    template <class Count>
    std::uint64_t Sum(bool received, Count count) const
    {
        std::uint64_t sum = 0;
        for (const Copy& one : packets)
        {
            sum += one.seen.received == received ? count(one.seen) : 0;
        }
        return sum;
    }
};

ClusterConfig
Lossy(std::uint32_t nodes, LinkLoss loss)
{
    ClusterConfig config = Config("star", nodes);
    config.plan.AddLoss("all", loss);
    return config;
}

void
CheckCapture(ClusterConfig config, const std::string& workload, const Parameters& parameters)
{
    const WorkloadRun plain = RunWorkload(config, workload, parameters);
    Diary diary;
    config.capture.listener = &diary;
    const WorkloadRun run = RunWorkload(config, workload, parameters);
    BOOST_TEST(run.report.digest == plain.report.digest);
    BOOST_TEST(run.packetsAlive == 0U);
    BOOST_TEST(diary.Cells(false) == run.cellsFromHosts);
    BOOST_TEST(diary.Cells(true) == run.cellsFromHosts);
    BOOST_TEST(diary.Resent() == run.cellsResent);
    BOOST_TEST(diary.Lost() <= run.cellsCorrupted); // a cell may be spoiled on two wires
    BOOST_TEST((diary.Lost() > 0) == (run.cellsCorrupted > 0));
    const auto inOrder = [](const Copy& a, const Copy& b) {
        return a.seen.lastBit < b.seen.lastBit;
    };
    BOOST_TEST(std::is_sorted(diary.packets.begin(), diary.packets.end(), inOrder));
}

const std::vector<std::string> PRODUCTS = {"giganet-clan1000",
                                           "mvia-gnic2",
                                           "berkeley-via-lanai4",
                                           "servernet2",
                                           "gm-lanai9-200",
                                           "infinihost",
                                           "ideal"};

} // namespace

BOOST_AUTO_TEST_SUITE(PacketCaptureTest)

BOOST_DATA_TEST_CASE(EveryCellIsSeenOnceAtEachEnd,
                     data::make(PRODUCTS) * data::make({false, true}),
                     product,
                     reference)
{
    ClusterConfig config = Config("star", 4);
    config.profile = product;
    config.reference = reference;
    CheckCapture(config, "all-to-all", {{"size", "3000"}, {"rounds", "2"}});
}

BOOST_DATA_TEST_CASE(CreditsAreCountedWhenTheyReturn, data::make(PRODUCTS), product)
{
    std::array<Diary, 2> diaries;
    for (const bool reference : {false, true})
    {
        ClusterConfig config = Config("star", 6);
        config.profile = product;
        config.reference = reference;
        config.capture.listener = &diaries[reference ? 1 : 0];
        RunWorkload(config, "all-to-all", {{"size", "3000"}, {"rounds", "2"}});
    }
    BOOST_TEST_REQUIRE(diaries[0].packets.size() == diaries[1].packets.size());
    for (std::size_t i = 0; i < diaries[0].packets.size(); ++i)
    {
        const CapturedPacket& fast = diaries[0].packets[i].seen;
        const CapturedPacket& slow = diaries[1].packets[i].seen;
        BOOST_TEST(fast.lastBit == slow.lastBit);
        BOOST_TEST(fast.cellsOut == slow.cellsOut);
        BOOST_TEST(fast.creditsReturned == slow.creditsReturned);
    }
}

BOOST_AUTO_TEST_CASE(CellsThatAreSentAgainAreSeenAgain)
{
    CheckCapture(Lossy(2, {10'000'000, 0}), "stream", {{"size", "5000"}, {"messages", "50"}});
    CheckCapture(Lossy(4, {5'000'000, 5'000'000}), "all-to-all", {{"rounds", "2"}});
}

BOOST_AUTO_TEST_CASE(TheVanishedAreAmongTheLost)
{
    Diary diary;
    ClusterConfig config = Lossy(2, {0, 20'000'000});
    config.capture.listener = &diary;
    RunWorkload(config, "stream", {{"size", "5000"}});
    std::uint64_t vanished = 0;
    for (const Copy& one : diary.packets)
    {
        BOOST_TEST(one.seen.vanished <= one.seen.lost);
        BOOST_TEST(one.seen.lost <= one.seen.cells);
        vanished += one.seen.vanished;
    }
    BOOST_TEST(vanished > 0U);
}

BOOST_AUTO_TEST_CASE(AReceivedPacketLeftBeforeItCame)
{
    Diary diary;
    ClusterConfig config = Config("star", 2);
    config.capture.listener = &diary;
    RunWorkload(config, "ping-pong", {{"size", "5000"}, {"rounds", "3"}});
    BOOST_REQUIRE(diary.packets.size() == 12U);
    for (std::size_t i = 0; i < diary.packets.size(); i += 2)
    {
        const CapturedPacket& sent = diary.packets[i].seen;
        const CapturedPacket& received = diary.packets[i + 1].seen;
        BOOST_TEST(!sent.received);
        BOOST_TEST(received.received);
        BOOST_TEST(received.firstBit > sent.firstBit);
        BOOST_TEST(received.lastBit > sent.lastBit);
        BOOST_TEST(sent.cells == diary.packets[i].packet.cells);
        BOOST_TEST(received.endByte - received.firstByte == 5000U);
    }
}

BOOST_AUTO_TEST_CASE(ConnectionsAreAskedForRefusedAcceptedAndEnded)
{
    Diary diary;
    ClusterConfig config = Config("star", 2);
    config.capture.listener = &diary;
    RunTour(config);
    const std::vector<PacketKind> kinds = {PacketKind::CONNECT_REQUEST,
                                           PacketKind::CONNECT_REJECT,
                                           PacketKind::CONNECT_ACCEPT,
                                           PacketKind::SEND,
                                           PacketKind::RDMA_WRITE,
                                           PacketKind::DISCONNECT};
    BOOST_TEST((diary.Kinds(false) == kinds));
    BOOST_TEST((diary.Kinds(true) == kinds));
}

BOOST_AUTO_TEST_CASE(AnRdmaAddressIsFoundInItsRegion)
{
    Diary diary;
    ClusterConfig config = Config("star", 2);
    config.capture.listener = &diary;
    RunTour(config);
    for (const Copy& one : diary.packets)
    {
        const bool known = one.seen.remoteOffset != CapturedPacket::NO_REGION;
        BOOST_TEST(known == (one.packet.kind == PacketKind::RDMA_WRITE));
    }
}

BOOST_AUTO_TEST_CASE(AFileThatCannotBeWrittenIsRefused)
{
    for (const char* place : {"/", "/nowhere/p.pcapng"})
    {
        ClusterConfig config = Config("star", 2);
        config.capture.file = place;
        BOOST_CHECK_THROW(Cluster{config}, ConfigError);
    }
    ClusterConfig config = Config("star", 2);
    config.capture.file = "/dev/null";
    config.capture.snapLength = CaptureFile::MOST_SNAP_LENGTH + 1;
    BOOST_CHECK_THROW(Cluster{config}, ConfigError);
}

BOOST_AUTO_TEST_CASE(ADeviceThatIsFullIsTold)
{
    ClusterConfig config = Config("star", 2);
    config.capture.file = "/dev/full";
    BOOST_CHECK_THROW(RunWorkload(config, "ping-pong", {}), ConfigError);
}

BOOST_AUTO_TEST_CASE(AClusterThatNeverRanLeavesNoFile)
{
    const std::filesystem::path folder = std::filesystem::temp_directory_path() / "via-capture";
    std::filesystem::create_directory(folder);
    ClusterConfig config = Config("star", 2);
    config.capture.file = folder / "p.pcapng";
    {
        const Cluster cluster(config);
        BOOST_TEST(!std::filesystem::is_empty(folder));
    }
    BOOST_TEST(std::filesystem::is_empty(folder));
    std::filesystem::remove(folder);
}

BOOST_AUTO_TEST_SUITE_END()
