/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
/* Descriptors 0 to 2: the real ones are the simulator's; each process has its own. */

#define _GNU_SOURCE
#include "via-shim.h"

#include <stdarg.h>
#include <stdlib.h>
#include <sys/uio.h>
#include <unistd.h>

FILE* __real_freopen(const char* path, const char* mode, FILE* stream);
ssize_t __real_read(int fd, void* bytes, size_t count);
ssize_t __real_writev(int fd, const struct iovec* pieces, int count);
int __real_dup(int fd);
int __real_dup2(int from, int to);
int __real_isatty(int fd);
int __real_mkstemp(char* pattern);
int __real_vdprintf(int fd, const char* format, va_list arguments);
FILE* __wrap_fopen(const char* path, const char* mode);

static int
IsStandard(int fd)
{
    return fd >= STDIN_FILENO && fd <= STDERR_FILENO;
}

static int
Keep(int fd)
{
    if (fd > STDERR_FILENO)
    {
        VIA_CALL(fd_opened, fd);
    }
    return fd;
}

/* Swaps the process' own variables; the streams of other processes are unaffected. */
FILE*
__wrap_freopen(const char* path, const char* mode, FILE* stream)
{
    FILE** standard = stream == stdin ? &stdin : stream == stdout ? &stdout : &stderr;
    FILE* opened;
    if (stream != *standard)
    {
        return __real_freopen(path, mode, stream);
    }
    fflush(stream);
    opened = path ? __wrap_fopen(path, mode) : stream;
    if (opened)
    {
        *standard = opened;
    }
    return opened;
}

ssize_t
__wrap_read(int fd, void* bytes, size_t count)
{
    return __real_read(fd == STDIN_FILENO ? fileno(stdin) : fd, bytes, count);
}

ssize_t
__wrap_writev(int fd, const struct iovec* pieces, int count)
{
    ssize_t sum = 0;
    int i;
    if (!IsStandard(fd))
    {
        return __real_writev(fd, pieces, count);
    }
    for (i = 0; i < count; i++)
    {
        if (VIA_CALL(output, fd, pieces[i].iov_base, pieces[i].iov_len) != 0)
        {
            return -1;
        }
        sum += (ssize_t)pieces[i].iov_len;
    }
    return sum;
}

int
__wrap_vdprintf(int fd, const char* format, va_list arguments)
{
    char* text;
    int length;
    if (!IsStandard(fd))
    {
        return __real_vdprintf(fd, format, arguments);
    }
    length = vasprintf(&text, format, arguments);
    if (length >= 0)
    {
        VIA_CALL(output, fd, text, (size_t)length);
        free(text);
    }
    return length;
}

int
__wrap_dprintf(int fd, const char* format, ...)
{
    va_list arguments;
    int length;
    va_start(arguments, format);
    length = __wrap_vdprintf(fd, format, arguments);
    va_end(arguments);
    return length;
}

int
__wrap_dup(int fd)
{
    if (IsStandard(fd))
    {
        VIA_CALL(die, 6, "dup() of a standard stream: it has no descriptor here; use freopen()");
    }
    return Keep(__real_dup(fd));
}

int
__wrap_dup2(int from, int to)
{
    if (IsStandard(from) || IsStandard(to))
    {
        VIA_CALL(die, 6, "dup2() of a standard stream: it has no descriptor here; use freopen()");
    }
    return Keep(__real_dup2(from, to));
}

int
__wrap_isatty(int fd)
{
    return IsStandard(fd) ? 0 : __real_isatty(fd);
}

int
__wrap_mkstemp(char* pattern)
{
    return Keep(__real_mkstemp(pattern));
}
