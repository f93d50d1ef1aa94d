/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
// Restores order between two NICs where packets may overtake each other, by sequence numbers.

#include "via-pair-order.h"

#include <algorithm>

namespace ns3
{
namespace via
{

PairOrder::PairOrder(Component& owner, AgendaTarget& nic)
    : m_owner(owner),
      m_nic(nic)
{
}

void
PairOrder::Plug(OutPort* out, InPort* in)
{
    m_out = out;
    m_in = in;
}

void
PairOrder::Transmit(Burst* burst, DepartureListener* listener)
{
    if (burst->firstCell == 0 && !burst->resent)
    {
        burst->packet->order = ++m_sent[burst->packet->destination];
    }
    m_out->Transmit(burst, listener);
}

std::uint32_t
PairOrder::CellsFor(std::uint32_t bytes) const
{
    return m_out->CellsFor(bytes);
}

void
PairOrder::OnAgenda(std::uint32_t kind, std::uint64_t data)
{
    Burst& burst = *reinterpret_cast<Burst*>(data);
    if (burst.packet->order == 0 || burst.resent)
    {
        m_nic.OnAgenda(kind, data);
        return;
    }
    Source& from = m_sources[burst.packet->source];
    if (burst.packet->order > from.expected)
    {
        Hold(from, burst);
        return;
    }
    Pass(from, burst, kind);
    Release(from, kind);
}

void
PairOrder::Prefetch(std::uint32_t kind, std::uint64_t data)
{
    m_nic.Prefetch(kind, data);
}

void
PairOrder::Hold(Source& from, Burst& burst)
{
    const auto later = [](const Burst* one, const Burst* other) {
        return one->packet->order < other->packet->order;
    };
    from.held.insert(std::upper_bound(from.held.begin(), from.held.end(), &burst, later), &burst);
    m_packetsHeld += burst.firstCell == 0 ? 1 : 0;
    GiveRoomBack(burst);
}

void
PairOrder::GiveRoomBack(Burst& burst)
{
    burst.roomGiven = true;
    std::uint32_t absent = burst.vanished;
    for (std::uint32_t i = 0; i < burst.groupCount; ++i)
    {
        const Burst::Group& group = burst.groups[i];
        const std::uint32_t cells = group.cells - std::min(absent, group.cells);
        absent -= group.cells - cells;
        if (cells > 0)
        {
            m_in->ReturnCredits(cells, std::max(group.last.at, m_owner.Now()), 0);
        }
    }
}

void
PairOrder::Release(Source& from, std::uint32_t kind)
{
    while (!from.held.empty() && from.held.front()->packet->order == from.expected)
    {
        Burst& burst = *from.held.front();
        from.held.pop_front();
        const Ps now = m_owner.Now();
        const auto wait = [this, now](Moment& moment) {
            moment = m_owner.Wait(moment, Stage::RESEQUENCE, Engine::LINK, now);
        };
        wait(burst.headCell);
        for (std::uint32_t i = 0; i < burst.groupCount; ++i)
        {
            wait(burst.groups[i].first);
            wait(burst.groups[i].last);
        }
        Pass(from, burst, kind);
    }
}

void
PairOrder::Pass(Source& from, Burst& burst, std::uint32_t kind)
{
    from.expected += burst.ends ? 1 : 0; // before the NIC may free the burst
    m_nic.OnAgenda(kind, reinterpret_cast<std::uint64_t>(&burst));
}

std::size_t
PairOrder::BurstsWaiting() const
{
    std::size_t count = 0;
    for (const auto& source : m_sources)
    {
        count += source.second.held.size();
    }
    return count;
}

} // namespace via
} // namespace ns3
