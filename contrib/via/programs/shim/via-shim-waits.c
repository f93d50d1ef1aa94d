/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
/* Waits of VIPL end early, with VIP_TIMEOUT, when the timer of signals expires: handlers run, and
 * the wait goes on. */

#include "via-shim-signals.h"

#include <vipl.h>

#define PS_PER_MS INT64_C(1000000000)

int64_t via_shim_wait_end = INT64_MAX;

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

/* Timeouts have whole milliseconds only, so that the library is told the instant. */
static void
SetEnd(int64_t end)
{
    const int64_t now = Now();
    via_shim_wait_end = end > now ? end : now; /* it may have passed while a handler ran */
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
            SetEnd(end);                                                                           \
            result = __real_##name(__VA_ARGS__);                                                   \
            via_shim_wait_end = INT64_MAX; /* if the call was refused */                           \
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
