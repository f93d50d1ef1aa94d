/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
/* The older interfaces of signals, of System V and BSD, by sigaction and sigprocmask. */

#define _GNU_SOURCE
#include "via-shim-signals.h"

#include <errno.h>
#include <string.h>

#define HOLDS ((sighandler_t)2) /* SIG_HOLD */

int __wrap_sigaction(int number, const struct sigaction* action, struct sigaction* old);
int __wrap_sigprocmask(int how, const sigset_t* set, sigset_t* old);
int __wrap_sigsuspend(const sigset_t* mask);
sighandler_t __wrap_signal(int number, sighandler_t handler);

/* @return whether the signal was blocked before; -1 with EINVAL: there is no such signal */
static int
Block(int how, int number)
{
    sigset_t one, before;
    sigemptyset(&one);
    if (sigaddset(&one, number) != 0)
    {
        return -1;
    }
    __wrap_sigprocmask(how, &one, &before);
    return sigismember(&before, number);
}

static sighandler_t
Handle(int number, sighandler_t handler, int flags)
{
    struct sigaction action, old;
    __real_memset(&action, 0, sizeof(action));
    action.sa_handler = handler;
    action.sa_flags = flags;
    return __wrap_sigaction(number, &action, &old) != 0 ? SIG_ERR : old.sa_handler;
}

int
__wrap_sighold(int number)
{
    return Block(SIG_BLOCK, number) < 0 ? -1 : 0;
}

int
__wrap_sigrelse(int number)
{
    return Block(SIG_UNBLOCK, number) < 0 ? -1 : 0;
}

int
__wrap_sigignore(int number)
{
    return Handle(number, SIG_IGN, 0) == SIG_ERR ? -1 : 0;
}

sighandler_t
__wrap_sigset(int number, sighandler_t handler)
{
    struct sigaction old;
    sighandler_t before;
    int held;
    if (handler == HOLDS)
    {
        held = Block(SIG_BLOCK, number);
        return held < 0 || __wrap_sigaction(number, NULL, &old) != 0 ? SIG_ERR
               : held                                                ? HOLDS
                                                                     : old.sa_handler;
    }
    before = Handle(number, handler, 0);
    held = before == SIG_ERR ? -1 : Block(SIG_UNBLOCK, number);
    return held < 0 ? SIG_ERR : held ? HOLDS : before;
}

int
__wrap_gsignal(int number)
{
    return __wrap_raise(number);
}

sighandler_t
__wrap_ssignal(int number, sighandler_t handler)
{
    return __wrap_signal(number, handler);
}

sighandler_t
__wrap_sysv_signal(int number, sighandler_t handler)
{
    return Handle(number, handler, SA_RESETHAND | SA_NODEFER);
}

sighandler_t
__wrap___sysv_signal(int number, sighandler_t handler)
{
    return __wrap_sysv_signal(number, handler);
}

/* ---- masks of BSD: the first 32 signals */

static int
SetMask(int mask, int how)
{
    sigset_t wanted, before;
    sigemptyset(&wanted);
    wanted.__val[0] = (unsigned int)mask;
    __wrap_sigprocmask(how, &wanted, &before);
    return (int)before.__val[0];
}

int
__wrap_sigblock(int mask)
{
    return SetMask(mask, SIG_BLOCK);
}

int
__wrap_sigsetmask(int mask)
{
    return SetMask(mask, SIG_SETMASK);
}

int
__wrap_siggetmask(void)
{
    return SetMask(0, SIG_BLOCK);
}

/* sigpause of X/Open and that of BSD. */
int
__wrap___xpg_sigpause(int number)
{
    sigset_t mask;
    __wrap_sigprocmask(SIG_BLOCK, NULL, &mask);
    return sigdelset(&mask, number) != 0 ? -1 : __wrap_sigsuspend(&mask);
}

int
__wrap_sigpause(int number)
{
    return __wrap___xpg_sigpause(number);
}

int
__wrap___sigpause(int word, int isNumber)
{
    sigset_t mask;
    sigemptyset(&mask);
    mask.__val[0] = (unsigned int)word;
    return isNumber ? __wrap___xpg_sigpause(word) : __wrap_sigsuspend(&mask);
}
