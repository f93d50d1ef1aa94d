/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
// Faults that come by chance, drawn before time starts.

#include "via-fault-places.h"

#include "ns3/via-scramble.h"

#include <algorithm>

namespace ns3
{
namespace via
{

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
                fault.when.until = fault.when.from + storm.least + longer;
                if (fault.kind == FaultKind::PARTITION && fault.sets.empty())
                {
                    fault.sets = DrawSides(topology.hosts, draws);
                }
                all.push_back(fault);
            }
        }
    }
    std::stable_sort(all.begin(), all.end(), [](const PlannedFault& a, const PlannedFault& b) {
        return a.when.from < b.when.from;
    });
    return all;
}

} // namespace via
} // namespace ns3
