/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
// The via side: workloads and a VIPL program on simulated NICs, and the memory of idle VIs.

#include "via-bench-case.h"
#include "via-bench-instructions.h"
#include "via-bench-memory.h"

#include "ns3/via-cluster.h"
#include "ns3/via-error.h"
#include "ns3/via-printed-texts.h"

namespace ns3
{
namespace via
{
namespace bench
{

namespace
{

const MessageLog* g_messages = nullptr;

std::uint64_t
MessagesSoFar()
{
    return g_messages->Count();
}

std::string
WorkloadOf(Exchange exchange)
{
    switch (exchange)
    {
    case Exchange::PING_PONG:
        return "ping-pong";
    case Exchange::BARRIER:
        return "barrier";
    case Exchange::ALL_TO_ALL:
        return "all-to-all";
    }
    return "";
}

ClusterConfig
ConfigFor(const Case& one)
{
    ClusterConfig config;
    config.profile = one.profile;
    config.topology = one.topology;
    config.nodes = one.nodes;
    config.record = one.record;
    return config;
}

/// Adds the workload of @p one.
void
AddWorkload(Cluster& cluster, const Case& one)
{
    cluster.AddWorkload(
        WorkloadOf(one.exchange),
        {{"size", std::to_string(one.bytes)}, {"rounds", std::to_string(one.rounds)}});
}

/// Adds a process of examples/ping-pong.c on each node.
void
AddPrograms(Cluster& cluster, const Case& one)
{
    constexpr std::uint64_t warmUp = 10; // rounds that the program adds to what -n says
    if (one.rounds <= warmUp)
    {
        throw ConfigError("ROUNDS", std::to_string(one.rounds), "more than 10");
    }
    for (std::uint32_t node = 0; node < one.nodes; ++node)
    {
        ProgramSpec spec;
        spec.path = VIA_BENCH_PROGRAM;
        spec.node = node;
        spec.size = one.nodes;
        spec.arguments = {"-s",
                          std::to_string(one.bytes),
                          "-n",
                          std::to_string(one.rounds - warmUp)};
        cluster.AddProgram(spec);
    }
}

} // namespace

Outcome
RunVia(const Case& one)
{
    const PrintedTexts printed; // not for our standard output, which is JSON
    Cluster cluster(ConfigFor(one));
    one.hosted ? AddPrograms(cluster, one) : AddWorkload(cluster, one);
    g_messages = &cluster.GetWorld().messages;
    CountAllocations(&MessagesSoFar, WARM_UP_MESSAGES);
    const InstructionCounter instructions;
    const double begin = CpuSeconds();
    const RunReport report = cluster.Run();
    Outcome outcome;
    outcome.cpuSeconds = CpuSeconds() - begin;
    outcome.instructions = instructions.Count();
    outcome.allocations = StopCountingAllocations();
    outcome.messages = report.messages;
    outcome.events = report.events;
    outcome.digest = report.digest;
    return outcome;
}

double
FatTreeSeconds()
{
    Case shape;
    shape.nodes = 4096;
    shape.topology = "fat-tree:k=16,n=3";
    const ClusterConfig config = ConfigFor(shape);
    const double begin = CpuSeconds();
    const Cluster cluster(config);
    return CpuSeconds() - begin;
}

double
IdleViBytes()
{
    constexpr std::uint32_t pairs = 50'000;
    Cluster cluster(ConfigFor(Case{}));
    const std::uint64_t before = StatusKib("VmRSS");
    Nic& a = cluster.NicAt(0);
    Nic& b = cluster.NicAt(1);
    const std::uint32_t ownerOfA = a.GetHandles().Open(nullptr);
    const std::uint32_t ownerOfB = b.GetHandles().Open(nullptr);
    ViAttributes attributes;
    attributes.reliability = Reliability::RELIABLE_DELIVERY;
    attributes.maxTransfer = a.Limits().transferBytes;
    for (std::uint32_t i = 0; i < pairs; ++i)
    {
        VirtualInterface& left = a.GetHandles().CreateVi(attributes, ownerOfA, 0, nullptr, nullptr);
        VirtualInterface& right =
            b.GetHandles().CreateVi(attributes, ownerOfB, 1, nullptr, nullptr);
        const ConnectionId connection = a.GetViConnections().NewConnection();
        a.GetViConnections().Connect(left, 1, right.id, connection);
        b.GetViConnections().Connect(right, 0, left.id, connection);
    }
    return static_cast<double>(StatusKib("VmRSS") - before) * 1024 / (2 * pairs);
}

} // namespace bench
} // namespace via
} // namespace ns3
