/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
// Bytes that move at a stated simulated instant.

#include "via-host-memory.h"

#include <algorithm>
#include <cstring>

namespace ns3
{
namespace via
{

void
HostMemory::ReadAt(Ps at, void* to, const void* from, std::uint32_t bytes)
{
    Insert({at, to, from, 0, bytes, nullptr, nullptr});
}

void
HostMemory::WriteAt(Ps at, void* to, const void* from, std::uint32_t bytes, PayloadSource* source)
{
    Insert({at, to, from, 0, bytes, source, nullptr});
}

void
HostMemory::StoreAt(Ps at, void* to, std::uint64_t value)
{
    Insert({at, to, nullptr, value, sizeof(value), nullptr, nullptr});
}

void
HostMemory::StoreAt4(Ps at, void* to, std::uint32_t value)
{
    Insert(
        {at, to, nullptr, value, sizeof(value), nullptr, nullptr}); // little endian, as the layout
}

void
HostMemory::FreeAt(Ps at, Packet* packet, PacketPool& pool)
{
    Insert({at, nullptr, packet, 0, 0, nullptr, &pool});
}

void
HostMemory::Insert(const Move& move)
{
    if (m_first == m_moves.size())
    {
        m_moves.clear();
        m_first = 0;
    }
    auto place = m_moves.end();
    while (place != m_moves.begin() + static_cast<std::ptrdiff_t>(m_first) &&
           (place - 1)->at > move.at)
    {
        --place;
    }
    m_moves.insert(place, move);
}

void
HostMemory::Happen(Ps until)
{
    while (m_first < m_moves.size() && m_moves[m_first].at <= until)
    {
        const Move move = m_moves[m_first++]; // a copy: settling the source may lead back here
        if (move.to == nullptr)
        {
            auto* packet = const_cast<Packet*>(static_cast<const Packet*>(move.from));
            move.pool->Free(packet);
        }
        else if (move.from == nullptr)
        {
            std::memcpy(move.to, &move.value, move.bytes);
        }
        else
        {
            if (move.source != nullptr)
            {
                move.source->Settle(move.at);
            }
            std::memcpy(move.to, move.from, move.bytes);
        }
    }
    if (m_first > 64 && 2 * m_first > m_moves.size())
    {
        m_moves.erase(m_moves.begin(), m_moves.begin() + static_cast<std::ptrdiff_t>(m_first));
        m_first = 0;
    }
}

} // namespace via
} // namespace ns3
