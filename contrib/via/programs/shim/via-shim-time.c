/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
/* Clocks and sleeping, in simulated time. Local time is UTC, so that runs do not depend on the
 * machine. */

#define _GNU_SOURCE
#include "via-shim-signals.h"
#include "via-shim-thread.h"

#include <errno.h>
#include <stddef.h>
#include <sys/time.h>
#include <sys/times.h>
#include <time.h>
#include <unistd.h>

#define PS_PER_SECOND INT64_C(1000000000000)
#define PS_PER_US INT64_C(1000000)
#define PS_PER_NS INT64_C(1000)
#define NS_PER_SECOND INT64_C(1000000000)
#define FOREVER INT64_MAX

static int64_t
Now(void)
{
    const int64_t now = VIA_CALL(clock, VIA_CLOCK_SIMULATED);
    if (now >= via_shim_timer || ViaSelf()->pending.__val[0])
    {
        via_shim_deliver();
    }
    return now;
}

/* Adds without overflow: a span longer than any run lasts forever. Returns what is left if a
 * handler of a signal has run, else 0. */
static int64_t
SleepFor(int64_t seconds, int64_t rest)
{
    int64_t now = Now();
    int64_t span = seconds >= FOREVER / PS_PER_SECOND ? FOREVER : seconds * PS_PER_SECOND;
    span = span > FOREVER - rest ? FOREVER : span + rest;
    now = span > FOREVER - now ? FOREVER : now + span;
    if (!via_shim_sleep_until(now))
    {
        return 0;
    }
    span = now - VIA_CALL(clock, VIA_CLOCK_STANDING);
    return span > 0 ? span : 1;
}

/* The result of a call that sleeps, by what is left. */
static int
Slept(int64_t left)
{
    if (left == 0)
    {
        return 0;
    }
    errno = EINTR;
    return -1;
}

static void
ToTimespec(int64_t ps, int64_t epoch, struct timespec* out)
{
    out->tv_sec = (time_t)(epoch + ps / PS_PER_SECOND);
    out->tv_nsec = (long)(ps % PS_PER_SECOND / PS_PER_NS);
}

int
__wrap_gettimeofday(struct timeval* now, void* zone)
{
    int64_t ps = Now();
    now->tv_sec = (time_t)(VIA_EPOCH_SECONDS + ps / PS_PER_SECOND);
    now->tv_usec = (suseconds_t)(ps % PS_PER_SECOND / PS_PER_US);
    if (zone)
    {
        ((struct timezone*)zone)->tz_minuteswest = 0;
        ((struct timezone*)zone)->tz_dsttime = 0;
    }
    return 0;
}

/* The clock of a thread: a number below 0 that says which, as on Linux. */
#define THREAD_CLOCK(number) ((clockid_t)(~(int)(number)*8 + 6))
#define THREAD_OF_CLOCK(which) ((uint32_t) ~((int)(which) >> 3))
#define IS_THREAD_CLOCK(which) ((which) < 0 && ((which)&7) == 6)

/* @return 0, -1 with EINVAL: there is no such thread */
static int
ReadThreadClock(uint32_t number, struct timespec* now)
{
    const struct ViaThread* thread = &via_shim_main_thread;
    while (thread && (thread->number != number || thread->ended))
    {
        thread = thread->other;
    }
    if (!thread && number != via_shim_handler_thread.number)
    {
        return ViaFail(EINVAL);
    }
    ToTimespec(VIA_CALL(thread_time, number, 0), 0, now);
    return 0;
}

int
__wrap_clock_gettime(clockid_t which, struct timespec* now)
{
    if (IS_THREAD_CLOCK(which))
    {
        return ReadThreadClock(THREAD_OF_CLOCK(which), now);
    }
    switch (which)
    {
    case CLOCK_REALTIME:
    case CLOCK_REALTIME_COARSE:
    case CLOCK_TAI:
        ToTimespec(Now(), VIA_EPOCH_SECONDS, now);
        return 0;
    case CLOCK_MONOTONIC:
    case CLOCK_MONOTONIC_RAW:
    case CLOCK_MONOTONIC_COARSE:
    case CLOCK_BOOTTIME:
        ToTimespec(Now(), 0, now);
        return 0;
    case CLOCK_PROCESS_CPUTIME_ID:
        ToTimespec(VIA_CALL(clock, VIA_CLOCK_CPU), 0, now);
        return 0;
    case CLOCK_THREAD_CPUTIME_ID:
        ToTimespec(VIA_CALL(thread_time, ViaSelf()->number, 0), 0, now);
        return 0;
    default:
        errno = EINVAL;
        return -1;
    }
}

int
__wrap_clock_getres(clockid_t which, struct timespec* resolution)
{
    struct timespec now;
    if (__wrap_clock_gettime(which, &now) != 0)
    {
        return -1;
    }
    if (resolution)
    {
        resolution->tv_sec = 0;
        resolution->tv_nsec = 1;
    }
    return 0;
}

int
__wrap_timespec_getres(struct timespec* resolution, int base)
{
    if (base != TIME_UTC)
    {
        return 0;
    }
    return __wrap_clock_getres(CLOCK_REALTIME, resolution) == 0 ? base : 0;
}

int
__wrap_clock_getcpuclockid(pid_t process, clockid_t* which)
{
    if (process != 0 && process != VIA_CALL(process_id))
    {
        return ESRCH;
    }
    *which = CLOCK_PROCESS_CPUTIME_ID;
    return 0;
}

int
__wrap_pthread_getcpuclockid(pthread_t name, clockid_t* which)
{
    const struct ViaThread* const thread = via_shim_find_thread(name);
    if (!thread || thread->ended)
    {
        return ESRCH;
    }
    *which = THREAD_CLOCK(thread->number);
    return 0;
}

int
__wrap_timespec_get(struct timespec* now, int base)
{
    if (base != TIME_UTC)
    {
        return 0;
    }
    ToTimespec(Now(), VIA_EPOCH_SECONDS, now);
    return base;
}

time_t
__wrap_time(time_t* out)
{
    time_t now = (time_t)(VIA_EPOCH_SECONDS + Now() / PS_PER_SECOND);
    if (out)
    {
        *out = now;
    }
    return now;
}

clock_t
__wrap_clock(void)
{
    return (clock_t)(VIA_CALL(clock, VIA_CLOCK_CPU) / (PS_PER_SECOND / CLOCKS_PER_SEC));
}

clock_t
__wrap_times(struct tms* used)
{
    const int64_t tick = PS_PER_SECOND / sysconf(_SC_CLK_TCK);
    if (used)
    {
        const int64_t system = VIA_CALL(clock, VIA_CLOCK_SYSTEM);
        used->tms_utime = (clock_t)((VIA_CALL(clock, VIA_CLOCK_CPU) - system) / tick);
        used->tms_stime = (clock_t)(system / tick);
        used->tms_cutime = used->tms_cstime = 0;
    }
    return (clock_t)(Now() / tick);
}

unsigned int
__wrap_sleep(unsigned int seconds)
{
    const int64_t left = SleepFor(seconds, 0);
    Slept(left);
    return (unsigned int)((left + PS_PER_SECOND / 2) / PS_PER_SECOND);
}

int
__wrap_usleep(useconds_t microseconds)
{
    return Slept(SleepFor(0, microseconds * PS_PER_US));
}

static int
IsInvalid(const struct timespec* span)
{
    return span->tv_sec < 0 || span->tv_nsec < 0 || span->tv_nsec >= NS_PER_SECOND;
}

int
__wrap_nanosleep(const struct timespec* span, struct timespec* left)
{
    int64_t rest;
    if (IsInvalid(span))
    {
        errno = EINVAL;
        return -1;
    }
    rest = SleepFor(span->tv_sec, span->tv_nsec * PS_PER_NS);
    if (rest != 0 && left)
    {
        ToTimespec(rest, 0, left);
    }
    return Slept(rest);
}

int
__wrap_clock_nanosleep(clockid_t which,
                       int flags,
                       const struct timespec* when,
                       struct timespec* left)
{
    int64_t seconds;
    int64_t now;
    int64_t unslept = 0;
    if (IsInvalid(when))
    {
        return EINVAL;
    }
    if (!(flags & TIMER_ABSTIME))
    {
        unslept = SleepFor(when->tv_sec, when->tv_nsec * PS_PER_NS);
        if (unslept != 0 && left)
        {
            ToTimespec(unslept, 0, left);
        }
        return unslept != 0 ? EINTR : 0;
    }
    now = Now();
    seconds = when->tv_sec - (which == CLOCK_REALTIME ? VIA_EPOCH_SECONDS : 0);
    if (seconds >= now / PS_PER_SECOND)
    {
        int64_t from = seconds - now / PS_PER_SECOND;
        int64_t rest = when->tv_nsec * PS_PER_NS - now % PS_PER_SECOND;
        if (from > 0 || rest > 0)
        {
            unslept = SleepFor(rest < 0 ? from - 1 : from, rest < 0 ? rest + PS_PER_SECOND : rest);
        }
    }
    return unslept != 0 ? EINTR : 0;
}

/* select and poll without descriptors: the classic ways to sleep a fraction of a second. */
int
via_shim_nap(int64_t seconds, int64_t rest)
{
    return Slept(SleepFor(seconds, rest));
}

int
__wrap_sched_yield(void)
{
    VIA_CALL(yield);
    via_shim_deliver();
    return 0;
}
