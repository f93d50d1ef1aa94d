/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
// A wire whose ends are on two ranks: bursts one way, credits the other, as records with times.

#include "via-crossing.h"

#include "ns3/abort.h"
#include "ns3/simulator.h"

#include <algorithm>
#include <cstring>
#include <type_traits>

namespace ns3
{
namespace via
{

namespace
{

/// Work of a crossing, and of who owns its link.
enum CrossingWork : std::uint32_t
{
    LEAVE,  ///< a burst is on the cable
    CREDITS ///< credits are home
};

/// The times of a group of cells, as they travel.
struct GroupImage
{
    std::uint32_t cells;
    std::uint32_t unused;
    Ps ready;
    Ps first;
    Ps last;
};

/// A burst and its packet, as they travel: numbers only. The payload of its cells follows.
struct BurstImage
{
    std::uint64_t serial; ///< of the packet at the sender
    std::uint64_t sequence;
    std::uint64_t acknowledges;
    std::uint64_t item;
    std::uint64_t connection;
    std::uint64_t remoteAddress;
    std::uint64_t lost;
    std::uint64_t absent;
    Ps headCell;
    Ps departed;
    std::uint32_t source;
    std::uint32_t destination;
    std::uint32_t sourceVi;
    std::uint32_t destinationVi;
    std::uint32_t length;
    std::uint32_t cells;
    std::uint32_t message;
    std::uint32_t immediate;
    std::uint32_t remoteHandle;
    std::uint32_t asked;
    std::uint32_t status;
    std::uint32_t packetAttempt;
    std::uint32_t era;
    std::uint32_t order;
    std::uint32_t bytes; ///< in the packet, when it is whole
    std::uint32_t from;  ///< the first byte that travels with this burst
    std::uint32_t firstCell;
    std::uint32_t groupCount;
    std::uint32_t vanished;
    std::uint32_t attempt;
    std::uint8_t kind;
    std::uint8_t hasImmediate;
    std::uint8_t reliable;
    std::uint8_t ends;
    std::uint8_t isSplit;
    std::uint8_t resent;
    std::uint8_t dropped;
    std::uint8_t lane;
    GroupImage groups[Burst::MAX_GROUPS];
};

static_assert(std::is_trivially_copyable_v<BurstImage>, "it travels as bytes");

/// Bytes of a packet that travel with some of its cells.
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
    if (!IsMessage(packet.kind)) // it was whole when it was made
    {
        return burst.firstCell == 0 ? ByteRange{0, all} : ByteRange{all, all};
    }
    const std::uint32_t behind = burst.firstCell + burst.CellCount();
    const std::size_t from = costs.PayloadBefore(burst.firstCell, packet.length);
    const std::size_t upTo = burst.ends ? all : costs.PayloadBefore(behind, packet.length);
    return {std::min(from, all), std::min(upTo, all)};
}

void
PutPacket(const Packet& packet, BurstImage& image)
{
    image.serial = packet.serial;
    image.sequence = packet.sequence;
    image.acknowledges = packet.acknowledges;
    image.item = packet.item;
    image.connection = packet.connection;
    image.remoteAddress = packet.remoteAddress;
    image.source = packet.source;
    image.destination = packet.destination;
    image.sourceVi = packet.sourceVi;
    image.destinationVi = packet.destinationVi;
    image.length = packet.length;
    image.cells = packet.cells;
    image.message = packet.message;
    image.immediate = packet.immediate;
    image.remoteHandle = packet.remoteHandle;
    image.asked = packet.asked;
    image.status = packet.status;
    image.packetAttempt = packet.attempt;
    image.era = packet.era;
    image.order = packet.order;
    image.bytes = static_cast<std::uint32_t>(packet.bytes.size());
    image.kind = static_cast<std::uint8_t>(packet.kind);
    image.hasImmediate = packet.hasImmediate ? 1 : 0;
    image.reliable = packet.reliable ? 1 : 0;
}

void
GetPacket(const BurstImage& image, Packet& packet)
{
    packet.sequence = image.sequence;
    packet.acknowledges = image.acknowledges;
    packet.item = image.item;
    packet.connection = image.connection;
    packet.remoteAddress = image.remoteAddress;
    packet.source = image.source;
    packet.destination = image.destination;
    packet.sourceVi = image.sourceVi;
    packet.destinationVi = image.destinationVi;
    packet.length = image.length;
    packet.cells = image.cells;
    packet.message = image.message;
    packet.immediate = image.immediate;
    packet.remoteHandle = image.remoteHandle;
    packet.asked = image.asked;
    packet.status = image.status;
    packet.attempt = image.packetAttempt;
    packet.era = image.era;
    packet.order = image.order;
    packet.bytes.resize(image.bytes);
    packet.kind = static_cast<PacketKind>(image.kind);
    packet.hasImmediate = image.hasImmediate != 0;
    packet.reliable = image.reliable != 0;
}

void
PutBurst(const Burst& burst, BurstImage& image)
{
    image.lost = burst.lost;
    image.absent = burst.lost == 0 ? 0 : burst.absent; // valid only then
    image.headCell = burst.headCell.at;
    image.departed = burst.departed;
    image.firstCell = burst.firstCell;
    image.groupCount = burst.groupCount;
    image.vanished = burst.vanished;
    image.attempt = burst.attempt;
    image.ends = burst.ends ? 1 : 0;
    image.isSplit = burst.isSplit ? 1 : 0;
    image.resent = burst.resent ? 1 : 0;
    image.dropped = burst.dropped ? 1 : 0;
    image.lane = burst.lane;
    for (std::uint32_t i = 0; i < burst.groupCount; ++i)
    {
        const Burst::Group& group = burst.groups[i];
        image.groups[i] = {group.cells, 0, group.ready.at, group.first.at, group.last.at};
    }
}

void
GetBurst(const BurstImage& image, Burst& burst)
{
    burst.lost = image.lost;
    burst.absent = image.absent;
    burst.headCell = {image.headCell, 0};
    burst.departed = image.departed;
    burst.firstCell = image.firstCell;
    burst.groupCount = image.groupCount;
    burst.vanished = image.vanished;
    burst.attempt = image.attempt;
    burst.ends = image.ends != 0;
    burst.isSplit = image.isSplit != 0;
    burst.resent = image.resent != 0;
    burst.dropped = image.dropped != 0;
    burst.lane = image.lane;
    for (std::uint32_t i = 0; i < image.groupCount; ++i)
    {
        const GroupImage& group = image.groups[i];
        burst.groups[i] = {group.cells, {group.ready, 0}, {group.first, 0}, {group.last, 0}};
    }
}

} // namespace

Crossing::Crossing(World& world,
                   ComponentId id,
                   std::uint32_t index,
                   Component& sender,
                   Link& link,
                   CrossingCarrier& carrier)
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
Crossing::TakeFromLink(Notice notice)
{
    m_link.Connect(*this, 0, this, LEAVE, notice);
    m_link.SetLead(m_link.Flight());
}

void
Crossing::GiveTo(Component& peer, AgendaPort port, AgendaTarget* target, std::uint32_t kind)
{
    m_peer = &peer;
    m_target = target;
    m_port = port;
    m_kind = kind;
}

Ps
Crossing::Lookahead() const
{
    return std::min(m_link.Flight(), m_link.CreditLookahead()) - 1; // Arrive comes 1 ps before
}

InPort*
Crossing::OfLane(std::uint32_t lane)
{
    return &m_lanes[lane];
}

void
Crossing::ReturnCredits(std::uint32_t cells, Ps at, Ps spacing)
{
    CarryCredits(0, cells, at, spacing);
}

void
Crossing::OnAgenda(std::uint32_t kind, std::uint64_t data)
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
Crossing::CarryBurst(Burst& burst)
{
    const Packet& packet = *burst.packet;
    const ByteRange range = BytesOf(burst, m_link.Costs());
    if (packet.origin != nullptr && range.upTo > range.from)
    {
        packet.origin->Settle(Now());
    }
    BurstImage image{};
    PutPacket(packet, image);
    PutBurst(burst, image);
    image.from = static_cast<std::uint32_t>(range.from);
    CrossingRecord record(sizeof(image) + range.upTo - range.from);
    std::memcpy(record.data(), &image, sizeof(image));
    std::copy(packet.bytes.begin() + static_cast<std::ptrdiff_t>(range.from),
              packet.bytes.begin() + static_cast<std::ptrdiff_t>(range.upTo),
              record.begin() + sizeof(image));
    Carry(true, burst.groups[0].first.at, record);
    GetWorld().packets.Free(&burst);
}

void
Crossing::CarryCredits(std::uint32_t lane, std::uint32_t cells, Ps at, Ps spacing)
{
    const Credits credits{lane, cells, at, spacing};
    CrossingRecord record(sizeof(credits));
    std::memcpy(record.data(), &credits, sizeof(credits));
    Carry(false, at + m_link.CreditLookahead(), record);
}

void
Crossing::Carry(bool towardsReceiver, Ps at, const CrossingRecord& record)
{
    NS_ABORT_MSG_IF(at - 1 < Now() + Lookahead(),
                    "the wire from " << m_sender.Name() << " (crossing " << m_index << ") carries "
                                     << (towardsReceiver ? "cells" : "credits") << " at " << Now()
                                     << " ps that are due at " << at
                                     << " ps: sooner than its look-ahead of " << Lookahead()
                                     << " ps");
    m_carrier.Carry(m_index, towardsReceiver, at, record);
}

void
Crossing::Arrive(bool towardsReceiver, Ps at, const CrossingRecord& record)
{
    NS_ABORT_MSG_IF(at <= Simulator::Now().GetTimeStep(),
                    "late: " << (towardsReceiver ? "cells" : "credits") << " on the wire from "
                             << m_sender.Name() << " (crossing " << m_index << ") were due at "
                             << at << " ps, and it is " << Simulator::Now().GetTimeStep() << " ps");
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
Crossing::ArriveBurst(Ps at, const CrossingRecord& record)
{
    BurstImage image;
    NS_ABORT_MSG_IF(record.size() < sizeof(image), "crossing " << m_index << ": a torn record");
    std::memcpy(&image, record.data(), sizeof(image));
    PacketPool& pool = GetWorld().packets;
    Packet*& known = m_inbound[image.serial];
    if (known == nullptr)
    {
        known = pool.NewPacket();
        GetPacket(image, *known);
    }
    Packet* packet = known;
    std::copy(record.begin() + sizeof(image), record.end(), packet->bytes.begin() + image.from);
    Burst* burst = pool.NewBurst(packet);
    GetBurst(image, *burst);
    if (image.ends != 0) // the burst holds the packet from here on
    {
        pool.Release(packet);
        m_inbound.erase(image.serial);
    }
    m_peer->Schedule(at, m_port, m_target, m_kind, reinterpret_cast<std::uint64_t>(burst));
}

void
Crossing::ArriveCredits(Ps at, const CrossingRecord& record)
{
    Credits credits;
    NS_ABORT_MSG_IF(record.size() != sizeof(credits), "crossing " << m_index << ": a torn record");
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
