/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
/* err.h and error.h: messages with the name of the program. The C library's would print the
 * simulator's name, and end the simulator. */

#define _GNU_SOURCE
#include "via-shim.h"

#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

char* __wrap_program_invocation_name;
char* __wrap_program_invocation_short_name;
extern char* __wrap___progname_full __attribute__((alias("__wrap_program_invocation_name")));
extern char* __wrap___progname __attribute__((alias("__wrap_program_invocation_short_name")));

unsigned int __wrap_error_message_count;
int __wrap_error_one_per_line;
void (*__wrap_error_print_progname)(void);

void
via_shim_set_name(char* name)
{
    char* const slash = strrchr(name, '/');
    __wrap_program_invocation_name = name;
    __wrap_program_invocation_short_name = slash ? slash + 1 : name;
}

/* ---- err.h */

static void
Warn(int code, const char* format, va_list arguments)
{
    fprintf(stderr, "%s: ", __wrap_program_invocation_short_name);
    if (format)
    {
        vfprintf(stderr, format, arguments);
    }
    if (code >= 0)
    {
        fprintf(stderr, "%s%s", format ? ": " : "", strerror(code));
    }
    fputc('\n', stderr);
}

void
__wrap_vwarn(const char* format, va_list arguments)
{
    Warn(errno, format, arguments);
}

void
__wrap_vwarnx(const char* format, va_list arguments)
{
    Warn(-1, format, arguments);
}

void
__wrap_verr(int status, const char* format, va_list arguments)
{
    __wrap_vwarn(format, arguments);
    __wrap_exit(status);
}

void
__wrap_verrx(int status, const char* format, va_list arguments)
{
    __wrap_vwarnx(format, arguments);
    __wrap_exit(status);
}

#define WARNS(name)                                                                                \
    void __wrap_##name(const char* format, ...)                                                    \
    {                                                                                              \
        va_list arguments;                                                                         \
        va_start(arguments, format);                                                               \
        __wrap_v##name(format, arguments);                                                         \
        va_end(arguments);                                                                         \
    }
#define ENDS(name)                                                                                 \
    void __wrap_##name(int status, const char* format, ...)                                        \
    {                                                                                              \
        va_list arguments;                                                                         \
        va_start(arguments, format);                                                               \
        __wrap_v##name(status, format, arguments);                                                 \
        va_end(arguments);                                                                         \
    }

WARNS(warn)
WARNS(warnx)
ENDS(err)
ENDS(errx)

/* ---- error.h */

static void
PrintName(const char* after)
{
    fflush(stdout);
    if (__wrap_error_print_progname)
    {
        __wrap_error_print_progname();
    }
    else
    {
        fprintf(stderr, "%s:%s", __wrap_program_invocation_name, after);
    }
}

static void
Report(int status, int code, const char* format, va_list arguments)
{
    vfprintf(stderr, format, arguments);
    __wrap_error_message_count++;
    if (code)
    {
        fprintf(stderr, ": %s", strerror(code));
    }
    fputc('\n', stderr);
    if (status)
    {
        __wrap_exit(status);
    }
}

void
__wrap_error(int status, int code, const char* format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    PrintName(" ");
    Report(status, code, format, arguments);
    va_end(arguments);
}

void
__wrap_error_at_line(int status,
                     int code,
                     const char* file,
                     unsigned int line,
                     const char* format,
                     ...)
{
    static const char* lastFile;
    static unsigned int lastLine;
    va_list arguments;
    if (__wrap_error_one_per_line)
    {
        if (line == lastLine &&
            (file == lastFile || (file && lastFile && strcmp(file, lastFile) == 0)))
        {
            return;
        }
        lastFile = file;
        lastLine = line;
    }
    va_start(arguments, format);
    PrintName("");
    if (file)
    {
        fprintf(stderr, "%s:%u: ", file, line);
    }
    else
    {
        fputc(' ', stderr);
    }
    Report(status, code, format, arguments);
    va_end(arguments);
}
