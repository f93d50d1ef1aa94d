/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
/* malloc and its family, from the process' own heap. */

#define _GNU_SOURCE
#include "via-shim-streams.h"

#include <errno.h>
#include <limits.h>
#include <stdarg.h>
#include <string.h>

#define USUAL_ALIGNMENT 16
#define PAGE 4096

int __real_munmap(void* address, size_t bytes);
void __real_free(void* block);
void* __real_realloc(void* block, size_t bytes);
size_t __real_malloc_usable_size(void* block);

static void*
Allocate(size_t bytes, size_t alignment)
{
    void* block = VIA_CALL(allocate, bytes, alignment);
    if (!block)
    {
        errno = ENOMEM;
    }
    return block;
}

void*
__wrap_malloc(size_t bytes)
{
    return Allocate(bytes, USUAL_ALIGNMENT);
}

/* Some functions of the C library return memory from its own malloc (realpath, scanf's %ms). A
 * block outside the process' heap is one of those. */
void
__wrap_free(void* block)
{
    if (!block)
    {
        return;
    }
    if (VIA_CALL(owns, block))
    {
        VIA_CALL(release, block);
        return;
    }
    __real_free(block);
}

void*
__wrap_realloc(void* block, size_t bytes)
{
    void* moved;
    if (!block)
    {
        return __wrap_malloc(bytes);
    }
    if (bytes == 0)
    {
        __wrap_free(block);
        return NULL;
    }
    if (!VIA_CALL(owns, block))
    {
        return __real_realloc(block, bytes);
    }
    moved = VIA_CALL(resize, block, bytes);
    if (!moved)
    {
        errno = ENOMEM;
    }
    return moved;
}

/* Registered memory stays mapped until the process ends, but the program cannot access it. */
int
__wrap_munmap(void* address, size_t bytes)
{
    return VIA_CALL(unmap, address, bytes) ? 0 : __real_munmap(address, bytes);
}

void*
__wrap_calloc(size_t count, size_t bytes)
{
    void* block;
    if (bytes && count > SIZE_MAX / bytes)
    {
        errno = ENOMEM;
        return NULL;
    }
    block = __wrap_malloc(count * bytes);
    return block ? __real_memset(block, 0, count * bytes) : NULL;
}

void*
__wrap_reallocarray(void* block, size_t count, size_t bytes)
{
    if (bytes && count > SIZE_MAX / bytes)
    {
        errno = ENOMEM;
        return NULL;
    }
    return __wrap_realloc(block, count * bytes);
}

void*
__wrap_aligned_alloc(size_t alignment, size_t bytes)
{
    if (alignment == 0 || (alignment & (alignment - 1)))
    {
        errno = EINVAL;
        return NULL;
    }
    return Allocate(bytes, alignment);
}

void*
__wrap_memalign(size_t alignment, size_t bytes)
{
    return __wrap_aligned_alloc(alignment, bytes);
}

void*
__wrap_valloc(size_t bytes)
{
    return Allocate(bytes, PAGE);
}

void*
__wrap_pvalloc(size_t bytes)
{
    return Allocate(bytes > SIZE_MAX - PAGE ? bytes : (bytes + PAGE - 1) / PAGE * PAGE, PAGE);
}

int
__wrap_posix_memalign(void** block, size_t alignment, size_t bytes)
{
    void* got;
    if (alignment < sizeof(void*) || (alignment & (alignment - 1)))
    {
        return EINVAL;
    }
    got = VIA_CALL(allocate, bytes, alignment);
    if (!got)
    {
        return ENOMEM;
    }
    *block = got;
    return 0;
}

size_t
__wrap_malloc_usable_size(void* block)
{
    if (!block)
    {
        return 0;
    }
    return VIA_CALL(owns, block) ? VIA_CALL(size_of, block) : __real_malloc_usable_size(block);
}

static char*
Duplicate(const char* text, size_t length)
{
    char* copy = (char*)__wrap_malloc(length + 1);
    if (copy)
    {
        __real_memcpy(copy, text, length);
        copy[length] = '\0';
    }
    return copy;
}

char*
__wrap_strdup(const char* text)
{
    return Duplicate(text, strlen(text));
}

char*
__wrap_strndup(const char* text, size_t limit)
{
    return Duplicate(text, strnlen(text, limit));
}

int
__wrap_vasprintf(char** text, const char* format, va_list arguments)
{
    va_list again;
    int length;
    va_copy(again, arguments);
    length = vsnprintf(NULL, 0, format, again);
    va_end(again);
    if (length < 0 || !(*text = (char*)__wrap_malloc((size_t)length + 1)))
    {
        return -1;
    }
    return vsnprintf(*text, (size_t)length + 1, format, arguments);
}

int
__wrap_asprintf(char** text, const char* format, ...)
{
    va_list arguments;
    int length;
    va_start(arguments, format);
    length = __wrap_vasprintf(text, format, arguments);
    va_end(arguments);
    return length;
}

int
__wrap___vasprintf_chk(char** text, int checks, const char* format, va_list arguments)
{
    (void)checks;
    return __wrap_vasprintf(text, format, arguments);
}

int
__wrap___asprintf_chk(char** text, int checks, const char* format, ...)
{
    va_list arguments;
    int length;
    (void)checks;
    va_start(arguments, format);
    length = __wrap_vasprintf(text, format, arguments);
    va_end(arguments);
    return length;
}

static ssize_t
GetDelimited(char** line, size_t* capacity, int delimiter, FILE* stream)
{
    size_t used = 0;
    int c;
    if (!line || !capacity)
    {
        errno = EINVAL;
        return -1;
    }
    do
    {
        c = getc_unlocked(stream);
        if (c == EOF && used == 0)
        {
            return -1;
        }
        if (!*line || used + 2 > *capacity)
        {
            size_t wanted = *line && *capacity > 60 ? 2 * *capacity : 120;
            char* bigger = (char*)__wrap_realloc(*line, wanted);
            if (!bigger)
            {
                return -1;
            }
            *line = bigger;
            *capacity = wanted;
        }
        if (c != EOF)
        {
            (*line)[used++] = (char)c;
        }
    } while (c != EOF && c != delimiter);
    (*line)[used] = '\0';
    return (ssize_t)used;
}

ssize_t
__wrap_getdelim(char** line, size_t* capacity, int delimiter, FILE* stream)
{
    VIA_LOCK_STREAM(stream);
    return GetDelimited(line, capacity, delimiter, stream);
}

ssize_t
__wrap_getline(char** line, size_t* capacity, FILE* stream)
{
    return __wrap_getdelim(line, capacity, '\n', stream);
}
