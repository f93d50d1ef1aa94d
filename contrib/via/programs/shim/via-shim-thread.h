/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
/* Internal to the shim: threads, and lines of waiting threads. */

#ifndef VIA_SHIM_THREAD_H
#define VIA_SHIM_THREAD_H

#include "via-shim.h"

#include <setjmp.h>
#include <signal.h>
#include <sys/types.h>
#include <time.h>

#ifdef __cplusplus
extern "C"
{
#endif

    /** Threads that wait for one thing, in order of arrival. All zero: empty. */
    struct ViaLine
    {
        struct ViaThread* first;
        struct ViaThread* last;
    };

    /** A function that runs when a thread ends: the destructor of a thread_local object. */
    struct ViaThreadEnd
    {
        void (*function)(void*);
        void* argument;
        struct ViaThreadEnd* next;
    };

    /** One thread of the process. */
    struct ViaThread
    {
        /* The C++ runtime's per-thread state: caught exceptions, and the number in flight. */
        void* caught;
        unsigned int uncaught;

        uint32_t number;    /**< the simulator's number */
        unsigned long name; /**< the value of pthread_self(), never reused */
        void* (*start)(void*);
        void* argument;
        void* result;
        int detached;
        int ended;
        struct ViaThread* joiner; /**< waits for this thread's end, or has */
        struct ViaLine end;       /**< the line of the joiner */
        struct ViaThread* other;  /**< next in the list of all threads */
        struct ViaThread* behind; /**< next in a line */
        struct ViaLine* line;     /**< in which it is, or null */
        int keepsPlace;           /**< in the line, though its sleep ends: handlers run then */
        int handles;              /**< they run now */
        int64_t wokenAt;          /**< meanwhile, or 0 */
        int wantsWrite;           /**< waits in the line of a read-write lock to write */
        const void* address;      /**< waits in the line of a futex at this address */
        void** values;            /**< of pthread_setspecific, null before the first */
        char* storage;            /**< thread-local variables, null before the first use */
        struct ViaThreadEnd* ends;
        sigset_t mask;          /**< signals that it blocks */
        sigset_t pending;       /**< signals that were sent to it */
        const sigset_t* awaits; /**< those that sigwait waits for, or null */
        int signalled;          /**< a signal has ended its wait, and it has not seen so yet */
        char title[16];         /**< of pthread_setname_np */
        uint32_t floatModes;    /**< MXCSR, which it inherits from the thread that starts it */
        uint16_t floatControl;  /**< the same of the x87 unit */
        void* cleanups;         /**< innermost pthread_cleanup_push of a C function */
        jmp_buf leave;          /**< where pthread_exit of a C program jumps to */
    };

    /** The running thread. */
    static inline struct ViaThread* ViaSelf(void)
    {
        return via_program_info.calls->thread;
    }

    /** The main thread, first in the list of all threads. */
    extern struct ViaThread via_shim_main_thread;
    /** The thread that runs the handlers registered with VIPL. */
    extern struct ViaThread via_shim_handler_thread;

    /** @return the thread with this value of pthread_self(); null: none, or it has been joined */
    struct ViaThread* via_shim_find_thread(unsigned long name);

    /** @return the number that gettid() tells a thread */
    pid_t via_shim_id_of(const struct ViaThread* thread);

    /** Waits at the end of a line. @return 1 if woken, 0 if the deadline came first */
    int via_shim_wait(struct ViaLine* line, const char* what, int64_t deadline);

    /** As via_shim_wait, and @return -1 if a handler has run that ends the call (EINTR). */
    int via_shim_wait_or_signal(struct ViaLine* line, const char* what, int64_t deadline);

    /** Puts the running thread into a line; does not wait yet. */
    void via_shim_queue(struct ViaLine* line);

    /** The second half of via_shim_wait, for a thread in the line. Takes it out again. */
    int via_shim_sleep(struct ViaLine* line, const char* what, int64_t deadline);

    /** Wakes the first thread of a line whose deadline has not passed. @return it, or null */
    struct ViaThread* via_shim_wake(struct ViaLine* line);

    /** Wakes a thread that has left its line. @return 0 if its deadline has passed */
    int via_shim_resume(struct ViaThread* thread);

    /** Takes the running thread out of its line, if it is in one. */
    void via_shim_leave_line(void);

    /** Takes a thread out of a line, at any position. */
    void via_shim_unqueue(struct ViaLine* line, struct ViaThread* thread);

    /** The system call futex, as far as the C++ library uses it. @return -1 with errno if it fails
     */
    long via_shim_futex(const int* word, int operation, int value, const struct timespec* time);

    /** Charges a call that stays in the library, once the process has had a second thread. */
    void via_shim_step(void);

    /** Converts a clock value to picoseconds of the run; INT64_MAX: forever, as for a null
     * pointer. */
    int64_t via_shim_instant(clockid_t which, const struct timespec* when);

    /** @return whether it is no instant of a clock: calls that would wait until then fail */
    static inline int via_shim_is_bad_instant(const struct timespec* when)
    {
        return when && (when->tv_nsec < 0 || when->tv_nsec >= 1000000000);
    }

    /** Calls start(argument) of a thread; returns when that returns or calls pthread_exit. */
    void via_shim_call_thread(struct ViaThread* thread);

    /** Leaves via_shim_call_thread of the running thread. */
    void via_shim_leave_thread(struct ViaThread* thread) __attribute__((noreturn));

    /** Runs a thread from start to end; the simulator calls this. */
    void via_shim_run_thread(struct ViaThread* thread);

    /** Registers a function to run when the thread ends. @return 0, or -1 if out of memory */
    int via_shim_at_thread_end(void (*function)(void*), void* argument);

    /** Frees a thread's thread-local variables. */
    void via_shim_free_storage(struct ViaThread* thread);

#ifdef __cplusplus
}
#endif

#endif /* VIA_SHIM_THREAD_H */
