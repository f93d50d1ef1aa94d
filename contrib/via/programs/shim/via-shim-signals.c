/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
/* Signals: only the process itself sends any, with raise, kill and pthread_kill or by its timer.
 * Each thread has a mask. A signal for the process goes to the main thread unless that blocks it,
 * then to the sender, then to any other thread. The sender of the timer's is the thread that first
 * makes a call, loops or ends a wait once it has expired. Handlers run on the stack of the thread
 * that gets the signal. */

#define _GNU_SOURCE
#include "via-shim-signals.h"

#include "via-shim-thread.h"

#include <errno.h>
#include <pthread.h>
#include <setjmp.h>
#include <signal.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

static struct sigaction s_actions[NSIG];
static sigset_t s_pending; /* for the process, while all threads block it */

static int64_t
Now(void)
{
    return VIA_CALL(clock, VIA_CLOCK_STANDING);
}

static int
IsSignal(int number)
{
    return number > 0 && number < NSIG && number != 32 && number != 33; /* the C library's own */
}

static int
IsBadSignal(int number)
{
    if (!IsSignal(number))
    {
        errno = EINVAL;
        return 1;
    }
    return 0;
}

int
via_shim_is_handled(int number)
{
    return s_actions[number].sa_handler != SIG_DFL;
}

/* Whether nothing happens when the signal is delivered. */
static int
IsIgnored(int number)
{
    const sighandler_t handler = s_actions[number].sa_handler;
    return handler == SIG_IGN || (handler == SIG_DFL && (number == SIGCHLD || number == SIGURG ||
                                                         number == SIGWINCH || number == SIGCONT));
}

/* @return whether the action cannot be changed, with EINVAL */
static int
IsFixed(int number)
{
    if (number == SIGKILL || number == SIGSTOP)
    {
        errno = EINVAL;
        return 1;
    }
    return 0;
}

/* A signal that is ignored from now on is no longer pending. */
static void
DropIgnored(int number)
{
    struct ViaThread* thread = &via_shim_main_thread;
    if (IsIgnored(number))
    {
        sigdelset(&s_pending, number);
        for (; thread; thread = thread->other)
        {
            sigdelset(&thread->pending, number);
        }
    }
}

/* ---- actions */

int
__wrap_sigaction(int number, const struct sigaction* action, struct sigaction* old)
{
    struct sigaction before;
    if (IsBadSignal(number) || (action && IsFixed(number)))
    {
        return -1;
    }
    before = s_actions[number];
    if (action)
    {
        s_actions[number] = *action;
        DropIgnored(number);
    }
    if (old)
    {
        *old = before;
    }
    return 0;
}

sighandler_t
__wrap_signal(int number, sighandler_t handler)
{
    sighandler_t old;
    if (IsBadSignal(number) || IsFixed(number))
    {
        return SIG_ERR;
    }
    old = s_actions[number].sa_handler;
    __real_memset(&s_actions[number], 0, sizeof(s_actions[number]));
    s_actions[number].sa_handler = handler;
    s_actions[number].sa_flags = SA_RESTART; /* as in BSD, and in the C library */
    DropIgnored(number);
    return old;
}

int
__wrap_siginterrupt(int number, int interrupts)
{
    if (IsBadSignal(number))
    {
        return -1;
    }
    s_actions[number].sa_flags &= ~SA_RESTART;
    s_actions[number].sa_flags |= interrupts ? 0 : SA_RESTART;
    return 0;
}

/* Runs the action of a signal with the signals of its mask blocked. */
static void
Act(int number)
{
    struct sigaction action = s_actions[number];
    struct ViaThread* const self = ViaSelf();
    const sigset_t before = self->mask;
    const int code = errno;
    char report[64];
    if (action.sa_handler == SIG_DFL)
    {
        snprintf(report, sizeof(report), "raised signal %d (%s)", number, strsignal(number));
        VIA_CALL(die, number, report);
    }
    sigorset(&self->mask, &self->mask, &action.sa_mask);
    if (!(action.sa_flags & SA_NODEFER))
    {
        sigaddset(&self->mask, number);
    }
    if (action.sa_flags & SA_RESETHAND)
    {
        s_actions[number].sa_handler = SIG_DFL;
    }
    if (action.sa_flags & SA_SIGINFO)
    {
        siginfo_t info;
        __real_memset(&info, 0, sizeof(info));
        info.si_signo = number;
        info.si_pid = VIA_CALL(process_id);
        info.si_uid = getuid();
        action.sa_sigaction(number, &info, NULL);
    }
    else
    {
        action.sa_handler(number);
    }
    self->mask = before;
    errno = code;
}

/* Whether it is pending for the running thread or its process. */
static int
IsPending(int number)
{
    return sigismember(&ViaSelf()->pending, number) == 1 || sigismember(&s_pending, number) == 1;
}

/* One that was sent to the thread comes before one that was sent to the process. */
static void
TakePending(int number)
{
    struct ViaThread* const self = ViaSelf();
    sigdelset(sigismember(&self->pending, number) == 1 ? &self->pending : &s_pending, number);
}

/* Runs what is pending and not masked. @return as via_shim_deliver */
static int
DeliverPending(void)
{
    struct ViaThread* const self = ViaSelf();
    int ran = 0;
    int number;
    if (self->pending.__val[0] == 0 && s_pending.__val[0] == 0)
    {
        return 0;
    }
    for (number = 1; number < NSIG; number++)
    {
        if (IsPending(number) && sigismember(&self->mask, number) == 0)
        {
            const int interrupts = s_actions[number].sa_flags & SA_RESTART ? 1 : VIA_INTERRUPTS;
            TakePending(number);
            if (!IsIgnored(number))
            {
                ran = ran < interrupts ? interrupts : ran;
                Act(number);
            }
        }
    }
    return ran;
}

static void SendToProcess(int number);

static void
CheckTimer(void)
{
    if (via_shim_timer_expires())
    {
        SendToProcess(SIGALRM);
    }
}

int
via_shim_deliver(void)
{
    if (via_shim_timer != INT64_MAX)
    {
        CheckTimer();
    }
    return DeliverPending();
}

int
via_shim_is_signalled(void)
{
    struct ViaThread* const self = ViaSelf();
    const int signalled = self->signalled;
    self->signalled = 0;
    return signalled;
}

int
via_shim_sleep_until(int64_t when)
{
    int again;
    do
    {
        const int64_t end = via_shim_timer < when ? via_shim_timer : when;
        if (end > Now())
        {
            VIA_CALL(block, "sleep", end);
        }
        else
        {
            VIA_CALL(sleep_until, end);
        }
        again = via_shim_is_signalled() || end < when;
        if (again)
        {
            const int ran = via_shim_deliver();
            if (ran)
            {
                return ran;
            }
        }
    } while (again && !VIA_CALL(is_ending));
    return 0;
}

/* ---- masks */

/* These are never blocked. */
static void
SetMask(const sigset_t* mask)
{
    sigset_t* const own = &ViaSelf()->mask;
    *own = *mask;
    own->__val[0] &= ~(UINT64_C(1) << (SIGKILL - 1) | UINT64_C(1) << (SIGSTOP - 1));
}

int
via_shim_set_mask(const sigset_t* mask, sigset_t* before)
{
    const sigset_t old = ViaSelf()->mask;
    SetMask(mask);
    if (before)
    {
        *before = old;
    }
    return via_shim_deliver();
}

int
__wrap_pthread_sigmask(int how, const sigset_t* set, sigset_t* old)
{
    const sigset_t before = ViaSelf()->mask;
    sigset_t wanted = before;
    size_t i;
    if (set && how != SIG_BLOCK && how != SIG_UNBLOCK && how != SIG_SETMASK)
    {
        return EINVAL;
    }
    if (set)
    {
        for (i = 0; i < _SIGSET_NWORDS; i++)
        {
            wanted.__val[i] = how == SIG_BLOCK     ? before.__val[i] | set->__val[i]
                              : how == SIG_UNBLOCK ? before.__val[i] & ~set->__val[i]
                                                   : set->__val[i];
        }
        SetMask(&wanted);
        via_shim_deliver();
    }
    if (old)
    {
        *old = before;
    }
    return 0;
}

int
__wrap_sigprocmask(int how, const sigset_t* set, sigset_t* old)
{
    const int code = __wrap_pthread_sigmask(how, set, old);
    errno = code != 0 ? code : errno;
    return code != 0 ? -1 : 0;
}

int
__wrap_sigpending(sigset_t* set)
{
    CheckTimer();
    sigorset(set, &s_pending, &ViaSelf()->pending);
    return 0;
}

/* ---- jumps */

/* sigsetjmp keeps the simulator's mask in the first word of a jump buffer's; here is the thread's.
 */
#define OWN_MASK (_SIGSET_NWORDS - 1)

/* The buffers of pthread_cleanup_push, which save no mask, have no room for one. */
__attribute__((used)) void
via_shim_keep_mask(struct __jmp_buf_tag* buffer, int saves)
{
    if (saves)
    {
        buffer->__saved_mask.__val[OWN_MASK] = ViaSelf()->mask.__val[0];
    }
}

/* Returns twice, to its caller: the frame of a C function would be gone the second time. */
__asm__(".pushsection .text.__wrap___sigsetjmp, \"ax\", @progbits\n"
        ".globl __wrap___sigsetjmp\n"
        ".hidden __wrap___sigsetjmp\n"
        ".type __wrap___sigsetjmp, @function\n"
        "__wrap___sigsetjmp:\n"
        "    endbr64\n"
        "    push %rdi\n"
        "    push %rsi\n"
        "    sub $8, %rsp\n"
        "    call via_shim_keep_mask\n"
        "    add $8, %rsp\n"
        "    pop %rsi\n"
        "    pop %rdi\n"
        "    jmp __real___sigsetjmp@PLT\n"
        ".size __wrap___sigsetjmp, . - __wrap___sigsetjmp\n"
        ".popsection\n");

/* The thread may be in the line of a call that its handler leaves. */
static void
BeforeJump(const struct __jmp_buf_tag* to)
{
    via_shim_leave_line();
    if (to->__mask_was_saved)
    {
        sigset_t mask = ViaSelf()->mask;
        mask.__val[0] = to->__saved_mask.__val[OWN_MASK];
        via_shim_set_mask(&mask, NULL);
    }
}

#define JUMPS(name)                                                                                \
    void __real_##name(struct __jmp_buf_tag* to, int value) __attribute__((noreturn));             \
    void __wrap_##name(struct __jmp_buf_tag* to, int value)                                        \
    {                                                                                              \
        BeforeJump(to);                                                                            \
        __real_##name(to, value);                                                                  \
    }

JUMPS(siglongjmp)
JUMPS(longjmp)
JUMPS(_longjmp)
JUMPS(__longjmp_chk)

/* ---- sending */

/* Whether the thread would take the signal: it does not block it, or waits for it. */
static int
Wants(const struct ViaThread* thread, int number)
{
    return !thread->ended && (sigismember(&thread->mask, number) == 0 ||
                              (thread->awaits && sigismember(thread->awaits, number) == 1));
}

/* Ends a wait of the thread for a signal, unless it ends by `until` anyway. */
static void
EndWait(struct ViaThread* thread, int64_t until)
{
    if (!thread->signalled && VIA_CALL(interrupt, thread->number, until))
    {
        thread->signalled = thread->keepsPlace = 1;
    }
}

/* Sends a signal to one thread; if it waits, its wait ends. What ends the process does so at once.
 */
static void
SendTo(struct ViaThread* thread, int number)
{
    const int isCaught = s_actions[number].sa_handler != SIG_DFL || thread->awaits;
    if (!isCaught && !IsIgnored(number) && sigismember(&thread->mask, number) == 0)
    {
        Act(number);
    }
    sigaddset(&thread->pending, number);
    if (thread == ViaSelf())
    {
        DeliverPending();
    }
    else if (Wants(thread, number))
    {
        EndWait(thread, INT64_MIN);
    }
}

/* The thread that gets a signal of the process, as Linux chooses it; null: all block it. */
static struct ViaThread*
TargetOf(int number)
{
    struct ViaThread* thread = &via_shim_main_thread;
    if (!Wants(thread, number) && Wants(ViaSelf(), number))
    {
        return ViaSelf();
    }
    while (thread && !Wants(thread, number))
    {
        thread = thread->other;
    }
    return thread;
}

static void
SendToProcess(int number)
{
    struct ViaThread* const target = TargetOf(number);
    if (!target || target == ViaSelf())
    {
        sigaddset(&s_pending, number); /* the caller delivers it to itself */
    }
    else
    {
        SendTo(target, number);
    }
}

/* The thread that would get the signal must look at the timer, and so must those of sigwait, which
 * nobody else may stand in for. If another one is to get it in the end, these will send it. */
void
via_shim_tell_of_timer(void)
{
    struct ViaThread* const target = via_shim_timer == INT64_MAX ? NULL : TargetOf(SIGALRM);
    struct ViaThread* thread = target ? &via_shim_main_thread : NULL;
    for (; thread; thread = thread->other)
    {
        if (thread != ViaSelf() && Wants(thread, SIGALRM) && (thread == target || thread->awaits))
        {
            EndWait(thread, via_shim_timer);
        }
    }
}

int
__wrap_raise(int number)
{
    if (IsBadSignal(number))
    {
        return -1;
    }
    SendTo(ViaSelf(), number);
    return 0;
}

int
__wrap_kill(pid_t process, int number)
{
    const pid_t own = VIA_CALL(process_id);
    if (number != 0 && IsBadSignal(number))
    {
        return -1;
    }
    /* its group is the process alone; -1 are all others */
    if (process == -1 || (process != 0 && process != own && process != -own))
    {
        errno = ESRCH;
        return -1;
    }
    if (number != 0)
    {
        SendToProcess(number);
        DeliverPending();
    }
    return 0;
}

int
__wrap_pthread_kill(pthread_t name, int number)
{
    struct ViaThread* const thread = via_shim_find_thread(name);
    if (!thread)
    {
        return ESRCH;
    }
    if (number != 0 && !IsSignal(number))
    {
        return EINVAL;
    }
    if (number != 0 && !thread->ended)
    {
        SendTo(thread, number);
    }
    return 0;
}

int
__wrap_tgkill(pid_t process, pid_t id, int number)
{
    struct ViaThread* thread = &via_shim_main_thread;
    while (thread && via_shim_id_of(thread) != id)
    {
        thread = thread->other;
    }
    if (number != 0 && IsBadSignal(number))
    {
        return -1;
    }
    if (process != VIA_CALL(process_id) || !thread || thread->ended)
    {
        errno = ESRCH;
        return -1;
    }
    if (number != 0)
    {
        SendTo(thread, number);
    }
    return 0;
}

/* ---- waiting */

/* Waits until the timer expires, a signal comes or the deadline passes. */
static void
WaitForSignal(const char* what, int64_t deadline)
{
    const int64_t end = via_shim_timer < deadline ? via_shim_timer : deadline;
    VIA_CALL(block, what, end);
    via_shim_is_signalled();
}

int
__wrap_pause(void)
{
    while (!via_shim_deliver())
    {
        WaitForSignal("pause", INT64_MAX);
    }
    errno = EINTR;
    return -1;
}

int
__wrap_sigsuspend(const sigset_t* mask)
{
    const sigset_t before = ViaSelf()->mask;
    SetMask(mask);
    while (!via_shim_deliver())
    {
        WaitForSignal("sigsuspend", INT64_MAX);
    }
    SetMask(&before);
    errno = EINTR;
    return -1;
}

/* Waits for one of a set, which need not be blocked meanwhile. @return its number; 0: the deadline
 * has passed; -1: the handler of another one has run */
static int
Await(const sigset_t* set, const char* what, int64_t deadline)
{
    struct ViaThread* const self = ViaSelf();
    for (;;)
    {
        int each;
        self->awaits = set; /* it may get the timer's signal */
        CheckTimer();
        self->awaits = NULL;
        for (each = 1; each < NSIG; each++)
        {
            if (sigismember(set, each) == 1 && IsPending(each))
            {
                TakePending(each);
                return each;
            }
        }
        if (DeliverPending())
        {
            return -1;
        }
        if (deadline <= Now() || VIA_CALL(is_ending))
        {
            return 0;
        }
        self->awaits = set;
        WaitForSignal(what, deadline);
        self->awaits = NULL;
    }
}

int
__wrap_sigwait(const sigset_t* set, int* number)
{
    do
    {
        *number = Await(set, "sigwait", INT64_MAX);
    } while (*number < 0);
    return 0;
}

int
__wrap_sigtimedwait(const sigset_t* set, siginfo_t* info, const struct timespec* limit)
{
    int64_t deadline = INT64_MAX;
    int number;
    if (limit)
    {
        const int64_t now = Now();
        const int64_t span = via_shim_instant(CLOCK_MONOTONIC, limit);
        deadline = span > INT64_MAX - now ? INT64_MAX : now + span;
    }
    if (limit && (limit->tv_sec < 0 || via_shim_is_bad_instant(limit)))
    {
        errno = EINVAL;
        return -1;
    }
    number = Await(set, "sigtimedwait", deadline);
    if (number > 0 && info)
    {
        __real_memset(info, 0, sizeof(*info));
        info->si_signo = number;
        info->si_pid = VIA_CALL(process_id);
        info->si_uid = getuid();
    }
    errno = number == 0 ? EAGAIN : number < 0 ? EINTR : errno;
    return number > 0 ? number : -1;
}

int
__wrap_sigwaitinfo(const sigset_t* set, siginfo_t* info)
{
    return __wrap_sigtimedwait(set, info, NULL);
}
