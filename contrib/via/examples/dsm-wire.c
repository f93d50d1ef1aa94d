/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
/* Messages of the shared memory; see dsm-wire.h. */

#include "dsm-wire.h"

#include "dsm.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#define REQUESTS 4 /* of one client, on the way or not yet served: a release and one more */
#define ANSWERS 2
#define UPDATES 32 /* RDMA writes of one client under way */

/* A request; a map follows. The page is the client's copy. */
typedef struct Request
{
    VIP_UINT32 kind;
    VIP_UINT32 number;
    Target page;
} Request;

/* A descriptor and the message it sends or receives: a request or a map. */
typedef struct Letter
{
    VIP_DESCRIPTOR descriptor; /* first: its address is the letter's */
    int peer;
    int is_request;
    Request request;
} Letter;

/* The two connections with another rank. */
typedef struct Peer
{
    VIP_VI_HANDLE client;
    VIP_VI_HANDLE service;
    Target segment;
    Letter* asks[REQUESTS];
    long asked;
    VIP_DESCRIPTOR* updates; /* UPDATES of them, taken in turn */
    long updated;
    long reaped; /* of asked and updated */
    Letter* answers[ANSWERS];
    long answered;
    int has_answer;
    unsigned char* map; /* of the last grant */
} Peer;

static Host* host;
static char* segment;
static VIP_ULONG segment_bytes;
static VIP_ULONG map_bytes;
static int by_handler;         /* requests are served by a notify handler, else by who waits */
static int closing;            /* no more receives are posted */
static VIP_CQ_HANDLE arrivals; /* of requests; without a handler also of answers */
static Peer* peers;

/* Held while a request is served, be it from another rank or from this one. */
static pthread_mutex_t serving = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t answered = PTHREAD_COND_INITIALIZER;

/* ---- Letters ---- */

static VIP_ULONG
letter_bytes(VIP_ULONG maps)
{
    return TAKEN(sizeof(Letter) + maps);
}

static Letter*
take_letter(int peer, int is_request)
{
    Letter* letter = (Letter*)host_take(host, letter_bytes(map_bytes));

    letter->peer = peer;
    letter->is_request = is_request;
    return letter;
}

static void
post_receive(Letter* letter)
{
    const Peer* peer = &peers[letter->peer];

    describe(host, &letter->descriptor, &letter->request, sizeof(Request) + map_bytes);
    CHECK(VipPostRecv(letter->is_request ? peer->service : peer->client,
                      &letter->descriptor,
                      host->handle));
}

/* ---- Service ---- */

/* The next descriptor on a service VI. The client has had the answer before the last one. */
static Letter*
next_answer(int client)
{
    Peer* peer = &peers[client];

    if (peer->answered >= ANSWERS)
    {
        await_send(peer->service);
    }
    return peer->answers[peer->answered++ % ANSWERS];
}

static void
post_answer(int client, Letter* letter)
{
    CHECK(VipPostSend(peers[client].service, &letter->descriptor, host->handle));
}

void
dsm_grant(int client, const unsigned char* map)
{
    Letter* letter;

    if (client == host->rank)
    {
        memcpy(peers[client].map, map, map_bytes);
        peers[client].has_answer = 1;
        pthread_cond_signal(&answered);
        return;
    }
    letter = next_answer(client);
    memcpy(&letter->request, map, map_bytes);
    describe(host, &letter->descriptor, &letter->request, map_bytes);
    post_answer(client, letter);
}

static void
send_page(int client, const Request* request)
{
    Letter* letter = next_answer(client);

    describe_write(host,
                   &letter->descriptor,
                   segment + (VIP_ULONG)request->number * DSM_PAGE,
                   DSM_PAGE,
                   &request->page);
    add_immediate(&letter->descriptor, request->number);
    post_answer(client, letter);
}

static void
serve(int client, const Request* request)
{
    Letter* letter;

    switch (request->kind)
    {
    case KIND_PAGE:
        send_page(client, request);
        break;
    case KIND_FLUSH: /* a VI keeps order: updates came before this request */
        letter = next_answer(client);
        describe_empty(&letter->descriptor);
        post_answer(client, letter);
        break;
    default:
        dsm_manage(client,
                   (Kind)request->kind,
                   request->number,
                   (const unsigned char*)(request + 1));
    }
}

/* ---- Arrivals ---- */

static void
take_answer(Letter* letter)
{
    Peer* peer = &peers[letter->peer];

    if (letter->descriptor.CS.Length == map_bytes &&
        (letter->descriptor.CS.Status & VIP_STATUS_IMMEDIATE) == 0)
    {
        memcpy(peer->map, &letter->request, map_bytes);
    }
    peer->has_answer = 1;
    post_receive(letter);
}

/* What is flushed is what a rank that has left will not send any more. */
static void
take_arrival(VIP_VI_HANDLE vi)
{
    VIP_DESCRIPTOR* descriptor = NULL;
    const VIP_RETURN result = VipRecvDone(vi, &descriptor);
    Letter* letter = (Letter*)descriptor;

    if (letter == NULL || (descriptor->CS.Status & VIP_STATUS_DESC_FLUSHED_ERROR) != 0)
    {
        return;
    }
    completed(result, descriptor, "request or answer");
    if (letter->is_request)
    {
        pthread_mutex_lock(&serving);
        serve(letter->peer, &letter->request);
        if (!closing)
        {
            post_receive(letter);
        }
        pthread_mutex_unlock(&serving);
    }
    else
    {
        take_answer(letter);
    }
}

/* The notify handler: called once for each time it is armed. */
static void
on_request(VIP_PVOID context, VIP_NIC_HANDLE nic, VIP_VI_HANDLE vi, VIP_BOOLEAN receive)
{
    (void)nic;
    (void)receive;
    take_arrival(vi);
    pthread_mutex_lock(&serving);
    if (!closing) /* else the queue may be gone */
    {
        CHECK(VipCQNotify(arrivals, context, on_request));
    }
    pthread_mutex_unlock(&serving);
}

/* ---- Requests ---- */

/* Keep the send queue of a client VI short: what was posted long ago is done. */
static void
make_room(Peer* peer, long posted)
{
    while (peer->asked + peer->updated - peer->reaped > posted)
    {
        await_send(peer->client);
        peer->reaped++;
    }
}

void
dsm_ask(int server, Kind kind, VIP_UINT32 number, const unsigned char* map)
{
    Peer* peer = &peers[server];
    Letter* letter;
    VIP_ULONG length = sizeof(Request);

    if (server == host->rank)
    {
        pthread_mutex_lock(&serving);
        dsm_manage(server, kind, number, map);
        pthread_mutex_unlock(&serving);
        return;
    }
    make_room(peer, REQUESTS - 1);
    letter = peer->asks[peer->asked++ % REQUESTS];
    letter->request.kind = kind;
    letter->request.number = number;
    if (kind == KIND_PAGE)
    {
        letter->request.page.address = address_bits(segment + (VIP_ULONG)number * DSM_PAGE);
        letter->request.page.handle = host->handle;
        letter->request.page.length = DSM_PAGE;
    }
    else if (map != NULL)
    {
        memcpy(&letter->request + 1, map, map_bytes);
        length += map_bytes;
    }
    describe(host, &letter->descriptor, &letter->request, length);
    CHECK(VipPostSend(peer->client, &letter->descriptor, host->handle));
}

/* Wait for an answer, and serve others meanwhile if no handler does. */
static void
await_answer(int server)
{
    const Peer* peer = &peers[server];
    VIP_BOOLEAN receive;
    VIP_VI_HANDLE vi;

    if (by_handler && server == host->rank)
    {
        pthread_mutex_lock(&serving);
        while (!peer->has_answer)
        {
            pthread_cond_wait(&answered, &serving);
        }
        pthread_mutex_unlock(&serving);
    }
    else if (by_handler)
    {
        take_answer((Letter*)await_receive(peer->client, 0));
    }
    while (!peer->has_answer)
    {
        if (VipCQDone(arrivals, &vi, &receive) == VIP_SUCCESS)
        {
            take_arrival(vi);
        }
    }
}

void
dsm_await(int server, unsigned char* map)
{
    await_answer(server);
    peers[server].has_answer = 0;
    if (map != NULL)
    {
        memcpy(map, peers[server].map, map_bytes);
    }
}

void
dsm_update(int home, VIP_ULONG offset, VIP_ULONG length)
{
    Peer* peer = &peers[home];
    VIP_DESCRIPTOR* descriptor;
    Target place = peer->segment;

    make_room(peer, UPDATES - 1);
    descriptor = peer->updates + peer->updated++ % UPDATES;
    place.address += offset;
    describe_write(host, descriptor, segment + offset, length, &place);
    CHECK(VipPostSend(peer->client, descriptor, host->handle));
}

/* ---- Beginning and end ---- */

static void
open_letters(int number)
{
    Peer* peer = &peers[number];
    int i;

    for (i = 0; i < REQUESTS; i++)
    {
        peer->asks[i] = take_letter(number, 0);
        post_receive(take_letter(number, 1));
    }
    for (i = 0; i < ANSWERS; i++)
    {
        peer->answers[i] = take_letter(number, 0);
        post_receive(take_letter(number, 0));
    }
    peer->updates = (VIP_DESCRIPTOR*)host_take(host, UPDATES * sizeof(VIP_DESCRIPTOR));
}

/* Learn where a rank's segment is. Ranks that are connected already may ask for something first. */
static void
await_segment(Peer* peer)
{
    VIP_BOOLEAN receive;
    VIP_VI_HANDLE vi = NULL;

    while (!by_handler && vi != peer->client)
    {
        if (vi != NULL)
        {
            take_arrival(vi);
        }
        CHECK(VipCQWait(arrivals, VIP_INFINITE, &vi, &receive));
    }
    peer->segment = target_learn(peer->client);
}

/* Connect twice, and exchange where the segments are. */
static void
open_peer(int number)
{
    Peer* peer = &peers[number];

    peer->client = vi_open_on(host, NULL, by_handler ? NULL : arrivals);
    peer->service = vi_open_on(host, NULL, arrivals);
    target_expect(host, peer->client);
    open_letters(number);
    if (host->rank < number)
    {
        vi_request(host, peer->client, number, 0);
        vi_request(host, peer->service, number, 1);
    }
    else
    {
        vi_wait(host, peer->service, number, 0);
        vi_wait(host, peer->client, number, 1);
    }
    target_offer(host, peer->service, segment, segment_bytes);
    await_segment(peer);
}

VIP_ULONG
dsm_wire_bytes(const Host* its_host, VIP_ULONG its_map_bytes)
{
    return (VIP_ULONG)its_host->size *
           ((2 * REQUESTS + 2 * ANSWERS) * letter_bytes(its_map_bytes) +
            (UPDATES + 4) * sizeof(VIP_DESCRIPTOR) + TAKEN(its_map_bytes));
}

void
dsm_wire_open(Host* its_host,
              char* its_segment,
              VIP_ULONG bytes,
              VIP_ULONG its_map_bytes,
              int handler)
{
    const VIP_ULONG entries = (VIP_ULONG)its_host->size * (REQUESTS + ANSWERS + 1);
    int i;

    host = its_host;
    segment = its_segment;
    segment_bytes = bytes;
    map_bytes = its_map_bytes;
    by_handler = handler;
    peers = (Peer*)calloc(host->size, sizeof(Peer));
    if (peers == NULL)
    {
        fail("no memory for %d peers", host->size);
    }
    CHECK(VipCreateCQ(host->nic, entries, &arrivals));
    for (i = 0; i < host->size; i++)
    {
        peers[i].map = (unsigned char*)host_take(host, map_bytes);
    }
    for (i = 0; i < mesh_rounds(host); i++)
    {
        if (mesh_partner(host, i) >= 0)
        {
            open_peer(mesh_partner(host, i));
        }
    }
    if (by_handler)
    {
        CHECK(VipCQNotify(arrivals, NULL, on_request));
    }
}

void
dsm_wire_close(void)
{
    int i;

    pthread_mutex_lock(&serving); /* who was answered may be here before its server has posted */
    closing = 1;
    pthread_mutex_unlock(&serving);
    for (i = 0; i < host->size; i++)
    {
        if (i != host->rank)
        {
            vi_abandon(peers[i].client);
            vi_abandon(peers[i].service);
        }
    }
    CHECK(VipDestroyCQ(arrivals));
    free(peers);
}
