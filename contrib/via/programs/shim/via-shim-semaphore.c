/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
/* Semaphores, barriers, spin locks, and the C++ library's uses of futexes. */

#define _GNU_SOURCE
#include "via-shim-thread.h"

#include <errno.h>
#include <limits.h>
#include <linux/futex.h>
#include <pthread.h>
#include <semaphore.h>
#include <signal.h>
#include <stdarg.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

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

static int
Fail(int code)
{
    errno = code;
    return -1;
}

/* The result of a call that signals end. */
static int
Waited(int woken)
{
    return woken > 0 ? 0 : Fail(woken == 0 ? ETIMEDOUT : EINTR);
}

int
__wrap_sem_init(sem_t* semaphore, int shared, unsigned int value)
{
    (void)shared; /* between processes: they share no memory with this one */
    if (value > SEM_VALUE_MAX)
    {
        return Fail(EINVAL);
    }
    __real_memset(semaphore, 0, sizeof(*semaphore));
    SemaphoreOf(semaphore)->value = value;
    return 0;
}

int
__wrap_sem_destroy(sem_t* semaphore)
{
    return SemaphoreOf(semaphore)->line.first ? Fail(EBUSY) : 0;
}

static int
TakeSemaphore(sem_t* semaphore, int64_t deadline)
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
    return Waited(via_shim_wait_or_signal(&taken->line, "sem_wait", deadline));
}

int
__wrap_sem_wait(sem_t* semaphore)
{
    return TakeSemaphore(semaphore, INT64_MAX);
}

int
__wrap_sem_clockwait(sem_t* semaphore, clockid_t which, const struct timespec* until)
{
    return TakeSemaphore(semaphore, via_shim_instant(which, until));
}

int
__wrap_sem_timedwait(sem_t* semaphore, const struct timespec* until)
{
    return TakeSemaphore(semaphore, via_shim_instant(CLOCK_REALTIME, until));
}

int
__wrap_sem_trywait(sem_t* semaphore)
{
    struct Semaphore* taken = SemaphoreOf(semaphore);
    VIA_CALL(spend, VIA_COST_CALL);
    if (taken->value == 0)
    {
        return Fail(EAGAIN);
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
        return Fail(EOVERFLOW);
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
        return Fail(EAGAIN);
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

static long
Futex(const int* word, int operation, int value, const struct timespec* time)
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
        return Fail(ENOSYS);
    }
}

long __real_syscall(long number, ...);
int __wrap_getcpu(unsigned int* cpu, unsigned int* node);
int __wrap_sched_getaffinity(int process, size_t bytes, void* set);

/* Refuses, by name, calls that would end, copy or signal the simulator itself or stop time for all
 * processes; the report names the function that acts on the process alone. */
static void
RefuseCall(long number)
{
    static const struct
    {
        long number;
        const char* report;
    } refused[] = {

#define REFUSED(name, advice)                                                                      \
    {SYS_##name, "syscall(SYS_" #name ") is not for the process alone; " advice}
        REFUSED(exit, "call pthread_exit"),
        REFUSED(exit_group, "call _exit"),
        REFUSED(fork, "start more processes with --nodes"),
        REFUSED(vfork, "start more processes with --nodes"),
        REFUSED(clone, "call pthread_create"),
        REFUSED(clone3, "call pthread_create"),
        REFUSED(execve, "it would replace the simulator"),
        REFUSED(execveat, "it would replace the simulator"),
        REFUSED(kill, "call raise"),
        REFUSED(tkill, "call raise"),
        REFUSED(tgkill, "call raise"),
        REFUSED(rt_sigqueueinfo, "call raise"),
        REFUSED(rt_tgsigqueueinfo, "call raise"),
        REFUSED(rt_sigaction, "call sigaction"),
        REFUSED(rt_sigprocmask, "call sigprocmask"),
        REFUSED(rt_sigreturn, "return from the handler"),
        REFUSED(sigaltstack, "call sigaltstack"),
        REFUSED(brk, "call malloc or mmap"),
        REFUSED(munmap, "call munmap"),
        REFUSED(mremap, "use mmap and memcpy"),
        REFUSED(pause, "no signals are sent"),
        REFUSED(nanosleep, "call nanosleep"),
        REFUSED(clock_nanosleep, "call clock_nanosleep"),
        REFUSED(prctl, "it belongs to the simulator"),
        REFUSED(arch_prctl, "it belongs to the simulator"),
        REFUSED(seccomp, "it belongs to the simulator"),
        REFUSED(setrlimit, "its limits belong to the simulator"),
        REFUSED(prlimit64, "its limits belong to the simulator"),
        REFUSED(read, "call read"),
        REFUSED(write, "call write"),
        REFUSED(open, "call open"),
        REFUSED(openat, "call open"),
        REFUSED(close, "call close"),
        REFUSED(umask, "call umask"),
        REFUSED(dup, "call dup"),
        REFUSED(dup2, "call dup2"),
        REFUSED(fcntl, "call fcntl"),
        REFUSED(ioctl, "call ioctl"),
        REFUSED(pipe, "call pipe"),
        REFUSED(socket, "call socket"),
        REFUSED(poll, "call poll"),
        REFUSED(select, "call select"),
        REFUSED(epoll_wait, "call epoll_wait"),
#undef REFUSED
    };
    size_t i;
    for (i = 0; i < sizeof(refused) / sizeof(refused[0]); i++)
    {
        if (refused[i].number == number)
        {
            VIA_CALL(die, SIGSYS, refused[i].report);
        }
    }
}

long
__wrap_syscall(long number, ...)
{
    long words[6];
    int i;
    va_list rest;
    va_start(rest, number);
    for (i = 0; i < 6; i++)
    {
        words[i] = va_arg(rest, long);
    }
    va_end(rest);
    if (number == SYS_futex)
    {
        return Futex((const int*)words[0],
                     (int)words[1],
                     (int)words[2],
                     (const struct timespec*)words[3]);
    }
    if (number == SYS_getcpu)
    {
        return __wrap_getcpu((unsigned int*)words[0], (unsigned int*)words[1]);
    }
    if (number == SYS_sched_getaffinity)
    {
        __wrap_sched_getaffinity((int)words[0], (size_t)words[1], (void*)words[2]);
        return words[1];
    }
    RefuseCall(number);
    return __real_syscall(number, words[0], words[1], words[2], words[3], words[4], words[5]);
}
