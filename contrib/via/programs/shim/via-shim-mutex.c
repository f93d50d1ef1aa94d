/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
/* Mutexes, condition variables, read-write locks. Waiters are served in order of arrival.
 *
 * The state is in the program's own pthread_..._t; all zero is the initial state. */

#define _GNU_SOURCE
#include "via-shim-thread.h"

#include <errno.h>
#include <pthread.h>
#include <string.h>

/* The cost of letting others continue: a system call if there is a sleeper. */
static void
SpendWake(const struct ViaLine* line)
{
    if (line->first)
    {
        VIA_CALL(spend, VIA_COST_SYSTEM_CALL);
    }
    else
    {
        via_shim_step();
    }
}

/* ---- mutexes */

struct Mutex
{
    uint64_t count; /* locks held by the owner */
    struct ViaThread* owner;
    int kind; /* at the offset that the static initializers of <pthread.h> use */
    int reserved;
    struct ViaLine line;
};

_Static_assert(sizeof(struct Mutex) <= sizeof(pthread_mutex_t) &&
                   offsetof(struct Mutex, kind) == offsetof(pthread_mutex_t, __data.__kind),
               "a mutex of ours lies in one of the C library's");

#define KIND_MASK 3

static struct Mutex*
MutexOf(pthread_mutex_t* mutex)
{
    return (struct Mutex*)mutex;
}

int
__wrap_pthread_mutex_init(pthread_mutex_t* mutex, const pthread_mutexattr_t* attributes)
{
    __real_memset(mutex, 0, sizeof(*mutex));
    if (attributes)
    {
        pthread_mutexattr_gettype(attributes, &MutexOf(mutex)->kind);
    }
    return 0;
}

int
__wrap_pthread_mutex_destroy(pthread_mutex_t* mutex)
{
    return MutexOf(mutex)->count > 0 ? EBUSY : 0;
}

/* @return 0 if it was locked, EBUSY if another thread holds it */
static int
TryLock(struct Mutex* mutex)
{
    struct ViaThread* self = ViaSelf();
    if (mutex->count == 0)
    {
        mutex->owner = self;
        mutex->count = 1;
        return 0;
    }
    if (mutex->owner == self && (mutex->kind & KIND_MASK) == PTHREAD_MUTEX_RECURSIVE)
    {
        mutex->count++;
        return 0;
    }
    return EBUSY;
}

static int
Lock(struct Mutex* mutex, const char* what, clockid_t which, const struct timespec* until)
{
    if (TryLock(mutex) == 0)
    {
        return 0;
    }
    if (mutex->owner == ViaSelf() && (mutex->kind & KIND_MASK) == PTHREAD_MUTEX_ERRORCHECK)
    {
        return EDEADLK;
    }
    if (via_shim_is_bad_instant(until))
    {
        return EINVAL;
    }
    VIA_CALL(spend, VIA_COST_SYSTEM_CALL);
    if (TryLock(mutex) == 0) /* it was unlocked meanwhile */
    {
        return 0;
    }
    return via_shim_wait(&mutex->line, what, via_shim_instant(which, until))
               ? 0 /* it was handed over */
               : ETIMEDOUT;
}

static void
Unlock(struct Mutex* mutex)
{
    if (--mutex->count > 0)
    {
        return;
    }
    mutex->owner = NULL;
    if (mutex->line.first)
    {
        mutex->owner = via_shim_wake(&mutex->line);
        mutex->count = mutex->owner != NULL;
    }
}

int
__wrap_pthread_mutex_lock(pthread_mutex_t* mutex)
{
    via_shim_step();
    return Lock(MutexOf(mutex), "pthread_mutex_lock", CLOCK_REALTIME, NULL);
}

int
__wrap_pthread_mutex_trylock(pthread_mutex_t* mutex)
{
    VIA_CALL(spend, VIA_COST_CALL);
    return TryLock(MutexOf(mutex));
}

int
__wrap_pthread_mutex_clocklock(pthread_mutex_t* mutex,
                               clockid_t which,
                               const struct timespec* until)
{
    via_shim_step();
    return Lock(MutexOf(mutex), "pthread_mutex_timedlock", which, until);
}

int
__wrap_pthread_mutex_timedlock(pthread_mutex_t* mutex, const struct timespec* until)
{
    return __wrap_pthread_mutex_clocklock(mutex, CLOCK_REALTIME, until);
}

int
__wrap_pthread_mutex_unlock(pthread_mutex_t* pmutex)
{
    struct Mutex* mutex = MutexOf(pmutex);
    SpendWake(&mutex->line);
    if (mutex->count == 0 || (mutex->owner != ViaSelf() && (mutex->kind & KIND_MASK) != 0))
    {
        return EPERM;
    }
    Unlock(mutex);
    return 0;
}

/* ---- condition variables */

struct Condition
{
    struct ViaLine line;
    clockid_t clock;
};

_Static_assert(sizeof(struct Condition) <= sizeof(pthread_cond_t),
               "a condition of ours lies in one of the C library's");

static struct Condition*
ConditionOf(pthread_cond_t* condition)
{
    return (struct Condition*)condition;
}

int
__wrap_pthread_cond_init(pthread_cond_t* condition, const pthread_condattr_t* attributes)
{
    __real_memset(condition, 0, sizeof(*condition));
    if (attributes)
    {
        pthread_condattr_getclock(attributes, &ConditionOf(condition)->clock);
    }
    return 0;
}

int
__wrap_pthread_cond_destroy(pthread_cond_t* condition)
{
    return ConditionOf(condition)->line.first ? EBUSY : 0;
}

static int
WaitFor(pthread_cond_t* condition, pthread_mutex_t* pmutex, const char* what, int64_t deadline)
{
    struct Mutex* mutex = MutexOf(pmutex);
    uint64_t count;
    int woken;
    VIA_CALL(spend, VIA_COST_SYSTEM_CALL);
    if (mutex->owner != ViaSelf())
    {
        return EPERM;
    }
    count = mutex->count;
    via_shim_queue(&ConditionOf(condition)->line); /* before Unlock: no signal gets lost */
    mutex->count = 1;
    Unlock(mutex);
    woken = via_shim_sleep(&ConditionOf(condition)->line, what, deadline);
    Lock(mutex, "pthread_mutex_lock (after a condition)", CLOCK_REALTIME, NULL);
    mutex->count = count;
    return woken ? 0 : ETIMEDOUT;
}

int
__wrap_pthread_cond_wait(pthread_cond_t* condition, pthread_mutex_t* mutex)
{
    return WaitFor(condition, mutex, "pthread_cond_wait", INT64_MAX);
}

int
__wrap_pthread_cond_clockwait(pthread_cond_t* condition,
                              pthread_mutex_t* mutex,
                              clockid_t which,
                              const struct timespec* until)
{
    return via_shim_is_bad_instant(until) ? EINVAL
                                          : WaitFor(condition,
                                                    mutex,
                                                    "pthread_cond_timedwait",
                                                    via_shim_instant(which, until));
}

int
__wrap_pthread_cond_timedwait(pthread_cond_t* condition,
                              pthread_mutex_t* mutex,
                              const struct timespec* until)
{
    return __wrap_pthread_cond_clockwait(condition, mutex, ConditionOf(condition)->clock, until);
}

int
__wrap_pthread_cond_signal(pthread_cond_t* pcondition)
{
    struct Condition* condition = ConditionOf(pcondition);
    SpendWake(&condition->line);
    via_shim_wake(&condition->line);
    return 0;
}

int
__wrap_pthread_cond_broadcast(pthread_cond_t* pcondition)
{
    struct Condition* condition = ConditionOf(pcondition);
    SpendWake(&condition->line);
    while (via_shim_wake(&condition->line))
    {
    }
    return 0;
}

/* ---- read-write locks */

struct RwLock
{
    struct ViaThread* writer;
    uint64_t readers;
    struct ViaLine line;
};

_Static_assert(sizeof(struct RwLock) <= offsetof(pthread_rwlock_t, __data.__flags),
               "a lock of ours lies in one of the C library's, before its kind");

static struct RwLock*
RwLockOf(pthread_rwlock_t* lock)
{
    return (struct RwLock*)lock;
}

int
__wrap_pthread_rwlock_init(pthread_rwlock_t* lock, const pthread_rwlockattr_t* attributes)
{
    int kind = PTHREAD_RWLOCK_DEFAULT_NP;
    __real_memset(lock, 0, sizeof(*lock));
    if (attributes)
    {
        pthread_rwlockattr_getkind_np(attributes, &kind);
    }
    lock->__data.__flags = (unsigned int)kind;
    return 0;
}

int
__wrap_pthread_rwlock_destroy(pthread_rwlock_t* plock)
{
    const struct RwLock* lock = RwLockOf(plock);
    return lock->writer || lock->readers > 0 ? EBUSY : 0;
}

/* As in the C library, readers go ahead of writers that wait: a thread may take a read lock again
 * that it holds. A kind of locks does without. */
static int
TryRwLock(pthread_rwlock_t* plock, int write)
{
    struct RwLock* const lock = RwLockOf(plock);
    const int waits =
        write || plock->__data.__flags == PTHREAD_RWLOCK_PREFER_WRITER_NONRECURSIVE_NP;
    if (lock->writer || (waits && lock->line.first) || (write && lock->readers > 0))
    {
        return EBUSY;
    }
    lock->writer = write ? ViaSelf() : NULL;
    lock->readers += !write;
    return 0;
}

/* Lets those in who are next in the line. */
static void
AdmitNext(struct RwLock* lock)
{
    while (lock->line.first && !lock->writer)
    {
        struct ViaThread* next;
        if (lock->line.first->wantsWrite && lock->readers > 0)
        {
            break;
        }
        next = via_shim_wake(&lock->line);
        if (next)
        {
            lock->writer = next->wantsWrite ? next : NULL;
            lock->readers += !next->wantsWrite;
        }
    }
}

static int
TakeRwLock(pthread_rwlock_t* plock, int write, clockid_t which, const struct timespec* until)
{
    struct RwLock* lock = RwLockOf(plock);
    const int64_t deadline = via_shim_instant(which, until);
    via_shim_step();
    if (TryRwLock(plock, write) == 0)
    {
        return 0;
    }
    if (lock->writer == ViaSelf())
    {
        return EDEADLK;
    }
    if (via_shim_is_bad_instant(until))
    {
        return EINVAL;
    }
    VIA_CALL(spend, VIA_COST_SYSTEM_CALL);
    if (TryRwLock(plock, write) == 0)
    {
        return 0;
    }
    ViaSelf()->wantsWrite = write;
    if (via_shim_wait(&lock->line,
                      write ? "pthread_rwlock_wrlock" : "pthread_rwlock_rdlock",
                      deadline))
    {
        return 0;
    }
    AdmitNext(lock); /* readers may have waited behind this writer alone */
    return ETIMEDOUT;
}

int
__wrap_pthread_rwlock_rdlock(pthread_rwlock_t* lock)
{
    return TakeRwLock(lock, 0, CLOCK_REALTIME, NULL);
}

int
__wrap_pthread_rwlock_wrlock(pthread_rwlock_t* lock)
{
    return TakeRwLock(lock, 1, CLOCK_REALTIME, NULL);
}

int
__wrap_pthread_rwlock_clockrdlock(pthread_rwlock_t* lock,
                                  clockid_t which,
                                  const struct timespec* until)
{
    return TakeRwLock(lock, 0, which, until);
}

int
__wrap_pthread_rwlock_clockwrlock(pthread_rwlock_t* lock,
                                  clockid_t which,
                                  const struct timespec* until)
{
    return TakeRwLock(lock, 1, which, until);
}

int
__wrap_pthread_rwlock_timedrdlock(pthread_rwlock_t* lock, const struct timespec* until)
{
    return __wrap_pthread_rwlock_clockrdlock(lock, CLOCK_REALTIME, until);
}

int
__wrap_pthread_rwlock_timedwrlock(pthread_rwlock_t* lock, const struct timespec* until)
{
    return __wrap_pthread_rwlock_clockwrlock(lock, CLOCK_REALTIME, until);
}

int
__wrap_pthread_rwlock_tryrdlock(pthread_rwlock_t* lock)
{
    VIA_CALL(spend, VIA_COST_CALL);
    return TryRwLock(lock, 0);
}

int
__wrap_pthread_rwlock_trywrlock(pthread_rwlock_t* lock)
{
    VIA_CALL(spend, VIA_COST_CALL);
    return TryRwLock(lock, 1);
}

int
__wrap_pthread_rwlock_unlock(pthread_rwlock_t* plock)
{
    struct RwLock* lock = RwLockOf(plock);
    SpendWake(&lock->line);
    lock->readers -= lock->writer || lock->readers == 0 ? 0 : 1;
    lock->writer = NULL;
    AdmitNext(lock);
    return 0;
}
