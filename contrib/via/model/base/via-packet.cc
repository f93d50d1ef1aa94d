/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
// Units of transmission: packets (one message or control request) and their cells.

#include "via-packet.h"

#include "ns3/abort.h"
#include "ns3/via-prefetch.h"

namespace ns3
{
namespace via
{

const char*
PacketKindName(PacketKind kind)
{
    switch (kind)
    {
    case PacketKind::SEND:
        return "send";
    case PacketKind::RDMA_WRITE:
        return "rdma-write";
    case PacketKind::CONNECT_REQUEST:
        return "connect-request";
    case PacketKind::CONNECT_ACCEPT:
        return "connect-accept";
    case PacketKind::CONNECT_REJECT:
        return "connect-reject";
    case PacketKind::CONNECT_NO_MATCH:
        return "connect-no-match";
    case PacketKind::PEER_REQUEST:
        return "peer-request";
    case PacketKind::PEER_ACCEPT:
        return "peer-accept";
    case PacketKind::PEER_CANCEL:
        return "peer-cancel";
    case PacketKind::DISCONNECT:
        return "disconnect";
    case PacketKind::RDMA_READ_REQUEST:
    case PacketKind::RDMA_READ_RESPONSE:
        return "rdma-read";
    case PacketKind::RESPONSE:
        return "response";
    case PacketKind::DATAGRAM:
        return "datagram";
    case PacketKind::BARRIER:
        return "barrier";
    case PacketKind::ACKNOWLEDGE:
        return "acknowledge";
    case PacketKind::NEGATIVE_ACKNOWLEDGE:
        return "negative-acknowledge";
    case PacketKind::ACKNOWLEDGE_REQUEST:
        return "acknowledge-request";
    }
    NS_ABORT_MSG("no such packet kind: " << static_cast<int>(kind));
}

namespace
{

/// Prefetch hint: the part of a packet or cell that every message uses will be written soon.
void
ExpectTwoLines(const void* at)
{
    PrefetchLine(at);
    PrefetchLine(static_cast<const char*>(at) + CACHE_LINE);
}

} // namespace

Packet*
PacketPool::NewPacket()
{
    if (m_freePackets.empty())
    {
        m_packets.emplace_back();
        m_freePackets.push_back(&m_packets.back());
    }
    Packet* packet = m_freePackets.back();
    m_freePackets.pop_back();
    if (!m_freePackets.empty())
    {
        ExpectTwoLines(m_freePackets.back()); // the next one to be used
    }
    packet->holders = 1;
    packet->serial = ++m_serial;
    return packet;
}

void
PacketPool::Free(Packet* packet)
{
    std::vector<std::uint8_t> bytes = std::move(packet->bytes); // keep the capacity
    bytes.clear();
    if (packet->kind == PacketKind::SEND || packet->kind == PacketKind::RDMA_WRITE)
    {
        *static_cast<PacketHead*>(packet) = PacketHead{}; // the rest was not used,
        packet->payload = 0;                              // except for this
    }
    else
    {
        *packet = Packet{};
    }
    packet->bytes = std::move(bytes);
    m_freePackets.push_back(packet);
}

Cell*
PacketPool::NewCell(Packet* packet, std::uint32_t number)
{
    if (m_freeCells.empty())
    {
        m_cells.emplace_back();
        m_freeCells.push_back(&m_cells.back());
    }
    Cell* cell = m_freeCells.back();
    m_freeCells.pop_back();
    if (!m_freeCells.empty())
    {
        ExpectTwoLines(m_freeCells.back()); // the next one to be used
    }
    Hold(packet);
    cell->packet = packet;
    cell->cookie = 0;
    cell->index = number;
    cell->destination = packet->destination;
    cell->vi = packet->destinationVi;
    cell->attempt = 0;
    cell->ends = number + 1 == packet->cells;
    cell->resent = false;
    cell->dropped = false;
    cell->roomGiven = false;
    cell->lost = false;
    cell->absent = false;
    cell->vanished = false;
    cell->lane = 0;
    return cell; // its times are stale
}

void
PacketPool::Free(Cell* cell)
{
    Release(cell->packet);
    m_freeCells.push_back(cell);
}

} // namespace via
} // namespace ns3
