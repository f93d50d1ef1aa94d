/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
/* What a simulated program cannot call, and why: `./via cc` and the loader refuse by name.
 * No include guard: define VIA_REFUSED(name, why) and include; it is undefined at the end. */

#ifndef VIA_REFUSED
#define VIA_REFUSED(name, why)
#endif

VIA_REFUSED(fork, "a simulated process cannot be copied; start more processes with --nodes")
VIA_REFUSED(vfork, "a simulated process cannot be copied; start more processes with --nodes")
VIA_REFUSED(clone, "a simulated process cannot be copied; start more processes with --nodes")
VIA_REFUSED(daemon, "a simulated process cannot be copied; start more processes with --nodes")
VIA_REFUSED(system, "other programs do not run in simulated time")
VIA_REFUSED(popen, "other programs do not run in simulated time")
VIA_REFUSED(posix_spawn, "other programs do not run in simulated time")
VIA_REFUSED(posix_spawnp, "other programs do not run in simulated time")
VIA_REFUSED(execv, "it would replace the simulator itself")
VIA_REFUSED(execve, "it would replace the simulator itself")
VIA_REFUSED(execvp, "it would replace the simulator itself")
VIA_REFUSED(execl, "it would replace the simulator itself")
VIA_REFUSED(execlp, "it would replace the simulator itself")
VIA_REFUSED(execle, "it would replace the simulator itself")
VIA_REFUSED(wait, "a simulated process has no children")
VIA_REFUSED(waitpid, "a simulated process has no children")
VIA_REFUSED(dlopen, "all simulated processes would share the library; link it with ./via cc")
VIA_REFUSED(dlmopen, "all simulated processes would share the library; link it with ./via cc")
VIA_REFUSED(dlsym, "it would reach around the simulated C library; call the function by name")
VIA_REFUSED(quick_exit, "call exit or _exit")
VIA_REFUSED(at_quick_exit, "call exit or _exit")
VIA_REFUSED(pthread_cancel, "a thread ends by itself; set a flag that it looks at")
VIA_REFUSED(pthread_kill, "nobody sends signals in the simulation")
VIA_REFUSED(pthread_sigqueue, "nobody sends signals in the simulation")
VIA_REFUSED(pthread_atfork, "a simulated process cannot be copied")
VIA_REFUSED(pthread_getattr_np, "a simulated thread has no attributes to look at")
VIA_REFUSED(pthread_getcpuclockid, "a simulated thread has no clock of its own to name")
VIA_REFUSED(pthread_getschedparam, "every simulated thread has a CPU of its own")
VIA_REFUSED(pthread_setschedparam, "every simulated thread has a CPU of its own")
VIA_REFUSED(pthread_getaffinity_np, "every simulated thread has a CPU of its own")
VIA_REFUSED(pthread_setaffinity_np, "every simulated thread has a CPU of its own")
VIA_REFUSED(pthread_tryjoin_np, "call pthread_join")
VIA_REFUSED(pthread_timedjoin_np, "call pthread_join")
VIA_REFUSED(pthread_clockjoin_np, "call pthread_join")
VIA_REFUSED(sem_open, "simulated processes share no memory; use sem_init")
VIA_REFUSED(pause, "nobody sends signals in the simulation")
VIA_REFUSED(sigsuspend, "nobody sends signals in the simulation")
VIA_REFUSED(alarm, "signals are not simulated; compare gettimeofday with a deadline")
VIA_REFUSED(setitimer, "signals are not simulated; compare gettimeofday with a deadline")
VIA_REFUSED(timer_create, "signals are not simulated; compare gettimeofday with a deadline")
VIA_REFUSED(socket, "sockets of the real machine know no simulated time; use VIPL")
VIA_REFUSED(epoll_wait, "descriptors of the real machine know no simulated time")
VIA_REFUSED(ppoll, "descriptors of the real machine know no simulated time; use poll")
VIA_REFUSED(pselect, "descriptors of the real machine know no simulated time; use select")

#undef VIA_REFUSED
