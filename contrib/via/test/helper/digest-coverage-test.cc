/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
// The digest of a run: the same twice, another one for whatever could have made a difference.

#include "../support/via-test-vipl-tour.h"

#include "ns3/via-profile-schema.h"

#include <boost/test/unit_test.hpp>
#include <set>

using namespace ns3::via;
using namespace ns3::via::test;

namespace
{

/// Keys in cycles that no call of the tour spends, and why.
const std::map<std::string, std::string> UNUSED = {
    {"cpu.basic_block", "counted by the hooks of programs that `via cc` made"},
    {"bus.latency_timer", "bursts of this profile end before it does"},
    {"bus.read_gap", "between pieces of a read (bus.read_piece), which this host has not"},
    {"cpu.copy_base", "spent by kernels that copy and by programs of `via cc`"},
    {"cpu.copy_line", "see cpu.copy_base"},
    {"cpu.copy_line_cached", "see cpu.copy_base"},
    {"cpu.time_call", "spent when a program of `via cc` asks for the time"},
    {"os.syscall", "spent when a program of `via cc` yields its CPU"},
};

bool
IsInCycles(const ProfileKey& key)
{
    return key.kind == ProfileKind::NUMBER && (key.unit.find("cycles") != std::string::npos ||
                                               key.unit.find("clocks") != std::string::npos);
}

std::string
DigestOf(ClusterConfig config)
{
    config.overrides.emplace("nic.retransmit_buffer", "1024"); // a few cells are acknowledged, too
    const WorkloadRun run = RunTour(config);
    for (const ProcessReport& process : run.report.processes)
    {
        BOOST_REQUIRE_MESSAGE(process.exit == 0, process.report);
    }
    return run.report.digest;
}

std::string
DigestWith(const std::string& key, const std::string& value)
{
    ClusterConfig config = Config("star", 2);
    config.overrides[key] = value;
    return DigestOf(config);
}

std::string
PingPongDigest(const ClusterConfig& config, std::uint32_t size)
{
    return RunWorkload(config, "ping-pong", {{"size", std::to_string(size)}, {"rounds", "2"}})
        .report.digest;
}

} // namespace

BOOST_AUTO_TEST_SUITE(DigestCoverageTest)

BOOST_AUTO_TEST_CASE(TheSameRunTwiceHasTheSameDigest)
{
    BOOST_TEST(DigestOf(Config("star", 2)) == DigestOf(Config("star", 2)));
    for (const std::string workload : {"ping-pong", "stream", "barrier", "all-to-all"})
    {
        const std::string digest = RunWorkload(Config("star", 4), workload).report.digest;
        BOOST_TEST(digest == RunWorkload(Config("star", 4), workload).report.digest);
    }
}

BOOST_AUTO_TEST_CASE(RecordingDoesNotChangeTheDigest)
{
    for (const bool reference : {false, true})
    {
        ClusterConfig config = Config("star", 4);
        config.reference = reference;
        const std::string quiet = RunWorkload(config, "all-to-all").report.digest;
        config.record = true;
        BOOST_TEST(RunWorkload(config, "all-to-all").report.digest == quiet);
    }
}

BOOST_AUTO_TEST_CASE(AnotherSeedIsAnotherDigest)
{
    std::set<std::string> digests;
    for (std::uint64_t seed = 1; seed <= 20; ++seed)
    {
        digests.insert(PingPongDigest(Config("star", 2, seed), 4));
    }
    BOOST_TEST(digests.size() == 20U);
}

BOOST_AUTO_TEST_CASE(OneMoreByteIsAnotherDigest)
{
    std::set<std::string> digests;
    for (std::uint32_t size = 0; size <= 100; ++size)
    {
        digests.insert(PingPongDigest(Config("star", 2), size));
    }
    BOOST_TEST(digests.size() == 101U);
}

BOOST_AUTO_TEST_CASE(AnotherTopologyOrOneMoreMessageIsAnotherDigest)
{
    std::set<std::string> digests;
    for (const std::string topology : {"star", "back-to-back", "fat-tree:k=2,n=1"})
    {
        for (const std::string rounds : {"2", "3"})
        {
            digests.insert(
                RunWorkload(Config(topology, 2), "ping-pong", {{"rounds", rounds}}).report.digest);
        }
    }
    BOOST_TEST(digests.size() == 4U); // a tree of two hosts is a star of two: one switch
}

BOOST_AUTO_TEST_CASE(ACycleMoreInEveryUsedKeyIsAnotherDigest)
{
    const ProviderProfile profile = ProviderProfile::Load(Config("star", 2).profile);
    const std::string digest = DigestOf(Config("star", 2));
    std::size_t used = 0;
    for (const ProfileEntry& entry : profile.Entries())
    {
        if (IsInCycles(*FindProfileKey(entry.key)))
        {
            const std::string more = std::to_string(profile.Number(entry.key) + 1);
            const bool counts = DigestWith(entry.key, more) != digest;
            BOOST_TEST(counts == (UNUSED.count(entry.key) == 0), entry.key);
            used += counts ? 1 : 0;
        }
    }
    BOOST_TEST(used > 40U);
}

BOOST_AUTO_TEST_CASE(AFasterClockIsAnotherDigest)
{
    std::set<std::string> digests{DigestOf(Config("star", 2))};
    for (const auto& [key, clock] : {std::pair{"cpu.clock", "300.001 MHz"},
                                     {"bus.clock", "33.334 MHz"},
                                     {"nic.clock", "62.501 MHz"},
                                     {"link.symbol_rate", "1250.001 MHz"},
                                     {"switch.clock", "62.501 MHz"}})
    {
        BOOST_TEST(digests.insert(DigestWith(key, clock)).second, key);
    }
}

BOOST_AUTO_TEST_CASE(AnotherSizeOfWhatMovesIsAnotherDigest)
{
    std::set<std::string> digests{DigestOf(Config("star", 2))};
    for (const auto& [key, value] : {std::pair{"bus.width", "8"},
                                     {"bus.burst_bytes", "128"},
                                     {"bus.latency_timer", "48"},
                                     {"bus.split_reads", "1"},
                                     {"os.page_bytes", "8192"},
                                     {"nic.status_bytes", "17"},
                                     {"nic.cq_entry_bytes", "17"},
                                     {"nic.dma_burst", "768"},
                                     {"link.cell_bytes", "54"},
                                     {"link.message_header", "32"},
                                     {"link.code_data", "7"},
                                     {"link.cable_length_mm", "5001"},
                                     {"link.propagation_ps_per_m", "6501"}})
    {
        BOOST_TEST(digests.insert(DigestWith(key, value)).second, key);
    }
}

BOOST_AUTO_TEST_CASE(TheTourOfViplLeavesNothingBehind)
{
    const WorkloadRun run = RunTour(Recorded("star", 2));
    BOOST_TEST((run.report.exit == RunExit::SUCCESS));
    BOOST_TEST(run.packetsAlive == 0U);
    BOOST_TEST(run.cellsMissing == 0U);
    BOOST_TEST(run.messages.size() == 3U);
    BOOST_TEST(EveryMessageIsTiled(run));
}

BOOST_AUTO_TEST_CASE(TheTourOfViplEndsTheSameWayInReferenceMode)
{
    ClusterConfig config = Config("star", 2);
    const RunReport fast = RunTour(config).report;
    config.reference = true;
    const RunReport reference = RunTour(config).report;
    BOOST_TEST((reference.exit == RunExit::SUCCESS));
    for (std::size_t i = 0; i < fast.processes.size(); ++i)
    {
        BOOST_TEST(fast.processes[i].end == reference.processes[i].end);
        BOOST_TEST(fast.processes[i].cpu == reference.processes[i].cpu);
    }
}

BOOST_AUTO_TEST_SUITE_END()
