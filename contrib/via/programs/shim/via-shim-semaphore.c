/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
/* Semaphores, barriers, spin locks, and futexes. */

#define _GNU_SOURCE
#include "via-shim-thread.h"

#include <errno.h>
#include <limits.h>
#include <linux/futex.h>
#include <pthread.h>
#include <semaphore.h>
#include <string.h>

/* ---- semaphores */

struct Semaphore
{
    uint64_t value;
    struct ViaLine line;
};

_Static_assert(sizeof(struct Semaphore) <= sizeof(sem_t),
               "a semaphore of ours lies in one of the C library's");

static struct Semaphore*
SemaphoreOf(sem_t* semaphore)
{
    return (struct Semaphore*)semaphore;
}

/* The result of a call that signals end. */
static int
Waited(int woken)
{
    return woken > 0 ? 0 : ViaFail(woken == 0 ? ETIMEDOUT : EINTR);
}

int
__wrap_sem_init(sem_t* semaphore, int shared, unsigned int value)
{
    (void)shared; /* between processes: they share no memory with this one */
    if (value > SEM_VALUE_MAX)
    {
        return ViaFail(EINVAL);
    }
    __real_memset(semaphore, 0, sizeof(*semaphore));
    SemaphoreOf(semaphore)->value = value;
    return 0;
}

int
__wrap_sem_destroy(sem_t* semaphore)
{
    return SemaphoreOf(semaphore)->line.first ? ViaFail(EBUSY) : 0;
}

static int
TakeSemaphore(sem_t* semaphore, clockid_t which, const struct timespec* until)
{
    struct Semaphore* taken = SemaphoreOf(semaphore);
    VIA_CALL(spend, VIA_COST_CALL);
    if (taken->value == 0)
    {
        VIA_CALL(spend, VIA_COST_SYSTEM_CALL);
    }
    if (taken->value > 0)
    {
        taken->value--;
        return 0;
    }
    if (via_shim_is_bad_instant(until))
    {
        return ViaFail(EINVAL);
    }
    return Waited(
        via_shim_wait_or_signal(&taken->line, "sem_wait", via_shim_instant(which, until)));
}

int
__wrap_sem_wait(sem_t* semaphore)
{
    return TakeSemaphore(semaphore, CLOCK_REALTIME, NULL);
}

int
__wrap_sem_clockwait(sem_t* semaphore, clockid_t which, const struct timespec* until)
{
    return TakeSemaphore(semaphore, which, until);
}

int
__wrap_sem_timedwait(sem_t* semaphore, const struct timespec* until)
{
    return TakeSemaphore(semaphore, CLOCK_REALTIME, until);
}

int
__wrap_sem_trywait(sem_t* semaphore)
{
    struct Semaphore* taken = SemaphoreOf(semaphore);
    VIA_CALL(spend, VIA_COST_CALL);
    if (taken->value == 0)
    {
        return ViaFail(EAGAIN);
    }
    taken->value--;
    return 0;
}

int
__wrap_sem_post(sem_t* semaphore)
{
    struct Semaphore* given = SemaphoreOf(semaphore);
    VIA_CALL(spend, given->line.first ? VIA_COST_SYSTEM_CALL : VIA_COST_CALL);
    if (given->value == SEM_VALUE_MAX)
    {
        return ViaFail(EOVERFLOW);
    }
    if (!via_shim_wake(&given->line))
    {
        given->value++;
    }
    return 0;
}

int
__wrap_sem_getvalue(sem_t* semaphore, int* value)
{
    *value = (int)SemaphoreOf(semaphore)->value;
    return 0;
}

/* ---- barriers */

struct Barrier
{
    unsigned int count;
    unsigned int arrived;
    struct ViaLine line;
};

_Static_assert(sizeof(struct Barrier) <= sizeof(pthread_barrier_t),
               "a barrier of ours lies in one of the C library's");

int
__wrap_pthread_barrier_init(pthread_barrier_t* barrier,
                            const pthread_barrierattr_t* attributes,
                            unsigned int count)
{
    (void)attributes;
    if (count == 0)
    {
        return EINVAL;
    }
    __real_memset(barrier, 0, sizeof(*barrier));
    ((struct Barrier*)barrier)->count = count;
    return 0;
}

int
__wrap_pthread_barrier_destroy(pthread_barrier_t* barrier)
{
    return ((struct Barrier*)barrier)->arrived > 0 ? EBUSY : 0;
}

int
__wrap_pthread_barrier_wait(pthread_barrier_t* pbarrier)
{
    struct Barrier* barrier = (struct Barrier*)pbarrier;
    VIA_CALL(spend, VIA_COST_SYSTEM_CALL);
    if (++barrier->arrived < barrier->count)
    {
        via_shim_wait(&barrier->line, "pthread_barrier_wait", INT64_MAX);
        return 0;
    }
    barrier->arrived = 0;
    while (via_shim_wake(&barrier->line))
    {
    }
    return PTHREAD_BARRIER_SERIAL_THREAD;
}

/* ---- spin locks */

int
__wrap_pthread_spin_init(pthread_spinlock_t* lock, int shared)
{
    (void)shared;
    *lock = 0;
    return 0;
}

int
__wrap_pthread_spin_destroy(pthread_spinlock_t* lock)
{
    (void)lock;
    return 0;
}

int
__wrap_pthread_spin_trylock(pthread_spinlock_t* lock)
{
    VIA_CALL(spend, VIA_COST_CALL);
    if (*lock)
    {
        return EBUSY;
    }
    *lock = 1;
    return 0;
}

int
__wrap_pthread_spin_lock(pthread_spinlock_t* lock)
{
    while (__wrap_pthread_spin_trylock(lock) != 0)
    {
    }
    return 0;
}

int
__wrap_pthread_spin_unlock(pthread_spinlock_t* lock)
{
    VIA_CALL(spend, VIA_COST_CALL);
    *lock = 0;
    return 0;
}

/* ---- futexes: std::future, std::atomic::wait, std::latch and guards of local statics */

static struct ViaLine s_futexLine; /* for all addresses, in order of arrival */

static long
FutexWait(const int* word, int expected, int64_t deadline)
{
    VIA_CALL(spend, VIA_COST_SYSTEM_CALL);
    if (__atomic_load_n(word, __ATOMIC_RELAXED) != expected)
    {
        return ViaFail(EAGAIN);
    }
    ViaSelf()->address = word;
    return Waited(via_shim_wait_or_signal(&s_futexLine, "futex", deadline));
}

static long
FutexWake(const int* word, int count)
{
    struct ViaThread* thread = s_futexLine.first;
    long woken = 0;
    VIA_CALL(spend, VIA_COST_SYSTEM_CALL);
    while (thread && woken < count)
    {
        struct ViaThread* behind = thread->behind;
        if (thread->address == word)
        {
            via_shim_unqueue(&s_futexLine, thread);
            woken += via_shim_resume(thread);
        }
        thread = behind;
    }
    return woken;
}

long
via_shim_futex(const int* word, int operation, int value, const struct timespec* time)
{
    const clockid_t which = operation & FUTEX_CLOCK_REALTIME ? CLOCK_REALTIME : CLOCK_MONOTONIC;
    int64_t deadline = INT64_MAX;
    switch (operation & FUTEX_CMD_MASK)
    {
    case FUTEX_WAIT: /* its timeout is relative */
        if (time)
        {
            const int64_t now = VIA_CALL(clock, VIA_CLOCK_SIMULATED);
            const int64_t span = via_shim_instant(CLOCK_MONOTONIC, time);
            deadline = span > INT64_MAX - now ? INT64_MAX : now + span;
        }
        return FutexWait(word, value, deadline);
    case FUTEX_WAIT_BITSET: /* its timeout is absolute */
        return FutexWait(word, value, via_shim_instant(which, time));
    case FUTEX_WAKE:
        return FutexWake(word, value);
    default:
        return ViaFail(ENOSYS);
    }
}
