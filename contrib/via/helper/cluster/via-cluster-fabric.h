/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
// The fabric of a cluster: switches, and the cables between them and the NICs.

#ifndef VIA_CLUSTER_FABRIC_H
#define VIA_CLUSTER_FABRIC_H

#include "ns3/via-cluster-capture.h"
#include "ns3/via-congestion-notices.h"
#include "ns3/via-congestion-pause.h"
#include "ns3/via-provider-profile.h"
#include "ns3/via-remote-links.h"
#include "ns3/via-switch.h"
#include "ns3/via-topology.h"
#include "ns3/via-wire-kinds.h"

#include <deque>
#include <map>
#include <memory>
#include <string>
#include <tuple>
#include <vector>

namespace ns3
{
namespace via
{

/// The hosts of a cluster and their cards, as its fabric connects them. Null: not in this
/// partition.
struct FabricHosts
{
    const std::vector<std::unique_ptr<Host>>& hosts;
    const std::vector<std::unique_ptr<Nic>>& nics; ///< by card, then by node
};

/**
 * @brief Builds the switches and wires of a topology, and plugs hosts into them.
 *
 * Use: construct, Divide() if it is one partition of several, AddUplink() for each card right after
 * the card was made, Build() once.
 */
class ClusterFabric
{
  public:
    /// All arguments must outlive the fabric; @p nodes is the number of hosts.
    ClusterFabric(World& world,
                  const ProviderProfile& profile,
                  const Topology& topology,
                  const Adjacency& graph,
                  std::uint32_t nodes);

    /// The fabric is one partition of several. @param first number of the first remote link
    void Divide(const PartitionConfig& config, ComponentId first);

    /// Makes the wire that @p card of @p host sends on.
    void AddUplink(Host& host, std::uint32_t card);

    /// Makes switches and cables. @throws ConfigError a cable between partitions is too short
    void Build(const FabricHosts& ends, ClusterCapture& capture);

    /// By number; null: not in this partition.
    const std::vector<std::unique_ptr<Switch>>& Switches() const
    {
        return m_switches;
    }

    /// The wires from hosts into the fabric, by card, then by node; null: not in this partition.
    const std::vector<std::unique_ptr<Link>>& Uplinks() const
    {
        return m_uplinks;
    }

    /// The wire that leaves from @p end, or its stand-in if it comes from another partition; null:
    /// neither is here.
    Link* FindLink(const Endpoint& end) const;

    /// As FindLink, for what is in this partition.
    Link& LinkFrom(const Endpoint& end) const
    {
        return *FindLink(end);
    }

    /// Every wire of this partition, one direction after the other.
    std::vector<const Link*> Links() const;

    /// What goes to other partitions; null: one partition does it all.
    RemoteLinks* GetRemoteLinks() const
    {
        return m_remoteLinks.get();
    }

    /// The longest flight of a cable, whichever partition has it.
    Ps LongestFlight() const
    {
        return m_longestFlight;
    }

    /// Whether this partition simulates host @p node.
    bool IsOurs(NodeId node) const
    {
        return m_remoteLinks == nullptr || m_remoteLinks->IsOurs(node);
    }

    /// Null: the product has no congestion notices.
    const CongestionNotices* GetCongestionNotices() const
    {
        return m_congestionNotices.get();
    }

    /// How often a switch notified a source of congestion (`switch.feedback`).
    std::uint64_t NoticesSent() const
    {
        return m_congestionNotices == nullptr ? 0 : m_congestionNotices->Notices();
    }

  private:
    /// Stands for a part of another partition, and for the wire from it: see RemoteLink.
    struct FarEnd
    {
        FarEnd(World& world,
               ComponentId id,
               const std::string& name,
               const Shared<LinkCosts>& costs,
               std::uint32_t clock)
            : part(world, id, name),
              link(part, costs, clock)
        {
        }

        Component part;
        Link link;
    };

    using Place = std::tuple<bool, std::uint32_t, std::uint32_t>;

    static Place PlaceOf(const Endpoint& end)
    {
        return {end.isSwitch, end.index, end.port};
    }

    /// Whether this partition simulates what is at @p end.
    bool IsOurs(const Endpoint& end) const
    {
        return m_remoteLinks == nullptr || m_remoteLinks->Plan().IsOurs(end);
    }

    void BuildSwitches();
    void BuildCables(const FabricHosts& ends, ClusterCapture& capture);
    void PlugCable(std::uint32_t index, const FabricHosts& ends, ClusterCapture& capture);
    /// Counts the ports of hosts at a cable that is not in this partition.
    static void SkipHosts(const Cable& cable, ClusterCapture& capture);
    /// The component at @p end, or a new stand-in.
    Component& PartAt(const Endpoint& end, const FabricHosts& ends);
    void PlugSwitch(Link& link, const Endpoint& to, RemoteLink* remote);
    void PlugHost(const Cable& cable,
                  const Endpoint& from,
                  const Endpoint& to,
                  const FabricHosts& ends,
                  ClusterCapture& capture,
                  RemoteLink* remote);
    /// The least time that a switch takes to pass a cell on to the wire from @p from.
    Ps Through(const Endpoint& from) const;
    /// Link::Lookahead of the wire from @p from, an element of @p cable.
    Ps WireLookahead(const Cable& cable, const Endpoint& from) const;
    /// The least time from work of the component at @p from, an element of @p cable, to what it
    /// sends arriving at the other.
    Ps CellLookahead(const Cable& cable, const Endpoint& from) const;
    /// Tells hosts how far they are from other partitions.
    void SetOutsideLookaheads(const FabricHosts& ends);
    void PutRoutesIntoHeads();
    void BuildCongestionNotices(const FabricHosts& ends);

    World& m_world;
    const ProviderProfile& m_profile;
    const Topology& m_topology;
    const Adjacency& m_graph; ///< of m_topology
    SwitchCosts m_switchCosts;
    std::uint32_t m_nodes;
    WireKinds m_wires;
    std::vector<std::unique_ptr<Link>> m_uplinks;
    std::vector<std::unique_ptr<Switch>> m_switches;
    std::unique_ptr<RemoteLinks> m_remoteLinks;
    std::map<Place, std::unique_ptr<FarEnd>> m_farEnds; ///< of cables that lead to other partitions
    Ps m_longestFlight{0};
    std::vector<std::unique_ptr<PairOrder>> m_orders;       ///< of hosts, if packets may overtake
    std::deque<CongestionPause> m_pauses;                   ///< of the cards, where those come
    std::unique_ptr<CongestionNotices> m_congestionNotices; ///< null: the product has none
};

} // namespace via
} // namespace ns3

#endif // VIA_CLUSTER_FABRIC_H
