/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
// Sums the reports of the partitions of a run.

#include "via-report-sum.h"

namespace ns3
{
namespace via
{

namespace
{

void
AddCpu(const std::map<std::string, Ps>& from, std::map<std::string, Ps>& to)
{
    for (const auto& [stage, spent] : from)
    {
        to[stage] += spent;
    }
}

void
AddNodeCpu(const NodeCpuTimes& from, NodeCpuTimes& to)
{
    to.nodes = from.nodes;
    for (const auto& [stage, column] : from.stages)
    {
        for (std::uint32_t node = 0; node < from.nodes; ++node)
        {
            to.Add(stage, node, column[node]);
        }
    }
}

void
AddFaults(const std::vector<FaultRow>& from, std::vector<FaultRow>& to)
{
    if (to.empty())
    {
        to = from; // the plan is the same for all
        return;
    }
    for (std::size_t i = 0; i < from.size(); ++i)
    {
        to[i].corrupt += from[i].corrupt;
        to[i].lost += from[i].lost;
        to[i].killed += from[i].killed;
    }
}

} // namespace

void
AddReport(const RunReport& one, RunReport& all)
{
    all.events += one.events;
    all.messages += one.messages;
    all.processes.insert(all.processes.end(), one.processes.begin(), one.processes.end());
    AddCpu(one.cpu, all.cpu);
    AddNodeCpu(one.nodeCpu, all.nodeCpu);
    all.translationHits += one.translationHits;
    all.translationMisses += one.translationMisses;
    all.cellsCorrupt += one.cellsCorrupt;
    all.cellsLost += one.cellsLost;
    AddFaults(one.faults, all.faults);
    all.plugIn = all.plugIn.empty() ? one.plugIn : all.plugIn;
}

} // namespace via
} // namespace ns3
