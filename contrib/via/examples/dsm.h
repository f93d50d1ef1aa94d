/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
/*
 * Shared memory in software, by pages, for programs that take turns by locks and barriers:
 * home-based lazy release consistency.
 *
 * Each page has a home, where it is always valid. Other ranks fetch it before its first use: the
 * home writes it into their copy by RDMA. Before the first write to such a copy they make a twin;
 * at a release (and before an acquire) they compare, and write what changed into the home's page by
 * RDMA, word by word: ranks that write different words of one page do not disturb each other. What
 * was written is told to the manager, rank 0, which hands out locks and barriers. Who acquires
 * learns from it which pages others have written since, and forgets its copies of those.
 *
 * There are no page faults to catch here: a program says what it is going to read or write.
 */

#ifndef DSM_H
#define DSM_H

#include "vipl-util.h"

#define DSM_PAGE 4096
#define DSM_LOCKS 64

typedef struct DsmCounts
{
    long fetches; /* pages that came from their homes */
    long twins;   /* pages that were first copied, then written */
    long updates; /* RDMA writes into home pages */
    VIP_ULONG updated_bytes;
    long invalidations;
} DsmCounts;

/* Every rank calls these, with the same number of bytes. All of the memory is 0 at first. Requests
 * of others are served by a notify handler, or only while this rank waits for something itself. */
void dsm_open(Host* host, VIP_ULONG bytes, int handler);
void dsm_close(void);

/* The shared memory: the same piece at another address in each process. */
char* dsm_memory(void);

/* Before its first use, and the same in each rank: divide the homes of a part among the ranks, in
 * order. At first all of the memory is divided so. */
void dsm_spread(const void* start, VIP_ULONG bytes);

/* Make a part of it readable, or writable, until the next lock, unlock or barrier. */
void dsm_read(const void* start, VIP_ULONG bytes);
void dsm_write(void* start, VIP_ULONG bytes);

void dsm_lock(int number);
void dsm_unlock(int number);
void dsm_barrier(void);

const DsmCounts* dsm_counts(void);

#endif /* DSM_H */
