/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
/* Host name, directories, environment and files of the process. */

#define _GNU_SOURCE
#include "via-shim.h"

#include <errno.h>
#include <fcntl.h>
#include <locale.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <sys/utsname.h>
#include <unistd.h>

char** __wrap_environ;
char** __wrap___environ;

/* environ and __environ name one variable; programs assign only the first. */
static void
SetEnviron(char** list)
{
    __wrap_environ = list;
    __wrap___environ = list;
}

static size_t
Count(char* const* list)
{
    size_t count = 0;
    while (list && list[count])
    {
        count++;
    }
    return count;
}

void
via_shim_set_environment(char* const* environment)
{
    size_t count = Count(environment);
    char** list = (char**)__wrap_malloc((count + 1) * sizeof(char*));
    size_t i;
    for (i = 0; i < count; i++)
    {
        list[i] = __wrap_strdup(environment[i]);
    }
    list[count] = NULL;
    SetEnviron(list);
}

static char**
Find(const char* name, size_t length)
{
    char** entry = __wrap_environ;
    for (; entry && *entry; entry++)
    {
        if (strncmp(*entry, name, length) == 0 && (*entry)[length] == '=')
        {
            return entry;
        }
    }
    return NULL;
}

char*
__wrap_getenv(const char* name)
{
    size_t length = strlen(name);
    char** entry = Find(name, length);
    return entry ? *entry + length + 1 : NULL;
}

char*
__wrap_secure_getenv(const char* name)
{
    return __wrap_getenv(name);
}

int
__wrap_unsetenv(const char* name)
{
    size_t length = strlen(name);
    char** entry;
    if (length == 0 || strchr(name, '='))
    {
        errno = EINVAL;
        return -1;
    }
    while ((entry = Find(name, length)))
    {
        __real_memmove(entry, entry + 1, (Count(entry + 1) + 1) * sizeof(char*));
    }
    return 0;
}

int
__wrap_putenv(char* text)
{
    const char* equals = strchr(text, '=');
    char** entry;
    char** list;
    size_t count;
    if (!equals)
    {
        return __wrap_unsetenv(text);
    }
    entry = Find(text, (size_t)(equals - text));
    if (entry)
    {
        *entry = text;
        return 0;
    }
    /* A new list each time: the old one may be the program's own array. */
    count = Count(__wrap_environ);
    list = (char**)__wrap_malloc((count + 2) * sizeof(char*));
    if (!list)
    {
        return -1;
    }
    __real_memcpy(list, __wrap_environ, count * sizeof(char*));
    list[count] = text;
    list[count + 1] = NULL;
    SetEnviron(list);
    return 0;
}

int
__wrap_setenv(const char* name, const char* value, int overwrite)
{
    size_t length = strlen(name);
    char* text;
    if (length == 0 || strchr(name, '='))
    {
        errno = EINVAL;
        return -1;
    }
    if (!overwrite && Find(name, length))
    {
        return 0;
    }
    text = (char*)__wrap_malloc(length + strlen(value) + 2);
    if (!text)
    {
        return -1;
    }
    __real_memcpy(text, name, length);
    text[length] = '=';
    strcpy(text + length + 1, value);
    return __wrap_putenv(text);
}

int
__wrap_clearenv(void)
{
    SetEnviron(NULL);
    return 0;
}

int
__wrap_gethostname(char* name, size_t size)
{
    const char* host = VIA_CALL(host_name);
    if (strlen(host) >= size)
    {
        errno = ENAMETOOLONG;
        return -1;
    }
    strcpy(name, host);
    return 0;
}

int
__wrap_uname(struct utsname* out)
{
    __real_memset(out, 0, sizeof(*out));
    strcpy(out->sysname, "Linux");
    strncpy(out->nodename, VIA_CALL(host_name), sizeof(out->nodename) - 1);
    strcpy(out->release, "simulated");
    strcpy(out->version, "via");
    strcpy(out->machine, "x86_64");
    return 0;
}

pid_t
__wrap_getpid(void)
{
    return VIA_CALL(process_id);
}

pid_t
__wrap_getppid(void)
{
    return 1;
}

int
__wrap_chdir(const char* path)
{
    return VIA_CALL(change_directory, path, -1);
}

int
__wrap_fchdir(int fd)
{
    return VIA_CALL(change_directory, NULL, fd);
}

/* The locale belongs to the whole simulator: programs get the "C" locale that every program starts
 * with. */
char*
__wrap_setlocale(int category, const char* name)
{
    (void)category;
    if (name && *name && strcmp(name, "C") != 0 && strcmp(name, "POSIX") != 0)
    {
        return NULL;
    }
    return (char*)"C";
}

FILE* __real_fopen(const char* path, const char* mode);
FILE* __real_fdopen(int fd, const char* mode);
FILE* __real_tmpfile(void);
int __real_fclose(FILE* stream);
int __real_open(const char* path, int flags, ...);
int __real_close(int fd);
ssize_t __real_write(int fd, const void* bytes, size_t count);

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
    return KeepStream(__real_fopen(path, mode));
}

FILE*
__wrap_fopen64(const char* path, const char* mode)
{
    return KeepStream(__real_fopen(path, mode));
}

FILE*
__wrap_fdopen(int fd, const char* mode)
{
    FILE* stream = KeepStream(__real_fdopen(fd, mode));
    if (stream)
    {
        VIA_CALL(fd_closed, fd); /* the stream now closes it */
    }
    return stream;
}

FILE*
__wrap_tmpfile(void)
{
    return KeepStream(__real_tmpfile());
}

int
__wrap_fclose(FILE* stream)
{
    VIA_CALL(stream_closed, stream);
    return __real_fclose(stream);
}

static int
KeepFd(int fd)
{
    if (fd >= 0)
    {
        VIA_CALL(fd_opened, fd);
    }
    return fd;
}

/* open and open64, which are the same where file offsets have 64 bits. */
static int
OpenFile(const char* path, int flags, va_list rest)
{
    const int creates = (flags & O_CREAT) || (flags & O_TMPFILE) == O_TMPFILE;
    const int mode = creates ? va_arg(rest, int) : 0;
    return KeepFd(__real_open(path, flags, mode));
}

int
__wrap_open(const char* path, int flags, ...)
{
    va_list rest;
    int fd;
    va_start(rest, flags);
    fd = OpenFile(path, flags, rest);
    va_end(rest);
    return fd;
}

int
__wrap_open64(const char* path, int flags, ...)
{
    va_list rest;
    int fd;
    va_start(rest, flags);
    fd = OpenFile(path, flags, rest);
    va_end(rest);
    return fd;
}

int
__wrap_creat(const char* path, mode_t mode)
{
    return KeepFd(__real_open(path, O_CREAT | O_WRONLY | O_TRUNC, mode));
}

/* Descriptors 0 to 2 are the simulator's; each process has its own standard streams instead. */
int
__wrap_close(int fd)
{
    if (fd >= 0 && fd <= 2)
    {
        return 0;
    }
    VIA_CALL(fd_closed, fd);
    return __real_close(fd);
}

ssize_t
__wrap_write(int fd, const void* bytes, size_t count)
{
    if (fd != 1 && fd != 2)
    {
        return __real_write(fd, bytes, count);
    }
    return VIA_CALL(output, fd, bytes, count) == 0 ? (ssize_t)count : -1;
}
