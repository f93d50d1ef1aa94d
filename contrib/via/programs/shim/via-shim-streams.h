/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
/* Internal to the shim: locks of streams, each held by one thread of the process. */

#ifndef VIA_SHIM_STREAMS_H
#define VIA_SHIM_STREAMS_H

#include "via-shim.h"

#include <stdio.h>

struct ViaStreamLock;

/** Waits until no other thread has locked a stream, and locks it, once more if it has.
 * @return for via_shim_unlock_stream */
struct ViaStreamLock* via_shim_lock_stream(FILE* stream);

void via_shim_unlock_stream(struct ViaStreamLock* lock);

/** Waits until no other thread has locked any stream. */
void via_shim_await_streams(void);

#endif /* VIA_SHIM_STREAMS_H */
