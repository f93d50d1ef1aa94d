/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
// The part of a cluster that one rank simulates: the cables that leave it, and its results.

#include "via-rank-crossings.h"

#include "ns3/abort.h"
#include "ns3/via-cluster.h"
#include "ns3/via-error.h"

#include <algorithm>
#include <array>
#include <string>

namespace ns3
{
namespace via
{

namespace
{

/// Their processes share nothing but messages, and their results are rounds or round trips.
const std::array<const char*, 6> WORKLOADS = {"all-to-all",
                                              "barrier",
                                              "barrier-centralized",
                                              "barrier-dissemination",
                                              "barrier-tree",
                                              "ping-pong"};

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

RankCrossings::RankCrossings(const RankConfig& config, World& world, ComponentId first)
    : m_config(config),
      m_world(world),
      m_first(first)
{
}

ComponentId
RankCrossings::Count(const Topology& topology)
{
    return static_cast<ComponentId>(2 * topology.cables.size());
}

Crossing*
RankCrossings::Make(const Cable& cable, std::uint32_t index, Component& sender, Link& link)
{
    const RankPlan& plan = m_config.plan;
    const bool forward = index % 2 == 0;
    m_ends.resize(std::max<std::size_t>(m_ends.size(), index + 1));
    m_crossings.resize(m_ends.size());
    m_ends[index] = {plan.RankOf(forward ? cable.a : cable.b),
                     plan.RankOf(forward ? cable.b : cable.a)};
    if (!plan.Cuts(cable) || (!plan.IsOurs(cable.a) && !plan.IsOurs(cable.b)))
    {
        return nullptr;
    }
    m_crossings[index] = std::make_unique<Crossing>(m_world,
                                                    m_first + index,
                                                    index,
                                                    sender,
                                                    link,
                                                    *m_config.carrier);
    return m_crossings[index].get();
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

void
RankCrossings::Arrive(std::uint32_t index,
                      bool towardsReceiver,
                      Ps at,
                      const CrossingRecord& record)
{
    NS_ABORT_MSG_IF(index >= m_crossings.size() || m_crossings[index] == nullptr,
                    "a record for crossing " << index << ", which is not on this rank");
    m_crossings[index]->Arrive(towardsReceiver, at, record);
}

Ps
RankCrossings::LookaheadTo(std::uint32_t other) const
{
    Ps least = PS_NEVER;
    for (std::size_t i = 0; i < m_crossings.size(); ++i)
    {
        const bool between = m_ends[i].first == other || m_ends[i].second == other;
        if (m_crossings[i] != nullptr && between)
        {
            least = std::min(least, m_crossings[i]->Lookahead());
        }
    }
    return least;
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
    if (!config.plan.IsEmpty() || !config.faults.empty())
    {
        Refuse("--faults", config.faults, "faults");
    }
    if (wire.IsLossy())
    {
        Refuse("link.flow_control", cluster.Profile().Name(), "wires that lose cells");
    }
    if (wire.flow != FlowControl::CREDITS)
    {
        Refuse("link.flow_control", cluster.Profile().Name(), "buffers that stop the sender");
    }
    const Topology& topology = cluster.GetTopology();
    if (topology.rails > 1 || topology.MayOvertake())
    {
        Refuse("--topology", topology.name, "packets that may overtake each other");
    }
}

void
RequireRanksCan(const std::string& name, const std::map<std::string, std::string>& parameters)
{
    if (std::find(WORKLOADS.begin(), WORKLOADS.end(), name) == WORKLOADS.end())
    {
        std::string known;
        for (const char* one : WORKLOADS)
        {
            known += (known.empty() ? "" : ", ") + std::string(one);
        }
        Refuse("workload", name, "but " + known + " are");
    }
    for (const char* option : {"transport", "process-faults"})
    {
        const auto found = parameters.find(option);
        if (found != parameters.end() && found->second != "via-send" && !found->second.empty())
        {
            Refuse(name + " " + option, found->second, "only via-send and no faults");
        }
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
