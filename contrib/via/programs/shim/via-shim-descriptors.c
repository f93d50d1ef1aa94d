/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
/* Descriptors of the process: the simulator keeps the table; real files are behind some numbers. */

#define _GNU_SOURCE
#include "via-shim-descriptors.h"

#include "via-shim-random.h"
#include "via-shim-signals.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <linux/close_range.h>
#include <signal.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/statfs.h>
#include <sys/statvfs.h>
#include <sys/time.h>
#include <sys/uio.h>
#include <unistd.h>

static int64_t
Result(int64_t result)
{
    if (result >= 0)
    {
        return result;
    }
    errno = (int)-result;
    return -1;
}

int64_t
via_shim_system_once(enum ViaSystemCall call, const int64_t* arguments)
{
    int64_t result;
    int ran;
    do
    {
        result = VIA_CALL(system, call, arguments);
        via_shim_is_signalled();
        ran = via_shim_deliver();
    } while (result == -EINTR && !ran && !VIA_CALL(is_ending)); /* blocked, ignored: no one knows */
    return Result(result);
}

/* Those of Linux raise no SIGPIPE. */
static int
HasDatagrams(int fd)
{
    int type = 0;
    socklen_t bytes = sizeof(type);
    const int64_t arguments[] = {fd, SOL_SOCKET, SO_TYPE, VIA_POINTER(&type), VIA_POINTER(&bytes)};
    return VIA_CALL(system, VIA_GETSOCKOPT, arguments) == 0 && type != SOCK_STREAM;
}

int64_t
via_shim_system(enum ViaSystemCall call, const int64_t* arguments)
{
    int64_t result;
    int ran;
    do
    {
        result = VIA_CALL(system, call, arguments);
        via_shim_is_signalled();
        ran = via_shim_deliver();
    } while (result == -EINTR && ran != VIA_INTERRUPTS && !VIA_CALL(is_ending));
    if (result == -EPIPE && !HasDatagrams((int)arguments[0]) &&
        (call == VIA_WRITE || (call == VIA_SEND && !(arguments[3] & MSG_NOSIGNAL))))
    {
        __wrap_raise(SIGPIPE);
    }
    return Result(result);
}

/* ---- opening and closing */

int __real_openat(int folder, const char* path, int flags, ...);
int __real_close(int fd);

int
via_shim_keep_file(int real)
{
    const int fd = real < 0 ? -1 : VIA_CALL(add_file, real, NULL);
    if (real >= 0 && fd < 0)
    {
        __real_close(real);
        errno = EMFILE;
    }
    return fd;
}

/* @return the number that a path of the kernel's names; -1: none that the process has open */
static int
NumberIn(const char* path)
{
    static const char* const names[] = {"/dev/stdin", "/dev/stdout", "/dev/stderr"};
    static const char* const folders[] = {"/dev/fd/", "/proc/self/fd/"};
    int number;
    size_t i;
    for (number = STDIN_FILENO; number <= STDERR_FILENO; number++)
    {
        if (strcmp(path, names[number]) == 0)
        {
            return number;
        }
    }
    for (i = 0; i < 2; i++)
    {
        const size_t length = strlen(folders[i]);
        if (strncmp(path, folders[i], length) == 0 && path[length] >= '0' && path[length] <= '9')
        {
            const int64_t arguments[] = {number = atoi(path + length)};
            return VIA_CALL(system, VIA_KIND, arguments) < 0 ? -1 : number;
        }
    }
    return -1;
}

int
via_shim_open_device(const char* path, int flags)
{
    const int number = NumberIn(path);
    const int command = flags & O_CLOEXEC ? F_DUPFD_CLOEXEC : F_DUPFD;
    if (number >= 0)
    {
        return (int)VIA_SYSTEM(VIA_FCNTL, number, command, 0);
    }
    if (strcmp(path, "/dev/random") == 0 || strcmp(path, "/dev/urandom") == 0)
    {
        static uint64_t seeds;
        return (int)VIA_SYSTEM(VIA_RANDOM,
                               (flags & O_CLOEXEC) != 0,
                               (int64_t)via_shim_next_random(&seeds));
    }
    if (strcmp(path, "/dev/tty") == 0)
    {
        errno = ENXIO;
        return -1;
    }
    return VIA_NO_DEVICE;
}

/* open and open64, which are the same where file offsets have 64 bits. */
static int
OpenFile(int folder, const char* path, int flags, va_list rest)
{
    const int creates = (flags & O_CREAT) || (flags & O_TMPFILE) == O_TMPFILE;
    const int mode = creates ? va_arg(rest, int) : 0;
    const int device = via_shim_open_device(path, flags);
    int in;
    if (device != VIA_NO_DEVICE)
    {
        return device;
    }
    in = via_shim_folder(folder, path);
    return in == -1 || via_shim_is_fifo(in, path)
               ? -1
               : via_shim_keep_file(__real_openat(in, path, flags, mode));
}

#define OPENS(name)                                                                                \
    int __wrap_##name(const char* path, int flags, ...)                                            \
    {                                                                                              \
        va_list rest;                                                                              \
        int fd;                                                                                    \
        va_start(rest, flags);                                                                     \
        fd = OpenFile(AT_FDCWD, path, flags, rest);                                                \
        va_end(rest);                                                                              \
        return fd;                                                                                 \
    }

OPENS(open)
OPENS(open64)

/* With _FORTIFY_SOURCE: flags that are no constant, and create nothing. */
int
__wrap___open_2(const char* path, int flags)
{
    return __wrap_open(path, flags, 0);
}

int
__wrap___open64_2(const char* path, int flags)
{
    return __wrap_open(path, flags, 0);
}

#define OPENS_AT(name)                                                                             \
    int __wrap_##name(int folder, const char* path, int flags, ...)                                \
    {                                                                                              \
        va_list rest;                                                                              \
        int fd;                                                                                    \
        va_start(rest, flags);                                                                     \
        fd = OpenFile(folder, path, flags, rest);                                                  \
        va_end(rest);                                                                              \
        return fd;                                                                                 \
    }

OPENS_AT(openat)
OPENS_AT(openat64)

int
__wrap___openat_2(int folder, const char* path, int flags)
{
    return __wrap_openat(folder, path, flags, 0);
}

int
__wrap___openat64_2(int folder, const char* path, int flags)
{
    return __wrap_openat(folder, path, flags, 0);
}

int
__wrap_creat(const char* path, mode_t mode)
{
    return __wrap_open(path, O_CREAT | O_WRONLY | O_TRUNC, mode);
}

int
__wrap_creat64(const char* path, mode_t mode)
{
    return __wrap_creat(path, mode);
}

int
__wrap_close(int fd)
{
    return (int)VIA_SYSTEM(VIA_CLOSE, fd);
}

#define DESCRIPTORS 1024u

void
__wrap_closefrom(int first)
{
    int64_t number;
    for (number = first < 0 ? 0 : first; number < DESCRIPTORS; number++)
    {
        VIA_CALL(system, VIA_CLOSE, &number);
    }
}

int
__wrap_close_range(unsigned int first, unsigned int last, int flags)
{
    int64_t number;
    if (first > last || (flags & ~(int)(CLOSE_RANGE_UNSHARE | CLOSE_RANGE_CLOEXEC)))
    {
        errno = EINVAL;
        return -1;
    }
    for (number = first; number <= last && number < DESCRIPTORS; number++)
    {
        const int64_t arguments[] = {number, F_SETFD, FD_CLOEXEC};
        VIA_CALL(system, flags & CLOSE_RANGE_CLOEXEC ? VIA_FCNTL : VIA_CLOSE, arguments);
    }
    return 0;
}

/* A file without a name. */
int __real_memfd_create(const char* name, unsigned int flags);

int
__wrap_memfd_create(const char* name, unsigned int flags)
{
    return via_shim_keep_file(__real_memfd_create(name, flags));
}

/* ---- reading and writing */

ssize_t
__wrap_read(int fd, void* bytes, size_t count)
{
    return VIA_SYSTEM(VIA_READ, fd, VIA_POINTER(bytes), (int64_t)count, 0);
}

ssize_t
__wrap___read_chk(int fd, void* bytes, size_t count, size_t room)
{
    return __wrap_read(fd, bytes, count < room ? count : room);
}

ssize_t
__wrap_write(int fd, const void* bytes, size_t count)
{
    return VIA_SYSTEM(VIA_WRITE, fd, VIA_POINTER(bytes), (int64_t)count, 0);
}

/* @return how many bytes pieces hold; -1 with EINVAL */
static ssize_t
SumOf(const struct iovec* pieces, int count)
{
    size_t sum = 0;
    int i;
    for (i = 0; i < count; i++)
    {
        if (pieces[i].iov_len > (size_t)SSIZE_MAX - sum)
        {
            count = -1;
            break;
        }
        sum += pieces[i].iov_len;
    }
    if (count < 0 || count > IOV_MAX)
    {
        errno = EINVAL;
        return -1;
    }
    return (ssize_t)sum;
}

/* The bytes of all pieces in one buffer, so that a message stays one. */
ssize_t
__wrap_writev(int fd, const struct iovec* pieces, int count)
{
    const ssize_t sum = SumOf(pieces, count);
    char* const bytes = sum < 0 ? NULL : (char*)__wrap_malloc((size_t)sum);
    size_t at = 0;
    ssize_t done;
    int i;
    if (!bytes)
    {
        return -1;
    }
    for (i = 0; i < count; at += pieces[i].iov_len, i++)
    {
        __real_memcpy(bytes + at, pieces[i].iov_base, pieces[i].iov_len);
    }
    done = __wrap_write(fd, bytes, at);
    __wrap_free(bytes);
    return done;
}

ssize_t
__wrap_readv(int fd, const struct iovec* pieces, int count)
{
    const ssize_t sum = SumOf(pieces, count);
    char* const bytes = sum < 0 ? NULL : (char*)__wrap_malloc((size_t)sum);
    const ssize_t got = bytes ? __wrap_read(fd, bytes, (size_t)sum) : -1;
    ssize_t done = 0;
    int i;
    for (i = 0; i < count && done < got; i++)
    {
        const size_t left = (size_t)(got - done);
        const size_t part = pieces[i].iov_len < left ? pieces[i].iov_len : left;
        __real_memcpy(pieces[i].iov_base, bytes + done, part);
        done += (ssize_t)part;
    }
    __wrap_free(bytes);
    return got;
}

/* ---- numbers */

int
__wrap_dup(int fd)
{
    return (int)VIA_SYSTEM(VIA_FCNTL, fd, F_DUPFD, 0);
}

int
__wrap_dup2(int from, int to)
{
    if (to == STDOUT_FILENO || to == STDERR_FILENO)
    {
        fflush_unlocked(to == STDOUT_FILENO ? stdout : stderr); /* as Linux: it takes no lock */
    }
    return (int)VIA_SYSTEM(VIA_DUP2, from, to, 0, 0);
}

int
__wrap_dup3(int from, int to, int flags)
{
    return (int)VIA_SYSTEM(VIA_DUP2, from, to, 1, flags);
}

static int
Control(int fd, int command, va_list rest)
{
    return via_shim_fcntl(fd, command, va_arg(rest, int64_t));
}

#define CONTROLS(name)                                                                             \
    int __wrap_##name(int fd, int command, ...)                                                    \
    {                                                                                              \
        va_list rest;                                                                              \
        int result;                                                                                \
        va_start(rest, command);                                                                   \
        result = Control(fd, command, rest);                                                       \
        va_end(rest);                                                                              \
        return result;                                                                             \
    }

CONTROLS(fcntl)
CONTROLS(fcntl64)

int
__wrap_ioctl(int fd, unsigned long request, ...)
{
    va_list rest;
    int64_t argument;
    va_start(rest, request);
    argument = va_arg(rest, int64_t);
    va_end(rest);
    return (int)VIA_SYSTEM(VIA_IOCTL, fd, (int64_t)request, argument);
}

int
__wrap_isatty(int fd)
{
    const int64_t kind = VIA_SYSTEM(VIA_KIND, fd);
    errno = kind < 0 ? EBADF : ENOTTY;
    return 0;
}

/* ---- what only files can do */

#define ON_FILE(type, name, parameters, ...)                                                       \
    type __real_##name parameters;                                                                 \
    type __wrap_##name parameters                                                                  \
    {                                                                                              \
        const int real = VIA_CALL(real_file, fd);                                                  \
        return real < 0 ? (type)-1 : __real_##name(real, ##__VA_ARGS__);                           \
    }

ON_FILE(off_t, lseek, (int fd, off_t offset, int whence), offset, whence)
ON_FILE(off_t, lseek64, (int fd, off_t offset, int whence), offset, whence)
ON_FILE(int, ftruncate, (int fd, off_t length), length)
ON_FILE(int, ftruncate64, (int fd, off_t length), length)
ON_FILE(int, fsync, (int fd))
ON_FILE(int, fdatasync, (int fd))
ON_FILE(ssize_t, pread, (int fd, void* to, size_t n, off_t at), to, n, at)
ON_FILE(ssize_t, pread64, (int fd, void* to, size_t n, off_t at), to, n, at)
ON_FILE(ssize_t, __pread_chk, (int fd, void* to, size_t n, off_t at, size_t m), to, n, at, m)
ON_FILE(ssize_t, __pread64_chk, (int fd, void* to, size_t n, off_t at, size_t m), to, n, at, m)
ON_FILE(ssize_t, pwrite, (int fd, const void* from, size_t n, off_t at), from, n, at)
ON_FILE(ssize_t, pwrite64, (int fd, const void* from, size_t n, off_t at), from, n, at)
ON_FILE(int, fchmod, (int fd, mode_t mode), mode)
ON_FILE(int, fchown, (int fd, uid_t user, gid_t group), user, group)
ON_FILE(int, futimens, (int fd, const struct timespec* times), times)
ON_FILE(int, futimes, (int fd, const struct timeval* times), times)
ON_FILE(int, fallocate, (int fd, int mode, off_t at, off_t length), mode, at, length)
ON_FILE(int, fallocate64, (int fd, int mode, off_t at, off_t length), mode, at, length)
ON_FILE(int, posix_fallocate, (int fd, off_t at, off_t length), at, length)
ON_FILE(int, posix_fallocate64, (int fd, off_t at, off_t length), at, length)
ON_FILE(int, posix_fadvise, (int fd, off_t at, off_t length, int advice), at, length, advice)
ON_FILE(int, posix_fadvise64, (int fd, off_t at, off_t length, int advice), at, length, advice)
ON_FILE(int, fstatvfs, (int fd, struct statvfs* about), about)
ON_FILE(int, fstatvfs64, (int fd, struct statvfs64* about), about)
ON_FILE(int, fstatfs, (int fd, struct statfs* about), about)
ON_FILE(int, fstatfs64, (int fd, struct statfs64* about), about)
ON_FILE(long, fpathconf, (int fd, int name), name)

ON_FILE(ssize_t, readahead, (int fd, off64_t at, size_t n), at, n)
ON_FILE(int, sync_file_range, (int fd, off64_t at, off64_t n, unsigned how), at, n, how)
ON_FILE(int, syncfs, (int fd))
ON_FILE(ssize_t, getdents64, (int fd, void* to, size_t n), to, n)
ON_FILE(ssize_t, getdirentries, (int fd, char* to, size_t n, off_t* at), to, n, at)
ON_FILE(ssize_t, getdirentries64, (int fd, char* to, size_t n, off_t* at), to, n, at)
ON_FILE(ssize_t, fgetxattr, (int fd, const char* name, void* to, size_t n), name, to, n)
ON_FILE(ssize_t, flistxattr, (int fd, char* to, size_t n), to, n)
ON_FILE(int, fremovexattr, (int fd, const char* name), name)
ON_FILE(int,
        fsetxattr,
        (int fd, const char* name, const void* from, size_t n, int flags),
        name,
        from,
        n,
        flags)

int __real_fstat(int fd, struct stat* about);

int
__wrap_fstat(int fd, struct stat* about)
{
    const int64_t kind = VIA_SYSTEM(VIA_KIND, fd);
    const int real = kind < 0 ? -1 : VIA_CALL(real_file, fd);
    if (kind < 0 || real >= 0)
    {
        return kind < 0 ? -1 : __real_fstat(real, about);
    }
    __real_memset(about, 0, sizeof(*about));
    about->st_mode = (mode_t)kind | 0600;
    about->st_blksize = 4096;
    return 0;
}

int
__wrap_fstat64(int fd, struct stat64* about)
{
    return __wrap_fstat(fd, (struct stat*)about);
}

void* __real_mmap(void* address, size_t length, int access, int flags, int fd, off_t at);

void*
__wrap_mmap(void* address, size_t length, int access, int flags, int fd, off_t at)
{
    const int real = fd < 0 || (flags & MAP_ANONYMOUS) ? -1 : VIA_CALL(real_file, fd);
    if (real < 0 && !(flags & MAP_ANONYMOUS))
    {
        errno = EBADF;
        return MAP_FAILED;
    }
    return __real_mmap(address, length, access, flags, real, at);
}

void*
__wrap_mmap64(void* address, size_t length, int access, int flags, int fd, off_t at)
{
    return __wrap_mmap(address, length, access, flags, fd, at);
}
