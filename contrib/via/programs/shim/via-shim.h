/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
/* Internal to the shim: how its files call the simulator and each other. */

#ifndef VIA_SHIM_H
#define VIA_SHIM_H

#include "via-host-calls.h"

#include <errno.h>

#ifdef __cplusplus
extern "C"
{
#endif

    extern struct ViaProgramInfo via_program_info;

/** Calls one of the simulator's host calls: VIA_CALL(yield) or VIA_CALL(release, block). */
#define VIA_CALL(service, ...)                                                                     \
    via_program_info.calls->service(via_program_info.calls->self, ##__VA_ARGS__)

    /** Runs body(argument); the C++ half also catches exceptions that the program does not. */
    void via_shim_protect(void (*body)(const void*), const void* argument);

    /** Copies the environment into the process; runs first. */
    void via_shim_set_environment(char* const* environment);

    /** Notes which streams are the standard ones; runs first. */
    void via_shim_keep_standard_streams(void);

    /** Stores the name of the program, which its messages begin with. */
    void via_shim_set_name(char* name);

    /** Stores the finalizers of the object for exit(). */
    void via_shim_set_finalizers(void (*const* finalizers)(void), size_t count);

    /** What a call that fails returns. @return -1, with this errno */
    static inline int ViaFail(int code)
    {
        errno = code;
        return -1;
    }

    /* Copies by the shim itself cost the process nothing. */
    void* __real_memcpy(void* to, const void* from, size_t bytes);
    void* __real_memmove(void* to, const void* from, size_t bytes);
    void* __real_memset(void* to, int byte, size_t bytes);
    int __real_memcmp(const void* a, const void* b, size_t bytes);

    /* The wrapped C library, for use between the shim's files. */
    void* __wrap_malloc(size_t bytes);
    void* __wrap_realloc(void* block, size_t bytes);
    void __wrap_free(void* block);
    char* __wrap_strdup(const char* text);
    void __wrap_exit(int code) __attribute__((noreturn));
    void __wrap_abort(void) __attribute__((noreturn));
    char* __wrap_getenv(const char* name);

#ifdef __cplusplus
}
#endif

#endif /* VIA_SHIM_H */
