/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
// Lets an external monitor inspect a run, and end it on request or when nothing makes progress.

#include "via-run-control.h"

#include <algorithm>
#include <utility>

namespace ns3
{
namespace via
{

RunControl::Watch::Watch(RunMonitor& monitor, std::uint32_t seconds)
    : m_outer(std::exchange(s_monitor, &monitor)),
      m_outerLimit(std::exchange(s_limit, seconds * 1000 / TICK_MS))
{
    s_asked = 0;
    s_idle = 0;
    s_standstill = {};
}

RunControl::Watch::~Watch()
{
    s_monitor = m_outer;
    s_limit = m_outerLimit;
    s_asked = 0;
}

bool
RunControl::Answer()
{
    s_asked = 0; // first: a tick that comes while the monitor decides is a new request
    if (s_standstill.target == nullptr && (s_monitor == nullptr || s_monitor->GoesOn()))
    {
        return true;
    }
    s_asked = 1; // every other check must see it, too
    return false;
}

bool
RunControl::IsIdle(Ps now, Ps clock)
{
    const bool moved = now != s_now || clock > s_clock;
    s_clock = now == s_now ? std::max(clock, s_clock) : clock;
    s_now = now;
    s_idle = moved ? 0 : s_idle + 1;
    return s_limit > 0 && s_idle > s_limit;
}

} // namespace via
} // namespace ns3
