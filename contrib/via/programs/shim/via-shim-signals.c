/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
/* Signals: only the process itself sends any, with raise and kill or by its timer. Handlers run on
 * the stack of the thread that raises the signal, or that first makes a call or loops once the
 * timer has expired. */

#define _GNU_SOURCE
#include "via-shim-signals.h"

#include "via-shim-thread.h"

#include <errno.h>
#include <setjmp.h>
#include <signal.h>
#include <string.h>
#include <sys/time.h>
#include <time.h>
#include <unistd.h>

#define PS_PER_SECOND INT64_C(1000000000000)
#define PS_PER_US INT64_C(1000000)
#define PS_PER_NS INT64_C(1000)

int64_t via_shim_timer = INT64_MAX;
static int64_t s_interval; /* of the timer; 0: it expires once */
static struct sigaction s_actions[NSIG];
static sigset_t s_mask;
static sigset_t s_pending; /* raised while masked */

static int64_t
Now(void)
{
    return VIA_CALL(clock, VIA_CLOCK_STANDING);
}

static int
IsBadSignal(int number)
{
    if (number <= 0 || number >= NSIG)
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

/* ---- actions */

int
__wrap_sigaction(int number, const struct sigaction* action, struct sigaction* old)
{
    struct sigaction before;
    if (IsBadSignal(number))
    {
        return -1;
    }
    before = s_actions[number];
    if (action)
    {
        s_actions[number] = *action;
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
    if (IsBadSignal(number))
    {
        return SIG_ERR;
    }
    old = s_actions[number].sa_handler;
    __real_memset(&s_actions[number], 0, sizeof(s_actions[number]));
    s_actions[number].sa_handler = handler;
    s_actions[number].sa_flags = SA_RESTART; /* as in BSD, and in the C library */
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

/* Whether nothing happens when the signal is delivered. */
static int
IsIgnored(int number)
{
    const sighandler_t handler = s_actions[number].sa_handler;
    return handler == SIG_IGN || (handler == SIG_DFL && (number == SIGCHLD || number == SIGURG ||
                                                         number == SIGWINCH || number == SIGCONT));
}

/* Runs the action of a signal with the signals of its mask blocked. */
static void
Act(int number)
{
    struct sigaction action = s_actions[number];
    const sigset_t before = s_mask;
    const int code = errno;
    char report[64];
    if (action.sa_handler == SIG_DFL)
    {
        snprintf(report, sizeof(report), "raised signal %d (%s)", number, strsignal(number));
        VIA_CALL(die, number, report);
    }
    sigorset(&s_mask, &s_mask, &action.sa_mask);
    if (!(action.sa_flags & SA_NODEFER))
    {
        sigaddset(&s_mask, number);
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
        action.sa_sigaction(number, &info, NULL);
    }
    else
    {
        action.sa_handler(number);
    }
    s_mask = before;
    errno = code;
}

/* Runs what is pending and not masked. @return as via_shim_deliver */
static int
DeliverPending(void)
{
    int ran = 0;
    int number;
    if (sigisemptyset(&s_pending))
    {
        return 0;
    }
    for (number = 1; number < NSIG; number++)
    {
        if (sigismember(&s_pending, number) == 1 && sigismember(&s_mask, number) == 0)
        {
            const int interrupts = s_actions[number].sa_flags & SA_RESTART ? 1 : VIA_INTERRUPTS;
            sigdelset(&s_pending, number);
            if (!IsIgnored(number))
            {
                ran = ran < interrupts ? interrupts : ran;
                Act(number);
            }
        }
    }
    return ran;
}

/* Moves the timer on if it has expired. */
static void
CheckTimer(void)
{
    if (via_shim_timer <= Now())
    {
        sigaddset(&s_pending, SIGALRM);
        via_shim_timer = s_interval == 0 ? INT64_MAX : via_shim_timer + s_interval;
        if (s_interval != 0 && via_shim_timer <= Now()) /* several have passed: they are one */
        {
            via_shim_timer += (Now() - via_shim_timer) / s_interval * s_interval + s_interval;
        }
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
via_shim_sleep_until(int64_t when)
{
    while (via_shim_timer < when)
    {
        int ran;
        VIA_CALL(sleep_until, via_shim_timer);
        ran = via_shim_deliver();
        if (ran)
        {
            return ran;
        }
    }
    VIA_CALL(sleep_until, when);
    return 0;
}

/* ---- masks */

int
via_shim_set_mask(const sigset_t* mask, sigset_t* before)
{
    const sigset_t old = s_mask;
    s_mask = *mask;
    if (before)
    {
        *before = old;
    }
    return via_shim_deliver();
}

int
__wrap_pthread_sigmask(int how, const sigset_t* set, sigset_t* old)
{
    const sigset_t before = s_mask;
    sigset_t wanted;
    int number;
    if (set && how != SIG_BLOCK && how != SIG_UNBLOCK && how != SIG_SETMASK)
    {
        return EINVAL;
    }
    if (set)
    {
        wanted = *set;
        for (number = 1; number < NSIG; number++)
        {
            const int named = sigismember(&wanted, number) == 1;
            if (named && how != SIG_UNBLOCK)
            {
                sigaddset(&s_mask, number);
            }
            else if (named || how == SIG_SETMASK)
            {
                sigdelset(&s_mask, number);
            }
        }
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
    *set = s_pending;
    return 0;
}

/* ---- jumps */

/* sigsetjmp keeps the simulator's mask in the first word of a jump buffer's; here is the process'.
 */
#define OWN_MASK (_SIGSET_NWORDS - 1)

/* The buffers of pthread_cleanup_push, which save no mask, have no room for one. */
__attribute__((used)) void
via_shim_keep_mask(struct __jmp_buf_tag* buffer, int saves)
{
    if (saves)
    {
        buffer->__saved_mask.__val[OWN_MASK] = s_mask.__val[0];
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
        sigset_t mask = s_mask;
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

/* ---- sending and waiting */

int
__wrap_raise(int number)
{
    if (IsBadSignal(number))
    {
        return -1;
    }
    sigaddset(&s_pending, number);
    DeliverPending();
    return 0;
}

int
__wrap_kill(pid_t process, int number)
{
    if (process != 0 && process != VIA_CALL(process_id))
    {
        errno = ESRCH;
        return -1;
    }
    return number == 0 ? 0 : __wrap_raise(number);
}

/* Waits until the timer expires, or for ever. */
static void
WaitForTimer(const char* what)
{
    if (via_shim_timer == INT64_MAX)
    {
        VIA_CALL(block, what, INT64_MAX);
    }
    else
    {
        VIA_CALL(sleep_until, via_shim_timer);
    }
}

int
__wrap_pause(void)
{
    while (!via_shim_deliver())
    {
        WaitForTimer("pause");
    }
    errno = EINTR;
    return -1;
}

int
__wrap_sigsuspend(const sigset_t* mask)
{
    const sigset_t before = s_mask;
    s_mask = *mask;
    while (!via_shim_deliver())
    {
        WaitForTimer("sigsuspend");
    }
    s_mask = before;
    errno = EINTR;
    return -1;
}

int
__wrap_sigwait(const sigset_t* set, int* number)
{
    for (;;)
    {
        int each;
        CheckTimer();
        for (each = 1; each < NSIG; each++)
        {
            if (sigismember(set, each) == 1 && sigismember(&s_pending, each) == 1)
            {
                sigdelset(&s_pending, each);
                *number = each;
                return 0;
            }
        }
        WaitForTimer("sigwait");
    }
}

/* ---- the timer */

static struct timeval
ToTimeval(int64_t ps)
{
    const struct timeval value = {ps / PS_PER_SECOND, ps % PS_PER_SECOND / PS_PER_US};
    return value;
}

static int64_t
FromTimeval(const struct timeval* value)
{
    return value->tv_sec >= INT64_MAX / PS_PER_SECOND / 2
               ? INT64_MAX / 2
               : value->tv_sec * PS_PER_SECOND + value->tv_usec * PS_PER_US;
}

static int64_t
Remaining(void)
{
    const int64_t now = Now();
    return via_shim_timer == INT64_MAX ? 0 : via_shim_timer > now ? via_shim_timer - now : 1;
}

static void
StartTimer(int64_t span, int64_t interval)
{
    const int64_t most = INT64_MAX - 1 - Now();
    via_shim_timer = span == 0 ? INT64_MAX : Now() + (span < most ? span : most);
    s_interval = interval;
}

unsigned int
__wrap_alarm(unsigned int seconds)
{
    const int64_t left = Remaining();
    const int64_t most = INT64_MAX / PS_PER_SECOND; /* simulated time has no more */
    StartTimer((seconds < most ? seconds : most) * PS_PER_SECOND, 0);
    return (unsigned int)((left + PS_PER_SECOND - 1) / PS_PER_SECOND);
}

useconds_t
__wrap_ualarm(useconds_t first, useconds_t interval)
{
    const int64_t left = Remaining();
    StartTimer(first * PS_PER_US, interval * PS_PER_US);
    return (useconds_t)(left / PS_PER_US);
}

int
__wrap_getitimer(__itimer_which_t which, struct itimerval* value)
{
    if (which != ITIMER_REAL)
    {
        errno = EINVAL; /* there is no signal for CPU time */
        return -1;
    }
    value->it_value = ToTimeval(Remaining());
    value->it_interval = ToTimeval(s_interval);
    return 0;
}

int
__wrap_setitimer(__itimer_which_t which, const struct itimerval* value, struct itimerval* old)
{
    struct itimerval before;
    if (__wrap_getitimer(which, &before) != 0)
    {
        return -1;
    }
    StartTimer(FromTimeval(&value->it_value), FromTimeval(&value->it_interval));
    if (old)
    {
        *old = before;
    }
    return 0;
}
