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

/// To whom the packets of a node go.
enum class TrafficPattern : std::uint8_t
{
    UNIFORM,        ///< to any of the others
    TRANSPOSE,      ///< (x, y) to (y, x) of a square; nodes of the diagonal are silent
    BIT_COMPLEMENT, ///< i to nodes - 1 - i, a power of two
    HOT_SPOT,       ///< a share to node 0, the rest to any of the others
    ALL_TO_ALL,     ///< to each of the others in turn
    PERMUTATION,    ///< to one, the same always; no two have the same
};

/// Raw traffic over a fabric.
struct TrafficPlan
{
    static constexpr std::uint64_t ALL = 1'000'000;

    TrafficPattern pattern{TrafficPattern::UNIFORM};
    std::uint64_t load{ALL}; ///< packets offered by a node in 10^6 slots; ALL: always one waits
    std::uint64_t hotShare{100'000};  ///< HOT_SPOT: of 10^6 packets, those for node 0
    std::uint32_t packetCells{1};     ///< full cells of a packet; a slot is their time on the wire
    std::uint64_t warmUpSlots{1'000}; ///< before anything is measured
    std::uint64_t slots{10'000};      ///< in which is measured
    std::uint64_t seed{1};

    /**
     * @brief Refuses what cannot be.
     * @throws ConfigError naming option, value and limit
     */
    void Check(std::uint32_t nodes) const;

    /// Where packet @p number of @p node goes, of @p nodes.
    NodeId Destination(std::uint32_t node, std::uint64_t number, std::uint32_t nodes) const;
};

/// The pattern named @p text, e.g. "bit-complement". @throws ConfigError there is none
TrafficPattern ParseTrafficPattern(const std::string& text);

/// What the sinks of a fabric have seen.
struct TrafficCount
{
    std::uint64_t sent{0};       ///< cells, from the first slot to the last
    std::uint64_t delivered{0};  ///< cells that arrived whole
    std::uint64_t dropped{0};    ///< cells of which a switch sent news that they are not coming
    std::uint64_t spoiled{0};    ///< cells that a wire spoiled
    std::uint64_t measured{0};   ///< of the delivered ones, those in the slots that are measured
    std::uint64_t disordered{0}; ///< packets that came before one that left their node earlier
    std::vector<Ps> latencies;   ///< of packets born in these slots, from birth to the last bit
};

/**
 * @brief A node that is nothing but a source and a sink.
 *
 * A packet is born at the begin of a slot, with a chance of `load` in 10^6, and waits in its source
 * until the wire takes it. Which slots those are, and who gets it, are hashes of the seed, the node
 * and a count. At full load the next packet is born when the one before has left. A cell is taken
 * off the wire as soon as it is there.
 */
class TrafficNode final : public Component, public AgendaTarget, public DepartureListener
{
  public:
    /// Agenda ports and kinds.
    static constexpr AgendaPort WIRE_PORT = 0;
    static constexpr AgendaPort SOURCE_PORT = 1;
    static constexpr std::uint32_t BURST = 0;
    static constexpr std::uint32_t BIRTH = 1;
    static constexpr std::uint32_t CONGESTION = 2; ///< feedback: the way to host `data` is full
    static constexpr std::uint32_t RELEASE = 3;    ///< what is held back for it may go

    /**
     * @param plan of all nodes
     * @param links of the fabric
     * @param nodes how many there are
     */
    TrafficNode(World& world,
                ComponentId id,
                const Shared<TrafficPlan>& plan,
                const Shared<LinkCosts>& links,
                std::uint32_t nodes);

    /// The wire that it sends on.
    Link& Uplink()
    {
        return m_uplink;
    }

    /**
     * @param out the uplink, or who stands before it
     * @param upstream gets the credits of the wire that arrives here
     */
    void Plug(OutPort* out, InPort* upstream)
    {
        m_out = out;
        m_upstream = upstream;
    }

    /// After feedback on congestion it sends nothing to that host for so long.
    void SetFeedbackPause(Ps pause)
    {
        m_feedbackPause = pause;
    }

    /// Plans the first packet.
    void Start();

    void OnAgenda(std::uint32_t kind, std::uint64_t data) override;
    void OnDeparture(const Burst& burst) override;

    const TrafficCount& Count() const
    {
        return m_count;
    }

    /// How long a slot is: of several wires, all take part in a packet, or in several of them.
    Ps SlotTime() const
    {
        return m_uplink.CellTime() * m_plan->packetCells / m_uplink.Costs().wires;
    }

    /// The slots that are measured: from, until.
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
    void Take(Burst& burst);
    void FreeRoom(const Burst& burst);

    Shared<TrafficPlan> m_plan;
    Link m_uplink;
    OutPort* m_out{nullptr};
    InPort* m_upstream{nullptr};
    std::uint32_t m_nodes;
    NodeId m_partner; ///< where its first packet goes, and all of them in a permutation
    std::uint64_t m_born{0};
    TrafficCount m_count;

    /// What feedback on congestion does to a destination.
    struct Held
    {
        Ps until{0};
        std::deque<Packet*> packets; ///< in the order of their births
    };

    Ps m_feedbackPause{0};
    std::map<NodeId, Held> m_held;
    std::vector<std::uint64_t> m_newest; ///< by source: number of the last packet, plus one
};

} // namespace via
} // namespace ns3

#endif // VIA_TRAFFIC_H
