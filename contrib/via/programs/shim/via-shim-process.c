/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
/* Host name, directories and environment of the process. */

#define _GNU_SOURCE
#include "via-shim.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
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
__wrap___gethostname_chk(char* name, size_t size, size_t room)
{
    return __wrap_gethostname(name, size < room ? size : room);
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

mode_t
__wrap_umask(mode_t mask)
{
    return (mode_t)VIA_CALL(set_file_mask, (int)mask);
}

int
__wrap_chdir(const char* path)
{
    return VIA_CALL(change_directory, path, -1);
}

int
__wrap_fchdir(int fd)
{
    const int real = VIA_CALL(real_file, fd);
    return real < 0 ? -1 : VIA_CALL(change_directory, NULL, real);
}
