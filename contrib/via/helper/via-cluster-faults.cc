/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
// A cluster: what its faults need of it.

#include "ns3/via-cluster.h"
#include "ns3/via-fault-driver.h"

namespace ns3
{
namespace via
{

void
Cluster::BuildFaults()
{
    if (!m_config.plan.IsEmpty())
    {
        m_faults =
            std::make_unique<FaultDriver>(*this, m_config.plan.Expand(m_topology, m_config.seed));
    }
}

std::vector<std::uint32_t>
Cluster::KillProcesses(std::uint32_t node)
{
    std::vector<std::uint32_t> killed;
    for (const auto& process : m_processes)
    {
        if (process->GetHost().Id() == node && !process->HasEnded())
        {
            process->Kill();
            killed.push_back(process->Rank());
        }
    }
    if (m_workload != nullptr)
    {
        for (const auto& process : m_workload->Processes())
        {
            if (process != nullptr && process->GetHost().Id() == node && !process->HasFinished())
            {
                process->Kill();
                killed.push_back(process->Rank());
            }
        }
    }
    return killed;
}

void
Cluster::StartAgain(std::uint32_t number, Ps at)
{
    const auto known = m_makers.find(number);
    if (known != m_makers.end()) // a workload's processes do not
    {
        const auto [node, make] = known->second;
        StartNew(node, make, at, PS_NEVER);
    }
}

std::vector<const Link*>
Cluster::Links() const
{
    std::vector<const Link*> links;
    for (const auto& uplink : m_uplinks)
    {
        links.push_back(uplink.get());
    }
    for (const auto& one : m_switches)
    {
        for (std::uint32_t port = 0; port < one->PortCount(); ++port)
        {
            links.push_back(&one->Out(port));
        }
    }
    return links;
}

} // namespace via
} // namespace ns3
