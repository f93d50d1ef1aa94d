/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
// Byte movements at stated simulated instants.

#include "via-host-memory.h"

#include "ns3/via-component.h"
#include "ns3/via-payload-sum.h"
#include "ns3/via-process.h"
#include "ns3/via-scramble.h"

#include <cstring>

namespace ns3
{
namespace via
{

namespace
{

/// A number for the message that @p packet carries, the same in every run.
std::uint64_t
WhichMessage(const Packet& packet)
{
    const std::uint64_t vi = Scramble(std::uint64_t{packet.source} << 32 | packet.sourceVi);
    return Scramble(vi ^ packet.item) ^ packet.length;
}

} // namespace

HostMemory::HostMemory(World& world)
    : m_world(world)
{
}

void
HostMemory::ReadAt(Ps at,
                   Packet& packet,
                   std::uint32_t offset,
                   const void* from,
                   std::uint32_t bytes,
                   Rank owner)
{
    Plan({at, packet.bytes.data() + offset, {from}, &packet, bytes, owner, Kind::READ});
}

void
HostMemory::WriteAt(Ps at,
                    void* to,
                    Packet& packet,
                    std::uint32_t offset,
                    std::uint32_t bytes,
                    Rank owner)
{
    Plan({at, to, {packet.bytes.data() + offset}, &packet, bytes, owner, Kind::WRITE});
    Tell(at, owner);
}

void
HostMemory::DeliverAt(Ps at, Packet& packet, Rank owner)
{
    if (m_world.payloadDigest)
    {
        Plan({at, nullptr, {nullptr}, &packet, 0, owner, Kind::DELIVER});
    }
}

void
HostMemory::StoreAt(Ps at, void* to, std::uint64_t value, Rank owner)
{
    Move move{at, to, {nullptr}, nullptr, sizeof(value), owner, Kind::STORE};
    move.value = value;
    Plan(move);
}

void
HostMemory::StoreAt4(Ps at, void* to, std::uint32_t value, Rank owner)
{
    Move move{at, to, {nullptr}, nullptr, sizeof(value), owner, Kind::STORE};
    move.value = value; // little endian, like the layout
    Plan(move);
}

void
HostMemory::CountAt(Ps at, void* to, std::uint32_t value, Rank owner)
{
    Move move{at, to, {nullptr}, nullptr, sizeof(value), owner, Kind::COUNT};
    move.value = value;
    Plan(move);
    Tell(at, owner);
}

void
HostMemory::Plan(const Move& move)
{
    if (move.packet != nullptr)
    {
        PacketPool::Hold(move.packet);
    }
    std::uint32_t place = m_moves.Size();
    while (place > 0 && m_moves.At(place - 1).at > move.at)
    {
        --place;
    }
    m_moves.Insert(place, move);
}

void
HostMemory::Tell(Ps at, Rank owner)
{
    if (m_watcher != nullptr && m_watched == owner)
    {
        m_watcher->OnReady({at, 0});
    }
}

Ps
HostMemory::LastUse(const void* from, std::uint64_t bytes) const
{
    const auto start = reinterpret_cast<std::uint64_t>(from);
    const auto meets = [start, bytes](const void* address, std::uint32_t length) {
        const auto at = reinterpret_cast<std::uint64_t>(address);
        return at < start + bytes && start < at + length;
    };
    for (std::uint32_t i = m_moves.Size(); i > 0; --i)
    {
        const Move& move = m_moves.At(i - 1);
        const bool reads = move.kind == Kind::READ && meets(move.from, move.bytes);
        const bool writes = move.kind != Kind::READ && meets(move.to, move.bytes);
        if (reads || writes)
        {
            return move.at;
        }
    }
    return 0;
}

Ps
HostMemory::NextWrite(Rank owner) const
{
    for (std::uint32_t i = 0; i < m_moves.Size(); ++i)
    {
        const Move& move = m_moves.At(i);
        const bool isWatched = move.kind == Kind::WRITE || move.kind == Kind::COUNT;
        if (isWatched && move.owner == owner)
        {
            return move.at;
        }
    }
    return PS_NEVER;
}

void
HostMemory::Happen(Ps until)
{
    while (!m_moves.IsEmpty() && m_moves.Front().at <= until)
    {
        const Move move = m_moves.Front(); // a copy: settling its origin may recurse to here
        m_moves.Pop();
        Do(move);
        if (move.packet != nullptr)
        {
            m_world.packets.Release(move.packet);
        }
    }
}

void
HostMemory::HappenFor(const Packet& packet, std::uint32_t upTo)
{
    const std::uint8_t* const end = packet.bytes.data() + upTo;
    for (std::uint32_t i = m_moves.Size(); i > 0; --i)
    {
        const Move& move = m_moves.At(i - 1);
        if (move.packet == &packet && move.kind == Kind::READ && move.to < end)
        {
            Happen(move.at);
            return;
        }
    }
}

void
HostMemory::Do(const Move& move)
{
    switch (move.kind)
    {
    case Kind::READ:
        std::memcpy(move.to, move.from, move.bytes);
        break;
    case Kind::WRITE: {
        const auto* from = static_cast<const std::uint8_t*>(move.from);
        const auto offset = static_cast<std::uint32_t>(from - move.packet->bytes.data());
        if (move.packet->origin != nullptr)
        {
            move.packet->origin->Provide(*move.packet, offset + move.bytes);
        }
        std::memcpy(move.to, move.from, move.bytes);
        if (m_world.payloadDigest)
        {
            move.packet->payload += PayloadSum(move.to, move.bytes, offset);
        }
        break;
    }
    case Kind::DELIVER:
        if (move.at <= m_world.agenda.Limit()) // a program's clock may be beyond it
        {
            m_payload.Mix(move.packet->payload, WhichMessage(*move.packet));
        }
        break;
    case Kind::STORE:
    case Kind::COUNT:
        std::memcpy(move.to, &move.value, move.bytes);
        break;
    }
}

void
HostMemory::Leave(Rank owner)
{
    for (std::uint32_t left = m_moves.Size(); left > 0; --left)
    {
        const Move move = m_moves.Front();
        m_moves.Pop();
        if (move.owner != owner)
        {
            m_moves.Push(move); // one full rotation keeps the order
            continue;
        }
        if (move.kind == Kind::READ)
        {
            Do(move);
        }
        if (move.packet != nullptr)
        {
            m_world.packets.Release(move.packet);
        }
    }
}

} // namespace via
} // namespace ns3
