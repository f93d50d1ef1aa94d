/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
// The packets at the ports of all NICs of a cluster, each with its times.

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

/// So many packets are kept before those whose time has come are told of.
constexpr std::size_t KEPT = 4096;

void
Add(CapturedPacket& seen, const Passage& passage, const Burst& burst)
{
    seen.firstCell = std::min(seen.firstCell, burst.firstCell);
    seen.cells += burst.CellCount();
    seen.firstByte = std::min(seen.firstByte, passage.firstByte);
    seen.endByte = std::max(seen.endByte, passage.endByte);
    seen.firstBit = std::min(seen.firstBit, passage.firstBit);
    seen.lastBit = std::max(seen.lastBit, passage.lastBit);
    seen.cellsOut = passage.cellsOut;
    seen.creditsReturned = passage.creditsReturned;
    if (passage.received)
    {
        seen.lost += static_cast<std::uint32_t>(__builtin_popcountll(burst.lost));
        seen.vanished += burst.vanished;
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
    m_listeners.clear(); // whoever wanted to be told has called Finish
    Finish();
}

void
PacketCapture::AddListener(PacketListener* listener)
{
    m_listeners.push_back(listener);
}

WireTap&
PacketCapture::AddPort(Link& out, Link& in, AgendaTarget& nic)
{
    const auto number = static_cast<std::uint32_t>(m_taps.size());
    m_open.emplace_back();
    return m_taps.emplace_back(number, out, in, nic, *this);
}

void
PacketCapture::OnPassage(const Passage& passage, const Burst& burst)
{
    if (m_seen.size() >= KEPT)
    {
        TellUntil(m_world.agenda.Now());
    }
    if (burst.resent)
    {
        CapturedPacket alone = Begin(passage, burst);
        Add(alone, passage, burst);
        Close(alone);
        return;
    }
    // bursts of several senders may mix on their way; those of one packet are whole together
    auto& open = m_open[passage.port].packets[passage.received ? 1 : 0];
    auto mine = std::find_if(open.begin(), open.end(), [&burst](const auto& one) {
        return one.packet == burst.packet;
    });
    if (mine == open.end())
    {
        mine = open.insert(open.end(), Begin(passage, burst));
    }
    Add(*mine, passage, burst);
    if (mine->IsWhole())
    {
        const CapturedPacket whole = *mine;
        open.erase(mine);
        Close(whole);
    }
}

CapturedPacket
PacketCapture::Begin(const Passage& passage, const Burst& burst) const
{
    CapturedPacket seen;
    seen.packet = burst.packet;
    PacketPool::Hold(burst.packet);
    seen.port = passage.port;
    seen.received = passage.received;
    // what has no place in a channel goes the same way, but for the first time
    seen.resent = burst.resent && burst.packet->reliable;
    seen.firstCell = burst.firstCell;
    seen.firstByte = passage.firstByte;
    seen.attempt = burst.attempt;
    seen.remoteOffset = RemoteOffset(*burst.packet);
    seen.firstBit = passage.firstBit;
    return seen;
}

std::uint64_t
PacketCapture::RemoteOffset(const Packet& packet) const
{
    const bool response = packet.kind == PacketKind::RDMA_READ_RESPONSE;
    if (!response && packet.kind != PacketKind::RDMA_WRITE &&
        packet.kind != PacketKind::RDMA_READ_REQUEST)
    {
        return CapturedPacket::NO_REGION;
    }
    Nic& owner = m_nics(response ? packet.source : packet.destination);
    const Region* region = owner.GetTpt().Find(packet.remoteHandle);
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
    // nothing that has to be told of first comes later: a last bit never lies in the past
    while (!m_seen.empty() && m_seen.top().packet.lastBit < until)
    {
        const CapturedPacket seen = m_seen.top().packet;
        m_seen.pop();
        Tell(seen);
        m_world.packets.Release(seen.packet);
    }
}

void
PacketCapture::Tell(const CapturedPacket& seen)
{
    if (m_listeners.empty() || seen.lastBit > m_world.agenda.Limit())
    {
        return;
    }
    if (seen.packet->origin != nullptr)
    {
        seen.packet->origin->Settle(std::min(seen.lastBit, m_world.agenda.Now()));
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
