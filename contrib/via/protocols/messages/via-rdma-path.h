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
class RdmaChannel : public ConnectedVi
{
  public:
    /// What peers may do to the memory of such channels.
    static constexpr ChannelAccess ACCESS = ChannelAccess::RDMA_WRITES;

    /// What is written behind the data of each message: its length and serial.
    static constexpr std::uint32_t FLAG_BYTES = 2 * sizeof(std::uint32_t);

    /// @param block at least BytesFor(@p shape) bytes
    RdmaChannel(WorkloadProcess& process, const ChannelShape& shape, const ChannelBlock& block);

    /// Bytes of its ring and send slots, a multiple of a descriptor's alignment.
    static std::size_t BytesFor(const ChannelShape& shape);

    /// Descriptors that its receive queue has room for from the start.
    static std::uint32_t RoomFor(const ChannelShape&)
    {
        return 0;
    }

    /// Connects the two ends; each learns where the other's ring is.
    static void Connect(RdmaChannel& a, RdmaChannel& b)
    {
        ConnectBoth(a, b);
    }

    /// Connects its VI to the peer's, and learns where the peer's ring is.
    void ConnectTo(const ChannelEnd& peer);

    /// Writes @p size bytes, of which the first @p length are @p data, and then the flag.
    void Send(const void* data, std::uint32_t length, std::uint32_t size);

    /// True when the next message of the peer is there.
    bool HasMessage() const;

    /// The next message of the peer, which is there. Its slot is free at the next call.
    const std::uint8_t* Take(std::uint32_t& length);

  private:
    friend class ConnectedVi;

    struct Trailer
    {
        std::uint32_t length;
        std::uint32_t serial;
    };

    static_assert(sizeof(Trailer) == FLAG_BYTES);

    /// Where a ring is, as its writer knows it.
    struct RemoteRing
    {
        std::uint64_t base{0};
        MemoryHandle handle{0};
    };

    Trailer* TrailerAt(std::uint64_t serial) const;
    std::uint32_t m_slotBytes; ///< of the ring, with which the block begins
    std::uint32_t m_sendBytes; ///< of a send slot behind it: descriptor and data
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
