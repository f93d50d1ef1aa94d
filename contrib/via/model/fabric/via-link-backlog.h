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
    /// The last bit of a cell leaves at @p end.
    void Add(Ps end)
    {
        m_leaving.Push(end);
    }

    /// Cells that have not left at @p now, which never decreases.
    std::uint32_t CellsAt(Ps now)
    {
        while (!m_leaving.IsEmpty() && m_leaving.Front() <= now)
        {
            m_leaving.Pop();
        }
        return m_leaving.Size();
    }

  private:
    InlineRing<Ps, 2> m_leaving; ///< in the order of time
};

} // namespace via
} // namespace ns3

#endif // VIA_LINK_BACKLOG_H
