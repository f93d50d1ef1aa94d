/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
// A wire between two partitions: cells one way, credits the other, as records with times.

#include "via-remote-link.h"

#include "ns3/abort.h"
#include "ns3/simulator.h"
#include "ns3/via-cell-image.h"

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
    LEAVE,  ///< a cell is on the cable
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
BytesOf(const Cell& cell, const LinkCosts& costs)
{
    const Packet& packet = *cell.packet;
    const std::size_t all = packet.bytes.size();
    if (!packet.IsMessage()) // control packets are complete when they are made
    {
        return cell.index == 0 ? ByteRange{0, all} : ByteRange{all, all};
    }
    const std::uint32_t behind = cell.index + 1;
    const std::size_t from = costs.PayloadBefore(cell.index, packet.length);
    const std::size_t upTo = cell.ends ? all : costs.PayloadBefore(behind, packet.length);
    return {std::min(from, all), std::min(upTo, all)};
}

} // namespace

RemoteLink::RemoteLink(World& world,
                       ComponentId id,
                       std::uint32_t index,
                       Component& sender,
                       bool isSwitch,
                       Link& link,
                       RemoteLinkCarrier& carrier)
    : Component(world, id, "x" + std::to_string(index)),
      m_index(index),
      m_sender(sender),
      m_link(link),
      m_carrier(carrier),
      m_isEarly(isSwitch && !world.lossy) // faults may change what has been decided
{
    m_lanes.reserve(link.Costs().lanes);
    for (std::uint32_t lane = 0; lane < link.Costs().lanes; ++lane)
    {
        m_lanes.emplace_back(*this, lane);
    }
}

void
RemoteLink::TakeFromLink(Notice notice)
{
    m_link.Connect(*this, 0, this, LEAVE, notice, m_isEarly ? this : nullptr);
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

void
RemoteLink::Foresee(Cell& cell)
{
    CarryCell(cell);
}

InPort*
RemoteLink::OfLane(std::uint32_t lane)
{
    return &m_lanes[lane];
}

void
RemoteLink::ReturnCredits(std::uint32_t cells, Ps at)
{
    CarryCredits(0, cells, at);
}

void
RemoteLink::OnAgenda(std::uint32_t kind, std::uint64_t data)
{
    if (kind == LEAVE)
    {
        CarryCell(*reinterpret_cast<Cell*>(data));
        return;
    }
    const auto place = static_cast<std::uint32_t>(data);
    m_freeCredits.push_back(place);
    Return(m_credits[place]);
}

void
RemoteLink::Return(const Credits& credits)
{
    m_link.OfLane(credits.lane)->ReturnCredits(credits.cells, credits.at);
}

void
RemoteLink::CarryCell(Cell& cell)
{
    const Packet& packet = *cell.packet;
    const ByteRange range = BytesOf(cell, m_link.Costs());
    if (packet.origin != nullptr && range.upTo > range.from)
    {
        packet.origin->Provide(packet, static_cast<std::uint32_t>(range.upTo));
    }
    CellImage image = CellImage::Of(cell);
    image.from = static_cast<std::uint32_t>(range.from);
    image.oldest = GetWorld().lossy ? KeepOutbound(*cell.packet) : 0;
    const MessageRecord* message = GetWorld().messages.Find(packet.message);
    const std::size_t headBytes = sizeof(image) + (message == nullptr ? 0 : sizeof(*message));
    RemoteLinkRecord& record = m_carrier.Room();
    record.resize(headBytes + range.upTo - range.from);
    std::memcpy(record.data(), &image, sizeof(image));
    if (message != nullptr)
    {
        std::memcpy(record.data() + sizeof(image), message, sizeof(*message));
    }
    std::copy(packet.bytes.begin() + static_cast<std::ptrdiff_t>(range.from),
              packet.bytes.begin() + static_cast<std::ptrdiff_t>(range.upTo),
              record.begin() + static_cast<std::ptrdiff_t>(headBytes));
    Carry(true, cell.first.at, record);
    if (cell.ends)
    {
        GetWorld().inbound.RemoveNotices(packet.source);
    }
    GetWorld().packets.Free(&cell);
}

std::uint64_t
RemoteLink::KeepOutbound(Packet& packet)
{
    if (m_outbound.emplace(packet.serial, &packet).second)
    {
        PacketPool::Hold(&packet);
    }
    while (m_outbound.begin()->second->holders == 1) // stops here: our cell is a holder
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
RemoteLink::CarryCredits(std::uint32_t lane, std::uint32_t cells, Ps at)
{
    const Credits credits{lane, cells, at};
    RemoteLinkRecord& record = m_carrier.Room();
    record.resize(sizeof(credits));
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
        ArriveCell(at, record);
    }
    else
    {
        ArriveCredits(at, record);
    }
}

void
RemoteLink::ArriveCell(Ps at, const RemoteLinkRecord& record)
{
    CellImage image{};
    std::memcpy(&image, record.data(), std::min(record.size(), sizeof(image)));
    MessageLog& messages = GetWorld().messages;
    const bool hasMessage = messages.IsTracking() && image.message != 0;
    const std::size_t headBytes = sizeof(image) + (hasMessage ? sizeof(MessageRecord) : 0);
    NS_ABORT_MSG_IF(record.size() < headBytes, "remote link " << m_index << ": a torn record");
    PacketPool& pool = GetWorld().packets;
    ForgetInbound(image.oldest);
    const auto known = m_inbound.find(image.serial);
    const bool isNew = known == m_inbound.end();
    Packet* packet = isNew ? pool.NewPacket() : known->second;
    if (isNew)
    {
        image.CopyTo(*packet);
        GetWorld().inbound.AddNotices(packet->source, at);
        if (hasMessage)
        {
            MessageRecord message;
            std::memcpy(&message, record.data() + sizeof(image), sizeof(message));
            packet->message = messages.Adopt(message);
        }
    }
    std::copy(record.begin() + static_cast<std::ptrdiff_t>(headBytes),
              record.end(),
              packet->bytes.begin() + image.from);
    Cell* cell = pool.NewCell(packet, image.index);
    image.CopyTo(*cell);
    if (image.ends != 0 && !GetWorld().lossy) // from here on the cell holds the packet
    {
        pool.Release(packet);
        if (!isNew)
        {
            m_inbound.erase(known);
        }
    }
    else if (isNew)
    {
        m_inbound.emplace(image.serial, packet);
    }
    m_peer->Schedule(at, m_port, m_target, m_kind, reinterpret_cast<std::uint64_t>(cell));
}

void
RemoteLink::ArriveCredits(Ps at, const RemoteLinkRecord& record)
{
    Credits credits;
    NS_ABORT_MSG_IF(record.size() != sizeof(credits),
                    "remote link " << m_index << ": a torn record");
    std::memcpy(&credits, record.data(), sizeof(credits));
    const bool arePending = m_freeCredits.size() < m_credits.size();
    if (m_isEarly && !arePending && m_link.WaitingCells() == 0)
    {
        Return(credits); // nobody waits, so nothing happens until it is home
        return;
    }
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
