/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
/* alarm, setitimer, masks and signals to oneself, in simulated time. */

#define _GNU_SOURCE
#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <sys/time.h>
#include <time.h>
#include <unistd.h>

static volatile sig_atomic_t s_caught;

static void
Catch(int number)
{
    s_caught += number == SIGALRM;
}

static long
Microseconds(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return now.tv_sec * 1000000 + now.tv_nsec / 1000;
}

static void
Arm(long first, long interval)
{
    const struct itimerval timer = {{0, interval}, {0, first}};
    setitimer(ITIMER_REAL, &timer, NULL);
}

int
main(void)
{
    struct itimerval rest;
    sigset_t alarms;
    sigset_t none;
    int number = 0;
    long begin = Microseconds();
    unsigned left;
    signal(SIGALRM, Catch);
    alarm(2);
    left = sleep(5);
    printf("sleep left %u after %ld ms, caught %d\n",
           left,
           (Microseconds() - begin) / 1000,
           s_caught);
    Arm(100, 0);
    begin = Microseconds();
    while (s_caught == 1)
    {
    }
    printf("a loop ends after %d\n", (int)((Microseconds() - begin) / 10 * 10));
    Arm(50, 50);
    printf("pause %d", pause());
    printf(" %d", pause());
    printf(" errno %d caught %d\n", errno == EINTR, s_caught);
    sigemptyset(&none);
    sigemptyset(&alarms);
    sigaddset(&alarms, SIGALRM);
    sigprocmask(SIG_BLOCK, &alarms, NULL);
    usleep(120);
    sigpending(&none);
    printf("masked %d pending %d", s_caught, sigismember(&none, SIGALRM));
    Arm(0, 0);
    sigprocmask(SIG_UNBLOCK, &alarms, NULL);
    printf(" unmasked %d\n", s_caught);
    sigprocmask(SIG_BLOCK, &alarms, NULL);
    Arm(30, 0);
    printf("sigwait %d", sigwait(&alarms, &number));
    printf(" %d\n", number == SIGALRM && s_caught == 5);
    printf("getitimer %d", getitimer(ITIMER_REAL, &rest));
    printf(" %ld, profiling %d\n", rest.it_value.tv_usec, getitimer(ITIMER_PROF, &rest));
    alarm(1);
    sigprocmask(SIG_UNBLOCK, &alarms, NULL);
    signal(SIGALRM, SIG_DFL);
    pause();
    return 0;
}
