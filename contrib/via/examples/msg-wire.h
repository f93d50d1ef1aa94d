/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
/*
 * What the message layer stands on: a VI to each peer, all on one completion queue; packets with
 * credits; RDMA writes.
 *
 * Each peer keeps as many receives posted as it gave us credits, and two more: a message that only
 * returns credits takes none itself. It is sent when half of the credits are owed, so that there
 * are never more than two of them which the peer has not looked at. What lacks a credit or a place
 * in the send queue waits in line, and what comes behind waits, too.
 */

#ifndef MSG_WIRE_H
#define MSG_WIRE_H

#include "vipl-util.h"

typedef enum Kind
{
    KIND_CREDITS,
    KIND_EAGER,
    KIND_ANNOUNCE, /* a long message */
    KIND_READY     /* for a long message */
} Kind;

/* The head of a packet. */
typedef struct Header
{
    VIP_UINT16 kind;
    VIP_UINT16 credits; /* returned with this packet */
    VIP_UINT32 tag;
    VIP_UINT32 length;  /* of the message */
    VIP_UINT32 id;      /* the receiver's, of a long message */
    VIP_UINT64 request; /* the sender's, of a long message: an address there */
    Target target;      /* the receiver's buffer */
} Header;

/* What is told to the layer above, from within wire_progress. */
typedef struct WireEvents
{
    void (*received)(int peer, const Header* header, const char* payload);
    void (*notified)(int peer, VIP_UINT32 id);
    void (*written)(void* request);
} WireEvents;

void wire_open(Host* host, VIP_ULONG payload, int credits, const WireEvents* events);

/* Let the peers go; nobody may want to send anything any more. */
void wire_close(void);

/* From here on it is no error if a peer disconnects. */
void wire_expect_ends(void);

/* Send a packet; both parts are copied. */
void wire_send(int peer, const Header* header, const void* payload, VIP_ULONG length);

/* Write to the start of a target, then tell the peer the id, and our own layer that the data may
 * change again. */
void wire_write(int peer,
                const void* data,
                VIP_MEM_HANDLE handle,
                const Target* target,
                VIP_UINT32 id,
                void* request);

/* Packets and writes to a peer that wait in line. */
long wire_waiting(int peer);

/* Look after everything that has completed; if that is nothing, wait for it or not. */
void wire_progress(int blocking);

#endif /* MSG_WIRE_H */
