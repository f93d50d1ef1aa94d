/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
// The channels of one process, by peer.

#ifndef VIA_PEER_CHANNELS_H
#define VIA_PEER_CHANNELS_H

#include "ns3/abort.h"
#include "ns3/via-far-channels.h"
#include "ns3/via-ring.h"
#include "ns3/via-run-control.h"

#include <algorithm>
#include <array>
#include <utility>
#include <vector>

namespace ns3
{
namespace via
{

/**
 * @brief A connected channel for each peer of a process, both ways.
 * @tparam C a channel: HasSendRoom(), HarvestSends(), Vi(), ConnectTo(), C::Connect(C&, C&)
 */
template <class C>
class PeerChannels
{
  public:
    using Entry = C;

    /// @param make called with a ChannelShape and its memory for each peer; buffers only for ways
    /// that are used
    template <class MAKE>
    PeerChannels(const PathShape& shape, const MAKE& make)
        : m_peers(NumbersOf(PeersOf(shape))),
          m_memory(BytesFor(shape, m_peers))
    {
        m_channels.reserve(m_peers.size());
        std::uint8_t* room = m_memory.Base();
        for (const Peer& peer : m_peers)
        {
            const ChannelShape slots = SlotsFor(shape, peer.rank);
            m_channels.push_back(make(slots, room));
            room += C::BytesFor(slots);
        }
    }

    /// The channel to and from @p rank, which is a peer.
    C& Find(Rank rank)
    {
        const auto found =
            std::lower_bound(m_peers.begin(),
                             m_peers.end(),
                             rank,
                             [](const Peer& peer, Rank wanted) { return peer.rank < wanted; });
        NS_ABORT_MSG_IF(found == m_peers.end() || found->rank != rank,
                        "a protocol has no connection to process " << rank);
        return m_channels[static_cast<std::size_t>(found - m_peers.begin())];
    }

    /// At whose other end @p channel, one of these, is.
    Rank PeerOf(const C& channel) const
    {
        return m_peers[IndexOf(channel)].rank;
    }

    /// By rank.
    std::vector<C>& All()
    {
        return m_channels;
    }

    /// Something was sent on @p channel.
    void NoteSend(C& channel)
    {
        m_sent[m_turn].Push(&channel);
        const std::uint32_t index = IndexOf(channel);
        m_peers[m_last].follower = index;
        m_last = index;
        m_foreseen = &m_channels[m_peers[index].follower];
    }

    /// From now on @p channel is waited for. @return the one that was so after it the last time
    const C* NoteAwaited(const C& channel)
    {
        const std::uint32_t index = IndexOf(channel);
        m_peers[m_lastAwaited].awaitedNext = index;
        m_lastAwaited = index;
        return &m_channels[m_peers[index].awaitedNext];
    }

    /// Its place among those of the process, in the order in which they were made.
    std::uint32_t IndexOf(const C& channel) const
    {
        return static_cast<std::uint32_t>(&channel - m_channels.data());
    }

    /// On which channel the next message is expected to be sent; null: none was sent yet. Protocols
    /// repeat themselves: after the last channel comes the one that came after it the time before.
    const C* NextToSend() const
    {
        return m_foreseen;
    }

    /// Calls @p visit with each channel that HarvestEarlier() will look at.
    template <class VISIT>
    void ForEachEarlier(const VISIT& visit) const
    {
        const Lately& earlier = m_sent[1 - m_turn];
        for (std::uint32_t i = 0; i < earlier.Size(); ++i)
        {
            visit(*earlier.At(i));
        }
    }

    /// Harvests what was sent before the last call: by now that has finished.
    void HarvestEarlier()
    {
        m_turn = 1 - m_turn;
        for (Lately& earlier = m_sent[m_turn]; !earlier.IsEmpty(); earlier.Pop())
        {
            earlier.Front()->HarvestSends();
        }
    }

    /// The channels for @p shape will be made on @p nic next.
    static void ExpectOn(Nic& nic, const PathShape& shape)
    {
        const std::vector<Rank> peers = PeersOf(shape);
        const auto count = static_cast<std::uint32_t>(peers.size());
        std::uint32_t descriptors = 0;
        for (const Rank peer : peers)
        {
            descriptors += C::RoomFor(SlotsFor(shape, peer));
        }
        nic.ExpectVis(count, descriptors / std::max(count, 1U));
    }

    /// Connects each process of @p ends with its peers; @p ends are by rank, null for those on
    /// other ranks, which @p far has.
    static void ConnectAll(const std::vector<PeerChannels*>& ends, const FarTables& far)
    {
        for (Rank rank = 0; rank < ends.size(); ++rank)
        {
            if (ends[rank] != nullptr)
            {
                ends[rank]->Connect(rank, ends, far);
            }
        }
    }

    /// Where the channels are, and the handle of the first one: what other ranks need.
    std::uint64_t Base() const
    {
        return reinterpret_cast<std::uint64_t>(m_memory.Base());
    }

    MemoryHandle FirstHandle() const
    {
        return m_channels.empty() ? 0 : m_channels[0].Handle();
    }

  private:
    using Lately = Ring<C*, 2>;

    struct Peer
    {
        Rank rank;
        std::uint32_t follower;    ///< index of the channel that was sent on after this one's
        std::uint32_t awaitedNext; ///< index of the channel that was waited for after this one's
    };

    static std::vector<Peer> NumbersOf(const std::vector<Rank>& ranks)
    {
        std::vector<Peer> peers;
        peers.reserve(ranks.size());
        for (const Rank rank : ranks)
        {
            peers.push_back({rank, 0, 0});
        }
        return peers;
    }

    void Connect(Rank rank, const std::vector<PeerChannels*>& ends, const FarTables& far)
    {
        for (C& channel : m_channels)
        {
            const Rank peer = PeerOf(channel);
            NS_ABORT_MSG_IF(channel.Vi().id != IndexOf(channel), "other ranks count on its number");
            if (ends[peer] != nullptr)
            {
                if (peer > rank)
                {
                    C::Connect(channel, ends[peer]->Find(rank));
                }
                continue;
            }
            ConnectionManager& connections = channel.Library().GetNic().Connections();
            ChannelEnd end = far[peer]->EndFor(rank);
            end.connection = peer > rank ? connections.NewConnection() : end.connection;
            channel.ConnectTo(end);
        }
    }

    static std::size_t BytesFor(const PathShape& shape, const std::vector<Peer>& peers)
    {
        std::size_t bytes = 0;
        for (const Peer& peer : peers)
        {
            bytes += C::BytesFor(SlotsFor(shape, peer.rank));
        }
        return bytes;
    }

    std::vector<Peer> m_peers; ///< apart from the channels: to find one touches few lines of cache
    ChannelMemory m_memory;    ///< of all channels
    std::vector<C> m_channels; ///< by peer
    std::array<Lately, 2> m_sent;   ///< since the last harvest, and before
    std::uint32_t m_turn{0};        ///< which of them is the former
    std::uint32_t m_last{0};        ///< index of the channel that was sent on last
    std::uint32_t m_lastAwaited{0}; ///< index of the one that was waited for last
    const C* m_foreseen{nullptr};   ///< its follower; null: nothing was sent yet
};

/**
 * @brief Makes the path of each process, and connects them.
 * @tparam P a path with Channels()
 */
template <class P>
MessagePaths
ConnectPathsOf(const PathRequest& request)
{
    std::vector<typename P::ChannelTable*> ends;
    MessagePaths paths;
    for (std::size_t rank = 0; rank < request.processes.size(); ++rank)
    {
        RunControl::Check();
        if (request.processes[rank] == nullptr)
        {
            ends.push_back(nullptr);
            paths.push_back(nullptr);
            continue;
        }
        const PathShape& shape = request.shapes[rank];
        P::ChannelTable::ExpectOn(request.processes[rank]->Library().GetNic(), shape);
        auto path = std::make_unique<P>(*request.processes[rank], shape);
        ends.push_back(&path->Channels());
        paths.push_back(std::move(path));
    }
    P::ChannelTable::ConnectAll(ends, FarTablesOf<typename P::ChannelTable>(request, ends));
    return paths;
}

} // namespace via
} // namespace ns3

#endif // VIA_PEER_CHANNELS_H
