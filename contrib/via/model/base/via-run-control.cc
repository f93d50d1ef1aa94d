/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
// How somebody outside looks in on a run, and ends it when he wants to or when nothing moves.

#include "via-run-control.h"

#include <algorithm>
#include <utility>

namespace ns3
{
namespace via
{

RunControl::Watch::Watch(Overseer& overseer, std::uint32_t seconds)
    : m_outer(std::exchange(s_overseer, &overseer)),
      m_outerLimit(std::exchange(s_limit, seconds * 1000 / TICK_MS))
{
    s_asked = 0;
    s_idle = 0;
    s_standstill = {};
}

RunControl::Watch::~Watch()
{
    s_overseer = m_outer;
    s_limit = m_outerLimit;
    s_asked = 0;
}

bool
RunControl::Answer()
{
    s_asked = 0; // first: a tick that comes while the overseer decides is another question
    if (s_standstill.target == nullptr && (s_overseer == nullptr || s_overseer->GoesOn()))
    {
        return true;
    }
    s_asked = 1; // all others are to hear it, too
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
