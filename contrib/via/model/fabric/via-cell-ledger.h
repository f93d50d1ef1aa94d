/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
// Counts cells by time, from news that may lie ahead.

#ifndef VIA_CELL_LEDGER_H
#define VIA_CELL_LEDGER_H

#include "ns3/via-time.h"

#include <cstdint>
#include <functional>
#include <queue>
#include <vector>

namespace ns3
{
namespace via
{

/// Counts cells by time. What it is told may lie ahead.
class CellLedger
{
  public:
    /// Counts @p cells that were there before the first look.
    void Start(std::uint64_t cells)
    {
        m_counted += cells;
    }

    /// Counts @p cells at @p at.
    void Add(std::uint64_t cells, Ps at)
    {
        for (std::uint64_t i = 0; i < cells; ++i)
        {
            m_ahead.push(at);
        }
    }

    /// Cells so far at @p instant, which is no earlier than the last time.
    std::uint64_t By(Ps instant)
    {
        for (; !m_ahead.empty() && m_ahead.top() <= instant; m_ahead.pop())
        {
            ++m_counted;
        }
        return m_counted;
    }

  private:
    std::priority_queue<Ps, std::vector<Ps>, std::greater<>> m_ahead;
    std::uint64_t m_counted{0};
};

} // namespace via
} // namespace ns3

#endif // VIA_CELL_LEDGER_H
