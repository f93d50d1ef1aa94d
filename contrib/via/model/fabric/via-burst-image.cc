/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
// A burst and its packet as plain numbers, for transport to another partition.

#include "via-burst-image.h"

namespace ns3
{
namespace via
{

namespace
{

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
PutBurst(const Burst& burst, BurstImage& image)
{
    image.lost = burst.lost;
    image.absent = burst.lost == 0 ? 0 : burst.absent; // only valid then
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
        image.groups[i] = {group.ready.at,
                           group.first.at,
                           group.last.at,
                           group.cells,
                           group.first.cause,
                           group.last.cause,
                           0};
    }
}

} // namespace

BurstImage
BurstImage::Of(const Burst& burst)
{
    BurstImage image{};
    PutPacket(*burst.packet, image);
    PutBurst(burst, image);
    return image;
}

void
BurstImage::CopyTo(Packet& packet) const
{
    packet.sequence = sequence;
    packet.acknowledges = acknowledges;
    packet.item = item;
    packet.connection = connection;
    packet.remoteAddress = remoteAddress;
    packet.source = source;
    packet.destination = destination;
    packet.sourceVi = sourceVi;
    packet.destinationVi = destinationVi;
    packet.length = length;
    packet.cells = cells;
    packet.message = message;
    packet.immediate = immediate;
    packet.remoteHandle = remoteHandle;
    packet.asked = asked;
    packet.status = status;
    packet.attempt = packetAttempt;
    packet.era = era;
    packet.order = order;
    packet.bytes.resize(bytes);
    packet.kind = static_cast<PacketKind>(kind);
    packet.hasImmediate = hasImmediate != 0;
    packet.reliable = reliable != 0;
}

void
BurstImage::CopyTo(Burst& burst) const
{
    burst.lost = lost;
    burst.absent = absent;
    burst.headCell = {headCell, groups[0].firstCause};
    burst.departed = departed;
    burst.firstCell = firstCell;
    burst.groupCount = static_cast<std::uint8_t>(groupCount);
    burst.vanished = vanished;
    burst.attempt = attempt;
    burst.ends = ends != 0;
    burst.isSplit = isSplit != 0;
    burst.resent = resent != 0;
    burst.dropped = dropped != 0;
    burst.lane = lane;
    for (std::uint32_t i = 0; i < groupCount; ++i)
    {
        const GroupImage& group = groups[i];
        burst.groups[i] = {group.cells,
                           {group.ready, 0},
                           {group.first, group.firstCause},
                           {group.last, group.lastCause}};
    }
}

} // namespace via
} // namespace ns3
