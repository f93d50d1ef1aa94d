/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
/* The timer of alarm, ualarm and setitimer, in simulated time. The process looks at it when it
 * makes a call or loops, see via_shim_deliver. A thread that waits has a deadline there, if the
 * timer ran when its wait began; otherwise via_shim_tell_of_timer ends the wait. */

#define _GNU_SOURCE
#include "via-shim-signals.h"

#include <errno.h>
#include <sys/time.h>
#include <unistd.h>

#define PS_PER_SECOND INT64_C(1000000000000)
#define PS_PER_US INT64_C(1000000)

int64_t via_shim_timer = INT64_MAX;
static int64_t s_interval; /* 0: it expires once */

static int64_t
Now(void)
{
    return VIA_CALL(clock, VIA_CLOCK_STANDING);
}

int
via_shim_timer_expires(void)
{
    if (via_shim_timer > Now())
    {
        return 0;
    }
    via_shim_timer = s_interval == 0 ? INT64_MAX : via_shim_timer + s_interval;
    if (s_interval != 0 && via_shim_timer <= Now()) /* several have passed: they are one */
    {
        via_shim_timer += (Now() - via_shim_timer) / s_interval * s_interval + s_interval;
    }
    return 1;
}

static struct timeval
ToTimeval(int64_t ps)
{
    const struct timeval value = {ps / PS_PER_SECOND, ps % PS_PER_SECOND / PS_PER_US};
    return value;
}

static int64_t
FromTimeval(const struct timeval* value)
{
    return value->tv_sec >= INT64_MAX / PS_PER_SECOND / 2
               ? INT64_MAX / 2
               : value->tv_sec * PS_PER_SECOND + value->tv_usec * PS_PER_US;
}

static int64_t
Remaining(void)
{
    const int64_t now = Now();
    return via_shim_timer == INT64_MAX ? 0 : via_shim_timer > now ? via_shim_timer - now : 1;
}

static void
StartTimer(int64_t span, int64_t interval)
{
    const int64_t most = INT64_MAX - 1 - Now();
    via_shim_timer = span == 0 ? INT64_MAX : Now() + (span < most ? span : most);
    s_interval = interval;
    via_shim_tell_of_timer();
}

unsigned int
__wrap_alarm(unsigned int seconds)
{
    const int64_t left = Remaining();
    const int64_t most = INT64_MAX / PS_PER_SECOND; /* simulated time has no more */
    StartTimer((seconds < most ? seconds : most) * PS_PER_SECOND, 0);
    return (unsigned int)((left + PS_PER_SECOND - 1) / PS_PER_SECOND);
}

useconds_t
__wrap_ualarm(useconds_t first, useconds_t interval)
{
    const int64_t left = Remaining();
    StartTimer(first * PS_PER_US, interval * PS_PER_US);
    return (useconds_t)(left / PS_PER_US);
}

int
__wrap_getitimer(__itimer_which_t which, struct itimerval* value)
{
    if (which != ITIMER_REAL)
    {
        return ViaFail(EINVAL); /* there is no signal for CPU time */
    }
    value->it_value = ToTimeval(Remaining());
    value->it_interval = ToTimeval(s_interval);
    return 0;
}

static int
IsInvalid(const struct timeval* value)
{
    return value->tv_sec < 0 || value->tv_usec < 0 || value->tv_usec >= 1000000;
}

int
__wrap_setitimer(__itimer_which_t which, const struct itimerval* value, struct itimerval* old)
{
    const struct itimerval none = {{0, 0}, {0, 0}};
    const struct itimerval* const wanted = value ? value : &none; /* as Linux */
    struct itimerval before;
    if (__wrap_getitimer(which, &before) != 0)
    {
        return -1;
    }
    if (IsInvalid(&wanted->it_value) || IsInvalid(&wanted->it_interval))
    {
        return ViaFail(EINVAL);
    }
    StartTimer(FromTimeval(&wanted->it_value), FromTimeval(&wanted->it_interval));
    if (old)
    {
        *old = before;
    }
    return 0;
}
