# SPDX-License-Identifier: GPL-2.0-only
"""Signals of C programs that arrive while a call waits."""

import pytest
import via

HEADERS = """
#define _GNU_SOURCE
#include <errno.h>
#include <poll.h>
#include <pthread.h>
#include <semaphore.h>
#include <setjmp.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/select.h>
#include <time.h>
#include <unistd.h>
#include <vipl.h>
static long ms(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return now.tv_sec * 1000 + now.tv_nsec / 1000000;
}
static void on(int number, void (*handler)(int), int flags)
{
    struct sigaction action = {.sa_handler = handler, .sa_flags = flags};
    sigaction(number, &action, NULL);
}
static volatile int caught;
static void count(int number)
{
    caught++;
}
"""


@pytest.fixture
def told(compile_c):
    """A function that runs a program and returns the lines that it prints."""

    def run(name, text, **given):
        program = compile_c(name, HEADERS + text)
        return via.Cluster(nodes=1).run_program(program, capture=True, **given).stdout.splitlines()

    return run


POLLS = """
int main(void)
{
    sigset_t alarms, before;
    struct pollfd one = {.events = POLLIN};
    struct epoll_event event = {EPOLLIN};
    struct timeval limit = {1, 500000};
    int ends[2], set = epoll_create1(0), got;
    pipe(ends);
    one.fd = ends[0];
    epoll_ctl(set, EPOLL_CTL_ADD, ends[0], &event);
    sigemptyset(&alarms);
    sigaddset(&alarms, SIGALRM);
    on(SIGALRM, count, SA_RESTART);
    sigprocmask(SIG_BLOCK, &alarms, &before);
    alarm(1);
    printf("blocked %d", poll(&one, 1, 2000));
    printf(" caught %d after %ld\\n", caught, ms() / 10 * 10);
    got = ppoll(&one, 1, NULL, &before);
    printf("ppoll %d %d caught %d\\n", got, errno == EINTR, caught);
    raise(SIGALRM);
    got = pselect(0, NULL, NULL, NULL, NULL, &before);
    printf("pselect %d %d caught %d\\n", got, errno == EINTR, caught);
    raise(SIGALRM);
    got = epoll_pwait(set, &event, 1, -1, &before);
    printf("epoll_pwait %d %d caught %d\\n", got, errno == EINTR, caught);
    raise(SIGALRM);
    printf("still blocked: caught %d\\n", caught);
    signal(SIGALRM, SIG_IGN);
    sigprocmask(SIG_SETMASK, &before, NULL);
    alarm(1);
    got = select(0, NULL, NULL, NULL, &limit);
    printf("ignored %d after %ld\\n", got, ms() / 10 * 10);
    printf("left %ld.%06ld\\n", (long)limit.tv_sec, (long)limit.tv_usec);
    on(SIGALRM, count, SA_RESTART);
    limit.tv_sec = 3;
    alarm(1);
    got = select(0, NULL, NULL, NULL, &limit);
    printf("interrupted %d left %ld\\n", got, (long)limit.tv_sec);
    return 0;
}
"""


def test_calls_with_a_mask_end_by_what_it_lets_through_and_no_call_by_what_nobody_handles(told):
    assert told("masked-polls", POLLS) == [
        "blocked 0 caught 0 after 2000",
        "ppoll -1 1 caught 1",
        "pselect -1 1 caught 2",
        "epoll_pwait -1 1 caught 3",
        "still blocked: caught 3",
        "ignored 0 after 3500",
        "left 0.000000",
        "interrupted -1 left 2",
    ]


JUMPS = """
static sigjmp_buf here;
static sem_t never;
static void jump(int number)
{
    siglongjmp(here, 1);
}
static void nest(int number)
{
    sigset_t now;
    signal(SIGALRM, jump);
    if (sigsetjmp(here, 1) == 0)
    {
        alarm(1);
        pause();
    }
    sigprocmask(SIG_BLOCK, NULL, &now);
    printf("in a handler: blocked %d %d\\n",
           sigismember(&now, SIGUSR1),
           sigismember(&now, SIGALRM));
}
int main(void)
{
    sigset_t now;
    sigset_t alarms;
    int ends[2];
    char byte;
    pipe(ends);
    sem_init(&never, 0, 0);
    signal(SIGALRM, jump);
    for (volatile int i = 0; i < 4; i++)
    {
        if (sigsetjmp(here, 1) == 0)
        {
            alarm(1);
            i % 2 ? sem_wait(&never) : read(ends[0], &byte, 1);
        }
        else
        {
            printf("timeout %d after %ld\\n", i, ms() / 10 * 10);
        }
    }
    sem_post(&never);
    printf("posted %d\\n", sem_trywait(&never));
    signal(SIGUSR1, nest);
    raise(SIGUSR1);
    sigprocmask(SIG_BLOCK, NULL, &now);
    printf("outside: blocked %d\\n", sigismember(&now, SIGUSR1));
    sigemptyset(&alarms);
    sigaddset(&alarms, SIGALRM);
    if (sigsetjmp(here, 1) == 0)
    {
        sigprocmask(SIG_BLOCK, &alarms, NULL);
        siglongjmp(here, 1);
    }
    sigprocmask(SIG_BLOCK, NULL, &now);
    printf("after a jump: blocked %d\\n", sigismember(&now, SIGALRM));
    return 0;
}
"""


@pytest.mark.parametrize("options", [(), ("-O2", "-D_FORTIFY_SOURCE=2")])
def test_a_jump_out_of_a_handler_restores_the_mask(told, compile_c, options):
    program = compile_c(f"jumps-{len(options)}", HEADERS + JUMPS, *options)
    run = via.Cluster(nodes=1).run_program(program, capture=True)
    assert run.stdout.splitlines() == [
        *(f"timeout {i} after {1000 * (i + 1)}" for i in range(4)),
        "posted 0",
        "in a handler: blocked 1 0",
        "outside: blocked 0",
        "after a jump: blocked 0",
    ]


LINES = """
static sem_t sem;
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t condition = PTHREAD_COND_INITIALIZER;
static void post(int number)
{
    caught++;
    sem_post(&sem);
}
static void nap(int number)
{
    usleep(500000);
    caught++;
}
static void* post_later(void* none)
{
    usleep(1200000);
    sem_post(&sem);
    return none;
}
static void* hold(void* none)
{
    pthread_mutex_lock(&mutex);
    sleep(2);
    pthread_mutex_unlock(&mutex);
    return none;
}
static void* tell(void* none)
{
    sleep(2);
    pthread_mutex_lock(&mutex);
    pthread_cond_signal(&condition);
    pthread_mutex_unlock(&mutex);
    return none;
}
int main(void)
{
    struct timespec until = {0, 0};
    pthread_t thread;
    int got;
    sem_init(&sem, 0, 0);
    on(SIGALRM, post, SA_RESTART);
    alarm(1);
    printf("posted %d", sem_wait(&sem));
    printf(" caught %d after %ld\\n", caught, ms() / 100 * 100);
    on(SIGALRM, count, 0);
    alarm(1);
    got = sem_wait(&sem);
    printf("interrupted %d %d after %ld\\n", got, errno == EINTR, ms() / 100 * 100);
    on(SIGALRM, count, SA_RESTART);
    clock_gettime(CLOCK_REALTIME, &until);
    until.tv_sec += 2;
    alarm(1);
    got = sem_timedwait(&sem, &until);
    printf("timed %d %d after %ld\\n", got, errno == ETIMEDOUT, ms() / 100 * 100);
    on(SIGALRM, nap, 0);
    pthread_create(&thread, NULL, post_later, NULL);
    alarm(1);
    printf("meanwhile %d", sem_wait(&sem));
    printf(" caught %d after %ld\\n", caught, ms() / 100 * 100);
    pthread_join(thread, NULL);
    on(SIGALRM, count, 0);
    pthread_create(&thread, NULL, hold, NULL);
    usleep(1000);
    alarm(1);
    got = pthread_mutex_lock(&mutex);
    printf("mutex %d caught %d after %ld\\n", got, caught, ms() / 100 * 100);
    pthread_join(thread, NULL);
    pthread_create(&thread, NULL, tell, NULL);
    alarm(1);
    got = pthread_cond_wait(&condition, &mutex);
    printf("condition %d caught %d after %ld\\n", got, caught, ms() / 100 * 100);
    pthread_mutex_unlock(&mutex);
    pthread_join(thread, NULL);
    pthread_create(&thread, NULL, hold, NULL);
    alarm(1);
    pthread_join(thread, NULL);
    printf("join caught %d after %ld\\n", caught, ms() / 100 * 100);
    return 0;
}
"""


def test_handlers_run_while_a_thread_waits_for_others(told):
    assert told("lines", LINES) == [
        "posted 0 caught 1 after 1000",
        "interrupted -1 1 after 2000",
        "timed -1 1 after 4000",
        "meanwhile 0 caught 4 after 5500",
        "mutex 0 caught 5 after 7500",
        "condition 0 caught 6 after 9500",
        "join caught 7 after 11500",
    ]


WATCHDOG = """
int main(void)
{
    VIP_NIC_HANDLE nic;
    VIP_CQ_HANDLE cq;
    VIP_VI_HANDLE vi;
    VIP_BOOLEAN receive;
    VIP_RETURN result;
    VipOpenNic("VINIC", &nic);
    VipCreateCQ(nic, 8, &cq);
    on(SIGALRM, count, SA_RESTART);
    alarm(1);
    result = VipCQWait(cq, 2000, &vi, &receive);
    printf("timeout %d caught %d after %ld\\n", result == VIP_TIMEOUT, caught, ms() / 10 * 10);
    fflush(stdout);
    signal(SIGALRM, SIG_DFL);
    alarm(1);
    VipCQWait(cq, VIP_INFINITE, &vi, &receive);
    return 0;
}
"""


def test_the_timer_ends_a_process_that_waits_for_a_completion(compile_c):
    program = compile_c("watchdog", HEADERS + WATCHDOG)
    with pytest.raises(via.ProcessFailed, match="raised signal 14") as failed:
        via.Cluster(nodes=1).run_program(program, capture=True)
    assert failed.value.run.stdout == "timeout 1 caught 1 after 2000\n"


VIPL_WAIT = """
#include <sys/time.h>
static long us(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return now.tv_sec * 1000000 + now.tv_nsec / 1000;
}
int main(void)
{
    const struct itimerval timer = {{0, 1000}, {0, 1000}};
    VIP_NIC_HANDLE nic;
    VIP_CQ_HANDLE cq;
    VIP_VI_HANDLE vi;
    VIP_BOOLEAN receive;
    long begin;
    on(SIGALRM, count, 0);
    VipOpenNic("VINIC", &nic);
    VipCreateCQ(nic, 8, &cq);
    setitimer(ITIMER_REAL, &timer, NULL);
    begin = us();
    printf("%d\\n", VipCQWait(cq, 30, &vi, &receive) == VIP_TIMEOUT);
    printf("%ld00 us\\n", (us() - begin) / 100);
    printf("%d\\n", caught >= 29);
    return 0;
}
"""


def test_a_timer_of_signals_does_not_make_waits_of_vipl_longer(told):
    assert told("vipl-wait", VIPL_WAIT) == ["1", "30000 us", "1"]
