/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
// Random clusters: products, hardware, fabrics, protocols, transports and faults that follow from a
// number.

#include "via-test-random-clusters.h"

#include "ns3/via-error.h"
#include "ns3/via-profile-reader.h"
#include "ns3/via-scramble.h"

#include <algorithm>
#include <memory>

namespace ns3
{
namespace via
{
namespace test
{

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

/// Settings of a draw, each of which a product, a workload or a host may refuse.
using Options = std::map<std::string, std::string>;

/// Draws @p key in one of @p outOf cases.
template <std::size_t N>
void
Maybe(Choices& choices,
      Options& options,
      std::uint64_t outOf,
      const std::string& key,
      const char* const (&values)[N])
{
    const std::string value = choices.OneOf(values); // all draws take the same numbers
    if (choices.Number(1, outOf) == 1)
    {
        options[key] = value;
    }
}

/// Forgets the option of @p draw that @p refusal names. @return whether there is one
bool
Forget(Draw& draw, const std::string& refusal)
{
    for (Options* options : {&draw.config.overrides, &draw.parameters})
    {
        for (auto option = options->begin(); option != options->end(); ++option)
        {
            if (refusal.find(option->first) != std::string::npos)
            {
                options->erase(option);
                return true;
            }
        }
    }
    return false;
}

/// Leaves out what the product, the host or the workload of @p draw does not have.
void
Admit(Draw& draw)
{
    for (;;)
    {
        try
        {
            Cluster cluster(draw.config);
            cluster.AddWorkload(draw.workload, draw.parameters);
            return;
        }
        catch (const ConfigError& error)
        {
            if (!Forget(draw, error.what()))
            {
                if (draw.workload == "barrier")
                {
                    throw;
                }
                draw.workload = "barrier"; // every product has it
                draw.parameters = {{"rounds", "2"}};
            }
        }
    }
}

} // namespace

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

Draw
AnyOptions(std::uint64_t seed)
{
    Choices choices(seed);
    const std::vector<std::string> products = ProductNames();
    Draw draw;
    draw.config = Config(choices.OneOf({"star",
                                        "crossbar",
                                        "fat-tree:k=4,n=2",
                                        "fat-tree:k=4,n=2,routing=adaptive",
                                        "torus:4x4",
                                        "star,rails=2",
                                        "torus:4x4,rails=2"}),
                         static_cast<std::uint32_t>(choices.Number(2, 12)),
                         seed);
    draw.config.profile = products[choices.Number(0, products.size() - 1)];
    draw.config.stop = 200'000 * PS_PER_US; // what a kernel's UDP loses, some wait for
    draw.workload = choices.OneOf({"all-to-all",
                                   "chain-replication",
                                   "gossip",
                                   "mscs-heartbeat",
                                   "mscs-join",
                                   "mscs-global-update",
                                   "multi-paxos",
                                   "paxos",
                                   "primary-backup",
                                   "raft",
                                   "reduce",
                                   "request-reply",
                                   "ricart-agrawala",
                                   "three-phase-commit",
                                   "token-ring",
                                   "tree-barrier",
                                   "view-synchrony",
                                   "sequencer"});
    draw.parameters["rounds"] = choices.Text(1, 4);
    Maybe(choices,
          draw.parameters,
          2,
          "transport",
          {"via-send", "via-rdma-write", "kernel-udp", "kernel-tcp"});
    Maybe(choices, draw.parameters, 3, "size", {"16", "64", "1000", "4096", "20000"});
    Options& overrides = draw.config.overrides;
    Maybe(choices, overrides, 2, "link.credits", {"8", "12", "20", "64"});
    Maybe(choices, overrides, 3, "switch.latency", {"1", "20", "100"});
    Maybe(choices, overrides, 3, "link.cable_length_mm", {"100", "5000", "50000"});
    Maybe(choices, overrides, 4, "link.lanes", {"2"});
    Maybe(choices, overrides, 3, "cpu.count", {"1", "2", "4"});
    Maybe(choices, overrides, 4, "switch.queueing", {"voq", "fifo"});
    Maybe(choices, overrides, 4, "switch.arbitration", {"round-robin", "oldest-first"});
    Maybe(choices, overrides, 4, "switch.buffer_cells", {"8", "40"});
    Admit(draw);
    draw.shown = draw.config.profile + ", " + Shown(draw);
    return draw;
}

} // namespace test
} // namespace via
} // namespace ns3
