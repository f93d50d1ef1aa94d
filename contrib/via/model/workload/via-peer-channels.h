/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
// The channels of one process, by peer.

#ifndef VIA_PEER_CHANNELS_H
#define VIA_PEER_CHANNELS_H

#include "ns3/abort.h"
#include "ns3/via-message-path.h"

#include <algorithm>
#include <iterator>
#include <utility>
#include <vector>

namespace ns3
{
namespace via
{

/**
 * @brief A connected channel for each peer of a process, both ways.
 * @tparam C a channel: HasSendRoom(), HarvestSends(), Vi(), and C::Connect(C&, C&)
 */
template <class C>
class PeerChannels
{
  public:
    struct Peer
    {
        Rank rank;
        C channel;
    };

    /// @param make called with a ChannelShape for each peer; buffers only for ways that are used
    template <class MAKE>
    PeerChannels(const PathShape& shape, const MAKE& make)
    {
        std::vector<Rank> peers;
        std::set_union(shape.to.begin(),
                       shape.to.end(),
                       shape.from.begin(),
                       shape.from.end(),
                       std::back_inserter(peers));
        m_peers.reserve(peers.size());
        for (const Rank peer : peers)
        {
            const ChannelShape slots{shape.bytes,
                                     Has(shape.to, peer) ? shape.window : 0,
                                     Has(shape.from, peer) ? shape.window : 0};
            m_peers.push_back({peer, make(slots)});
        }
    }

    static bool Has(const std::vector<Rank>& ranks, Rank rank)
    {
        return std::binary_search(ranks.begin(), ranks.end(), rank);
    }

    /// @p rank is a peer.
    Peer& Find(Rank rank)
    {
        const auto found =
            std::lower_bound(m_peers.begin(),
                             m_peers.end(),
                             rank,
                             [](const Peer& peer, Rank wanted) { return peer.rank < wanted; });
        NS_ABORT_MSG_IF(found == m_peers.end() || found->rank != rank,
                        "a protocol has no connection to process " << rank);
        return *found;
    }

    /// By rank.
    std::vector<Peer>& All()
    {
        return m_peers;
    }

    /// Something was sent on @p channel.
    void NoteSend(C& channel)
    {
        m_sent.push_back(&channel);
    }

    /// A hint: HarvestEarlier() will be called soon.
    void ExpectHarvest() const
    {
        for (const C* channel : m_earlier)
        {
            channel->Expect();
        }
    }

    /// Harvests what was sent before the last call: by now that has finished.
    void HarvestEarlier()
    {
        for (C* channel : m_earlier)
        {
            channel->HarvestSends();
        }
        m_earlier.clear();
        m_earlier.swap(m_sent);
    }

    /// Connects each process of @p ends with its peers; @p ends are by rank.
    static void ConnectAll(const std::vector<PeerChannels*>& ends)
    {
        for (Rank rank = 0; rank < ends.size(); ++rank)
        {
            for (Peer& peer : ends[rank]->m_peers)
            {
                if (peer.rank > rank)
                {
                    C::Connect(peer.channel, ends[peer.rank]->Find(rank).channel);
                }
            }
        }
    }

  private:
    std::vector<Peer> m_peers;
    std::vector<C*> m_sent;
    std::vector<C*> m_earlier;
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
        auto path = std::make_unique<P>(*request.processes[rank], request.shapes[rank]);
        ends.push_back(&path->Channels());
        paths.push_back(std::move(path));
    }
    P::ChannelTable::ConnectAll(ends);
    return paths;
}

} // namespace via
} // namespace ns3

#endif // VIA_PEER_CHANNELS_H
