/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
/* How a process ends: exit, abort and failed assertions. */

#define _GNU_SOURCE
#include "via-shim-signals.h"
#include "via-shim-thread.h"

#include <errno.h>
#include <signal.h>
#include <stdarg.h>
#include <string.h>
#include <unistd.h>

/* One registered function: from atexit (argument), on_exit (code, argument) or a C++ destructor. */
struct Handler
{
    void (*plain)(void*);
    void (*withCode)(int, void*);
    void* argument;
};

static struct Handler* s_handlers;
static size_t s_count;
static size_t s_capacity;
static void (*const* s_finalizers)(void);
static size_t s_finalizerCount;

void
via_shim_set_finalizers(void (*const* finalizers)(void), size_t count)
{
    s_finalizers = finalizers;
    s_finalizerCount = count;
}

static int
Register(void (*plain)(void*), void (*withCode)(int, void*), void* argument)
{
    if (s_count == s_capacity)
    {
        size_t wanted = s_capacity ? 2 * s_capacity : 32;
        void* bigger = __wrap_realloc(s_handlers, wanted * sizeof(*s_handlers));
        if (!bigger)
        {
            return -1;
        }
        s_handlers = (struct Handler*)bigger;
        s_capacity = wanted;
    }
    s_handlers[s_count].plain = plain;
    s_handlers[s_count].withCode = withCode;
    s_handlers[s_count].argument = argument;
    s_count++;
    return 0;
}

/* atexit() in the static part of the C library ends up here too. */
int
__wrap___cxa_atexit(void (*function)(void*), void* argument, void* object)
{
    (void)object;
    return Register(function, NULL, argument);
}

int
__wrap___cxa_thread_atexit_impl(void (*function)(void*), void* argument, void* object)
{
    (void)object;
    return ViaSelf() == &via_shim_main_thread ? Register(function, NULL, argument)
                                              : via_shim_at_thread_end(function, argument);
}

int
__wrap_on_exit(void (*function)(int, void*), void* argument)
{
    return Register(NULL, function, argument);
}

/* The object's own finalizer calls this; exit() has run the handlers by then. */
void
__wrap___cxa_finalize(void* object)
{
    (void)object;
}

void
__wrap_exit(int code)
{
    /* Popped before the call: a handler may register others, or call exit itself. */
    while (s_count > 0)
    {
        struct Handler handler = s_handlers[--s_count];
        if (handler.plain)
        {
            handler.plain(handler.argument);
        }
        else
        {
            handler.withCode(code, handler.argument);
        }
    }
    while (s_finalizerCount > 0)
    {
        s_finalizers[--s_finalizerCount]();
    }
    VIA_CALL(leave, code, 1);
    __builtin_unreachable();
}

void
__wrap__exit(int code)
{
    VIA_CALL(leave, code, 0);
    __builtin_unreachable();
}

void
__wrap__Exit(int code)
{
    __wrap__exit(code);
}

void
__wrap___assert_fail(const char* text, const char* file, unsigned int line, const char* function)
{
    char report[512];
    snprintf(report,
             sizeof(report),
             "%s:%u: %s%sAssertion `%s' failed.",
             file,
             line,
             function ? function : "",
             function ? ": " : "",
             text);
    VIA_CALL(die, SIGABRT, report);
    __builtin_unreachable();
}

void
__wrap___assert_perror_fail(int code, const char* file, unsigned int line, const char* function)
{
    char report[512];
    snprintf(report,
             sizeof(report),
             "%s:%u: %s%sUnexpected error: %s.",
             file,
             line,
             function ? function : "",
             function ? ": " : "",
             strerror(code));
    VIA_CALL(die, SIGABRT, report);
    __builtin_unreachable();
}

void
__wrap___assert(const char* text, const char* file, int line)
{
    __wrap___assert_fail(text, file, (unsigned int)line, NULL);
}

void
__wrap___stack_chk_fail(void)
{
    VIA_CALL(die, SIGABRT, "stack smashing detected");
    __builtin_unreachable();
}

void
__wrap_abort(void)
{
    if (via_shim_is_handled(SIGABRT))
    {
        __wrap_raise(SIGABRT);
    }
    VIA_CALL(die, SIGABRT, "aborted");
    __builtin_unreachable();
}
