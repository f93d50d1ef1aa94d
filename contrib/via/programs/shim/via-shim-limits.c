/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
/* Limits of a process: those of the simulated kernel, the same on every machine. They cannot be
 * changed. */

#define _GNU_SOURCE
#include "via-shim.h"

#include <errno.h>
#include <stdarg.h>
#include <sys/resource.h>
#include <sys/types.h>
#include <ulimit.h>
#include <unistd.h>

#define DESCRIPTORS 1024
#define STACK_BYTES (8 << 20)

int
__wrap_getrlimit(int which, struct rlimit* limit)
{
    if (which < 0 || which >= RLIM_NLIMITS)
    {
        return ViaFail(EINVAL);
    }
    limit->rlim_cur = limit->rlim_max = RLIM_INFINITY;
    if (which == RLIMIT_NOFILE)
    {
        limit->rlim_cur = limit->rlim_max = DESCRIPTORS;
    }
    else if (which == RLIMIT_STACK)
    {
        limit->rlim_cur = STACK_BYTES;
    }
    else if (which == RLIMIT_CORE)
    {
        limit->rlim_cur = 0;
    }
    return 0;
}

int
__wrap_getrlimit64(int which, struct rlimit64* limit)
{
    return __wrap_getrlimit(which, (struct rlimit*)limit);
}

int
__wrap_setrlimit(int which, const struct rlimit* limit)
{
    struct rlimit now;
    if (__wrap_getrlimit(which, &now) != 0 || limit->rlim_cur > limit->rlim_max)
    {
        return ViaFail(EINVAL);
    }
    return limit->rlim_cur == now.rlim_cur && limit->rlim_max == now.rlim_max ? 0 : ViaFail(EPERM);
}

int
__wrap_setrlimit64(int which, const struct rlimit64* limit)
{
    return __wrap_setrlimit(which, (const struct rlimit*)limit);
}

int
__wrap_prlimit(pid_t process, int which, const struct rlimit* wanted, struct rlimit* old)
{
    struct rlimit now;
    if (process != 0 && process != VIA_CALL(process_id))
    {
        return ViaFail(ESRCH);
    }
    if (__wrap_getrlimit(which, &now) != 0 || (wanted && __wrap_setrlimit(which, wanted) != 0))
    {
        return -1;
    }
    if (old)
    {
        *old = now;
    }
    return 0;
}

int
__wrap_prlimit64(pid_t process, int which, const struct rlimit64* wanted, struct rlimit64* old)
{
    return __wrap_prlimit(process, which, (const struct rlimit*)wanted, (struct rlimit*)old);
}

long
__wrap_ulimit(int command, ...)
{
    switch (command)
    {
    case UL_GETFSIZE:
        return (long)(RLIM_INFINITY / 512);
    case UL_SETFSIZE:
        return ViaFail(EPERM);
    case __UL_GETOPENMAX:
        return DESCRIPTORS;
    default:
        return ViaFail(EINVAL);
    }
}

int
__wrap_getdtablesize(void)
{
    return DESCRIPTORS;
}

/* ---- what the simulated host has */

long __real_sysconf(int name);

long
__wrap_sysconf(int name)
{
    switch (name)
    {
    case _SC_NPROCESSORS_ONLN:
    case _SC_NPROCESSORS_CONF:
        return VIA_CALL(cpus);
    case _SC_OPEN_MAX:
        return DESCRIPTORS;
    case _SC_PHYS_PAGES: /* not known, as errno stays the same */
    case _SC_AVPHYS_PAGES:
        return -1;
    default:
        return __real_sysconf(name);
    }
}
