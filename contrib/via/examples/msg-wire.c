/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
/* Packets, credits and RDMA writes of the message layer; see msg-wire.h. */

#include "msg-wire.h"

#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#define MOST_POSTED 64    /* sends on one VI that have not completed */
#define CREDIT_RECEIVES 2 /* for messages that only return credits */
#define PACKETS_AT_ONCE 32

/* A descriptor and what belongs to it. The payload follows. */
typedef struct Packet
{
    VIP_DESCRIPTOR descriptor; /* first: its address is the packet's */
    int peer;
    int takes_credit;
    VIP_MEM_HANDLE handle; /* of the packet's own memory */
    void* request;         /* whose last write this is */
    struct Packet* next;
    Header header;
} Packet;

typedef struct Peer
{
    VIP_VI_HANDLE vi;
    int credits; /* we may send so many */
    int owed;    /* receives that were posted anew, and the peer does not know it */
    int posted;
    long waiting;
    Packet* first; /* of those in line */
    Packet** last;
} Peer;

/* Packets are registered many at a time. */
typedef struct Chunk
{
    void* allocated;
    char* memory;
    VIP_MEM_HANDLE handle;
    struct Chunk* next;
} Chunk;

static Host* host;
static WireEvents events;
static VIP_ULONG packet_bytes;
static VIP_ULONG payload_bytes;
static int all_credits;
static int ends_expected;
static VIP_CQ_HANDLE completions;
static Peer* peers;
static Packet* unused;
static Chunk* chunks;

/* ---- Packets ---- */

static void
make_packets(void)
{
    const VIP_ULONG bytes = PACKETS_AT_ONCE * packet_bytes;
    Chunk* chunk = (Chunk*)calloc(1, sizeof(Chunk));
    int i;

    if (chunk == NULL || (chunk->allocated = calloc(1, bytes + VIP_DESCRIPTOR_ALIGNMENT)) == NULL)
    {
        fail("no memory for packets");
    }
    chunk->memory = (char*)chunk->allocated + VIP_DESCRIPTOR_ALIGNMENT -
                    (VIP_ULONG)chunk->allocated % VIP_DESCRIPTOR_ALIGNMENT;
    chunk->handle = host_register(host, chunk->memory, bytes);
    chunk->next = chunks;
    chunks = chunk;
    for (i = 0; i < PACKETS_AT_ONCE; i++)
    {
        Packet* packet = (Packet*)(chunk->memory + i * packet_bytes);

        packet->handle = chunk->handle;
        packet->next = unused;
        unused = packet;
    }
}

static Packet*
take_packet(int peer)
{
    Packet* packet;

    if (unused == NULL)
    {
        make_packets();
    }
    packet = unused;
    unused = packet->next;
    packet->peer = peer;
    packet->request = NULL;
    packet->takes_credit = 0;
    packet->next = NULL;
    return packet;
}

static void
give_back(Packet* packet)
{
    packet->next = unused;
    unused = packet;
}

static void
post_receive(Packet* packet)
{
    describe_in(packet->handle,
                &packet->descriptor,
                &packet->header,
                sizeof(Header) + payload_bytes);
    CHECK(VipPostRecv(peers[packet->peer].vi, &packet->descriptor, packet->handle));
}

/* ---- Sending ---- */

static void
post_send(Packet* packet)
{
    Peer* peer = &peers[packet->peer];

    if ((packet->descriptor.CS.Control & VIP_CONTROL_OP_MASK) == VIP_CONTROL_OP_SENDRECV)
    {
        packet->header.credits = (VIP_UINT16)peer->owed;
        peer->owed = 0;
    }
    peer->credits -= packet->takes_credit;
    peer->posted++;
    CHECK(VipPostSend(peer->vi, &packet->descriptor, packet->handle));
}

/* Post what waits in line as far as credits and the queue go. */
static void
post_line(Peer* peer)
{
    while (peer->first != NULL && peer->posted < MOST_POSTED &&
           peer->credits >= peer->first->takes_credit)
    {
        Packet* packet = peer->first;

        peer->first = packet->next;
        if (peer->first == NULL)
        {
            peer->last = &peer->first;
        }
        peer->waiting--;
        post_send(packet);
    }
}

static void
stand_in_line(Packet* packet)
{
    Peer* peer = &peers[packet->peer];

    *peer->last = packet;
    peer->last = &packet->next;
    peer->waiting++;
    post_line(peer);
}

static Packet*
make_message(int peer, const Header* header, const void* payload, VIP_ULONG length)
{
    Packet* packet = take_packet(peer);

    packet->header = *header;
    if (length > 0)
    {
        memcpy(&packet->header + 1, payload, length);
    }
    describe_in(packet->handle, &packet->descriptor, &packet->header, sizeof(Header) + length);
    return packet;
}

void
wire_send(int peer, const Header* header, const void* payload, VIP_ULONG length)
{
    Packet* packet = make_message(peer, header, payload, length);

    packet->takes_credit = 1;
    stand_in_line(packet);
}

void
wire_write(int peer,
           const void* data,
           VIP_MEM_HANDLE handle,
           const Target* target,
           VIP_UINT32 id,
           void* request)
{
    VIP_ULONG done = 0;

    while (done < target->length)
    {
        const VIP_ULONG left = target->length - done;
        const VIP_ULONG piece = left < host->max_transfer ? left : host->max_transfer;
        Packet* packet = take_packet(peer);
        Target place = *target;

        place.address += done;
        describe_write(host, &packet->descriptor, (char*)data + done, piece, &place);
        packet->descriptor.DS[1].Local.Handle = handle;
        done += piece;
        if (done == target->length)
        {
            add_immediate(&packet->descriptor, id);
            packet->takes_credit = 1;
            packet->request = request;
        }
        stand_in_line(packet);
    }
}

long
wire_waiting(int peer)
{
    return peers[peer].waiting;
}

/* A message of credits overtakes those in line, who may be waiting for the peer's. */
static void
return_credits(int number)
{
    Peer* peer = &peers[number];
    Header header;

    if (peer->owed < (all_credits + 1) / 2)
    {
        return;
    }
    memset(&header, 0, sizeof(header));
    header.kind = KIND_CREDITS;
    post_send(make_message(number, &header, NULL, 0));
}

/* ---- Completions ---- */

static void
look_at_receive(Packet* packet)
{
    Peer* peer = &peers[packet->peer];
    const VIP_DESCRIPTOR* descriptor = &packet->descriptor;

    if ((descriptor->CS.Status & VIP_STATUS_OP_MASK) == VIP_STATUS_OP_REMOTE_RDMA_WRITE)
    {
        peer->owed++;
        events.notified(packet->peer, descriptor->CS.ImmediateData);
    }
    else
    {
        peer->credits += packet->header.credits;
        if (packet->header.kind != KIND_CREDITS)
        {
            peer->owed++;
            events.received(packet->peer, &packet->header, (const char*)(&packet->header + 1));
        }
        post_line(peer);
    }
    post_receive(packet);
    return_credits(packet->peer);
}

static void
look_at_send(Packet* packet)
{
    peers[packet->peer].posted--;
    if (packet->request != NULL)
    {
        events.written(packet->request);
    }
    give_back(packet);
    post_line(&peers[packet->peer]);
}

static void
harvest(VIP_VI_HANDLE vi, int receive)
{
    VIP_DESCRIPTOR* descriptor = NULL;
    const VIP_RETURN result = receive ? VipRecvDone(vi, &descriptor) : VipSendDone(vi, &descriptor);

    if (descriptor != NULL && ends_expected &&
        (descriptor->CS.Status & VIP_STATUS_DESC_FLUSHED_ERROR) != 0)
    {
        return;
    }
    if (receive)
    {
        look_at_receive((Packet*)completed(result, descriptor, "packet"));
    }
    else
    {
        look_at_send((Packet*)completed(result, descriptor, "send"));
    }
}

void
wire_progress(int blocking)
{
    VIP_BOOLEAN receive;
    VIP_VI_HANDLE vi;
    VIP_RETURN result = VipCQDone(completions, &vi, &receive);

    if (result == VIP_NOT_DONE && blocking)
    {
        result = VipCQWait(completions, VIP_INFINITE, &vi, &receive);
    }
    while (result == VIP_SUCCESS)
    {
        harvest(vi, receive);
        result = VipCQDone(completions, &vi, &receive);
    }
    if (result != VIP_NOT_DONE)
    {
        check(result, "VipCQDone", __FILE__, __LINE__);
    }
}

/* ---- Beginning and end ---- */

static void
open_peer(int number)
{
    Peer* peer = &peers[number];
    int i;

    peer->vi = vi_open_on(host, completions, completions);
    peer->credits = all_credits;
    for (i = 0; i < all_credits + CREDIT_RECEIVES; i++)
    {
        post_receive(take_packet(number));
    }
    if (host->rank < number)
    {
        vi_request(host, peer->vi, number, 0);
    }
    else
    {
        vi_wait(host, peer->vi, number, 0);
    }
}

void
wire_open(Host* its_host, VIP_ULONG payload, int credits, const WireEvents* its_events)
{
    const VIP_ULONG entries =
        (VIP_ULONG)its_host->size * (MOST_POSTED + credits + 2 * CREDIT_RECEIVES);
    int i;

    host = its_host;
    events = *its_events;
    payload_bytes = payload;
    packet_bytes = TAKEN(sizeof(Packet) + payload);
    all_credits = credits;
    if (sizeof(Header) + payload > host->max_transfer)
    {
        fail("packets of %lu bytes: at most %lu are possible here",
             (VIP_ULONG)sizeof(Header) + payload,
             host->max_transfer);
    }
    if (entries > host->attributes.MaxCQEntries)
    {
        fail("%lu completions: a queue holds at most %lu here",
             entries,
             host->attributes.MaxCQEntries);
    }
    CHECK(VipCreateCQ(host->nic, entries, &completions));
    peers = (Peer*)calloc(host->size, sizeof(Peer));
    for (i = 0; i < host->size; i++)
    {
        peers[i].last = &peers[i].first;
    }
    for (i = 0; i < mesh_rounds(host); i++)
    {
        if (mesh_partner(host, i) >= 0)
        {
            open_peer(mesh_partner(host, i));
        }
    }
}

void
wire_expect_ends(void)
{
    ends_expected = 1;
}

void
wire_close(void)
{
    int i;

    for (i = 0; i < host->size; i++)
    {
        if (i != host->rank)
        {
            vi_abandon(peers[i].vi);
        }
    }
    CHECK(VipDestroyCQ(completions));
    while (chunks != NULL)
    {
        Chunk* chunk = chunks;

        chunks = chunk->next;
        CHECK(VipDeregisterMem(host->nic, chunk->memory, chunk->handle));
        free(chunk->allocated);
        free(chunk);
    }
    free(peers);
}
