/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
// Faults as data: what is to go wrong in a run, and when.

#include "via-fault-plan.h"

#include "ns3/abort.h"
#include "ns3/via-error.h"
#include "ns3/via-fault-places.h"

#include <set>

namespace ns3
{
namespace via
{

namespace
{

constexpr std::uint32_t MOST_SLOWNESS = 1'000'000;

ConfigError
Refuse(const PlannedFault& fault,
       const std::string& key,
       const std::string& value,
       const std::string& limit)
{
    const std::string place = fault.place.empty()
                                  ? std::string("faults: ") + FaultKindName(fault.kind) + "."
                                  : fault.place;
    return ConfigError(place + key, value, limit);
}

void
CheckLoss(const PlannedFault& fault)
{
    const LinkLoss& loss = fault.loss;
    if (loss.corrupt > LinkLoss::ALL || loss.vanish > LinkLoss::ALL ||
        loss.corrupt + loss.vanish > LinkLoss::ALL)
    {
        throw Refuse(fault,
                     "corrupt_ppb + vanish_ppb",
                     std::to_string(loss.corrupt) + " + " + std::to_string(loss.vanish),
                     "1000000000 are all cells");
    }
    if (loss.bitErrors > LinkLoss::ALL_BITS)
    {
        throw Refuse(fault,
                     "bit_errors",
                     std::to_string(loss.bitErrors),
                     "1000000000000000 are all bits");
    }
}

void
CheckSets(const PlannedFault& fault, const FaultPlaces& places)
{
    std::set<std::uint32_t> seen;
    for (const auto& hosts : fault.sets)
    {
        for (const std::string& name : hosts)
        {
            const auto host = places.Host(name);
            if (!host || !seen.insert(*host).second)
            {
                throw Refuse(fault,
                             "sets",
                             name,
                             host ? "a host is in one set at the most" : places.Hosts());
            }
        }
    }
}

void
CheckWhere(const PlannedFault& fault, const FaultPlaces& places, bool mayBeAll)
{
    switch (fault.kind)
    {
    case FaultKind::LOSS:
    case FaultKind::LINK_DOWN:
        if (places.Wires(fault.where).empty())
        {
            throw Refuse(fault,
                         "where",
                         fault.where,
                         "all, a host n0, a switch s0, a port s0.2, a wire n3-s0 or one direction "
                         "of it n3>s0; " +
                             places.Hosts() + ", " + places.Switches());
        }
        break;
    case FaultKind::SWITCH_DOWN:
        if (!places.Switch(fault.where) && !mayBeAll)
        {
            throw Refuse(fault, "where", fault.where, "a switch; " + places.Switches());
        }
        break;
    case FaultKind::NIC_RESET:
    case FaultKind::NODE_CRASH:
    case FaultKind::SLOW_NODE:
        if (!places.Host(fault.where) && !mayBeAll)
        {
            throw Refuse(fault, "where", fault.where, "a host; " + places.Hosts());
        }
        break;
    case FaultKind::PARTITION:
        CheckSets(fault, places);
    }
}

void
CheckOne(const PlannedFault& fault, const FaultPlaces& places, bool isStorm)
{
    CheckWhere(fault, places, isStorm && fault.where == "all");
    CheckLoss(fault);
    if (fault.when.from < 0 || fault.when.until <= fault.when.from)
    {
        throw Refuse(fault,
                     "until",
                     std::to_string(fault.when.until) + " ps",
                     "later than at = " + std::to_string(fault.when.from) + " ps");
    }
    if (fault.den == 0 || fault.num < fault.den || fault.num / fault.den > MOST_SLOWNESS)
    {
        throw Refuse(fault,
                     "factor",
                     std::to_string(fault.num) + "/" + std::to_string(fault.den),
                     "from 1 to " + std::to_string(MOST_SLOWNESS));
    }
    const bool needsEnd = fault.kind == FaultKind::NIC_RESET ||
                          (fault.kind == FaultKind::NODE_CRASH && fault.restart);
    if (needsEnd && fault.when.until == PS_NEVER)
    {
        throw Refuse(fault, "until", "never", "when is it ready again?");
    }
}

} // namespace

const char*
FaultKindName(FaultKind kind)
{
    switch (kind)
    {
    case FaultKind::LOSS:
        return "loss";
    case FaultKind::LINK_DOWN:
        return "link_down";
    case FaultKind::SWITCH_DOWN:
        return "switch_down";
    case FaultKind::NIC_RESET:
        return "nic_reset";
    case FaultKind::NODE_CRASH:
        return "node_crash";
    case FaultKind::SLOW_NODE:
        return "slow_node";
    case FaultKind::PARTITION:
        return "partition";
    }
    NS_ABORT_MSG("no such fault: " << static_cast<int>(kind));
}

void
FaultPlan::AddLoss(const std::string& where, const LinkLoss& loss, TimeSpan when)
{
    PlannedFault fault;
    fault.where = where;
    fault.loss = loss;
    fault.when = when;
    faults.push_back(fault);
}

void
FaultPlan::Check(const Topology& topology) const
{
    const FaultPlaces places(topology);
    for (const PlannedFault& fault : faults)
    {
        CheckOne(fault, places, false);
    }
    std::uint64_t most = faults.size();
    for (const Storm& storm : storms)
    {
        PlannedFault once = storm.what;
        if (once.kind != FaultKind::NIC_RESET && !once.restart && once.when.until == PS_NEVER)
        {
            throw Refuse(once, "until", "never", "a storm has an end");
        }
        CheckOne(once, places, true);
        if (storm.least < 1 || storm.most < storm.least)
        {
            throw Refuse(once,
                         "least, most",
                         std::to_string(storm.least) + " ps, " + std::to_string(storm.most) + " ps",
                         "from 1 ps, and the most is not less than the least");
        }
        const long double span = once.when.until - once.when.from;
        const long double count = span / PS_PER_SECOND * storm.perSecond;
        if (count * places.Targets(storm).size() > MOST)
        {
            throw Refuse(once,
                         "per_second",
                         std::to_string(storm.perSecond),
                         "a plan has " + std::to_string(MOST) + " faults at the most");
        }
        most += static_cast<std::uint64_t>(count + 1) * places.Targets(storm).size();
    }
    if (most > 2 * MOST)
    {
        throw ConfigError("faults",
                          std::to_string(most),
                          "a plan has " + std::to_string(MOST) + " faults at the most");
    }
}

} // namespace via
} // namespace ns3
