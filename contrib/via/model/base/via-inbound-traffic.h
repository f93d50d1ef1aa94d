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

/// Tells another partition what is bound for a host that it simulates.
class InboundCarrier
{
  public:
    virtual ~InboundCarrier() = default;

    /// @param count packets that leave their source at @p leaves (ps) or later; less than 0: so
    /// many fewer
    virtual void Announce(NodeId host, std::int64_t count, Ps leaves) = 0;
};

/**
 * @brief Counts, for each host, the packets and notices that it may still get.
 *
 * A packet counts from its doorbell until its last cell is known at its destination. So a host that
 * nothing is bound for knows that the cards that work now will not reach it, and may run further
 * ahead. What is counted without need costs only time. Of several partitions, each counts for its
 * own hosts; others announce what is bound for them.
 */
class InboundTraffic
{
  public:
    /**
     * @brief Counts for @p hosts hosts from now on, before anything is sent. Later calls do
     * nothing.
     * @param hasNotices switches may tell the source of a packet of congestion
     */
    void Watch(std::size_t hosts, bool hasNotices)
    {
        if (m_of.empty())
        {
            m_of.resize(hosts);
            m_hasNotices = hasNotices;
        }
    }

    /// Another partition simulates @p host: @p carrier tells it. After Watch, before time starts.
    void SetElsewhere(NodeId host, InboundCarrier& carrier)
    {
        m_of[host].isElsewhere = true;
        m_carrier = &carrier;
    }

    /// Does it count?
    bool IsWatched() const
    {
        return !m_of.empty();
    }

    /// @p count things that leave another host, or this one, at @p leaves (ps) or later may reach
    /// @p host.
    void Add(NodeId host, Ps leaves, std::uint32_t count = 1)
    {
        if (host < m_of.size())
        {
            Inbound& of = m_of[host];
            if (of.isElsewhere)
            {
                m_carrier->Announce(host, count, leaves);
                return;
            }
            of.leaves = of.count == 0 ? leaves : std::min(of.leaves, leaves);
            of.count += count;
            ++m_changes;
        }
    }

    /// @p count of those that were added have reached @p host, or never will. Aborts if there are
    /// fewer.
    void Remove(NodeId host, std::uint64_t count = 1)
    {
        if (host < m_of.size() && count > 0)
        {
            Inbound& of = m_of[host];
            if (of.isElsewhere)
            {
                m_carrier->Announce(host, -static_cast<std::int64_t>(count), PS_NEVER);
                return;
            }
            NS_ABORT_MSG_IF(count > of.count,
                            "more reaches host " << host << " than is bound for it");
            of.count -= static_cast<std::uint32_t>(count);
            of.leaves = of.count == 0 ? PS_NEVER : of.leaves;
            ++m_changes;
        }
    }

    /// Switches may send @p source notices from @p leaves (ps) on, while its packet is in this
    /// partition.
    void AddNotices(NodeId source, Ps leaves)
    {
        if (MayGetNotices(source))
        {
            Add(source, leaves);
        }
    }

    /// That packet has arrived, or has left this partition.
    void RemoveNotices(NodeId source)
    {
        if (MayGetNotices(source))
        {
            Remove(source);
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

    /// Increases with each change of what LeavesFrom() returns.
    std::uint64_t Changes() const
    {
        return m_changes;
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
        bool isElsewhere{false}; ///< another partition counts
    };

    bool MayGetNotices(NodeId source) const
    {
        return m_hasNotices && source < m_of.size() && !m_of[source].isElsewhere;
    }

    std::vector<Inbound> m_of; ///< by host; empty: does not count
    bool m_hasNotices{false};
    std::uint64_t m_changes{0}; ///< see Changes
    InboundCarrier* m_carrier{nullptr};
};

} // namespace via
} // namespace ns3

#endif // VIA_INBOUND_TRAFFIC_H
