/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
/* Threads of the process: the POSIX interface over the simulator's fibers. */

#define _GNU_SOURCE
#include "via-shim-thread.h"

#include "via-shim-signals.h"

#include <errno.h>
#include <pthread.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <sys/prctl.h>

#define PS_PER_SECOND INT64_C(1000000000000)
#define PS_PER_NS INT64_C(1000)

/* The simulator's numbers: 0 runs VIPL handlers, 1 runs main. */
struct ViaThread via_shim_handler_thread = {.number = 0, .name = ~0UL};
struct ViaThread via_shim_main_thread = {.number = 1, .name = 1};

static unsigned long s_lastName = 1;
static unsigned int s_others;       /* threads alive besides main */
static struct ViaLine s_mainLeaves; /* main has called pthread_exit and waits for the others */

/* ---- lines */

void
via_shim_queue(struct ViaLine* line)
{
    struct ViaThread* self = ViaSelf();
    via_shim_leave_line(); /* a handler waits, while its thread waits elsewhere */
    self->line = line;
    self->behind = NULL;
    if (line->last)
    {
        line->last->behind = self;
    }
    else
    {
        line->first = self;
    }
    line->last = self;
}

void
via_shim_unqueue(struct ViaLine* line, struct ViaThread* thread)
{
    struct ViaThread** at = &line->first;
    struct ViaThread* before = NULL;
    while (*at && *at != thread)
    {
        before = *at;
        at = &before->behind;
    }
    if (*at)
    {
        thread->line = NULL;
        *at = thread->behind;
        line->last = line->last == thread ? before : line->last;
    }
}

void
via_shim_leave_line(void)
{
    struct ViaThread* const self = ViaSelf();
    if (self->line)
    {
        via_shim_unqueue(self->line, self);
    }
    self->keepsPlace = self->handles = 0;
}

/* Sleeps in a line. Where a signal comes, handlers run; the thread keeps its place, and may be
 * woken meanwhile. @return as via_shim_wait_or_signal */
static int
Sleep(struct ViaLine* line, const char* what, int64_t deadline, int ends)
{
    struct ViaThread* const self = ViaSelf();
    const int64_t outer = self->wokenAt; /* of a wait whose handler waits here */
    int woken = 0;
    int ran = 0;
    int handles;
    int64_t end;
    do
    {
        end = via_shim_timer < deadline ? via_shim_timer : deadline;
        self->wokenAt = 0;
        self->keepsPlace = end < deadline;
        woken = VIA_CALL(block, what, end);
        handles = via_shim_is_signalled() || (!woken && end < deadline);
        if (handles)
        {
            self->handles = 1;
            ran = via_shim_deliver();
            self->handles = 0;
            woken = self->wokenAt > 0;
            if (woken)
            {
                VIA_CALL(sleep_until, self->wokenAt); /* the waker's clock may be ahead */
            }
            else if (self->line != line) /* a handler has waited itself */
            {
                via_shim_queue(line);
            }
        }
    } while (!woken && handles && !(ends && ran == VIA_INTERRUPTS));
    self->keepsPlace = 0;
    self->wokenAt = outer;
    via_shim_unqueue(line, self); /* for a passed deadline or process end; a waker unqueues */
    return woken ? 1 : handles ? -1 : 0;
}

int
via_shim_sleep(struct ViaLine* line, const char* what, int64_t deadline)
{
    return Sleep(line, what, deadline, 0);
}

int
via_shim_wait(struct ViaLine* line, const char* what, int64_t deadline)
{
    via_shim_queue(line);
    return Sleep(line, what, deadline, 0);
}

int
via_shim_wait_or_signal(struct ViaLine* line, const char* what, int64_t deadline)
{
    via_shim_queue(line);
    return Sleep(line, what, deadline, 1);
}

int
via_shim_resume(struct ViaThread* thread)
{
    if (!thread->handles && !thread->signalled && VIA_CALL(wake, thread->number))
    {
        return 1;
    }
    if (thread->keepsPlace)
    {
        thread->wokenAt = VIA_CALL(clock, VIA_CLOCK_STANDING);
    }
    return thread->keepsPlace;
}

struct ViaThread*
via_shim_wake(struct ViaLine* line)
{
    while (line->first)
    {
        struct ViaThread* first = line->first;
        via_shim_unqueue(line, first);
        if (via_shim_resume(first))
        {
            return first;
        }
    }
    return NULL;
}

void
via_shim_step(void)
{
    if (s_lastName > 1) /* else the C++ library's locks would charge single-threaded programs */
    {
        VIA_CALL(spend, VIA_COST_CALL);
    }
}

int64_t
via_shim_instant(clockid_t which, const struct timespec* when)
{
    int64_t seconds;
    if (!when)
    {
        return INT64_MAX;
    }
    seconds = when->tv_sec - (which == CLOCK_MONOTONIC ? 0 : VIA_EPOCH_SECONDS);
    if (seconds < 0)
    {
        return 0;
    }
    return seconds >= INT64_MAX / PS_PER_SECOND - 1
               ? INT64_MAX
               : seconds * PS_PER_SECOND + when->tv_nsec * PS_PER_NS;
}

/* ---- life */

struct ViaThread*
via_shim_find_thread(unsigned long name)
{
    struct ViaThread* thread = &via_shim_main_thread;
    while (thread && thread->name != name)
    {
        thread = thread->other;
    }
    return thread;
}

static void
Forget(struct ViaThread* thread)
{
    struct ViaThread* before = &via_shim_main_thread;
    while (before->other != thread)
    {
        before = before->other;
    }
    before->other = thread->other;
    __wrap_free(thread);
}

/* 0 stands for the simulator's default size: glibc's own default depends on the machine. */
static size_t
StackBytes(const pthread_attr_t* attributes)
{
    pthread_attr_t usual;
    size_t wanted = 0;
    size_t standard = 0;
    if (!attributes)
    {
        return 0;
    }
    pthread_attr_init(&usual);
    pthread_attr_getstacksize(&usual, &standard);
    pthread_attr_destroy(&usual);
    pthread_attr_getstacksize(attributes, &wanted);
    return wanted == standard ? 0 : wanted;
}

/* Rounding, and which exceptions trap: a new thread has those of the thread that starts it. */
static void
KeepFloats(struct ViaThread* thread)
{
#ifdef __x86_64__
    thread->floatModes = __builtin_ia32_stmxcsr();
    __asm__("fnstcw %0" : "=m"(thread->floatControl));
#endif
}

static void
SetFloats(const struct ViaThread* thread)
{
#ifdef __x86_64__
    const uint32_t happened = 0x3f; /* flags, which are not inherited */
    __builtin_ia32_ldmxcsr(thread->floatModes & ~happened);
    __asm__ volatile("fldcw %0" : : "m"(thread->floatControl));
#endif
}

int
__wrap_pthread_create(pthread_t* name,
                      const pthread_attr_t* attributes,
                      void* (*start)(void*),
                      void* argument)
{
    struct ViaThread* thread = (struct ViaThread*)__wrap_malloc(sizeof(*thread));
    int state = PTHREAD_CREATE_JOINABLE;
    VIA_CALL(spend, VIA_COST_SYSTEM_CALL);
    if (!thread)
    {
        return EAGAIN;
    }
    if (attributes)
    {
        pthread_attr_getdetachstate(attributes, &state);
    }
    __real_memset(thread, 0, sizeof(*thread));
    thread->start = start;
    thread->argument = argument;
    KeepFloats(thread);
    thread->mask = ViaSelf()->mask;
    thread->detached = state == PTHREAD_CREATE_DETACHED;
    thread->number = VIA_CALL(start_thread, thread, StackBytes(attributes));
    if (thread->number == 0)
    {
        __wrap_free(thread);
        return EAGAIN;
    }
    thread->name = ++s_lastName;
    thread->other = via_shim_main_thread.other;
    via_shim_main_thread.other = thread;
    s_others++;
    *name = thread->name;
    return 0;
}

/* C programs have no exceptions to catch; the C++ half of the shim overrides these two. */
__attribute__((weak)) void
via_shim_call_thread(struct ViaThread* thread)
{
    if (_setjmp(thread->leave) == 0)
    {
        thread->result = thread->start(thread->argument);
    }
}

__attribute__((weak)) void
via_shim_leave_thread(struct ViaThread* thread)
{
    _longjmp(thread->leave, 1);
}

int
via_shim_at_thread_end(void (*function)(void*), void* argument)
{
    struct ViaThreadEnd* end = (struct ViaThreadEnd*)__wrap_malloc(sizeof(*end));
    if (!end)
    {
        return -1;
    }
    end->function = function;
    end->argument = argument;
    end->next = ViaSelf()->ends;
    ViaSelf()->ends = end;
    return 0;
}

void via_shim_destroy_values(struct ViaThread* thread);

static void
FinishThread(struct ViaThread* thread)
{
    while (thread->ends)
    {
        struct ViaThreadEnd* end = thread->ends;
        thread->ends = end->next;
        end->function(end->argument);
        __wrap_free(end);
    }
    via_shim_destroy_values(thread);
    via_shim_free_storage(thread);
}

void
via_shim_run_thread(struct ViaThread* thread)
{
    SetFloats(thread);
    via_shim_call_thread(thread);
    FinishThread(thread);
    VIA_CALL(spend, VIA_COST_SYSTEM_CALL);
    thread->ended = 1;
    via_shim_tell_of_timer(); /* it may have been the only one that knew */
    if (--s_others == 0)
    {
        via_shim_wake(&s_mainLeaves);
    }
    via_shim_wake(&thread->end);
    if (thread->detached)
    {
        Forget(thread);
    }
}

void
__wrap_pthread_exit(void* result)
{
    struct ViaThread* self = ViaSelf();
    __pthread_unwind_buf_t* cleanup = (__pthread_unwind_buf_t*)self->cleanups;
    self->result = result;
    if (cleanup)
    {
        self->cleanups = cleanup->__pad[0];
        jmp_buf back; /* the buffer holds only the needed part */
        __real_memset(&back, 0, sizeof(back));
        __real_memcpy(&back, cleanup->__cancel_jmp_buf, sizeof(cleanup->__cancel_jmp_buf));
        longjmp(back, 1);
    }
    if (self == &via_shim_handler_thread)
    {
        VIA_CALL(die, 6, "pthread_exit() in a handler of VIPL's");
    }
    if (self == &via_shim_main_thread)
    {
        FinishThread(self);
        self->ended = 1;
        via_shim_wake(&self->end);
        while (s_others > 0)
        {
            via_shim_wait(&s_mainLeaves, "pthread_exit (for the other threads)", INT64_MAX);
        }
        __wrap_exit(0);
    }
    via_shim_leave_thread(self);
}

int
__wrap_pthread_join(pthread_t name, void** result)
{
    struct ViaThread* thread = via_shim_find_thread(name);
    via_shim_step();
    if (!thread)
    {
        return ESRCH;
    }
    if (thread == ViaSelf())
    {
        return EDEADLK;
    }
    if (thread->detached || thread->joiner)
    {
        return EINVAL;
    }
    thread->joiner = ViaSelf();
    if (!thread->ended)
    {
        VIA_CALL(spend, VIA_COST_SYSTEM_CALL);
    }
    if (!thread->ended)
    {
        via_shim_wait(&thread->end, "pthread_join", INT64_MAX);
    }
    if (result)
    {
        *result = thread->result;
    }
    if (thread == &via_shim_main_thread)
    {
        thread->detached = 1;
    }
    else
    {
        Forget(thread);
    }
    return 0;
}

int
__wrap_pthread_detach(pthread_t name)
{
    struct ViaThread* thread = via_shim_find_thread(name);
    via_shim_step();
    if (!thread)
    {
        return ESRCH;
    }
    if (thread->detached || thread->joiner)
    {
        return EINVAL;
    }
    thread->detached = 1;
    if (thread->ended && thread != &via_shim_main_thread)
    {
        Forget(thread);
    }
    return 0;
}

pthread_t
__wrap_pthread_self(void)
{
    return ViaSelf()->name;
}

/* ---- names and numbers for the kernel */

#define NAME_BYTES 16

int
__wrap_pthread_setname_np(pthread_t name, const char* text)
{
    struct ViaThread* const thread = via_shim_find_thread(name);
    if (strlen(text) >= NAME_BYTES)
    {
        return ERANGE;
    }
    if (!thread)
    {
        return ESRCH;
    }
    strcpy(thread->title, text);
    return 0;
}

/* Until it is set, it is the name of the program, which the simulated kernel does not know. */
int
__wrap_pthread_getname_np(pthread_t name, char* text, size_t room)
{
    const struct ViaThread* const thread = via_shim_find_thread(name);
    if (room < NAME_BYTES)
    {
        return ERANGE;
    }
    if (!thread)
    {
        return ESRCH;
    }
    strcpy(text, thread->title[0] ? thread->title : "via");
    return 0;
}

int
__wrap_prctl(int option, ...)
{
    va_list rest;
    char* text;
    va_start(rest, option);
    text = va_arg(rest, char*);
    va_end(rest);
    if (option == PR_SET_NAME)
    {
        snprintf(ViaSelf()->title, NAME_BYTES, "%s", text);
        return 0;
    }
    if (option == PR_GET_NAME)
    {
        return __wrap_pthread_getname_np(ViaSelf()->name, text, NAME_BYTES) == 0 ? 0 : -1;
    }
    errno = EINVAL;
    return -1;
}

/* The main thread has the number of the process. */
pid_t
via_shim_id_of(const struct ViaThread* thread)
{
    const uint32_t number = thread->number;
    return VIA_CALL(process_id) + (number <= 1 ? 0 : (pid_t)(number - 1) * 1000000);
}

pid_t
__wrap_gettid(void)
{
    return via_shim_id_of(ViaSelf());
}

/* There is no cancellation: pthread_cancel is refused. */
int
__wrap_pthread_setcancelstate(int state, int* old)
{
    (void)state;
    if (old)
    {
        *old = PTHREAD_CANCEL_ENABLE;
    }
    return 0;
}

int
__wrap_pthread_setcanceltype(int type, int* old)
{
    (void)type;
    if (old)
    {
        *old = PTHREAD_CANCEL_DEFERRED;
    }
    return 0;
}

void
__wrap_pthread_testcancel(void)
{
}

/* pthread_cleanup_push and _pop of C: a chain of buffers, called from pthread_exit inside out. */
void
__wrap___pthread_register_cancel(__pthread_unwind_buf_t* buffer)
{
    buffer->__pad[0] = ViaSelf()->cleanups;
    ViaSelf()->cleanups = buffer;
}

void
__wrap___pthread_unregister_cancel(__pthread_unwind_buf_t* buffer)
{
    ViaSelf()->cleanups = buffer->__pad[0];
}

void
__wrap___pthread_unwind_next(__pthread_unwind_buf_t* buffer)
{
    (void)buffer;
    __wrap_pthread_exit(ViaSelf()->result);
}
