/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
// A clock: the only bridge between cycles and picoseconds.

#ifndef VIA_CLOCK_DOMAIN_H
#define VIA_CLOCK_DOMAIN_H

#include "ns3/via-frequency.h"
#include "ns3/via-time.h"

#include <cstdint>
#include <vector>

namespace ns3
{
namespace via
{

/// A count of clock edges of some engine. A separate type, so that it never mixes with time.
struct Cycles
{
    constexpr explicit Cycles(std::uint64_t n = 0)
        : count(n)
    {
    }

    std::uint64_t count;
};

constexpr Cycles
operator+(Cycles a, Cycles b)
{
    return Cycles(a.count + b.count);
}

constexpr Cycles
operator*(Cycles a, std::uint64_t n)
{
    return Cycles(a.count * n);
}

constexpr bool
operator==(Cycles a, Cycles b)
{
    return a.count == b.count;
}

/// Starting at the first edge at or after `at`, each cycle takes num / den
/// times its full-speed duration.
struct SpeedChange
{
    Ps at{0};
    std::uint32_t num{1};
    std::uint32_t den{1};
};

/// Exact division by a constant. The multiplication takes half as long as the processor's division.
class Divisor
{
  public:
    /// The dividend must be less than this.
    static constexpr std::uint64_t LIMIT = std::uint64_t{1} << 63;

    /// @param by 1 .. LIMIT
    constexpr explicit Divisor(std::uint64_t by = 1)
        : m_shift(ShiftOf(by)),
          m_factor(static_cast<std::uint64_t>((static_cast<Wide>(1) << (63 + m_shift)) / by) + 1)
    {
    }

    /// @p n / the divisor, rounded down.
    std::uint64_t Quotient(std::uint64_t n) const
    {
        return static_cast<std::uint64_t>(static_cast<Wide>(n) * m_factor >> 63) >> m_shift;
    }

  private:
    __extension__ using Wide = unsigned __int128; // ISO C++ has no 128-bit integer

    /// The smallest shift with 2^shift >= @p by.
    static constexpr std::uint32_t ShiftOf(std::uint64_t by)
    {
        std::uint32_t shift = 0;
        while (std::uint64_t{1} << shift < by)
        {
            ++shift;
        }
        return shift;
    }

    std::uint32_t m_shift;
    std::uint64_t m_factor; ///< 2^(63 + shift) / the divisor, and a bit more
};

/**
 * @brief The edges of one clock.
 *
 * Edge n is at phase + floor(n / f). Each edge is computed from integers, never accumulated, so its
 * time does not depend on the caller or on the order of calls.
 */
class ClockDomain
{
  public:
    class Speeds;

    /// A 1 THz clock with phase 0: every picosecond is an edge.
    ClockDomain() = default;

    /**
     * @param frequency in Hz, exact; at most 1 THz
     * @param phase of edge 0 in ps, at least 0 and less than one period
     */
    explicit ClockDomain(Frequency frequency, Ps phase = 0);

    /// A clock with the same edges, apart from the changes in @p speeds, which
    /// must outlive the clock.
    ClockDomain With(const Speeds& speeds) const;

    /// The first edge at or after @p t.
    Ps EdgeAtOrAfter(Ps t) const
    {
        return Edge(IndexAtOrAfter(t));
    }

    /// A stretch of cycles: both ends are edges.
    struct Window
    {
        Ps start; ///< when the first cycle begins
        Ps end;   ///< when the last cycle is over
    };

    /// @p n cycles that begin at the first edge at or after @p from.
    Window Run(Ps from, Cycles n) const
    {
        const Rate& rate = *m_rate;
        const std::uint64_t since = from > m_phase ? static_cast<std::uint64_t>(from - m_phase) : 0;
        const std::uint64_t first = rate.byNum.Quotient(since * rate.den + rate.num - 1);
        const std::uint64_t end = first + n.count;
        if (since >= rate.plain || end > rate.few)
        {
            return RunWide(from, n);
        }
        return rate.den == 1
                   ? Window{m_phase + static_cast<Ps>(first * rate.num),
                            m_phase + static_cast<Ps>(end * rate.num)}
                   : Window{m_phase + static_cast<Ps>(rate.byDen.Quotient(first * rate.num)),
                            m_phase + static_cast<Ps>(rate.byDen.Quotient(end * rate.num))};
    }

    /// The edge @p n cycles after the edge at @p edge.
    Ps After(Ps edge, Cycles n) const
    {
        return Edge(IndexAtOrAfter(edge) + n.count);
    }

    /// The edge @p n cycles before the edge at @p edge.
    Ps Before(Ps edge, Cycles n) const
    {
        return n.count == 0 ? edge : Edge(IndexAtOrAfter(edge) - n.count);
    }

    /// Cycles from the first edge at or after @p from to that of @p until; 0 if not later.
    Cycles Between(Ps from, Ps until) const
    {
        return Cycles(until > from ? IndexAtOrAfter(until) - IndexAtOrAfter(from) : 0);
    }

    /// The time that @p n cycles take from any edge; 0 if that depends on the edge.
    Ps SpanFromAnyEdge(Cycles n) const
    {
        const std::uint64_t den = m_rate->den; // 0: the speed changes
        const bool isSame = den != 0 && n.count <= m_rate->few && n.count * m_rate->num % den == 0;
        return isSame ? static_cast<Ps>(n.count * m_rate->num / den) : 0;
    }

    /// Duration of @p n full-speed cycles from edge 0, rounded down to a picosecond.
    Ps Span(Cycles n) const
    {
        const Rate* full = m_rate->full;
        return full == nullptr ? Edge(n.count) - m_phase : full->WideEdge(n.count);
    }

    /// Frequency in Hz, rounded down (33 333 333 for a PCI clock of 100/3 MHz).
    std::uint64_t Hz() const
    {
        return m_rate->hz;
    }

    /// One period in ps, rounded up: phases are drawn from [0, this).
    static Ps PeriodOf(Frequency frequency);

  private:
    std::uint64_t IndexAtOrAfter(Ps t) const
    {
        if (t <= m_phase)
        {
            return 0;
        }
        const auto since = static_cast<std::uint64_t>(t - m_phase);
        const Rate& rate = *m_rate;
        if (since < rate.plain)
        {
            return rate.byNum.Quotient(since * rate.den + rate.num - 1);
        }
        return rate.WideIndex(since);
    }

    Ps Edge(std::uint64_t n) const
    {
        const Rate& rate = *m_rate;
        if (rate.den == 1)
        {
            return m_phase + static_cast<Ps>(n * rate.num);
        }
        if (n <= rate.few)
        {
            return m_phase + static_cast<Ps>(rate.byDen.Quotient(n * rate.num));
        }
        return m_phase + rate.WideEdge(n);
    }

    /// Shared by all clocks of one frequency.
    struct Rate
    {
        std::uint64_t num{1};                    ///< the period is num / den ps
        std::uint64_t den{1};                    ///< see num
        std::uint64_t plain{Divisor::LIMIT - 1}; ///< below this many ps, 63 bits are enough
        std::uint64_t few{Divisor::LIMIT - 1};   ///< up to this many cycles, 63 bits are enough
        Divisor byNum;
        Divisor byDen;
        std::uint64_t hz{1'000'000'000'000};
        const Rate* full{nullptr};     ///< if the period changes: the rate without changes
        const Speeds* speeds{nullptr}; ///< if the period changes: the changes

        /// As IndexAtOrAfter and Edge, relative to edge 0, where the 63-bit
        /// arithmetic does not apply.
        [[gnu::cold]] std::uint64_t WideIndex(std::uint64_t since) const;
        [[gnu::cold]] Ps WideEdge(std::uint64_t n) const;
    };

    static const Rate& RateOf(Frequency frequency);

    [[gnu::cold]] Window RunWide(Ps from, Cycles n) const;

    static const Rate TERAHERTZ;

    const Rate* m_rate{&TERAHERTZ}; ///< shared: clocks are many, rates are few
    Ps m_phase{0};
};

/**
 * @brief Changes of a clock's period, at instants that are known before the run starts.
 *
 * A cycle that has begun ends as planned; the new period starts at the next edge. Work in progress
 * at a change runs its remaining cycles at the new speed.
 */
class ClockDomain::Speeds
{
  public:
    /**
     * @param clock at full speed
     * @param frequency of @p clock
     * @param changes in time order; of two at one edge, the later in the list applies
     */
    Speeds(const ClockDomain& clock, Frequency frequency, const std::vector<SpeedChange>& changes);
    Speeds(const Speeds&) = delete;
    Speeds& operator=(const Speeds&) = delete;

  private:
    friend class ClockDomain;

    /// Edges with equal spacing, numbered from the clock's edge 0.
    struct Stretch
    {
        Ps from;             ///< time of its first edge, relative to edge 0
        std::uint64_t first; ///< number of that edge
        const Rate* rate;
    };

    std::uint64_t Index(Ps since) const;
    Ps EdgeOf(std::uint64_t n) const;

    Rate m_rate; ///< forwards every query to the stretches
    std::vector<Stretch> m_stretches;
};

/**
 * @brief A phase in [0, period) that depends on seed, component and clock only.
 *
 * Without it all nodes of a cluster would tick in lockstep, which no real cluster does. Integer
 * hashing rather than a random stream: floating point must never determine a time.
 */
Ps SeededPhase(Frequency frequency,
               std::uint64_t seed,
               std::uint32_t component,
               std::uint32_t clock);

} // namespace via
} // namespace ns3

#endif // VIA_CLOCK_DOMAIN_H
