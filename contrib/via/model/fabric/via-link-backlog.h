/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
// The cells that a wire has been given and that have not left yet.

#ifndef VIA_LINK_BACKLOG_H
#define VIA_LINK_BACKLOG_H

#include "ns3/via-ring.h"
#include "ns3/via-time.h"

#include <cstdint>

namespace ns3
{
namespace via
{

/**
 * @brief Counts the cells that have a departure time in the future.
 *
 * So what a switch sees at an instant does not depend on how early departures are known.
 */
class LinkBacklog
{
  public:
    /// @p cells cells leave one after another; the last bit of the last one leaves at @p end.
    void Add(std::uint32_t cells, Ps end)
    {
        m_leaving.Push({end, cells});
        m_cells += cells;
    }

    /// Cells that have not left at @p now, which never decreases. @param cellTime of one cell
    std::uint64_t CellsAt(Ps now, Ps cellTime)
    {
        while (!m_leaving.IsEmpty() && m_leaving.Front().end <= now)
        {
            m_cells -= m_leaving.Front().cells;
            m_leaving.Pop();
        }
        if (m_leaving.IsEmpty())
        {
            return 0;
        }
        Leaving& first = m_leaving.Front();
        if (first.cells == 1)
        {
            return m_cells; // it has not left, and the division costs more than the rest
        }
        const auto left = static_cast<std::uint64_t>((first.end - now + cellTime - 1) / cellTime);
        if (left < first.cells)
        {
            m_cells -= first.cells - left;
            first.cells = static_cast<std::uint32_t>(left);
        }
        return m_cells;
    }

  private:
    /// Cells that leave one after another.
    struct Leaving
    {
        Ps end;
        std::uint32_t cells;
    };

    Ring<Leaving, 2> m_leaving; ///< in the order of time
    std::uint64_t m_cells{0};
};

} // namespace via
} // namespace ns3

#endif // VIA_LINK_BACKLOG_H
