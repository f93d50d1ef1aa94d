/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
// A switch, cut-through or store-and-forward: routes a burst's head while its tail is on the way.

#ifndef VIA_SWITCH_H
#define VIA_SWITCH_H

#include "ns3/via-link.h"
#include "ns3/via-route.h"

#include <memory>
#include <vector>

namespace ns3
{
namespace via
{

/// What a switch of a product costs, read from its profile.
struct SwitchCosts
{
    Frequency clock{1, 1};
    Cycles latency; ///< from what it waits for of a cell to the first bit out, output idle
    Notice notice{Notice::FIRST_BIT}; ///< what it waits for

    /// Reads the keys `switch.*` of @p profile.
    static SwitchCosts From(const ProviderProfile& profile);
};

/**
 * @brief Input buffers of cells, a crossbar and one link per output.
 *
 *     burst's first bit --routing latency--> output link (first come, first served; credits)
 *
 * That is cut-through. A store-and-forward switch waits for the last bit of each cell instead; cell
 * k then leaves while k + 1 arrives, so the cells of a group still follow each other without a gap.
 *
 * The head of a packet pays the latency to the edges of the switch clock; the cells behind it
 * follow through the path that is set up, with the same delay. The buffer of the input is given
 * back (credits upstream) while the cells leave. Ties between inputs go by port number.
 *
 * Identity, asserted: cells in = cells out + cells buffered.
 */
class Switch final : public Component, public AgendaTarget, public DepartureListener
{
  public:
    /**
     * @param costs of the switch
     * @param links of its ports
     * @param ports how many
     */
    Switch(World& world,
           ComponentId id,
           std::string name,
           const SwitchCosts& costs,
           const Shared<LinkCosts>& links,
           std::uint32_t ports);

    /// The wire that leaves from @p port.
    Link& Out(std::uint32_t port)
    {
        return *m_ports[port].out;
    }

    /// The upstream end of the wire that arrives at @p port: gets our credits.
    void SetUpstream(std::uint32_t port, InPort* upstream)
    {
        m_ports[port].upstream = upstream;
    }

    std::uint32_t PortCount() const
    {
        return static_cast<std::uint32_t>(m_ports.size());
    }

    /// Aborts if a route leads to a port that is not there.
    void SetRoutes(RouteTable routes);

    /// The work kind under which links deliver to input @p port.
    static std::uint32_t KindOfPort(std::uint32_t port)
    {
        return port;
    }

    void OnAgenda(std::uint32_t kind, std::uint64_t data) override;
    void Foresee(std::uint32_t kind, std::uint64_t data) override;
    void Expect(std::uint32_t kind, std::uint64_t data) override;
    void OnDeparture(const Burst& burst) override;

    std::uint64_t CellsIn() const
    {
        return m_cellsIn;
    }

    std::uint64_t CellsOut() const
    {
        return m_cellsOut;
    }

  private:
    struct Port
    {
        std::unique_ptr<Link> out;
        InPort* upstream{nullptr};
        const Packet* open{nullptr}; ///< packet whose path is set up
        Ps delay{0};                 ///< of that path
    };

    Moment Through(Port& in, const Packet& packet, Moment first);

    SwitchCosts m_costs;
    ClockDomain m_clock;
    std::vector<Port> m_ports;
    RouteTable m_routes;
    std::uint64_t m_cellsIn{0};
    std::uint64_t m_cellsOut{0};
};

} // namespace via
} // namespace ns3

#endif // VIA_SWITCH_H
