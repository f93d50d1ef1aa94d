/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
// What is bound for each host, from the moment when a card is told to send it.

#ifndef VIA_INBOUND_TRAFFIC_H
#define VIA_INBOUND_TRAFFIC_H

#include "ns3/abort.h"
#include "ns3/via-packet.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace ns3
{
namespace via
{

/**
 * @brief Counts, for each host, the packets and notices that it may still get.
 *
 * A packet counts from its doorbell until its last cell is known at its destination. So a host that
 * nothing is bound for knows that the cards that work now will not reach it, and may run further
 * ahead. What is counted without need costs only time.
 */
class InboundTraffic
{
  public:
    /// Counts for @p hosts hosts from now on, before anything is sent. Later calls do nothing.
    void Watch(std::size_t hosts)
    {
        if (m_of.empty())
        {
            m_of.resize(hosts);
        }
    }

    /// Does it count?
    bool IsWatched() const
    {
        return !m_of.empty();
    }

    /// Something that leaves another host, or this one, at @p leaves (ps) or later may reach
    /// @p host.
    void Add(NodeId host, Ps leaves)
    {
        if (host < m_of.size())
        {
            Inbound& of = m_of[host];
            of.leaves = of.count == 0 ? leaves : std::min(of.leaves, leaves);
            ++of.count;
        }
    }

    /// @p count of those that were added have reached @p host, or never will. Aborts if there are
    /// fewer.
    void Remove(NodeId host, std::uint64_t count = 1)
    {
        if (host < m_of.size() && count > 0)
        {
            Inbound& of = m_of[host];
            NS_ABORT_MSG_IF(count > of.count,
                            "more reaches host " << host << " than is bound for it");
            of.count -= static_cast<std::uint32_t>(count);
            of.leaves = of.count == 0 ? PS_NEVER : of.leaves;
        }
    }

    /// From now on something may reach @p host at any time.
    void AddForGood(NodeId host)
    {
        if (host < m_of.size() && !m_of[host].isForGood)
        {
            m_of[host].isForGood = true;
            Add(host, 0);
        }
    }

    /// Before this instant nothing that is bound for @p host leaves; PS_NEVER if nothing is. Only
    /// while it counts.
    Ps LeavesFrom(NodeId host) const
    {
        return m_of[host].leaves;
    }

  private:
    struct Inbound
    {
        Ps leaves{PS_NEVER}; ///< the first of them since the count was 0
        std::uint32_t count{0};
        bool isForGood{false};
    };

    std::vector<Inbound> m_of; ///< by host; empty: does not count
};

} // namespace via
} // namespace ns3

#endif // VIA_INBOUND_TRAFFIC_H
