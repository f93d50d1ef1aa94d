/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
/* The server of event-server.c: a thread that admits clients, and a loop that serves them. */

#include "event.h"

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define POLLS 100 /* of the completion queue, before the server waits */

struct Place;

/* A request and its reply. Both descriptors lead to their slot. */
typedef union Post {
    struct
    {
        VIP_DESCRIPTOR descriptor;
        struct Slot* slot;
    } at;

    char room[128]; /* keeps arrays of them aligned */
} Post;

typedef struct Slot
{
    Post receive;
    Post reply;
    struct Place* place;
    int replying;
    char* request;
    char* answer;
} Slot;

/* Where a client is served. */
typedef struct Place
{
    VIP_VI_HANDLE vi;
    Slot** slots;
    VIP_UINT32 client;
    VIP_UINT32 served;
    int leaving;
    long posted; /* descriptors on both queues */
    struct Place* next_free;
} Place;

/* What became of a client. */
typedef struct Record
{
    VIP_UINT32 visits;
    VIP_UINT32 requests;
    double total_us;
} Record;

static VIP_CQ_HANDLE completions;
static Place* places;
static Record* records;
static VIP_UINT32 longest_us;

/* The clients that the listener has admitted and the loop has let go share the places. */
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static Place* free_places;
static long rejected;

/* A client never has more requests under way than its window. With twice as many slots, a reply is
 * long gone when its slot's turn comes again. */
static long
slots_of_place(void)
{
    return 2 * settings.window + 1;
}

/* ---- Admission ---- */

static Place*
take_place(void)
{
    Place* place;

    pthread_mutex_lock(&lock);
    place = free_places;
    if (place != NULL)
    {
        free_places = place->next_free;
    }
    else
    {
        rejected++;
    }
    pthread_mutex_unlock(&lock);
    return place;
}

static void
give_back(Place* place)
{
    pthread_mutex_lock(&lock);
    place->next_free = free_places;
    free_places = place;
    pthread_mutex_unlock(&lock);
}

static void
post_receive(Slot* slot)
{
    describe(&host, &slot->receive.at.descriptor, slot->request, EVENT_BYTES);
    CHECK(VipPostRecv(slot->place->vi, &slot->receive.at.descriptor, host.handle));
    slot->place->posted++;
}

static void
admit(Place* place, VIP_CONN_HANDLE connection, VIP_UINT32 client)
{
    long i;

    place->vi = vi_open_on(&host, completions, completions);
    place->client = client;
    place->served = 0;
    place->leaving = 0;
    for (i = 0; i < slots_of_place(); i++)
    {
        post_receive(place->slots[i]);
    }
    CHECK(VipConnectAccept(connection, place->vi));
}

/* The listener: waits until every client has been here as often as it will. */
static void*
listen_to_all(void* unused)
{
    long visits = 0;

    while (visits < settings.clients * settings.visits)
    {
        int rank;
        int client;
        VIP_CONN_HANDLE connection = service_wait(&host, &rank, &client);
        Place* place = take_place();

        if (client >= settings.clients)
        {
            fail("client %d of rank %d: there are %ld", client, rank, settings.clients);
        }
        if (place == NULL)
        {
            CHECK(VipConnectReject(connection));
            continue;
        }
        admit(place, connection, (VIP_UINT32)client);
        visits++;
    }
    return unused;
}

/* ---- Service ---- */

static void
answer(Slot* slot, const Event* request)
{
    const unsigned char* from = (const unsigned char*)(request + 1) + request->length;
    unsigned char* to = (unsigned char*)slot->answer + sizeof(Event);
    VIP_UINT32 i;

    for (i = 0; i < request->length; i++)
    {
        to[i] = (unsigned char)(*--from ^ request->key);
    }
}

static void
reply(Slot* slot)
{
    const Event* request = (const Event*)slot->request;
    Event* head = (Event*)slot->answer;

    if (slot->replying)
    {
        fail("client %lu: a request before the reply is gone", (unsigned long)request->client);
    }
    *head = *request;
    if (request->kind == KIND_REQUEST)
    {
        head->kind = KIND_REPLY;
        answer(slot, request);
    }
    describe(&host, &slot->reply.at.descriptor, slot->answer, sizeof(Event) + head->length);
    slot->replying = 1;
}

/* What a client tells when it leaves. */
static void
take_record(const Place* place, const Event* goodbye)
{
    Record* record = &records[place->client];

    if (place->served != (VIP_UINT32)settings.requests)
    {
        fail("client %lu leaves after %lu requests",
             (unsigned long)place->client,
             (unsigned long)place->served);
    }
    record->visits++;
    record->requests += place->served;
    record->total_us += goodbye->total_us;
    longest_us = goodbye->longest_us > longest_us ? goodbye->longest_us : longest_us;
}

/* A request: its slot is ready for another one before the reply goes out. */
static void
take_request(Slot* slot, VIP_ULONG bytes)
{
    const Event* request = (const Event*)slot->request;
    Place* place = slot->place;

    if (bytes < sizeof(Event) || bytes != sizeof(Event) + request->length ||
        request->client != place->client || request->number != place->served)
    {
        fail("client %lu sends %lu bytes for request %lu of client %lu",
             (unsigned long)place->client,
             bytes,
             (unsigned long)request->number,
             (unsigned long)request->client);
    }
    reply(slot);
    if (request->kind == KIND_GOODBYE)
    {
        take_record(place, request);
        place->leaving = 1;
    }
    else
    {
        place->served++;
        post_receive(slot);
    }
    CHECK(VipPostSend(place->vi, &slot->reply.at.descriptor, host.handle));
    place->posted++;
}

/* Look at what an entry of the completion queue announces. Returns 1 if a visit has ended: after
 * the goodbye, receives are flushed when the client disconnects. */
static int
take_event(VIP_VI_HANDLE vi, int receive)
{
    VIP_DESCRIPTOR* descriptor = NULL;
    const VIP_RETURN result = receive ? VipRecvDone(vi, &descriptor) : VipSendDone(vi, &descriptor);
    Place* place;
    Slot* slot;

    if (descriptor == NULL)
    {
        fail("an event without a descriptor: return code %d", (int)result);
    }
    slot = ((Post*)descriptor)->at.slot;
    place = slot->place;
    place->posted--;
    if (!receive)
    {
        slot->replying = 0;
    }
    if (!place->leaving || (descriptor->CS.Status & VIP_STATUS_DESC_FLUSHED_ERROR) == 0)
    {
        completed(result, descriptor, "request or reply");
        if (receive)
        {
            take_request(slot, descriptor->CS.Length);
        }
    }
    if (place->leaving && place->posted == 0)
    {
        vi_close(vi);
        give_back(place);
        return 1;
    }
    return 0;
}

static int
next_event(void)
{
    VIP_RETURN result = VIP_NOT_DONE;
    VIP_BOOLEAN receive;
    VIP_VI_HANDLE vi;
    int polls;

    for (polls = 0; polls < POLLS && result == VIP_NOT_DONE; polls++)
    {
        result = VipCQDone(completions, &vi, &receive);
    }
    if (result == VIP_NOT_DONE)
    {
        result = VipCQWait(completions, VIP_INFINITE, &vi, &receive);
    }
    check(result, "VipCQDone or VipCQWait", __FILE__, __LINE__);
    return take_event(vi, receive);
}

/* ---- Report ---- */

static int
compare(const void* one, const void* other)
{
    const double difference = *(const double*)one - *(const double*)other;

    return (difference > 0) - (difference < 0);
}

static void
report(void)
{
    double* means = (double*)calloc(settings.clients, sizeof(double));
    double sum = 0;
    double squares = 0;
    long i;

    for (i = 0; i < settings.clients; i++)
    {
        const Record* record = &records[i];

        if (record->visits != (VIP_UINT32)settings.visits)
        {
            fail("client %ld was here %lu times", i, (unsigned long)record->visits);
        }
        means[i] = record->total_us / record->requests;
        sum += means[i];
        squares += means[i] * means[i];
    }
    qsort(means, settings.clients, sizeof(double), compare);
    printf("served %ld %ld %ld %ld\n",
           settings.clients,
           settings.clients * settings.visits,
           settings.clients * settings.visits * settings.requests,
           rejected);
    printf("reply_us %.2f %.2f %.2f %lu %.4f\n",
           means[0],
           means[settings.clients / 2],
           means[settings.clients - 1],
           (unsigned long)longest_us,
           squares > 0 ? sum * sum / (squares * settings.clients) : 1.0);
    free(means);
}

/* ---- Beginning and end ---- */

static void
open_places(void)
{
    long i;
    long j;

    for (i = settings.places - 1; i >= 0; i--)
    {
        Place* place = &places[i];

        place->slots = (Slot**)calloc(slots_of_place(), sizeof(Slot*));
        for (j = 0; j < slots_of_place(); j++)
        {
            Slot* slot = (Slot*)host_take(&host, sizeof(Slot));

            slot->receive.at.slot = slot;
            slot->reply.at.slot = slot;
            slot->place = place;
            slot->request = (char*)host_take(&host, EVENT_BYTES);
            slot->answer = (char*)host_take(&host, EVENT_BYTES);
            place->slots[j] = slot;
        }
        give_back(place);
    }
}

void
be_server(void)
{
    const VIP_ULONG slots = (VIP_ULONG)settings.places * slots_of_place();
    long visits = 0;
    pthread_t listener;
    long i;

    places = (Place*)calloc(settings.places, sizeof(Place));
    records = (Record*)calloc(settings.clients, sizeof(Record));
    if (places == NULL || records == NULL)
    {
        fail("no memory for %ld places", settings.places);
    }
    host_open(&host, slots * (TAKEN(sizeof(Slot)) + 2 * TAKEN(EVENT_BYTES)));
    CHECK(VipCreateCQ(host.nic, 2 * slots, &completions));
    open_places();
    if (pthread_create(&listener, NULL, listen_to_all, NULL) != 0)
    {
        fail("no thread to wait for clients");
    }
    while (visits < settings.clients * settings.visits)
    {
        visits += next_event();
    }
    pthread_join(listener, NULL);
    report();
    CHECK(VipDestroyCQ(completions));
    host_close(&host);
    for (i = 0; i < settings.places; i++)
    {
        free(places[i].slots);
    }
    free(places);
    free(records);
}
