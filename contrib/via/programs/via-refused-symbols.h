/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
/* Functions that cannot do their work in a simulated process, and why. `./via cc` warns of them.
 * VIA_REFUSED(name, why): a call ends the process. VIA_FAILS(name, result, code, why): a call
 * returns that result and sets errno. No include guard: define what is wanted and include; both are
 * undefined at the end. */

#ifndef VIA_REFUSED
#define VIA_REFUSED(name, why)
#endif
#ifndef VIA_FAILS
#define VIA_FAILS(name, result, code, why)
#endif

VIA_REFUSED(fork, "a simulated process cannot be copied; start more processes with --nodes")
VIA_REFUSED(vfork, "a simulated process cannot be copied; start more processes with --nodes")
VIA_REFUSED(clone, "a simulated process cannot be copied; start more processes with --nodes")
VIA_REFUSED(daemon, "a simulated process cannot be copied; start more processes with --nodes")
VIA_FAILS(system, -1, ENOSYS, "other programs do not run in simulated time")
VIA_FAILS(popen, 0, ENOSYS, "other programs do not run in simulated time")
VIA_FAILS(posix_spawn, ENOSYS, ENOSYS, "other programs do not run in simulated time")
VIA_FAILS(posix_spawnp, ENOSYS, ENOSYS, "other programs do not run in simulated time")
VIA_REFUSED(execv, "it would replace the simulator itself")
VIA_REFUSED(execve, "it would replace the simulator itself")
VIA_REFUSED(execvp, "it would replace the simulator itself")
VIA_REFUSED(execl, "it would replace the simulator itself")
VIA_REFUSED(execlp, "it would replace the simulator itself")
VIA_REFUSED(execle, "it would replace the simulator itself")
VIA_FAILS(wait, -1, ECHILD, "a simulated process has no children")
VIA_FAILS(waitpid, -1, ECHILD, "a simulated process has no children")
VIA_REFUSED(dlmopen, "all simulated processes would share the library; link it with ./via cc")
VIA_FAILS(dladdr, 0, 0, "the names of addresses are not known")
VIA_REFUSED(quick_exit, "call exit or _exit")
VIA_REFUSED(at_quick_exit, "call exit or _exit")
VIA_REFUSED(pthread_cancel, "a thread must end by itself; set a flag that it checks")
VIA_REFUSED(pthread_kill, "no signals are sent in the simulation")
VIA_REFUSED(pthread_sigqueue, "no signals are sent in the simulation")
VIA_FAILS(pthread_atfork, 0, 0, "there is no fork() before which handlers could run")
VIA_FAILS(pthread_getattr_np, ENOSYS, ENOSYS, "a simulated thread has no attributes to query")
VIA_FAILS(pthread_getcpuclockid, ENOENT, ENOENT, "a simulated thread has no clock of its own")
VIA_FAILS(pthread_getschedparam, ENOSYS, ENOSYS, "every simulated thread has a CPU of its own")
VIA_FAILS(pthread_setschedparam, EPERM, EPERM, "every simulated thread has a CPU of its own")
VIA_FAILS(pthread_getaffinity_np, ENOSYS, ENOSYS, "every simulated thread has a CPU of its own")
VIA_FAILS(pthread_setaffinity_np, ENOSYS, ENOSYS, "every simulated thread has a CPU of its own")
VIA_REFUSED(pthread_tryjoin_np, "call pthread_join")
VIA_REFUSED(pthread_timedjoin_np, "call pthread_join")
VIA_REFUSED(pthread_clockjoin_np, "call pthread_join")
VIA_FAILS(sem_open, 0, ENOSYS, "simulated processes share no memory; use sem_init")
VIA_FAILS(timer_create, -1, ENOTSUP, "there are the timers of setitimer and alarm")
VIA_REFUSED(sigtimedwait, "no signals are sent in the simulation")
VIA_REFUSED(sigwaitinfo, "no signals are sent in the simulation")
VIA_REFUSED(sigqueue, "no signals are sent in the simulation")
VIA_FAILS(killpg, -1, ESRCH, "no signals are sent in the simulation")
VIA_REFUSED(execvpe, "it would replace the simulator itself")
VIA_REFUSED(fexecve, "it would replace the simulator itself")
VIA_FAILS(wait3, -1, ECHILD, "a simulated process has no children")
VIA_FAILS(wait4, -1, ECHILD, "a simulated process has no children")
VIA_REFUSED(eventfd, "real file descriptors do not follow simulated time")
VIA_FAILS(shmget, -1, ENOSYS, "processes of all simulated nodes would share it; use VIPL")
VIA_FAILS(semget, -1, ENOSYS, "processes of all simulated nodes would share it; use VIPL")
VIA_FAILS(msgget, -1, ENOSYS, "processes of all simulated nodes would share it; use VIPL")
VIA_FAILS(shm_open, -1, ENOSYS, "processes of all simulated nodes would share it; use VIPL")
VIA_FAILS(mq_open, -1, ENOSYS, "processes of all simulated nodes would share it; use VIPL")
VIA_FAILS(settimeofday, -1, EPERM, "simulated time cannot be set")
VIA_FAILS(clock_settime, -1, EPERM, "simulated time cannot be set")
VIA_FAILS(adjtime, -1, EPERM, "simulated time cannot be set")
VIA_FAILS(brk, -1, ENOMEM, "this memory belongs to the simulator; use malloc or mmap")
VIA_FAILS(sbrk, -1, ENOMEM, "this memory belongs to the simulator; use malloc or mmap")
VIA_FAILS(mremap, -1, ENOMEM, "registered memory cannot move; use mmap and memcpy")
VIA_REFUSED(fcloseall, "it would close the streams of all simulated processes")

#undef VIA_REFUSED
#undef VIA_FAILS
