/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
/* syscall(): the few system calls that ask for nothing but the process, by the functions that stand
 * for them. All others would act on the simulator itself. */

#define _GNU_SOURCE
#include "via-shim-thread.h"

#include <errno.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <sys/syscall.h>
#include <sys/time.h>
#include <sys/types.h>
#include <time.h>
#include <unistd.h>

#define CPU_BITS 1024 /* of the set that the kernel fills */

int __wrap_getcpu(unsigned int* cpu, unsigned int* node);
int __wrap_sched_getaffinity(int process, size_t bytes, void* set);
int __wrap_sched_yield(void);
pid_t __wrap_getpid(void);
pid_t __wrap_getppid(void);
pid_t __wrap_gettid(void);
ssize_t __wrap_getrandom(void* bytes, size_t count, unsigned int flags);
int __wrap_memfd_create(const char* name, unsigned int flags);
int __wrap_clock_gettime(clockid_t which, struct timespec* now);
int __wrap_clock_getres(clockid_t which, struct timespec* resolution);
int __wrap_gettimeofday(struct timeval* now, void* zone);
time_t __wrap_time(time_t* out);
int __wrap_tgkill(pid_t process, pid_t id, int number);
int __wrap_close_range(unsigned int first, unsigned int last, int flags);

/* Ends the process; the report names the call and what acts on the process alone. */
static void
RefuseCall(long number)
{
    static const struct
    {
        long number;
        const char* report;
    } refused[] = {

#define REFUSED(name, advice)                                                                      \
    {SYS_##name, "syscall(SYS_" #name ") is not for the process alone; " advice}
        REFUSED(exit, "call pthread_exit"),
        REFUSED(exit_group, "call _exit"),
        REFUSED(fork, "start more processes with --nodes"),
        REFUSED(vfork, "start more processes with --nodes"),
        REFUSED(clone, "call pthread_create"),
        REFUSED(clone3, "call pthread_create"),
        REFUSED(execve, "it would replace the simulator"),
        REFUSED(execveat, "it would replace the simulator"),
        REFUSED(kill, "call kill"),
        REFUSED(tkill, "call pthread_kill"),
        REFUSED(rt_sigqueueinfo, "call raise"),
        REFUSED(rt_tgsigqueueinfo, "call raise"),
        REFUSED(rt_sigaction, "call sigaction"),
        REFUSED(rt_sigprocmask, "call sigprocmask"),
        REFUSED(rt_sigreturn, "return from the handler"),
        REFUSED(sigaltstack, "call sigaltstack"),
        REFUSED(brk, "call malloc or mmap"),
        REFUSED(munmap, "call munmap"),
        REFUSED(mremap, "use mmap and memcpy"),
        REFUSED(pause, "call pause"),
        REFUSED(nanosleep, "call nanosleep"),
        REFUSED(clock_nanosleep, "call clock_nanosleep"),
        REFUSED(prctl, "it belongs to the simulator"),
        REFUSED(arch_prctl, "it belongs to the simulator"),
        REFUSED(seccomp, "it belongs to the simulator"),
        REFUSED(setrlimit, "its limits belong to the simulator"),
        REFUSED(prlimit64, "its limits belong to the simulator"),
        REFUSED(read, "call read"),
        REFUSED(write, "call write"),
        REFUSED(open, "call open"),
        REFUSED(openat, "call open"),
        REFUSED(close, "call close"),
        REFUSED(umask, "call umask"),
        REFUSED(dup, "call dup"),
        REFUSED(dup2, "call dup2"),
        REFUSED(fcntl, "call fcntl"),
        REFUSED(ioctl, "call ioctl"),
        REFUSED(pipe, "call pipe"),
        REFUSED(socket, "call socket"),
        REFUSED(poll, "call poll"),
        REFUSED(select, "call select"),
        REFUSED(epoll_wait, "call epoll_wait"),
        REFUSED(timer_create, "there are the timers of setitimer and alarm"),
        REFUSED(setitimer, "call setitimer"),
        REFUSED(alarm, "call alarm"),
        REFUSED(wait4, "a process has no children"),
        REFUSED(ptrace, "it belongs to the simulator"),
        REFUSED(clock_settime, "simulated time cannot be set"),
        REFUSED(mmap, "call mmap"),
        REFUSED(readv, "call readv"),
        REFUSED(writev, "call writev"),
        REFUSED(lseek, "call lseek"),
        REFUSED(pread64, "call pread"),
        REFUSED(pwrite64, "call pwrite"),
        REFUSED(fstat, "call fstat"),
        REFUSED(dup3, "call dup3"),
        REFUSED(pipe2, "call pipe2"),
        REFUSED(sendto, "call sendto"),
        REFUSED(recvfrom, "call recvfrom"),
        REFUSED(ppoll, "call ppoll"),
        REFUSED(epoll_create1, "call epoll_create1"),
        REFUSED(epoll_ctl, "call epoll_ctl"),
        REFUSED(sysinfo, "the memory of a simulated host is not known"),
        REFUSED(perf_event_open, "a simulated CPU has no such counters"),
        REFUSED(io_uring_setup, "real file descriptors do not follow simulated time"),
        REFUSED(io_setup, "real file descriptors do not follow simulated time"),
        REFUSED(rt_sigtimedwait, "call sigwait"),
        REFUSED(rt_sigpending, "call sigpending"),
        REFUSED(rt_sigsuspend, "call sigsuspend"),
        REFUSED(sched_setaffinity, "call sched_setaffinity"),
        REFUSED(set_tid_address, "it belongs to the simulator"),
        REFUSED(set_robust_list, "it belongs to the simulator"),
        REFUSED(unshare, "it belongs to the simulator"),
        REFUSED(reboot, "it belongs to the simulator"),
#undef REFUSED
    };
    char report[80];
    size_t i;
    for (i = 0; i < sizeof(refused) / sizeof(refused[0]); i++)
    {
        if (refused[i].number == number)
        {
            VIA_CALL(die, SIGSYS, refused[i].report);
        }
    }
    snprintf(report,
             sizeof(report),
             "syscall(%ld) is not simulated; call the C library's function",
             number);
    VIA_CALL(die, SIGSYS, report);
}

static long
Call(long number, const long* words)
{
    void* const first = (void*)words[0];
    void* const second = (void*)words[1];
    switch (number)
    {
    case SYS_futex:
        return via_shim_futex((const int*)first,
                              (int)words[1],
                              (int)words[2],
                              (const struct timespec*)words[3]);
    case SYS_getcpu:
        return __wrap_getcpu((unsigned int*)first, (unsigned int*)second);
    case SYS_sched_getaffinity: {
        const size_t bytes = (size_t)words[1];
        const size_t filled = bytes < CPU_BITS / 8 ? bytes : CPU_BITS / 8;
        __wrap_sched_getaffinity((int)words[0], filled, (void*)words[2]);
        return (long)filled;
    }
    case SYS_sched_yield:
        return __wrap_sched_yield();
    case SYS_getpid:
        return __wrap_getpid();
    case SYS_getppid:
        return __wrap_getppid();
    case SYS_gettid:
        return __wrap_gettid();
    case SYS_getuid:
        return (long)getuid();
    case SYS_geteuid:
        return (long)geteuid();
    case SYS_getgid:
        return (long)getgid();
    case SYS_getegid:
        return (long)getegid();
    case SYS_tgkill:
        return __wrap_tgkill((pid_t)words[0], (pid_t)words[1], (int)words[2]);
    case SYS_getrandom:
        return __wrap_getrandom(first, (size_t)words[1], (unsigned int)words[2]);
    case SYS_memfd_create:
        return __wrap_memfd_create((const char*)first, (unsigned int)words[1]);
    case SYS_clock_gettime:
        return __wrap_clock_gettime((clockid_t)words[0], (struct timespec*)second);
    case SYS_clock_getres:
        return __wrap_clock_getres((clockid_t)words[0], (struct timespec*)second);
    case SYS_gettimeofday:
        return __wrap_gettimeofday((struct timeval*)first, second);
    case SYS_time:
        return __wrap_time((time_t*)first);
    case SYS_close_range:
        return __wrap_close_range((unsigned int)words[0], (unsigned int)words[1], (int)words[2]);
    default:
        RefuseCall(number);
        return -1;
    }
}

long
__wrap_syscall(long number, ...)
{
    long words[6];
    int i;
    va_list rest;
    va_start(rest, number);
    for (i = 0; i < 6; i++)
    {
        words[i] = va_arg(rest, long);
    }
    va_end(rest);
    return Call(number, words);
}
