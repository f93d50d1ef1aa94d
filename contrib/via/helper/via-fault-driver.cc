/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
// Makes a plan of faults come true in a cluster.

#include "via-fault-driver.h"

#include "ns3/via-cluster.h"

#include <utility>

namespace ns3
{
namespace via
{

FaultDriver::FaultDriver(Cluster& cluster, std::vector<PlannedFault> faults)
    : m_cluster(cluster)
{
    const FaultPlaces places(cluster.GetTopology());
    for (PlannedFault& fault : faults)
    {
        m_entries.push_back({std::move(fault), {}, 0, {}});
        Wire(places, m_entries.back());
        PlanHost(places, m_entries.size() - 1);
    }
}

void
FaultDriver::Wire(const FaultPlaces& places, Entry& entry)
{
    const PlannedFault& fault = entry.fault;
    switch (fault.kind)
    {
    case FaultKind::LOSS:
        for (const FaultPlaces::Wire& wire : places.Wires(fault.where))
        {
            m_cluster.LinkFrom(wire.from).Faults().AddLoss(fault.when, fault.loss, &entry.toll);
        }
        break;
    case FaultKind::LINK_DOWN:
        Cut(places.Wires(fault.where), entry, false);
        break;
    case FaultKind::SWITCH_DOWN:
    case FaultKind::NIC_RESET:
    case FaultKind::NODE_CRASH:
        Cut(places.Wires(fault.where), entry, true);
        break;
    case FaultKind::PARTITION:
        Divide(places, entry);
        break;
    case FaultKind::SLOW_NODE:
        break;
    }
}

void
FaultDriver::Cut(const std::vector<FaultPlaces::Wire>& wires, Entry& entry, bool wipes)
{
    const PlannedFault& fault = entry.fault;
    const bool isSwitch = fault.kind == FaultKind::SWITCH_DOWN;
    for (const FaultPlaces::Wire& wire : wires)
    {
        // only what dies forgets what it was about to send
        LinkFaults& faults = m_cluster.LinkFrom(wire.from).Faults();
        const std::string sender =
            (wire.from.isSwitch ? "s" : "n") + std::to_string(wire.from.index);
        faults.AddCut(fault.when,
                      wipes && wire.from.isSwitch == isSwitch && sender == fault.where,
                      &entry.toll);
    }
}

void
FaultDriver::Divide(const FaultPlaces& places, Entry& entry)
{
    const auto sets =
        std::make_shared<std::vector<std::uint32_t>>(m_cluster.Config().nodes, 0); // 0: in none
    std::uint32_t number = 0;
    for (const std::vector<std::string>& hosts : entry.fault.sets)
    {
        ++number;
        for (const std::string& host : hosts)
        {
            (*sets)[*places.Host(host)] = number;
        }
    }
    for (const FaultPlaces::Wire& wire : places.Wires("all"))
    {
        if (!wire.from.isSwitch || !wire.to.isSwitch)
        {
            m_cluster.LinkFrom(wire.from).Faults().AddPartition(entry.fault.when,
                                                                sets,
                                                                &entry.toll);
        }
    }
}

void
FaultDriver::PlanHost(const FaultPlaces& places, std::uint64_t index)
{
    Entry& entry = m_entries[index];
    const PlannedFault& fault = entry.fault;
    const bool resets = fault.kind == FaultKind::NIC_RESET;
    const bool crashes = fault.kind == FaultKind::NODE_CRASH;
    const bool slows = fault.kind == FaultKind::SLOW_NODE;
    if (!resets && !crashes && !slows)
    {
        return;
    }
    entry.host = *places.Host(fault.where);
    Host& host = m_cluster.HostAt(entry.host);
    host.Schedule(fault.when.from, Nic::WIRE_PORT, this, BEGIN, index);
    if (fault.when.until != PS_NEVER && (slows || fault.restart))
    {
        host.Schedule(fault.when.until, Nic::WIRE_PORT, this, END, index);
    }
}

void
FaultDriver::OnAgenda(std::uint32_t kind, std::uint64_t index)
{
    Entry& entry = m_entries[index];
    Host& host = m_cluster.HostAt(entry.host);
    host.Remember(index, kind);
    if (entry.fault.kind == FaultKind::SLOW_NODE)
    {
        SetSpeed(entry.host);
    }
    else if (kind == END)
    {
        StartAgain(entry);
    }
    else if (entry.fault.kind == FaultKind::NODE_CRASH)
    {
        Crash(entry);
    }
    else
    {
        ResetNics(entry.host);
    }
}

void
FaultDriver::Crash(Entry& entry)
{
    ResetNics(entry.host); // before the processes: a dead card tells no peer that they have ended
    entry.killed = m_cluster.KillProcesses(entry.host);
    ResetNics(entry.host);
}

void
FaultDriver::ResetNics(std::uint32_t host)
{
    for (std::uint32_t card = 0; card < m_cluster.GetTopology().rails; ++card)
    {
        m_cluster.NicAt(host, card).Reset({m_cluster.HostAt(host).Now(), 0});
    }
}

void
FaultDriver::StartAgain(const Entry& entry)
{
    if (IsDown(entry.host))
    {
        return; // it has crashed again in the meantime
    }
    for (const std::uint32_t number : entry.killed)
    {
        m_cluster.StartAgain(number, entry.fault.when.until);
    }
}

bool
FaultDriver::IsDown(std::uint32_t host) const
{
    const Ps now = m_cluster.HostAt(host).Now();
    for (const Entry& entry : m_entries)
    {
        if (entry.fault.kind == FaultKind::NODE_CRASH && entry.host == host &&
            entry.fault.when.Holds(now))
        {
            return true;
        }
    }
    return false;
}

void
FaultDriver::SetSpeed(std::uint32_t host)
{
    Host& slow = m_cluster.HostAt(host);
    std::uint32_t num = 1;
    std::uint32_t den = 1;
    for (const Entry& entry : m_entries) // the one that began last holds
    {
        const PlannedFault& fault = entry.fault;
        if (fault.kind == FaultKind::SLOW_NODE && entry.host == host &&
            fault.when.Holds(slow.Now()))
        {
            num = fault.num;
            den = fault.den;
        }
    }
    slow.SetSlowness(num, den);
}

std::vector<FaultRow>
FaultDriver::Rows(Ps end) const
{
    std::vector<FaultRow> rows;
    for (const Entry& entry : m_entries)
    {
        const PlannedFault& fault = entry.fault;
        if (fault.when.from <= end)
        {
            rows.push_back({FaultKindName(fault.kind),
                            fault.where,
                            fault.when.from,
                            fault.when.until,
                            entry.toll.corrupt,
                            entry.toll.lost,
                            static_cast<std::uint32_t>(entry.killed.size())});
        }
    }
    return rows;
}

FaultToll
FaultDriver::Total() const
{
    FaultToll total;
    for (const Entry& entry : m_entries)
    {
        total.corrupt += entry.toll.corrupt;
        total.lost += entry.toll.lost;
    }
    return total;
}

} // namespace via
} // namespace ns3
