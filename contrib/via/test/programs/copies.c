/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
/* Copies argv[1] bytes in each of the ways there are; prints what each took, in nanoseconds. */

#define _GNU_SOURCE
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <time.h>

static long long
Now(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return now.tv_sec * 1000000000LL + now.tv_nsec;
}

struct pair
{
    long long a, b;
};

int
main(int argc, char** argv)
{
    const size_t bytes = (size_t)(argc > 1 ? atol(argv[1]) : 0);
    char* from = calloc(1, bytes + 64);
    char* to = calloc(1, bytes + 64);
    struct pair one = {1, 2};
    struct pair other = {3, 4};
    volatile int same = 0;
    long long start = Now();
    printf("%lld", Now() - start);
#define TIMED(what)                                                                                \
    start = Now();                                                                                 \
    what;                                                                                          \
    printf(" %lld", Now() - start)
    TIMED(memcpy(to, from, bytes));
    TIMED(memmove(to + 1, to, bytes));
    TIMED(memset(to, argc, bytes));
    TIMED(same += memcmp(to, from, bytes));
    TIMED(bcopy(from, to, bytes));
    TIMED(bzero(to, bytes));
    TIMED(same += mempcpy(to, from, bytes) == to + bytes);
    TIMED(memcpy(&one, &other, sizeof(one))); /* the compiler's own work */
    printf(" %d\n", one.a == 3 && one.b == 4 && same != 0 && to[bytes] == 0);
    free(from);
    free(to);
    return 0;
}
