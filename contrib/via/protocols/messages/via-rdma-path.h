/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
// The transport of RDMA writes: rings in the receiver's memory, and flags that it polls.

#ifndef VIA_RDMA_PATH_H
#define VIA_RDMA_PATH_H

#include "ns3/via-peer-channels.h"

#include <memory>

namespace ns3
{
namespace via
{

/**
 * @brief A connected VI, a ring that the peer writes to, and buffers to write from.
 *
 *     slot of a ring:  | ... free ... | data | length | serial |
 *
 * The serial is the flag: bytes of a message arrive in order, so it is the last to change. It
 * counts from 1 and never repeats within a slot's lap, so nobody has to clear it. A sender may be
 * one window ahead; whoever asks for more than the shape allows overwrites what was not read, which
 * the reader sees.
 */
class RdmaChannel
{
  public:
    /// @param room at least BytesFor(@p shape) bytes, aligned as descriptors have to be
    RdmaChannel(WorkloadProcess& process, const ChannelShape& shape, std::uint8_t* room);

    /// Bytes of its ring and send slots, a multiple of a descriptor's alignment.
    static std::size_t BytesFor(const ChannelShape& shape);

    /// Descriptors that its queues have room for from the start.
    static std::uint32_t RoomFor(const ChannelShape&)
    {
        return 0;
    }

    /// Connects two ends, and tells each where the other's ring is.
    static void Connect(RdmaChannel& a, RdmaChannel& b);

    /// Our half of that.
    void ConnectTo(const ChannelEnd& peer);

    VirtualInterface& Vi() const
    {
        return *m_vi;
    }

    ViLibrary& Library() const
    {
        return m_library;
    }

    MemoryHandle Handle() const
    {
        return m_handle;
    }

    /// Can a message be written? Finished writes are harvested first if buffers are short.
    bool HasSendRoom();

    /// Writes @p size bytes, of which the first @p length are @p data, and then the flag.
    void Send(const void* data, std::uint32_t length, std::uint32_t size);

    /// Harvests the writes that are finished by now.
    void HarvestSends();

    /// True when the next message of the peer is there.
    bool HasMessage() const;

    /// The next message of the peer, which is there. Its slot is free at the next call.
    const std::uint8_t* Take(std::uint32_t& length);

  private:
    struct Trailer
    {
        std::uint32_t length;
        std::uint32_t serial;
    };

    /// Where a ring is, as its writer knows it.
    struct RemoteRing
    {
        std::uint64_t base{0};
        MemoryHandle handle{0};
    };

    Trailer* TrailerAt(std::uint64_t serial) const;
    ChannelEnd End(ConnectionId connection) const;

    ViLibrary& m_library;
    VirtualInterface* m_vi;
    ChannelShape m_shape;
    std::uint32_t m_slotBytes; ///< of the ring
    std::uint32_t m_sendBytes; ///< of a send slot: descriptor and data
    std::uint8_t* m_base;      ///< the ring, then the send slots
    MemoryHandle m_handle{0};
    RemoteRing m_remote;
    std::uint64_t m_sent{0};
    std::uint64_t m_received{0};
};

/**
 * @brief Messages as RDMA writes. No receive descriptor, no completion at the receiver.
 *
 * The receiver looks at the flag of one ring after the other, a basic block for each: who waits for
 * anyone of many peers pays for all of them. A sweep sees what was there when it began.
 */
class RdmaPath final : public MessagePath
{
  public:
    using ChannelTable = PeerChannels<RdmaChannel>;

    RdmaPath(WorkloadProcess& process, const PathShape& shape);

    ChannelTable& Channels()
    {
        return m_channels;
    }

    bool HasRoom(Rank to) override;
    void AwaitRoom(Rank to) override;
    void Send(Rank to, const void* data, std::uint32_t length, std::uint32_t size) override;
    bool Take(Rank from, ArrivedMessage& message) override;
    void Release() override;
    void Await(Rank from) override;

  private:
    bool TakeFrom(RdmaChannel& channel, std::uint64_t looks, ArrivedMessage& message);
    Cycles LookCost(std::uint64_t looks) const;

    WorkloadProcess& m_process;
    ChannelTable m_channels;
    std::vector<RdmaChannel*> m_rings; ///< from the peers that write to us
    std::size_t m_next{0};             ///< ring that the next sweep looks at first
};

} // namespace via
} // namespace ns3

#endif // VIA_RDMA_PATH_H
