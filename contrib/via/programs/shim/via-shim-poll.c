/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
/* Waiting for several descriptors, or for none: select, poll, epoll. */

#define _GNU_SOURCE
#include "via-shim-descriptors.h"
#include "via-shim-signals.h"

#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/select.h>
#include <sys/time.h>
#include <time.h>

#define PS_PER_SECOND INT64_C(1000000000000)
#define PS_PER_MS INT64_C(1000000000)
#define PS_PER_US INT64_C(1000000)
#define PS_PER_NS INT64_C(1000)
#define FOREVER INT64_MAX

int via_shim_nap(int64_t seconds, int64_t rest);

/* The instant after a span from now; FOREVER stays. */
static int64_t
After(int64_t span)
{
    const int64_t now = VIA_CALL(clock, VIA_CLOCK_STANDING);
    return span > FOREVER - now ? FOREVER : now + span;
}

static int64_t
SpanOf(const struct timespec* limit)
{
    if (!limit)
    {
        return FOREVER;
    }
    return limit->tv_sec >= FOREVER / PS_PER_SECOND - 1
               ? FOREVER
               : limit->tv_sec * PS_PER_SECOND + limit->tv_nsec * PS_PER_NS;
}

/* @return whether it is no span of time, with EINVAL */
static int
IsInvalid(const struct timespec* limit)
{
    if (!limit || (limit->tv_sec >= 0 && limit->tv_nsec >= 0 && limit->tv_nsec < 1000000000))
    {
        return 0;
    }
    errno = EINVAL;
    return 1;
}

/* Sets the mask of a call that waits, if it has one. @return 1, with EINTR: that ran a handler */
static int
IsInterruptedBy(const sigset_t* mask, sigset_t* before)
{
    if (!mask || !via_shim_set_mask(mask, before))
    {
        return 0;
    }
    errno = EINTR;
    return 1;
}

/* Sets the mask again that was there before. @return the result of the call */
static int
Unmask(int result, const sigset_t* mask, const sigset_t* before)
{
    if (mask)
    {
        via_shim_set_mask(before, NULL);
    }
    return result;
}

static int
Poll(struct pollfd* list, nfds_t count, int64_t span)
{
    const int64_t arguments[] = {VIA_POINTER(list), (int64_t)count, After(span)};
    return (int)via_shim_system_once(VIA_POLL, arguments);
}

int
__wrap_poll(struct pollfd* list, nfds_t count, int milliseconds)
{
    if (count == 0 && milliseconds >= 0)
    {
        return via_shim_nap(0, milliseconds * PS_PER_MS);
    }
    return Poll(list, count, milliseconds < 0 ? FOREVER : milliseconds * PS_PER_MS);
}

int
__wrap___poll_chk(struct pollfd* list, nfds_t count, int milliseconds, size_t room)
{
    (void)room;
    return __wrap_poll(list, count, milliseconds);
}

int
__wrap_ppoll(struct pollfd* list, nfds_t count, const struct timespec* limit, const sigset_t* mask)
{
    sigset_t before;
    int ready;
    if (IsInvalid(limit))
    {
        return -1;
    }
    ready = IsInterruptedBy(mask, &before) ? -1 : Poll(list, count, SpanOf(limit));
    return Unmask(ready, mask, &before);
}

int
__wrap___ppoll_chk(struct pollfd* list,
                   nfds_t count,
                   const struct timespec* limit,
                   const sigset_t* mask,
                   size_t room)
{
    (void)room;
    return __wrap_ppoll(list, count, limit, mask);
}

/* The entries of three sets as a list for poll. @return their number */
static nfds_t
List(int count, const fd_set* in, const fd_set* out, const fd_set* except, struct pollfd* list)
{
    nfds_t used = 0;
    int fd;
    for (fd = 0; fd < count; fd++)
    {
        const int events = (in && FD_ISSET(fd, in) ? POLLIN : 0) |
                           (out && FD_ISSET(fd, out) ? POLLOUT : 0) |
                           (except && FD_ISSET(fd, except) ? POLLPRI : 0);
        if (events)
        {
            list[used].fd = fd;
            list[used].events = (short)events;
            used++;
        }
    }
    return used;
}

static int
Keep(fd_set* set, int fd, int asked, int ready)
{
    if (set && asked && !ready)
    {
        FD_CLR(fd, set);
    }
    return asked && ready;
}

static int
Select(int count, fd_set* in, fd_set* out, fd_set* except, int64_t span)
{
    struct pollfd list[FD_SETSIZE];
    const nfds_t used = List(count < FD_SETSIZE ? count : FD_SETSIZE, in, out, except, list);
    int bits = 0;
    nfds_t i;
    if (count < 0)
    {
        errno = EINVAL;
        return -1;
    }
    if (Poll(list, used, span) < 0)
    {
        return -1;
    }
    for (i = 0; i < used; i++)
    {
        if (list[i].revents & POLLNVAL)
        {
            errno = EBADF;
            return -1;
        }
    }
    for (i = 0; i < used; i++)
    {
        const int now = list[i].revents;
        const int asked = list[i].events;
        bits += Keep(in, list[i].fd, asked & POLLIN, now & (POLLIN | POLLHUP | POLLERR));
        bits += Keep(out, list[i].fd, asked & POLLOUT, now & (POLLOUT | POLLERR));
        bits += Keep(except, list[i].fd, asked & POLLPRI, now & POLLPRI);
    }
    return bits;
}

int
__wrap_select(int count, fd_set* in, fd_set* out, fd_set* except, struct timeval* limit)
{
    const struct timespec given = {limit ? limit->tv_sec + limit->tv_usec / 1000000
                                         : 0, /* more microseconds are allowed */
                                   limit ? limit->tv_usec % 1000000 * 1000 : 0};
    const int64_t span = SpanOf(limit ? &given : NULL);
    const int64_t end = After(span);
    int bits;
    if (limit && IsInvalid(&given))
    {
        return -1;
    }
    bits = !in && !out && !except && limit ? via_shim_nap(given.tv_sec, given.tv_nsec * PS_PER_NS)
                                           : Select(count, in, out, except, span);
    if (limit) /* as Linux: what is left of the time */
    {
        const int64_t now = VIA_CALL(clock, VIA_CLOCK_STANDING);
        const int64_t left = end > now ? end - now : 0;
        limit->tv_sec = left / PS_PER_SECOND;
        limit->tv_usec = left % PS_PER_SECOND / PS_PER_US;
    }
    return bits;
}

int
__wrap_pselect(int count,
               fd_set* in,
               fd_set* out,
               fd_set* except,
               const struct timespec* limit,
               const sigset_t* mask)
{
    sigset_t before;
    int bits;
    if (IsInvalid(limit))
    {
        return -1;
    }
    bits = IsInterruptedBy(mask, &before) ? -1 : Select(count, in, out, except, SpanOf(limit));
    return Unmask(bits, mask, &before);
}

int
__wrap_epoll_create1(int flags)
{
    return (int)VIA_SYSTEM(VIA_EPOLL_CREATE, (flags & EPOLL_CLOEXEC) != 0);
}

int
__wrap_epoll_create(int size)
{
    if (size <= 0)
    {
        errno = EINVAL;
        return -1;
    }
    return __wrap_epoll_create1(0);
}

int
__wrap_epoll_ctl(int set, int operation, int fd, struct epoll_event* event)
{
    return (int)VIA_SYSTEM(VIA_EPOLL_CTL, set, operation, fd, VIA_POINTER(event));
}

static int
WaitForEvents(int set, struct epoll_event* list, int most, int64_t span)
{
    const int64_t arguments[] = {set, VIA_POINTER(list), most, After(span)};
    return (int)via_shim_system_once(VIA_EPOLL_WAIT, arguments);
}

int
__wrap_epoll_wait(int set, struct epoll_event* list, int most, int milliseconds)
{
    return WaitForEvents(set, list, most, milliseconds < 0 ? FOREVER : milliseconds * PS_PER_MS);
}

int
__wrap_epoll_pwait(int set,
                   struct epoll_event* list,
                   int most,
                   int milliseconds,
                   const sigset_t* mask)
{
    sigset_t before;
    const int ready =
        IsInterruptedBy(mask, &before) ? -1 : __wrap_epoll_wait(set, list, most, milliseconds);
    return Unmask(ready, mask, &before);
}

int
__wrap_epoll_pwait2(int set,
                    struct epoll_event* list,
                    int most,
                    const struct timespec* limit,
                    const sigset_t* mask)
{
    sigset_t before;
    int ready;
    if (IsInvalid(limit))
    {
        return -1;
    }
    ready = IsInterruptedBy(mask, &before) ? -1 : WaitForEvents(set, list, most, SpanOf(limit));
    return Unmask(ready, mask, &before);
}
