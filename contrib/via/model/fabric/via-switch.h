/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
// A cut-through or store-and-forward switch: routes a cell's head before its tail arrives.

#ifndef VIA_SWITCH_H
#define VIA_SWITCH_H

#include "ns3/abort.h"
#include "ns3/via-congestion.h"
#include "ns3/via-link.h"
#include "ns3/via-port-counters.h"
#include "ns3/via-route.h"
#include "ns3/via-switch-costs.h"

#include <memory>
#include <string>
#include <vector>

namespace ns3
{
namespace via
{

class SwitchQueues;

/// Returns the room of a cell that leaves on @p out to @p upstream.
void ReturnRoom(InPort& upstream, const Link& out, const Cell& cell);

/**
 * @brief Input buffers of cells, a crossbar and one link per output.
 *
 *     cell's first bit --routing latency--> output link (first come, first served; credits)
 *
 * This shows a cut-through switch. A store-and-forward switch waits for the last bit of each cell
 * instead; cell k then leaves while k + 1 arrives, so the cells of a packet still follow each other
 * without a gap.
 *
 * The head of a packet takes the latency, aligned to the switch clock; the following cells use the
 * established path with the same delay. The input buffer is released (credits upstream) while the
 * cells leave. Ties between inputs go by port number.
 *
 * This applies to `switch.queueing` = output, where cells do not contend before the output. Other
 * switches leave their cells to SwitchQueues.
 *
 * Identity, asserted at the end of a run: cells in = cells out + cells dropped.
 */
class Switch final : public Component, public AgendaTarget, public DepartureListener
{
  public:
    /**
     * @param costs of the switch
     * @param links of its ports
     * @param ports number of ports
     */
    Switch(World& world,
           ComponentId id,
           std::string name,
           const SwitchCosts& costs,
           const Shared<LinkCosts>& links,
           std::uint32_t ports);
    ~Switch() override;

    /// The wire that leaves from @p port, which has one.
    Link& Out(std::uint32_t port)
    {
        return *m_ports[port].out;
    }

    const Link& Out(std::uint32_t port) const
    {
        return *m_ports[port].out;
    }

    /// Gives @p port a wire with other costs than the switch's; before anything is connected to it.
    void SetWire(std::uint32_t port, const Shared<LinkCosts>& costs)
    {
        m_ports[port].out = std::make_unique<Link>(*this, costs, port + 1);
    }

    /// The wire of @p port ends at @p early, whose HotBytes() are prefetched from now on.
    void SetReceiver(std::uint32_t port, const EarlyReceiver& early)
    {
        m_ports[port].receiver = early.HotBytes();
    }

    /// Removes the wire of @p port, which has no cable: most ports of a partly used fabric have
    /// none.
    void DropWire(std::uint32_t port)
    {
        m_ports[port].out.reset();
    }

    bool HasWire(std::uint32_t port) const
    {
        return m_ports[port].out != nullptr;
    }

    /// Gets the arriving cells, with kind KindOfPort.
    AgendaTarget* Entrance();

    /// Sets the upstream end of the wire that arrives at @p port, which gets our credits.
    void SetUpstream(std::uint32_t port, InPort* upstream);

    std::uint32_t PortCount() const
    {
        return static_cast<std::uint32_t>(m_ports.size());
    }

    /// Aborts if a route leads to a port that does not exist.
    void SetRoutes(RouteTable routes);

    /// Whether a cell gets its departure time when it arrives, if there is credit: no arbiter, lane
    /// or choice of port decides later.
    static bool ServesInOrder(const SwitchCosts& costs,
                              const LinkCosts& links,
                              const RouteTable& routes);

    /// The work kind with which links deliver to input @p port.
    static std::uint32_t KindOfPort(std::uint32_t port)
    {
        return port;
    }

    const RouteTable& Routes() const
    {
        return m_routes;
    }

    /// Aborts if there is no route to @p destination.
    const Route& RouteTo(NodeId destination) const
    {
        NS_ABORT_MSG_IF(!m_routes.Has(destination),
                        Name() << " has no route to host " << destination);
        return m_routes.To(destination);
    }

    /// @param listener gets congestion notices for full outputs; null: none
    void SetCongestionListener(CongestionListener* listener);

    /// Sends a congestion notice if @p cells cells, before @p packet joins them, reach the mark.
    void Watch(const Packet& packet, std::uint64_t cells)
    {
        if (cells >= m_costs.feedbackMark && m_congestion != nullptr && packet.IsMessage())
        {
            m_congestion->OnCongestion(*this, packet.source, packet.destination);
        }
    }

    /// Takes the head of a packet through the switch.
    Moment Pass(Moment first)
    {
        return Spend(first, Stage::SWITCH, Engine::CROSSBAR, m_clock, m_costs.latency);
    }

    void OnAgenda(std::uint32_t kind, std::uint64_t data) override;
    void Prefetch(Hint hint, std::uint32_t kind, std::uint64_t data) override;
    void OnDeparture(const Cell& cell) override;

    std::uint64_t CellsIn() const;
    std::uint64_t CellsOut() const;
    std::uint64_t CellsDropped() const;

    /// Describes what is wrong in an idle switch or its outgoing wires; "" if all is well.
    std::string Violation() const;

    /// Traffic of @p port so far, with cells that are certain to leave later.
    PortCounters Counters(std::uint32_t port) const;

    /// From now on CountersNow() is exact.
    void RecordDepartures();

    /// Traffic of @p port until now.
    PortCounters CountersNow(std::uint32_t port) const;

  private:
    /// Lets the output wires count what they have not sent yet.
    void CountBacklogs();

    struct alignas(64) Port
    {
        std::unique_ptr<Link> out; ///< null: no cable
        InPort* upstream{nullptr};
        const Packet* open{nullptr}; ///< packet whose path is established
        Ps delay{0};                 ///< of that path
        std::uint64_t cellsIn{0};
        std::uint64_t packetsIn{0};
        std::uint64_t packetsOut{0};
        const void* receiver{nullptr}; ///< HotBytes() of a host at the end of `out`; null: none
    };

    Moment Through(Port& in, const Packet& packet, Moment first);

    SwitchCosts m_costs;
    ClockDomain m_clock;
    std::vector<Port> m_ports;
    RouteTable m_routes;
    CongestionListener* m_congestion{nullptr};
    std::unique_ptr<SwitchQueues> m_queues; ///< null: outputs are served first come, first served
};

} // namespace via
} // namespace ns3

#endif // VIA_SWITCH_H
