/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
// One hosted program on a cluster of one node, and what became of it.

#ifndef VIA_TEST_PROGRAM_RUN_H
#define VIA_TEST_PROGRAM_RUN_H

#include "ns3/via-cluster.h"

#include <boost/test/unit_test.hpp>
#include <string>
#include <vector>

namespace ns3
{
namespace via
{
namespace test
{

/// How a program ended, and what it printed to standard output.
struct ProgramRun
{
    RunExit exit;
    ProcessReport process;
    std::string digest;
    std::string out;
};

/// Runs the program at @p path on a node of its own.
ProgramRun RunProgram(const std::string& path, const std::vector<std::string>& arguments = {});

} // namespace test
} // namespace via
} // namespace ns3

#endif // VIA_TEST_PROGRAM_RUN_H
