/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
/* The message layer: who receives what, and how it gets there; see msg.h. */

#include "msg.h"

#include "msg-pins.h"
#include "msg-wire.h"

#include <stdlib.h>
#include <string.h>

#define MOST_IN_LINE 64 /* packets for one peer; who sends more has to wait */
#define EXCHANGE_TAG -1

/* A message, or its announcement, that came before its receive. The payload follows. */
typedef struct Unexpected
{
    Header header;
    struct Unexpected* next;
} Unexpected;

/* What is expected of a peer and what came unexpected, each in order. */
typedef struct Mailbox
{
    MsgRequest* receives;
    Unexpected* messages;
    MsgRequest* incoming; /* long messages that are being written here */
    VIP_UINT32 ids;
} Mailbox;

static Host* host;
static MsgSettings settings;
static Mailbox* mailboxes;

/* ---- Receiving ---- */

static void
append_request(MsgRequest** list, MsgRequest* request)
{
    while (*list != NULL)
    {
        list = &(*list)->next;
    }
    request->next = NULL;
    *list = request;
}

/* Tell the sender of a long message where we want it. */
static void
invite(MsgRequest* request, const Header* announced)
{
    Mailbox* mailbox = &mailboxes[request->peer];
    Header header;

    memset(&header, 0, sizeof(header));
    request->id = mailbox->ids++;
    request->pinned = pin(request->data, request->length);
    append_request(&mailbox->incoming, request);
    header.kind = KIND_READY;
    header.id = request->id;
    header.request = announced->request;
    header.target.address = address_bits(request->data);
    header.target.handle = request->pinned->handle;
    header.target.length = (VIP_UINT32)request->length;
    wire_send(request->peer, &header, NULL, 0);
}

/* A message and its receive have met. */
static void
accept_message(MsgRequest* request, const Header* header, const char* payload)
{
    if (header->length > request->length)
    {
        fail("a message of %lu bytes from rank %d with tag %d for a receive of %lu bytes",
             (unsigned long)header->length,
             request->peer,
             request->tag,
             request->length);
    }
    request->length = header->length;
    if (header->kind == KIND_ANNOUNCE)
    {
        invite(request, header);
        return;
    }
    if (header->length > 0)
    {
        memcpy(request->data, payload, header->length);
    }
    request->done = 1;
}

/* Find the receive for a message that has come, or keep the message. */
static void
deliver(int peer, const Header* header, const char* payload)
{
    const VIP_ULONG bytes = header->kind == KIND_EAGER ? header->length : 0;
    Unexpected** end = &mailboxes[peer].messages;
    MsgRequest** list;
    Unexpected* kept;

    for (list = &mailboxes[peer].receives; *list != NULL; list = &(*list)->next)
    {
        if ((*list)->tag == (int)header->tag)
        {
            MsgRequest* request = *list;

            *list = request->next;
            accept_message(request, header, payload);
            return;
        }
    }
    kept = (Unexpected*)malloc(sizeof(Unexpected) + bytes);
    if (kept == NULL)
    {
        fail("no memory for a message from rank %d", peer);
    }
    kept->header = *header;
    kept->next = NULL;
    if (bytes > 0)
    {
        memcpy(kept + 1, payload, bytes);
    }
    while (*end != NULL)
    {
        end = &(*end)->next;
    }
    *end = kept;
}

void
msg_irecv(MsgRequest* request, int from, int tag, void* data, VIP_ULONG length)
{
    Unexpected** list;

    memset(request, 0, sizeof(*request));
    request->peer = from;
    request->tag = tag;
    request->data = (char*)data;
    request->length = length;
    for (list = &mailboxes[from].messages; *list != NULL; list = &(*list)->next)
    {
        if ((int)(*list)->header.tag == tag)
        {
            Unexpected* kept = *list;

            *list = kept->next;
            accept_message(request, &kept->header, (const char*)(kept + 1));
            free(kept);
            return;
        }
    }
    append_request(&mailboxes[from].receives, request);
}

/* ---- Sending ---- */

void
msg_isend(MsgRequest* request, int to, int tag, const void* data, VIP_ULONG length)
{
    Header header;

    memset(request, 0, sizeof(*request));
    memset(&header, 0, sizeof(header));
    request->peer = to;
    request->tag = tag;
    request->data = (char*)data;
    request->length = length;
    header.tag = (VIP_UINT32)tag;
    header.length = (VIP_UINT32)length;
    if (to == host->rank)
    {
        header.kind = KIND_EAGER;
        deliver(to, &header, (const char*)data);
        request->done = 1;
        return;
    }
    while (wire_waiting(to) >= MOST_IN_LINE)
    {
        wire_progress(settings.blocking);
    }
    if (length <= settings.eager)
    {
        header.kind = KIND_EAGER;
        wire_send(to, &header, data, length);
        request->done = 1;
        return;
    }
    header.kind = KIND_ANNOUNCE;
    header.request = address_bits(request);
    wire_send(to, &header, NULL, 0);
}

/* The receiver of a long message has told where to write it. */
static void
write_message(const Header* header)
{
    VIP_PVOID64 address;
    MsgRequest* request;

    address.AddressBits = header->request;
    request = (MsgRequest*)address.Address;
    request->pinned = pin(request->data, request->length);
    wire_write(request->peer,
               request->data,
               request->pinned->handle,
               &header->target,
               header->id,
               request);
}

/* ---- Events ---- */

static void
on_received(int peer, const Header* header, const char* payload)
{
    if (header->kind == KIND_READY)
    {
        write_message(header);
    }
    else
    {
        deliver(peer, header, payload);
    }
}

/* A long message is here. */
static void
on_notified(int peer, VIP_UINT32 id)
{
    MsgRequest** list = &mailboxes[peer].incoming;

    while (*list != NULL && (*list)->id != id)
    {
        list = &(*list)->next;
    }
    if (*list == NULL)
    {
        fail("rank %d has written a message %lu that nobody expects", peer, (unsigned long)id);
    }
    unpin((*list)->pinned);
    (*list)->done = 1;
    *list = (*list)->next;
}

static void
on_written(void* request)
{
    unpin(((MsgRequest*)request)->pinned);
    ((MsgRequest*)request)->done = 1;
}

/* ---- Calls ---- */

void
msg_open(Host* its_host, const MsgSettings* its_settings)
{
    static const WireEvents events = {on_received, on_notified, on_written};

    host = its_host;
    settings = *its_settings;
    host_open(host, 64); /* packets and buffers are registered apart */
    mailboxes = (Mailbox*)calloc(host->size, sizeof(Mailbox));
    pins_open(host, settings.most_pins, settings.pinned_bytes);
    wire_open(host, settings.eager, settings.credits, &events);
}

void
msg_close(void)
{
    wire_expect_ends();
    msg_barrier();
    wire_close();
    pins_close();
    host_close(host);
    free(mailboxes);
}

const Host*
msg_host(void)
{
    return host;
}

void
msg_wait(MsgRequest* request)
{
    while (!request->done)
    {
        wire_progress(settings.blocking);
    }
}

void
msg_send(int to, int tag, const void* data, VIP_ULONG length)
{
    MsgRequest request;

    msg_isend(&request, to, tag, data, length);
    msg_wait(&request);
}

VIP_ULONG
msg_recv(int from, int tag, void* data, VIP_ULONG length)
{
    MsgRequest request;

    msg_irecv(&request, from, tag, data, length);
    msg_wait(&request);
    return request.length;
}

VIP_ULONG
msg_exchange(int to, const void* out, VIP_ULONG bytes, int from, void* in, VIP_ULONG room)
{
    MsgRequest receive;
    MsgRequest send;

    msg_irecv(&receive, from, EXCHANGE_TAG, in, room);
    msg_isend(&send, to, EXCHANGE_TAG, out, bytes);
    msg_wait(&receive);
    msg_wait(&send);
    return receive.length;
}
