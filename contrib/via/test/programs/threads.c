/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
/* What programs do with threads; the first argument says which of it. */

#define _GNU_SOURCE
#include <errno.h>
#include <pthread.h>
#include <sched.h>
#include <semaphore.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <threads.h>
#include <time.h>
#include <unistd.h>

static pthread_mutex_t s_mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t s_condition = PTHREAD_COND_INITIALIZER;
static int s_ready;

static pthread_t
Start(void* (*body)(void*), intptr_t argument)
{
    pthread_t thread;
    if (pthread_create(&thread, NULL, body, (void*)argument) != 0)
    {
        printf("no thread\n");
    }
    return thread;
}

static intptr_t
Join(pthread_t thread)
{
    void* result = NULL;
    const int code = pthread_join(thread, &result);
    return code != 0 ? -code : (intptr_t)result;
}

static long
Milliseconds(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return now.tv_sec * 1000 + now.tv_nsec / 1000000;
}

/* ---- who is served when */

static void*
LockInTurn(void* name)
{
    usleep(10 * (useconds_t)(intptr_t)name); /* they come one after the other */
    pthread_mutex_lock(&s_mutex);
    printf("%d\n", (int)(intptr_t)name);
    usleep(1000);
    pthread_mutex_unlock(&s_mutex);
    return (void*)((intptr_t)name * 10);
}

static void
Order(void)
{
    pthread_t threads[3];
    int i;
    for (i = 2; i >= 0; i--)
    {
        threads[i] = Start(LockInTurn, i);
    }
    for (i = 0; i < 3; i++)
    {
        printf("joined %d\n", (int)Join(threads[i]));
    }
    printf("again %d, itself %d\n", (int)Join(threads[0]), (int)Join(pthread_self()));
}

static void*
WaitForReady(void* name)
{
    usleep(10 * (useconds_t)(intptr_t)name);
    pthread_mutex_lock(&s_mutex);
    while (s_ready == 0)
    {
        pthread_cond_wait(&s_condition, &s_mutex);
    }
    s_ready--;
    printf("%d\n", (int)(intptr_t)name);
    pthread_mutex_unlock(&s_mutex);
    return NULL;
}

static void
Condition(void)
{
    pthread_t threads[4];
    int i;
    for (i = 0; i < 4; i++)
    {
        threads[i] = Start(WaitForReady, i);
    }
    usleep(1000);
    pthread_mutex_lock(&s_mutex);
    s_ready = 1;
    pthread_cond_signal(&s_condition);
    pthread_mutex_unlock(&s_mutex);
    usleep(1000);
    printf("one was served\n");
    pthread_mutex_lock(&s_mutex);
    s_ready = 3;
    pthread_cond_broadcast(&s_condition);
    pthread_mutex_unlock(&s_mutex);
    for (i = 0; i < 4; i++)
    {
        Join(threads[i]);
    }
}

/* ---- kinds of mutexes */

static void*
TryFromElsewhere(void* mutex)
{
    return (void*)(intptr_t)pthread_mutex_trylock((pthread_mutex_t*)mutex);
}

static void
Kinds(void)
{
    const int kinds[] = {PTHREAD_MUTEX_NORMAL, PTHREAD_MUTEX_RECURSIVE, PTHREAD_MUTEX_ERRORCHECK};
    pthread_mutexattr_t attributes;
    pthread_mutex_t mutex;
    unsigned int i;
    for (i = 0; i < 3; i++)
    {
        pthread_mutexattr_init(&attributes);
        pthread_mutexattr_settype(&attributes, kinds[i]);
        pthread_mutex_init(&mutex, &attributes);
        pthread_mutex_lock(&mutex);
        printf("again %s", strerrorname_np(pthread_mutex_trylock(&mutex)));
        printf(", elsewhere %s",
               strerrorname_np((int)Join(Start(TryFromElsewhere, (intptr_t)&mutex))));
        printf(", destroy %s", strerrorname_np(pthread_mutex_destroy(&mutex)));
        printf(", lock %s", i == 0 ? "-" : strerrorname_np(pthread_mutex_lock(&mutex)));
        pthread_mutex_unlock(&mutex);
        while (i == 1 && pthread_mutex_unlock(&mutex) == 0)
        {
        }
        printf(", free %s\n", i == 0 ? "-" : strerrorname_np(pthread_mutex_unlock(&mutex)));
    }
}

/* ---- deadlines */

static struct timespec
In(clockid_t which, long milliseconds)
{
    struct timespec when;
    clock_gettime(which, &when);
    when.tv_nsec += milliseconds * 1000000;
    when.tv_sec += when.tv_nsec / 1000000000;
    when.tv_nsec %= 1000000000;
    return when;
}

static void*
HoldForLong(void* nothing)
{
    pthread_mutex_lock(&s_mutex);
    usleep(50000);
    pthread_mutex_unlock(&s_mutex);
    return nothing;
}

static void
Deadlines(void)
{
    const pthread_t holder = Start(HoldForLong, 0);
    struct timespec when = In(CLOCK_REALTIME, 10);
    pthread_condattr_t attributes;
    pthread_cond_t monotonic;
    sem_t semaphore;
    usleep(1000);
    printf("%s", strerrorname_np(pthread_mutex_timedlock(&s_mutex, &when)));
    printf(" at %ld ms\n", Milliseconds());
    when = In(CLOCK_REALTIME, 80);
    printf("%s", strerrorname_np(pthread_mutex_timedlock(&s_mutex, &when)));
    printf(" at %ld ms\n", Milliseconds());
    when = In(CLOCK_REALTIME, 10);
    printf("%s", strerrorname_np(pthread_cond_timedwait(&s_condition, &s_mutex, &when)));
    printf(" at %ld ms\n", Milliseconds());
    pthread_condattr_init(&attributes);
    pthread_condattr_setclock(&attributes, CLOCK_MONOTONIC);
    pthread_cond_init(&monotonic, &attributes);
    when = In(CLOCK_MONOTONIC, 10);
    printf("%s", strerrorname_np(pthread_cond_timedwait(&monotonic, &s_mutex, &when)));
    printf(" at %ld ms\n", Milliseconds());
    sem_init(&semaphore, 0, 0);
    when = In(CLOCK_REALTIME, 10);
    printf("%d", sem_timedwait(&semaphore, &when));
    printf(" %s at %ld ms\n", strerrorname_np(errno), Milliseconds());
    Join(holder);
}

/* ---- what each thread has for itself */

static pthread_key_t s_key;
static pthread_once_t s_once = PTHREAD_ONCE_INIT;
static __thread int s_own = 5;
static __thread char s_zeros[100];

static void
Destroy(void* value)
{
    printf("destroy %s\n", (const char*)value);
}

static void
MakeKey(void)
{
    printf("once\n");
    usleep(1000); /* the others have to wait */
    pthread_key_create(&s_key, Destroy);
}

static void*
UseOwn(void* name)
{
    pthread_once(&s_once, MakeKey);
    errno = 100 + (int)(intptr_t)name;
    s_own += (int)(intptr_t)name;
    s_zeros[99] += (char)(intptr_t)name;
    printf("before %s\n", pthread_getspecific(s_key) == NULL ? "nothing" : "something");
    pthread_setspecific(s_key, name == NULL ? "zero" : "one");
    sched_yield();
    usleep(1000);
    printf("errno %d, own %d %d, key %s\n",
           errno,
           s_own,
           s_zeros[99],
           (const char*)pthread_getspecific(s_key));
    return NULL;
}

static void
Own(void)
{
    const pthread_t first = Start(UseOwn, 0);
    const pthread_t second = Start(UseOwn, 1);
    errno = 3;
    Join(first);
    Join(second);
    printf("main: errno %d, own %d\n", errno, s_own);
}

/* ---- ends */

static void
Clean(void* text)
{
    printf("clean %s\n", (const char*)text);
}

static void
LeaveFromInside(int depth)
{
    pthread_cleanup_push(Clean, "inner");
    if (depth == 0)
    {
        pthread_exit((void*)42);
    }
    LeaveFromInside(depth - 1);
    pthread_cleanup_pop(0);
}

static void*
Leave(void* nothing)
{
    pthread_cleanup_push(Clean, "popped");
    pthread_cleanup_pop(1);
    pthread_cleanup_push(Clean, "outer");
    LeaveFromInside(1);
    pthread_cleanup_pop(0);
    return nothing;
}

static void*
SleepAndSay(void* text)
{
    usleep(10000);
    printf("%s\n", (const char*)text);
    return NULL;
}

static void*
ExitFromHere(void* nothing)
{
    usleep(1000);
    exit(5);
    return nothing;
}

static void*
CrashHere(void* nothing)
{
    usleep(1000);
    *(volatile int*)nothing = 1;
    return nothing;
}

static void*
WaitForEver(void* nothing)
{
    pthread_mutex_lock(&s_mutex);
    pthread_cond_wait(&s_condition, &s_mutex);
    return nothing;
}

static void
SayGoodbye(void)
{
    printf("goodbye\n");
}

/* ---- deadlock */

static pthread_mutex_t s_other = PTHREAD_MUTEX_INITIALIZER;

static void*
LockOtherFirst(void* nothing)
{
    pthread_mutex_lock(&s_other);
    usleep(1000);
    pthread_mutex_lock(&s_mutex);
    return nothing;
}

static void
Deadlock(void)
{
    const pthread_t other = Start(LockOtherFirst, 0);
    pthread_mutex_lock(&s_mutex);
    usleep(1000);
    pthread_mutex_lock(&s_other);
    Join(other);
}

/* ---- locks of other kinds */

static pthread_rwlock_t s_rwlock = PTHREAD_RWLOCK_WRITER_NONRECURSIVE_INITIALIZER_NP;

static void*
ReadOrWrite(void* name)
{
    const int write = (intptr_t)name % 3 == 2;
    usleep(10 * (useconds_t)(intptr_t)name);
    write ? pthread_rwlock_wrlock(&s_rwlock) : pthread_rwlock_rdlock(&s_rwlock);
    printf("%s %d\n", write ? "write" : "read", (int)(intptr_t)name);
    usleep(10000);
    printf("%s %d ends\n", write ? "write" : "read", (int)(intptr_t)name);
    pthread_rwlock_unlock(&s_rwlock);
    return NULL;
}

static pthread_barrier_t s_barrier;

static void*
Meet(void* name)
{
    usleep(1000 * (useconds_t)(intptr_t)name);
    if (pthread_barrier_wait(&s_barrier) == PTHREAD_BARRIER_SERIAL_THREAD)
    {
        printf("%d is the last\n", (int)(intptr_t)name);
    }
    return NULL;
}

static void
Others(void)
{
    pthread_t threads[5];
    sem_t semaphore;
    int i;
    for (i = 0; i < 5; i++)
    {
        threads[i] = Start(ReadOrWrite, i);
    }
    for (i = 0; i < 5; i++)
    {
        Join(threads[i]);
    }
    pthread_barrier_init(&s_barrier, NULL, 3);
    for (i = 0; i < 3; i++)
    {
        threads[i] = Start(Meet, i);
    }
    for (i = 0; i < 3; i++)
    {
        Join(threads[i]);
    }
    sem_init(&semaphore, 0, 1);
    sem_wait(&semaphore);
    printf("trywait %d\n", sem_trywait(&semaphore));
    sem_post(&semaphore);
    sem_getvalue(&semaphore, &i);
    printf("value %d\n", i);
}

/* ---- C11 */

static mtx_t s_mtx;
static cnd_t s_cnd;
static tss_t s_tss;
static _Thread_local int s_local = 1;

static int
RunC11(void* argument)
{
    tss_set(s_tss, "C11");
    mtx_lock(&s_mtx);
    while (!s_ready)
    {
        cnd_wait(&s_cnd, &s_mtx);
    }
    s_local++;
    mtx_unlock(&s_mtx);
    if (argument == NULL)
    {
        thrd_exit(-3);
    }
    return s_local;
}

static void
C11(void)
{
    thrd_t threads[2];
    int results[2];
    mtx_init(&s_mtx, mtx_plain);
    cnd_init(&s_cnd);
    tss_create(&s_tss, Destroy);
    thrd_create(&threads[0], RunC11, NULL);
    thrd_create(&threads[1], RunC11, &s_mtx);
    thrd_sleep(&(struct timespec){.tv_nsec = 1000000}, NULL);
    mtx_lock(&s_mtx);
    s_ready = 1;
    cnd_broadcast(&s_cnd);
    mtx_unlock(&s_mtx);
    thrd_join(threads[0], &results[0]);
    thrd_join(threads[1], &results[1]);
    printf("%d %d %d\n", results[0], results[1], s_local);
}

/* ---- limits */

static void*
UseStack(void* bytes)
{
    volatile char* room = __builtin_alloca((size_t)(intptr_t)bytes);
    memset((char*)room, 1, (size_t)(intptr_t)bytes);
    return (void*)(intptr_t)room[0];
}

static void
Limits(void)
{
    pthread_attr_t attributes;
    pthread_t thread;
    int count = 0;
    int code = 0;
    pthread_attr_init(&attributes);
    pthread_attr_setstacksize(&attributes, 64 << 20);
    pthread_create(&thread, &attributes, UseStack, (void*)(intptr_t)(60 << 20));
    printf("stack %d\n", (int)Join(thread));
    printf("stack %d\n", (int)Join(Start(UseStack, 7 << 20)));
    pthread_attr_setstacksize(&attributes, 65536);
    pthread_attr_setdetachstate(&attributes, PTHREAD_CREATE_DETACHED);
    while (code == 0)
    {
        code = pthread_create(&thread, &attributes, WaitForEver, NULL);
        count += code == 0;
    }
    printf("%d threads, then %s; join %s\n",
           count,
           strerrorname_np(code),
           strerrorname_np(pthread_join(thread, NULL)));
}

static void
Masks(void)
{
    sigset_t set;
    sigset_t old;
    sigemptyset(&set);
    sigaddset(&set, SIGSEGV);
    sigaddset(&set, SIGUSR1);
    pthread_sigmask(SIG_SETMASK, &set, NULL);
    sigdelset(&set, SIGUSR1);
    sigprocmask(SIG_UNBLOCK, &set, NULL);
    pthread_sigmask(SIG_BLOCK, NULL, &old);
    printf("SEGV %d USR1 %d\n", sigismember(&old, SIGSEGV), sigismember(&old, SIGUSR1));
    printf("%s\n", strerrorname_np(pthread_sigmask(77, &set, NULL)));
}

static void
Detached(void)
{
    const pthread_t early = Start(SleepAndSay, (intptr_t) "detached early");
    const pthread_t late = Start(SleepAndSay, (intptr_t) "detached late");
    printf("%s\n", strerrorname_np(pthread_detach(early)));
    printf("again %s\n", strerrorname_np(pthread_detach(early)));
    usleep(20000);
    printf("%s\n", strerrorname_np(pthread_detach(late)));
    printf("again %s\n", strerrorname_np(pthread_detach(late)));
}

int
main(int argc, char** argv)
{
    const char* what = argc > 1 ? argv[1] : "";

    const struct
    {
        const char* name;
        void (*run)(void);
    } stories[] = {{"order", Order},
                   {"condition", Condition},
                   {"kinds", Kinds},
                   {"deadlines", Deadlines},
                   {"own", Own},
                   {"deadlock", Deadlock},
                   {"others", Others},
                   {"c11", C11},
                   {"limits", Limits},
                   {"masks", Masks},
                   {"detached", Detached}};

    unsigned int i;
    for (i = 0; i < sizeof(stories) / sizeof(stories[0]); i++)
    {
        if (strcmp(what, stories[i].name) == 0)
        {
            stories[i].run();
            return 0;
        }
    }
    atexit(SayGoodbye);
    if (strcmp(what, "leave") == 0)
    {
        printf("result %d\n", (int)Join(Start(Leave, 0)));
    }
    else if (strcmp(what, "main leaves") == 0)
    {
        Start(SleepAndSay, (intptr_t) "still here");
        pthread_exit(NULL);
    }
    else if (strcmp(what, "exit") == 0)
    {
        Join(Start(ExitFromHere, 0));
    }
    else if (strcmp(what, "crash") == 0)
    {
        Join(Start(CrashHere, 0));
    }
    else if (strcmp(what, "return") == 0)
    {
        Start(WaitForEver, 0);
        usleep(1000);
    }
    return 0;
}
