/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
// What travels: packets (one message or control request) and the bursts of cells that carry them.

#ifndef VIA_PACKET_H
#define VIA_PACKET_H

#include "ns3/via-span.h"
#include "ns3/via-time.h"

#include <array>
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

/// Number of a message in the log of its rank while it lives; 0 is none.
using MessageId = std::uint32_t;

/// Number of an attempt to connect and of the connection it leads to; 0 is none. Never used twice.
using ConnectionId = std::uint64_t;

/// What is known of a message when it is posted.
struct MessageOrigin
{
    Ps posted{0};              ///< entry of the post call
    Ps programFrom{0};         ///< return of the sender's last reap before that
    SpanId program{0};         ///< last span of the program before the post
    std::uint32_t rank{0};     ///< of the sender
    std::uint32_t sequence{0}; ///< of the message on its VI
};

/// What a packet asks of the NIC that receives it.
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
    RESPONSE,             ///< reliable reception: what became of a message
    DATAGRAM,             ///< of the host's IP stack: `bytes` is its business
    BARRIER,              ///< a step of a barrier between cards: `status` says which
    ACKNOWLEDGE,          ///< of a channel: cells before `acknowledges` have arrived
    NEGATIVE_ACKNOWLEDGE, ///< the same, and the next one was lost
    ACKNOWLEDGE_REQUEST,  ///< cells before `sequence` were sent: have they arrived?
};

/// Is a packet of this kind about the channel that carries the others?
inline bool
IsAcknowledgement(PacketKind kind)
{
    return kind >= PacketKind::ACKNOWLEDGE;
}

/// Does a packet of this kind tell that a connection is made?
inline bool
IsAccept(PacketKind kind)
{
    return kind == PacketKind::CONNECT_ACCEPT || kind == PacketKind::PEER_ACCEPT;
}

/// Does a packet of this kind carry the bytes of a message?
inline bool
IsMessage(PacketKind kind)
{
    return kind == PacketKind::SEND || kind == PacketKind::RDMA_WRITE ||
           kind == PacketKind::RDMA_READ_RESPONSE;
}

/// A kind's name in tables, e.g. "send".
const char* PacketKindName(PacketKind kind);

/// Somebody who must take the bytes of a packet before they can be read: the sender's memory.
class PayloadSource
{
  public:
    virtual ~PayloadSource() = default;

    /// Lets every movement of bytes planned for @p until or earlier happen.
    virtual void Settle(Ps until) = 0;
};

/// What every message touches of its packet: two lines of cache.
struct alignas(64) PacketHead
{
    // what the way of every packet needs, in one line of cache
    PacketKind kind{PacketKind::SEND};
    bool hasImmediate{false};
    bool reliable{false};     ///< travels in the channel between the two NICs
    std::uint32_t holders{0}; ///< who still needs it, see PacketPool::Hold
    NodeId source{0};
    NodeId destination{0};
    ViId sourceVi{0};
    ViId destinationVi{0};
    std::uint32_t length{0};        ///< payload bytes
    std::uint32_t cells{0};         ///< that carry them
    std::uint64_t sequence{0};      ///< in the channel: number of its first cell
    std::uint64_t acknowledges{0};  ///< cells of the opposite channel before it have arrived
    PayloadSource* origin{nullptr}; ///< who must settle before bytes are valid
    MessageId message{0};           ///< that it carries
    std::uint32_t immediate{0};

    // what a message needs besides, in the next one
    std::uint64_t serial{0};         ///< never used twice: the memory of a packet is used again
    std::vector<std::uint8_t> bytes; ///< payload, or the body of a control request, or a frame
    std::uint64_t item{0};           ///< serial of the sender's descriptor; a response repeats it;
                                     ///< datagram: the span that it was sent after
    std::uint64_t remoteAddress{0};  ///< RDMA: address at the destination
    std::uint32_t remoteHandle{0};   ///< RDMA: memory handle at the destination
    std::uint32_t asked{0};          ///< RDMA read request: bytes wanted; response: bytes moved;
                                     ///< datagram: bytes of its Ethernet frame in `bytes`
    std::uint32_t era{0};            ///< of the channel: how often it has begun again
    std::uint32_t order{0}; ///< between its two NICs, from 1 on, where paths differ; 0: not told
};

/// One message or control request, from the NIC that builds it to the one that consumes it.
struct Packet : PacketHead
{
    // what neither a send nor an RDMA write has
    ConnectionId connection{0}; ///< connection packets: the attempt they belong to
    std::uint32_t status{0};    ///< response: status bits for the sender's descriptor;
                                ///< barrier: number of the step
    std::uint32_t attempt{0};   ///< negative acknowledgement: of the cells it answers
    std::uint32_t placed{0};    ///< datagram: cells in the receiver's memory
    std::uint64_t payload{0};   ///< PayloadSum of the bytes that have been written at the receiver
};

/**
 * @brief Some cells of one packet in a row: the unit of simulation on the wire.
 *
 * A cell is whatever a wire sends in one piece: a cell or a frame, and the last one of a packet may
 * be shorter than the others. A burst has up to MAX_GROUPS groups; the cells of a group follow each
 * other without a gap on one wire. In reference mode each burst is a single cell.
 */
struct alignas(64) Burst
{
    static constexpr std::uint32_t MAX_GROUPS = 4;

    /// So many cells fit a burst: one bit of `lost` for each.
    static constexpr std::uint32_t MAX_CELLS = 64;

    /// Cells without a gap between them.
    struct Group
    {
        std::uint32_t cells{0};
        Moment ready; ///< at the sender: the cells may leave from then on
        Moment first; ///< at the receiver: as much of the first cell is there as it waits for
        Moment last;  ///< at the receiver: the last bit has arrived
    };

    // a burst of one group is in two lines of cache
    Packet* packet{nullptr};
    std::uint64_t cookie{0};    ///< of the sender
    Moment headCell;            ///< at a receiver of whole cells: the first one is there
    Ps departed{0};             ///< at the sender: the last bit has left
    std::uint32_t firstCell{0}; ///< index in the packet of the first cell
    ViId vi{0};                 ///< the packet's destinationVi, for hints: it need not be there yet
    std::uint32_t vanished{0};  ///< cells that the last wire swallowed: they took no room
    std::uint32_t attempt{0};   ///< how often its channel had gone back when it left
    std::uint8_t groupCount{0};
    bool ends{false};      ///< carries the packet's last cell
    bool isSplit{false};   ///< the rest of what was handed over follows later
    bool resent{false};    ///< sent again out of order: a path of its own through switches
    bool dropped{false};   ///< a switch had no room: goes on as news of that, without time
    std::uint8_t lane{0};  ///< virtual lane of the wire that it is on, or is to take
    std::uint64_t lost{0}; ///< bit i: its cell i is corrupt, or vanished on the way
    std::array<Group, MAX_GROUPS> groups;
    std::uint64_t absent{0}; ///< valid where `lost` is: its cell never reached the receiver

    /// Number of cells in all groups.
    std::uint32_t CellCount() const
    {
        std::uint32_t count = 0;
        for (std::uint32_t i = 0; i < groupCount; ++i)
        {
            count += groups[i].cells;
        }
        return count;
    }
};

/// Reuses packets and bursts, so that a message in steady state allocates nothing.
class PacketPool
{
  public:
    /// A packet with one holder: the caller.
    Packet* NewPacket();

    /// One more who needs @p packet.
    static void Hold(Packet* packet)
    {
        ++packet->holders;
    }

    /// One less; the last one puts the packet back.
    void Release(Packet* packet)
    {
        if (--packet->holders == 0)
        {
            Free(packet);
        }
    }

    /// A burst without groups. It holds its packet.
    Burst* NewBurst(Packet* packet);

    /// Takes the first @p cells, not all of them, off @p burst. @return a burst of these
    Burst* Split(Burst& burst, std::uint32_t cells);

    void Free(Burst* burst);

    /// Packets that are somewhere between post and consumption; 0 at the end of a clean run.
    std::size_t PacketsAlive() const
    {
        return m_packets.size() - m_freePackets.size();
    }

  private:
    void Free(Packet* packet);

    std::uint64_t m_serial{0};
    std::deque<Packet> m_packets;
    std::vector<Packet*> m_freePackets;
    std::deque<Burst> m_bursts;
    std::vector<Burst*> m_freeBursts;
};

} // namespace via
} // namespace ns3

#endif // VIA_PACKET_H
