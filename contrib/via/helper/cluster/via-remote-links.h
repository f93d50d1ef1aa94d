/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
// The cables between the partitions of a run, and other traffic between partitions.

#ifndef VIA_REMOTE_LINKS_H
#define VIA_REMOTE_LINKS_H

#include "ns3/via-congestion-notices.h"
#include "ns3/via-partition-plan.h"
#include "ns3/via-remote-link.h"
#include "ns3/via-workload-partition.h"

#include <algorithm>
#include <map>
#include <memory>
#include <string>
#include <vector>

namespace ns3
{
namespace via
{

class Cluster;
struct ClusterConfig;

/// Sends records to other partitions.
class PartitionSender
{
  public:
    virtual ~PartitionSender() = default;

    /**
     * @brief Sends @p record to partition @p partition, whole and in order with the other records
     * for the same @p index. The receiver calls RemoteLinks::Arrive before @p at.
     */
    virtual void Send(std::uint32_t partition,
                      std::uint32_t index,
                      bool towardsReceiver,
                      Ps at,
                      const RemoteLinkRecord& record) = 0;

    /// See WorkloadPartition.
    virtual std::vector<std::uint64_t> Exchange(const std::vector<std::uint64_t>& own) = 0;

    /**
     * @brief Tells, during a run, when other partitions may next give this one work, or an event of
     * ns-3 is due.
     * @param events of ns-3
     * @return null: they may do so at any time
     */
    virtual const OtherEvents* Outside(const OtherEvents& events) = 0;
};

/// The configuration of a partition.
struct PartitionConfig
{
    PartitionPlan plan;
    PartitionSender* sender{nullptr}; ///< must outlive the cluster; null: only one partition
    bool everyCable{false};           ///< for tests: those inside the partition are remote, too
};

/**
 * @brief The remote links of a partition: both directions of each cable that has one end here. They
 * are numbered alike on all partitions: 2 for each cable of the topology, first the one from its
 * end a.
 *
 * After the numbers of the remote links follow those of the hosts, for congestion notices, and
 * again those of the hosts, for TellAll, and once more, for Announce.
 */
class RemoteLinks final : public RemoteLinkCarrier, public WorkloadPartition, public InboundCarrier
{
  public:
    /// @param first component number of remote link 0
    RemoteLinks(const PartitionConfig& config,
                const Topology& topology,
                World& world,
                ComponentId first);

    /// The component numbers that the remote links of @p topology need.
    static ComponentId Count(const Topology& topology);

    /// The remote link in one direction of a cable; null if both ends are in the same partition.
    RemoteLink* Make(std::uint32_t index, Component& sender, Link& link);

    /// Sets the receivers of congestion notices, by plane, then by host.
    void SetSinks(std::vector<CongestionNotices::Sink> sinks);

    void Carry(std::uint32_t remote,
               bool towardsReceiver,
               Ps at,
               const RemoteLinkRecord& record) override;

    /// Sends host @p source a notice: its path to host @p destination is full at switch @p where.
    void Tell(NodeId source, std::uint32_t where, NodeId destination, Ps at);

    void Announce(NodeId host, std::int64_t count, Ps leaves) override;

    /// Lets @p inbound announce what is bound for hosts of other partitions.
    void CountInbound(InboundTraffic& inbound);

    /// The longest flight of all cables, whichever partition has them.
    void SetLongestFlight(Ps flight)
    {
        m_longest = flight;
    }

    bool IsOurs(NodeId node) const override
    {
        return Plan().hosts[node] == Plan().self;
    }

    std::vector<std::uint64_t> Exchange(const std::vector<std::uint64_t>& own) override;

    void SetListener(AgendaTarget* listener) override
    {
        m_listener = listener;
    }

    /// See PartitionSender. @p events null: ns-3 does not tell
    const OtherEvents* Outside(const OtherEvents* events) const
    {
        const bool isKnown =
            m_config.sender != nullptr && events != nullptr && !m_config.everyCable;
        return isKnown ? m_config.sender->Outside(*events) : nullptr;
    }

    void TellAll(NodeId node, Ps due, std::uint64_t data) override;

    /// @throws ConfigError if a cable between two partitions is too short to give a look-ahead
    void Check() const;

    /// Takes a record for remote link or host @p index, see RemoteLink::Arrive.
    void Arrive(std::uint32_t index, bool towardsReceiver, Ps at, const RemoteLinkRecord& record);

    /// The shortest delay to another partition; PS_NEVER: nothing leaves this partition.
    Ps Lookahead() const;

    /// Number of records sent to other partitions.
    std::uint64_t Sent() const
    {
        return m_sent;
    }

    /// The instant of the work that is being done.
    Ps Now() const
    {
        return m_world.agenda.Now();
    }

    const PartitionPlan& Plan() const
    {
        return m_config.plan;
    }

  private:
    void Send(std::uint32_t partition,
              std::uint32_t index,
              bool towardsReceiver,
              Ps at,
              const RemoteLinkRecord& record);

    /// The content of a congestion notice.
    struct CongestionNotice
    {
        std::uint32_t where; ///< number of the switch
        NodeId destination;  ///< destination of the packets that cause the congestion
    };

    /// Gives @p notice to the card of host @p source, which is ours, on the plane of the switch.
    void Deliver(const CongestionNotice& notice, NodeId source, Ps at);
    void ArriveCongestion(NodeId source, Ps at, const RemoteLinkRecord& record);
    void ArriveAnnouncement(NodeId host, const RemoteLinkRecord& record);
    void ArriveWord(NodeId node, Ps at, const RemoteLinkRecord& record);

    PartitionConfig m_config;
    const Topology& m_topology;
    World& m_world;
    ComponentId m_first;
    std::vector<std::unique_ptr<RemoteLink>>
        m_remoteLinks;                            ///< by number; null: not on this partition
    std::vector<CongestionNotices::Sink> m_sinks; ///< by host
    AgendaTarget* m_listener{nullptr};            ///< of the workload
    Ps m_longest{0};                              ///< longest flight of a cable
    std::uint64_t m_sent{0};
};

/// @throws ConfigError if @p cluster or its @p config uses something that does not run on several
/// partitions yet
void RequirePartitionsCan(const Cluster& cluster, const ClusterConfig& config);

/// Removes work for components of other partitions from the Agenda, before time starts.
void DropWorkOfOthers(Cluster& cluster);

} // namespace via
} // namespace ns3

#endif // VIA_REMOTE_LINKS_H
