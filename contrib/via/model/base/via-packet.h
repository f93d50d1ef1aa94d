/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
// Units of transmission: packets (one message or control request) and their cells.

#ifndef VIA_PACKET_H
#define VIA_PACKET_H

#include "ns3/via-span.h"
#include "ns3/via-time.h"

#include <cstdint>
#include <deque>
#include <vector>

namespace ns3
{
namespace via
{

/// Number of a host, counted from 0; also its component number.
using NodeId = std::uint32_t;

/// Number of a VI in its NIC.
using ViId = std::uint32_t;

/// Number of a message in the log of its partition while it lives; 0 is none.
using MessageId = std::uint32_t;

/// Number of a connection attempt and of the resulting connection; 0 is none. Never reused.
using ConnectionId = std::uint64_t;

/// Facts about a message that are known when it is posted.
struct MessageOrigin
{
    Ps posted{0};              ///< entry of the post call
    Ps programFrom{0};         ///< return of the sender's last reap before that
    SpanId program{0};         ///< last span of the program before the post
    std::uint32_t rank{0};     ///< of the sender
    std::uint32_t sequence{0}; ///< of the message on its VI
};

/// What a packet requests from the receiving NIC.
enum class PacketKind : std::uint8_t
{
    SEND,
    RDMA_WRITE,
    CONNECT_REQUEST,
    CONNECT_ACCEPT,
    CONNECT_REJECT,
    CONNECT_NO_MATCH,
    PEER_REQUEST,
    PEER_ACCEPT,
    PEER_CANCEL,
    DISCONNECT,
    RDMA_READ_REQUEST,
    RDMA_READ_RESPONSE,
    RESPONSE,             ///< reliable reception: the outcome of a message
    DATAGRAM,             ///< of the host's IP stack, which interprets `bytes`
    BARRIER,              ///< one step of a barrier between NICs
    ACKNOWLEDGE,          ///< of the channel: cells before `acknowledges` have arrived
    NEGATIVE_ACKNOWLEDGE, ///< the same, and the next cell was lost
    ACKNOWLEDGE_REQUEST,  ///< cells before `sequence` were sent; asks whether they arrived
};

/// Whether a packet of this kind concerns the channel itself, not a message or request in it.
inline bool
IsAcknowledgement(PacketKind kind)
{
    return kind >= PacketKind::ACKNOWLEDGE;
}

/// Name of a kind in tables, e.g. "send".
const char* PacketKindName(PacketKind kind);

struct Packet;

/// Where a packet's bytes come from. They are valid when it has provided them.
class PayloadSource
{
  public:
    virtual ~PayloadSource() = default;

    /// Performs the planned movements on which the first @p upTo bytes of @p packet depend, and no
    /// later ones: processes at the source must not see those yet.
    virtual void Provide(const Packet& packet, std::uint32_t upTo) = 0;
};

/// The part of a packet that every message uses: two cache lines.
struct alignas(64) PacketHead
{
    // needed on every packet's path: one cache line
    PacketKind kind{PacketKind::SEND};
    bool hasImmediate{false};
    bool reliable{false};     ///< travels in the channel between the two NICs
    std::uint32_t holders{0}; ///< see PacketPool::Hold
    NodeId source{0};
    NodeId destination{0};
    ViId sourceVi{0};
    ViId destinationVi{0};
    std::uint32_t length{0};        ///< payload bytes
    std::uint32_t cells{0};         ///< that carry them
    std::uint64_t sequence{0};      ///< in the channel: number of its first cell
    std::uint64_t acknowledges{0};  ///< cells of the opposite channel before it have arrived
    PayloadSource* origin{nullptr}; ///< must provide the bytes before they are valid
    MessageId message{0};           ///< carried message
    std::uint32_t immediate{0};

    // also needed for messages: the next cache line
    std::uint64_t serial{0};         ///< never reused, although the packet's memory is
    std::vector<std::uint8_t> bytes; ///< payload, or the body of a control request, or a frame
    std::uint64_t item{0};           ///< serial of the sender's descriptor; a response repeats it
    std::uint64_t remoteAddress{0};  ///< RDMA: address at the destination
    std::uint32_t remoteHandle{0};   ///< RDMA: memory handle at the destination
    std::uint32_t asked{0};          ///< RDMA read request: bytes wanted; response: bytes moved
    std::uint32_t era{0};            ///< of the channel: number of restarts
    std::uint32_t order{0};          ///< between its two NICs, from 1, where paths differ; 0: none

    /// Does it carry the bytes of a message between two VIs?
    bool IsMessage() const
    {
        return kind == PacketKind::SEND || IsRdmaWrite() || IsReadAnswer();
    }

    /// Is it a message that names the memory at its destination?
    bool IsRdmaWrite() const
    {
        return kind == PacketKind::RDMA_WRITE;
    }

    /// Is it a message that the destination has asked for?
    bool IsReadAnswer() const
    {
        return kind == PacketKind::RDMA_READ_RESPONSE;
    }

    /// Bytes of the message that it carries, or asks for.
    std::uint32_t MessageBytes() const
    {
        return kind == PacketKind::RDMA_READ_REQUEST ? asked : length;
    }

    /// Is it void once the channel is lost on which it was to leave? The connection that it reports
    /// is over then, or the request that it carries.
    bool EndsWithChannel() const
    {
        return kind == PacketKind::CONNECT_ACCEPT || kind == PacketKind::PEER_ACCEPT ||
               kind == PacketKind::PEER_REQUEST;
    }
};

/// One message or control request, from the NIC that builds it to the one that consumes it.
struct Packet : PacketHead
{
    // not used by sends and RDMA writes
    ConnectionId connection{0}; ///< connection packets: the attempt they belong to
    std::uint32_t status{0};    ///< response: status bits for the sender's descriptor
    std::uint32_t attempt{0};   ///< negative acknowledgement: of the cells it reports on
    std::uint32_t step{0};      ///< barrier: its number
    SpanId after{0};            ///< datagram, at the sender: the span that it is sent after
    std::uint32_t frame{0};     ///< datagram: bytes of its Ethernet frame in `bytes`
    std::uint32_t placed{0};    ///< datagram: cells in the receiver's memory
    Ps born{0};                 ///< raw traffic: when a node made it
    std::uint64_t payload{0};   ///< PayloadSum of the bytes that have been written at the receiver
    Moment handed;              ///< messages, while spans are recorded: its last cell was ready
};

/**
 * @brief One cell of a packet on its way: the unit of simulation on the wire.
 *
 * A cell is what a wire sends in one piece: a cell or a frame. The last one of a packet may be
 * shorter than the others.
 */
struct alignas(64) Cell
{
    Packet* packet{nullptr};
    std::uint64_t cookie{0};  ///< of the sender
    Moment ready;             ///< at the sender: earliest time at which it may leave
    Moment first;             ///< at the receiver: as much of it has arrived as it waits for
    std::uint32_t index{0};   ///< in the packet
    NodeId destination{0};    ///< the packet's, so that switches and hints need not read the packet
    ViId vi{0};               ///< the packet's destinationVi
    std::uint32_t attempt{0}; ///< how often its channel had gone back when it left
    Moment last;              ///< at the receiver: the last bit has arrived
    Ps departed{0};           ///< at the sender: the last bit has left
    bool ends{false};         ///< the packet's last cell
    bool resent{false};       ///< retransmitted out of order: takes its own path through switches
    bool dropped{false};      ///< a switch had no room: only a report travels on, in no time
    bool roomGiven{false};    ///< its credit has been returned: it waited for an earlier packet
    bool lost{false};         ///< it is corrupt or has vanished
    bool absent{false};       ///< of a lost one: it never reached the receiver
    bool vanished{false};     ///< on the last wire: it used no room
    std::uint8_t lane{0};     ///< virtual lane of its current or next wire
};

/// Recycles packets and cells, so that messages in steady state allocate nothing.
class PacketPool
{
  public:
    /// A packet with one holder: the caller.
    Packet* NewPacket();

    /// Adds a holder to @p packet.
    static void Hold(Packet* packet)
    {
        ++packet->holders;
    }

    /// Removes a holder. The last one returns the packet to the pool.
    void Release(Packet* packet)
    {
        if (--packet->holders == 0)
        {
            Free(packet);
        }
    }

    /// Cell @p number of @p packet. It holds its packet.
    Cell* NewCell(Packet* packet, std::uint32_t number);

    void Free(Cell* cell);

    /// Packets between post and consumption; 0 at the end of a clean run.
    std::size_t PacketsAlive() const
    {
        return m_packets.size() - m_freePackets.size();
    }

  private:
    void Free(Packet* packet);

    std::uint64_t m_serial{0};
    std::deque<Packet> m_packets;
    std::vector<Packet*> m_freePackets;
    std::deque<Cell> m_cells;
    std::vector<Cell*> m_freeCells;
};

} // namespace via
} // namespace ns3

#endif // VIA_PACKET_H
