/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
// Units of transmission: packets (one message or control request) and bursts of their cells.

#include "via-packet.h"

#include "ns3/abort.h"

#include <algorithm>

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

/// Prefetch hint: the part of a packet or burst that every message uses will be written soon.
void
ExpectTwoLines(const void* at)
{
    __builtin_prefetch(at, 1);
    __builtin_prefetch(static_cast<const char*>(at) + 64, 1);
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

Burst*
PacketPool::NewBurst(Packet* packet)
{
    if (m_freeBursts.empty())
    {
        m_bursts.emplace_back();
        m_freeBursts.push_back(&m_bursts.back());
    }
    Burst* burst = m_freeBursts.back();
    m_freeBursts.pop_back();
    if (!m_freeBursts.empty())
    {
        ExpectTwoLines(m_freeBursts.back()); // the next one to be used
    }
    Hold(packet);
    burst->packet = packet;
    burst->vi = packet->destinationVi;
    burst->firstCell = 0;
    burst->ends = false;
    burst->isSplit = false;
    burst->resent = false;
    burst->dropped = false;
    burst->roomGiven = false;
    burst->lane = 0;
    burst->groupCount = 0;
    burst->groups[0].cells = 0; // the rest is stale: a group is filled in when it is added
    burst->cookie = 0;
    burst->lost = 0;
    burst->vanished = 0;
    burst->attempt = 0;
    return burst;
}

Burst*
PacketPool::Split(Burst& burst, std::uint32_t cells)
{
    Burst* part = NewBurst(burst.packet);
    part->firstCell = burst.firstCell;
    part->isSplit = true;
    part->cookie = burst.cookie;
    part->attempt = burst.attempt;
    part->lane = burst.lane;
    part->lost = burst.lost & ((std::uint64_t{1} << cells) - 1);
    part->vanished = std::min(burst.vanished, cells);
    burst.vanished -= part->vanished;
    if (part->lost != 0 || burst.lost != 0)
    {
        part->absent = burst.absent;
        burst.absent >>= cells;
    }
    burst.lost >>= cells;
    burst.firstCell += cells;
    std::uint32_t whole = 0;
    for (std::uint32_t left = cells; left > 0;)
    {
        Burst::Group& from = burst.groups[whole];
        Burst::Group& to = part->groups[part->groupCount++];
        to = from;
        to.cells = std::min(left, from.cells);
        from.cells -= to.cells;
        left -= to.cells;
        whole += from.cells == 0 ? 1 : 0;
    }
    std::move(burst.groups.begin() + whole,
              burst.groups.begin() + burst.groupCount,
              burst.groups.begin());
    burst.groupCount = static_cast<std::uint8_t>(burst.groupCount - whole);
    return part;
}

void
PacketPool::Free(Burst* burst)
{
    Release(burst->packet);
    m_freeBursts.push_back(burst);
}

} // namespace via
} // namespace ns3
