/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
/* Internal to the shim: signals that a process sends to itself, at once or by a timer. */

#ifndef VIA_SHIM_SIGNALS_H
#define VIA_SHIM_SIGNALS_H

#include "via-shim.h"

/** When the timer of alarm and setitimer expires, in ps of the run; INT64_MAX: it does not run. */
extern int64_t via_shim_timer;

/** A handler has run that does not want a call to be made again (without SA_RESTART). */
#define VIA_INTERRUPTS 2

/** Runs handlers of signals that are due. @return 0: none ran; 1 or VIA_INTERRUPTS: some did */
int via_shim_deliver(void);

/** Sleeps until `when`, or until a handler has run. @return 1 if a handler ran first */
int via_shim_sleep_until(int64_t when);

/** @return whether the process has a handler for this signal, or ignores it */
int via_shim_is_handled(int number);

int __wrap_raise(int number);

#endif /* VIA_SHIM_SIGNALS_H */
