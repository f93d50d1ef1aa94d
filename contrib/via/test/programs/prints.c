/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
/* Computes for different times, and prints the time in between. */

#include <stdio.h>
#include <stdlib.h>
#include <time.h>
#include <unistd.h>

int
main(int argc, char** argv)
{
    const int times = argc > 1 ? atoi(argv[1]) : 40;
    const int own = getpid();
    int i;
    for (i = 0; i < times; i++)
    {
        volatile int sum = 0;
        struct timespec now;
        int n;
        for (n = (own * 29 + i * 13) % 97 * 20; n > 0; n--)
        {
            sum += n;
        }
        clock_gettime(CLOCK_MONOTONIC, &now);
        printf("%ld by %d\n", now.tv_sec * 1000000000L + now.tv_nsec, own);
    }
    printf("unfinished");
    return 0;
}
