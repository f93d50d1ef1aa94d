/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
/* The host-call table: the simulator's functions for a simulated program. Plain C, for both
 * sides. */

#ifndef VIA_HOST_CALLS_H
#define VIA_HOST_CALLS_H

#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#ifdef __cplusplus
extern "C"
{
#endif

/** Grows with every change of the structs below: objects of another version are refused. */
#define VIA_SEAM_VERSION 10u

/** First bytes of ViaProgramInfo, by which the loader recognizes an object built by `./via cc`. */
#define VIA_PROGRAM_MAGIC "via program"

/** The object reports basic blocks (-fsanitize-coverage=trace-pc): loops that poll memory end. */
#define VIA_PROGRAM_REPORTS_BLOCKS 1u

/** The interfaces of a node, beside "lo"; the second only with a control network. */
#define VIA_INTERFACE "eth0"
#define VIA_CONTROL_INTERFACE "ctl0"
#define VIA_CONTROL_MASK 0xFFF00000u /**< of its addresses, 172.16.0.0/12 */

/** Simulated wall clocks show this many seconds since 1970 at simulated time 0: 2000-01-01 UTC. */
#define VIA_EPOCH_SECONDS 946684800

    /** The clocks of a process. */
    enum ViaClock
    {
        VIA_CLOCK_SIMULATED = 0, /**< time since the start of the run */
        VIA_CLOCK_CPU = 1,       /**< CPU time of the process */
        VIA_CLOCK_STANDING = 2,  /**< as the first, but reading it takes no time */
        VIA_CLOCK_SYSTEM = 3     /**< the part of the CPU time that was spent in the kernel */
    };

    /** The CPU cost of a call into the library. */
    enum ViaCost
    {
        VIA_COST_CALL = 0,       /**< a call that stays in the library */
        VIA_COST_SYSTEM_CALL = 1 /**< one that enters the kernel */
    };

    /**
     * The calls of the simulated kernel on descriptors. Arguments are those of the C library's
     * functions; a result below 0 is minus an error of <errno.h>.
     */
    enum ViaSystemCall
    {
        VIA_READ,
        VIA_WRITE,
        VIA_CLOSE,
        VIA_DUP2, /**< from, to, whether equal numbers are an error, flags */
        VIA_FCNTL,
        VIA_IOCTL,
        VIA_KIND,       /**< descriptor; the kind of file, of S_IFMT */
        VIA_PIPE,       /**< two numbers, flags */
        VIA_SOCKETPAIR, /**< two numbers, type */
        VIA_SOCKET,
        VIA_BIND,
        VIA_LISTEN,
        VIA_ACCEPT, /**< with flags */
        VIA_CONNECT,
        VIA_SEND,    /**< sendto */
        VIA_RECEIVE, /**< recvfrom */
        VIA_SHUTDOWN,
        VIA_GETSOCKNAME,
        VIA_GETPEERNAME,
        VIA_SETSOCKOPT,
        VIA_GETSOCKOPT,
        VIA_POLL, /**< list, count, instant of the end in ps */
        VIA_EPOLL_CREATE,
        VIA_EPOLL_CTL,
        VIA_EPOLL_WAIT,     /**< descriptor, list, most, instant of the end in ps */
        VIA_RANDOM,         /**< opens random bytes: whether it closes on exec, a seed */
        VIA_HOST_ADDRESS,   /**< number of a node, -1: the own one; its IPv4 address */
        VIA_CONTROL_ADDRESS /**< as the last, on the control network */
    };

    /** The simulator's side of a process; opaque here. */
    struct ViaProcess;

    /** The shim's state of one thread; opaque to the simulator. */
    struct ViaThread;

    /** The simulator's functions for one process. Times are picoseconds. */
    struct ViaHostCalls
    {
        struct ViaProcess* self;  /**< first argument of every call below */
        struct ViaThread* thread; /**< the running thread; changes with every switch */
        const void* const* vipl;  /**< VIPL functions in the order of vipl-functions.def */

        void* (*allocate)(struct ViaProcess*, size_t bytes, size_t alignment);
        void* (*resize)(struct ViaProcess*, void* block, size_t bytes);
        void (*release)(struct ViaProcess*, void* block);
        size_t (*size_of)(struct ViaProcess*, const void* block);
        int (*owns)(struct ViaProcess*, const void* address);

        int64_t (*clock)(struct ViaProcess*, enum ViaClock which);
        /** @return the CPU time of a thread, or (isSystem) what it has spent in the kernel */
        int64_t (*thread_time)(struct ViaProcess*, uint32_t thread, int isSystem);
        void (*sleep_until)(struct ViaProcess*, int64_t when);
        void (*yield)(struct ViaProcess*);
        void (*pass_time)(struct ViaProcess*, uint32_t blocks);

        /** Time passes for a call; another process or thread may run first. */
        void (*spend)(struct ViaProcess*, enum ViaCost cost);
        /** Time passes for a copy of so many bytes. Nothing else runs meanwhile. */
        void (*copy)(struct ViaProcess*, size_t bytes);
        /** Starts a thread at runThread. @return its number, 0 if there are too many */
        uint32_t (*start_thread)(struct ViaProcess*, struct ViaThread*, size_t stackBytes);
        /** Waits until woken or until `deadline`. @return 1 if woken, 0 if the deadline passed */
        int (*block)(struct ViaProcess*, const char* what, int64_t deadline);
        /** Wakes a blocked thread. @return 0 if its deadline passed before */
        int (*wake)(struct ViaProcess*, uint32_t thread);
        /** Ends a wait of block or for descriptors for a signal. @return 0: it is in neither, or
         * its wait ends by `until` anyway */
        int (*interrupt)(struct ViaProcess*, uint32_t thread, int64_t until);

        const char* (*host_name)(struct ViaProcess*);
        int (*process_id)(struct ViaProcess*);
        /** @return how many CPUs the host has */
        int (*cpus)(struct ViaProcess*);
        /** @return the number of the CPU that the running thread holds */
        int (*cpu)(struct ViaProcess*);
        /** umask. */
        int (*set_file_mask)(struct ViaProcess*, int mask);
        int (*change_directory)(struct ViaProcess*, const char* path, int fd);
        /** Comes before a thread gets a locale: from now on they have their own. */
        void (*use_locales)(struct ViaProcess*);
        /** Withholds memory that a NIC may still use. @return 0 if no NIC may: unmap it */
        int (*unmap)(struct ViaProcess*, void* address, size_t bytes);
        /** isOwn: its functions or memory are the program's, so only the program can close it */
        void (*stream_opened)(struct ViaProcess*, FILE*, int isOwn);
        void (*stream_closed)(struct ViaProcess*, FILE*);
        /** Numbers a descriptor of the real machine. @return the number, -1 with EMFILE */
        int (*add_file)(struct ViaProcess*, int real, FILE* stream);
        /** @return the real descriptor behind a number, -1 with EBADF or ESPIPE if it has none */
        int (*real_file)(struct ViaProcess*, int fd);
        /** @return the number of what a stream reads or writes; -1 if it has none yet */
        int (*number_of)(struct ViaProcess*, FILE* stream);
        /** A stream over a socket or pipe, which it closes. @return null: no memory, or EBADF */
        FILE* (*open_stream)(struct ViaProcess*, int fd, const char* mode);
        /** @return an open stream of the process by its place, the oldest first; null: no more */
        FILE* (*stream_at)(struct ViaProcess*, size_t place);
        /** A call of the simulated kernel. */
        int64_t (*system)(struct ViaProcess*, enum ViaSystemCall, const int64_t* arguments);

        /** True once the process is to end: an exception that passes is the simulator's own. */
        int (*is_ending)(struct ViaProcess*);
        /** Ends the process. flush: write out stdio buffers (exit, not _exit). Does not return. */
        void (*leave)(struct ViaProcess*, int code, int flush);
        /** Ends the process as if by a signal; the report says why. Does not return. */
        void (*die)(struct ViaProcess*, int signal, const char* report);
    };

    /** Start arguments of a program. The loader keeps the linker from running init and fini. */
    struct ViaStart
    {
        int argc;
        char* const* argv;                        /**< copied into the process */
        char* const* environment;                 /**< copied into the process; ends with NULL */
        void (*const* init)(int, char**, char**); /**< the object's constructors */
        size_t initCount;
        void (*const* fini)(void); /**< the object's destructors, run last to first */
        size_t finiCount;
    };

    /** Description of an object built by `./via cc`; the loader fills in `calls`. */
    struct ViaProgramInfo
    {
        char magic[16];     /**< VIA_PROGRAM_MAGIC */
        uint32_t version;   /**< VIA_SEAM_VERSION */
        uint32_t viplCount; /**< number of VIPL functions that the object was built with */
        uint32_t flags;     /**< VIA_PROGRAM_REPORTS_BLOCKS */
        uint32_t reserved;
        const struct ViaHostCalls* calls; /**< written into the file's copy before it is loaded */
        struct ViaThread* mainThread;     /**< runs start */
        struct ViaThread* handlerThread;  /**< runs the handlers registered with VIPL */
        /** When its timer of signals expires; INT64_MAX: never. Calls that wait end there. */
        const int64_t* timer;
        /** The call of VIPL that comes next and waits ends there at the latest, and sets INT64_MAX
         */
        int64_t* waitEnd;
        /** Runs a thread that start_thread has started. Returns at its end. */
        void (*runThread)(struct ViaThread*);
        /** Runs the whole program: constructors, main, exit(). Does not return. */
        void (*start)(const struct ViaStart*);
    };

#ifdef __cplusplus
}
#endif

#endif /* VIA_HOST_CALLS_H */
