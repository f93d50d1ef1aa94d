/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
// Queues of a switch whose cells wait at inputs for a crossbar, or are dropped for lack of room.

#ifndef VIA_SWITCH_QUEUES_H
#define VIA_SWITCH_QUEUES_H

#include "ns3/via-arbiter.h"
#include "ns3/via-index-set.h"
#include "ns3/via-occupancy.h"
#include "ns3/via-port-counters.h"
#include "ns3/via-ring.h"
#include "ns3/via-switch-costs.h"

#include <vector>

namespace ns3
{
namespace via
{

class Switch;

/**
 * @brief The queues of a switch that does more than serve its outputs first come, first served.
 *
 *     arrival --latency--> queue --input and output free, granted--> output link
 *        |                                                             |
 *        +-- no room: dropped                   credits, room <--------+
 *
 * Inputs and outputs are identified by port and virtual lane; each lane has its own path through
 * the crossbar. An input sends one cell at a time. So does an output, which takes the next cell
 * when the tail of the last has left. A granted cell that lacks credits downstream waits in front
 * of its wire. The cells of a worm after its head need no decision: they leave one after another,
 * as soon as they are known. A dropped cell travels on as a mere report, without time and without
 * room, because the receiver counts the following cells relative to it.
 */
class SwitchQueues final : public AgendaTarget, public DepartureListener
{
  public:
    /// Decisions come after all arrivals at an instant.
    static constexpr AgendaPort DECIDE_PORT = Link::RESYNC_PORT - 2;

    /**
     * @param owner switch that has the queues
     * @param costs of the switch
     * @param links of its ports
     * @param ports number of ports
     */
    SwitchQueues(Switch& owner,
                 const SwitchCosts& costs,
                 const LinkCosts& links,
                 std::uint32_t ports);

    /// @param upstream gets the credits of input @p port
    void SetUpstream(std::uint32_t port, InPort* upstream);

    /// @param kind the port, or DECIDE
    void OnAgenda(std::uint32_t kind, std::uint64_t data) override;
    void OnDeparture(const Cell& cell) override;

    std::uint64_t CellsIn() const
    {
        return m_cellsIn;
    }

    std::uint64_t CellsOut() const
    {
        return m_cellsOut;
    }

    std::uint64_t CellsDropped() const
    {
        return m_cellsDropped;
    }

    /// Excludes the counters that the links keep.
    PortCounters Counters(std::uint32_t port) const;

  private:
    static constexpr std::uint32_t DECIDE = UINT32_MAX;
    static constexpr std::uint32_t NOBODY = IndexSet::NONE;

    /// The path of a packet that has not passed completely.
    struct Path
    {
        const Packet* packet;
        NodeId destination;
        std::uint32_t output;
        Ps delay; ///< from arrival to ready
    };

    /// One lane of an input port.
    struct Input
    {
        std::vector<Path> paths;
        std::vector<Ring<Cell*>> queues; ///< one in all, or one per output
        std::uint32_t waiting{0};        ///< cells in all of them
        Ps busyUntil{0};
        bool held{false}; ///< as Output::held: what waits for a credit blocks its input, too
        InPort* upstream{nullptr};
        Occupancy room; ///< of queueing at inputs
        PortCounters counters;
    };

    /// One lane of an output port.
    struct Output
    {
        Ps busyUntil{0};
        Ps granted{0};    ///< when the last cell was
        bool held{false}; ///< a granted cell has no departure time yet
        std::uint32_t owner{NOBODY};
        std::uint32_t queued{0}; ///< cells waiting at inputs for this output
        IndexSet asking;         ///< inputs with a queue whose first cell is for this output
        Occupancy room;          ///< of queueing at outputs
        std::uint64_t packets{0};
    };

    void Arrive(std::uint32_t port, Cell& cell);
    /// @param head when the head has passed, if it opens the path
    Path Open(Input& in, const Cell& cell, Moment& head);
    void Close(Input& in, const Cell& cell);
    std::uint32_t ChooseOutput(const Packet& packet, bool mayAdapt);
    std::uint64_t Load(std::uint32_t output) const;
    void TakeIn(Input& in, Output& out, Cell& cell);
    void Drop(Input& in, Cell& cell);
    void Enqueue(std::uint32_t input, std::uint32_t output, Cell& cell);
    bool MayPass(std::uint32_t input, std::uint32_t output, Ps at) const;
    Cell& PopHead(std::uint32_t input, std::uint32_t queue);
    void Decide();
    void PassDropped();
    /// Adds the requests for @p output.
    void Collect(std::uint32_t output);
    /// The cell at the front of a queue asks for its output from now on.
    void Ask(std::uint32_t input, std::uint32_t queue);
    /// Sends @p cell, not before @p at, and what follows of its worm.
    void Grant(std::uint32_t input, std::uint32_t output, Cell& cell, Ps at);
    void Send(std::uint32_t input, std::uint32_t output, Cell& cell, Ps at);
    /// Whether @p cell, which may wait at @p input next, is the next of a worm, needs no decision
    /// and has a departure time at once.
    bool Follows(std::uint32_t input, std::uint32_t output, Cell& cell) const;

    /// When both are free, not before now.
    Ps FreeAt(std::uint32_t input, std::uint32_t output) const;

    /// Where cells wait for this input and this output.
    Occupancy& RoomOf(Input& in, Output& out) const
    {
        return m_costs.queueing == Queueing::OUTPUT && m_costs.bufferCells > 0 ? out.room : in.room;
    }

    bool IsFree(const Input& in) const;
    void PassDropped(std::uint32_t input, Cell& cell);
    void Plan(Ps at);

    static std::uint32_t InputOf(const Cell& cell)
    {
        return static_cast<std::uint32_t>(cell.cookie);
    }

    static std::uint32_t OutputOf(const Cell& cell)
    {
        return static_cast<std::uint32_t>(cell.cookie >> 32);
    }

    Switch& m_switch;
    SwitchCosts m_costs;
    std::uint32_t m_lanes;
    std::vector<Input> m_inputs;   ///< by port, then by lane
    std::vector<Output> m_outputs; ///< by port, then by lane
    IndexSet m_asked;              ///< outputs with asking inputs
    Arbiter m_arbiter;
    /// Cells after the head of a worm need no decision. Not with several wires, of which one may
    /// start a cell before the last one has left: that differed from the reference mode.
    bool m_sendsWorms;
    std::vector<Arbiter::Request> m_requests;
    Ps m_planned{PS_NEVER};            ///< time of the decision planned last
    std::uint32_t m_granting{NOBODY};  ///< inside Grant: its output, whose next decision it plans
    std::uint64_t m_waiting{0};        ///< cells in all queues
    std::uint64_t m_droppedWaiting{0}; ///< of them, those of dropped cells
    std::uint64_t m_cellsIn{0};
    std::uint64_t m_cellsOut{0};
    std::uint64_t m_cellsDropped{0};
};

} // namespace via
} // namespace ns3

#endif // VIA_SWITCH_QUEUES_H
