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
 * @brief A connected channel for each peer of a process, in both directions.
 * @tparam C a channel: HasSendRoom(), HarvestSends(), Vi(), ConnectTo(), C::Connect(C&, C&),
 * C::ACCESS
 *
 * All of them are in one registered block.
 */
template <class C>
class PeerChannels
{
  public:
    using Entry = C;

    /// @param make called with a ChannelShape and its ChannelBlock for each peer; buffers only for
    /// directions that are used
    template <class MAKE>
    PeerChannels(WorkloadProcess& process, const PathShape& shape, const MAKE& make)
        : m_peers(NumbersOf(PeersOf(shape))),
          m_memory(BytesFor(shape, m_peers))
    {
        if (m_peers.empty())
        {
            return;
        }
        const std::size_t bytes = BytesFor(shape, m_peers);
        m_block = ChannelBlock::Register(process, m_memory.Base(), bytes, C::ACCESS);
        m_channels.reserve(m_peers.size());
        std::size_t offset = 0;
        for (const Peer& peer : m_peers)
        {
            const ChannelShape slots = SlotsFor(shape, peer.rank);
            m_channels.push_back(make(slots, m_block.From(offset)));
            offset += C::BytesFor(slots);
        }
    }

    /// The channel to and from the peer @p rank.
    C& Find(Rank rank)
    {
        // a search reads several cache lines
        for (const Place& likely : {m_found, m_nextToSend, m_nextAwaited})
        {
            if (likely.rank == rank)
            {
                m_found = likely;
                return m_channels[likely.index];
            }
        }
        m_found = {rank, Search(rank)};
        return m_channels[m_found.index];
    }

    /// The peer at the other end of @p channel, one of these.
    Rank PeerOf(const C& channel) const
    {
        return m_peers[IndexOf(channel)].rank;
    }

    /// By rank.
    std::vector<C>& All()
    {
        return m_channels;
    }

    /// Prefetch hint: something will be sent or awaited on @p channel soon.
    void PrefetchPeer(const C& channel) const
    {
        PrefetchLine(&m_peers[IndexOf(channel)]);
    }

    /// Something was sent on @p channel.
    void NoteSend(C& channel)
    {
        m_sent[m_turn].Push(&channel);
        const std::uint32_t index = IndexOf(channel);
        m_peers[m_last].follower = index;
        m_last = index;
        m_nextToSend = PlaceOf(m_peers[index].follower);
    }

    /// The process now waits for @p channel.
    void NoteAwaited(const C& channel)
    {
        const std::uint32_t index = IndexOf(channel);
        m_peers[m_lastAwaited].awaitedNext = index;
        m_lastAwaited = index;
        m_nextAwaited = PlaceOf(m_peers[index].awaitedNext);
    }

    /// Index of @p channel, in the order in which channels were made.
    std::uint32_t IndexOf(const C& channel) const
    {
        return static_cast<std::uint32_t>(&channel - m_channels.data());
    }

    /// Predicts the channel of the next send; null: nothing was sent yet. Protocols repeat
    /// themselves: the prediction is the channel that followed the last one the previous time.
    const C* NextToSend() const
    {
        return At(m_nextToSend);
    }

    /// As NextToSend, for the channel that is awaited next.
    const C* NextAwaited() const
    {
        return At(m_nextAwaited);
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

    /// Harvests the sends from before the last call: by now they have completed.
    void HarvestEarlier()
    {
        m_turn = 1 - m_turn;
        for (Lately& earlier = m_sent[m_turn]; !earlier.IsEmpty(); earlier.Pop())
        {
            earlier.Front()->HarvestSends();
        }
    }

    /// Reserves the VIs on @p nic for the channels of @p shape.
    static void ReserveOn(Nic& nic, const PathShape& shape)
    {
        const std::vector<Rank> peers = PeersOf(shape);
        const auto count = static_cast<std::uint32_t>(peers.size());
        std::uint32_t receives = 0;
        for (const Rank peer : peers)
        {
            receives += C::RoomFor(SlotsFor(shape, peer));
        }
        nic.Vis().Reserve(count, receives);
        nic.GetTransport().ReservePeers(count);
    }

    /// Connects each process of @p ends to its peers. @p ends is by rank, null for processes of
    /// other partitions, which are in @p far.
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

    /// The memory of the channels.
    const ChannelBlock& Block() const
    {
        return m_block;
    }

  private:
    using Lately = InlineRing<C*, 2>;

    /// Where a peer's channel is.
    struct Place
    {
        Rank rank{NOBODY};
        std::uint32_t index{0};
    };

    struct Peer
    {
        Rank rank;
        std::uint32_t follower;    ///< index of the channel of the send after this one's
        std::uint32_t awaitedNext; ///< index of the channel that was waited for after this one's
    };

    std::uint32_t Search(Rank rank) const
    {
        const auto found =
            std::lower_bound(m_peers.begin(),
                             m_peers.end(),
                             rank,
                             [](const Peer& peer, Rank wanted) { return peer.rank < wanted; });
        NS_ABORT_MSG_IF(found == m_peers.end() || found->rank != rank,
                        "a protocol has no connection to process " << rank);
        return static_cast<std::uint32_t>(found - m_peers.begin());
    }

    Place PlaceOf(std::uint32_t index) const
    {
        return {m_peers[index].rank, index};
    }

    const C* At(const Place& place) const
    {
        return place.rank == NOBODY ? nullptr : &m_channels[place.index];
    }

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
            NS_ABORT_MSG_IF(channel.Vi().id != IndexOf(channel),
                            "other partitions depend on its number");
            if (ends[peer] != nullptr)
            {
                if (peer > rank)
                {
                    C::Connect(channel, ends[peer]->Find(rank));
                }
                continue;
            }
            Nic& nic = channel.Library().GetNic();
            ChannelEnd end = far[peer]->EndFor(rank);
            end.connection = peer > rank ? nic.GetViConnections().NewConnection() : end.connection;
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

    std::vector<Peer> m_peers;      ///< apart from the channels: a search touches few cache lines
    ChannelMemory m_memory;         ///< of all channels
    ChannelBlock m_block;           ///< the same, registered; null without channels
    std::vector<C> m_channels;      ///< by peer
    std::array<Lately, 2> m_sent;   ///< since the last harvest, and before
    std::uint32_t m_turn{0};        ///< index in m_sent of the sends since the last harvest
    std::uint32_t m_last{0};        ///< index of the channel of the last send
    std::uint32_t m_lastAwaited{0}; ///< index of the channel that was waited for last
    Place m_found;                  ///< what Find has found
    Place m_nextToSend;             ///< predicted; nobody: nothing was sent yet
    Place m_nextAwaited;            ///< predicted; nobody: nothing was awaited yet
};

/**
 * @brief Makes and connects the path of each process.
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
        P::ChannelTable::ReserveOn(request.processes[rank]->Library().GetNic(), shape);
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
