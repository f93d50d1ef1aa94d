/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
// Applies a plan of faults to a cluster.

#include "via-fault-driver.h"

#include "ns3/via-cluster.h"

#include <algorithm>
#include <map>
#include <set>
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
        m_entries.push_back({std::move(fault), {}});
        Wire(places, m_entries.back());
        PlanHost(places, m_entries.size() - 1);
    }
    PlanSpeeds();
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
            if (Link* link = m_cluster.GetFabric().FindLink(wire.from))
            {
                link->Faults().AddLoss(fault.when, fault.loss, &entry.losses, fault.index);
            }
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
        Link* link = m_cluster.GetFabric().FindLink(wire.from);
        if (link == nullptr)
        {
            continue;
        }
        // only the part that goes down discards its queued cells
        const std::string sender =
            (wire.from.isSwitch ? "s" : "n") + std::to_string(wire.from.index);
        link->Faults().AddCut(fault.when,
                              wipes && wire.from.isSwitch == isSwitch && sender == fault.where,
                              &entry.losses);
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
        Link* link = m_cluster.GetFabric().FindLink(wire.from);
        if (link != nullptr && (!wire.from.isSwitch || !wire.to.isSwitch))
        {
            link->Faults().AddPartition(entry.fault.when, sets, &entry.losses);
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
    if (!resets && !crashes && fault.kind != FaultKind::SLOW_NODE)
    {
        return;
    }
    entry.host = *places.Host(fault.where);
    if (!m_cluster.GetFabric().IsOurs(entry.host) || (!resets && !crashes))
    {
        return; // not here, or its CPUs already know
    }
    Host& host = m_cluster.HostAt(entry.host);
    host.Schedule(fault.when.from, Nic::WIRE_PORT, this, BEGIN, index);
    if (fault.when.until != PS_NEVER && fault.restart)
    {
        host.Schedule(fault.when.until, Nic::WIRE_PORT, this, END, index);
    }
}

void
FaultDriver::OnAgenda(std::uint32_t kind, std::uint64_t index)
{
    Entry& entry = m_entries[index];
    Host& host = m_cluster.HostAt(entry.host);
    host.MixIntoDigest(host.Now(), index, kind);
    if (kind == END)
    {
        Return(entry);
    }
    else if (entry.fault.kind == FaultKind::NODE_CRASH)
    {
        Crash(index);
    }
    else
    {
        ResetNics(entry.host);
    }
}

void
FaultDriver::Crash(std::uint64_t index)
{
    Entry& entry = m_entries[index];
    const PlannedFault& fault = entry.fault;
    ResetNics(entry.host); // before the processes: a dead card does not notify their peers
    const bool returns = m_cluster.NicAt(entry.host).GetTraffic().OnCrash();
    const std::vector<std::uint32_t> killed =
        m_cluster.GetProcesses().Kill(entry.host, fault.when.until);
    entry.killed = killed.size();
    entry.again.insert(entry.again.end(), killed.begin(), killed.end());
    ResetNics(entry.host);
    // or a later crash, which ends last, may say that what this one killed starts again
    const bool goesOn = returns || IsDown(entry.host, fault.when.until);
    if (goesOn && fault.when.until != PS_NEVER && !fault.restart)
    {
        Host& host = m_cluster.HostAt(entry.host);
        host.Schedule(fault.when.until, Nic::WIRE_PORT, this, END, index);
    }
}

void
FaultDriver::ResetNics(std::uint32_t host)
{
    for (std::uint32_t card = 0; card < m_cluster.GetTopology().rails; ++card)
    {
        m_cluster.NicAt(host, card).GetViConnections().Reset({m_cluster.HostAt(host).Now(), 0});
    }
}

void
FaultDriver::Return(Entry& entry)
{
    if (Entry* next = CrashOf(entry.host, entry.fault.when.until))
    {
        // it has crashed again in the meantime: the end of that crash decides about the programs
        next->again.insert(next->again.end(), entry.again.begin(), entry.again.end());
        return;
    }
    m_cluster.NicAt(entry.host).GetTraffic().OnReturn();
    if (entry.fault.restart)
    {
        for (const std::uint32_t number : entry.again)
        {
            m_cluster.GetProcesses().StartAgain(number, entry.fault.when.until);
        }
    }
}

Ps
FaultDriver::NextCrash(std::uint32_t host, Ps from) const
{
    Ps next = PS_NEVER;
    for (const Entry& entry : m_entries)
    {
        if (entry.fault.kind == FaultKind::NODE_CRASH && entry.host == host &&
            entry.fault.when.from >= from)
        {
            next = std::min(next, entry.fault.when.from);
        }
    }
    return next;
}

std::vector<std::pair<Ps, std::uint32_t>>
FaultDriver::Restarts(Ps from, Ps until) const
{
    std::set<std::pair<Ps, std::uint32_t>> restarts;
    for (const Entry& entry : m_entries)
    {
        const PlannedFault& fault = entry.fault;
        const Ps at = fault.when.until;
        if (fault.kind == FaultKind::NODE_CRASH && fault.restart && at > from && at <= until &&
            !IsDown(entry.host, at))
        {
            restarts.emplace(at, entry.host);
        }
    }
    return {restarts.begin(), restarts.end()};
}

bool
FaultDriver::KeepsDown(const Entry& entry, std::uint32_t host, Ps at)
{
    return entry.fault.kind == FaultKind::NODE_CRASH && entry.host == host &&
           entry.fault.when.Holds(at);
}

bool
FaultDriver::IsDown(std::uint32_t host, Ps at) const
{
    return std::any_of(m_entries.begin(), m_entries.end(), [host, at](const Entry& entry) {
        return KeepsDown(entry, host, at);
    });
}

FaultDriver::Entry*
FaultDriver::CrashOf(std::uint32_t host, Ps at)
{
    Entry* last = nullptr;
    for (Entry& entry : m_entries)
    {
        if (KeepsDown(entry, host, at) &&
            (last == nullptr || entry.fault.when.until >= last->fault.when.until))
        {
            last = &entry;
        }
    }
    return last;
}

void
FaultDriver::PlanSpeeds()
{
    std::map<std::uint32_t, std::vector<const PlannedFault*>> slow;
    for (const Entry& entry : m_entries)
    {
        if (entry.fault.kind == FaultKind::SLOW_NODE)
        {
            slow[entry.host].push_back(&entry.fault);
        }
    }
    for (const auto& [host, faults] : slow)
    {
        if (m_cluster.GetFabric().IsOurs(host))
        {
            m_cluster.HostAt(host).SetSpeeds(SpeedsOf(faults));
        }
    }
}

std::vector<SpeedChange>
FaultDriver::SpeedsOf(const std::vector<const PlannedFault*>& faults)
{
    std::map<Ps, std::vector<std::size_t>> changes; // the faults that begin or end at each time
    for (std::size_t i = 0; i < faults.size(); ++i)
    {
        changes[faults[i]->when.from].push_back(i);
        changes[faults[i]->when.until].push_back(i);
    }
    changes.erase(PS_NEVER);
    std::set<std::size_t> present;
    std::vector<SpeedChange> speeds;
    for (const auto& [at, changed] : changes)
    {
        for (const std::size_t i : changed)
        {
            if (faults[i]->when.Holds(at))
            {
                present.insert(i);
            }
            else
            {
                present.erase(i);
            }
        }
        SpeedChange speed;
        speed.at = at;
        if (!present.empty()) // the fault that began last applies
        {
            speed.num = faults[*present.rbegin()]->num;
            speed.den = faults[*present.rbegin()]->den;
        }
        speeds.push_back(speed);
    }
    return speeds;
}

std::vector<FaultRow>
FaultDriver::Rows(Ps end) const
{
    std::vector<FaultRow> rows;
    for (const Entry& entry : m_entries)
    {
        const PlannedFault& fault = entry.fault;
        // cells that were still under way when the last process ended count, too
        if (fault.when.from <= end || entry.losses.corrupt + entry.losses.lost > 0)
        {
            rows.push_back({FaultKindName(fault.kind),
                            fault.where,
                            fault.when.from,
                            fault.when.until,
                            entry.losses.corrupt,
                            entry.losses.lost,
                            static_cast<std::uint32_t>(entry.killed)});
        }
    }
    return rows;
}

FaultLosses
FaultDriver::Total() const
{
    FaultLosses total;
    for (const Entry& entry : m_entries)
    {
        total.corrupt += entry.losses.corrupt;
        total.lost += entry.losses.lost;
    }
    return total;
}

} // namespace via
} // namespace ns3
