/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
// The transport of sends and receives: a VI for each peer.

#ifndef VIA_SEND_PATH_H
#define VIA_SEND_PATH_H

#include "ns3/via-peer-channels.h"

namespace ns3
{
namespace via
{

/**
 * @brief Messages as sends into receive descriptors that the peer has posted.
 *
 * One VI for each peer, in both directions; buffers only for the directions that are used. A
 * process that waits for any peer waits on a completion queue; one that names a peer polls that
 * peer's VI.
 */
class alignas(64) SendPath final : public MessagePath
{
  public:
    using ChannelTable = PeerChannels<Channel>;

    SendPath(WorkloadProcess& process, const PathShape& shape);

    ChannelTable& Channels()
    {
        return m_channels;
    }

    bool HasRoom(Rank to) override;
    void AwaitRoom(Rank to) override;
    void Send(Rank to, const void* data, std::uint32_t length, std::uint32_t size) override;
    bool Take(Rank from, ArrivedMessage& message) override;
    void Release() override;
    void Prefetch(Hint hint) const override;
    void Await(Rank from) override;

  private:
    /// The channel with a completion to harvest when waiting for @p from; null: none.
    Channel* Next(Rank from);

    /// The channel of the awaited peer @p rank.
    Channel& ChannelOf(Rank rank);

    /// @p channel, unless null, will be used soon.
    void Prefetch(Hint hint, const Channel* channel) const;

    WorkloadProcess& m_process;
    CompletionQueue* m_cq; ///< null: the process names the peer it waits for
    ChannelTable m_channels;
    ViId m_firstVi; ///< VI of the first channel; the others follow
    std::vector<Channel*> m_byVi;
    Channel* m_taken{nullptr};  ///< channel whose slot must be posted again
    Rank m_awaited{NOBODY};     ///< the last awaited peer
    Channel* m_awaits{nullptr}; ///< channel of m_awaited
};

} // namespace via
} // namespace ns3

#endif // VIA_SEND_PATH_H
