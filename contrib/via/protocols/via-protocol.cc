/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
// A protocol: what a process does when it starts, gets a message, or a timer expires.

#include "via-protocol.h"

#include "ns3/via-scramble.h"

namespace ns3
{
namespace via
{

std::vector<Rank>
Protocol::Targets() const
{
    std::vector<Rank> others;
    for (Rank rank = 0; rank < Size(); ++rank)
    {
        if (rank != Self())
        {
            others.push_back(rank);
        }
    }
    return others;
}

std::uint64_t
Protocol::Random(std::uint64_t what) const
{
    return Scramble(Scramble(Scramble(m_place.seed) + Self()) + what);
}

std::uint32_t
CeilLog2(std::uint64_t n)
{
    std::uint32_t steps = 0;
    while (1ULL << steps < n)
    {
        ++steps;
    }
    return steps;
}

std::uint64_t
HashOfMembers(const std::set<Rank>& members)
{
    std::uint64_t hash = members.size();
    for (const Rank member : members)
    {
        hash = Scramble(hash ^ member);
    }
    return hash;
}

} // namespace via
} // namespace ns3
