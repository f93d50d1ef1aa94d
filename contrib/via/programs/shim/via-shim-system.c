/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
/* System queries of a process: usage, CPUs, static buffers. */

#define _GNU_SOURCE
#include "via-shim-thread.h"

#include <arpa/inet.h>
#include <errno.h>
#include <sched.h>
#include <search.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/timeb.h>
#include <time.h>
#include <unistd.h>

#define PS_PER_SECOND INT64_C(1000000000000)
#define PS_PER_MS INT64_C(1000000000)
#define PS_PER_US INT64_C(1000000)

static struct timeval
ToTimeval(int64_t ps)
{
    const struct timeval value = {(time_t)(ps / PS_PER_SECOND),
                                  (suseconds_t)(ps % PS_PER_SECOND / PS_PER_US)};
    return value;
}

/* CPU time is simulated; memory and disks are not. */
int
__wrap_getrusage(int who, struct rusage* usage)
{
    __real_memset(usage, 0, sizeof(*usage));
    if (who == RUSAGE_THREAD)
    {
        const uint32_t number = ViaSelf()->number;
        const int64_t system = VIA_CALL(thread_time, number, 1);
        usage->ru_utime = ToTimeval(VIA_CALL(thread_time, number, 0) - system);
        usage->ru_stime = ToTimeval(system);
    }
    else if (who != RUSAGE_CHILDREN)
    {
        const int64_t system = VIA_CALL(clock, VIA_CLOCK_SYSTEM);
        usage->ru_utime = ToTimeval(VIA_CALL(clock, VIA_CLOCK_CPU) - system);
        usage->ru_stime = ToTimeval(system);
    }
    return 0;
}

int
__wrap_ftime(struct timeb* now)
{
    const int64_t ps = VIA_CALL(clock, VIA_CLOCK_SIMULATED);
    __real_memset(now, 0, sizeof(*now));
    now->time = (time_t)(VIA_EPOCH_SECONDS + ps / PS_PER_SECOND);
    now->millitm = (unsigned short)(ps % PS_PER_SECOND / PS_PER_MS);
    return 0;
}

/* Each process has its own CPU and memory, so these requests are always met. */
int
__wrap_nice(int step)
{
    (void)step;
    return 0;
}

int
__wrap_setpriority(int which, unsigned int who, int priority)
{
    (void)which;
    (void)who;
    (void)priority;
    return 0;
}

int
__wrap_sched_setaffinity(int process, size_t bytes, const void* set)
{
    (void)process;
    (void)bytes;
    (void)set;
    return 0;
}

/* ---- the CPUs of the simulated host */

int
__wrap_get_nprocs(void)
{
    return VIA_CALL(cpus);
}

int
__wrap_get_nprocs_conf(void)
{
    return VIA_CALL(cpus);
}

int
__wrap_sched_getcpu(void)
{
    return VIA_CALL(cpu);
}

int
__wrap_getcpu(unsigned int* cpu, unsigned int* node)
{
    if (cpu)
    {
        *cpu = (unsigned int)VIA_CALL(cpu);
    }
    if (node)
    {
        *node = 0;
    }
    return 0;
}

int
__wrap_sched_getaffinity(int process, size_t bytes, void* set)
{
    const int cpus = VIA_CALL(cpus);
    int cpu;
    (void)process;
    __real_memset(set, 0, bytes);
    for (cpu = 0; cpu < cpus && (size_t)cpu / 8 < bytes; cpu++)
    {
        ((unsigned char*)set)[cpu / 8] |= (unsigned char)(1 << cpu % 8);
    }
    return 0;
}

int
__wrap_sched_setscheduler(int process, int policy, const void* parameters)
{
    (void)process;
    (void)policy;
    (void)parameters;
    return 0;
}

/* @return 0, or -1 with ESRCH: it is another process */
static int
IsOwn(pid_t process)
{
    if (process == 0 || process == VIA_CALL(process_id))
    {
        return 1;
    }
    errno = process < 0 ? EINVAL : ESRCH;
    return 0;
}

int
__wrap_sched_getscheduler(pid_t process)
{
    return IsOwn(process) ? SCHED_OTHER : -1;
}

int
__wrap_sched_setparam(pid_t process, const struct sched_param* parameters)
{
    (void)parameters;
    return IsOwn(process) ? 0 : -1;
}

int
__wrap_sched_getparam(pid_t process, struct sched_param* parameters)
{
    if (!IsOwn(process))
    {
        return -1;
    }
    parameters->sched_priority = 0;
    return 0;
}

int
__wrap_getpriority(__priority_which_t which, id_t who)
{
    if (which < PRIO_PROCESS || which > PRIO_USER)
    {
        errno = EINVAL;
        return -1;
    }
    return IsOwn((pid_t)who) || which == PRIO_USER ? 0 : -1;
}

/* All memory of a simulated host is locked. */
int
__wrap_mlockall(int flags)
{
    (void)flags;
    return 0;
}

int
__wrap_munlockall(void)
{
    return 0;
}

int
__wrap_mlock(const void* from, size_t bytes)
{
    (void)from;
    (void)bytes;
    return 0;
}

int
__wrap_mlock2(const void* from, size_t bytes, unsigned int flags)
{
    (void)flags;
    return __wrap_mlock(from, bytes);
}

int
__wrap_munlock(const void* from, size_t bytes)
{
    return __wrap_mlock(from, bytes);
}

/* Handlers run on the stack of the thread that raises the signal. */
int
__wrap_sigaltstack(const stack_t* stack, stack_t* old)
{
    (void)stack;
    if (old)
    {
        __real_memset(old, 0, sizeof(*old));
        old->ss_flags = SS_DISABLE;
    }
    return 0;
}

/* Static buffers of the C library that a process may read after another process has run. */
struct tm*
__wrap_gmtime(const time_t* when)
{
    static struct tm result;
    return gmtime_r(when, &result);
}

char*
__wrap_asctime(const struct tm* broken)
{
    static char text[64];
    return asctime_r(broken, text);
}

/* The hash table that has no name is one of the process. */
static struct hsearch_data s_table;

int
__wrap_hcreate(size_t count)
{
    return hcreate_r(count, &s_table);
}

void
__wrap_hdestroy(void)
{
    hdestroy_r(&s_table);
}

ENTRY*
__wrap_hsearch(ENTRY item, ACTION action)
{
    ENTRY* found;
    hsearch_r(item, action, &found, &s_table);
    return found;
}

char*
__wrap_inet_ntoa(struct in_addr address)
{
    static char text[INET_ADDRSTRLEN];
    return (char*)inet_ntop(AF_INET, &address, text, sizeof(text));
}

char*
__wrap_strerror(int code)
{
    static char text[80];
    return strerror_r(code, text, sizeof(text));
}
