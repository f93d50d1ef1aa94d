/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
// Wires that spoil cells: what reliable connections deliver, and what is conserved.

#include "../support/via-test-cluster-bench.h"
#include "../support/via-test-folders.h"

#include "ns3/via-error.h"

#include <boost/test/unit_test.hpp>
#include <fstream>

using namespace ns3::via;
using namespace ns3::via::test;

namespace
{

constexpr std::uint64_t ONE_PERCENT = 10'000'000;
constexpr std::uint64_t ONE_PER_MILLE = 1'000'000;

ClusterConfig
Lossy(const std::string& topology, std::uint32_t nodes, LinkLoss loss, const char* where = "all")
{
    ClusterConfig config = Config(topology, nodes);
    config.plan.AddLoss(where, loss);
    return config;
}

void
CheckRecovered(const WorkloadRun& run)
{
    BOOST_TEST((run.report.exit == RunExit::SUCCESS));
    BOOST_TEST(run.cellsCorrupted > 0U);
    BOOST_TEST(run.cellsResent >= run.cellsCorrupted / 4);
    BOOST_TEST(run.unacknowledged == 0U);
    BOOST_TEST(run.cellsMissing == 0U); // credits of cells that vanished came home, too
    BOOST_TEST(run.packetsAlive == 0U);
}

} // namespace

BOOST_AUTO_TEST_SUITE(LossTest)

BOOST_AUTO_TEST_CASE(CorruptCellsAreSentAgain)
{
    for (const std::string workload : {"ping-pong", "stream"})
    {
        CheckRecovered(
            RunWorkload(Lossy("star", 2, {ONE_PERCENT, 0}), workload, {{"size", "5000"}}));
    }
}

BOOST_AUTO_TEST_CASE(WiresOfAProductThatHaveWrongBitsDamageCells)
{
    ClusterConfig config = Config("star", 2);
    config.overrides["link.bit_errors"] = "1000000000";
    const WorkloadRun run = RunWorkload(config, "stream", {{"size", "20000"}});
    CheckRecovered(run);
    BOOST_TEST(run.report.cellsCorrupt == run.cellsCorrupted); // also without any planned fault
    BOOST_TEST(run.report.faults.empty());
}

BOOST_AUTO_TEST_CASE(ALossFaultAddsToTheWrongBitsOfAProduct)
{
    for (const std::uint64_t more : {0, 1, 2'000'000'000})
    {
        ClusterConfig config = Lossy("star", 2, {0, 0, more});
        config.overrides["link.bit_errors"] = "1000000000";
        const RunReport report = RunWorkload(config, "stream", {{"size", "20000"}}).report;
        const FaultRow& fault = report.faults.at(0);
        BOOST_TEST(report.cellsCorrupt > fault.corrupt); // the product's own
        BOOST_TEST((fault.corrupt > 0) == (more > 1), more);
    }
}

BOOST_AUTO_TEST_CASE(VanishedCellsAreSentAgainAndTheirCreditsComeHome)
{
    CheckRecovered(RunWorkload(Lossy("star", 2, {0, ONE_PERCENT}), "stream", {{"size", "20000"}}));
}

BOOST_AUTO_TEST_CASE(ManyNodesRecoverTogether)
{
    for (const std::string topology : {"star", "fat-tree:k=2,n=3"})
    {
        const ClusterConfig config = Lossy(topology, 8, {ONE_PERCENT, ONE_PER_MILLE});
        CheckRecovered(RunWorkload(config, "all-to-all", {{"rounds", "2"}}));
        CheckRecovered(RunWorkload(config, "barrier", {{"rounds", "30"}}));
    }
}

// Cells that waited in the receiver's buffer for the rest of their DMA burst once filled it, so
// that the rest, which was to be sent again, found no credits: all channels of a host fell silent.
BOOST_AUTO_TEST_CASE(PiecesThatLossesCutOffLeaveRoomForTheRest)
{
    for (std::uint64_t seed = 1; seed <= 4; ++seed)
    {
        ClusterConfig config = Lossy("star", 4, {5 * ONE_PERCENT, 0});
        config.seed = seed;
        CheckRecovered(RunWorkload(config, "all-to-all", {{"size", "3000"}, {"rounds", "2"}}));
    }
    ClusterConfig config = Lossy("star", 16, {5 * ONE_PERCENT, 0});
    config.reference = true;
    CheckRecovered(RunWorkload(config, "all-to-all", {{"size", "20000"}, {"rounds", "1"}}));
}

// The same, with cells that were taken without looking for the room that a retransmission needs.
BOOST_AUTO_TEST_CASE(CellsThatWaitInASmallBufferLeaveRoomForARetransmission)
{
    for (std::uint64_t seed = 1; seed <= 3; ++seed)
    {
        ClusterConfig config = Lossy("star", 16, {10 * ONE_PERCENT, 0});
        config.seed = seed;
        config.overrides["link.credits"] = "24";
        CheckRecovered(RunWorkload(config, "all-to-all", {{"size", "5000"}, {"rounds", "1"}}));
    }
}

BOOST_AUTO_TEST_CASE(ReferenceModeRecoversToo)
{
    ClusterConfig config = Lossy("star", 4, {ONE_PERCENT, ONE_PER_MILLE});
    config.reference = true;
    CheckRecovered(RunWorkload(config, "all-to-all", {{"rounds", "2"}}));
}

BOOST_AUTO_TEST_CASE(TheSameSeedSpoilsTheSameCells)
{
    ClusterConfig config = Lossy("star", 4, {ONE_PERCENT, ONE_PER_MILLE});
    const std::string first = RunWorkload(config, "all-to-all").report.digest;
    BOOST_TEST(RunWorkload(config, "all-to-all").report.digest == first);
    config.seed = 2;
    BOOST_TEST(RunWorkload(config, "all-to-all").report.digest != first);
}

BOOST_AUTO_TEST_CASE(OnlyTheWiresOfTheRuleSpoilCells)
{
    ClusterConfig config = Lossy("star", 4, {ONE_PERCENT, 0}, "n3");
    config.nodes = 4;
    BOOST_TEST(RunWorkload(config, "all-to-all", {{"rounds", "2"}}).cellsCorrupted > 0U);
    config.plan.AddLoss("n3", {0, 0});
    BOOST_TEST(RunWorkload(config, "all-to-all", {{"rounds", "2"}}).cellsCorrupted == 0U);
}

BOOST_AUTO_TEST_CASE(OfTwoLossesTheOneThatIsLaterInTheListApplies)
{
    const TimeSpan early{100 * PS_PER_US, 200 * PS_PER_US};
    for (const bool isLast : {false, true})
    {
        ClusterConfig config = Config("star", 2);
        config.plan.AddLoss("all", {isLast ? 0 : 5 * ONE_PERCENT, 0}, isLast ? TimeSpan{} : early);
        config.plan.AddLoss("all", {isLast ? 5 * ONE_PERCENT : 0, 0}, isLast ? early : TimeSpan{});
        const WorkloadRun run = RunWorkload(config, "stream", {{"size", "20000"}});
        BOOST_TEST((run.cellsCorrupted > 0) == isLast);
    }
}

BOOST_AUTO_TEST_CASE(TheShareOfCellsIsTheOneAskedFor)
{
    const WorkloadRun run =
        RunWorkload(Lossy("back-to-back", 2, {ONE_PERCENT, 0}), "stream", {{"messages", "400"}});
    const double share = static_cast<double>(run.cellsCorrupted) / run.cellsFromHosts;
    BOOST_TEST(share > 0.008);
    BOOST_TEST(share < 0.012);
}

BOOST_AUTO_TEST_CASE(ARuleThatNamesNothingIsRefused)
{
    for (const char* where : {"n4", "s1", "n", "x0", "n03", "", "all "})
    {
        BOOST_CHECK_THROW(RunWorkload(Lossy("star", 4, {1, 0}, where), "barrier"), ConfigError);
    }
}

BOOST_AUTO_TEST_CASE(MoreThanAllCellsAreRefused)
{
    const ClusterConfig config = Lossy("star", 2, {LinkLoss::ALL, 1});
    BOOST_CHECK_EXCEPTION(RunWorkload(config, "barrier"),
                          ConfigError,
                          [](const ConfigError& error) {
                              return std::string(error.what()) ==
                                     "faults: loss.corrupt_ppb + vanish_ppb = "
                                     "1000000000 + 1: at most 1000000000, which means all cells";
                          });
}

BOOST_AUTO_TEST_CASE(AFileOfFaultsIsRead)
{
    const std::string path = (BuildFolder() / "loss-test.toml").string();
    std::ofstream(path) << "schema = \"via-faults/1\"\n[[loss]]\ncorrupt_ppb = 5\n"
                        << "[[loss]]\nwhere = \"s0\"\nvanish_ppb = 7\n";
    const FaultPlan plan = FaultPlan::Read(path);
    BOOST_TEST(plan.faults.size() == 2U);
    BOOST_TEST(plan.faults[0].where == "all");
    BOOST_TEST(plan.faults[0].loss.corrupt == 5U);
    BOOST_TEST(plan.faults[1].where == "s0");
    BOOST_TEST(plan.faults[1].loss.vanish == 7U);
}

BOOST_AUTO_TEST_CASE(AMistakeInAFileIsNamedWithItsLine)
{
    const std::string path = (BuildFolder() / "loss-test-bad.toml").string();
    const std::string head = "schema = \"via-faults/1\"\n";
    for (const std::string body : {"[[loss]]\ncorrupt_ppb = -1\n",
                                   "[[loss]]\ncorrupt_ppb = 0.01\n",
                                   "[[loss]]\ncorupt_ppb = 1\n",
                                   "\nloss = 3\n"})
    {
        std::ofstream(path) << head << body;
        BOOST_CHECK_EXCEPTION(FaultPlan::Read(path), ConfigError, [](const ConfigError& error) {
            return std::string(error.what()).find("loss-test-bad.toml:3: ") != std::string::npos;
        });
    }
    std::ofstream(path) << "";
    BOOST_CHECK_THROW(FaultPlan::Read(path), ConfigError);
    BOOST_CHECK_THROW(FaultPlan::Read("no-such-file.toml"), ConfigError);
}

BOOST_AUTO_TEST_CASE(RowsTileWhatIsSentAgain)
{
    for (const LinkLoss loss : {LinkLoss{ONE_PERCENT, 0}, LinkLoss{0, ONE_PERCENT}})
    {
        for (const std::string workload : {"ping-pong", "stream", "all-to-all"})
        {
            ClusterConfig config = Lossy("star", 4, loss);
            config.record = true;
            for (const bool reference : {false, true})
            {
                config.reference = reference;
                const WorkloadRun run = RunWorkload(config, workload, {{"size", "5000"}});
                BOOST_TEST(EveryMessageIsTiled(run), workload);
            }
        }
    }
}

BOOST_AUTO_TEST_SUITE_END()
