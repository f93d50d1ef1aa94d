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

    /// Announces the return of @p cells credits at @p at.
    void Return(std::uint32_t cells, Ps at);

    /**
     * @brief Takes the credit for a cell.
     * @param earliest its wanted departure
     * @return when it may leave; PS_NEVER (and nothing taken) if no credit is available or
     * announced
     */
    Ps Take(Ps earliest)
    {
        if (m_available == 0 || (!m_home.IsEmpty() && m_home.Front().at <= earliest))
        {
            return TakeAndCount(earliest);
        }
        --m_available;
        ++m_out;
        return earliest;
    }

    /// Cells that could leave at @p now without waiting for credits.
    std::uint32_t HomeBy(Ps now);

    /// When the first announced credit returns after @p instant; PS_NEVER if none is announced.
    Ps NextHome(Ps instant = -1) const;

    /// Whether a credit is available, as far as that has been counted.
    bool HasOne() const
    {
        return m_available > 0;
    }

    /// Whether a credit is announced to return at @p instant or earlier.
    bool ReturnsBy(Ps instant) const
    {
        return !m_home.IsEmpty() && m_home.At(0).at <= instant;
    }

    /// Whether no credit is available or announced.
    bool IsEmpty() const
    {
        return m_available + m_returning == 0;
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
        Ps at;
        std::uint32_t cells;
    };

    /// As Take, where a credit that returns later is needed, or some have returned since.
    Ps TakeAndCount(Ps earliest);
    void CountFirst();
    void Check() const;

    std::uint32_t m_capacity;
    std::uint32_t m_available;
    std::uint32_t m_returning{0};
    std::uint32_t m_out{0};
    InlineRing<CreditReturn, 2> m_home; ///< in the order of time
};

} // namespace via
} // namespace ns3

#endif // VIA_CREDIT_H
