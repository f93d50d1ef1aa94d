/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
// The cells that a wire has been given and that have not left yet.

#ifndef VIA_LINK_BACKLOG_H
#define VIA_LINK_BACKLOG_H

#include "ns3/via-ring.h"
#include "ns3/via-time.h"

#include <cstdint>
#include <utility>

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

/// What has left on a wire.
struct LinkTally
{
    std::uint64_t cells{0};
    std::uint64_t bytes{0};
};

/// The tally of a wire at each departure that is known.
class LinkDepartures
{
  public:
    /// @param before what has left so far
    explicit LinkDepartures(const LinkTally& before)
        : m_last(before)
    {
    }

    /// The last bit of a cell leaves at @p end; then @p tally has left.
    void Add(Ps end, const LinkTally& tally, Ps now)
    {
        By(now);
        m_ahead.Push({end, tally});
    }

    /// The tally at @p now. What it knew by a later instant, it still knows.
    const LinkTally& By(Ps now)
    {
        while (!m_ahead.IsEmpty() && m_ahead.Front().first <= now)
        {
            m_last = m_ahead.Front().second;
            m_ahead.Pop();
        }
        return m_last;
    }

  private:
    Ring<std::pair<Ps, LinkTally>> m_ahead; ///< in the order of time
    LinkTally m_last;
};

} // namespace via
} // namespace ns3

#endif // VIA_LINK_BACKLOG_H
