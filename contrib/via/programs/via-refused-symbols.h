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
VIA_REFUSED(pthread_sigqueue, "signals carry no values; call pthread_kill")
VIA_FAILS(pthread_atfork, 0, 0, "there is no fork() before which handlers could run")
VIA_FAILS(pthread_getattr_np, ENOSYS, ENOSYS, "a simulated thread has no attributes to query")
VIA_FAILS(pthread_getschedparam, ENOSYS, ENOSYS, "CPUs are shared in turns, see hosts.md")
VIA_FAILS(pthread_setschedparam, EPERM, EPERM, "CPUs are shared in turns, see hosts.md")
VIA_FAILS(pthread_getaffinity_np, ENOSYS, ENOSYS, "CPUs are shared in turns, see hosts.md")
VIA_FAILS(pthread_setaffinity_np, ENOSYS, ENOSYS, "CPUs are shared in turns, see hosts.md")
VIA_REFUSED(pthread_tryjoin_np, "call pthread_join")
VIA_REFUSED(pthread_timedjoin_np, "call pthread_join")
VIA_REFUSED(pthread_clockjoin_np, "call pthread_join")
VIA_FAILS(sem_open, 0, ENOSYS, "simulated processes share no memory; use sem_init")
VIA_FAILS(timer_create, -1, ENOTSUP, "there are the timers of setitimer and alarm")
VIA_REFUSED(sigqueue, "signals carry no values; call kill")
VIA_REFUSED(execvpe, "it would replace the simulator itself")
VIA_REFUSED(fexecve, "it would replace the simulator itself")
VIA_FAILS(wait3, -1, ECHILD, "a simulated process has no children")
VIA_FAILS(wait4, -1, ECHILD, "a simulated process has no children")
VIA_REFUSED(eventfd, "real file descriptors do not follow simulated time")
VIA_FAILS(timerfd_create, -1, ENOSYS, "real file descriptors do not follow simulated time")
VIA_FAILS(signalfd, -1, ENOSYS, "real file descriptors do not follow simulated time")
VIA_FAILS(inotify_init, -1, ENOSYS, "real file descriptors do not follow simulated time")
VIA_FAILS(inotify_init1, -1, ENOSYS, "real file descriptors do not follow simulated time")
VIA_FAILS(splice, -1, EINVAL, "the simulated kernel has no path without a copy; use read, write")
VIA_FAILS(tee, -1, EINVAL, "the simulated kernel has no path without a copy; use read, write")
VIA_FAILS(vmsplice, -1, EINVAL, "the simulated kernel has no path without a copy; use read, write")
VIA_FAILS(copy_file_range, -1, EINVAL, "the numbers of files are the process' own; use sendfile")
VIA_FAILS(preadv, -1, ENOSYS, "the numbers of files are the process' own; use pread")
VIA_FAILS(preadv64, -1, ENOSYS, "the numbers of files are the process' own; use pread")
VIA_FAILS(pwritev, -1, ENOSYS, "the numbers of files are the process' own; use pwrite")
VIA_FAILS(pwritev64, -1, ENOSYS, "the numbers of files are the process' own; use pwrite")
VIA_FAILS(sockatmark, -1, ENOTTY, "simulated sockets have no urgent data")
VIA_FAILS(gethostent, 0, 0, "the names of simulated hosts are n0, n1, ...; use gethostbyname")
VIA_FAILS(getservent, 0, 0, "the real machine's file of services is not read; use getservbyname")
VIA_FAILS(getprotoent, 0, 0, "the real machine's file of protocols is not read")
VIA_FAILS(getnetent, 0, 0, "the real machine's file of networks is not read")
VIA_FAILS(getnetbyname, 0, 0, "the real machine's file of networks is not read")
VIA_FAILS(getnetbyaddr, 0, 0, "the real machine's file of networks is not read")
VIA_REFUSED(gethostbyaddr_r, "call gethostbyaddr")
VIA_REFUSED(gethostbyname2_r, "call gethostbyname_r")
VIA_REFUSED(getprotobyname_r, "call getprotobyname")
VIA_REFUSED(getprotobynumber_r, "call getprotobynumber")
VIA_FAILS(rcmd, -1, ENOENT, "simulated hosts run no other services; start processes with --nodes")
VIA_FAILS(rexec, -1, ENOENT, "simulated hosts run no other services; start processes with --nodes")
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
VIA_REFUSED(wscanf, "read wide characters with fgetws, and then call swscanf")
VIA_REFUSED(vwscanf, "read wide characters with fgetws, and then call vswscanf")
VIA_REFUSED(argp_parse, "it would end the simulator after --help and errors; use getopt_long")
VIA_REFUSED(argp_state_help, "it would end the simulator; print the help with printf")
VIA_REFUSED(argp_usage, "it would end the simulator; print the help with printf")
VIA_REFUSED(argp_error, "it would end the simulator; call errx")
VIA_REFUSED(argp_failure, "it would end the simulator; call error")
VIA_REFUSED(fcloseall, "it would close the streams of all simulated processes")
VIA_FAILS(aio_read,
          -1,
          ENOSYS,
          "the C library would start threads of the real machine; call read, write")
VIA_FAILS(aio_read64,
          -1,
          ENOSYS,
          "the C library would start threads of the real machine; call read, write")
VIA_FAILS(aio_write,
          -1,
          ENOSYS,
          "the C library would start threads of the real machine; call read, write")
VIA_FAILS(aio_write64,
          -1,
          ENOSYS,
          "the C library would start threads of the real machine; call read, write")
VIA_FAILS(aio_fsync,
          -1,
          ENOSYS,
          "the C library would start threads of the real machine; call read, write")
VIA_FAILS(aio_fsync64,
          -1,
          ENOSYS,
          "the C library would start threads of the real machine; call read, write")
VIA_FAILS(aio_suspend,
          -1,
          ENOSYS,
          "the C library would start threads of the real machine; call read, write")
VIA_FAILS(aio_suspend64,
          -1,
          ENOSYS,
          "the C library would start threads of the real machine; call read, write")
VIA_FAILS(aio_return,
          -1,
          ENOSYS,
          "the C library would start threads of the real machine; call read, write")
VIA_FAILS(aio_return64,
          -1,
          ENOSYS,
          "the C library would start threads of the real machine; call read, write")
VIA_FAILS(lio_listio,
          -1,
          ENOSYS,
          "the C library would start threads of the real machine; call read, write")
VIA_FAILS(lio_listio64,
          -1,
          ENOSYS,
          "the C library would start threads of the real machine; call read, write")
VIA_FAILS(aio_error, -1, EINVAL, "there are no asynchronous reads and writes")
VIA_FAILS(aio_error64, -1, EINVAL, "there are no asynchronous reads and writes")
VIA_FAILS(aio_cancel, -1, EINVAL, "there are no asynchronous reads and writes")
VIA_FAILS(aio_cancel64, -1, EINVAL, "there are no asynchronous reads and writes")
VIA_FAILS(getaddrinfo_a,
          EAI_SYSTEM,
          ENOSYS,
          "the C library would start threads of the real machine; call getaddrinfo")
VIA_REFUSED(forkpty, "a simulated process cannot be copied; start more processes with --nodes")
VIA_REFUSED(execveat, "it would replace the simulator itself")
VIA_FAILS(waitid, -1, ECHILD, "a simulated process has no children")
VIA_FAILS(pidfd_open, -1, ENOSYS, "other processes are not within reach")
VIA_FAILS(pidfd_getfd, -1, ENOSYS, "other processes are not within reach")
VIA_FAILS(pidfd_send_signal, -1, ENOSYS, "other processes are not within reach")
VIA_FAILS(ptrace, -1, EPERM, "other processes are not within reach")
VIA_FAILS(process_vm_readv, -1, EPERM, "other processes are not within reach")
VIA_FAILS(process_vm_writev, -1, EPERM, "other processes are not within reach")
VIA_FAILS(process_madvise, -1, EPERM, "other processes are not within reach")
VIA_FAILS(openpty, -1, ENOENT, "simulated hosts have no terminals")
VIA_FAILS(posix_openpt, -1, ENOENT, "simulated hosts have no terminals")
VIA_FAILS(getpt, -1, ENOENT, "simulated hosts have no terminals")
VIA_FAILS(login_tty, -1, ENOENT, "simulated hosts have no terminals")
VIA_FAILS(tcgetattr, -1, ENOTTY, "simulated hosts have no terminals")
VIA_FAILS(tcsetattr, -1, ENOTTY, "simulated hosts have no terminals")
VIA_FAILS(tcsendbreak, -1, ENOTTY, "simulated hosts have no terminals")
VIA_FAILS(tcdrain, -1, ENOTTY, "simulated hosts have no terminals")
VIA_FAILS(tcflush, -1, ENOTTY, "simulated hosts have no terminals")
VIA_FAILS(tcflow, -1, ENOTTY, "simulated hosts have no terminals")
VIA_FAILS(tcgetpgrp, -1, ENOTTY, "simulated hosts have no terminals")
VIA_FAILS(tcsetpgrp, -1, ENOTTY, "simulated hosts have no terminals")
VIA_FAILS(tcgetsid, -1, ENOTTY, "simulated hosts have no terminals")
VIA_FAILS(ttyname, 0, ENOTTY, "simulated hosts have no terminals")
VIA_FAILS(ptsname, 0, ENOTTY, "simulated hosts have no terminals")
VIA_FAILS(ttyname_r, ENOTTY, ENOTTY, "simulated hosts have no terminals")
VIA_FAILS(ptsname_r, ENOTTY, ENOTTY, "simulated hosts have no terminals")
VIA_FAILS(__ttyname_r_chk, ENOTTY, ENOTTY, "simulated hosts have no terminals")
VIA_FAILS(__ptsname_r_chk, ENOTTY, ENOTTY, "simulated hosts have no terminals")
VIA_FAILS(getpass, 0, ENXIO, "simulated hosts have no terminals")
VIA_FAILS(vhangup, -1, EPERM, "simulated hosts have no terminals")
VIA_FAILS(rresvport, -1, EACCES, "ports are bound with bind")
VIA_FAILS(rresvport_af, -1, EACCES, "ports are bound with bind")
VIA_FAILS(bindresvport, -1, EACCES, "ports are bound with bind")
VIA_FAILS(rcmd_af,
          -1,
          ENOENT,
          "simulated hosts run no other services; start processes with --nodes")
VIA_FAILS(rexec_af,
          -1,
          ENOENT,
          "simulated hosts run no other services; start processes with --nodes")
VIA_FAILS(iruserok,
          -1,
          ENOENT,
          "simulated hosts run no other services; start processes with --nodes")
VIA_FAILS(iruserok_af,
          -1,
          ENOENT,
          "simulated hosts run no other services; start processes with --nodes")
VIA_FAILS(ruserok,
          -1,
          ENOENT,
          "simulated hosts run no other services; start processes with --nodes")
VIA_FAILS(ruserok_af,
          -1,
          ENOENT,
          "simulated hosts run no other services; start processes with --nodes")
VIA_FAILS(sysinfo, -1, ENOSYS, "the memory of a simulated host is not known")
VIA_FAILS(get_phys_pages, -1, ENOSYS, "the memory of a simulated host is not known")
VIA_FAILS(get_avphys_pages, -1, ENOSYS, "the memory of a simulated host is not known")
VIA_FAILS(getloadavg, -1, ENOSYS, "a simulated host counts no load")
VIA_FAILS(gethostid, 0, 0, "a simulated host has no number beside its address")
VIA_FAILS(getdomainname, -1, ENOSYS, "simulated hosts are in no domain")
VIA_FAILS(__getdomainname_chk, -1, ENOSYS, "simulated hosts are in no domain")
VIA_FAILS(sethostname, -1, EPERM, "names of hosts cannot be set")
VIA_FAILS(setdomainname, -1, EPERM, "names of hosts cannot be set")
VIA_FAILS(sethostid, -1, EPERM, "names of hosts cannot be set")
VIA_FAILS(setgroups, -1, EPERM, "nobody can become another user")
VIA_FAILS(initgroups, -1, EPERM, "nobody can become another user")
VIA_FAILS(chroot, -1, EPERM, "it would change the real machine")
VIA_FAILS(mount, -1, EPERM, "it would change the real machine")
VIA_FAILS(umount, -1, EPERM, "it would change the real machine")
VIA_FAILS(umount2, -1, EPERM, "it would change the real machine")
VIA_FAILS(pivot_root, -1, EPERM, "it would change the real machine")
VIA_FAILS(swapon, -1, EPERM, "it would change the real machine")
VIA_FAILS(swapoff, -1, EPERM, "it would change the real machine")
VIA_FAILS(reboot, -1, EPERM, "it would change the real machine")
VIA_FAILS(acct, -1, EPERM, "it would change the real machine")
VIA_FAILS(quotactl, -1, EPERM, "it would change the real machine")
VIA_FAILS(klogctl, -1, EPERM, "it would change the real machine")
VIA_FAILS(init_module, -1, EPERM, "it would change the real machine")
VIA_FAILS(delete_module, -1, EPERM, "it would change the real machine")
VIA_FAILS(ioperm, -1, EPERM, "it would change the real machine")
VIA_FAILS(iopl, -1, EPERM, "it would change the real machine")
VIA_FAILS(unshare, -1, EPERM, "it would change the real machine")
VIA_FAILS(setns, -1, EPERM, "it would change the real machine")
VIA_FAILS(fanotify_init, -1, EPERM, "it would change the real machine")
VIA_FAILS(personality, -1, EINVAL, "it would change the simulator itself")
VIA_FAILS(profil, -1, EINVAL, "it would change the simulator itself")
VIA_FAILS(adjtimex, -1, EPERM, "simulated time cannot be set")
VIA_FAILS(ntp_adjtime, -1, EPERM, "simulated time cannot be set")
VIA_FAILS(ntp_gettime, -1, EPERM, "simulated time cannot be set")
VIA_FAILS(ntp_gettimex, -1, EPERM, "simulated time cannot be set")
VIA_FAILS(clock_adjtime, -1, EPERM, "simulated time cannot be set")
VIA_FAILS(stime, -1, EPERM, "simulated time cannot be set")
VIA_FAILS(getdate, 0, 0, "its file of formats belongs to the real machine; call strptime")
VIA_FAILS(preadv2, -1, ENOSYS, "the numbers of files are the process' own; use pread")
VIA_FAILS(preadv64v2, -1, ENOSYS, "the numbers of files are the process' own; use pread")
VIA_FAILS(pwritev2, -1, ENOSYS, "the numbers of files are the process' own; use pwrite")
VIA_FAILS(pwritev64v2, -1, ENOSYS, "the numbers of files are the process' own; use pwrite")
VIA_FAILS(open_by_handle_at, -1, EOPNOTSUPP, "the numbers of files are the process' own; use open")
VIA_FAILS(name_to_handle_at, -1, EOPNOTSUPP, "the numbers of files are the process' own; use open")
VIA_FAILS(isfdtype, -1, ENOSYS, "the numbers of files are the process' own; use fstat")
VIA_FAILS(inotify_add_watch, -1, EBADF, "real file descriptors do not follow simulated time")
VIA_FAILS(inotify_rm_watch, -1, EBADF, "real file descriptors do not follow simulated time")
VIA_FAILS(timerfd_settime, -1, EBADF, "real file descriptors do not follow simulated time")
VIA_FAILS(timerfd_gettime, -1, EBADF, "real file descriptors do not follow simulated time")
VIA_FAILS(eventfd_read, -1, EBADF, "real file descriptors do not follow simulated time")
VIA_FAILS(eventfd_write, -1, EBADF, "real file descriptors do not follow simulated time")
VIA_FAILS(fanotify_mark, -1, EBADF, "real file descriptors do not follow simulated time")
VIA_FAILS(timer_settime, -1, EINVAL, "there are the timers of setitimer and alarm")
VIA_FAILS(timer_gettime, -1, EINVAL, "there are the timers of setitimer and alarm")
VIA_FAILS(timer_getoverrun, -1, EINVAL, "there are the timers of setitimer and alarm")
VIA_FAILS(timer_delete, -1, EINVAL, "there are the timers of setitimer and alarm")
VIA_FAILS(shmat, -1, EINVAL, "processes of all simulated nodes would share it; use VIPL")
VIA_FAILS(shmdt, -1, EINVAL, "processes of all simulated nodes would share it; use VIPL")
VIA_FAILS(shmctl, -1, EINVAL, "processes of all simulated nodes would share it; use VIPL")
VIA_FAILS(semop, -1, EINVAL, "processes of all simulated nodes would share it; use VIPL")
VIA_FAILS(semtimedop, -1, EINVAL, "processes of all simulated nodes would share it; use VIPL")
VIA_FAILS(semctl, -1, EINVAL, "processes of all simulated nodes would share it; use VIPL")
VIA_FAILS(msgsnd, -1, EINVAL, "processes of all simulated nodes would share it; use VIPL")
VIA_FAILS(msgrcv, -1, EINVAL, "processes of all simulated nodes would share it; use VIPL")
VIA_FAILS(msgctl, -1, EINVAL, "processes of all simulated nodes would share it; use VIPL")
VIA_FAILS(shm_unlink, -1, ENOENT, "processes of all simulated nodes would share it; use VIPL")
VIA_FAILS(mq_unlink, -1, ENOENT, "processes of all simulated nodes would share it; use VIPL")
VIA_FAILS(sem_unlink, -1, ENOENT, "processes of all simulated nodes would share it; use VIPL")
VIA_FAILS(sem_close, -1, EINVAL, "simulated processes share no memory; use sem_init")
VIA_FAILS(mq_close, -1, EBADF, "processes of all simulated nodes would share it; use VIPL")
VIA_FAILS(mq_send, -1, EBADF, "processes of all simulated nodes would share it; use VIPL")
VIA_FAILS(mq_receive, -1, EBADF, "processes of all simulated nodes would share it; use VIPL")
VIA_FAILS(mq_timedsend, -1, EBADF, "processes of all simulated nodes would share it; use VIPL")
VIA_FAILS(mq_timedreceive, -1, EBADF, "processes of all simulated nodes would share it; use VIPL")
VIA_FAILS(mq_getattr, -1, EBADF, "processes of all simulated nodes would share it; use VIPL")
VIA_FAILS(mq_setattr, -1, EBADF, "processes of all simulated nodes would share it; use VIPL")
VIA_FAILS(mq_notify, -1, EBADF, "processes of all simulated nodes would share it; use VIPL")
VIA_FAILS(pthread_setschedprio, EPERM, EPERM, "CPUs are shared in turns, see hosts.md")
VIA_FAILS(pthread_setattr_default_np,
          EPERM,
          EPERM,
          "the attributes would be those of the simulator's threads")
VIA_FAILS(pthread_mutex_getprioceiling, EINVAL, EINVAL, "simulated mutexes have no priorities")
VIA_FAILS(pthread_mutex_setprioceiling, EINVAL, EINVAL, "simulated mutexes have no priorities")
VIA_FAILS(pthread_mutex_consistent, EINVAL, EINVAL, "simulated mutexes are not robust")
VIA_FAILS(sched_rr_get_interval, -1, EINVAL, "CPUs are shared in turns, see hosts.md")
VIA_FAILS(getspnam, 0, EACCES, "the real machine's file of passwords is not read")
VIA_FAILS(getspnam_r, 0, EACCES, "the real machine's file of passwords is not read")
VIA_FAILS(getspent, 0, EACCES, "the real machine's file of passwords is not read")
VIA_FAILS(syslog, 0, 0, "simulated hosts keep no log; print to stderr")
VIA_FAILS(vsyslog, 0, 0, "simulated hosts keep no log; print to stderr")
VIA_FAILS(__syslog_chk, 0, 0, "simulated hosts keep no log; print to stderr")
VIA_FAILS(__vsyslog_chk, 0, 0, "simulated hosts keep no log; print to stderr")
VIA_FAILS(openlog, 0, 0, "simulated hosts keep no log; print to stderr")
VIA_FAILS(closelog, 0, 0, "simulated hosts keep no log; print to stderr")
VIA_FAILS(res_query, -1, ECONNREFUSED, "there are no name servers; use getaddrinfo")
VIA_FAILS(__res_query, -1, ECONNREFUSED, "there are no name servers; use getaddrinfo")
VIA_FAILS(res_search, -1, ECONNREFUSED, "there are no name servers; use getaddrinfo")
VIA_FAILS(__res_search, -1, ECONNREFUSED, "there are no name servers; use getaddrinfo")
VIA_FAILS(res_querydomain, -1, ECONNREFUSED, "there are no name servers; use getaddrinfo")
VIA_FAILS(__res_querydomain, -1, ECONNREFUSED, "there are no name servers; use getaddrinfo")
VIA_FAILS(res_send, -1, ECONNREFUSED, "there are no name servers; use getaddrinfo")
VIA_FAILS(__res_send, -1, ECONNREFUSED, "there are no name servers; use getaddrinfo")
VIA_FAILS(res_nquery, -1, ECONNREFUSED, "there are no name servers; use getaddrinfo")
VIA_FAILS(__res_nquery, -1, ECONNREFUSED, "there are no name servers; use getaddrinfo")
VIA_FAILS(res_nsearch, -1, ECONNREFUSED, "there are no name servers; use getaddrinfo")
VIA_FAILS(__res_nsearch, -1, ECONNREFUSED, "there are no name servers; use getaddrinfo")
VIA_FAILS(res_nsend, -1, ECONNREFUSED, "there are no name servers; use getaddrinfo")
VIA_FAILS(__res_nsend, -1, ECONNREFUSED, "there are no name servers; use getaddrinfo")
VIA_FAILS(getsourcefilter, -1, ENOPROTOOPT, "the simulated network has no groups")
VIA_FAILS(setsourcefilter, -1, ENOPROTOOPT, "the simulated network has no groups")
VIA_FAILS(getipv4sourcefilter, -1, ENOPROTOOPT, "the simulated network has no groups")
VIA_FAILS(setipv4sourcefilter, -1, ENOPROTOOPT, "the simulated network has no groups")
VIA_FAILS(wordexp, 1, ENOSYS, "other programs do not run in simulated time")

#undef VIA_REFUSED
#undef VIA_FAILS
