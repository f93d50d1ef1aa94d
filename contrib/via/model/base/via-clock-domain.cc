/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
// A clock: the only bridge between cycles and picoseconds.

#include "via-clock-domain.h"

#include "ns3/via-error.h"
#include "ns3/via-scramble.h"

#include <algorithm>
#include <map>
#include <numeric>
#include <string>
#include <utility>

namespace ns3
{
namespace via
{

namespace
{
__extension__ using Wide = unsigned __int128; // ISO C++ has no 128-bit integer
} // namespace

const ClockDomain::Rate ClockDomain::TERAHERTZ;

std::uint64_t
ClockDomain::Rate::WideIndex(std::uint64_t since) const
{
    if (speeds != nullptr)
    {
        return speeds->Index(static_cast<Ps>(since));
    }
    return static_cast<std::uint64_t>((static_cast<Wide>(since) * den + num - 1) / num);
}

Ps
ClockDomain::Rate::WideEdge(std::uint64_t n) const
{
    if (speeds != nullptr)
    {
        return speeds->EdgeOf(n);
    }
    return static_cast<Ps>(static_cast<Wide>(n) * num / den);
}

ClockDomain::ClockDomain(Frequency frequency, Ps phase)
    : m_rate(&RateOf(frequency)),
      m_phase(phase)
{
}

const ClockDomain::Rate&
ClockDomain::RateOf(Frequency frequency)
{
    constexpr std::uint64_t tera = PS_PER_SECOND;
    if (frequency.num == 0 || frequency.den == 0 || frequency.num / frequency.den > tera)
    {
        throw ConfigError("clock",
                          std::to_string(frequency.num) + "/" + std::to_string(frequency.den) +
                              " Hz",
                          "more than 0 Hz and at most 1 THz");
    }
    // period = 10^12 * den / num; take the common factors out before multiplying
    const std::uint64_t common = std::gcd(tera, frequency.num);
    Rate rate;
    rate.num = tera / common * frequency.den;
    rate.den = frequency.num / common;
    const std::uint64_t rest = std::gcd(rate.num, rate.den);
    rate.num /= rest;
    rate.den /= rest;
    rate.plain = rate.num < Divisor::LIMIT ? (Divisor::LIMIT - rate.num) / rate.den : 0;
    rate.few = (Divisor::LIMIT - 1) / rate.num;
    rate.byNum = Divisor(std::min(rate.num, Divisor::LIMIT));
    rate.byDen = Divisor(std::min(rate.den, Divisor::LIMIT));
    rate.hz = frequency.num / frequency.den;
    // few and never removed: a rate depends on the frequency alone
    static std::map<std::pair<std::uint64_t, std::uint64_t>, Rate> rates;
    return rates.emplace(std::make_pair(frequency.num, frequency.den), rate).first->second;
}

ClockDomain
ClockDomain::With(const Speeds& speeds) const
{
    ClockDomain clock = *this;
    clock.m_rate = &speeds.m_rate;
    return clock;
}

ClockDomain::Speeds::Speeds(const ClockDomain& clock,
                            Frequency frequency,
                            const std::vector<SpeedChange>& changes)
{
    m_rate.full = clock.m_rate;
    m_rate.speeds = this;
    m_rate.hz = clock.m_rate->hz;
    m_rate.plain = 0;
    m_rate.few = 0;
    m_rate.den = 0; // the 63-bit arithmetic never applies
    m_stretches.push_back({0, 0, clock.m_rate});
    for (const SpeedChange& change : changes)
    {
        const std::uint64_t num = frequency.num * change.den;
        const std::uint64_t den = frequency.den * change.num;
        const std::uint64_t common = std::gcd(num, den);
        const std::uint64_t first = Index(std::max<Ps>(change.at - clock.m_phase, 0));
        const Ps from = EdgeOf(first);
        if (m_stretches.back().first == first)
        {
            m_stretches.pop_back();
        }
        m_stretches.push_back({from, first, &RateOf({num / common, den / common})});
    }
}

std::uint64_t
ClockDomain::Speeds::Index(Ps since) const
{
    const auto next =
        std::upper_bound(m_stretches.begin(),
                         m_stretches.end(),
                         since,
                         [](Ps at, const Stretch& stretch) { return at < stretch.from; });
    const Stretch& stretch = *(next - 1);
    return stretch.first +
           stretch.rate->WideIndex(static_cast<std::uint64_t>(since - stretch.from));
}

Ps
ClockDomain::Speeds::EdgeOf(std::uint64_t n) const
{
    const auto next =
        std::upper_bound(m_stretches.begin(),
                         m_stretches.end(),
                         n,
                         [](std::uint64_t edge, const Stretch& one) { return edge < one.first; });
    const Stretch& stretch = *(next - 1);
    return stretch.from + stretch.rate->WideEdge(n - stretch.first);
}

ClockDomain::Window
ClockDomain::RunWide(Ps from, Cycles n) const
{
    const std::uint64_t first = IndexAtOrAfter(from);
    return {Edge(first), Edge(first + n.count)};
}

Ps
ClockDomain::PeriodOf(Frequency frequency)
{
    const Rate& rate = RateOf(frequency);
    return static_cast<Ps>((rate.num + rate.den - 1) / rate.den);
}

Ps
SeededPhase(Frequency frequency, std::uint64_t seed, std::uint32_t component, std::uint32_t clock)
{
    const auto period = static_cast<std::uint64_t>(ClockDomain::PeriodOf(frequency));
    const std::uint64_t who = (static_cast<std::uint64_t>(component) << 32) | clock;
    return static_cast<Ps>(Scramble(Scramble(seed) ^ who) % period);
}

} // namespace via
} // namespace ns3
