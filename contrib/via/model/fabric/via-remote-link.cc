/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
// A wire between two partitions: bursts one way, credits the other, as records with times.

#include "via-remote-link.h"

#include "ns3/abort.h"
#include "ns3/simulator.h"
#include "ns3/via-burst-image.h"

#include <algorithm>
#include <cstring>

namespace ns3
{
namespace via
{

namespace
{

/// Work of a remote link, and of the owner of its link.
enum RemoteLinkWork : std::uint32_t
{
    LEAVE,  ///< a burst is on the cable
    CREDITS ///< credits have returned
};

/// Arrive is called at the latest 1 ps before a record is due. Also, ns-3 does the work of a
/// window's last instant before it has received everything sent until then, so the window must end
/// earlier.
constexpr Ps MARGIN = 2;

/// The bytes of a packet that travel with some of its cells.
struct ByteRange
{
    std::size_t from;
    std::size_t upTo;
};

ByteRange
BytesOf(const Burst& burst, const LinkCosts& costs)
{
    const Packet& packet = *burst.packet;
    const std::size_t all = packet.bytes.size();
    if (!IsMessage(packet.kind)) // control packets are complete when they are made
    {
        return burst.firstCell == 0 ? ByteRange{0, all} : ByteRange{all, all};
    }
    const std::uint32_t behind = burst.firstCell + burst.CellCount();
    const std::size_t from = costs.PayloadBefore(burst.firstCell, packet.length);
    const std::size_t upTo = burst.ends ? all : costs.PayloadBefore(behind, packet.length);
    return {std::min(from, all), std::min(upTo, all)};
}

} // namespace

RemoteLink::RemoteLink(World& world,
                       ComponentId id,
                       std::uint32_t index,
                       Component& sender,
                       Link& link,
                       RemoteLinkCarrier& carrier)
    : Component(world, id, "x" + std::to_string(index)),
      m_index(index),
      m_sender(sender),
      m_link(link),
      m_carrier(carrier)
{
    for (std::uint32_t lane = 0; lane < link.Costs().lanes; ++lane)
    {
        m_lanes.emplace_back(*this, lane);
    }
}

void
RemoteLink::TakeFromLink(Notice notice)
{
    m_link.Connect(*this, 0, this, LEAVE, notice);
    m_link.SetLead(m_link.Flight());
}

void
RemoteLink::GiveTo(Component& peer, AgendaPort port, AgendaTarget* target, std::uint32_t kind)
{
    m_peer = &peer;
    m_target = target;
    m_port = port;
    m_kind = kind;
}

Ps
RemoteLink::Lookahead() const
{
    return std::min(m_link.Flight(), m_link.CreditLookahead()) - MARGIN;
}

InPort*
RemoteLink::OfLane(std::uint32_t lane)
{
    return &m_lanes[lane];
}

void
RemoteLink::ReturnCredits(std::uint32_t cells, Ps at, Ps spacing)
{
    CarryCredits(0, cells, at, spacing);
}

void
RemoteLink::OnAgenda(std::uint32_t kind, std::uint64_t data)
{
    if (kind == LEAVE)
    {
        CarryBurst(*reinterpret_cast<Burst*>(data));
        return;
    }
    const auto place = static_cast<std::uint32_t>(data);
    const Credits credits = m_credits[place];
    m_freeCredits.push_back(place);
    m_link.OfLane(credits.lane)->ReturnCredits(credits.cells, credits.at, credits.spacing);
}

void
RemoteLink::CarryBurst(Burst& burst)
{
    const Packet& packet = *burst.packet;
    const ByteRange range = BytesOf(burst, m_link.Costs());
    if (packet.origin != nullptr && range.upTo > range.from)
    {
        packet.origin->Provide(packet, static_cast<std::uint32_t>(range.upTo));
    }
    BurstImage image = BurstImage::Of(burst);
    image.from = static_cast<std::uint32_t>(range.from);
    image.oldest = GetWorld().lossy ? KeepOutbound(*burst.packet) : 0;
    const MessageRecord* message = GetWorld().messages.Find(packet.message);
    const std::size_t imageBytes = image.Bytes();
    const std::size_t headBytes = imageBytes + (message == nullptr ? 0 : sizeof(*message));
    RemoteLinkRecord record(headBytes + range.upTo - range.from);
    std::memcpy(record.data(), &image, imageBytes);
    if (message != nullptr)
    {
        std::memcpy(record.data() + imageBytes, message, sizeof(*message));
    }
    std::copy(packet.bytes.begin() + static_cast<std::ptrdiff_t>(range.from),
              packet.bytes.begin() + static_cast<std::ptrdiff_t>(range.upTo),
              record.begin() + static_cast<std::ptrdiff_t>(headBytes));
    Carry(true, burst.groups[0].first.at, record);
    GetWorld().packets.Free(&burst);
}

std::uint64_t
RemoteLink::KeepOutbound(Packet& packet)
{
    if (m_outbound.emplace(packet.serial, &packet).second)
    {
        PacketPool::Hold(&packet);
    }
    while (m_outbound.begin()->second->holders == 1) // stops here: our burst is a holder
    {
        GetWorld().packets.Release(m_outbound.begin()->second);
        m_outbound.erase(m_outbound.begin());
    }
    return m_outbound.begin()->first;
}

void
RemoteLink::ForgetInbound(std::uint64_t before)
{
    while (!m_inbound.empty() && m_inbound.begin()->first < before)
    {
        GetWorld().packets.Release(m_inbound.begin()->second);
        m_inbound.erase(m_inbound.begin());
    }
}

void
RemoteLink::CarryCredits(std::uint32_t lane, std::uint32_t cells, Ps at, Ps spacing)
{
    const Credits credits{lane, cells, at, spacing};
    RemoteLinkRecord record(sizeof(credits));
    std::memcpy(record.data(), &credits, sizeof(credits));
    Carry(false, at + m_link.CreditLookahead(), record);
}

void
RemoteLink::Carry(bool towardsReceiver, Ps at, const RemoteLinkRecord& record)
{
    NS_ABORT_MSG_IF(at - MARGIN < Now() + Lookahead(),
                    "the wire from " << m_sender.Name() << " (remote link " << m_index
                                     << ") carries " << (towardsReceiver ? "cells" : "credits")
                                     << " at " << Now() << " ps that are due at " << at
                                     << " ps, which is sooner than its look-ahead of "
                                     << Lookahead() << " ps");
    m_carrier.Carry(m_index, towardsReceiver, at, record);
}

void
RemoteLink::Arrive(bool towardsReceiver, Ps at, const RemoteLinkRecord& record)
{
    // ns-3 runs past events silently; detect them by the work done since
    const Ps now = std::max(GetWorld().agenda.Now(), Simulator::Now().GetTimeStep());
    NS_ABORT_MSG_IF(at <= now,
                    "late: " << (towardsReceiver ? "cells" : "credits") << " on the wire from "
                             << m_sender.Name() << " (remote link " << m_index << ") were due at "
                             << at << " ps, but it is already " << now
                             << " ps: the partitions' look-ahead is too long");
    if (towardsReceiver)
    {
        ArriveBurst(at, record);
    }
    else
    {
        ArriveCredits(at, record);
    }
}

void
RemoteLink::ArriveBurst(Ps at, const RemoteLinkRecord& record)
{
    BurstImage image{};
    std::memcpy(&image, record.data(), std::min(record.size(), sizeof(image)));
    MessageLog& messages = GetWorld().messages;
    const bool hasMessage = messages.IsTracking() && image.message != 0;
    const std::size_t imageBytes = image.Bytes();
    const std::size_t headBytes = imageBytes + (hasMessage ? sizeof(MessageRecord) : 0);
    NS_ABORT_MSG_IF(image.groupCount > Burst::MAX_GROUPS || record.size() < headBytes,
                    "remote link " << m_index << ": a torn record");
    PacketPool& pool = GetWorld().packets;
    ForgetInbound(image.oldest);
    Packet*& known = m_inbound[image.serial];
    if (known == nullptr)
    {
        known = pool.NewPacket();
        image.CopyTo(*known);
        if (hasMessage)
        {
            MessageRecord message;
            std::memcpy(&message, record.data() + imageBytes, sizeof(message));
            known->message = messages.Adopt(message);
        }
    }
    Packet* packet = known;
    std::copy(record.begin() + static_cast<std::ptrdiff_t>(headBytes),
              record.end(),
              packet->bytes.begin() + image.from);
    Burst* burst = pool.NewBurst(packet);
    image.CopyTo(*burst);
    if (image.ends != 0 && !GetWorld().lossy) // from here on the burst holds the packet
    {
        pool.Release(packet);
        m_inbound.erase(image.serial);
    }
    m_peer->Schedule(at, m_port, m_target, m_kind, reinterpret_cast<std::uint64_t>(burst));
}

void
RemoteLink::ArriveCredits(Ps at, const RemoteLinkRecord& record)
{
    Credits credits;
    NS_ABORT_MSG_IF(record.size() != sizeof(credits),
                    "remote link " << m_index << ": a torn record");
    std::memcpy(&credits, record.data(), sizeof(credits));
    if (m_freeCredits.empty())
    {
        m_freeCredits.push_back(static_cast<std::uint32_t>(m_credits.size()));
        m_credits.emplace_back();
    }
    const std::uint32_t place = m_freeCredits.back();
    m_freeCredits.pop_back();
    m_credits[place] = credits;
    m_sender.Schedule(at, CREDIT_PORT + m_index, this, CREDITS, place);
}

} // namespace via
} // namespace ns3
