/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
// Timeouts of VIPL calls.

#ifndef VIPL_TIMEOUT_HPP
#define VIPL_TIMEOUT_HPP

#include <chrono>
#include <vipl.h>

namespace vipl
{

/// VIPL counts milliseconds. The caller must round finer durations.
using Timeout = std::chrono::milliseconds;

/// Never expires.
inline constexpr Timeout FOREVER = Timeout::max();

/// The value for VIPL: negative becomes 0; 2^32 - 1 and more becomes VIP_INFINITE.
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
