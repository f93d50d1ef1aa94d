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

static inline void
via_shim_end_lock(struct ViaStreamLock* const* lock)
{
    via_shim_unlock_stream(*lock);
}

/** Locks a stream until the block ends, also by an exception. */
#define VIA_LOCK_STREAM(stream)                                                                    \
    struct ViaStreamLock* const via_lock __attribute__((cleanup(via_shim_end_lock), unused)) =     \
        via_shim_lock_stream(stream)

#endif /* VIA_SHIM_STREAMS_H */
