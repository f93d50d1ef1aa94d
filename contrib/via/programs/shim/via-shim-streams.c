/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
/* Streams of stdio over the process' own descriptors. */

#define _GNU_SOURCE
#include "via-shim-descriptors.h"

#include <fcntl.h>
#include <stdarg.h>
#include <stdlib.h>
#include <unistd.h>

FILE* __real_fopen(const char* path, const char* mode);
FILE* __real_fdopen(int fd, const char* mode);
FILE* __real_freopen(const char* path, const char* mode, FILE* stream);
FILE* __real_tmpfile(void);
int __real_fclose(FILE* stream);
int __real_fileno(FILE* stream);

static FILE*
KeepStream(FILE* stream)
{
    if (stream)
    {
        VIA_CALL(stream_opened, stream);
    }
    return stream;
}

FILE*
__wrap_fopen(const char* path, const char* mode)
{
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

/* A stream over any descriptor; closing it closes the descriptor. */
FILE*
__wrap_fdopen(int fd, const char* mode)
{
    return VIA_CALL(open_stream, fd, mode);
}

int
__wrap_fclose(FILE* stream)
{
    const int number = VIA_CALL(number_of, stream);
    int failed;
    VIA_CALL(stream_closed, stream);
    failed = __real_fclose(stream);
    if (number > STDERR_FILENO)
    {
        const int64_t arguments[] = {number};
        VIA_CALL(system, VIA_CLOSE, arguments); /* of a file; others are closed by now */
    }
    return failed;
}

/* The number of a stream that fopen has opened comes with the first question for it. */
int
__wrap_fileno(FILE* stream)
{
    const int number = VIA_CALL(number_of, stream);
    const int real = number < 0 ? __real_fileno(stream) : -1;
    return number >= 0 ? number : real < 0 ? -1 : VIA_CALL(add_file, real, stream);
}

int
__wrap_fileno_unlocked(FILE* stream)
{
    return __wrap_fileno(stream);
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
