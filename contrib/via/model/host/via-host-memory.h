/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
// Bytes that move at a stated simulated instant.

#ifndef VIA_HOST_MEMORY_H
#define VIA_HOST_MEMORY_H

#include "ns3/via-digest.h"
#include "ns3/via-packet.h"
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
 * @brief The movements of bytes that the NIC of one host has planned.
 *
 * DMA is planned ahead of simulated time, but a program must see its effect neither early nor
 * late: a read takes the bytes at its first edge, a write changes memory at its last. Movements
 * wait here until somebody could notice, which is when a process of the host runs on (its clock
 * passes the instant) or when the far end consumes the bytes. They happen in order of time.
 *
 * A movement holds its packet from the moment it is planned until it has happened: whatever becomes
 * of the message meanwhile, the bytes stay where they are.
 */
class HostMemory final : public PayloadSource
{
  public:
    /// Whose memory it is: the rank of a process.
    using Rank = std::uint32_t;

    explicit HostMemory(World& world);

    /// At @p at, @p bytes bytes go from @p owner's memory at @p from to place @p offset of
    /// @p packet.
    void ReadAt(Ps at,
                Packet& packet,
                std::uint32_t offset,
                const void* from,
                std::uint32_t bytes,
                Rank owner = 0);

    /**
     * @brief At @p at, @p bytes bytes go from place @p offset of @p packet to @p owner's memory at
     * @p to. The packet's origin is settled first: it has read them before, by at least the flight
     * time, so nothing can have changed them since.
     */
    void WriteAt(Ps at,
                 void* to,
                 Packet& packet,
                 std::uint32_t offset,
                 std::uint32_t bytes,
                 Rank owner = 0);

    /// At @p at, all bytes of @p packet are in @p owner's memory, and it is told so with success.
    void DeliverAt(Ps at, Packet& packet, Rank owner = 0);

    /// At @p at, the 8 bytes at @p to become @p value (a completion's length and status).
    void StoreAt(Ps at, void* to, std::uint64_t value, Rank owner = 0);

    /// At @p at, the 4 bytes at @p to become @p value (immediate data).
    void StoreAt4(Ps at, void* to, std::uint32_t value, Rank owner = 0);

    /// As StoreAt4, and told to who watches: the card counts there.
    void CountAt(Ps at, void* to, std::uint32_t value, Rank owner = 0);

    /**
     * @brief The memory of @p owner goes away.
     * What was to be read from it is read now, what was to be written there is not. Movements of
     * others keep their time.
     */
    void Leave(Rank owner);

    void Settle(Ps until) override
    {
        if (!m_moves.IsEmpty() && m_moves.Front().at <= until)
        {
            Happen(until);
        }
    }

    /// A hint: a program is about to see what has moved.
    void Expect() const
    {
        for (std::uint32_t i = 0; i < m_moves.Size(); ++i)
        {
            const Move& move = m_moves.At(i);
            // where nothing is, a hint makes the processor look through tables of pages in vain
            const bool settles = move.kind == Kind::WRITE && move.packet->origin != nullptr;
            ExpectSettle(settles ? move.packet->origin : this);
            __builtin_prefetch(move.packet == nullptr ? move.to : move.from);
            __builtin_prefetch(move.to);
        }
    }

    /// The last instant at which a planned movement reads or writes any of @p bytes bytes at
    /// @p from; 0 if none does.
    Ps LastUse(const void* from, std::uint64_t bytes) const;

    /**
     * @brief @p waiter is told of each write to @p owner's memory as soon as it is planned.
     * One owner at a time: a built-in workload has one process on a host. Null: nobody is.
     */
    void Watch(Rank owner, Waiter* waiter)
    {
        m_watched = owner;
        m_watcher = waiter;
    }

    /// When a write to the memory of @p owner will happen next; PS_NEVER if none is planned.
    Ps NextWrite(Rank owner) const;

    /// Movements that have not happened yet.
    std::size_t PendingCount() const
    {
        return m_moves.Size();
    }

    /// Of the messages delivered so far, in the order of their completion.
    const Digest& Payload() const
    {
        return m_payload;
    }

  private:
    enum class Kind : std::uint8_t
    {
        READ,    ///< bytes from `from` to `to`, in the packet
        WRITE,   ///< bytes from `from`, in the packet, to `to`
        DELIVER, ///< the packet's bytes are all there
        STORE,   ///< the first bytes of `value` to `to`
        COUNT,   ///< the same, and somebody may watch
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

    /// A hint: another host's memory will be settled. What that looks at is at its two ends.
    static void ExpectSettle(const PayloadSource* source)
    {
        const auto* at = reinterpret_cast<const char*>(source);
        __builtin_prefetch(at);
        __builtin_prefetch(at + 64);
        __builtin_prefetch(at + sizeof(HostMemory) - 1);
    }

    void Plan(const Move& move);
    void Happen(Ps until);
    void Do(const Move& move);
    void Tell(Ps at, Rank owner);

    World& m_world;
    Ring<Move, 8> m_moves; ///< sorted by time
    Digest m_payload;
    Waiter* m_watcher{nullptr};
    Rank m_watched{0};
};

} // namespace via
} // namespace ns3

#endif // VIA_HOST_MEMORY_H
