/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
/* Loading at run time: of the provider's library, which is here already, and of the program itself.
 * Other libraries would be shared by all simulated processes. */

#define _GNU_SOURCE
#include "via-shim-load.h"

#include "via-shim.h"

#include <dlfcn.h>
#include <string.h>
#include <vipl.h>

__attribute__((weak)) const struct ViaSymbol via_shim_own_symbols[] = {{NULL, NULL}};

static const struct ViaSymbol s_vipl[] = {
#define VIPL_FUNCTION(ret, name, params, names) {#name, (void*)name},
#include <vipl-functions.def>
    {NULL, NULL}};

/* What dlopen returns: the address says which it is. */
static char s_library, s_self;

static char s_error[512];
static int s_failed;

static void*
Fail(const char* name, const char* why)
{
    snprintf(s_error, sizeof(s_error), "%.300s: %s", name, why);
    s_failed = 1;
    return NULL;
}

char*
__wrap_dlerror(void)
{
    const int failed = s_failed;
    s_failed = 0;
    return failed ? s_error : NULL;
}

void*
__wrap_dlopen(const char* name, int flags)
{
    const char* const slash = name ? strrchr(name, '/') : NULL;
    const char* const file = slash ? slash + 1 : name;
    (void)flags;
    if (!name || *name == '\0')
    {
        return &s_self;
    }
    if (strncmp(file, "libvipl.so", 10) == 0 && (file[10] == '\0' || file[10] == '.'))
    {
        return &s_library;
    }
    return Fail(name,
                "a simulated process loads libvipl.so or itself (NULL); all processes would share "
                "another library, so link it with ./via cc");
}

int
__wrap_dlclose(void* handle)
{
    if (handle == &s_library || handle == &s_self)
    {
        return 0;
    }
    Fail("dlclose", "not a handle of dlopen");
    return -1;
}

static void*
Find(const struct ViaSymbol* symbols, const char* name)
{
    for (; symbols->name; symbols++)
    {
        if (strcmp(symbols->name, name) == 0)
        {
            return symbols->address;
        }
    }
    return NULL;
}

void*
__wrap_dlsym(void* handle, const char* name)
{
    const int isAny = handle == RTLD_DEFAULT || handle == RTLD_NEXT;
    void* found = NULL;
    if (!isAny && handle != &s_library && handle != &s_self)
    {
        return Fail("dlsym", "not a handle of dlopen");
    }
    if (handle != &s_library && handle != RTLD_NEXT)
    {
        found = Find(via_shim_own_symbols, name);
    }
    found = found ? found : Find(s_vipl, name);
    return found ? found
                 : Fail(name,
                        "neither a function of VIPL nor an external symbol of the program; call "
                        "functions of the C library by name");
}

void*
__wrap_dlvsym(void* handle, const char* name, const char* version)
{
    (void)version;
    return __wrap_dlsym(handle, name);
}
