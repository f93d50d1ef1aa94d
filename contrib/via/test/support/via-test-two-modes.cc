/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
// Runs a workload in fast mode and in reference mode, and compares the two.

#include "via-test-two-modes.h"

#include "ns3/via-link.h"
#include "ns3/via-nic-costs.h"

#include <tuple>

namespace ns3
{
namespace via
{
namespace test
{

namespace
{

/// Identifies a message: sender, VI, number.
using Name = std::tuple<std::uint32_t, std::uint32_t, std::uint32_t>;

Name
NameOf(const MessageRow& row)
{
    return {row.sourceRank, row.vi, row.sequence};
}

std::map<Name, std::uint64_t>
Sizes(const WorkloadRun& run)
{
    std::map<Name, std::uint64_t> sizes;
    for (const MessageRow& row : run.messages)
    {
        sizes[NameOf(row)] = row.bytes;
    }
    return sizes;
}

/// True if the messages of each VI ended in the order in which they were sent.
bool
InOrderPerVi(const WorkloadRun& run)
{
    std::map<std::pair<std::uint32_t, std::uint32_t>, std::pair<std::uint32_t, Ps>> last;
    for (const MessageRow& row : run.messages)
    {
        auto& [next, end] = last[{row.sourceRank, row.vi}];
        if (row.sequence != next || row.end < end)
        {
            return false;
        }
        ++next;
        end = row.end;
    }
    return true;
}

/// What a run tells of itself, apart from how it was computed.
auto
Results(const RunReport& report)
{
    using Process = std::tuple<std::uint32_t, int, Ps, Ps, Ps, std::string>;
    std::vector<Process> processes;
    for (const ProcessReport& one : report.processes)
    {
        processes.emplace_back(one.rank, one.exit, one.end, one.cpu, one.system, one.report);
    }
    return std::make_tuple(report.digest,
                           report.payloadDigest,
                           report.end,
                           report.messages,
                           report.nodeCpu,
                           report.cellsCorrupt,
                           report.cellsLost,
                           report.exit,
                           processes);
}

} // namespace

bool
TwoModes::AreEqual() const
{
    return Results(fast.report) == Results(reference.report);
}

bool
TwoModes::SameMessagesInTheSameOrder() const
{
    return Sizes(fast) == Sizes(reference) && InOrderPerVi(fast) && InOrderPerVi(reference) &&
           fast.cellsFromHosts - fast.cellsTold == reference.cellsFromHosts - reference.cellsTold;
}

TwoModes
RunBothModes(ClusterConfig config, const std::string& workload, const Parameters& parameters)
{
    TwoModes modes;
    modes.fast = RunWorkload(config, workload, parameters);
    config.reference = true;
    modes.reference = RunWorkload(config, workload, parameters);
    return modes;
}

} // namespace test
} // namespace via
} // namespace ns3
