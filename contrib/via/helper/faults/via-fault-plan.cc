/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
// Faults as data: what is to go wrong in a run, and when.

#include "via-fault-plan.h"

#include "ns3/abort.h"
#include "ns3/via-error.h"
#include "ns3/via-fault-places.h"
#include "ns3/via-scramble.h"

#include <algorithm>
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
                     "at most 1000000000, which means all cells");
    }
    if (loss.bitErrors > LinkLoss::ALL_BITS)
    {
        throw Refuse(fault,
                     "bit_errors",
                     std::to_string(loss.bitErrors),
                     "at most 1000000000000000, which means all bits");
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
                             host ? "a host can be in only one set" : places.Hosts());
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
        throw Refuse(fault, "until", "never", "this fault needs an end");
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
            throw Refuse(once, "until", "never", "a storm needs an end");
        }
        CheckOne(once, places, true);
        if (storm.least < 1 || storm.most < storm.least)
        {
            throw Refuse(once,
                         "least, most",
                         std::to_string(storm.least) + " ps, " + std::to_string(storm.most) + " ps",
                         "at least 1 ps, and most must not be less than least");
        }
        const long double span = once.when.until - once.when.from;
        const long double count = span / PS_PER_SECOND * storm.perSecond;
        if (count * places.Targets(storm).size() > MOST)
        {
            throw Refuse(once,
                         "per_second",
                         std::to_string(storm.perSecond),
                         "a plan can have at most " + std::to_string(MOST) + " faults");
        }
        most += static_cast<std::uint64_t>(count + 1) * places.Targets(storm).size();
    }
    if (most > 2 * MOST)
    {
        throw ConfigError("faults",
                          std::to_string(most),
                          "a plan can have at most " + std::to_string(MOST) + " faults");
    }
}

namespace
{

__extension__ typedef unsigned __int128 Wide;

/// A sequence of hashes that belongs to one component in one storm.
class Draws
{
  public:
    Draws(std::uint64_t seed, std::uint64_t storm, std::uint64_t target)
        : m_base(Scramble(Scramble(Scramble(seed) ^ storm) ^ target))
    {
    }

    /// A number below @p limit.
    std::uint64_t Below(std::uint64_t limit)
    {
        constexpr unsigned bits = 64;
        return static_cast<std::uint64_t>(Wide{Scramble(m_base ^ m_count++)} * limit >> bits);
    }

  private:
    std::uint64_t m_base;
    std::uint64_t m_count{0};
};

/// How often it strikes: the expected number, up or down to a whole one by chance.
std::uint64_t
CountOf(const Storm& storm, Draws& draws)
{
    const Wide span = static_cast<Wide>(storm.what.when.until - storm.what.when.from);
    const Wide expected = span * storm.perSecond; // in units of a second's ps
    const Wide rest = expected % PS_PER_SECOND;
    const bool up = draws.Below(PS_PER_SECOND) < rest;
    return static_cast<std::uint64_t>(expected / PS_PER_SECOND) + (up ? 1 : 0);
}

/// Every host on one side or the other.
std::vector<std::vector<std::string>>
DrawSides(std::uint32_t hosts, Draws& draws)
{
    std::vector<std::vector<std::string>> sides(2);
    for (std::uint32_t host = 0; host < hosts; ++host)
    {
        sides[draws.Below(2)].push_back("n" + std::to_string(host));
    }
    return sides;
}

} // namespace

std::vector<PlannedFault>
FaultPlan::Expand(const Topology& topology, std::uint64_t seed) const
{
    std::vector<PlannedFault> all = faults;
    const FaultPlaces places(topology);
    for (std::size_t i = 0; i < storms.size(); ++i)
    {
        const Storm& storm = storms[i];
        const std::vector<std::string> targets = places.Targets(storm);
        for (std::size_t target = 0; target < targets.size(); ++target)
        {
            Draws draws(seed, i, target);
            for (std::uint64_t left = CountOf(storm, draws); left > 0; --left)
            {
                PlannedFault fault = storm.what;
                fault.where = targets[target];
                const TimeSpan span = fault.when;
                fault.when.from = span.from + static_cast<Ps>(draws.Below(span.until - span.from));
                const Ps longer = static_cast<Ps>(draws.Below(storm.most - storm.least + 1));
                const Ps lasts = std::min(storm.least + longer, PS_NEVER - fault.when.from);
                fault.when.until = fault.when.from + lasts;
                if (fault.kind == FaultKind::PARTITION && fault.sets.empty())
                {
                    fault.sets = DrawSides(topology.hosts, draws);
                }
                all.push_back(fault);
            }
        }
    }
    for (std::size_t i = 0; i < all.size(); ++i)
    {
        all[i].index = static_cast<std::uint32_t>(i);
    }
    std::stable_sort(all.begin(), all.end(), [](const PlannedFault& a, const PlannedFault& b) {
        return a.when.from < b.when.from;
    });
    return all;
}

} // namespace via
} // namespace ns3
