/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
// Matches inputs of a crossbar to outputs: oldest first, round robin, iSLIP.

#include "via-arbiter.h"

#include <algorithm>
#include <tuple>

namespace ns3
{
namespace via
{

namespace
{

constexpr std::uint32_t NOBODY = UINT32_MAX;
constexpr std::uint32_t BITS = 64;

/// Distance from @p first to @p index in a ring of @p size.
std::uint32_t
Distance(std::uint32_t index, std::uint32_t first, std::uint32_t size)
{
    return index >= first ? index - first : index + size - first;
}

} // namespace

Arbiter::Arbiter(std::uint32_t inputs,
                 std::uint32_t outputs,
                 Arbitration kind,
                 std::uint32_t iterations)
    : m_inputs(inputs),
      m_outputs(outputs),
      m_kind(kind),
      m_iterations(iterations),
      m_words((inputs + BITS - 1) / BITS),
      m_grant(outputs, 0),
      m_accept(inputs, 0),
      m_free(m_words, 0),
      m_taken(outputs, 0),
      m_offered(inputs, NOBODY)
{
    if (kind != Arbitration::OLDEST_FIRST)
    {
        m_asks.assign(std::size_t{m_words} * outputs, 0);
    }
}

void
Arbiter::Match(std::vector<Request>& requests)
{
    std::fill(m_taken.begin(), m_taken.end(), 0);
    if (m_kind == Arbitration::OLDEST_FIRST)
    {
        MatchOldest(requests);
        return;
    }
    std::fill(m_asks.begin(), m_asks.end(), 0);
    std::fill(m_free.begin(), m_free.end(), 0);
    for (const Request& request : requests)
    {
        const std::uint64_t bit = std::uint64_t{1} << request.input % BITS;
        m_asks[std::size_t{request.output} * m_words + request.input / BITS] |= bit;
        m_free[request.input / BITS] |= bit;
    }
    requests.clear();
    m_kind == Arbitration::ISLIP ? MatchIslip(requests) : MatchRoundRobin(requests);
}

void
Arbiter::MatchOldest(std::vector<Request>& requests)
{
    std::sort(requests.begin(), requests.end(), [](const Request& a, const Request& b) {
        return std::tie(a.since, a.input, a.output) < std::tie(b.since, b.input, b.output);
    });
    std::fill(m_offered.begin(), m_offered.end(), NOBODY);
    const auto isTaken = [this](const Request& request) {
        if (m_taken[request.output] != 0 || m_offered[request.input] != NOBODY)
        {
            return true;
        }
        m_taken[request.output] = 1;
        m_offered[request.input] = request.output;
        return false;
    };
    requests.erase(std::remove_if(requests.begin(), requests.end(), isTaken), requests.end());
}

std::uint32_t
Arbiter::NextInput(std::uint32_t output) const
{
    const std::uint64_t* row = &m_asks[std::size_t{output} * m_words];
    const std::uint32_t first = m_grant[output];
    const std::uint32_t word = first / BITS;
    const std::uint64_t from = ~std::uint64_t{0} << first % BITS;
    for (std::uint32_t i = 0; i <= m_words; ++i) // the first word twice: its end, then its start
    {
        const std::uint32_t at = (word + i) % m_words;
        std::uint64_t bits = row[at] & m_free[at];
        bits &= i == 0 ? from : i == m_words ? ~from : ~std::uint64_t{0};
        if (bits != 0)
        {
            return at * BITS + static_cast<std::uint32_t>(__builtin_ctzll(bits));
        }
    }
    return NOBODY;
}

void
Arbiter::Take(std::uint32_t input, std::uint32_t output)
{
    m_taken[output] = 1;
    m_free[input / BITS] &= ~(std::uint64_t{1} << input % BITS);
}

void
Arbiter::MatchRoundRobin(std::vector<Request>& granted)
{
    for (std::uint32_t i = 0; i < m_outputs; ++i)
    {
        const std::uint32_t output = (m_turn + i) % m_outputs;
        const std::uint32_t input = NextInput(output);
        if (input != NOBODY)
        {
            Take(input, output);
            m_grant[output] = (input + 1) % m_inputs;
            granted.push_back({input, output, 0});
        }
    }
    m_turn = (m_turn + 1) % m_outputs;
}

void
Arbiter::MatchIslip(std::vector<Request>& granted)
{
    for (std::uint32_t i = 0; i < m_iterations && Round(i == 0, granted); ++i)
    {
    }
}

bool
Arbiter::Round(bool isFirst, std::vector<Request>& granted)
{
    std::fill(m_offered.begin(), m_offered.end(), NOBODY);
    for (std::uint32_t output = 0; output < m_outputs; ++output)
    {
        const std::uint32_t input = m_taken[output] != 0 ? NOBODY : NextInput(output);
        if (input == NOBODY)
        {
            continue;
        }
        std::uint32_t& best = m_offered[input];
        const std::uint32_t first = m_accept[input];
        if (best == NOBODY || Distance(output, first, m_outputs) < Distance(best, first, m_outputs))
        {
            best = output;
        }
    }
    bool any = false;
    for (std::uint32_t input = 0; input < m_inputs; ++input)
    {
        const std::uint32_t output = m_offered[input];
        if (output == NOBODY)
        {
            continue;
        }
        any = true;
        Take(input, output);
        granted.push_back({input, output, 0});
        if (isFirst) // moving pointers in later rounds would cause starvation
        {
            m_grant[output] = (input + 1) % m_inputs;
            m_accept[input] = (output + 1) % m_outputs;
        }
    }
    return any;
}

} // namespace via
} // namespace ns3
