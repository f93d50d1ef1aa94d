/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
// The send engine: from a doorbell to cells on the wire.

#ifndef VIA_SEND_ENGINE_H
#define VIA_SEND_ENGINE_H

#include "ns3/via-nic-costs.h"
#include "ns3/via-port.h"
#include "ns3/via-virtual-interface.h"

#include <vector>

namespace ns3
{
namespace via
{

class Nic;

/// A piece of memory after translation.
struct Piece
{
    std::uint8_t* address; ///< null: the kernel agent's; its bytes are in the packet already
    std::uint32_t length;
};

/**
 * @brief Works off doorbells one at a time.
 *
 *     IDLE --doorbell--> FETCH --descriptor--> CHECK --ok--> READ (again while buffer has room)
 *      ^                                         |            |
 *      |<------ error: completes with status ----+            |
 *      |<------ last cell in the transmit buffer -------------+
 *
 * A step either spends cycles or uses the bus; both give the next moment at once, so an idle
 * engine runs from the doorbell to the wire in one go, ahead of simulated time, without an event.
 * It stops and comes back by event where somebody else could be in the way: behind a message that
 * it has not finished reading, after each burst of a long message, and, in reference mode, after
 * each bus transaction.
 */
class SendEngine final : public AgendaTarget, public DepartureListener
{
  public:
    SendEngine(Nic& nic, const Shared<NicCosts>& costs);

    /// The wire that leaves the NIC.
    void SetPort(OutPort* port)
    {
        m_port = port;
    }

    /// A doorbell of @p vi has reached the NIC at @p at.
    void OnDoorbell(ViId vi, Moment at);

    /// The kernel agent has a control packet to send.
    void SendControl(Packet* packet, Moment at);

    void OnAgenda(std::uint32_t kind, std::uint64_t data) override;
    void OnDeparture(const Burst& burst) override;

  private:
    enum class State
    {
        IDLE,
        FETCH,
        CHECK,
        READ,
    };

    struct Token
    {
        Moment at;
        ViId vi{0};
        Packet* control{nullptr};
    };

    /// A message whose last cell has not left yet.
    struct Leaving
    {
        Packet* packet{nullptr};
        ViId vi{0};
        std::uint64_t item{0};
    };

    /// A DMA burst in the transmit buffer, or lately gone from it.
    struct Buffered
    {
        std::uint32_t cellsLeft{0}; ///< that have no departure time yet
        Ps gone{0};                 ///< when its last cell has left, once that is known
    };

    void Advance();
    bool Step();
    bool Begin();
    bool Fetch();
    bool Check();
    bool Read();
    std::uint32_t CheckDescriptor(const VirtualInterface& vi, const Descriptor& descriptor);
    std::uint32_t CheckSegments(const VirtualInterface& vi, const Descriptor& descriptor);
    void BuildPacket(VirtualInterface& vi, const WorkItem& item);
    void StartPacket(Packet* packet);
    bool RoomInBuffer();
    void ReadPieces(std::uint32_t bytes);
    void HandOver(const Moment& ready, std::uint32_t cells);
    void Emit(Burst* burst);
    bool PauseUntil(Ps at);

    Nic& m_nic;
    Shared<NicCosts> m_costs;
    ClockDomain m_clock;
    OutPort* m_port{nullptr};
    Ring<Token, 2> m_tokens;

    State m_state{State::IDLE};
    bool m_running{false}; ///< inside Advance
    bool m_planned{false}; ///< an event will call Advance
    Moment m_at;           ///< how far the engine has planned
    Token m_token;
    std::uint64_t m_item{0}; ///< serial of the send descriptor being worked on
    Packet* m_packet{nullptr};
    std::vector<Piece> m_pieces;
    std::uint32_t m_piece{0};       ///< the piece to read next
    std::uint32_t m_pieceOffset{0}; ///< and where in it
    std::uint32_t m_bytesRead{0};
    std::uint32_t m_cells{0};     ///< of the packet
    std::uint32_t m_cellsRead{0}; ///< of them, in the transmit buffer or gone
    Burst* m_burst{nullptr};      ///< being filled

    std::uint32_t m_waiting{0}; ///< bursts at the link that have no departure time

    Ring<Buffered, 2> m_buffer;
    Ring<Leaving, 2> m_leaving;
};

} // namespace via
} // namespace ns3

#endif // VIA_SEND_ENGINE_H
