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

/** Numbers a descriptor of the real machine, below 0: none. @return the number, -1 with an error */
int via_shim_keep_file(int real);

/** @return the real descriptor of the folder from which a path starts, AT_FDCWD or -1 with errno */
int via_shim_folder(int fd, const char* path);

/**
 * Whether a path, from a real folder, names a FIFO, errno then being EOPNOTSUPP: to open one waits
 * for its other end, which no process could open meanwhile, as all are one of the real machine.
 */
int via_shim_is_fifo(int folder, const char* path);

/** What via_shim_open_device returns for other paths. */
#define VIA_NO_DEVICE (-2)

/** Opens a path that names a descriptor of the process, such as /dev/stdin, random bytes or the
 * terminal. @return a number, -1 with errno, or VIA_NO_DEVICE */
int via_shim_open_device(const char* path, int flags);

/** fcntl, which waits for a lock in simulated time. */
int via_shim_fcntl(int fd, int command, int64_t argument);

ssize_t __wrap_read(int fd, void* bytes, size_t count);
ssize_t __wrap_write(int fd, const void* bytes, size_t count);
ssize_t __wrap_pread(int fd, void* bytes, size_t count, off_t at);
off_t __wrap_lseek(int fd, off_t at, int whence);

#endif /* VIA_SHIM_DESCRIPTORS_H */
