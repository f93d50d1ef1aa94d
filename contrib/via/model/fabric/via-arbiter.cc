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

constexpr std::uint32_t NOBODY = IndexSet::NONE;

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
      m_grant(outputs, 0),
      m_accept(inputs, 0),
      m_asked(outputs),
      m_free(inputs),
      m_taken(outputs, 0),
      m_offered(inputs, NOBODY)
{
    if (kind != Arbitration::OLDEST_FIRST)
    {
        m_asks.assign(outputs, IndexSet(inputs));
    }
}

void
Arbiter::Match(std::vector<Request>& requests)
{
    if (m_kind == Arbitration::OLDEST_FIRST)
    {
        if (requests.size() > 1)
        {
            MatchOldest(requests);
        }
        return;
    }
    std::fill(m_taken.begin(), m_taken.end(), 0);
    for (const Request& request : requests)
    {
        m_asks[request.output].Add(request.input);
        m_asked.Add(request.output);
        m_free.Add(request.input);
    }
    requests.clear();
    m_kind == Arbitration::ISLIP ? MatchIslip(requests) : MatchRoundRobin(requests);
    for (auto output = m_asked.Next(0); output != NOBODY; output = m_asked.Next(output + 1))
    {
        m_asks[output].Clear();
    }
    m_asked.Clear();
    m_free.Clear();
}

void
Arbiter::MatchOldest(std::vector<Request>& requests)
{
    std::sort(requests.begin(), requests.end(), [](const Request& a, const Request& b) {
        return std::tie(a.since, a.input, a.output) < std::tie(b.since, b.input, b.output);
    });
    std::fill(m_taken.begin(), m_taken.end(), 0);
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
    const IndexSet& asks = m_asks[output];
    const std::uint32_t input = asks.NextInBoth(m_grant[output], m_free);
    return input != NOBODY ? input : asks.NextInBoth(0, m_free);
}

void
Arbiter::Take(std::uint32_t input, std::uint32_t output)
{
    m_taken[output] = 1;
    m_free.Remove(input);
}

void
Arbiter::MatchRoundRobin(std::vector<Request>& granted)
{
    const auto choose = [this, &granted](std::uint32_t output) {
        const std::uint32_t input = NextInput(output);
        if (input != NOBODY)
        {
            Take(input, output);
            m_grant[output] = (input + 1) % m_inputs;
            granted.push_back({input, output, 0});
        }
    };
    for (auto output = m_asked.Next(m_turn); output != NOBODY; output = m_asked.Next(output + 1))
    {
        choose(output);
    }
    for (auto output = m_asked.Next(0); output < m_turn; output = m_asked.Next(output + 1))
    {
        choose(output);
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
    for (auto output = m_asked.Next(0); output != NOBODY; output = m_asked.Next(output + 1))
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
