/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
/* System queries of a process: usage, users, signal masks, random bytes, static buffers. */

#define _GNU_SOURCE
#include "via-shim.h"

#include <arpa/inet.h>
#include <errno.h>
#include <pwd.h>
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
    if (who != RUSAGE_CHILDREN)
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

long __real_sysconf(int name);

long
__wrap_sysconf(int name)
{
    return name == _SC_NPROCESSORS_ONLN || name == _SC_NPROCESSORS_CONF ? VIA_CALL(cpus)
                                                                        : __real_sysconf(name);
}

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

/* The limits are the simulator's. */
int
__wrap_setrlimit(int which, const struct rlimit* limit)
{
    (void)which;
    (void)limit;
    errno = EPERM;
    return -1;
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

/* Random bytes of the real machine would make runs differ. */
static uint64_t
NextRandom(void)
{
    static uint64_t state;
    uint64_t mixed;
    if (state == 0)
    {
        state = (uint64_t)VIA_CALL(process_id) << 32;
    }
    state += UINT64_C(0x9e3779b97f4a7c15);
    mixed = (state ^ (state >> 30)) * UINT64_C(0xbf58476d1ce4e5b9);
    mixed = (mixed ^ (mixed >> 27)) * UINT64_C(0x94d049bb133111eb);
    return mixed ^ (mixed >> 31);
}

ssize_t
__wrap_getrandom(void* bytes, size_t count, unsigned int flags)
{
    size_t done;
    (void)flags;
    for (done = 0; done < count; done++)
    {
        ((unsigned char*)bytes)[done] = (unsigned char)NextRandom();
    }
    return (ssize_t)count;
}

int
__wrap_getentropy(void* bytes, size_t count)
{
    __wrap_getrandom(bytes, count, 0);
    return 0;
}

/* std::random_device::_M_getval() */
unsigned int
__wrap__ZNSt13random_device9_M_getvalEv(void* device)
{
    (void)device;
    return (unsigned int)NextRandom();
}

/* All processes have one user: those of the real machine are not part of a run. */
struct passwd*
__wrap_getpwuid(uid_t user)
{
    static struct passwd entry;
    entry.pw_name = (char*)"via";
    entry.pw_passwd = (char*)"x";
    entry.pw_uid = user;
    entry.pw_gid = user;
    entry.pw_gecos = (char*)"";
    entry.pw_dir = (char*)"/";
    entry.pw_shell = (char*)"/bin/sh";
    return &entry;
}

struct passwd*
__wrap_getpwnam(const char* name)
{
    return strcmp(name, "via") == 0 ? __wrap_getpwuid(1000) : NULL;
}

char*
__wrap_getlogin(void)
{
    return (char*)"via";
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
