/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
// Captures the packets at the ports of all NICs of a cluster, with their times.

#include "via-packet-capture.h"

#include <algorithm>
#include <tuple>
#include <utility>

namespace ns3
{
namespace via
{

namespace
{

/// Number of packets to keep before those that are due are reported.
constexpr std::size_t KEPT = 4096;

void
Add(CapturedPacket& seen, const TappedCell& tapped, const Cell& cell)
{
    seen.firstCell = std::min(seen.firstCell, cell.index);
    ++seen.cells;
    seen.firstByte = std::min(seen.firstByte, tapped.firstByte);
    seen.endByte = std::max(seen.endByte, tapped.endByte);
    seen.firstBit = std::min(seen.firstBit, tapped.firstBit);
    seen.lastBit = std::max(seen.lastBit, tapped.lastBit);
    seen.cellsSent = tapped.cellsSent;
    if (tapped.received)
    {
        seen.lost += cell.lost ? 1 : 0;
        seen.vanished += cell.vanished ? 1 : 0;
    }
}

} // namespace

bool
PacketCapture::IsLater::operator()(const Seen& a, const Seen& b) const
{
    return std::tie(a.packet.lastBit, a.packet.port, a.packet.received, a.number) >
           std::tie(b.packet.lastBit, b.packet.port, b.packet.received, b.number);
}

PacketCapture::PacketCapture(World& world, NicFinder nics)
    : m_world(world),
      m_nics(std::move(nics))
{
}

PacketCapture::~PacketCapture()
{
    m_listeners.clear(); // listeners that want the rest have called Finish
    Finish();
}

void
PacketCapture::AddListener(PacketListener* listener)
{
    m_listeners.push_back(listener);
}

WireTap&
PacketCapture::AddPort(Link& out, Link& in, InPort& upstream, AgendaTarget& nic)
{
    const auto number = static_cast<std::uint32_t>(m_taps.size());
    m_open.emplace_back();
    return m_taps.emplace_back().emplace(number, out, in, upstream, nic, *this);
}

void
PacketCapture::OnTapped(const TappedCell& tapped, const Cell& cell)
{
    if (m_seen.size() >= KEPT)
    {
        TellUntil(m_world.agenda.Now());
    }
    if (cell.resent)
    {
        CapturedPacket alone = Begin(tapped, cell);
        Add(alone, tapped, cell);
        Close(alone);
        return;
    }
    // cells of several senders may interleave; the cells of one packet add up to it
    auto& open = m_open[tapped.port].packets[tapped.received ? 1 : 0];
    auto mine = std::find_if(open.begin(), open.end(), [&cell](const auto& one) {
        return one.packet == cell.packet;
    });
    if (mine == open.end())
    {
        mine = open.insert(open.end(), Begin(tapped, cell));
    }
    Add(*mine, tapped, cell);
    if (mine->IsWhole())
    {
        const CapturedPacket whole = *mine;
        open.erase(mine);
        Close(whole);
    }
}

CapturedPacket
PacketCapture::Begin(const TappedCell& tapped, const Cell& cell) const
{
    CapturedPacket seen;
    seen.packet = cell.packet;
    PacketPool::Hold(cell.packet);
    seen.port = tapped.port;
    seen.received = tapped.received;
    // packets outside a channel take the same path, but are sent for the first time
    seen.resent = cell.resent && cell.packet->reliable;
    seen.firstCell = cell.index;
    seen.firstByte = tapped.firstByte;
    seen.attempt = cell.attempt;
    seen.remoteOffset = RemoteOffset(*cell.packet);
    seen.isRegionAway =
        NamesRegion(cell.packet->kind) && m_nics(OwnerOfRegion(*cell.packet)) == nullptr;
    seen.firstBit = tapped.firstBit;
    return seen;
}

bool
PacketCapture::NamesRegion(PacketKind kind)
{
    return kind == PacketKind::RDMA_WRITE || kind == PacketKind::RDMA_READ_REQUEST ||
           kind == PacketKind::RDMA_READ_RESPONSE;
}

NodeId
PacketCapture::OwnerOfRegion(const Packet& packet)
{
    return packet.kind == PacketKind::RDMA_READ_RESPONSE ? packet.source : packet.destination;
}

std::uint64_t
PacketCapture::RemoteOffset(const Packet& packet) const
{
    if (!NamesRegion(packet.kind))
    {
        return CapturedPacket::NO_REGION;
    }
    Nic* nic = m_nics(OwnerOfRegion(packet));
    const Region* region = nic == nullptr ? nullptr : nic->GetTpt().Find(packet.remoteHandle);
    return region == nullptr ? CapturedPacket::NO_REGION : packet.remoteAddress - region->base;
}

void
PacketCapture::Close(const CapturedPacket& packet)
{
    m_seen.push({packet, m_count++});
}

void
PacketCapture::TellUntil(Ps until)
{
    // no earlier packet can follow: a last bit never lies in the past
    while (!m_seen.empty() && m_seen.top().packet.lastBit < until)
    {
        const CapturedPacket seen = m_seen.top().packet;
        m_seen.pop();
        Tell(seen);
        m_world.packets.Release(seen.packet);
    }
}

void
PacketCapture::Tell(CapturedPacket seen)
{
    if (m_listeners.empty() || seen.lastBit > m_world.agenda.Limit())
    {
        return;
    }
    if (seen.packet->origin != nullptr)
    {
        seen.packet->origin->Provide(*seen.packet, seen.packet->length);
    }
    // all credits until then are known now
    WireTap& tap = *m_taps[seen.port];
    if (seen.received)
    {
        seen.creditsReturned = tap.ReleasedBy(seen.lastBit);
    }
    else
    {
        seen.cellsOut = static_cast<std::uint32_t>(seen.cellsSent - tap.CreditsBy(seen.lastBit));
    }
    for (PacketListener* listener : m_listeners)
    {
        listener->OnPacket(seen);
    }
}

void
PacketCapture::Finish()
{
    for (Open& port : m_open)
    {
        for (auto& direction : port.packets)
        {
            std::for_each(direction.begin(), direction.end(), [this](const auto& part) {
                Close(part);
            });
            direction.clear();
        }
    }
    TellUntil(PS_NEVER);
    m_listeners.clear();
}

} // namespace via
} // namespace ns3
