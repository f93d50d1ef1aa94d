/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
// How the news of a full output gets from a switch to the source that fills it.

#ifndef VIA_FEEDBACK_H
#define VIA_FEEDBACK_H

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
 * @brief Carries feedback on congestion (`switch.feedback` = source) back over the cables.
 *
 * It goes ahead of all data, as credits do, and takes as long for each cable as a credit.
 */
class Feedback final : public CongestionListener
{
  public:
    /// Who is told at a host, and how.
    struct Sink
    {
        Component* component;
        AgendaTarget* target; ///< gets OnAgenda(kind, host that the congested way leads to)
        AgendaPort port;
        std::uint32_t kind;
    };

    /**
     * @param topology of the fabric, and @p graph of it; both must outlive this
     * @param sinks by plane, then by host
     * @param perCable ps that it takes for one
     */
    Feedback(const Topology& topology,
             const Adjacency& graph,
             std::vector<Sink> sinks,
             Ps perCable);

    /// Takes news to host @p source that its way to host @p destination is full at switch @p where.
    using Carrier =
        std::function<void(NodeId source, std::uint32_t where, NodeId destination, Ps at)>;

    /// From now on @p carrier takes the news: the source may be on another rank.
    void SetCarrier(Carrier carrier)
    {
        m_carrier = std::move(carrier);
    }

    void OnCongestion(const Switch& where, NodeId source, NodeId destination) override;

    /// How often a source was told.
    std::uint64_t Notices() const
    {
        return m_notices;
    }

  private:
    const Topology& m_topology;
    const Adjacency& m_graph;
    std::vector<Sink> m_sinks;
    Ps m_perCable;
    Carrier m_carrier; ///< empty: the sink itself is told
    std::uint64_t m_notices{0};
};

} // namespace via
} // namespace ns3

#endif // VIA_FEEDBACK_H
