/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
// Bytes that move at a stated simulated instant.

#ifndef VIA_HOST_MEMORY_H
#define VIA_HOST_MEMORY_H

#include "ns3/via-packet.h"
#include "ns3/via-ring.h"
#include "ns3/via-time.h"

#include <cstdint>

namespace ns3
{
namespace via
{

class Waiter;

/**
 * @brief The movements of bytes that the NIC of one host has planned.
 *
 * DMA is planned ahead of simulated time, but a program must see its effect neither early nor
 * late: a read takes the bytes at its first edge, a write changes memory at its last. Movements
 * wait here until somebody could notice, which is when a process of the host runs on (its clock
 * passes the instant) or when the far end consumes the bytes. They happen in order of time.
 */
class HostMemory final : public PayloadSource
{
  public:
    /// Whose memory it is: the rank of a process.
    using Rank = std::uint32_t;

    /// At @p at, @p bytes bytes go from @p owner's memory at @p from into a packet at @p to.
    void ReadAt(Ps at, void* to, const void* from, std::uint32_t bytes, Rank owner = 0);

    /**
     * @brief At @p at, @p bytes bytes go from a packet at @p from to @p owner's memory at @p to.
     * @param source who reads the packet's bytes at the far end; settled first. It has read them
     * before, by at least the flight time, so nothing can have changed them since. Null: nobody.
     */
    void WriteAt(Ps at,
                 void* to,
                 const void* from,
                 std::uint32_t bytes,
                 PayloadSource* source,
                 Rank owner = 0);

    /// At @p at, the 8 bytes at @p to become @p value (a completion's length and status).
    void StoreAt(Ps at, void* to, std::uint64_t value, Rank owner = 0);

    /// At @p at, the 4 bytes at @p to become @p value (immediate data).
    void StoreAt4(Ps at, void* to, std::uint32_t value, Rank owner = 0);

    /// At @p at, the last of its bytes has been used here: @p pool may have @p packet back.
    void FreeAt(Ps at, Packet* packet, PacketPool& pool);

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

    void Forget(const void* to, std::size_t bytes) override;

    /// A hint: a program is about to see what has moved.
    void Expect() const
    {
        for (std::uint32_t i = 0; i < m_moves.Size(); ++i)
        {
            const Move& move = m_moves.At(i);
            // where nothing is, a hint makes the processor look through tables of pages in vain
            ExpectSettle(move.source != nullptr ? move.source : this);
            __builtin_prefetch(move.kind == Kind::STORE ? move.to : move.from);
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

  private:
    enum class Kind : std::uint8_t
    {
        READ,  ///< bytes from `from` to `to`, a packet
        WRITE, ///< bytes from `from`, a packet, to `to`
        STORE, ///< the first bytes of `value` to `to`
        FREE,  ///< one holder less of the packet `from` of the pool `to`
    };

    struct Move
    {
        Ps at;
        void* to;

        union {
            const void* from;
            std::uint64_t value;
        };

        PayloadSource* source; ///< null: nobody
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

    void Store(Ps at, void* to, std::uint64_t value, std::uint32_t bytes, Rank owner);
    void Insert(const Move& move);
    void Happen(Ps until);

    Ring<Move, 8> m_moves; ///< sorted by time
    Waiter* m_watcher{nullptr};
    Rank m_watched{0};
};

} // namespace via
} // namespace ns3

#endif // VIA_HOST_MEMORY_H
