/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
// A connected VI with buffers, as workloads use it.

#ifndef VIA_CHANNEL_H
#define VIA_CHANNEL_H

#include "ns3/via-prefetch.h"
#include "ns3/via-workload-process.h"

#include <cstddef>
#include <cstdint>
#include <memory>

namespace ns3
{
namespace via
{

/// The most slots of a channel in one direction.
constexpr std::uint32_t MOST_SLOTS = UINT16_MAX;

/// How much a channel holds.
struct ChannelShape
{
    std::uint32_t bytes{0};        ///< of a message at the most
    std::uint32_t sendSlots{0};    ///< messages sent but not yet harvested at the most
    std::uint32_t receiveSlots{0}; ///< messages that may arrive before a Repost
};

/// One end of a connected channel, as the other end needs to know it.
struct ChannelEnd
{
    NodeId node{0};
    ViId vi{0};
    ConnectionId connection{0};
    std::uint64_t memory{0}; ///< address of its memory, there
    MemoryHandle handle{0};  ///< of its memory
};

/// Memory for descriptors and data, aligned as descriptors have to be; all its bytes are 0.
class ChannelMemory
{
  public:
    /// @param bytes how many; with 0 there is none
    explicit ChannelMemory(std::size_t bytes);

    std::uint8_t* Base() const
    {
        return m_bytes.get();
    }

  private:
    struct Free
    {
        void operator()(std::uint8_t* bytes) const;
    };

    std::unique_ptr<std::uint8_t, Free> m_bytes;
};

/// What a peer may do to the memory of channels.
enum class ChannelAccess
{
    SENDS,       ///< nothing: its messages go into receive descriptors
    RDMA_WRITES, ///< it writes
};

/// Memory of channels, registered by the process whose channels they are.
struct ChannelBlock
{
    std::uint8_t* base{nullptr}; ///< aligned as descriptors have to be
    MemoryHandle handle{0};      ///< of a region that contains it
    ChannelAccess access{ChannelAccess::SENDS};

    /// Registers @p bytes bytes at @p base, at least 1, for @p process.
    static ChannelBlock Register(WorkloadProcess& process,
                                 std::uint8_t* base,
                                 std::size_t bytes,
                                 ChannelAccess access);

    /// The rest of it, from byte @p offset on.
    ChannelBlock From(std::size_t offset) const
    {
        return {base + offset, handle, access};
    }
};

/**
 * @brief A VI of a process, registered memory and a connection.
 *
 * What channels have in common, whether messages are sent or written by RDMA.
 */
class ConnectedVi
{
  public:
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

    /// Connects its VI to the peer's.
    void ConnectTo(const ChannelEnd& peer);

    /// Whether a message can be sent. Finished sends are harvested first if slots are short.
    bool HasSendRoom();

    /// Harvests the sends that are finished by now; to be called where nobody waits for it.
    void HarvestSends();

  protected:
    /// @param cq for its receives; null to poll the VI itself
    ConnectedVi(WorkloadProcess& process,
                const ChannelShape& shape,
                const ChannelBlock& block,
                CompletionQueue* cq);

    /// Connects two channels of one kind, as if VIPL had done it before time starts.
    template <class C>
    static void ConnectBoth(C& a, C& b)
    {
        const ConnectionId connection = a.m_library.GetNic().GetViConnections().NewConnection();
        a.ConnectTo(b.End(connection));
        b.ConnectTo(a.End(connection));
    }

    ChannelEnd End(ConnectionId connection) const;

    ViLibrary& m_library;
    VirtualInterface* m_vi;
    std::uint8_t* m_base; ///< of its memory
    MemoryHandle m_handle;
    std::uint16_t m_sendSlots;
    std::uint16_t m_receiveSlots;
};

/**
 * @brief A connected VI with buffers: what a 1999 programmer would have set up by hand.
 *
 * Descriptors and buffers lie in one block: first the receive slots, reposted after each harvest,
 * then the send slots, used round robin.
 */
class Channel : public ConnectedVi
{
  public:
    /// What peers may do to the memory of such channels.
    static constexpr ChannelAccess ACCESS = ChannelAccess::SENDS;

    /**
     * @brief A channel in memory that somebody else keeps for it.
     * @param block at least BytesFor(@p shape) bytes
     * @param cq for its receives; null to poll the VI itself
     */
    Channel(WorkloadProcess& process,
            const ChannelShape& shape,
            const ChannelBlock& block,
            CompletionQueue* cq);

    /// Bytes of its block, a multiple of a descriptor's alignment.
    static std::size_t BytesFor(const ChannelShape& shape);

    /// Descriptors that its receive queue has room for from the start.
    static std::uint32_t RoomFor(const ChannelShape& shape);

    /// Connects the two ends, as if VIPL had done it before time starts.
    static void Connect(Channel& a, Channel& b)
    {
        ConnectBoth(a, b);
    }

    /// Sends @p length bytes from Payload(). Finished sends are harvested first if slots are short.
    void Send(std::uint32_t length);

    /// The bytes that the next Send takes.
    std::uint8_t* Payload();

    /// Harvests the receive that is known to be complete. @return its bytes; null when it was
    /// flushed, because the connection is lost
    const std::uint8_t* Receive(std::uint32_t& length);

    /// Posts the slot of the last Receive again.
    void Repost();

    /// True if a receive is complete at the process' clock.
    bool HasReceive() const;

    /// A prefetch hint: the channel will be used soon.
    void Prefetch() const
    {
        PrefetchLine(m_vi->channel);
        m_vi->PrefetchFirstQueue();
        PrefetchLine(m_base + static_cast<std::size_t>(m_nextReceive) * m_slotBytes);
        PrefetchLine(m_base + static_cast<std::size_t>(m_receiveSlots + m_nextSend) * m_slotBytes);
    }

  private:
    friend class ConnectedVi;

    struct Slot
    {
        Descriptor* descriptor;
        std::uint8_t* data;
    };

    Slot SlotAt(std::uint32_t index);

    std::uint32_t m_slotBytes;
    std::uint16_t m_nextSend{0};
    std::uint16_t m_nextReceive{0};
};

static_assert(sizeof(Channel) == 40, "a large cluster has hundreds of thousands");

/// A channel that registers memory of its own, and polls the VI itself.
class LoneChannel final : private ChannelMemory, public Channel
{
  public:
    LoneChannel(WorkloadProcess& process, const ChannelShape& shape);

    /// Makes one for @p process. @return null if that is null: it is in another partition
    static std::unique_ptr<LoneChannel> Make(WorkloadProcess* process, const ChannelShape& shape);

    /// Connects the only channels of processes 0 and 1; null: in another partition.
    static void ConnectTwo(LoneChannel* first, LoneChannel* second);
};

} // namespace via
} // namespace ns3

#endif // VIA_CHANNEL_H
