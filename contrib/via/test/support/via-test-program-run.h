/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
// Runs built programs on a cluster, and returns their output.

#ifndef VIA_TEST_PROGRAM_RUN_H
#define VIA_TEST_PROGRAM_RUN_H

#include "ns3/via-cluster.h"

#include <string>
#include <vector>

namespace ns3
{
namespace via
{
namespace test
{

/// Exit and standard output of a program.
struct ProgramRun
{
    RunExit exit;
    ProcessReport process;
    std::string digest;
    std::string out;
};

/// Runs the program at @p path alone on a node.
ProgramRun RunProgram(const std::string& path, const std::vector<std::string>& arguments = {});

/// The arguments of one process.
using Arguments = std::vector<std::string>;

/**
 * @brief Runs a program once on each of the first nodes; all must succeed.
 * @param program path of a shared object made by `via cc`
 * @param arguments arguments of each process
 * @return their standard output, each line after "[n3.0] "
 */
std::string RunOnNodes(const std::string& program,
                       const std::vector<Arguments>& arguments,
                       ClusterConfig config = {});

/// The results of a run of one program in several processes.
struct SharedRun
{
    RunReport report;
    std::string out;
};

/// Runs a program with the same arguments in @p perNode processes on each node of @p config.
/// @param environment NAME=VALUE
SharedRun RunOnEachNode(const std::string& program,
                        const Arguments& arguments,
                        std::uint32_t perNode,
                        const ClusterConfig& config,
                        const std::vector<std::string>& environment = {});

bool Contains(const std::string& text, const std::string& part);

} // namespace test
} // namespace via
} // namespace ns3

#endif // VIA_TEST_PROGRAM_RUN_H
