/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
// Traffic without hosts: sources and sinks of packets at the edge of a fabric.

#ifndef VIA_TRAFFIC_H
#define VIA_TRAFFIC_H

#include "ns3/via-link.h"

#include <cstdint>
#include <deque>
#include <map>
#include <string>
#include <vector>

namespace ns3
{
namespace via
{

/// Destinations of a node's packets.
enum class TrafficPattern : std::uint8_t
{
    UNIFORM,        ///< to any other node
    TRANSPOSE,      ///< (x, y) to (y, x) of a square; nodes on the diagonal send nothing
    BIT_COMPLEMENT, ///< i to nodes - 1 - i; the number of nodes is a power of two
    HOT_SPOT,       ///< a share to node 0, the rest to any other node
    ALL_TO_ALL,     ///< to each other node in turn
    PERMUTATION,    ///< always to the same one, different for each node
};

/// Parameters of raw traffic over a fabric.
struct TrafficPlan
{
    static constexpr std::uint64_t ALL = 1'000'000;
    static constexpr std::uint32_t MAX_PACKET_CELLS =
        64; ///< a slot, the unit of load, grows with it

    TrafficPattern pattern{TrafficPattern::UNIFORM};
    std::uint64_t load{ALL}; ///< packets offered per node in 10^6 slots; ALL: one always waits
    std::uint64_t hotShare{100'000};  ///< HOT_SPOT: packets for node 0, of 10^6
    std::uint32_t packetCells{1};     ///< full cells per packet; a slot is their time on the wire
    std::uint64_t warmUpSlots{1'000}; ///< before measurement begins
    std::uint64_t slots{10'000};      ///< measured slots
    std::uint64_t seed{1};

    /**
     * @brief Rejects impossible plans.
     * @throws ConfigError naming option, value and limit
     */
    void Check(std::uint32_t nodes) const;

    /// The destination of packet @p number of @p node, with @p nodes nodes.
    NodeId Destination(std::uint32_t node, std::uint64_t number, std::uint32_t nodes) const;
};

/// The pattern named @p text, e.g. "bit-complement". @throws ConfigError if there is none
TrafficPattern ParseTrafficPattern(const std::string& text);

/// Observations of the sinks of a fabric.
struct TrafficCount
{
    std::uint64_t sent{0};       ///< cells, from the first slot to the last
    std::uint64_t delivered{0};  ///< cells that arrived completely
    std::uint64_t dropped{0};    ///< cells reported as dropped by a switch
    std::uint64_t spoiled{0};    ///< cells damaged or lost by a wire
    std::uint64_t measured{0};   ///< delivered cells in the measured slots
    std::uint64_t disordered{0}; ///< packets that arrived before one that left their node earlier
    std::vector<Ps> latencies;   ///< of packets born in these slots, birth to last bit
};

/**
 * @brief A node that is only a source and a sink.
 *
 * A packet is born at the beginning of a slot with probability `load` / 10^6, and waits in its
 * source until the wire takes it. Slots and destinations are hashes of the seed, the node and a
 * counter. At full load the next packet is born when the previous one has left. A cell is consumed
 * as soon as it arrives.
 */
class TrafficNode final : public Component, public AgendaTarget, public DepartureListener
{
  public:
    /// Agenda ports and kinds.
    static constexpr AgendaPort WIRE_PORT = 0;
    static constexpr AgendaPort SOURCE_PORT = 1;
    static constexpr std::uint32_t CELL = 0;
    static constexpr std::uint32_t BIRTH = 1;
    static constexpr std::uint32_t CONGESTION = 2; ///< notice: the path to host `data` is full
    static constexpr std::uint32_t RELEASE = 3;    ///< packets held back for that host may leave

    /**
     * @param plan of all nodes
     * @param links of the fabric
     * @param nodes number of nodes
     */
    TrafficNode(World& world,
                ComponentId id,
                const Shared<TrafficPlan>& plan,
                const Shared<LinkCosts>& links,
                std::uint32_t nodes);

    /// The wire to send on.
    Link& Uplink()
    {
        return m_uplink;
    }

    /**
     * @param out the uplink, or an object in front of it
     * @param upstream gets the credits of the incoming wire
     */
    void Plug(OutPort* out, InPort* upstream)
    {
        m_out = out;
        m_upstream = upstream;
    }

    /// Sets how long the node sends nothing to a host after a congestion notice.
    void SetFeedbackPause(Ps pause)
    {
        m_feedbackPause = pause;
    }

    /// Plans the first packet.
    void Start();

    void OnAgenda(std::uint32_t kind, std::uint64_t data) override;
    void OnDeparture(const Cell& cell) override;

    const TrafficCount& Count() const
    {
        return m_count;
    }

    /// Duration of a slot. With several wires, all of them carry one packet, or several.
    Ps SlotTime() const
    {
        return m_uplink.CellTime() * m_plan->packetCells / m_uplink.Costs().wires;
    }

    /// The measured interval: from, until.
    Ps From() const
    {
        return static_cast<Ps>(m_plan->warmUpSlots) * SlotTime();
    }

    Ps Until() const
    {
        return From() + static_cast<Ps>(m_plan->slots) * SlotTime();
    }

  private:
    void PlanBirth(std::uint64_t slot);
    void GiveBirth();
    void Send(Packet* packet);
    bool HoldBack(Packet* packet);
    void Release(NodeId destination);
    void Take(Cell& cell);
    void FreeRoom(const Cell& cell);

    Shared<TrafficPlan> m_plan;
    Link m_uplink;
    OutPort* m_out{nullptr};
    InPort* m_upstream{nullptr};
    std::uint32_t m_nodes;
    NodeId m_partner; ///< destination of its first packet, and of all in a permutation
    std::uint64_t m_born{0};
    TrafficCount m_count;

    /// Effect of congestion notices on one destination.
    struct Held
    {
        Ps until{0};
        std::deque<Packet*> packets; ///< in the order of birth
    };

    Ps m_feedbackPause{0};
    std::map<NodeId, Held> m_held;
    std::vector<std::uint64_t> m_newest; ///< by source: number of the last packet plus one
};

} // namespace via
} // namespace ns3

#endif // VIA_TRAFFIC_H
