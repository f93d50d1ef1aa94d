/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
/* Names relative to a folder that is open, and streams of folders, by the process' own numbers. */

#define _GNU_SOURCE
#include "via-shim-descriptors.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/time.h>
#include <unistd.h>

int __real_fcntl(int fd, int command, ...);
int __real_fstatat(int folder, const char* path, struct stat* about, int flags);

int
via_shim_folder(int fd, const char* path)
{
    int real;
    if (fd == AT_FDCWD || (path && path[0] == '/'))
    {
        return AT_FDCWD;
    }
    real = VIA_CALL(real_file, fd);
    if (real < 0 && errno == ESPIPE)
    {
        errno = ENOTDIR;
    }
    return real;
}

int
via_shim_is_fifo(int folder, const char* path)
{
    const int code = errno;
    struct stat about;
    /* the simulator's own pipes, as the shell names them in <(command), are open at both ends */
    const int isFifo = __real_fstatat(folder, path, &about, 0) == 0 && S_ISFIFO(about.st_mode) &&
                       strncmp(path, "/dev/", 5) != 0 && strncmp(path, "/proc/", 6) != 0;
    errno = isFifo ? EOPNOTSUPP : code;
    return isFifo;
}

/* ---- names */

#define IN_FOLDER(type, name, parameters, ...)                                                     \
    type __real_##name parameters;                                                                 \
    type __wrap_##name parameters                                                                  \
    {                                                                                              \
        const int real = via_shim_folder(fd, path);                                                \
        return real == -1 ? -1 : __real_##name(real, __VA_ARGS__);                                 \
    }

#define IN_TWO_FOLDERS(name, parameters, ...)                                                      \
    int __real_##name parameters;                                                                  \
    int __wrap_##name parameters                                                                   \
    {                                                                                              \
        const int from = via_shim_folder(fd, path);                                                \
        const int to = from == -1 ? -1 : via_shim_folder(fd2, path2);                              \
        return to == -1 ? -1 : __real_##name(from, path, to, __VA_ARGS__);                         \
    }

typedef const char* Path;

IN_FOLDER(int, fstatat, (int fd, Path path, struct stat* about, int flags), path, about, flags)
IN_FOLDER(int, fstatat64, (int fd, Path path, struct stat64* about, int flags), path, about, flags)
IN_FOLDER(int,
          statx,
          (int fd, Path path, int flags, unsigned int mask, struct statx* about),
          path,
          flags,
          mask,
          about)
IN_FOLDER(int, unlinkat, (int fd, Path path, int flags), path, flags)
IN_FOLDER(int, mkdirat, (int fd, Path path, mode_t mode), path, mode)
IN_FOLDER(int, mkfifoat, (int fd, Path path, mode_t mode), path, mode)
IN_FOLDER(int, faccessat, (int fd, Path path, int mode, int flags), path, mode, flags)
IN_FOLDER(int, fchmodat, (int fd, Path path, mode_t mode, int flags), path, mode, flags)
IN_FOLDER(int,
          fchownat,
          (int fd, Path path, uid_t user, gid_t group, int flags),
          path,
          user,
          group,
          flags)
IN_FOLDER(int,
          utimensat,
          (int fd, Path path, const struct timespec* times, int flags),
          path,
          times,
          flags)
IN_FOLDER(ssize_t, readlinkat, (int fd, Path path, char* to, size_t n), path, to, n)
IN_FOLDER(ssize_t,
          __readlinkat_chk,
          (int fd, Path path, char* to, size_t n, size_t room),
          path,
          to,
          n,
          room)
IN_FOLDER(int, mknodat, (int fd, Path path, mode_t mode, dev_t device), path, mode, device)
IN_FOLDER(int, futimesat, (int fd, Path path, const struct timeval times[2]), path, times)
IN_FOLDER(int,
          scandirat,
          (int fd,
           Path path,
           struct dirent*** list,
           int (*chooses)(const struct dirent*),
           int (*compares)(const struct dirent**, const struct dirent**)),
          path,
          list,
          chooses,
          compares)
IN_FOLDER(int,
          scandirat64,
          (int fd,
           Path path,
           struct dirent64*** list,
           int (*chooses)(const struct dirent64*),
           int (*compares)(const struct dirent64**, const struct dirent64**)),
          path,
          list,
          chooses,
          compares)
IN_TWO_FOLDERS(renameat, (int fd, Path path, int fd2, Path path2), path2)
IN_TWO_FOLDERS(renameat2,
               (int fd, Path path, int fd2, Path path2, unsigned int flags),
               path2,
               flags)
IN_TWO_FOLDERS(linkat, (int fd, Path path, int fd2, Path path2, int flags), path2, flags)

int __real_symlinkat(const char* target, int fd, const char* path);

int
__wrap_symlinkat(const char* target, int fd, const char* path)
{
    const int real = via_shim_folder(fd, path);
    return real == -1 ? -1 : __real_symlinkat(target, real, path);
}

/* ---- streams */

DIR* __real_fdopendir(int fd);
int __real_dirfd(DIR* stream);
int __real_closedir(DIR* stream);
int __real_close(int fd);

/* A stream, which has a descriptor of its own, and the number by which the process knows it. */
struct Folder
{
    DIR* stream;
    int fd;
    struct Folder* next;
};

static struct Folder* s_folders;

static struct Folder**
Find(const DIR* stream)
{
    struct Folder** at = &s_folders;
    while (*at && (*at)->stream != stream)
    {
        at = &(*at)->next;
    }
    return at;
}

/* @return 0 if there is no memory */
static int
Remember(DIR* stream, int fd)
{
    struct Folder* const folder = (struct Folder*)__wrap_malloc(sizeof(*folder));
    if (folder)
    {
        *folder = (struct Folder){stream, fd, s_folders};
        s_folders = folder;
    }
    return folder != NULL;
}

DIR*
__wrap_fdopendir(int fd)
{
    const int real = via_shim_folder(fd, NULL);
    const int copy = real < 0 ? -1 : __real_fcntl(real, F_DUPFD_CLOEXEC, 0);
    DIR* const stream = copy < 0 ? NULL : __real_fdopendir(copy);
    if (!stream && copy >= 0)
    {
        const int code = errno;
        __real_close(copy);
        errno = code;
    }
    if (stream && !Remember(stream, fd))
    {
        __real_closedir(stream);
        return NULL;
    }
    return stream;
}

int
__wrap_dirfd(DIR* stream)
{
    struct Folder* const known = *Find(stream);
    const int copy = known ? -1 : __real_fcntl(__real_dirfd(stream), F_DUPFD_CLOEXEC, 0);
    const int fd = known ? known->fd : via_shim_keep_file(copy);
    if (!known && fd >= 0 && !Remember(stream, fd))
    {
        VIA_SYSTEM(VIA_CLOSE, fd);
        return -1;
    }
    return fd;
}

int
__wrap_closedir(DIR* stream)
{
    struct Folder** const at = Find(stream);
    struct Folder* const known = *at;
    if (known)
    {
        *at = known->next;
        VIA_SYSTEM(VIA_CLOSE, known->fd);
        __wrap_free(known);
    }
    return __real_closedir(stream);
}
