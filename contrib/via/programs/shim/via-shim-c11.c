/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
/* C11 threads: other names for the POSIX ones. */

#define _GNU_SOURCE
#include "via-shim-thread.h"

#include <errno.h>
#include <pthread.h>
#include <threads.h>

int __wrap_pthread_create(pthread_t*, const pthread_attr_t*, void* (*)(void*), void*);
int __wrap_pthread_join(pthread_t, void**);
int __wrap_pthread_detach(pthread_t);
pthread_t __wrap_pthread_self(void);
void __wrap_pthread_exit(void*) __attribute__((noreturn));
int __wrap_pthread_mutex_init(pthread_mutex_t*, const pthread_mutexattr_t*);
int __wrap_pthread_mutex_lock(pthread_mutex_t*);
int __wrap_pthread_mutex_trylock(pthread_mutex_t*);
int __wrap_pthread_mutex_timedlock(pthread_mutex_t*, const struct timespec*);
int __wrap_pthread_mutex_unlock(pthread_mutex_t*);
int __wrap_pthread_cond_init(pthread_cond_t*, const pthread_condattr_t*);
int __wrap_pthread_cond_wait(pthread_cond_t*, pthread_mutex_t*);
int __wrap_pthread_cond_timedwait(pthread_cond_t*, pthread_mutex_t*, const struct timespec*);
int __wrap_pthread_cond_signal(pthread_cond_t*);
int __wrap_pthread_cond_broadcast(pthread_cond_t*);
int __wrap_pthread_key_create(pthread_key_t*, void (*)(void*));
int __wrap_pthread_key_delete(pthread_key_t);
void* __wrap_pthread_getspecific(pthread_key_t);
int __wrap_pthread_setspecific(pthread_key_t, const void*);
int __wrap_pthread_once(pthread_once_t*, void (*)(void));
int __wrap_nanosleep(const struct timespec*, struct timespec*);
int __wrap_sched_yield(void);

_Static_assert(sizeof(mtx_t) == sizeof(pthread_mutex_t) &&
                   sizeof(cnd_t) == sizeof(pthread_cond_t) && sizeof(thrd_t) == sizeof(pthread_t) &&
                   sizeof(tss_t) == sizeof(pthread_key_t) &&
                   sizeof(once_flag) == sizeof(pthread_once_t),
               "the types of C11 hold those of POSIX");

static int
ResultOf(int code)
{
    switch (code)
    {
    case 0:
        return thrd_success;
    case EBUSY:
        return thrd_busy;
    case ETIMEDOUT:
        return thrd_timedout;
    case ENOMEM:
    case EAGAIN:
        return thrd_nomem;
    default:
        return thrd_error;
    }
}

/* A start function returns an int here; its register is as wide as a pointer. */
int
__wrap_thrd_create(thrd_t* thread, thrd_start_t start, void* argument)
{
    return ResultOf(
        __wrap_pthread_create(thread, NULL, (void* (*)(void*))(void (*)(void))start, argument));
}

int
__wrap_thrd_join(thrd_t thread, int* result)
{
    void* word = NULL;
    const int code = __wrap_pthread_join(thread, &word);
    if (result)
    {
        *result = (int)(intptr_t)word;
    }
    return ResultOf(code);
}

void
__wrap_thrd_exit(int result)
{
    __wrap_pthread_exit((void*)(intptr_t)result);
}

int
__wrap_thrd_detach(thrd_t thread)
{
    return ResultOf(__wrap_pthread_detach(thread));
}

thrd_t
__wrap_thrd_current(void)
{
    return __wrap_pthread_self();
}

int
__wrap_thrd_sleep(const struct timespec* span, struct timespec* left)
{
    return __wrap_nanosleep(span, left) == 0 ? 0 : -2;
}

void
__wrap_thrd_yield(void)
{
    __wrap_sched_yield();
}

int
__wrap_mtx_init(mtx_t* mutex, int type)
{
    const int kind = type & mtx_recursive ? PTHREAD_MUTEX_RECURSIVE : PTHREAD_MUTEX_NORMAL;
    pthread_mutexattr_t attributes;
    pthread_mutexattr_init(&attributes);
    pthread_mutexattr_settype(&attributes, kind);
    return ResultOf(__wrap_pthread_mutex_init((pthread_mutex_t*)mutex, &attributes));
}

void
__wrap_mtx_destroy(mtx_t* mutex)
{
    (void)mutex;
}

int
__wrap_mtx_lock(mtx_t* mutex)
{
    return ResultOf(__wrap_pthread_mutex_lock((pthread_mutex_t*)mutex));
}

int
__wrap_mtx_trylock(mtx_t* mutex)
{
    return ResultOf(__wrap_pthread_mutex_trylock((pthread_mutex_t*)mutex));
}

int
__wrap_mtx_timedlock(mtx_t* mutex, const struct timespec* until)
{
    return ResultOf(__wrap_pthread_mutex_timedlock((pthread_mutex_t*)mutex, until));
}

int
__wrap_mtx_unlock(mtx_t* mutex)
{
    return ResultOf(__wrap_pthread_mutex_unlock((pthread_mutex_t*)mutex));
}

int
__wrap_cnd_init(cnd_t* condition)
{
    return ResultOf(__wrap_pthread_cond_init((pthread_cond_t*)condition, NULL));
}

void
__wrap_cnd_destroy(cnd_t* condition)
{
    (void)condition;
}

int
__wrap_cnd_wait(cnd_t* condition, mtx_t* mutex)
{
    return ResultOf(__wrap_pthread_cond_wait((pthread_cond_t*)condition, (pthread_mutex_t*)mutex));
}

int
__wrap_cnd_timedwait(cnd_t* condition, mtx_t* mutex, const struct timespec* until)
{
    return ResultOf(
        __wrap_pthread_cond_timedwait((pthread_cond_t*)condition, (pthread_mutex_t*)mutex, until));
}

int
__wrap_cnd_signal(cnd_t* condition)
{
    return ResultOf(__wrap_pthread_cond_signal((pthread_cond_t*)condition));
}

int
__wrap_cnd_broadcast(cnd_t* condition)
{
    return ResultOf(__wrap_pthread_cond_broadcast((pthread_cond_t*)condition));
}

int
__wrap_tss_create(tss_t* key, tss_dtor_t destroy)
{
    return ResultOf(__wrap_pthread_key_create(key, destroy));
}

void
__wrap_tss_delete(tss_t key)
{
    __wrap_pthread_key_delete(key);
}

void*
__wrap_tss_get(tss_t key)
{
    return __wrap_pthread_getspecific(key);
}

int
__wrap_tss_set(tss_t key, void* value)
{
    return ResultOf(__wrap_pthread_setspecific(key, value));
}

void
__wrap_call_once(once_flag* once, void (*initialize)(void))
{
    __wrap_pthread_once((pthread_once_t*)once, initialize);
}
