/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
/*
 * A cache of registrations. Registering memory is a system call that pins each page of it, so a
 * buffer stays registered after its use, in the hope that it will be used again; the least
 * recently used go first when there are too many.
 *
 * Who gives memory back to the system has to make the cache forget it first: the same address may
 * then come to be other pages, and the NIC would go on writing to the old ones.
 */

#ifndef MSG_PINS_H
#define MSG_PINS_H

#include "vipl-util.h"

/* A registered piece of memory: whole pages. */
typedef struct Pin
{
    char* start;
    VIP_ULONG length;
    VIP_MEM_HANDLE handle;
    int users;
    int stale; /* to be deregistered once nobody uses it */
    struct Pin* newer;
    struct Pin* older;
} Pin;

typedef struct PinCounts
{
    long lookups;
    long hits;
    long registered;
    long evicted;
    long regions; /* registered now */
    VIP_ULONG bytes;
} PinCounts;

/* Keep so many regions with so many bytes at most, once nobody uses them. 0 keeps none. */
void pins_open(const Host* host, long most_regions, VIP_ULONG most_bytes);
void pins_close(void);

/* Have memory registered until it is unpinned. */
Pin* pin(const void* data, VIP_ULONG length);
void unpin(Pin* pinned);

/* Let go of every registration with a page of this memory. One that is in use, for what lies beside
 * it on a page, goes after its use. */
void pins_forget(const void* data, VIP_ULONG length);

const PinCounts* pins_counts(void);

#endif /* MSG_PINS_H */
