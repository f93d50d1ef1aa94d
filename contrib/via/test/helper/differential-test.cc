/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
// Fast mode against reference mode on random clusters, half of them contended.

#include "../support/via-test-cluster-bench.h"
#include "../support/via-test-two-modes.h"

#include "ns3/via-scramble.h"

#include <algorithm>
#include <boost/test/unit_test.hpp>

using namespace ns3::via;
using namespace ns3::via::test;

namespace
{

/// Choices that follow from a number, the same on every machine.
class Choices
{
  public:
    explicit Choices(std::uint64_t seed)
        : m_state(Scramble(seed))
    {
    }

    /// A number from @p least to @p most.
    std::uint64_t Number(std::uint64_t least, std::uint64_t most)
    {
        m_state = Scramble(m_state + 1);
        return least + m_state % (most - least + 1);
    }

    std::string Text(std::uint64_t least, std::uint64_t most)
    {
        return std::to_string(Number(least, most));
    }

    template <std::size_t N>
    std::string OneOf(const char* const (&choices)[N])
    {
        return choices[Number(0, N - 1)];
    }

  private:
    std::uint64_t m_state;
};

/// One experiment.
struct Draw
{
    ClusterConfig config;
    std::string workload;
    Parameters parameters;
    std::string shown; ///< to repeat it
};

/// Half of all messages are short, the others anything up to 64 KiB.
std::string
AnySize(Choices& choices)
{
    return choices.Number(0, 1) == 0 ? choices.Text(0, 600) : choices.Text(0, 65536);
}

void
ChangeHardware(Choices& choices, ClusterConfig& config)
{
    const std::uint64_t cells = choices.Number(1, 12);
    config.overrides["nic.dma_burst"] = std::to_string(48 * cells);
    config.overrides["nic.transmit_buffer"] =
        std::to_string(std::max<std::uint64_t>(64, 48 * cells * choices.Number(1, 9)));
    config.overrides["link.credits"] =
        choices.Text(std::max<std::uint64_t>(cells, 8), 4 * cells + 60);
    config.overrides["link.cable_length_mm"] = choices.Text(100, 300'000);
    config.overrides["nic.clock"] = choices.OneOf({"33 MHz", "62.5 MHz", "400/3 MHz", "1 GHz"});
    config.overrides["switch.latency"] = choices.Text(1, 200);
    config.overrides["nic.receive_residual"] = choices.Text(0, 300);
    config.overrides["nic.tpt_lookup"] = choices.Text(0, 60);
}

std::string
Shown(const Draw& draw)
{
    std::string text = draw.workload + " on " + std::to_string(draw.config.nodes) + " nodes, " +
                       draw.config.topology + ", seed " + std::to_string(draw.config.seed);
    for (const auto& settings :
         {draw.parameters, Parameters(draw.config.overrides.begin(), draw.config.overrides.end())})
    {
        for (const auto& [key, value] : settings)
        {
            text += ", " + key + "=" + value;
        }
    }
    return text;
}

Draw
Quiet(std::uint64_t seed)
{
    Choices choices(seed);
    Draw draw;
    draw.config = Recorded(choices.OneOf({"star", "crossbar", "back-to-back"}), 2, seed);
    draw.workload = "ping-pong";
    draw.parameters = {{"rounds", "3"}, {"size", AnySize(choices)}};
    ChangeHardware(choices, draw.config);
    draw.shown = Shown(draw);
    return draw;
}

Draw
Contended(std::uint64_t seed)
{
    Choices choices(seed);
    Draw draw;
    draw.config = Recorded(choices.OneOf({"star", "crossbar", "fat-tree:k=4,n=2"}),
                           static_cast<std::uint32_t>(choices.Number(2, 8)),
                           seed);
    draw.workload = choices.OneOf({"all-to-all", "barrier", "stream"});
    const std::string count = choices.Text(2, 6);
    draw.parameters = {
        {"size", draw.workload == "barrier" ? choices.Text(8, 9000) : AnySize(choices)},
        {draw.workload == "stream" ? "messages" : "rounds", count}};
    ChangeHardware(choices, draw.config);
    draw.shown = Shown(draw);
    return draw;
}

constexpr std::uint64_t DRAWS = 250;

} // namespace

BOOST_AUTO_TEST_SUITE(DifferentialTest)

// Where credits are so few that cells leave with gaps between them, the fast mode keeps the cells
// of a group together: one draw of these shows it.
BOOST_AUTO_TEST_CASE(OneMessageInFlightIsEqualOnRandomHardware, *boost::unit_test::label("ci"))
{
    std::uint64_t unequal = 0;
    for (std::uint64_t seed = 1; seed <= DRAWS; ++seed)
    {
        const Draw draw = Quiet(seed);
        const TwoModes modes = RunBothModes(draw.config, draw.workload, draw.parameters);
        const Ps most = modes.Differences().back();
        unequal += most == 0 ? 0 : 1;
        BOOST_TEST(modes.SameMessagesInTheSameOrder(), draw.shown);
        BOOST_WARN_MESSAGE(most == 0, draw.shown << ": " << most << " ps");
    }
    BOOST_TEST(unequal <= 1U);
}

BOOST_AUTO_TEST_CASE(MostContendedMessagesDifferByACellInTheMedianAndABurstAtMost,
                     *boost::unit_test::label("ci"))
{
    std::uint64_t medians = 0;
    std::uint64_t maxima = 0;
    for (std::uint64_t seed = 1; seed <= DRAWS; ++seed)
    {
        const Draw draw = Contended(seed);
        const TwoModes modes = RunBothModes(draw.config, draw.workload, draw.parameters);
        const std::vector<Ps> differences = modes.Differences();
        const Ps median = differences[differences.size() / 2];
        BOOST_TEST(modes.SameMessagesInTheSameOrder(), draw.shown);
        medians += median <= modes.CellTime() ? 1 : 0;
        maxima += differences.back() <= modes.BurstTime() ? 1 : 0;
        BOOST_TEST_MESSAGE(draw.shown << ": median " << median << ", most " << differences.back());
    }
    BOOST_TEST_MESSAGE("within the aim: " << medians << " medians, " << maxima << " maxima of "
                                          << DRAWS);
    BOOST_TEST(medians * 4 >= DRAWS * 3);
    BOOST_TEST(maxima * 10 >= DRAWS * 9);
}

BOOST_AUTO_TEST_SUITE_END()
