/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
/* memcpy and related functions, charged to the process' CPU. Code that the compiler expands in
 * place and copies inside the C library cost nothing. */

#define _GNU_SOURCE
#include "via-shim.h"

#include <string.h>
#include <strings.h>

/* Time passes first, then a tail call: a fault in the copy is reported at the program's own
 * line. */

void*
__wrap_memcpy(void* to, const void* from, size_t bytes)
{
    VIA_CALL(copy, bytes);
    return __real_memcpy(to, from, bytes);
}

void*
__wrap_mempcpy(void* to, const void* from, size_t bytes)
{
    VIA_CALL(copy, bytes);
    return (char*)__real_memcpy(to, from, bytes) + bytes;
}

void*
__wrap_memmove(void* to, const void* from, size_t bytes)
{
    VIA_CALL(copy, bytes);
    return __real_memmove(to, from, bytes);
}

void*
__wrap_memset(void* to, int byte, size_t bytes)
{
    VIA_CALL(copy, bytes);
    return __real_memset(to, byte, bytes);
}

int
__wrap_memcmp(const void* a, const void* b, size_t bytes)
{
    VIA_CALL(copy, bytes);
    return __real_memcmp(a, b, bytes);
}

void
__wrap_bcopy(const void* from, void* to, size_t bytes)
{
    VIA_CALL(copy, bytes);
    __real_memmove(to, from, bytes);
}

void
__wrap_bzero(void* to, size_t bytes)
{
    VIA_CALL(copy, bytes);
    __real_memset(to, 0, bytes);
}

int
__wrap_bcmp(const void* a, const void* b, size_t bytes)
{
    VIA_CALL(copy, bytes);
    return __real_memcmp(a, b, bytes);
}

/* The -D_FORTIFY_SOURCE variants; they end a program that would copy too much. */

static void
Check(size_t bytes, size_t room)
{
    if (bytes > room)
    {
        VIA_CALL(die, 6, "*** buffer overflow detected ***");
    }
}

void*
__wrap___memcpy_chk(void* to, const void* from, size_t bytes, size_t room)
{
    Check(bytes, room);
    return __wrap_memcpy(to, from, bytes);
}

void*
__wrap___memmove_chk(void* to, const void* from, size_t bytes, size_t room)
{
    Check(bytes, room);
    return __wrap_memmove(to, from, bytes);
}

void*
__wrap___memset_chk(void* to, int byte, size_t bytes, size_t room)
{
    Check(bytes, room);
    return __wrap_memset(to, byte, bytes);
}
