/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
// How long a call of VIPL may wait.

#ifndef VIPL_TIMEOUT_HPP
#define VIPL_TIMEOUT_HPP

#include <chrono>
#include <vipl.h>

namespace vipl
{

/// VIPL counts milliseconds. Finer durations have to be rounded by the caller.
using Timeout = std::chrono::milliseconds;

/// Waits until something happens.
inline constexpr Timeout FOREVER = Timeout::max();

/// What VIPL is told: less than nothing is nothing, 2^32 - 1 and more is VIP_INFINITE.
constexpr VIP_ULONG
Milliseconds(Timeout timeout) noexcept
{
    if (timeout.count() < 0)
    {
        return 0;
    }
    return timeout.count() < static_cast<Timeout::rep>(VIP_INFINITE)
               ? static_cast<VIP_ULONG>(timeout.count())
               : VIP_INFINITE;
}

} // namespace vipl

#endif // VIPL_TIMEOUT_HPP
