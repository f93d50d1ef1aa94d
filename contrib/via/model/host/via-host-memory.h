/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
// Byte movements at stated simulated instants.

#ifndef VIA_HOST_MEMORY_H
#define VIA_HOST_MEMORY_H

#include "ns3/via-digest.h"
#include "ns3/via-packet.h"
#include "ns3/via-prefetch.h"
#include "ns3/via-ring.h"
#include "ns3/via-time.h"

#include <cstdint>

namespace ns3
{
namespace via
{

class Waiter;
struct World;

/**
 * @brief The byte movements planned by the NIC of one host.
 *
 * DMA is planned ahead of simulated time, but a program must see its effect neither early nor late:
 * a read takes the bytes at its first edge, a write changes memory at its last. Movements wait here
 * until they could be noticed: when a process of the host continues (its clock passes the instant)
 * or when the far end consumes the bytes. They are performed in time order.
 *
 * A movement holds its packet from planning to completion: the bytes stay in place whatever happens
 * to the message meanwhile.
 */
class HostMemory final : public PayloadSource
{
  public:
    /// Owner of memory: the rank of a process.
    using Rank = std::uint32_t;

    explicit HostMemory(World& world);

    /// Plans a copy at @p at: @p bytes bytes from @p owner's memory at @p from to place @p offset
    /// of @p packet.
    void ReadAt(Ps at,
                Packet& packet,
                std::uint32_t offset,
                const void* from,
                std::uint32_t bytes,
                Rank owner = 0);

    /**
     * @brief Plans a copy at @p at: @p bytes bytes from place @p offset of @p packet to @p owner's
     * memory at @p to. The packet's origin provides the bytes first: it has read them at least one
     * flight time earlier, so they cannot have changed since.
     */
    void WriteAt(Ps at,
                 void* to,
                 Packet& packet,
                 std::uint32_t offset,
                 std::uint32_t bytes,
                 Rank owner = 0);

    /// Adds @p packet to the payload digest at @p at, when it is fully in @p owner's memory and its
    /// completion reports success.
    void DeliverAt(Ps at, Packet& packet, Rank owner = 0);

    /// Plans a store at @p at: the 8 bytes @p value to @p to (a completion's length and status).
    void StoreAt(Ps at, void* to, std::uint64_t value, Rank owner = 0);

    /// Plans a store at @p at: the 4 bytes @p value to @p to (immediate data).
    void StoreAt4(Ps at, void* to, std::uint32_t value, Rank owner = 0);

    /// As StoreAt4, and notifies the watcher: the NIC counts there.
    void CountAt(Ps at, void* to, std::uint32_t value, Rank owner = 0);

    /**
     * @brief The memory of @p owner is released.
     * Planned reads from it are performed now, planned writes to it are dropped. Movements of other
     * owners keep their time.
     */
    void Leave(Rank owner);

    void Provide(const Packet& packet, std::uint32_t upTo) override
    {
        if (!m_moves.IsEmpty())
        {
            HappenFor(packet, upTo);
        }
    }

    /// Performs all movements planned for @p until or earlier.
    void Settle(Ps until)
    {
        if (!m_moves.IsEmpty() && m_moves.Front().at <= until)
        {
            Happen(until);
        }
    }

    /// Prefetch hint: a program is about to see what has moved.
    void Prefetch() const
    {
        for (std::uint32_t i = 0; i < m_moves.Size(); ++i)
        {
            const Move& move = m_moves.At(i);
            // a prefetch of an unmapped address costs a futile page table walk
            const bool settles = move.kind == Kind::WRITE && move.packet->origin != nullptr;
            PrefetchSettle(settles ? move.packet->origin : this);
            PrefetchLine(move.packet == nullptr ? move.to : move.from);
            PrefetchLine(move.to);
        }
    }

    /// The last instant at which a planned movement accesses any of @p bytes bytes at @p from; 0 if
    /// none does.
    Ps LastUse(const void* from, std::uint64_t bytes) const;

    /**
     * @brief Notifies @p waiter of each write to @p owner's memory as soon as it is planned.
     * One owner at a time: a built-in workload has one process on a host. Null: no notification.
     */
    void Watch(Rank owner, Waiter* waiter)
    {
        m_watched = owner;
        m_watcher = waiter;
    }

    /// Time of the next planned write to the memory of @p owner; PS_NEVER if none is planned.
    Ps NextWrite(Rank owner) const;

    /// Movements that have not been performed yet.
    std::size_t PendingCount() const
    {
        return m_moves.Size();
    }

    /// Digest of the messages delivered so far: a sum, so their order does not matter.
    const Digest& Payload() const
    {
        return m_payload;
    }

  private:
    enum class Kind : std::uint8_t
    {
        READ,    ///< bytes from `from` to `to`, in the packet
        WRITE,   ///< bytes from `from`, in the packet, to `to`
        DELIVER, ///< the packet is complete
        STORE,   ///< the first bytes of `value` to `to`
        COUNT,   ///< the same, and may be watched
    };

    struct Move
    {
        Ps at;
        void* to;

        union {
            const void* from;
            std::uint64_t value;
        };

        Packet* packet; ///< held; null: a store
        std::uint32_t bytes;
        Rank owner;
        Kind kind;
    };

    /// Prefetch hint: another host's memory will be settled. The required data are at its two ends.
    static void PrefetchSettle(const PayloadSource* source)
    {
        const auto* at = reinterpret_cast<const char*>(source);
        PrefetchLine(at);
        PrefetchLine(at + CACHE_LINE);
        PrefetchLine(at + sizeof(HostMemory) - 1);
    }

    void Plan(const Move& move);
    void Happen(Ps until);
    void HappenFor(const Packet& packet, std::uint32_t upTo);
    void Do(const Move& move);
    void Tell(Ps at, Rank owner);

    World& m_world;
    InlineRing<Move, 8> m_moves; ///< sorted by time
    Digest m_payload;
    Waiter* m_watcher{nullptr};
    Rank m_watched{0};
};

} // namespace via
} // namespace ns3

#endif // VIA_HOST_MEMORY_H
