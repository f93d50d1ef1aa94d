/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
// The latency budget: the critical path of a message, stage by stage, from the profile's cycles.

#include "../support/via-test-cluster-bench.h"
#include "../support/via-test-profile-bench.h"

#include "ns3/via-link.h"

#include <algorithm>
#include <boost/test/unit_test.hpp>
#include <set>

using namespace ns3::via;
using namespace ns3::via::test;

namespace
{

/// "stage owner cycles" of a row, or "stage owner" of a wait.
std::string
Line(const std::string& stage, const std::string& owner, std::uint64_t cycles)
{
    return stage + " " + owner + " " + std::to_string(cycles);
}

/// The rows that are work, and the flight over cables: waits that depend on phases left out.
std::vector<std::string>
WorkOf(const std::vector<BreakdownRow>& rows)
{
    std::vector<std::string> lines;
    for (const BreakdownRow& row : rows)
    {
        if (row.clockHz != 0 || row.stage == "propagate")
        {
            lines.push_back(Line(row.stage, row.owner, row.cycles));
        }
    }
    return lines;
}

/// Waits that a message in an empty cluster may meet: for an edge, and for the next poll.
bool
IsAlone(const std::vector<BreakdownRow>& rows)
{
    return std::all_of(rows.begin(), rows.end(), [](const BreakdownRow& row) {
        return row.clockHz != 0 || row.stage == "propagate" || row.stage == "align" ||
               row.stage == "receiver-late";
    });
}

/// What the profile says a one-cell message must cost, in order.
class Budget
{
  public:
    explicit Budget(std::uint64_t bytes)
        : m_bytes(bytes)
    {
    }

    std::vector<std::string> BackToBack() const
    {
        return Joined({Sender(), Wire("n0.link"), Receiver()});
    }

    /// The first bit goes through while the rest of the cell is on its way.
    std::vector<std::string> OneSwitch() const
    {
        return Joined({Sender(),
                       {Line("propagate", "n0.link", 0),
                        Line("switch", "s0.crossbar", m_profile.Number("switch.latency"))},
                       Wire("s0.link"),
                       Receiver()});
    }

  private:
    using Lines = std::vector<std::string>;

    static Lines Joined(const std::vector<Lines>& parts)
    {
        Lines all;
        for (const Lines& part : parts)
        {
            all.insert(all.end(), part.begin(), part.end());
        }
        return all;
    }

    std::uint64_t Key(const std::string& key) const
    {
        return m_profile.Number(key);
    }

    /// Clocks without data of a "read", "write" or "store".
    std::uint64_t BusKey(const std::string& kind) const
    {
        return Key("bus.arbitration") + Key("bus.address") + Key("bus." + kind + "_initial") +
               Key("bus.turnaround");
    }

    std::uint64_t Words(std::uint64_t bytes) const
    {
        return (bytes + Key("bus.width") - 1) / Key("bus.width");
    }

    /// A descriptor with one segment is fetched as a line of 64 bytes.
    std::uint64_t FetchClocks() const
    {
        return BusKey("read") + Words(64);
    }

    Lines Sender() const
    {
        Lines lines{Line("post-send", "n0.cpu", Key("vipl.post_send")),
                    Line("doorbell", "n0.bus", BusKey("store") + 1),
                    Line("doorbell-decode", "n0.nic-send", Key("nic.doorbell_decode")),
                    Line("descriptor-fetch", "n0.bus", FetchClocks()),
                    Line("translate", "n0.nic-send", Key("nic.tpt_lookup")),
                    Line("segment", "n0.nic-send", Key("nic.segment_cell"))};
        if (m_bytes > 0)
        {
            lines.push_back(Line("payload-read", "n0.bus", BusKey("read") + Words(m_bytes)));
        }
        return lines;
    }

    Lines Wire(const std::string& link) const
    {
        return {Line("serialize", link, Key("link.cell_bytes")), Line("propagate", link, 0)};
    }

    Lines Receiver() const
    {
        Lines lines{Line("demux", "n1.nic-receive", Key("nic.receive_demux")),
                    Line("residual", "n1.nic-receive", Key("nic.receive_residual")),
                    Line("descriptor-fetch", "n1.bus", FetchClocks()),
                    Line("translate", "n1.nic-receive", Key("nic.tpt_lookup"))};
        if (m_bytes > 0)
        {
            lines.push_back(Line("payload-write", "n1.bus", BusKey("write") + Words(m_bytes)));
        }
        lines.push_back(
            Line("status-write", "n1.bus", BusKey("write") + Words(Key("nic.status_bytes"))));
        lines.push_back(Line("cache-miss", "n1.cpu", Key("cpu.cache_miss")));
        lines.push_back(Line("reap", "n1.cpu", Key("vipl.done_hit")));
        return lines;
    }

    ProviderProfile m_profile{ProviderProfile::Load(CARD)};
    std::uint64_t m_bytes;
};

WorkloadRun
PingPong(const std::string& topology, std::uint32_t size, std::uint64_t seed = 1)
{
    return RunWorkload(Recorded(topology, 2, seed),
                       "ping-pong",
                       {{"size", std::to_string(size)}, {"rounds", "3"}});
}

const std::vector<std::uint32_t> SIZES{0, 1, 4, 24, 25, 360, 361, 4096, 32768, 65536};

} // namespace

BOOST_AUTO_TEST_SUITE(LatencyBudgetTest)

BOOST_AUTO_TEST_CASE(FourBytesOverACableSpendExactlyTheProfilesCycles)
{
    const std::vector<std::string> work = WorkOf(RowsOf(PingPong("back-to-back", 4), "0.0.1"));
    BOOST_TEST(work == Budget(4).BackToBack(), boost::test_tools::per_element());
}

BOOST_AUTO_TEST_CASE(FourBytesThroughASwitchSpendExactlyTheProfilesCycles)
{
    const std::vector<std::string> work = WorkOf(RowsOf(PingPong("star", 4), "0.0.1"));
    BOOST_TEST(work == Budget(4).OneSwitch(), boost::test_tools::per_element());
}

BOOST_AUTO_TEST_CASE(EveryOneCellMessageSpendsTheProfilesCycles)
{
    for (const std::uint32_t size : {0U, 1U, 3U, 5U, 23U, 24U})
    {
        const std::vector<std::string> work = WorkOf(RowsOf(PingPong("star", size), "0.0.2"));
        BOOST_TEST(work == Budget(size).OneSwitch(), boost::test_tools::per_element());
    }
}

BOOST_AUTO_TEST_CASE(ACycleMoreInAKeyIsACycleMoreInItsRow)
{
    ClusterConfig config = Recorded("star", 2);
    config.overrides["nic.receive_demux"] = "9";
    const WorkloadRun run = RunWorkload(config, "ping-pong", {{"rounds", "1"}});
    const std::vector<std::string> work = WorkOf(RowsOf(run, "0.0.0"));
    BOOST_TEST((std::count(work.begin(), work.end(), "demux n1.nic-receive 9") == 1));
}

BOOST_AUTO_TEST_CASE(TheFlightIsThatOfTheCable)
{
    const LinkCosts link = LinkCosts::From(ProviderProfile::Load(CARD));
    for (const BreakdownRow& row : RowsOf(PingPong("star", 4), "0.0.0"))
    {
        if (row.stage == "propagate")
        {
            BOOST_TEST(row.end - row.start == link.flight);
        }
    }
}

BOOST_AUTO_TEST_CASE(AWaitOfAMessageAloneIsForAnEdgeOrAPoll)
{
    for (const std::uint64_t seed : {1U, 2U, 3U})
    {
        const WorkloadRun run = PingPong("star", 4, seed);
        BOOST_TEST(IsAlone(RowsOf(run, "0.0.1")));
        BOOST_TEST(IsAlone(RowsOf(run, "1.0.1")));
    }
}

BOOST_AUTO_TEST_CASE(AnEdgeIsNeverWaitedForLongerThanAPeriod)
{
    for (const BreakdownRow& row : PingPong("star", 4096).breakdown)
    {
        BOOST_TEST((row.stage != "align" || row.end - row.start < 30'000), row.owner);
    }
}

BOOST_AUTO_TEST_CASE(RowsTileTheLifeOfMessagesOfEverySize)
{
    for (const std::uint32_t size : SIZES)
    {
        BOOST_TEST(EveryMessageIsTiled(PingPong("star", size)), "star " << size);
        BOOST_TEST(EveryMessageIsTiled(PingPong("back-to-back", size)), "back-to-back " << size);
    }
}

BOOST_AUTO_TEST_CASE(RowsTileThroughManySwitches)
{
    WorkloadRun run = RunWorkload(Recorded("fat-tree:k=2,n=4", 16), "barrier", {{"rounds", "3"}});
    BOOST_TEST(EveryMessageIsTiled(run));
}

BOOST_AUTO_TEST_CASE(RowsTileUnderCrossTraffic)
{
    for (const std::string size : {"16", "4096"})
    {
        BOOST_TEST(EveryMessageIsTiled(
            RunWorkload(Recorded("star", 6), "all-to-all", {{"size", size}, {"rounds", "3"}})));
    }
    BOOST_TEST(EveryMessageIsTiled(RunWorkload(Recorded("star", 7), "barrier", {{"rounds", "3"}})));
    BOOST_TEST(EveryMessageIsTiled(
        RunWorkload(Recorded("star", 2), "stream", {{"messages", "40"}, {"size", "5000"}})));
}

BOOST_AUTO_TEST_CASE(RowsTileInReferenceMode)
{
    ClusterConfig config = Recorded("star", 4);
    config.reference = true;
    BOOST_TEST(EveryMessageIsTiled(
        RunWorkload(config, "all-to-all", {{"size", "1000"}, {"rounds", "2"}})));
}

BOOST_AUTO_TEST_CASE(CrossTrafficShowsAsWaits)
{
    ClusterConfig config = Recorded("star", 64);
    config.overrides["link.credits"] = "32";
    const WorkloadRun run = RunWorkload(config, "all-to-all", {{"rounds", "1"}});
    std::set<std::string> stages;
    for (const BreakdownRow& row : run.breakdown)
    {
        stages.insert(row.stage);
    }
    for (const std::string wait : {"bus-wait", "engine-wait", "link-wait", "credit-wait"})
    {
        BOOST_TEST(stages.count(wait) == 1U, wait);
    }
    BOOST_TEST(EveryMessageIsTiled(run));
}

BOOST_AUTO_TEST_CASE(ThePauseAfterACongestionNoticeIsAWaitOfItsOwn)
{
    ClusterConfig config = Recorded("star", 6);
    config.overrides["switch.feedback_mark"] = "4";
    config.overrides["nic.feedback_pause"] = "20000";
    const WorkloadRun run = RunWorkload(config, "reduce", {{"size", "9000"}, {"rounds", "3"}});
    BOOST_TEST(std::any_of(run.breakdown.begin(), run.breakdown.end(), [](const auto& row) {
        return row.stage == "congestion-wait";
    }));
    BOOST_TEST(EveryMessageIsTiled(run));
}

BOOST_AUTO_TEST_CASE(PingProgramAndPongTileEveryRoundTrip)
{
    for (const std::uint32_t size : SIZES)
    {
        const WorkloadRun run = PingPong("star", size);
        for (std::uint32_t round = 0; round < 3; ++round)
        {
            const std::string n = std::to_string(round);
            std::vector<BreakdownRow> rows = RowsOf(run, "0.0." + n);
            const std::vector<BreakdownRow> program = RowsOf(run, "1.program." + n);
            const std::vector<BreakdownRow> pong = RowsOf(run, "1.0." + n);
            const Ps start = rows.at(0).start;
            rows.insert(rows.end(), program.begin(), program.end());
            rows.insert(rows.end(), pong.begin(), pong.end());
            BOOST_TEST(Tile(rows, start, start + run.samples[round]), size << " bytes");
        }
    }
}

BOOST_AUTO_TEST_CASE(RowsOfWorkLastTheirCyclesOfTheirClock)
{
    for (const BreakdownRow& row : PingPong("star", 5000).breakdown)
    {
        if (row.clockHz == 0 || row.cycles == 0)
        {
            continue;
        }
        const ClockDomain clock(Frequency{row.clockHz, 1});
        const Ps span = clock.Span(Cycles(row.cycles));
        const bool whole = row.start != 0 && row.end - row.start <= span + 2;
        BOOST_TEST(whole, row.stage << " of " << row.owner << " in " << row.message);
    }
}

BOOST_AUTO_TEST_SUITE_END()
