/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
// The send engine: from a doorbell to cells on the wire.

#ifndef VIA_SEND_ENGINE_H
#define VIA_SEND_ENGINE_H

#include "ns3/via-descriptor-checks.h"
#include "ns3/via-nic-engine.h"
#include "ns3/via-port.h"
#include "ns3/via-transport.h"

#include <cstddef>
#include <optional>
#include <vector>

namespace ns3
{
namespace via
{

/**
 * @brief Works off doorbells one at a time.
 *
 *     IDLE --doorbell--> FETCH --descriptor--> CHECK --ok--> READ (again while buffer has room)
 *      ^                                         |            |
 *      |<------ error: completes with status ----+            |
 *      |<------ last cell in the transmit buffer -------------+
 *
 * A step either spends cycles or uses the bus; both give the next moment at once, so an idle
 * engine runs from the doorbell to the wire in one go. It pauses behind a message that it has not
 * finished reading, after each burst of a long message, and, in reference mode, after each bus
 * transaction. Between two bursts it lets acknowledgements and cells to be sent again go first, but
 * not within a packet that wormhole switches have set up a path for.
 */
class SendEngine final : public NicEngine, public DepartureListener
{
  public:
    SendEngine(Nic& nic, const Shared<NicCosts>& costs);

    /// The wire that leaves the NIC.
    void SetPort(OutPort* port)
    {
        m_port = port;
    }

    /// A doorbell has reached the NIC, or the kernel agent has a packet to send.
    void OnDoorbell(const Doorbell& doorbell);

    /// A packet that may overtake messages, of one cell and without a place in a channel.
    void SendUrgent(Packet* packet, Moment at);

    /**
     * @brief Connections are gone: what accepts them, and has not left yet, never does.
     * Else the other side would believe in a connection that nobody tells it is over.
     * @param peer to whom; all, if there is none
     */
    void ForgetAccepts(std::optional<NodeId> peer = std::nullopt);

    /// Some channel of the transport goes back.
    void SendAgain()
    {
        Advance();
    }

    /// The memory of @p vi goes with it: what its message under way still needs is read now.
    void OnDestroyed(ViId vi);

    /// A hint: a message may be sent next.
    void PrefetchWire() const
    {
        if (m_port != nullptr)
        {
            PrefetchUpTo(m_port, reinterpret_cast<const char*>(m_port) + WIRE_BYTES);
        }
    }

    void OnDeparture(const Burst& burst) override;

    /// When its next step begins, at the earliest; PS_NEVER if there is none, or an event decides.
    Ps NextAt() const
    {
        return IsHeld() ? PS_NEVER : StepAt();
    }

    /// Does that step, and those that follow in its turn.
    void PlanStep();

    /// Time will pass: a burst that is being filled leaves as it is.
    void OnStop();

  private:
    friend class NicEngine;

    /// What a burst needs of a wire.
    static constexpr std::size_t WIRE_BYTES = 384;

    /// Serial that a control packet has: it completes nothing.
    static constexpr std::uint64_t NO_ITEM = UINT64_MAX;

    enum class State
    {
        IDLE,
        FETCH,
        CHECK,
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

    /// A group in the transmit buffer, or lately gone from it.
    struct Buffered
    {
        std::uint32_t cellsLeft{0}; ///< that have no departure time yet
        Ps gone{0};                 ///< when its last cell has left, once that is known
    };

    bool Step();
    Ps StepAt() const;
    /// When the message in work, or the next one, goes on.
    Ps MessageAt() const;
    bool IsUrgentNext() const;
    /// A channel that goes back, and may do so now; or null.
    TransportChannel* GoesBack() const;
    /// Is the head of a packet on the wire whose tail has not been handed over?
    bool IsInWorm() const;
    bool Begin();
    Doorbell TakeOut(std::uint32_t place);
    bool BeginControl();
    bool BeginDatagram(Packet& packet);
    bool Fetch();
    bool Check();
    bool Read();
    bool MustWait(VirtualInterface& vi, const Descriptor& descriptor);
    void BuildPacket(VirtualInterface& vi, const WorkItem& item);
    void StartPacket(Packet* packet, TransportChannel* channel);
    bool SendUrgentNow();
    bool SendUnitAgain(TransportChannel& channel);
    void SendCells(Packet* packet,
                   std::uint32_t firstCell,
                   std::uint32_t cells,
                   std::uint32_t attempt);
    std::uint32_t GroupsToCollect() const;
    bool RoomInBuffer();
    bool ReadStore();
    bool ReadGroup(std::uint32_t upTo);
    void ReadPiece(std::uint32_t most);
    void HandOver(const Moment& ready, std::uint32_t cells);
    void Emit(Burst* burst);

    OutPort* m_port{nullptr};
    Doorbells m_doorbells;
    Ring<Urgent> m_urgent;
    std::uint32_t m_unitsOut{0}; ///< sent again, without a departure time

    State m_state{State::IDLE};
    Doorbell m_doorbell;  ///< being worked off
    std::uint64_t m_item; ///< serial of its descriptor
    std::vector<Piece> m_pieces;
    Packet* m_packet{nullptr};
    TransportChannel* m_channel{nullptr}; ///< of the packet; null when it is not reliable
    std::uint32_t m_piece{0};             ///< which one is being read
    std::uint32_t m_pieceOffset{0};
    std::uint32_t m_bytesRead{0};
    std::uint32_t m_cellsRead{0};
    std::uint32_t m_cellsOut{0};    ///< of them: those that were handed over
    std::uint32_t m_framesTaken{0}; ///< out of the kernel's ring
    bool m_chained{false};          ///< the next burst of payload goes on where the last one ended
    Burst* m_burst{nullptr};        ///< groups that have not been handed to the port
    std::uint32_t m_waiting{0};     ///< bursts without a departure time

    Ring<Buffered, 2> m_buffer;
    std::uint64_t m_departing{0}; ///< serial there of the first group that has not all left
    Ring<Leaving, 2> m_leaving;
};

} // namespace via
} // namespace ns3

#endif // VIA_SEND_ENGINE_H
