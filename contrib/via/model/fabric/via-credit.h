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
 * @brief Available and returning credits, which satisfy:
 *
 *     available + returning + out = capacity
 *
 * where "out" counts cells on the wire or in the receiver's buffer. Asserted in every build.
 */
class CreditLoop
{
  public:
    /// Capacity of a loop that only counts cells that are out.
    static constexpr std::uint32_t UNLIMITED = std::uint32_t{1} << 31;

    /// @param capacity cells of the receiver's buffer; 0: no cell may ever leave
    explicit CreditLoop(std::uint32_t capacity);

    /// Announces the return of @p cells credits: the first at @p at, each further one
    /// @p spacing ps later.
    void Return(std::uint32_t cells, Ps at, Ps spacing);

    /**
     * @brief Takes @p cells credits for cells that leave back to back.
     * @param earliest wanted departure of the first cell
     * @param cellTime ps between two cells
     * @return when the first cell may leave so that none waits for its credit; PS_NEVER (and
     * nothing taken) if too few credits are available or announced
     */
    Ps Take(std::uint32_t cells, Ps earliest, Ps cellTime)
    {
        if (cells > m_available || (!m_home.IsEmpty() && m_home.Front().at <= earliest))
        {
            return TakeAndCount(cells, earliest, cellTime);
        }
        m_available -= cells;
        m_out += cells;
        return earliest;
    }

    /// Cells that could leave at @p now without waiting for credits.
    std::uint32_t HomeBy(Ps now);

    /// When the first announced credit returns after @p instant; PS_NEVER if none is announced.
    Ps NextHome(Ps instant = -1) const;

    /// Credits available, or announced to return at @p instant or earlier.
    std::uint32_t KnownBy(Ps instant) const;

    /// Whether no credit is available or announced.
    bool IsEmpty() const
    {
        return m_available + m_returning == 0;
    }

    /// Whether @p cells credits are here, as far as that has been counted.
    bool Has(std::uint32_t cells) const
    {
        return cells <= m_available;
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
    struct CreditReturn
    {
        std::uint32_t cells;
        Ps at;
        Ps spacing;

        /// When the last of them returns.
        Ps Last() const
        {
            return at + static_cast<Ps>(cells - 1) * spacing;
        }
    };

    /// As Take, where credits that return later are needed, or some have returned since.
    Ps TakeAndCount(std::uint32_t cells, Ps earliest, Ps cellTime);
    void Check() const;

    std::uint32_t m_capacity;
    std::uint32_t m_available;
    std::uint32_t m_returning{0};
    std::uint32_t m_out{0};
    Ring<CreditReturn, 2> m_home; ///< in the order of time
};

} // namespace via
} // namespace ns3

#endif // VIA_CREDIT_H
