/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
// The send engine: from a doorbell to cells on the wire.

#ifndef VIA_SEND_ENGINE_H
#define VIA_SEND_ENGINE_H

#include "ns3/via-descriptor-checks.h"
#include "ns3/via-nic-engine.h"
#include "ns3/via-port.h"
#include "ns3/via-send-gate.h"
#include "ns3/via-transport.h"

#include <cstddef>
#include <functional>
#include <vector>

namespace ns3
{
namespace via
{

/**
 * @brief Processes doorbells one at a time.
 *
 *     IDLE --doorbell--> FETCH --descriptor--> CHECK --ok--> READ (again while buffer has room)
 *      ^                                         |            |
 *      |<------ error: completes with status ----+            |
 *      |<------ last cell in the transmit buffer -------------+
 *
 * A step either spends cycles or uses the bus. Both yield the next moment at once. Between two
 * groups of cells it lets acknowledgements and retransmissions go first, but not within a packet
 * for which wormhole switches have set up a path.
 */
class SendEngine final : public NicEngine, public DepartureListener
{
  public:
    SendEngine(Nic& nic, const Shared<NicCosts>& costs);

    /// Sets the outgoing wire.
    void SetPort(OutPort* port)
    {
        m_port = port;
    }

    /// A doorbell has reached the NIC, or somebody in the card or its host has a packet to send.
    void OnDoorbell(const Doorbell& doorbell);

    /// A doorbell that was taken and had to wait goes before all others but the first @p place.
    void OnDoorbellAgain(const Doorbell& doorbell, std::uint32_t place);

    /// Sends a one-cell packet that may overtake messages and takes no place in a channel.
    void SendUrgent(Packet* packet, Moment at);

    /// Discards the queued packets that @p isOver and are not messages.
    void Forget(const std::function<bool(const Packet&)>& isOver);

    /// Some channel of the transport has cells to retransmit.
    void SendAgain()
    {
        Advance();
    }

    /// @p vi is destroyed with its memory: reads now what its current message still needs.
    void OnDestroyed(ViId vi);

    /// The region of @p handle is deregistered: reads now what the current message still needs of
    /// it. The check of a message is not repeated, so what has begun goes out as a whole.
    void OnDeregistered(MemoryHandle handle);

    /// Prefetch hint: a message may be sent next.
    void PrefetchWire() const
    {
        if (m_port != nullptr)
        {
            PrefetchUpTo(m_port, reinterpret_cast<const char*>(m_port) + WIRE_BYTES);
        }
    }

    /// Prefetch hint: a step comes soon.
    void Prefetch() const;

    void OnDeparture(const Cell& cell) override;

    /// Earliest start of the next step; PS_NEVER if there is none, or an event decides.
    Ps NextAt() const
    {
        return StepAt();
    }

    /// When anybody outside can notice the next step, which begins at @p step: payload that is read
    /// into the card only matters when all that is read with it has arrived.
    Ps NoticedAt(Ps step) const;

    /// Messages begin only if @p gate, which must outlive this, does not hold them back.
    void SetGate(SendGate& gate)
    {
        m_gate = &gate;
    }

    /// The host has put a frame into the ring.
    void OnFrameMade();

    /// The messages of @p vi that have not begun are flushed.
    void OnFlush(const VirtualInterface& vi)
    {
        if (m_gate != nullptr)
        {
            m_gate->OnFlush(vi);
        }
    }

    /// Would a notice to the gate that comes before the next step change it?
    bool HeedsNotices() const
    {
        return m_state == State::FETCH && m_gate != nullptr;
    }

    /// Does that step and the following ones of this turn.
    void PlanStep();

  private:
    friend class NicEngine;

    /// Bytes of the wire object that a cell uses.
    static constexpr std::size_t WIRE_BYTES = 384;

    /// Serial of a control packet, which completes nothing.
    static constexpr std::uint64_t NO_ITEM = UINT64_MAX;

    enum class State
    {
        IDLE,
        FETCH,
        CHECK,
        TRANSLATED, ///< until the addresses of a message are known
        BEGUN,      ///< until the class of another packet has done its work
        READ,
    };

    struct Urgent
    {
        Packet* packet{nullptr};
        Moment at;
    };

    /// A message whose last cell has not left yet.
    struct Leaving
    {
        ViId vi{0};
        std::uint64_t item{0};
    };

    /// A group in the transmit buffer, or one that has just left it.
    struct Buffered
    {
        std::uint32_t cellsLeft{0}; ///< cells without a departure time
        Ps gone{0};                 ///< when its last cell has left, once known
    };

    void Step();
    /// What it has asked for has been done: goes on with what follows it in the same step.
    void Resume();
    Ps StepAt() const;

    bool IsInTurn(Ps at) const
    {
        return m_turns.Includes(at) && (!HeedsNotices() || IsSafeFromNotices(at));
    }

    /// Can no notice to the gate come before @p at?
    bool IsSafeFromNotices(Ps at) const;
    /// When the current message, or else the next one, continues.
    Ps MessageAt() const;
    /// When the next unit of a channel that goes back may leave; PS_NEVER if there is none.
    Ps UnitAt() const;
    bool IsUrgentNext() const;
    /// A channel that has cells to retransmit and may do so now; or null.
    TransportChannel* GoesBack() const;
    /// Is the head of a worm on the wire while its tail has not been handed over?
    bool IsInWorm() const;
    void Begin();
    Doorbell TakeOut(std::uint32_t place);
    void BeginOther();
    void StartOther();
    void Fetch();
    /// Whether a doorbell of @p channel that has waited for room is still to be fetched.
    bool IsAhead(const TransportChannel* channel) const;
    /// Puts the doorbell of @p vi back if others were posted before it and have waited for room.
    bool AwaitsOthers(const VirtualInterface& vi);
    void Check();
    /// The item that is to be sent. Null, and the message is dropped: it was flushed meanwhile, or
    /// cannot be read.
    const WorkItem* CurrentItem();
    void OnTranslated(VirtualInterface& vi, const WorkItem& item);
    void ReadPayload();
    bool MustWait(VirtualInterface& vi, const Descriptor& descriptor);
    void BuildPacket(VirtualInterface& vi, const WorkItem& item);
    void StartPacket(Packet* packet, TransportChannel* channel);
    void SendUrgentNow();
    void SendUnitAgain(TransportChannel& channel);
    void SendCells(Packet* packet,
                   Moment ready,
                   std::uint32_t firstCell,
                   std::uint32_t cells,
                   std::uint32_t attempt);
    std::uint32_t GroupsToCollect() const;
    /// The cells of the packet before this number are handed over next, together.
    std::uint32_t StoreEnd() const;
    /// Bytes of the packet that are read before cell @p cell.
    std::uint32_t BytesBefore(std::uint32_t cell) const;
    /// When the transmit buffer has room for what is read next; PS_NEVER if that is not known.
    Ps RoomAt() const;
    void MakeRoom();
    void ReadStore();
    /// Takes the entry of the next frame from the ring. @return false: it is not there yet, or on
    /// its way
    bool TakeFrame();
    bool ReadGroup(std::uint32_t upTo);
    void ReadPiece(std::uint32_t most);
    void EndPiece();
    /// Reads at once, without the bus, what the message still needs through @p handle; 0: of all.
    void ReadNow(MemoryHandle handle);
    void HandOver(const Moment& ready, std::uint32_t cells);
    /// Tells the host whether what is known of credits may still add steps.
    void NoteWaits();
    /// A message or packet that was bound for host @p to is not sent after all.
    void Drop(NodeId to);

    OutPort* m_port{nullptr};
    Doorbells m_doorbells;
    std::uint32_t m_waited{0}; ///< of them: doorbells that have waited for room
    Ring<Urgent> m_urgent;
    std::uint32_t m_unitsOut{0}; ///< retransmitted units without a departure time
    Ps m_unitsGone{0};           ///< when the last of the others has left

    State m_state{State::IDLE};
    Doorbell m_doorbell;  ///< being processed
    std::uint64_t m_item; ///< serial of its descriptor
    NodeId m_to{0};       ///< for which its message is bound
    std::vector<Piece> m_pieces;
    SendGate* m_gate{nullptr}; ///< null: nothing holds messages back
    Packet* m_packet{nullptr};
    TransportChannel* m_channel{nullptr}; ///< of the packet; null if unreliable
    std::uint32_t m_piece{0};             ///< the one being read
    std::uint32_t m_pieceOffset{0};
    std::uint32_t m_reading{0}; ///< bytes of it that are on their way
    std::uint32_t m_bytesRead{0};
    std::uint32_t m_cellsRead{0};
    std::uint32_t m_cellsOut{0};    ///< of them: handed over
    std::uint32_t m_framesTaken{0}; ///< from the ring
    Ps m_frameAt{0};                ///< when the next one is there, if the engine waits for that
    bool m_chained{false};          ///< the next payload cell continues where the last one ended
    std::uint32_t m_waiting{0};     ///< cells handed over without a departure time

    InlineRing<Buffered, 2> m_buffer;
    RingSerial m_departing{0}; ///< in m_buffer: the first group with cells to leave
    InlineRing<Leaving, 2> m_leaving;
};

} // namespace via
} // namespace ns3

#endif // VIA_SEND_ENGINE_H
