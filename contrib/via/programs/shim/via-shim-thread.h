/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
/* Inside the shim: threads, and lines of threads that wait. */

#ifndef VIA_SHIM_THREAD_H
#define VIA_SHIM_THREAD_H

#include "via-shim.h"

#include <setjmp.h>
#include <time.h>

#ifdef __cplusplus
extern "C"
{
#endif

    /** Threads that wait for one thing, the first come in front. All zero: nobody. */
    struct ViaLine
    {
        struct ViaThread* first;
        struct ViaThread* last;
    };

    /** A function to run when a thread ends: the destructor of a thread_local object. */
    struct ViaThreadEnd
    {
        void (*function)(void*);
        void* argument;
        struct ViaThreadEnd* next;
    };

    /** One thread of the process. */
    struct ViaThread
    {
        /* What the C++ runtime keeps per thread: exceptions caught, and how many are on their way.
         */
        void* caught;
        unsigned int uncaught;

        uint32_t number;    /**< in the simulator */
        unsigned long name; /**< what pthread_self() says: never used twice */
        void* (*start)(void*);
        void* argument;
        void* result;
        int detached;
        int ended;
        struct ViaThread* joiner; /**< waits for the end */
        struct ViaThread* other;  /**< next of all threads */
        struct ViaThread* behind; /**< next in a line */
        int wantsWrite;           /**< in the line of a read-write lock */
        const void* address;      /**< in the line of a futex */
        void** values;            /**< of pthread_setspecific, null before the first */
        char* storage;            /**< of thread-local variables, null before the first use */
        struct ViaThreadEnd* ends;
        void* cleanups; /**< innermost pthread_cleanup_push of a C function */
        jmp_buf leave;  /**< where pthread_exit of a C program goes on */
    };

    /** The thread that runs. */
    static inline struct ViaThread* ViaSelf(void)
    {
        return via_program_info.seam->thread;
    }

    /** The main thread, and the first of the list of all threads. */
    extern struct ViaThread via_shim_main_thread;
    /** The thread that runs the handlers which were given to VIPL. */
    extern struct ViaThread via_shim_handler_thread;

    /** Waits at the end of a line. @return 1 when woken, 0 when the deadline came first */
    int via_shim_wait(struct ViaLine* line, const char* what, int64_t deadline);

    /** Puts the running thread into a line without waiting yet. */
    void via_shim_queue(struct ViaLine* line);

    /** The second half of via_shim_wait: the thread is in the line. Afterwards it is not. */
    int via_shim_sleep(struct ViaLine* line, const char* what, int64_t deadline);

    /** Wakes the first of a line whose time is not up. @return it, or null */
    struct ViaThread* via_shim_wake(struct ViaLine* line);

    /** Takes a thread out of a line, wherever it stands. */
    void via_shim_unqueue(struct ViaLine* line, struct ViaThread* thread);

    /** A call that stays in the library takes time, once there is somebody to take turns with. */
    void via_shim_step(void);

    /** A point of a clock in picoseconds of the run; INT64_MAX for ever, null pointer too. */
    int64_t via_shim_instant(clockid_t which, const struct timespec* when);

    /** Calls start(argument) of a thread; comes back when it returns or calls pthread_exit. */
    void via_shim_call_thread(struct ViaThread* thread);

    /** Leaves via_shim_call_thread of the running thread. */
    void via_shim_leave_thread(struct ViaThread* thread) __attribute__((noreturn));

    /** Runs a thread from its beginning to its end; what the simulator calls. */
    void via_shim_run_thread(struct ViaThread* thread);

    /** Has a function called when the thread ends. @return 0, or -1 without memory */
    int via_shim_at_thread_end(void (*function)(void*), void* argument);

    /** Frees what a thread has of thread-local variables. */
    void via_shim_free_storage(struct ViaThread* thread);

#ifdef __cplusplus
}
#endif

#endif /* VIA_SHIM_THREAD_H */
