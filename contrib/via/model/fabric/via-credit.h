/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
// Credit flow control of one link: the sender's view of the receiver's cell buffer.

#ifndef VIA_CREDIT_H
#define VIA_CREDIT_H

#include "ns3/via-ring.h"
#include "ns3/via-time.h"

#include <cstdint>

namespace ns3
{
namespace via
{

/**
 * @brief Credits here, credits coming home, and the rule that their sum never changes:
 *
 *     available + returning + out = capacity
 *
 * where "out" are cells on the wire or in the receiver's buffer. Asserted in every build.
 */
class CreditLoop
{
  public:
    /// Capacity of a loop that only counts what is out.
    static constexpr std::uint32_t UNLIMITED = std::uint32_t{1} << 31;

    /// @param capacity cells of the receiver's buffer; 0: nothing may ever leave by this loop
    explicit CreditLoop(std::uint32_t capacity);

    /// Credits for @p cells come home: the first at @p at, each further one @p spacing ps later.
    void Return(std::uint32_t cells, Ps at, Ps spacing);

    /**
     * @brief Takes @p cells credits for cells that leave back to back.
     * @param earliest the first cell wants to leave then
     * @param cellTime ps between two cells
     * @return when the first cell may leave so that none waits for its credit;
     *         PS_NEVER (and nothing taken) when not enough credits are known to come home
     */
    Ps Take(std::uint32_t cells, Ps earliest, Ps cellTime);

    /// Cells that could leave at @p now without waiting for credits.
    std::uint32_t HomeBy(Ps now);

    /// When the next credit comes home that is not here yet; PS_NEVER if none is announced.
    Ps NextHome() const
    {
        return m_home.IsEmpty() ? PS_NEVER : m_home.At(0).at;
    }

    /// Cells that Take would find credits for, now or when they are home.
    std::uint32_t Known() const
    {
        return m_available + m_returning;
    }

    /// True if Take of @p cells in all, in one or several calls, will not say PS_NEVER.
    bool Knows(std::uint32_t cells) const
    {
        return cells <= m_available + m_returning;
    }

    std::uint32_t Capacity() const
    {
        return m_capacity;
    }

    /// Cells on the wire or in the receiver's buffer.
    std::uint32_t Out() const
    {
        return m_out;
    }

  private:
    struct Homecoming
    {
        std::uint32_t cells;
        Ps at;
        Ps spacing;

        /// When the last of them is here.
        Ps Last() const
        {
            return at + static_cast<Ps>(cells - 1) * spacing;
        }
    };

    void Check() const;

    std::uint32_t m_capacity;
    std::uint32_t m_available;
    std::uint32_t m_returning{0};
    std::uint32_t m_out{0};
    Ring<Homecoming, 2> m_home; ///< in the order in which they were announced
};

} // namespace via
} // namespace ns3

#endif // VIA_CREDIT_H
