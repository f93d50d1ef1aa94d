/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
/* The locks of streams. Threads of a process are one thread of the real machine, so that the C
 * library's locks exclude none of them: a thread that waits inside of a call would leave the
 * stream's buffer to the next one half-written. */

#define _GNU_SOURCE
#include "via-shim-streams.h"
#include "via-shim-thread.h"

#include <stdarg.h>
#include <stdlib.h>

/* A stream that a thread has locked. */
struct ViaStreamLock
{
    FILE* stream;
    struct ViaThread* owner;
    unsigned int depth;  /* how often it has locked it */
    struct ViaLine line; /* of those who wait for it */
    struct ViaStreamLock* next;
};

/* Not on the stacks of threads: a killed thread leaves its locks behind. */
static struct ViaStreamLock s_first[8];
static struct ViaStreamLock* s_free;
static size_t s_used;
static struct ViaStreamLock* s_locks;

static struct ViaStreamLock*
LockOf(const FILE* stream)
{
    struct ViaStreamLock* lock = s_locks;
    while (lock && lock->stream != stream)
    {
        lock = lock->next;
    }
    return lock;
}

static int
IsLockedByOthers(const struct ViaStreamLock* lock)
{
    return lock && lock->owner != ViaSelf();
}

/* @return its lock, if the running thread has one */
static struct ViaStreamLock*
Await(const FILE* stream)
{
    struct ViaStreamLock* lock = LockOf(stream);
    while (IsLockedByOthers(lock) && !VIA_CALL(is_ending))
    {
        via_shim_wait(&lock->line, "the lock of a stream", INT64_MAX);
        lock = LockOf(stream);
    }
    return lock;
}

static struct ViaStreamLock*
NewLock(void)
{
    struct ViaStreamLock* const lock = s_free;
    if (lock)
    {
        s_free = lock->next;
        return lock;
    }
    return s_used < sizeof(s_first) / sizeof(s_first[0])
               ? &s_first[s_used++]
               : (struct ViaStreamLock*)__wrap_malloc(sizeof(*lock));
}

static void
Remove(struct ViaStreamLock* lock)
{
    struct ViaStreamLock** at = &s_locks;
    while (*at != lock)
    {
        at = &(*at)->next;
    }
    *at = lock->next;
    lock->next = s_free;
    s_free = lock;
    while (via_shim_wake(&lock->line))
    {
    }
}

struct ViaStreamLock*
via_shim_lock_stream(FILE* stream)
{
    struct ViaStreamLock* lock = Await(stream);
    if (!lock || IsLockedByOthers(lock)) /* by others: the process ends */
    {
        lock = NewLock();
        if (!lock)
        {
            return NULL;
        }
        lock->stream = stream;
        lock->owner = ViaSelf();
        lock->depth = 0;
        lock->line = (struct ViaLine){NULL, NULL};
        lock->next = s_locks;
        s_locks = lock;
    }
    lock->depth++;
    return lock;
}

void
via_shim_unlock_stream(struct ViaStreamLock* lock)
{
    if (lock && --lock->depth == 0)
    {
        Remove(lock);
    }
}

/* ---- locks that a program takes itself */

void
__wrap_flockfile(FILE* stream)
{
    via_shim_lock_stream(stream);
}

int
__wrap_ftrylockfile(FILE* stream)
{
    if (IsLockedByOthers(LockOf(stream)))
    {
        return -1;
    }
    via_shim_lock_stream(stream);
    return 0;
}

void
__wrap_funlockfile(FILE* stream)
{
    struct ViaStreamLock* const lock = LockOf(stream);
    if (!IsLockedByOthers(lock))
    {
        via_shim_unlock_stream(lock);
    }
}

/* ---- calls of the C library */

#define LOCKED(type, name, parameters, stream, ...)                                                \
    type __real_##name parameters;                                                                 \
    type __wrap_##name parameters;                                                                 \
    type __wrap_##name parameters                                                                  \
    {                                                                                              \
        VIA_LOCK_STREAM(stream);                                                                   \
        return __real_##name(__VA_ARGS__);                                                         \
    }

LOCKED(int, fputc, (int byte, FILE* stream), stream, byte, stream)
LOCKED(int, putc, (int byte, FILE* stream), stream, byte, stream)
LOCKED(int, putchar, (int byte), stdout, byte)
LOCKED(int, putw, (int word, FILE* stream), stream, word, stream)
LOCKED(int, fputs, (const char* text, FILE* stream), stream, text, stream)
LOCKED(int, puts, (const char* text), stdout, text)
LOCKED(size_t,
       fwrite,
       (const void* from, size_t bytes, size_t count, FILE* stream),
       stream,
       from,
       bytes,
       count,
       stream)
LOCKED(int, fgetc, (FILE * stream), stream, stream)
LOCKED(int, getc, (FILE * stream), stream, stream)
LOCKED(int, getchar, (void), stdin)
LOCKED(int, getw, (FILE * stream), stream, stream)
LOCKED(int, ungetc, (int byte, FILE* stream), stream, byte, stream)
LOCKED(char*, fgets, (char* text, int most, FILE* stream), stream, text, most, stream)
LOCKED(char*,
       __fgets_chk,
       (char* text, size_t room, int most, FILE* stream),
       stream,
       text,
       room,
       most,
       stream)
LOCKED(size_t,
       fread,
       (void* to, size_t bytes, size_t count, FILE* stream),
       stream,
       to,
       bytes,
       count,
       stream)
LOCKED(size_t,
       __fread_chk,
       (void* to, size_t room, size_t bytes, size_t count, FILE* stream),
       stream,
       to,
       room,
       bytes,
       count,
       stream)
LOCKED(int, fseek, (FILE * stream, long at, int whence), stream, stream, at, whence)
LOCKED(int, fseeko, (FILE * stream, off_t at, int whence), stream, stream, at, whence)
LOCKED(int, fseeko64, (FILE * stream, off_t at, int whence), stream, stream, at, whence)

void __real_rewind(FILE* stream);

void
__wrap_rewind(FILE* stream)
{
    VIA_LOCK_STREAM(stream);
    __real_rewind(stream);
}

/* ---- formats */

LOCKED(int,
       vfprintf,
       (FILE * stream, const char* format, va_list arguments),
       stream,
       stream,
       format,
       arguments)
LOCKED(int,
       __vfprintf_chk,
       (FILE * stream, int checks, const char* format, va_list arguments),
       stream,
       stream,
       checks,
       format,
       arguments)
LOCKED(int,
       vfscanf,
       (FILE * stream, const char* format, va_list arguments),
       stream,
       stream,
       format,
       arguments)
LOCKED(int,
       __isoc99_vfscanf,
       (FILE * stream, const char* format, va_list arguments),
       stream,
       stream,
       format,
       arguments)

/* A function whose arguments are not in a list, by the one where they are. */
#define LISTED(name, parameters, listed, ...)                                                      \
    int __wrap_##name parameters;                                                                  \
    int __wrap_##name parameters                                                                   \
    {                                                                                              \
        va_list arguments;                                                                         \
        int result;                                                                                \
        va_start(arguments, format);                                                               \
        result = __wrap_##listed(__VA_ARGS__, format, arguments);                                  \
        va_end(arguments);                                                                         \
        return result;                                                                             \
    }
/* A function for a standard stream, by the one for any. */
#define STANDARD(name, parameters, any, ...)                                                       \
    int __wrap_##name parameters;                                                                  \
    int __wrap_##name parameters                                                                   \
    {                                                                                              \
        return __wrap_##any(__VA_ARGS__, format, arguments);                                       \
    }

LISTED(printf, (const char* format, ...), vfprintf, stdout)
LISTED(fprintf, (FILE * stream, const char* format, ...), vfprintf, stream)
LISTED(__printf_chk, (int checks, const char* format, ...), __vfprintf_chk, stdout, checks)
LISTED(__fprintf_chk,
       (FILE * stream, int checks, const char* format, ...),
       __vfprintf_chk,
       stream,
       checks)
STANDARD(vprintf, (const char* format, va_list arguments), vfprintf, stdout)
STANDARD(__vprintf_chk,
         (int checks, const char* format, va_list arguments),
         __vfprintf_chk,
         stdout,
         checks)
LISTED(scanf, (const char* format, ...), vfscanf, stdin)
LISTED(fscanf, (FILE * stream, const char* format, ...), vfscanf, stream)
LISTED(__isoc99_scanf, (const char* format, ...), __isoc99_vfscanf, stdin)
LISTED(__isoc99_fscanf, (FILE * stream, const char* format, ...), __isoc99_vfscanf, stream)
STANDARD(vscanf, (const char* format, va_list arguments), vfscanf, stdin)
STANDARD(__isoc99_vscanf, (const char* format, va_list arguments), __isoc99_vfscanf, stdin)
