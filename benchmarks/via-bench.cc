/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
// Runs one case on one simulator and prints the result as a line of JSON; bench.py repeats it.

#include "via-bench-case.h"
#include "via-bench-memory.h"

#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <ctime>
#include <exception>

namespace ns3
{
namespace via
{
namespace bench
{

namespace
{

// The rounds give each case about 200,000 messages, the largest barriers more.
constexpr const char* CLAN = "giganet-clan1000";
constexpr Case CASES[] = {
    {"pingpong_8B", Exchange::PING_PONG, 2, 8, 100'000},
    {"vipl_pingpong_8B", Exchange::PING_PONG, 2, 8, 100'000, CLAN, "crossbar", false, true},
    {"pingpong_4KiB", Exchange::PING_PONG, 2, 4096, 50'000},
    {"barrier_64", Exchange::BARRIER, 64, 8, 500},
    {"barrier_256", Exchange::BARRIER, 256, 8, 100},
    {"barrier_1024", Exchange::BARRIER, 1024, 8, 20},
    {"barrier_4096", Exchange::BARRIER, 4096, 8, 10},
    {"barrier_16384", Exchange::BARRIER, 16384, 8, 3},
    {"alltoall_64_4KiB", Exchange::ALL_TO_ALL, 64, 4096, 50},
    {"alltoall_64_4KiB_gnic2", Exchange::ALL_TO_ALL, 64, 4096, 50, "mvia-gnic2"},
    {"alltoall_64_4KiB_gm", Exchange::ALL_TO_ALL, 64, 4096, 50, "gm-lanai9-200"},
    {"recorded_pingpong_8B", Exchange::PING_PONG, 2, 8, 100'000, CLAN, "crossbar", true},
    // its switches can be divided evenly
    {"ranks2_barrier_4096", Exchange::BARRIER, 4096, 8, 10, CLAN, "fat-tree:k=16,n=3"},
};

/// The number of messages in a run of @p one; a run with another number has failed.
std::uint64_t
ExpectedMessages(const Case& one)
{
    const std::uint64_t nodes = one.nodes;
    switch (one.exchange)
    {
    case Exchange::PING_PONG:
        return 2 * one.rounds;
    case Exchange::BARRIER:
        return nodes * BarrierSteps(one.nodes) * one.rounds;
    case Exchange::ALL_TO_ALL:
        return nodes * (nodes - 1) * one.rounds;
    }
    return 0;
}

int
Usage()
{
    std::fprintf(stderr,
                 "usage: via-bench CASE via|MapScheduler|PriorityQueueScheduler [ROUNDS]\n"
                 "       via-bench idle_vi | fat_tree_4096\n"
                 "       via-bench --list\n");
    return 2;
}

int
List()
{
    for (const Case& one : CASES)
    {
        std::printf("%s\n", one.name);
    }
    return 0;
}

int
RunCase(const Case& one, const std::string& side)
{
    const Outcome outcome = side == "via" ? RunVia(one) : RunNs3(one, side);
    if (outcome.messages != ExpectedMessages(one))
    {
        std::fprintf(stderr,
                     "via-bench: %s on %s: wrong count of messages\n",
                     one.name,
                     side.c_str());
        return 1;
    }
    const std::string instructions =
        outcome.instructions ? std::to_string(*outcome.instructions) : "null";
    std::printf("{\"profile\": \"%s\", \"topology\": \"%s\", \"nodes\": %u, \"bytes\": %u, "
                "\"rounds\": %llu, \"messages\": %llu, \"cpu_s\": %.6f, \"events\": %llu, "
                "\"allocations\": %llu, \"instructions\": %s, \"warm_up\": %llu, "
                "\"peak_rss_kib\": %llu, \"digest\": \"%s\"}\n",
                one.profile,
                one.topology,
                one.nodes,
                one.bytes,
                static_cast<unsigned long long>(one.rounds),
                static_cast<unsigned long long>(outcome.messages),
                outcome.cpuSeconds,
                static_cast<unsigned long long>(outcome.events),
                static_cast<unsigned long long>(outcome.allocations),
                instructions.c_str(),
                static_cast<unsigned long long>(WARM_UP_MESSAGES),
                static_cast<unsigned long long>(StatusKib("VmHWM")),
                outcome.digest.c_str());
    return 0;
}

int
Main(int argc, char** argv)
{
    if (argc == 2 && std::strcmp(argv[1], "--list") == 0)
    {
        return List();
    }
    if (argc == 2 && std::strcmp(argv[1], "idle_vi") == 0)
    {
        std::printf("{\"bytes\": %.1f}\n", IdleViBytes());
        return 0;
    }
    if (argc == 2 && std::strcmp(argv[1], "fat_tree_4096") == 0)
    {
        const double seconds = FatTreeSeconds();
        std::printf("{\"build_cpu_s\": %.3f, \"peak_rss_mib\": %.1f}\n",
                    seconds,
                    static_cast<double>(StatusKib("VmHWM")) / 1024);
        return 0;
    }
    const std::string side = argc == 3 || argc == 4 ? argv[2] : "";
    if (side != "via" && side != "MapScheduler" && side != "PriorityQueueScheduler")
    {
        return Usage();
    }
    for (Case one : CASES)
    {
        if (std::strcmp(argv[1], one.name) == 0)
        {
            one.rounds = argc == 4 ? std::strtoull(argv[3], nullptr, 10) : one.rounds;
            return RunCase(one, side);
        }
    }
    return Usage();
}

} // namespace

std::uint32_t
BarrierSteps(std::uint32_t nodes)
{
    std::uint32_t steps = 0;
    while (1U << steps < nodes)
    {
        ++steps;
    }
    return steps;
}

double
CpuSeconds()
{
    timespec now{};
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
    return static_cast<double>(now.tv_sec) + static_cast<double>(now.tv_nsec) * 1e-9;
}

} // namespace bench
} // namespace via
} // namespace ns3

int
main(int argc, char** argv)
{
    try
    {
        return ns3::via::bench::Main(argc, argv);
    }
    catch (const std::exception& error)
    {
        std::fprintf(stderr, "via-bench: %s\n", error.what());
        return 1;
    }
}
