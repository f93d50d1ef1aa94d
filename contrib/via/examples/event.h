/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
/* What server and clients of event-server.c have in common: the protocol. */

#ifndef EVENT_H
#define EVENT_H

#include "vipl-util.h"

typedef enum Kind
{
    KIND_REQUEST,
    KIND_REPLY,
    KIND_GOODBYE /* of both sides */
} Kind;

/* The head of each message. The payload of a reply is that of the request, backwards, and each byte
 * changed by the key. A client that says goodbye tells how it fared. */
typedef struct Event
{
    VIP_UINT32 kind;
    VIP_UINT32 client;
    VIP_UINT32 number;
    VIP_UINT32 length; /* of the payload */
    VIP_UINT32 key;
    VIP_UINT32 longest_us;
    double total_us; /* from each request to its reply */
} Event;

typedef struct Settings
{
    long clients;
    long visits;
    long requests; /* of a visit */
    long window;   /* requests of a client that wait for their replies */
    long payload;
    long places;
    long think_us;
} Settings;

/* Those of event-server.c. */
extern Host host;
extern Settings settings;

#define EVENT_BYTES (sizeof(Event) + (VIP_ULONG)settings.payload)

void be_server(void);
void be_clients(void);

#endif /* EVENT_H */
