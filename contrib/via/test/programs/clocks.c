/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
/* Reads every clock before and after each way to sleep. */

#include <poll.h>
#include <stdio.h>
#include <sys/select.h>
#include <sys/time.h>
#include <time.h>
#include <unistd.h>

static long
Milliseconds(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return now.tv_sec * 1000 + now.tv_nsec / 1000000;
}

int
main(void)
{
    struct timeval now;
    struct timeval tenth = {0, 100000};
    struct timespec half = {0, 500000000};
    struct timespec until = {9, 250000000};
    time_t seconds;
    printf("start %ld\n", Milliseconds());
    sleep(3);
    printf("sleep %ld\n", Milliseconds());
    usleep(250000);
    printf("usleep %ld\n", Milliseconds());
    nanosleep(&half, NULL);
    printf("nanosleep %ld\n", Milliseconds());
    select(0, NULL, NULL, NULL, &tenth);
    printf("select %ld\n", Milliseconds());
    poll(NULL, 0, 150);
    printf("poll %ld\n", Milliseconds());
    clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &until, NULL);
    printf("until %ld\n", Milliseconds());
    clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &half, NULL);
    printf("past %ld\n", Milliseconds());
    gettimeofday(&now, NULL);
    printf("wall %ld.%06ld\n", (long)now.tv_sec, (long)now.tv_usec);
    printf("cpu %ld\n", (long)clock());
    seconds = time(NULL);
    printf("local %s", ctime(&seconds));
    return 0;
}
