/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
/* User and system time: rank 1 computes, then sends to rank 0, which takes and waits. */

#define _GNU_SOURCE
#include "sockets.h"

#include <sys/resource.h>
#include <sys/times.h>

/* In microseconds. */
typedef struct
{
    long user, system, clock;
} Usage;

static Usage
Used(void)
{
    struct rusage usage;
    Usage used;
    getrusage(RUSAGE_SELF, &usage);
    used.clock = clock() * 1000000L / CLOCKS_PER_SEC;
    used.user = usage.ru_utime.tv_sec * 1000000L + usage.ru_utime.tv_usec;
    used.system = usage.ru_stime.tv_sec * 1000000L + usage.ru_stime.tv_usec;
    return used;
}

static Usage
Since(Usage before)
{
    const Usage now = Used();
    return (Usage){now.user - before.user, now.system - before.system, now.clock - before.clock};
}

static volatile long s_counter;

int
main(void)
{
    static char bytes[100000];
    const int fd = Rank() == 0 ? accept(Listen(PORT, 5), NULL, NULL) : Connect("n0", PORT);
    Usage before = Used();
    Usage used;
    struct tms ticks;
    struct rusage children;
    int i;
    for (i = 0; Rank() == 1 && i < 1000000; i++)
    {
        s_counter++;
    }
    used = Since(before);
    printf("computing: user %d system %d\n", used.user > 1000, used.system > 10);
    before = Used();
    for (i = 0; i < 200; i++)
    {
        Rank() == 0 ? recv(fd, bytes, sizeof(bytes), MSG_WAITALL)
                    : send(fd, bytes, sizeof(bytes), 0);
    }
    used = Since(before);
    printf("sockets: user below a tenth %d, system %d, sum %d\n",
           used.user * 10 < used.system,
           used.system > 100000,
           labs(used.user + used.system - used.clock) < 20);
    times(&ticks);
    used = Used();
    printf("ticks %d %d\n",
           labs(ticks.tms_stime * 10000 - used.system) <= 10000,
           labs(ticks.tms_utime * 10000 - used.user) <= 10000);
    getrusage(RUSAGE_CHILDREN, &children);
    assert(children.ru_stime.tv_sec == 0 && children.ru_stime.tv_usec == 0);
    return 0;
}
