/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
// Simulated time: integer picoseconds since the start of the run.

#ifndef VIA_TIME_H
#define VIA_TIME_H

#include <cstdint>
#include <limits>

namespace ns3
{
namespace via
{

/// A simulated instant or duration in picoseconds. 2^63 ps are 106 days.
using Ps = std::int64_t;

/// Later than every instant a run can reach: "nothing is scheduled".
constexpr Ps PS_NEVER = std::numeric_limits<Ps>::max();

constexpr Ps PS_PER_NS = 1'000;
constexpr Ps PS_PER_US = 1'000'000;
constexpr Ps PS_PER_MS = 1'000'000'000;
constexpr Ps PS_PER_SECOND = 1'000'000'000'000;

} // namespace via
} // namespace ns3

#endif // VIA_TIME_H
