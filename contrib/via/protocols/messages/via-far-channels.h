/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
// The channels of processes in other partitions, as far as the local end of a connection needs
// them.

#ifndef VIA_FAR_CHANNELS_H
#define VIA_FAR_CHANNELS_H

#include "ns3/abort.h"
#include "ns3/via-connection-number.h"
#include "ns3/via-message-path.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

namespace ns3
{
namespace via
{

/**
 * @brief Computes the channel ends of a process in another partition, without making them.
 *
 * Numbers of VIs and connections follow from the order of its peers; its partition sends
 * only the location of its memory.
 */
class FarChannels
{
  public:
    /// What its partition sends.
    struct Memory
    {
        std::uint64_t base{0};  ///< address of its first channel
        MemoryHandle handle{0}; ///< of the region that contains all of them
    };

    /// @param bytesFor bytes of a channel of a shape, as in PeerChannels
    FarChannels(Rank rank,
                const PathShape& shape,
                const Memory& memory,
                std::size_t (*bytesFor)(const ChannelShape&))
        : m_rank(rank),
          m_peers(PeersOf(shape)),
          m_memory(memory)
    {
        std::uint64_t offset = 0;
        m_offsets.reserve(m_peers.size());
        for (const Rank peer : m_peers)
        {
            m_offsets.push_back(offset);
            offset += bytesFor(SlotsFor(shape, peer));
        }
    }

    /// Its end of the channel with @p peer. `connection` is valid if its rank is the lower one.
    ChannelEnd EndFor(Rank peer) const
    {
        const auto at = std::lower_bound(m_peers.begin(), m_peers.end(), peer);
        const auto above = std::upper_bound(m_peers.begin(), m_peers.end(), m_rank);
        NS_ABORT_MSG_IF(at == m_peers.end() || *at != peer, "a channel with only one end");
        const auto index = static_cast<std::uint32_t>(at - m_peers.begin());
        const auto count = static_cast<std::uint32_t>(at - above + 1);
        return {m_rank,
                index,
                ConnectionNumber(m_rank, 0, count),
                m_memory.base + m_offsets[index],
                m_memory.handle};
    }

  private:
    Rank m_rank;
    std::vector<Rank> m_peers;
    Memory m_memory;
    std::vector<std::uint64_t> m_offsets; ///< of its channels, in its memory
};

/// By rank; null for processes of this partition.
using FarTables = std::vector<std::unique_ptr<FarChannels>>;

/**
 * @brief Exchanges the locations of channels with the other partitions.
 * @tparam T a PeerChannels
 * @param ends by rank, null for processes of other partitions
 */
template <class T>
FarTables
FarTablesOf(const PathRequest& request, const std::vector<T*>& ends)
{
    FarTables tables(ends.size());
    if (request.ranks == nullptr)
    {
        return tables;
    }
    std::vector<std::uint64_t> numbers;
    for (const T* end : ends)
    {
        const ChannelBlock block = end == nullptr ? ChannelBlock() : end->Block();
        numbers.push_back(reinterpret_cast<std::uint64_t>(block.base));
        numbers.push_back(block.handle);
    }
    numbers = request.ranks->Exchange(numbers);
    for (Rank rank = 0; rank < ends.size(); ++rank)
    {
        if (ends[rank] == nullptr)
        {
            const FarChannels::Memory memory{numbers[2 * rank],
                                             static_cast<MemoryHandle>(numbers[2 * rank + 1])};
            tables[rank] = std::make_unique<FarChannels>(rank,
                                                         request.shapes[rank],
                                                         memory,
                                                         &T::Entry::BytesFor);
        }
    }
    return tables;
}

} // namespace via
} // namespace ns3

#endif // VIA_FAR_CHANNELS_H
