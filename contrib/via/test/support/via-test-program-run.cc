/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
// One hosted program on a cluster of one node, and what became of it.

#include "via-test-program-run.h"

#include "via-test-folders.h"

#include <cstdio>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <unistd.h>

namespace ns3
{
namespace via
{
namespace test
{

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
    const auto file = BuildFolder() /
                      ("program-run-output." + std::to_string(getpid()) + ".txt");
    std::fflush(stdout);
    const int before = dup(1);
    FILE* const sink = std::fopen(file.c_str(), "w");
    dup2(fileno(sink), 1);
    const RunReport report = cluster.Run();
    dup2(before, 1);
    close(before);
    std::fclose(sink);
    std::ifstream stream(file);
    ProgramRun run{report.exit, report.processes.at(0), report.digest, {}};
    run.out.assign(std::istreambuf_iterator<char>(stream), {});
    std::filesystem::remove(file);
    return run;
}

} // namespace test
} // namespace via
} // namespace ns3
