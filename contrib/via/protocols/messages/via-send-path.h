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
 * One VI for each peer, both ways; buffers only for the ways that are used. Who waits for anyone
 * waits on a completion queue, who names a peer polls that peer's VI.
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
    void Foresee() const override;
    void Expect() const override;
    void Await(Rank from) override;

  private:
    /// Who has something to harvest for one that waits for @p from; null: nobody.
    Channel* Next(Rank from);

    /// The channel of @p rank, who is waited for.
    Channel& ChannelOf(Rank rank);

    /// A hint: @p channel, if it is one, and its VI will be used soon. Nothing of them is read.
    void Foresee(const Channel* channel) const;

    WorkloadProcess& m_process;
    CompletionQueue* m_cq; ///< null: it names whom it waits for
    ChannelTable m_channels;
    ViId m_firstVi; ///< of the first channel; the others' follow
    std::vector<Channel*> m_byVi;
    Channel* m_taken{nullptr};            ///< whose slot is to be posted again
    Rank m_awaited{NOBODY};               ///< who was waited for last
    Channel* m_awaits{nullptr};           ///< his channel
    const Channel* m_awaitsNext{nullptr}; ///< the one that was waited for after his the last time
};

} // namespace via
} // namespace ns3

#endif // VIA_SEND_PATH_H
