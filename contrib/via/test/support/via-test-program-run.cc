/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
// Runs built programs on a cluster, and returns their output.

#include "via-test-program-run.h"

#include "via-test-folders.h"

#include <algorithm>
#include <boost/test/unit_test.hpp>
#include <cstdio>
#include <fstream>
#include <iterator>
#include <unistd.h>

namespace ns3
{
namespace via
{
namespace test
{

namespace
{

/// Runs @p cluster. @return what its processes printed to standard output
std::string
Capture(Cluster& cluster, RunReport& report)
{
    const auto path = BuildFolder() / ("program-run-" + std::to_string(getpid()) + ".txt");
    std::fflush(stdout);
    const int before = dup(1);
    FILE* const file = std::fopen(path.c_str(), "w");
    dup2(fileno(file), 1);
    report = cluster.Run();
    dup2(before, 1);
    close(before);
    std::fclose(file);
    std::ifstream stream(path);
    const std::string text{std::istreambuf_iterator<char>(stream), {}};
    std::filesystem::remove(path);
    return text;
}

} // namespace

ProgramRun
RunProgram(const std::string& path, const std::vector<std::string>& arguments)
{
    ClusterConfig config;
    config.nodes = 1;
    Cluster cluster(config);
    ProgramSpec spec;
    spec.path = path;
    spec.arguments = arguments;
    cluster.AddProgram(spec);
    RunReport report;
    const std::string out = Capture(cluster, report);
    return {report.exit, report.processes.at(0), report.digest, out};
}

std::string
RunOnNodes(const std::string& program,
           const std::vector<Arguments>& arguments,
           ClusterConfig config)
{
    config.nodes = std::max(config.nodes, static_cast<std::uint32_t>(arguments.size()));
    Cluster cluster(config);
    for (std::uint32_t node = 0; node < arguments.size(); ++node)
    {
        ProgramSpec spec;
        spec.path = program;
        spec.node = node;
        spec.size = static_cast<std::uint32_t>(arguments.size());
        spec.arguments = arguments[node];
        spec.prefix = true;
        cluster.AddProgram(spec);
    }
    RunReport report;
    const std::string text = Capture(cluster, report);
    for (const ProcessReport& process : report.processes)
    {
        BOOST_TEST(process.exit == 0, process.report);
    }
    return text;
}

SharedRun
RunOnEachNode(const std::string& program,
              const Arguments& arguments,
              std::uint32_t perNode,
              const ClusterConfig& config,
              const std::vector<std::string>& environment)
{
    Cluster cluster(config);
    for (std::uint32_t rank = 0; rank < config.nodes * perNode; ++rank)
    {
        ProgramSpec spec;
        spec.path = program;
        spec.node = rank / perNode;
        spec.slot = rank % perNode;
        spec.size = config.nodes * perNode;
        spec.arguments = arguments;
        spec.environment = environment;
        cluster.AddProgram(spec);
    }
    SharedRun run;
    run.out = Capture(cluster, run.report);
    return run;
}

bool
Contains(const std::string& text, const std::string& part)
{
    return text.find(part) != std::string::npos;
}

} // namespace test
} // namespace via
} // namespace ns3
