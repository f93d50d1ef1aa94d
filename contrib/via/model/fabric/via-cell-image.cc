/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
// A cell and its packet as plain numbers, for transport to another partition.

#include "via-cell-image.h"

namespace ns3
{
namespace via
{

namespace
{

void
PutPacket(const Packet& packet, CellImage& image)
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
    image.step = packet.step;
    image.frame = packet.frame;
    image.born = packet.born;
    image.packetAttempt = packet.attempt;
    image.era = packet.era;
    image.order = packet.order;
    image.bytes = static_cast<std::uint32_t>(packet.bytes.size());
    image.kind = static_cast<std::uint8_t>(packet.kind);
    image.hasImmediate = packet.hasImmediate ? 1 : 0;
    image.reliable = packet.reliable ? 1 : 0;
}

void
PutCell(const Cell& cell, CellImage& image)
{
    image.ready = cell.ready.at;
    image.first = cell.first.at;
    image.last = cell.last.at;
    image.departed = cell.departed;
    image.firstCause = cell.first.cause;
    image.lastCause = cell.last.cause;
    image.index = cell.index;
    image.attempt = cell.attempt;
    image.ends = cell.ends ? 1 : 0;
    image.resent = cell.resent ? 1 : 0;
    image.dropped = cell.dropped ? 1 : 0;
    image.lane = cell.lane;
    image.lost = cell.lost ? 1 : 0;
    image.absent = cell.absent ? 1 : 0;
    image.vanished = cell.vanished ? 1 : 0;
}

} // namespace

CellImage
CellImage::Of(const Cell& cell)
{
    CellImage image{};
    PutPacket(*cell.packet, image);
    PutCell(cell, image);
    return image;
}

void
CellImage::CopyTo(Packet& packet) const
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
    packet.step = step;
    packet.frame = frame;
    packet.born = born;
    packet.attempt = packetAttempt;
    packet.era = era;
    packet.order = order;
    packet.bytes.resize(bytes);
    packet.kind = static_cast<PacketKind>(kind);
    packet.hasImmediate = hasImmediate != 0;
    packet.reliable = reliable != 0;
}

void
CellImage::CopyTo(Cell& cell) const
{
    cell.ready = {ready, 0};
    cell.first = {first, firstCause};
    cell.last = {last, lastCause};
    cell.departed = departed;
    cell.attempt = attempt;
    cell.ends = ends != 0;
    cell.resent = resent != 0;
    cell.dropped = dropped != 0;
    cell.lane = lane;
    cell.lost = lost != 0;
    cell.absent = absent != 0;
    cell.vanished = vanished != 0;
}

} // namespace via
} // namespace ns3
