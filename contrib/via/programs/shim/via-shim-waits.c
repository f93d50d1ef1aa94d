/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
/* Waits of VIPL end early, with VIP_TIMEOUT, when the timer of signals expires: handlers run, and
 * the wait goes on. */

#include "via-shim-signals.h"

#include <vipl.h>

#define PS_PER_MS INT64_C(1000000000)

static int64_t
Now(void)
{
    return VIA_CALL(clock, VIA_CLOCK_STANDING);
}

static int64_t
EndOf(VIP_ULONG timeout)
{
    const int64_t now = Now();
    return timeout == VIP_INFINITE || timeout >= (VIP_ULONG)((INT64_MAX - now) / PS_PER_MS)
               ? INT64_MAX
               : now + (int64_t)timeout * PS_PER_MS;
}

/* What is left until an instant, in whole milliseconds; 0: it has passed while a handler ran. */
static VIP_ULONG
Left(int64_t end)
{
    const int64_t now = Now();
    if (end == INT64_MAX)
    {
        return VIP_INFINITE;
    }
    return now >= end ? 0 : (VIP_ULONG)((end - now + PS_PER_MS - 1) / PS_PER_MS);
}

#define WAITS(name, parameters, ...)                                                               \
    VIP_RETURN __real_##name parameters;                                                           \
    VIP_RETURN __wrap_##name parameters                                                            \
    {                                                                                              \
        const int64_t end = via_shim_timer == INT64_MAX ? 0 : EndOf(timeout);                      \
        VIP_RETURN result = __real_##name(__VA_ARGS__);                                            \
        while (result == VIP_TIMEOUT && Now() < end)                                               \
        {                                                                                          \
            via_shim_deliver();                                                                    \
            timeout = Left(end);                                                                   \
            result = __real_##name(__VA_ARGS__);                                                   \
        }                                                                                          \
        return result;                                                                             \
    }

WAITS(VipSendWait,
      (VIP_VI_HANDLE vi, VIP_ULONG timeout, VIP_DESCRIPTOR** descriptor),
      vi,
      timeout,
      descriptor)
WAITS(VipRecvWait,
      (VIP_VI_HANDLE vi, VIP_ULONG timeout, VIP_DESCRIPTOR** descriptor),
      vi,
      timeout,
      descriptor)
WAITS(VipCQWait,
      (VIP_CQ_HANDLE cq, VIP_ULONG timeout, VIP_VI_HANDLE* vi, VIP_BOOLEAN* receive),
      cq,
      timeout,
      vi,
      receive)
