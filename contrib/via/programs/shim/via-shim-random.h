/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
/* Internal to the shim: random numbers that are the same in every run. */

#ifndef VIA_SHIM_RANDOM_H
#define VIA_SHIM_RANDOM_H

#include "via-shim.h"

/** The next number of a sequence of this process. `state` begins as 0. */
uint64_t via_shim_next_random(uint64_t* state);

#endif /* VIA_SHIM_RANDOM_H */
