/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
/* Internal to the shim: signals that a process sends to itself, at once or by a timer. */

#ifndef VIA_SHIM_SIGNALS_H
#define VIA_SHIM_SIGNALS_H

#include "via-shim.h"

#include <signal.h>

/** When the timer of alarm and setitimer expires, in ps of the run; INT64_MAX: it does not run. */
extern int64_t via_shim_timer;

/** Where the next wait of VIPL's ends at the latest; INT64_MAX: as its timeout says. */
extern int64_t via_shim_wait_end;

/** Moves the timer on if it has expired. @return whether it has: SIGALRM is due */
int via_shim_timer_expires(void);

/** Ends waits that do not know of the timer, where its signal would end them: for a timer that has
 * just been started, and for a thread that ends. */
void via_shim_tell_of_timer(void);

/** A handler has run that does not want a call to be made again (without SA_RESTART). */
#define VIA_INTERRUPTS 2

/** Runs handlers of signals that are due. @return 0: none ran; 1 or VIA_INTERRUPTS: some did */
int via_shim_deliver(void);

/** @return whether a signal has ended the last wait of the running thread; asking forgets it */
int via_shim_is_signalled(void);

/** Sleeps until `when`, or until a handler has run. @return as via_shim_deliver: whether one ran */
int via_shim_sleep_until(int64_t when);

/** Blocks the signals of `mask` and no others. @return as via_shim_deliver, for what it lets
 * through */
int via_shim_set_mask(const sigset_t* mask, sigset_t* before);

/** @return whether the process has a handler for this signal, or ignores it */
int via_shim_is_handled(int number);

int __wrap_raise(int number);

#endif /* VIA_SHIM_SIGNALS_H */
