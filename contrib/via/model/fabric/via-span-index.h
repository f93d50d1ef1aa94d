/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
// An index of many time intervals: finds those that overlap a given one.

#ifndef VIA_SPAN_INDEX_H
#define VIA_SPAN_INDEX_H

#include "ns3/via-time.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace ns3
{
namespace via
{

/**
 * @brief Intervals [from, until), numbered in the order in which they are added.
 *
 * Sorted by start, they form a balanced tree: the middle of a range is the root of its halves, and
 * stores the latest end in the range. Adding is cheap; the first search sorts.
 */
class SpanIndex
{
  public:
    /// Adds an interval, which must not be empty.
    void Add(Ps from, Ps until)
    {
        m_nodes.push_back({from, until, until, static_cast<std::uint32_t>(m_nodes.size())});
        m_isSorted = false;
    }

    /**
     * @brief Calls @p visit with the number of each interval that overlaps [@p begin, @p end).
     * The order of the calls is unspecified.
     * @return number of nodes visited: about log2(n) for none and for each one found
     */
    template <class Visit>
    std::size_t ForEachMeeting(Ps begin, Ps end, Visit&& visit)
    {
        if (!m_isSorted)
        {
            Sort();
        }
        return Search(0, m_nodes.size(), begin, end, visit);
    }

  private:
    struct Node
    {
        Ps from;
        Ps until;
        Ps latest; ///< the latest end in the range of which this is the middle
        std::uint32_t number;
    };

    void Sort()
    {
        std::sort(m_nodes.begin(), m_nodes.end(), [](const Node& a, const Node& b) {
            return a.from != b.from ? a.from < b.from : a.number < b.number;
        });
        Join(0, m_nodes.size());
        m_isSorted = true;
    }

    Ps Join(std::size_t first, std::size_t last)
    {
        if (first == last)
        {
            return 0;
        }
        const std::size_t middle = first + (last - first) / 2;
        Node& node = m_nodes[middle];
        node.latest = std::max({node.until, Join(first, middle), Join(middle + 1, last)});
        return node.latest;
    }

    template <class Visit>
    std::size_t Search(std::size_t first, std::size_t last, Ps begin, Ps end, Visit& visit) const
    {
        if (first == last)
        {
            return 0;
        }
        const std::size_t middle = first + (last - first) / 2;
        const Node& node = m_nodes[middle];
        if (node.latest <= begin)
        {
            return 1; // all have ended
        }
        std::size_t looked = 1 + Search(first, middle, begin, end, visit);
        if (node.from < end)
        {
            if (node.until > begin)
            {
                visit(node.number);
            }
            looked += Search(middle + 1, last, begin, end, visit);
        }
        return looked;
    }

    std::vector<Node> m_nodes;
    bool m_isSorted{true};
};

} // namespace via
} // namespace ns3

#endif // VIA_SPAN_INDEX_H
