/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
/*
 * A message layer over VIPL: send and receive by rank and tag, and collective operations.
 *
 * A short message is sent eagerly, into a packet that its receiver keeps posted, and copied at both
 * ends. A long one is announced; when its receive is posted, the receiver names its buffer, and the
 * sender writes the data there by RDMA, the last piece with immediate data as the notice. Both
 * buffers are registered through a cache (msg-pins.h). Every packet takes a credit of its receiver.
 *
 * Messages with one sender, receiver and tag arrive in the order of their sends. A receive must be
 * as long as its message, or longer. Nothing happens in the background: a process that computes for
 * long holds up those who send it long messages.
 */

#ifndef MSG_H
#define MSG_H

#include "vipl-util.h"

#include <stddef.h>

/* What may be chosen; all processes must choose the same. */
typedef struct MsgSettings
{
    VIP_ULONG eager;        /* the longest message that is sent eagerly, in bytes */
    int credits;            /* packets that each peer may have on the way to us: 2 or more */
    long most_pins;         /* registrations that are kept */
    VIP_ULONG pinned_bytes; /* the same, in bytes */
    int blocking;           /* wait in VipCQWait instead of polling */
} MsgSettings;

/* A send or receive under way. It is the caller's memory, and is done when `done` says so. */
typedef struct MsgRequest
{
    int done;
    int peer;
    int tag;
    char* data;
    VIP_ULONG length; /* of the message, once a receive is done */
    VIP_UINT32 id;
    struct Pin* pinned;
    struct MsgRequest* next;
} MsgRequest;

/* Every rank calls these. The host is one whose options have been read. */
void msg_open(Host* host, const MsgSettings* settings);
void msg_close(void);
const Host* msg_host(void);

void msg_isend(MsgRequest* request, int to, int tag, const void* data, VIP_ULONG length);
void msg_irecv(MsgRequest* request, int from, int tag, void* data, VIP_ULONG length);
void msg_wait(MsgRequest* request);

void msg_send(int to, int tag, const void* data, VIP_ULONG length);
VIP_ULONG msg_recv(int from, int tag, void* data, VIP_ULONG length); /* the message's length */
VIP_ULONG msg_exchange(int to,
                       const void* out,
                       VIP_ULONG bytes,
                       int from,
                       void* in,
                       VIP_ULONG room);

/* Collective: every rank calls them in the same order. */
void msg_barrier(void);
void msg_bcast(int root, void* data, VIP_ULONG length);
void msg_allreduce(VIP_UINT64* numbers, VIP_ULONG count); /* sums modulo 2^64, in place */

#endif /* MSG_H */
