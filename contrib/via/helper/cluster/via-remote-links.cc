/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
// The cables between the partitions of a run, and other traffic between partitions.

#include "via-remote-links.h"

#include "ns3/abort.h"
#include "ns3/nstime.h"
#include "ns3/simulator.h"
#include "ns3/via-cluster.h"
#include "ns3/via-error.h"

#include <algorithm>
#include <cstring>
#include <string>
#include <utility>

namespace ns3
{
namespace via
{

namespace
{

/// The content of an announcement, see InboundCarrier.
struct Announcement
{
    std::int64_t count;
    Ps leaves;
};

[[noreturn]] void
Refuse(const std::string& option, const std::string& value, const std::string& what)
{
    throw ConfigError(option, value, "not on several MPI ranks yet: " + what);
}

} // namespace

RemoteLinks::RemoteLinks(const PartitionConfig& config,
                         const Topology& topology,
                         World& world,
                         ComponentId first)
    : m_config(config),
      m_topology(topology),
      m_world(world),
      m_first(first),
      m_remoteLinks(Count(topology))
{
}

ComponentId
RemoteLinks::Count(const Topology& topology)
{
    return static_cast<ComponentId>(2 * topology.cables.size());
}

RemoteLink*
RemoteLinks::Make(std::uint32_t index, Component& sender, Link& link)
{
    const Cable& cable = m_topology.cables[index / 2];
    if (Plan().IsOurs(cable.a) == Plan().IsOurs(cable.b) && !m_config.everyCable)
    {
        return nullptr;
    }
    const Endpoint& from = index % 2 == 0 ? cable.a : cable.b;
    m_remoteLinks[index] = std::make_unique<RemoteLink>(m_world,
                                                        m_first + index,
                                                        index,
                                                        sender,
                                                        from.isSwitch,
                                                        link,
                                                        *this);
    return m_remoteLinks[index].get();
}

void
RemoteLinks::SetSinks(std::vector<CongestionNotices::Sink> sinks)
{
    m_sinks = std::move(sinks);
}

void
RemoteLinks::Check() const
{
    for (const auto& remote : m_remoteLinks)
    {
        if (remote != nullptr && remote->Lookahead() < 1)
        {
            throw ConfigError(
                "link.cable_length_mm",
                "a propagation delay of " + std::to_string(remote->Lookahead() + 1) + " ps",
                "a cable between two partitions needs at least 2 ps, for their look-ahead");
        }
    }
}

Ps
RemoteLinks::Lookahead() const
{
    Ps least = PS_NEVER;
    for (std::size_t i = 0; i < m_remoteLinks.size(); ++i)
    {
        const Cable& cable = m_topology.cables[i / 2];
        if (m_remoteLinks[i] != nullptr &&
            Plan().PartitionOf(cable.a) != Plan().PartitionOf(cable.b))
        {
            least = std::min(least, m_remoteLinks[i]->Lookahead());
        }
    }
    return least;
}

void
RemoteLinks::Carry(std::uint32_t remote,
                   bool towardsReceiver,
                   Ps at,
                   const RemoteLinkRecord& record)
{
    const Cable& cable = m_topology.cables[remote / 2];
    const bool forward = (remote % 2 == 0) == towardsReceiver;
    Send(Plan().PartitionOf(forward ? cable.b : cable.a), remote, towardsReceiver, at, record);
}

void
RemoteLinks::Send(std::uint32_t partition,
                  std::uint32_t index,
                  bool towardsReceiver,
                  Ps at,
                  const RemoteLinkRecord& record)
{
    if (partition != Plan().self)
    {
        ++m_sent;
        m_config.sender->Send(partition, index, towardsReceiver, at, record);
        return;
    }
    const Time delay = TimeStep(static_cast<std::uint64_t>(at - 1)) - Simulator::Now();
    // no lambda: ns-3 3.35 does not accept one
    Simulator::ScheduleWithContext(Simulator::NO_CONTEXT,
                                   delay,
                                   &RemoteLinks::Arrive,
                                   this,
                                   index,
                                   towardsReceiver,
                                   at,
                                   record);
}

void
RemoteLinks::Tell(NodeId source, std::uint32_t where, NodeId destination, Ps at)
{
    const CongestionNotice notice{where, destination};
    if (IsOurs(source))
    {
        Deliver(notice, source, at); // it counts from now on for how far its host may plan
        return;
    }
    RemoteLinkRecord record(sizeof(notice));
    std::memcpy(record.data(), &notice, sizeof(notice));
    Send(Plan().hosts[source], Count(m_topology) + source, true, at, record);
}

std::vector<std::uint64_t>
RemoteLinks::Exchange(const std::vector<std::uint64_t>& own)
{
    return m_config.sender == nullptr ? own : m_config.sender->Exchange(own);
}

void
RemoteLinks::TellAll(NodeId node, Ps due, std::uint64_t data)
{
    RemoteLinkRecord record(sizeof(data));
    std::memcpy(record.data(), &data, sizeof(data));
    for (std::uint32_t partition = 0; partition < Plan().partitions; ++partition)
    {
        Send(partition, Count(m_topology) + m_topology.hosts + node, true, due, record);
    }
}

void
RemoteLinks::Announce(NodeId host, std::int64_t count, Ps leaves)
{
    const Announcement announcement{count, leaves};
    RemoteLinkRecord record(sizeof(announcement));
    std::memcpy(record.data(), &announcement, sizeof(announcement));
    const std::uint32_t index = Count(m_topology) + 2 * m_topology.hosts + host;
    Send(Plan().hosts[host], index, true, m_world.agenda.Now() + m_longest, record);
}

void
RemoteLinks::CountInbound(InboundTraffic& inbound)
{
    for (NodeId host = 0; host < m_topology.hosts; ++host)
    {
        if (!IsOurs(host))
        {
            inbound.SetElsewhere(host, *this);
        }
    }
}

void
RemoteLinks::ArriveAnnouncement(NodeId host, const RemoteLinkRecord& record)
{
    Announcement announcement;
    NS_ABORT_MSG_IF(record.size() != sizeof(announcement), "truncated announcement");
    std::memcpy(&announcement, record.data(), sizeof(announcement));
    const std::int64_t count = announcement.count;
    if (count > 0)
    {
        m_world.inbound.Add(host, announcement.leaves, static_cast<std::uint32_t>(count));
    }
    else
    {
        m_world.inbound.Remove(host, static_cast<std::uint64_t>(-count));
    }
}

void
RemoteLinks::ArriveCongestion(NodeId source, Ps at, const RemoteLinkRecord& record)
{
    CongestionNotice notice;
    NS_ABORT_MSG_IF(record.size() != sizeof(notice), "truncated congestion notice");
    std::memcpy(&notice, record.data(), sizeof(notice));
    Deliver(notice, source, at);
}

void
RemoteLinks::Deliver(const CongestionNotice& notice, NodeId source, Ps at)
{
    const std::size_t plane = notice.where / m_topology.PlaneSize();
    const CongestionNotices::Sink& sink = m_sinks[plane * m_topology.hosts + source];
    sink.component->Schedule(at, sink.port, sink.target, sink.kind, notice.destination);
}

void
RemoteLinks::ArriveWord(NodeId node, Ps at, const RemoteLinkRecord& record)
{
    std::uint64_t data = 0;
    NS_ABORT_MSG_IF(record.size() != sizeof(data), "truncated word of a process");
    std::memcpy(&data, record.data(), sizeof(data));
    m_world.agenda.Schedule(node, at, WORD_PORT, m_listener, 0, data);
}

void
RemoteLinks::Arrive(std::uint32_t index,
                    bool towardsReceiver,
                    Ps at,
                    const RemoteLinkRecord& record)
{
    const std::uint32_t congestion = Count(m_topology);
    const std::uint32_t words = congestion + m_topology.hosts;
    const std::uint32_t announcements = words + m_topology.hosts;
    if (index >= announcements)
    {
        ArriveAnnouncement(index - announcements, record);
        return;
    }
    if (index >= words)
    {
        ArriveWord(index - words, at, record);
        return;
    }
    if (index >= congestion)
    {
        ArriveCongestion(index - congestion, at, record);
        return;
    }
    NS_ABORT_MSG_IF(m_remoteLinks[index] == nullptr,
                    "received a record for remote link " << index
                                                         << ", which is not on this partition");
    m_remoteLinks[index]->Arrive(towardsReceiver, at, record);
}

void
RequirePartitionsCan(const Cluster& cluster, const ClusterConfig& config)
{
    const LinkCosts wire = LinkCosts::From(cluster.Profile());
    if (config.capture.listener != nullptr)
    {
        Refuse(
            "capture",
            "a listener",
            "packets as they are captured, since those of all ranks are put in order afterwards");
    }
    const FaultPlan& plan = cluster.Config().plan;
    if (wire.flow != FlowControl::CREDITS && !plan.IsEmpty())
    {
        Refuse("--faults",
               "given",
               "faults on wires without credits, such as those of " + cluster.Profile().Name() +
                   ", whose cards store what they send again in an order that ranks cannot know");
    }
}

void
DropWorkOfOthers(Cluster& cluster)
{
    const PartitionPlan& plan = cluster.Config().partition->plan;
    std::vector<bool> others;
    for (const std::uint32_t partition : plan.hosts)
    {
        others.push_back(partition != plan.self);
    }
    for (const std::uint32_t partition : plan.switches)
    {
        others.push_back(partition != plan.self);
    }
    cluster.GetWorld().agenda.CancelWorkOf(others);
}

} // namespace via
} // namespace ns3
