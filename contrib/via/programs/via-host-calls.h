/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
/* The seam between a simulated program and the simulator: plain C, seen by both sides. */

#ifndef VIA_SEAM_H
#define VIA_SEAM_H

#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#ifdef __cplusplus
extern "C"
{
#endif

/** Grows with every change of the structs below: an object of another version is refused. */
#define VIA_SEAM_VERSION 5u

/** First bytes of ViaProgramInfo: how the loader knows an object built by `./via cc`. */
#define VIA_PROGRAM_MAGIC "via program"

/** The object reports basic blocks (-fsanitize-coverage=trace-pc): polling loops on memory end. */
#define VIA_PROGRAM_REPORTS_BLOCKS 1u

/** Simulated wall clocks show this many seconds since 1970 at simulated time 0: 2000-01-01 UTC. */
#define VIA_EPOCH_SECONDS 946684800

    /** Which of a process' clocks to read. */
    enum ViaClock
    {
        VIA_CLOCK_SIMULATED = 0, /**< time since the start of the run */
        VIA_CLOCK_CPU = 1        /**< CPU time of the process */
    };

    /** What a call into the library costs the CPU. */
    enum ViaCost
    {
        VIA_COST_CALL = 0,       /**< a call that stays in the library */
        VIA_COST_SYSTEM_CALL = 1 /**< one that enters the kernel */
    };

    /** The simulator's side of a process; opaque here. */
    struct ViaProcess;

    /** What the shim keeps of one thread; opaque to the simulator. */
    struct ViaThread;

    /** What the simulator offers to one process. Times are picoseconds. */
    struct ViaSeam
    {
        struct ViaProcess* self;  /**< first argument of every call below */
        struct ViaThread* thread; /**< the thread that runs; changes with every switch */
        const void* const* vipl;  /**< VIPL functions in the order of vipl-functions.def */

        void* (*allocate)(struct ViaProcess*, size_t bytes, size_t alignment);
        void* (*resize)(struct ViaProcess*, void* block, size_t bytes);
        void (*release)(struct ViaProcess*, void* block);
        size_t (*size_of)(struct ViaProcess*, const void* block);
        int (*owns)(struct ViaProcess*, const void* address);

        int64_t (*clock)(struct ViaProcess*, enum ViaClock which);
        void (*sleep_until)(struct ViaProcess*, int64_t when);
        void (*yield)(struct ViaProcess*);
        void (*pass_time)(struct ViaProcess*, uint32_t blocks);

        /** Time passes for a call; others come first if it is their turn. */
        void (*spend)(struct ViaProcess*, enum ViaCost cost);
        /** Time passes for a copy of so many bytes. Nobody else comes in between. */
        void (*copy)(struct ViaProcess*, size_t bytes);
        /** Starts a thread at runThread. @return its number, 0 when there are too many. */
        uint32_t (*start_thread)(struct ViaProcess*, struct ViaThread*, size_t stackBytes);
        /** Waits until woken or until `deadline`. @return 1 when woken, 0 when the time is up. */
        int (*block)(struct ViaProcess*, const char* what, int64_t deadline);
        /** Wakes a thread that is blocked. @return 0 when its time was up before. */
        int (*wake)(struct ViaProcess*, uint32_t thread);

        const char* (*host_name)(struct ViaProcess*);
        int (*process_id)(struct ViaProcess*);
        int (*change_directory)(struct ViaProcess*, const char* path, int fd);
        /** @return 0, or -1 when the bytes cannot be read */
        int (*output)(struct ViaProcess*, int stream, const void* bytes, size_t count);
        /** Takes memory away that a NIC may still use. @return 0 if none may: it is to be unmapped
         */
        int (*unmap)(struct ViaProcess*, void* address, size_t bytes);
        void (*stream_opened)(struct ViaProcess*, FILE*);
        void (*stream_closed)(struct ViaProcess*, FILE*);
        void (*fd_opened)(struct ViaProcess*, int fd);
        void (*fd_closed)(struct ViaProcess*, int fd);

        /** True once the process is to end: an exception that passes is the simulator's own. */
        int (*is_ending)(struct ViaProcess*);
        /** Ends the process; flush: write out what stdio holds (exit, not _exit). Does not return.
         */
        void (*leave)(struct ViaProcess*, int code, int flush);
        /** Ends the process as if by a signal; the report says why. Does not return. */
        void (*die)(struct ViaProcess*, int signal, const char* report);
    };

    /** What a program is started with. The loader keeps the linker from running init and fini. */
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

    /** What an object built by `./via cc` says of itself; the loader fills in `seam`. */
    struct ViaProgramInfo
    {
        char magic[16];     /**< VIA_PROGRAM_MAGIC */
        uint32_t version;   /**< VIA_SEAM_VERSION */
        uint32_t viplCount; /**< how many VIPL functions the object was built with */
        uint32_t flags;     /**< VIA_PROGRAM_REPORTS_BLOCKS */
        uint32_t reserved;
        const struct ViaSeam* seam;      /**< written into the file's copy before it is loaded */
        struct ViaThread* mainThread;    /**< runs start */
        struct ViaThread* handlerThread; /**< runs the handlers that were given to VIPL */
        /** Everything that a thread does which start_thread has started. Returns at its end. */
        void (*runThread)(struct ViaThread*);
        /** Constructors, main, exit(): everything the program does. Does not return. */
        void (*start)(const struct ViaStart*);
    };

#ifdef __cplusplus
}
#endif

#endif /* VIA_SEAM_H */
