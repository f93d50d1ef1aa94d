/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
/* Locks of files. All processes are one process of the real machine, and its locks exclude
 * processes only: these belong to open files. Who waits for one asks again and again, in simulated
 * time. */

#define _GNU_SOURCE
#include "via-shim-descriptors.h"
#include "via-shim-signals.h"

#include <errno.h>
#include <fcntl.h>
#include <sys/file.h>
#include <unistd.h>

#define NAP INT64_C(1000000000) /* 1 ms */

int __real_flock(int fd, int operation);

/* Waits before the next attempt. @return 0 with EINTR: a handler ends the call */
static int
Nap(void)
{
    int ran = via_shim_sleep_until(VIA_CALL(clock, VIA_CLOCK_STANDING) + NAP);
    ran = ran ? ran : via_shim_deliver(); /* the timer may expire at the end */
    if (ran != VIA_INTERRUPTS)
    {
        return 1;
    }
    errno = EINTR;
    return 0;
}

int
__wrap_flock(int fd, int operation)
{
    int failed;
    do
    {
        const int real = VIA_CALL(real_file, fd);
        failed = real < 0 ? -1 : __real_flock(real, operation | LOCK_NB);
    } while (failed && errno == EWOULDBLOCK && !(operation & LOCK_NB) && Nap());
    return failed;
}

int
via_shim_fcntl(int fd, int command, int64_t argument)
{
    const int waits = command == F_SETLKW || command == F_OFD_SETLKW;
    int result;
    do
    {
        result = (int)VIA_SYSTEM(VIA_FCNTL, fd, command, argument);
    } while (result < 0 && errno == EAGAIN && waits && Nap());
    return result;
}

int
__wrap_lockf(int fd, int command, off_t length)
{
    struct flock range = {.l_type = F_WRLCK, .l_whence = SEEK_CUR, .l_len = length};
    switch (command)
    {
    case F_LOCK:
        return via_shim_fcntl(fd, F_SETLKW, VIA_POINTER(&range));
    case F_TLOCK:
        return via_shim_fcntl(fd, F_SETLK, VIA_POINTER(&range));
    case F_ULOCK:
        range.l_type = F_UNLCK;
        return via_shim_fcntl(fd, F_SETLK, VIA_POINTER(&range));
    case F_TEST:
        range.l_type = F_RDLCK;
        if (via_shim_fcntl(fd, F_GETLK, VIA_POINTER(&range)) != 0 || range.l_type == F_UNLCK)
        {
            return range.l_type == F_UNLCK ? 0 : -1;
        }
        errno = EACCES;
        return -1;
    default:
        errno = EINVAL;
        return -1;
    }
}

int
__wrap_lockf64(int fd, int command, off_t length)
{
    return __wrap_lockf(fd, command, length);
}
