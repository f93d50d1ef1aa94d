/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
// Divides a topology into partitions so that few cables are cut.

#include "via-partition-cut.h"

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

/// A division of the switches under construction.
class Division
{
  public:
    Division(const Topology& topology, std::uint32_t partitions)
        : m_graph(topology),
          m_partitions(partitions),
          m_weights(topology.switches.size(), 0),
          m_partitionOf(topology.switches.size(), NONE),
          m_loads(partitions, 0)
    {
        for (const Endpoint& end : m_graph.hosts)
        {
            if (end.isSwitch && end.index != Endpoint::NOWHERE)
            {
                ++m_weights[end.index];
            }
        }
    }

    /// Gives every switch a partition.
    void Grow()
    {
        std::uint32_t hosts = std::accumulate(m_weights.begin(), m_weights.end(), 0U);
        for (std::uint32_t partition = 0; partition < m_partitions; ++partition)
        {
            const std::uint32_t others = m_partitions - partition - 1;
            const std::uint32_t share = (hosts + others) / (others + 1);
            while (others == 0 || (m_loads[partition] < share && EdgesLeft() > others))
            {
                const std::uint32_t next = NextFor(partition);
                if (next == NONE)
                {
                    break;
                }
                Put(next, partition);
            }
            hosts -= m_loads[partition];
        }
    }

    /// Starts from an existing division.
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
            for (std::uint32_t i = 0; i < m_partitionOf.size(); ++i)
            {
                const std::uint32_t to = BetterFor(i, most);
                if (to != NONE)
                {
                    m_loads[m_partitionOf[i]] -= m_weights[i];
                    Put(i, to);
                    goesOn = true;
                }
            }
        }
    }

    const std::vector<std::uint32_t>& Partitions() const
    {
        return m_partitionOf;
    }

  private:
    void Put(std::uint32_t index, std::uint32_t partition)
    {
        m_partitionOf[index] = partition;
        m_loads[partition] += m_weights[index];
    }

    /// Number of cables from switch @p index to switches of @p partition; NONE: to switches without
    /// a partition.
    std::int64_t Cables(std::uint32_t index, std::uint32_t partition) const
    {
        const std::vector<Endpoint>& ends = m_graph.switches[index];
        return std::count_if(ends.begin(), ends.end(), [this, partition](const Endpoint& end) {
            return end.isSwitch && end.index != Endpoint::NOWHERE &&
                   m_partitionOf[end.index] == partition;
        });
    }

    /// Number of switches with hosts and without a partition.
    std::uint32_t EdgesLeft() const
    {
        std::uint32_t left = 0;
        for (std::size_t i = 0; i < m_partitionOf.size(); ++i)
        {
            left += m_partitionOf[i] == NONE && m_weights[i] > 0 ? 1 : 0;
        }
        return left;
    }

    /**
     * The next switch for @p partition; of several, the first. Among the neighbours of its
     * switches, the one that adds the fewest open cables; otherwise, to begin with, one at the
     * edge.
     */
    std::uint32_t NextFor(std::uint32_t partition) const
    {
        std::uint32_t best = NONE;
        std::pair<bool, std::int64_t> most;
        for (std::uint32_t i = 0; i < m_partitionOf.size(); ++i)
        {
            const std::int64_t own = m_partitionOf[i] == NONE ? Cables(i, partition) : 0;
            if (m_partitionOf[i] != NONE ||
                (own == 0 && m_weights[i] == 0 && m_loads[partition] == 0))
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

    /// Largest number of hosts that a move may give a partition.
    std::uint32_t MostHosts() const
    {
        const std::uint32_t hosts = std::accumulate(m_loads.begin(), m_loads.end(), 0U);
        const std::uint32_t heaviest = *std::max_element(m_weights.begin(), m_weights.end());
        return hosts / m_partitions + heaviest;
    }

    /// The partition to which a move of switch @p index saves most cables; NONE: no move saves any.
    std::uint32_t BetterFor(std::uint32_t index, std::uint32_t most) const
    {
        const std::uint32_t from = m_partitionOf[index];
        const std::uint32_t weight = m_weights[index];
        std::uint32_t best = NONE;
        std::int64_t cables = Cables(index, from);
        for (const Endpoint& end : m_graph.switches[index])
        {
            const bool isSwitch = end.isSwitch && end.index != Endpoint::NOWHERE;
            const std::uint32_t to = isSwitch ? m_partitionOf[end.index] : from;
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
    std::uint32_t m_partitions;
    std::vector<std::uint32_t> m_weights;     ///< hosts, by switch
    std::vector<std::uint32_t> m_partitionOf; ///< by switch
    std::vector<std::uint32_t> m_loads;       ///< hosts, by partition
};

} // namespace

PartitionPlan
DivideByCut(const Topology& topology, std::uint32_t partitions)
{
    const PartitionPlan bySwitch = DivideBySwitch(topology, partitions);
    const bool hostsFollow =
        std::all_of(topology.cables.begin(), topology.cables.end(), [&](const Cable& cable) {
            return (cable.a.isSwitch && cable.b.isSwitch) ||
                   bySwitch.PartitionOf(cable.a) == bySwitch.PartitionOf(cable.b);
        });
    if (!hostsFollow || topology.switches.empty()) // fewer switches with hosts than partitions
    {
        return bySwitch;
    }
    Division grown(topology, partitions);
    grown.Grow();
    grown.Improve();
    Division improved(topology, partitions);
    improved.Take(bySwitch.switches);
    improved.Improve();
    PartitionPlan a = DivideAsTold(topology, partitions, grown.Partitions());
    PartitionPlan b = DivideAsTold(topology, partitions, improved.Partitions());
    return a.CountCuts(topology) < b.CountCuts(topology) ? a : b;
}

} // namespace via
} // namespace ns3
