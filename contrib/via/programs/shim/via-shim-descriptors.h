/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
/* Internal to the shim: system calls on descriptors. */

#ifndef VIA_SHIM_DESCRIPTORS_H
#define VIA_SHIM_DESCRIPTORS_H

#include "via-shim.h"

#include <sys/types.h>

/** A system call with its arguments; -1 and errno tell a failure. Handlers of signals run first. */
#define VIA_SYSTEM(call, ...) via_shim_system(call, (const int64_t[]){__VA_ARGS__})

/** A pointer as an argument. */
#define VIA_POINTER(pointer) ((int64_t)(uintptr_t)(pointer))

int64_t via_shim_system(enum ViaSystemCall call, const int64_t* arguments);

/** As via_shim_system for calls that wait for a time: a signal with a handler always ends them. */
int64_t via_shim_system_once(enum ViaSystemCall call, const int64_t* arguments);

ssize_t __wrap_read(int fd, void* bytes, size_t count);
ssize_t __wrap_write(int fd, const void* bytes, size_t count);
ssize_t __wrap_pread(int fd, void* bytes, size_t count, off_t at);
off_t __wrap_lseek(int fd, off_t at, int whence);

#endif /* VIA_SHIM_DESCRIPTORS_H */
