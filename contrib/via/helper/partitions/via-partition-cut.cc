/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
// Runs on several ranks: where the fewest cables have to be cut.

#include "via-rank-cut.h"

#include <algorithm>
#include <numeric>
#include <utility>
#include <vector>

namespace ns3
{
namespace via
{

namespace
{

constexpr std::uint32_t NONE = UINT32_MAX;

/// Switches on their way to ranks.
class Division
{
  public:
    Division(const Topology& topology, std::uint32_t ranks)
        : m_graph(topology),
          m_ranks(ranks),
          m_weights(topology.switches.size(), 0),
          m_rankOf(topology.switches.size(), NONE),
          m_loads(ranks, 0)
    {
        for (const Endpoint& end : m_graph.hosts)
        {
            if (end.isSwitch && end.index != Endpoint::NOWHERE)
            {
                ++m_weights[end.index];
            }
        }
    }

    /// Every switch gets a rank.
    void Grow()
    {
        std::uint32_t hosts = std::accumulate(m_weights.begin(), m_weights.end(), 0U);
        for (std::uint32_t rank = 0; rank < m_ranks; ++rank)
        {
            const std::uint32_t others = m_ranks - rank - 1;
            const std::uint32_t share = (hosts + others) / (others + 1);
            while (others == 0 || (m_loads[rank] < share && EdgesLeft() > others))
            {
                const std::uint32_t next = NextFor(rank);
                if (next == NONE)
                {
                    break;
                }
                Put(next, rank);
            }
            hosts -= m_loads[rank];
        }
    }

    /// Starts from a division that there is.
    void Take(const std::vector<std::uint32_t>& switches)
    {
        for (std::uint32_t i = 0; i < switches.size(); ++i)
        {
            Put(i, switches[i]);
        }
    }

    /// Moves switches while that saves cables.
    void Improve()
    {
        const std::uint32_t most = MostHosts();
        for (bool goesOn = true; goesOn;)
        {
            goesOn = false;
            for (std::uint32_t i = 0; i < m_rankOf.size(); ++i)
            {
                const std::uint32_t to = BetterFor(i, most);
                if (to != NONE)
                {
                    m_loads[m_rankOf[i]] -= m_weights[i];
                    Put(i, to);
                    goesOn = true;
                }
            }
        }
    }

    const std::vector<std::uint32_t>& Ranks() const
    {
        return m_rankOf;
    }

  private:
    void Put(std::uint32_t index, std::uint32_t rank)
    {
        m_rankOf[index] = rank;
        m_loads[rank] += m_weights[index];
    }

    /// Cables from switch @p index to switches of @p rank; NONE: to those that have no rank yet.
    std::int64_t Cables(std::uint32_t index, std::uint32_t rank) const
    {
        const std::vector<Endpoint>& ends = m_graph.switches[index];
        return std::count_if(ends.begin(), ends.end(), [this, rank](const Endpoint& end) {
            return end.isSwitch && end.index != Endpoint::NOWHERE && m_rankOf[end.index] == rank;
        });
    }

    /// Switches with hosts that have no rank yet.
    std::uint32_t EdgesLeft() const
    {
        std::uint32_t left = 0;
        for (std::size_t i = 0; i < m_rankOf.size(); ++i)
        {
            left += m_rankOf[i] == NONE && m_weights[i] > 0 ? 1 : 0;
        }
        return left;
    }

    /**
     * The switch without a rank that @p rank should have next, the first of several: beside its
     * own the one that adds fewest open cables, else, to begin with, one at the rim.
     */
    std::uint32_t NextFor(std::uint32_t rank) const
    {
        std::uint32_t best = NONE;
        std::pair<bool, std::int64_t> most;
        for (std::uint32_t i = 0; i < m_rankOf.size(); ++i)
        {
            const std::int64_t own = m_rankOf[i] == NONE ? Cables(i, rank) : 0;
            if (m_rankOf[i] != NONE || (own == 0 && m_weights[i] == 0 && m_loads[rank] == 0))
            {
                continue;
            }
            const std::pair<bool, std::int64_t> gain{own > 0, own - Cables(i, NONE)};
            if (best == NONE || gain > most)
            {
                best = i;
                most = gain;
            }
        }
        return best;
    }

    /// No rank gets more hosts than that by a move.
    std::uint32_t MostHosts() const
    {
        const std::uint32_t hosts = std::accumulate(m_loads.begin(), m_loads.end(), 0U);
        const std::uint32_t heaviest = *std::max_element(m_weights.begin(), m_weights.end());
        return hosts / m_ranks + heaviest;
    }

    /// The rank that saves most cables if it gets switch @p index; NONE: where it is it is best.
    std::uint32_t BetterFor(std::uint32_t index, std::uint32_t most) const
    {
        const std::uint32_t from = m_rankOf[index];
        const std::uint32_t weight = m_weights[index];
        std::uint32_t best = NONE;
        std::int64_t cables = Cables(index, from);
        for (const Endpoint& end : m_graph.switches[index])
        {
            const bool isSwitch = end.isSwitch && end.index != Endpoint::NOWHERE;
            const std::uint32_t to = isSwitch ? m_rankOf[end.index] : from;
            const bool fits =
                weight == 0 || (m_loads[to] + weight <= most && m_loads[from] > weight);
            if (to != from && fits && Cables(index, to) > cables)
            {
                best = to;
                cables = Cables(index, to);
            }
        }
        return best;
    }

    Adjacency m_graph;
    std::uint32_t m_ranks;
    std::vector<std::uint32_t> m_weights; ///< hosts, by switch
    std::vector<std::uint32_t> m_rankOf;  ///< by switch
    std::vector<std::uint32_t> m_loads;   ///< hosts, by rank
};

} // namespace

RankPlan
DivideByCut(const Topology& topology, std::uint32_t ranks)
{
    const RankPlan bySwitch = DivideBySwitch(topology, ranks);
    const bool hostsFollow =
        std::all_of(topology.cables.begin(), topology.cables.end(), [&](const Cable& cable) {
            return (cable.a.isSwitch && cable.b.isSwitch) ||
                   bySwitch.RankOf(cable.a) == bySwitch.RankOf(cable.b);
        });
    if (!hostsFollow || topology.switches.empty()) // fewer switches with hosts than ranks
    {
        return bySwitch;
    }
    Division grown(topology, ranks);
    grown.Grow();
    grown.Improve();
    Division improved(topology, ranks);
    improved.Take(bySwitch.switches);
    improved.Improve();
    RankPlan a = DivideAsTold(topology, ranks, grown.Ranks());
    RankPlan b = DivideAsTold(topology, ranks, improved.Ranks());
    return a.CountCuts(topology) < b.CountCuts(topology) ? a : b;
}

} // namespace via
} // namespace ns3
