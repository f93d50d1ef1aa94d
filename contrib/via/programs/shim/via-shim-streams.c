/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
/* Streams of stdio over the process' own descriptors. */

#define _GNU_SOURCE
#include "via-shim-streams.h"

#include "via-shim-descriptors.h"

#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdio_ext.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <wchar.h>

FILE* __real_fopen(const char* path, const char* mode);
FILE* __real_fdopen(int fd, const char* mode);
FILE* __real_freopen(const char* path, const char* mode, FILE* stream);
FILE* __real_tmpfile(void);
int __real_fclose(FILE* stream);
int __real_fileno(FILE* stream);
int __real_fflush(FILE* stream);
int __real_fflush_unlocked(FILE* stream);
FILE* __real_fmemopen(void* memory, size_t bytes, const char* mode);
FILE* __real_open_memstream(char** text, size_t* bytes);
FILE* __real_open_wmemstream(wchar_t** text, size_t* characters);
FILE* __real_fopencookie(void* cookie, const char* mode, cookie_io_functions_t functions);
int __wrap_open(const char* path, int flags, ...);

static FILE*
    s_standard[3]; /* stdin, stdout and stderr, whatever the program makes of these names */

void
via_shim_keep_standard_streams(void)
{
    s_standard[0] = stdin;
    s_standard[1] = stdout;
    s_standard[2] = stderr;
}

/* @return the number of a standard stream; -1: it is another one */
static int
StandardNumber(const FILE* stream)
{
    int number;
    for (number = STDIN_FILENO; number <= STDERR_FILENO; number++)
    {
        if (stream == s_standard[number])
        {
            return number;
        }
    }
    return -1;
}

/* The flags of open for a mode of fopen. @return -1 with EINVAL: there is no such mode */
static int
FlagsOf(const char* mode)
{
    const int updates = strchr(mode, '+') != NULL;
    int flags = (strchr(mode, 'x') ? O_EXCL : 0) | (strchr(mode, 'e') ? O_CLOEXEC : 0);
    switch (mode[0])
    {
    case 'r':
        return flags | (updates ? O_RDWR : O_RDONLY);
    case 'w':
        return flags | (updates ? O_RDWR : O_WRONLY) | O_CREAT | O_TRUNC;
    case 'a':
        return flags | (updates ? O_RDWR : O_WRONLY) | O_CREAT | O_APPEND;
    default:
        errno = EINVAL;
        return -1;
    }
}

static FILE*
Keep(FILE* stream, int isOwn)
{
    if (stream)
    {
        VIA_CALL(stream_opened, stream, isOwn);
    }
    return stream;
}

static FILE*
KeepStream(FILE* stream)
{
    return Keep(stream, 0);
}

/* Streams without a file are known to the simulator for fflush(NULL) and exit. */
FILE*
__wrap_fmemopen(void* memory, size_t bytes, const char* mode)
{
    return Keep(__real_fmemopen(memory, bytes, mode), 1);
}

FILE*
__wrap_open_memstream(char** text, size_t* bytes)
{
    return Keep(__real_open_memstream(text, bytes), 1);
}

FILE*
__wrap_open_wmemstream(wchar_t** text, size_t* characters)
{
    return Keep(__real_open_wmemstream(text, characters), 1);
}

FILE*
__wrap_fopencookie(void* cookie, const char* mode, cookie_io_functions_t functions)
{
    return Keep(__real_fopencookie(cookie, mode, functions), 1);
}

static int
FlushAt(size_t place, int onlyLines)
{
    FILE* const stream = VIA_CALL(stream_at, place);
    if (!stream)
    {
        return 0; /* others have been closed */
    }
    VIA_LOCK_STREAM(stream);
    return VIA_CALL(stream_at, place) == stream && __fpending(stream) > 0 &&
                   (!onlyLines || __flbf(stream))
               ? __real_fflush(stream)
               : 0;
}

/* "All streams" are those of this process. The newest first: so none is left out when others are
 * closed meanwhile, and those behind them move up. */
static int
FlushAll(int onlyLines)
{
    size_t place = 0;
    int result = 0;
    while (VIA_CALL(stream_at, place))
    {
        place++;
    }
    while (place > 0)
    {
        if (FlushAt(--place, onlyLines) != 0)
        {
            result = EOF;
        }
    }
    return result;
}

int
__wrap_fflush(FILE* stream)
{
    if (!stream)
    {
        return FlushAll(0);
    }
    VIA_LOCK_STREAM(stream);
    return __real_fflush(stream);
}

int
__wrap_fflush_unlocked(FILE* stream)
{
    return stream ? __real_fflush_unlocked(stream) : FlushAll(0);
}

void
__wrap__flushlbf(void)
{
    FlushAll(1);
}

FILE*
__wrap_fopen(const char* path, const char* mode)
{
    const int flags = FlagsOf(mode);
    const int device = flags < 0 ? -1 : via_shim_open_device(path, flags);
    if (device != VIA_NO_DEVICE)
    {
        return device < 0 ? NULL : VIA_CALL(open_stream, device, mode);
    }
    return via_shim_is_fifo(AT_FDCWD, path) ? NULL : KeepStream(__real_fopen(path, mode));
}

FILE*
__wrap_fopen64(const char* path, const char* mode)
{
    return __wrap_fopen(path, mode);
}

FILE*
__wrap_tmpfile(void)
{
    return KeepStream(__real_tmpfile());
}

FILE*
__wrap_tmpfile64(void)
{
    return __wrap_tmpfile();
}

/* A stream over any descriptor; closing it closes the descriptor. */
FILE*
__wrap_fdopen(int fd, const char* mode)
{
    return VIA_CALL(open_stream, fd, mode);
}

/* A standard stream stays, as in the C library; what uses it later fails with EBADF. */
static int
CloseStandard(FILE* stream, int number)
{
    const int64_t arguments[] = {number};
    const int failed = fflush(stream);
    __fpurge(stream);
    return VIA_CALL(system, VIA_CLOSE, arguments) < 0 ? -1 : failed;
}

static int
Close(FILE* stream)
{
    const int standard = StandardNumber(stream);
    const int number = VIA_CALL(number_of, stream);
    int failed;
    if (standard >= 0)
    {
        return CloseStandard(stream, standard);
    }
    VIA_CALL(stream_closed, stream);
    failed = __real_fclose(stream);
    if (number > STDERR_FILENO)
    {
        const int64_t arguments[] = {number};
        VIA_CALL(system, VIA_CLOSE, arguments); /* of a file; others are closed by now */
    }
    return failed;
}

int
__wrap_fclose(FILE* stream)
{
    VIA_LOCK_STREAM(stream);
    return Close(stream);
}

/* The number of a stream that fopen has opened comes with the first question for it. */
int
__wrap_fileno(FILE* stream)
{
    const int standard = StandardNumber(stream);
    const int number = standard >= 0 ? standard : VIA_CALL(number_of, stream);
    const int real = number < 0 ? __real_fileno(stream) : -1;
    return number >= 0 ? number : real < 0 ? -1 : VIA_CALL(add_file, real, stream);
}

int
__wrap_fileno_unlocked(FILE* stream)
{
    return __wrap_fileno(stream);
}

/* Streams of files are the C library's; those over a number of the process get the number again. */
FILE*
__wrap_freopen(const char* path, const char* mode, FILE* stream)
{
    const int number = __real_fileno(stream) >= 0 ? -1 : __wrap_fileno(stream);
    const int flags = FlagsOf(mode);
    int opened;
    if (flags < 0 || (number < 0 && path && via_shim_is_fifo(AT_FDCWD, path)))
    {
        return NULL;
    }
    if (number < 0)
    {
        return __real_freopen(path, mode, stream);
    }
    fflush(stream);
    if (!path)
    {
        return stream;
    }
    __fpurge(stream);
    clearerr(stream);
    opened = __wrap_open(path, flags, 0666);
    if (opened < 0)
    {
        const int code = errno;
        __wrap_fclose(stream);
        errno = code;
        return NULL;
    }
    if (opened != number)
    {
        VIA_SYSTEM(VIA_DUP2, opened, number, 0, flags & O_CLOEXEC);
        VIA_SYSTEM(VIA_CLOSE, opened);
    }
    return stream;
}

FILE*
__wrap_freopen64(const char* path, const char* mode, FILE* stream)
{
    return __wrap_freopen(path, mode, stream);
}

int
__wrap_vdprintf(int fd, const char* format, va_list arguments)
{
    char* text;
    int length = vasprintf(&text, format, arguments);
    if (length >= 0)
    {
        length = (int)__wrap_write(fd, text, (size_t)length);
        free(text);
    }
    return length;
}

int
__wrap___vdprintf_chk(int fd, int checks, const char* format, va_list arguments)
{
    (void)checks;
    return __wrap_vdprintf(fd, format, arguments);
}

int
__wrap___dprintf_chk(int fd, int checks, const char* format, ...)
{
    va_list arguments;
    int length;
    (void)checks;
    va_start(arguments, format);
    length = __wrap_vdprintf(fd, format, arguments);
    va_end(arguments);
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
