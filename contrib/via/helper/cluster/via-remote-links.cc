/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
// The part of a cluster that one rank simulates: the cables that leave it, and its results.

#include "via-rank-crossings.h"

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

/// News of congestion is behind the other work of an instant, by number of the switch.
constexpr AgendaPort NOTICE_PORT = 0xe000'0000;

/// Behind that is what processes tell all ranks.
constexpr AgendaPort WORD_PORT = 0xf000'0000;

/// News of congestion, as it travels.
struct CongestionNotice
{
    std::uint32_t where; ///< number of the switch
    NodeId destination;  ///< of the packets that are too many
};

[[noreturn]] void
Refuse(const std::string& option, const std::string& value, const std::string& what)
{
    throw ConfigError(option, value, "not on several ranks yet: " + what);
}

void
DropWorkOf(Agenda& agenda, ComponentId component)
{
    // nothing has run or been cancelled: the items are the first ones that were ever planned
    for (std::uint64_t sequence = 0; agenda.HeadOf(component) != PS_NEVER; ++sequence)
    {
        agenda.Cancel(component, sequence);
    }
}

} // namespace

RankCrossings::RankCrossings(const RankConfig& config,
                             const Topology& topology,
                             World& world,
                             ComponentId first)
    : m_config(config),
      m_topology(topology),
      m_world(world),
      m_first(first),
      m_crossings(Count(topology))
{
}

ComponentId
RankCrossings::Count(const Topology& topology)
{
    return static_cast<ComponentId>(2 * topology.cables.size());
}

Crossing*
RankCrossings::Make(std::uint32_t index, Component& sender, Link& link)
{
    const Cable& cable = m_topology.cables[index / 2];
    if (!Plan().IsOurs(cable.a) && !Plan().IsOurs(cable.b))
    {
        return nullptr;
    }
    m_crossings[index] =
        std::make_unique<Crossing>(m_world, m_first + index, index, sender, link, *this);
    return m_crossings[index].get();
}

void
RankCrossings::SetSinks(std::vector<Feedback::Sink> sinks)
{
    m_sinks = std::move(sinks);
}

void
RankCrossings::Check() const
{
    for (const auto& crossing : m_crossings)
    {
        if (crossing != nullptr && crossing->Lookahead() < 1)
        {
            throw ConfigError("link.cable_length_mm",
                              "a flight of " + std::to_string(crossing->Lookahead() + 1) + " ps",
                              "a cable between two ranks needs 2 ps at least: it is their "
                              "look-ahead");
        }
    }
}

Ps
RankCrossings::Lookahead() const
{
    Ps least = PS_NEVER;
    for (std::size_t i = 0; i < m_crossings.size(); ++i)
    {
        const Cable& cable = m_topology.cables[i / 2];
        if (m_crossings[i] != nullptr && Plan().RankOf(cable.a) != Plan().RankOf(cable.b))
        {
            least = std::min(least, m_crossings[i]->Lookahead());
        }
    }
    return least;
}

void
RankCrossings::Carry(std::uint32_t crossing,
                     bool towardsReceiver,
                     Ps at,
                     const CrossingRecord& record)
{
    const Cable& cable = m_topology.cables[crossing / 2];
    const bool forward = (crossing % 2 == 0) == towardsReceiver;
    Send(Plan().RankOf(forward ? cable.b : cable.a), crossing, towardsReceiver, at, record);
}

void
RankCrossings::Send(std::uint32_t rank,
                    std::uint32_t index,
                    bool towardsReceiver,
                    Ps at,
                    const CrossingRecord& record)
{
    if (rank != Plan().self)
    {
        ++m_sent;
        m_config.sender->Send(rank, index, towardsReceiver, at, record);
        return;
    }
    const Time delay = TimeStep(static_cast<std::uint64_t>(at - 1)) - Simulator::Now();
    // no lambda: ns-3 3.35 does not take one
    Simulator::ScheduleWithContext(Simulator::NO_CONTEXT,
                                   delay,
                                   &RankCrossings::Arrive,
                                   this,
                                   index,
                                   towardsReceiver,
                                   at,
                                   record);
}

void
RankCrossings::Tell(NodeId source, std::uint32_t where, NodeId destination, Ps at)
{
    const CongestionNotice notice{where, destination};
    CrossingRecord record(sizeof(notice));
    std::memcpy(record.data(), &notice, sizeof(notice));
    Send(Plan().hosts[source], Count(m_topology) + source, true, at, record);
}

std::vector<std::uint64_t>
RankCrossings::Exchange(const std::vector<std::uint64_t>& own)
{
    return m_config.sender == nullptr ? own : m_config.sender->Exchange(own);
}

void
RankCrossings::TellAll(NodeId node, Ps at, std::uint64_t data)
{
    // the longest flight, not the shortest: it does not depend on where the ranks meet
    const Ps due = std::max(at, m_world.agenda.Now()) + m_longest;
    CrossingRecord record(sizeof(data));
    std::memcpy(record.data(), &data, sizeof(data));
    for (std::uint32_t rank = 0; rank < Plan().ranks; ++rank)
    {
        Send(rank, Count(m_topology) + m_topology.hosts + node, true, due, record);
    }
}

void
RankCrossings::ArriveCongestion(NodeId source, Ps at, const CrossingRecord& record)
{
    CongestionNotice notice;
    NS_ABORT_MSG_IF(record.size() != sizeof(notice), "torn news of congestion");
    std::memcpy(&notice, record.data(), sizeof(notice));
    const Feedback::Sink& sink = m_sinks[source];
    sink.component->Schedule(at,
                             NOTICE_PORT + notice.where,
                             sink.target,
                             sink.kind,
                             notice.destination);
}

void
RankCrossings::ArriveWord(NodeId node, Ps at, const CrossingRecord& record)
{
    std::uint64_t data = 0;
    NS_ABORT_MSG_IF(record.size() != sizeof(data), "torn news of a process");
    std::memcpy(&data, record.data(), sizeof(data));
    m_world.agenda.Schedule(node, at, WORD_PORT, m_listener, 0, data);
}

void
RankCrossings::Arrive(std::uint32_t index,
                      bool towardsReceiver,
                      Ps at,
                      const CrossingRecord& record)
{
    const std::uint32_t congestion = Count(m_topology);
    const std::uint32_t words = congestion + m_topology.hosts;
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
    NS_ABORT_MSG_IF(m_crossings[index] == nullptr,
                    "a record for crossing " << index << ", which is not on this rank");
    m_crossings[index]->Arrive(towardsReceiver, at, record);
}

void
RequireRanksCan(const Cluster& cluster, const ClusterConfig& config)
{
    const LinkCosts wire = LinkCosts::From(cluster.Profile());
    if (config.record)
    {
        Refuse("record", "true", "messages and critical paths are not gathered");
    }
    if (!config.capture.file.empty() || config.capture.listener != nullptr)
    {
        Refuse("--pcap", config.capture.file, "captures");
    }
    const FaultPlan& plan = cluster.Config().plan;
    if (std::any_of(plan.faults.begin(),
                    plan.faults.end(),
                    [](const auto& f) { return f.restart; }) ||
        std::any_of(plan.storms.begin(), plan.storms.end(), [](const auto& storm) {
            return storm.what.restart;
        }))
    {
        Refuse("--faults", "restart", "programs that start again");
    }
    if (wire.flow != FlowControl::CREDITS)
    {
        Refuse("link.flow_control", cluster.Profile().Name(), "wires without credits");
    }
    const Topology& topology = cluster.GetTopology();
    if (topology.rails > 1 || topology.MayOvertake())
    {
        Refuse("--topology", topology.name, "packets that may overtake each other");
    }
}

void
DropWorkOfOthers(Cluster& cluster)
{
    const RankPlan& plan = cluster.Config().ranks->plan;
    Agenda& agenda = cluster.GetWorld().agenda;
    const auto hosts = static_cast<ComponentId>(plan.hosts.size());
    for (ComponentId host = 0; host < hosts; ++host)
    {
        if (plan.hosts[host] != plan.self)
        {
            DropWorkOf(agenda, host);
        }
    }
    for (ComponentId i = 0; i < plan.switches.size(); ++i)
    {
        if (plan.switches[i] != plan.self)
        {
            DropWorkOf(agenda, hosts + i);
        }
    }
}

} // namespace via
} // namespace ns3
