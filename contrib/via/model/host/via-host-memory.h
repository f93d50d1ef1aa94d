/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
// Bytes that move at a stated simulated instant.

#ifndef VIA_HOST_MEMORY_H
#define VIA_HOST_MEMORY_H

#include "ns3/via-packet.h"
#include "ns3/via-time.h"

#include <cstdint>
#include <vector>

namespace ns3
{
namespace via
{

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
    /// At @p at, @p bytes bytes go from host memory at @p from into a packet at @p to.
    void ReadAt(Ps at, void* to, const void* from, std::uint32_t bytes);

    /**
     * @brief At @p at, @p bytes bytes go from a packet at @p from to host memory at @p to.
     * @param source who reads the packet's bytes at the far end; settled first. It has read them
     * before, by at least the flight time, so nothing can have changed them since. Null: nobody.
     */
    void WriteAt(Ps at, void* to, const void* from, std::uint32_t bytes, PayloadSource* source);

    /// At @p at, the 8 bytes at @p to become @p value (a completion's length and status).
    void StoreAt(Ps at, void* to, std::uint64_t value);

    /// At @p at, the 4 bytes at @p to become @p value (immediate data).
    void StoreAt4(Ps at, void* to, std::uint32_t value);

    /// At @p at, the last of its bytes has been used: @p packet goes back to @p pool.
    void FreeAt(Ps at, Packet* packet, PacketPool& pool);

    void Settle(Ps until) override
    {
        if (m_first < m_moves.size() && m_moves[m_first].at <= until)
        {
            Happen(until);
        }
    }

    /// Movements that have not happened yet.
    std::size_t PendingCount() const
    {
        return m_moves.size() - m_first;
    }

  private:
    struct Move
    {
        Ps at;
        void* to;         ///< null: free the packet
        const void* from; ///< null: store the value
        std::uint64_t value;
        std::uint32_t bytes;
        PayloadSource* source;
        PacketPool* pool;
    };

    void Insert(const Move& move);
    void Happen(Ps until);

    std::vector<Move> m_moves; ///< sorted by time from m_first on
    std::size_t m_first{0};
};

} // namespace via
} // namespace ns3

#endif // VIA_HOST_MEMORY_H
