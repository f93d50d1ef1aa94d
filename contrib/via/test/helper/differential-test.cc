/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
// Random clusters, most of them contended, against the reference mode: the digests are equal.

#include "../support/via-test-cluster-bench.h"
#include "../support/via-test-two-modes.h"

#include "ns3/via-profile-reader.h"
#include "ns3/via-scramble.h"

#include <algorithm>
#include <boost/test/unit_test.hpp>
#include <memory>

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
    draw.config = Config(choices.OneOf({"star", "crossbar", "back-to-back"}), 2, seed);
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
    draw.config = Config(choices.OneOf({"star", "crossbar", "fat-tree:k=4,n=2"}),
                         static_cast<std::uint32_t>(choices.Number(2, 8)),
                         seed);
    draw.workload = choices.OneOf({"all-to-all", "barrier", "stream"});
    const std::string count = choices.Text(2, 6);
    draw.parameters = {
        {"size", draw.workload == "barrier" ? choices.Text(8, 9000) : AnySize(choices)},
        {draw.workload == "stream" ? "messages" : "rounds", count}};
    if (draw.workload == "all-to-all")
    {
        std::string& size = draw.parameters["size"];
        size = std::to_string(std::max(std::stoul(size), 16UL)); // less is refused
    }
    ChangeHardware(choices, draw.config);
    draw.shown = Shown(draw);
    return draw;
}

/// Small numbers, so that even large clusters take a moment.
Parameters
ParametersOf(const std::string& workload, Choices& choices)
{
    Parameters parameters;
    if (workload == "stream")
    {
        parameters["messages"] = choices.Text(1, 40);
    }
    else
    {
        parameters["rounds"] = choices.Text(1, 4);
    }
    if (workload == "stream" || workload == "all-to-all" || workload == "all-gather" ||
        workload == "broadcast")
    {
        parameters["size"] = choices.OneOf({"16", "100", "1000", "4096", "20000"});
    }
    return parameters;
}

void
AddFaults(Choices& choices, ClusterConfig& config)
{
    PlannedFault fault;
    fault.kind = choices.Number(0, 2) > 0 ? FaultKind::LOSS : FaultKind::LINK_DOWN;
    fault.loss.corrupt = choices.Number(1, 30) * 1'000'000;
    fault.loss.vanish = choices.Number(0, 5) * 1'000'000;
    if (fault.kind == FaultKind::LINK_DOWN)
    {
        fault.where = "n" + choices.Text(0, config.nodes - 1);
        fault.when.from = static_cast<Ps>(choices.Number(1, 400)) * PS_PER_US;
        fault.when.until = fault.when.from + static_cast<Ps>(choices.Number(5, 3000)) * PS_PER_US;
    }
    config.plan.faults.push_back(fault);
}

/// Any product and protocol, a third of them with faults.
Draw
AnyProduct(std::uint64_t seed)
{
    Choices choices(seed);
    const std::vector<std::string> products = ProductNames();
    Draw draw;
    draw.config.topology =
        choices.OneOf({"star", "crossbar", "fat-tree:k=4,n=2", "fat-tree:k=2,n=4", "torus:4x4"});
    draw.config.nodes = static_cast<std::uint32_t>(choices.Number(2, 12));
    draw.config.seed = seed;
    draw.workload = choices.OneOf({"barrier",
                                   "stream",
                                   "all-to-all",
                                   "all-gather",
                                   "all-reduce",
                                   "broadcast",
                                   "central-barrier",
                                   "raft",
                                   "two-phase-commit",
                                   "sequencer",
                                   "lock-server",
                                   "request-reply",
                                   "mscs-regroup",
                                   "socket-ping-pong"});
    const bool isKernels = draw.workload == "socket-ping-pong"; // some hosts have no kernel
    draw.config.profile = isKernels ? choices.OneOf({"giganet-clan1000", "gm-lanai9-200", "ideal"})
                                    : products[choices.Number(0, products.size() - 1)];
    draw.parameters = ParametersOf(draw.workload, choices);
    draw.shown = draw.config.profile + ", " + Shown(draw);
    if (choices.Number(0, 2) == 0)
    {
        AddFaults(choices, draw.config);
        draw.shown += ", with faults";
    }
    return draw;
}

/// What @p choices give a cable; half of all are the product's.
WireSpec
AnyWire(Choices& choices, const ProviderProfile& profile)
{
    WireSpec wire;
    if (choices.Number(0, 1) == 0)
    {
        return wire;
    }
    const std::uint32_t least =
        std::max(profile.Number32("nic.dma_burst") / profile.Number32("link.cell_payload"), 1U);
    const bool hasCredits = profile.Word("link.flow_control") == "credits";
    const std::uint64_t longest = hasCredits ? 300'000 : 3'000; // marks leave room for little more
    const std::uint64_t fastest = hasCredits ? 8'000 : 1'000;
    wire.lengthMm = choices.Number(0, 1) == 0 ? 0 : choices.Number(100, longest);
    wire.rateMbitS = choices.Number(0, 1) == 0 ? 0 : choices.Number(50, fastest);
    wire.cells = !hasCredits || choices.Number(0, 1) == 0 ? 0 : choices.Number(least, 3 * least);
    return wire;
}

/// As AnyProduct, with cables that differ.
Draw
AnyCables(std::uint64_t seed)
{
    Draw draw = AnyProduct(seed);
    Choices choices(~seed);
    const ProviderProfile profile = ProviderProfile::Load(draw.config.profile);
    auto topology =
        std::make_shared<Topology>(ParseTopology(draw.config.topology, draw.config.nodes, profile));
    for (Cable& cable : topology->cables)
    {
        cable.wire = AnyWire(choices, profile);
    }
    draw.config.graph = topology;
    draw.shown += ", other cables";
    return draw;
}

/// Clusters of cLAN in whose switches much waits: at outputs, at inputs, on adaptive routes, and
/// with many congestion notices.
Draw
Crowded(std::uint64_t seed)
{
    Choices choices(seed);
    Draw draw;
    draw.config = Config(choices.OneOf({"star",
                                        "crossbar",
                                        "fat-tree:k=4,n=2",
                                        "fat-tree:k=4,n=2,routing=adaptive",
                                        "torus:4x4"}),
                         static_cast<std::uint32_t>(choices.Number(3, 12)),
                         seed);
    draw.workload = choices.OneOf({"reduce",
                                   "all-to-all",
                                   "all-gather",
                                   "all-reduce",
                                   "sequencer",
                                   "primary-backup",
                                   "request-reply"});
    draw.parameters = ParametersOf(draw.workload, choices);
    ChangeHardware(choices, draw.config);
    const std::string queueing = choices.OneOf({"output", "output", "fifo", "voq"});
    draw.config.overrides["switch.queueing"] = queueing;
    if (queueing != "output")
    {
        draw.config.overrides["switch.arbitration"] =
            choices.OneOf({"round-robin", "oldest-first"});
    }
    draw.config.overrides["switch.feedback_mark"] =
        choices.OneOf({"1", "2", "4", "8", "30", "9999"});
    draw.config.overrides["nic.feedback_pause"] = choices.OneOf({"5", "100", "1000", "20000"});
    draw.shown = Shown(draw);
    return draw;
}

/// As AnyProduct, but stopped at an instant at which much is under way.
Draw
StoppedAnywhere(std::uint64_t seed)
{
    Draw draw = AnyProduct(seed);
    Choices choices(~seed);
    const std::uint64_t scale = choices.Number(0, 3);
    draw.config.stop = static_cast<Ps>(choices.Number(10'000'000, 90'000'000)) << (2 * scale);
    draw.shown += ", stopped at " + std::to_string(draw.config.stop) + " ps";
    return draw;
}

/// As AnyProduct, with hosts that crash and cards that are reset.
Draw
HostsThatFail(std::uint64_t seed)
{
    Draw draw = AnyProduct(seed);
    Choices choices(~seed);
    for (std::uint64_t left = choices.Number(1, 3); left > 0; --left)
    {
        PlannedFault fault;
        fault.kind = choices.Number(0, 1) == 0 ? FaultKind::NODE_CRASH : FaultKind::NIC_RESET;
        fault.where = "n" + choices.Text(0, draw.config.nodes - 1);
        fault.when.from = static_cast<Ps>(choices.Number(1, 900)) * PS_PER_US;
        fault.when.until = fault.when.from + static_cast<Ps>(choices.Number(5, 3000)) * PS_PER_US;
        draw.config.plan.faults.push_back(fault);
        draw.shown += ", " + std::string(FaultKindName(fault.kind)) + " of " + fault.where +
                      " from " + std::to_string(fault.when.from) + " ps";
    }
    draw.config.stop = 60'000 * PS_PER_US;
    return draw;
}

/// Compares the modes on the clusters that @p make draws for seeds from @p first to @p last.
void
Compare(Draw (*make)(std::uint64_t), std::uint64_t first, std::uint64_t last)
{
    for (std::uint64_t seed = first; seed <= last; ++seed)
    {
        const Draw draw = make(seed);
        const TwoModes modes = RunBothModes(draw.config, draw.workload, draw.parameters);
        BOOST_TEST(modes.AreEqual(), draw.shown);
        const bool isOver = modes.fast.report.exit == RunExit::SUCCESS;
        const bool mayEnd = draw.config.plan.IsEmpty() && draw.config.stop == PS_NEVER;
        BOOST_TEST((isOver || !mayEnd), draw.shown << " does not end");
    }
}

} // namespace

BOOST_AUTO_TEST_SUITE(DifferentialTest)

BOOST_AUTO_TEST_CASE(OneMessageInFlightIsEqualOnRandomHardware, *boost::unit_test::label("ci"))
{
    Compare(Quiet, 1, 250);
}

BOOST_AUTO_TEST_CASE(ContendedClustersAreEqual)
{
    Compare(Contended, 1, 40);
}

BOOST_AUTO_TEST_CASE(ManyContendedClustersAreEqual, *boost::unit_test::label("ci"))
{
    Compare(Contended, 41, 300);
}

BOOST_AUTO_TEST_CASE(ProductsAndProtocolsAreEqual)
{
    Compare(AnyProduct, 1, 60);
}

BOOST_AUTO_TEST_CASE(ManyProductsAndProtocolsAreEqual, *boost::unit_test::label("ci"))
{
    Compare(AnyProduct, 61, 400);
}

BOOST_AUTO_TEST_CASE(CablesThatDifferAreEqual)
{
    Compare(AnyCables, 1, 40);
}

BOOST_AUTO_TEST_CASE(ManyCablesThatDifferAreEqual, *boost::unit_test::label("ci"))
{
    Compare(AnyCables, 41, 300);
}

BOOST_AUTO_TEST_CASE(CrowdedSwitchesAreEqual)
{
    Compare(Crowded, 1, 60);
}

BOOST_AUTO_TEST_CASE(ManyCrowdedSwitchesAreEqual, *boost::unit_test::label("ci"))
{
    Compare(Crowded, 61, 400);
}

BOOST_AUTO_TEST_CASE(RunsThatAreStoppedAreEqual)
{
    Compare(StoppedAnywhere, 1, 60);
}

BOOST_AUTO_TEST_CASE(ManyRunsThatAreStoppedAreEqual, *boost::unit_test::label("ci"))
{
    Compare(StoppedAnywhere, 61, 400);
}

BOOST_AUTO_TEST_CASE(HostsThatFailAreEqual)
{
    Compare(HostsThatFail, 1, 40);
}

BOOST_AUTO_TEST_CASE(ManyHostsThatFailAreEqual, *boost::unit_test::label("ci"))
{
    Compare(HostsThatFail, 41, 300);
}

BOOST_AUTO_TEST_CASE(ClustersThatOnceDifferedAreEqual)
{
    for (const std::uint64_t seed : {40208, 41109, 41735})
    {
        Compare(StoppedAnywhere, seed, seed);
    }
    Compare(HostsThatFail, 53449, 53449);
    for (const std::uint64_t seed : {1265, 19342, 19790, 20569, 21856, 21991})
    {
        Compare(AnyProduct, seed, seed);
    }
}

BOOST_AUTO_TEST_CASE(TwentyFourThousandClustersAreEqual, *boost::unit_test::label("night"))
{
    Compare(Contended, 1'000, 7'000);
    Compare(AnyProduct, 10'000, 22'000);
    Compare(AnyCables, 30'000, 36'000);
}

BOOST_AUTO_TEST_CASE(TwentyThousandCrowdedSwitchesAreEqual, *boost::unit_test::label("night"))
{
    Compare(Crowded, 60'000, 80'000);
}

BOOST_AUTO_TEST_CASE(TenThousandStoppedOrFailingClustersAreEqual, *boost::unit_test::label("night"))
{
    Compare(StoppedAnywhere, 40'000, 46'000);
    Compare(HostsThatFail, 50'000, 54'000);
}

BOOST_AUTO_TEST_SUITE_END()
