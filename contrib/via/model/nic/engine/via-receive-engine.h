/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
// The receive engine: from cells on the wire to a completion in host memory.

#ifndef VIA_RECEIVE_ENGINE_H
#define VIA_RECEIVE_ENGINE_H

#include "ns3/via-arrivals.h"
#include "ns3/via-completions.h"
#include "ns3/via-descriptor-checks.h"
#include "ns3/via-nic-engine.h"
#include "ns3/via-port.h"
#include "ns3/via-traffic-class.h"
#include "ns3/via-transport.h"
#include "ns3/via-virtual-interface.h"

#include <cstddef>

namespace ns3
{
namespace via
{

/**
 * @brief Processes cells in order of arrival.
 *
 *     IDLE --first cell, consumes a receive--> FETCH --+--> PLACE --last--> STATUS --> IDLE
 *      |---- first cell of a plain RDMA write ---------|      |
 *      `---- later cell of a message ------------------'      `-- any other cell --> IDLE
 *
 * It takes the cells that are intact and in order. For a reliable packet the channel decides which;
 * an unreliable message is taken entirely or not at all. The other cells only return their credits.
 */
class ReceiveEngine final : public NicEngine, public EarlyReceiver
{
  public:
    ReceiveEngine(Nic& nic, const Shared<NicCosts>& costs);

    /// Sets the upstream end of the wire, which gets the credits; null: a ring returns them.
    /// @param room cells that the wire may have here; 0: as many as the product's wires
    void SetUpstream(InPort* upstream, std::uint32_t room)
    {
        m_upstream = upstream;
        m_room = room > 0 ? room : m_costs->receiveCells;
    }

    /// @p cell has arrived completely.
    void Accept(Cell* cell);

    /// As Accept, but earlier.
    void Foresee(Cell& cell) override;

    /// Does nothing happen at once when a cell arrives? Then cells may be foreseen, unless some
    /// are lost.
    bool MayForesee() const;

    /// Prefetch hint: a cell arrives next. The credit fields are at the front of the wire object.
    void PrefetchWire() const
    {
        if (m_upstream != nullptr) // else a ring returns the credits
        {
            PrefetchUpTo(m_upstream, reinterpret_cast<const char*>(m_upstream) + WIRE_BYTES);
        }
    }

    /// Prefetch hint: a step comes soon.
    void PrefetchStep() const;

    const void* HotBytes() const override;
    void Prefetch(Hint hint, const Cell& cell) const override;

    /// Drops the message that is arriving for @p vi.
    void DropArrival(VirtualInterface& vi, Ps at);

    /// The message that has arrived for a VI of process @p rank is dropped: its life ends here.
    void DropMessage(std::uint32_t rank);

    /// Messages that were damaged, found no VI, connection or descriptor, or failed a check.
    std::uint64_t MessagesDropped() const
    {
        return m_dropped;
    }

    /// Earliest start of the next step; PS_NEVER if there is none, or an event decides.
    Ps NextAt() const
    {
        return StepAt();
    }

    /// When anybody outside can notice the next steps: cells inside a piece of a message only wait
    /// in the buffer for the rest of the piece.
    Ps NoticedAt();

    /// Do cells matter before this engine takes them? The card may write them into a ring.
    bool MayBePassed() const;

    /// Does that step and the following ones of this turn.
    void PlanStep();

    /// A descriptor has been prefetched.
    void OnPrefetched();

  private:
    friend class NicEngine;

    static constexpr std::size_t WIRE_BYTES = 192;

    enum class State
    {
        IDLE,
        FETCH,
        AWAIT,      ///< until the descriptor has been prefetched
        FETCHED,    ///< until the descriptor has been fetched
        TRANSLATED, ///< until the addresses of a message are known
        PLACE,
        STATUS,
        COMPLETE, ///< until the completion has been written
    };

    void Step();
    Ps StepAt() const;

    bool IsInTurn(Ps at) const
    {
        return m_turns.Includes(at);
    }

    /// Takes the cells of this turn that only wait, which takes no time. @return false: none is
    /// next
    bool HoldWaiting();
    /// As HoldWaiting, for the next cell.
    bool HoldNext();
    void Begin();
    void Admit();
    void BeginPacket();
    void BeginMessage();
    void TakeReceive(VirtualInterface& vi);
    void BeginRdmaWrite(VirtualInterface& vi);
    void EndRdmaWrite(VirtualInterface& vi);
    /// Can the card still read the descriptor? If not, the message is dropped.
    bool IsReadable(VirtualInterface& vi, const WorkItem& item);
    void OnFetched(VirtualInterface& vi, const WorkItem& item);
    void OnTranslated(VirtualInterface& vi, const WorkItem& item);
    /// What it has asked for has been done: goes on with what follows it in the same step.
    void Resume();
    /// The descriptor of a message has been fetched, or else its addresses are known.
    void ResumeMessage(bool isFetched);
    void BeginReadResponse(VirtualInterface& vi);
    /// Turns to the packet when its first bit has arrived.
    void AwaitPacket();
    /// Waits for a bit of the cell: the first or the last.
    void Await(const Moment& bit);
    /// As PlacePiece, for the cell of a packet that is not a message.
    bool PlaceOther();
    void PassOver();
    void Fetch();
    void Place();
    /// Places cells up to number @p seen once the last of them has arrived. @return false: call
    /// again
    bool PlacePiece(VirtualInterface& vi, std::uint32_t seen);
    bool PlaceCells(VirtualInterface& vi, std::uint32_t seen);
    bool PlaceBytes(VirtualInterface& vi, std::uint32_t upTo);
    Piece Target(VirtualInterface& vi, std::uint32_t bytes);
    void EndCell();
    /// The packet, which is not a message, has ended.
    void EndOther();
    void FreeCell();
    /// The memory that a check has allowed cannot be written any more.
    static void Refuse(Arrival& arrival);
    /// The bytes that were on their way are in memory. @param vi null: not a message's, or its
    /// connection has ended
    void EndPiece(VirtualInterface* vi);
    /// The bytes of @p piece are in memory.
    void Written(VirtualInterface& vi, const Piece& piece);
    void Status();
    /// What the message completes.
    Completing Finish(VirtualInterface& vi);
    Completing FinishReceive(VirtualInterface& vi);
    void Complete();
    void EndMessage();
    void Record(std::uint32_t rank, bool dropped);
    void Drop(std::uint32_t rank);
    void Abandon(VirtualInterface& vi);
    /// Would holding @p more cells leave no room for the next ones?
    bool FillsBuffer(std::uint32_t more) const;
    /// Does entry @p i of m_cells only wait, if all before it do?
    bool OnlyWaits(std::uint32_t i) const;

    /// Do cells @p from .. @p seen - 1 complete a piece of payload that is placed together?
    bool CompletesPiece(const Packet& packet, std::uint32_t from, std::uint32_t seen) const
    {
        const Divisor& pieces = m_costs->perPiece;
        return seen == packet.cells || pieces.Quotient(seen) > pieces.Quotient(from);
    }

    /// Stores a cell in the card when it arrives: it leaves the wire's buffer at once.
    void Store(const Cell& cell);

    /// One more cell of a packet has arrived.
    static void See(Arrival& arrival, const Cell& cell)
    {
        ++arrival.cellsSeen;
        arrival.cellsGiven += cell.roomGiven ? 1 : 0;
    }

    /// All cells that have arrived leave the wire's buffer.
    void Free(Arrival& arrival, Ps at);
    void ReturnCredits(std::uint32_t cells, Ps at);
    /// The cell, which is not taken or not kept, leaves the wire's buffer.
    void GiveRoomBack(Ps at);
    /// The VI for which the packet of @p cell is arriving; null: none.
    VirtualInterface* ArrivingWith(const Cell& cell) const;

    VirtualInterface* Arriving() const
    {
        return ArrivingWith(*m_cell);
    }

    /// Whether the last cell of the packet has been taken.
    bool IsComplete() const
    {
        return m_taken && m_cell->ends;
    }

    /// @p cell, which arrives at @p at, is no longer bound for this host.
    void NoteArrival(const Cell& cell, Ps at);

    InPort* m_upstream{nullptr};
    std::uint32_t m_room; ///< cells that may wait for the rest of a group
    InlineRing<Cell*, 2> m_cells;
    RingSerial m_looked{0}; ///< entries of m_cells before this number only wait

    State m_state{State::IDLE};
    Arrivals m_arrivals;
    Cell* m_cell{nullptr};
    const Packet* m_worksOn{nullptr};     ///< the packet whose work ends at m_at
    TransportChannel* m_channel{nullptr}; ///< of the cell; null if unreliable
    bool m_taken{false};                  ///< the cell is intact and in order
    bool m_placed{false};                 ///< it has left the buffer, or waits there for others
    TrafficClass* m_traffic{nullptr};     ///< of the cell; null: it is of a message
    std::uint32_t m_cellBytes{0};         ///< bytes placed of the current cell of a datagram
    std::uint32_t m_writing{0};           ///< bytes on their way to host memory
    Arrival m_ended;                      ///< the message whose completion is being written
    Completing m_completing;              ///< the same
    std::uint32_t m_held{0};              ///< cells in the buffer that wait for the rest of a group
    std::uint64_t m_dropped{0};
};

} // namespace via
} // namespace ns3

#endif // VIA_RECEIVE_ENGINE_H
