/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
// Carries congestion notices from a switch with a full output to the source that fills it.

#ifndef VIA_CONGESTION_NOTICES_H
#define VIA_CONGESTION_NOTICES_H

#include "ns3/via-component.h"
#include "ns3/via-congestion.h"
#include "ns3/via-topology.h"

#include <functional>
#include <utility>
#include <vector>

namespace ns3
{
namespace via
{

/**
 * @brief Carries congestion notices (`switch.feedback` = source) back over the cables.
 *
 * A notice overtakes all data, like credits. It passes switches and wires like a shortest cell: a
 * host plans ahead by the time that a cell from a switch takes, and a partition by that on a cable.
 */
class CongestionNotices final : public CongestionListener
{
  public:
    /// The receiver of a host's notices.
    struct Sink
    {
        Component* component;
        AgendaTarget* target; ///< gets OnAgenda(kind, destination host of the congested path)
        AgendaPort port;
        std::uint32_t kind;
    };

    /// By switch of a plane, then by port: ps for the switch and the wire from it.
    using HopTimes = std::vector<std::vector<Ps>>;

    /**
     * @param topology the fabric, and @p graph its Adjacency; both must outlive this
     * @param sinks by plane, then by host
     * @param hopTimes of a plane: all are identical
     */
    CongestionNotices(const Topology& topology,
                      const Adjacency& graph,
                      std::vector<Sink> sinks,
                      HopTimes hopTimes);

    /// @p topology's HopTimes; @p timeOf gives that of an end, a switch, of a cable.
    static HopTimes TimesOf(const Topology& topology,
                            const std::function<Ps(const Cable&, const Endpoint&)>& timeOf);

    /// How long a notice of switch @p where takes to host @p source.
    Ps Delay(std::uint32_t where, NodeId source) const;

    /// Sends host @p source a notice that its path to host @p destination is full at switch @p
    /// where.
    using Carrier =
        std::function<void(NodeId source, std::uint32_t where, NodeId destination, Ps at)>;

    /// Sends all later notices through @p carrier: the source may be in another partition.
    void SetCarrier(Carrier carrier)
    {
        m_carrier = std::move(carrier);
    }

    void OnCongestion(const Switch& where, NodeId source, NodeId destination) override;

    /// Number of notices sent.
    std::uint64_t Notices() const
    {
        return m_notices;
    }

  private:
    const Topology& m_topology;
    const Adjacency& m_graph;
    std::vector<Sink> m_sinks;
    HopTimes m_hopTimes;
    Carrier m_carrier; ///< empty: notices go directly to the sink
    std::uint64_t m_notices{0};
};

} // namespace via
} // namespace ns3

#endif // VIA_CONGESTION_NOTICES_H
