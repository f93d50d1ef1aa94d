/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
/* Inside the shim: how its files reach the simulator and each other. */

#ifndef VIA_SHIM_H
#define VIA_SHIM_H

#include "via-seam.h"

#ifdef __cplusplus
extern "C"
{
#endif

    extern struct ViaProgramInfo via_program_info;

/** Calls one of the simulator's services: VIA_CALL(yield) or VIA_CALL(release, block). */
#define VIA_CALL(service, ...)                                                                     \
    via_program_info.seam->service(via_program_info.seam->self, ##__VA_ARGS__)

    /** Runs body(argument); the C++ half also catches what the program throws and nobody catches.
     */
    void via_shim_protect(void (*body)(const void*), const void* argument);

    /** Copies the environment into the process; the first thing that runs. */
    void via_shim_set_environment(char* const* environment);

    /** Remembers the finalizers of the object for exit(). */
    void via_shim_set_finalizers(void (*const* finalizers)(void), size_t count);

    /* What the shim copies for itself costs the process nothing. */
    void* __real_memcpy(void* to, const void* from, size_t bytes);
    void* __real_memmove(void* to, const void* from, size_t bytes);
    void* __real_memset(void* to, int byte, size_t bytes);
    int __real_memcmp(const void* a, const void* b, size_t bytes);

    /* The process' own C library, for use between the shim's files. */
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
