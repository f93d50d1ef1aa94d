/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
// Bytes that move at a stated simulated instant.

#include "via-host-memory.h"

#include "ns3/via-process.h"

#include <cstring>

namespace ns3
{
namespace via
{

void
HostMemory::ReadAt(Ps at, void* to, const void* from, std::uint32_t bytes, Rank owner)
{
    Insert({at, to, {from}, nullptr, bytes, owner, Kind::READ});
}

void
HostMemory::WriteAt(Ps at,
                    void* to,
                    const void* from,
                    std::uint32_t bytes,
                    PayloadSource* source,
                    Rank owner)
{
    Insert({at, to, {from}, source, bytes, owner, Kind::WRITE});
    if (m_watcher != nullptr && m_watched == owner)
    {
        m_watcher->OnReady({at, 0});
    }
}

void
HostMemory::StoreAt(Ps at, void* to, std::uint64_t value, Rank owner)
{
    Store(at, to, value, sizeof(value), owner);
}

void
HostMemory::StoreAt4(Ps at, void* to, std::uint32_t value, Rank owner)
{
    Store(at, to, value, sizeof(value), owner); // little endian, as the layout
}

void
HostMemory::FreeAt(Ps at, Packet* packet, PacketPool& pool)
{
    Insert({at, &pool, {packet}, packet->origin, 0, 0, Kind::FREE});
}

void
HostMemory::Store(Ps at, void* to, std::uint64_t value, std::uint32_t bytes, Rank owner)
{
    Move move{at, to, {nullptr}, nullptr, bytes, owner, Kind::STORE};
    move.value = value;
    Insert(move);
}

void
HostMemory::Insert(const Move& move)
{
    std::uint32_t place = m_moves.Size();
    while (place > 0 && m_moves.At(place - 1).at > move.at)
    {
        --place;
    }
    m_moves.Insert(place, move);
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
        const bool writes = move.kind == Kind::WRITE || move.kind == Kind::STORE;
        if (reads || (writes && meets(move.to, move.bytes)))
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
        if (move.kind == Kind::WRITE && move.owner == owner)
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
        const Move move = m_moves.Front(); // a copy: settling the source may lead back here
        m_moves.Pop();
        if (move.source != nullptr)
        {
            move.source->Settle(move.at); // a packet that is freed may have bytes to come, too
        }
        switch (move.kind)
        {
        case Kind::READ:
        case Kind::WRITE:
            std::memcpy(move.to, move.from, move.bytes);
            break;
        case Kind::STORE:
            std::memcpy(move.to, &move.value, move.bytes);
            break;
        case Kind::FREE:
            static_cast<PacketPool*>(move.to)->Release(
                const_cast<Packet*>(static_cast<const Packet*>(move.from)));
            break;
        }
    }
}

void
HostMemory::Forget(const void* to, std::size_t bytes)
{
    const auto* begin = static_cast<const std::uint8_t*>(to);
    for (std::uint32_t left = m_moves.Size(); left > 0; --left)
    {
        const Move move = m_moves.Front();
        m_moves.Pop();
        const auto* target = static_cast<const std::uint8_t*>(move.to);
        if (move.kind != Kind::READ || target < begin || target >= begin + bytes)
        {
            m_moves.Push(move); // round once: the order stays
        }
    }
}

void
HostMemory::Leave(Rank owner)
{
    for (std::uint32_t left = m_moves.Size(); left > 0; --left)
    {
        const Move move = m_moves.Front();
        m_moves.Pop();
        if (move.kind == Kind::FREE || move.owner != owner)
        {
            m_moves.Push(move); // round once: the order stays
        }
        else if (move.kind == Kind::READ)
        {
            std::memcpy(move.to, move.from, move.bytes);
        }
    }
}

} // namespace via
} // namespace ns3
