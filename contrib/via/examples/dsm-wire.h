/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
/*
 * Messages of the shared memory. Between every two ranks there are two connections, one for the
 * requests of each: its *client* VI is connected with the *service* VI of the other.
 */

#ifndef DSM_WIRE_H
#define DSM_WIRE_H

#include "vipl-util.h"

typedef enum Kind
{
    KIND_PAGE,    /* write a page of yours into my copy; the answer is the write */
    KIND_FLUSH,   /* are my updates there? */
    KIND_ACQUIRE, /* a lock; the answer is a grant */
    KIND_RELEASE, /* a lock; no answer */
    KIND_BARRIER  /* the answer is a grant */
} Kind;

void dsm_wire_open(Host* host, char* segment, VIP_ULONG bytes, VIP_ULONG map_bytes, int handler);
void dsm_wire_close(void);

/* What dsm_wire_open takes from the host's region. */
VIP_ULONG dsm_wire_bytes(const Host* host, VIP_ULONG map_bytes);

/* Ask a rank, perhaps ourselves, and wait for its answer. A map has a bit for each page: in a
 * request, those that were written; in a grant, those to be forgotten. */
void dsm_ask(int server, Kind kind, VIP_UINT32 number, const unsigned char* map);
void dsm_await(int server, unsigned char* map);

/* Write a part of our segment into another rank's. */
void dsm_update(int home, VIP_ULONG offset, VIP_ULONG length);

/* For the manager: answer a rank that acquires or is at a barrier. */
void dsm_grant(int client, const unsigned char* map);

/* ---- The manager, which is called for every request of its kinds ---- */

void dsm_manager_open(const Host* host, VIP_ULONG pages);
void dsm_manager_close(void);
void dsm_manage(int client, Kind kind, VIP_UINT32 number, const unsigned char* map);

#endif /* DSM_WIRE_H */
