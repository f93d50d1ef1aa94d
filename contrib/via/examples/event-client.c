/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
/* The clients of event-server.c: a process looks after several of them. */

#include "event.h"

#include <stdlib.h>
#include <string.h>

#define SERVER 0

typedef enum State
{
    AWAY,
    VISITING,
    LEAVING,
    FINISHED
} State;

struct Client;

/* A message to or from a client. */
typedef struct Letter
{
    VIP_DESCRIPTOR descriptor; /* first: its address is the letter's */
    struct Client* client;
    double sent_us;
    Event head; /* the payload follows */
} Letter;

typedef struct Client
{
    VIP_UINT32 number;
    State state;
    VIP_VI_HANDLE vi;
    double due_us; /* when it does what it does next */
    long visits;
    VIP_UINT32 sent;
    VIP_UINT32 answered;
    VIP_UINT32 random;
    double total_us;
    VIP_UINT32 longest_us;
    Letter** sends; /* a window of them, and a goodbye */
    Letter** receives;
} Client;

static VIP_CQ_HANDLE completions;
static Client* clients;
static long count; /* of our clients */
static long busy;  /* those that are not finished */

static long
letters(void)
{
    return settings.window + 1;
}

/* A pause between one half and one and a half times as long. */
static double
pause_us(Client* client, double mean)
{
    return mean / 2 + mean * (next_random(&client->random) % 1000) / 1000;
}

/* ---- Requests ---- */

static void
post_send(Client* client, Letter* letter, VIP_UINT32 kind, VIP_UINT32 length)
{
    letter->head.kind = kind;
    letter->head.client = client->number;
    letter->head.number = client->sent;
    letter->head.length = length;
    letter->head.total_us = client->total_us;
    letter->head.longest_us = client->longest_us;
    letter->sent_us = now_us();
    describe(&host, &letter->descriptor, &letter->head, sizeof(Event) + length);
    CHECK(VipPostSend(client->vi, &letter->descriptor, host.handle));
}

static void
send_request(Client* client)
{
    Letter* letter = client->sends[client->sent % letters()];
    const VIP_UINT32 length = next_random(&client->random) % (VIP_UINT32)(settings.payload + 1);

    letter->head.key = next_random(&client->random) % 256;
    bytes_fill(&letter->head + 1, length, client->number, (VIP_ULONG)client->sent * 64);
    post_send(client, letter, KIND_REQUEST, length);
    client->sent++;
    client->due_us = letter->sent_us + pause_us(client, (double)settings.think_us);
}

static void
say_goodbye(Client* client)
{
    post_send(client, client->sends[client->sent % letters()], KIND_GOODBYE, 0);
    client->state = LEAVING;
}

/* ---- Replies ---- */

/* The reply to a request holds the same bytes backwards and changed. */
static void
check_reply(const Letter* request, const Letter* reply)
{
    const unsigned char* sent = (const unsigned char*)(&request->head + 1) + request->head.length;
    const unsigned char* came = (const unsigned char*)(&reply->head + 1);
    VIP_UINT32 i;

    if (reply->descriptor.CS.Length != sizeof(Event) + request->head.length ||
        reply->head.kind != KIND_REPLY || reply->head.client != request->head.client ||
        reply->head.number != request->head.number || reply->head.length != request->head.length)
    {
        fail("client %lu: this is no reply to request %lu",
             (unsigned long)request->head.client,
             (unsigned long)request->head.number);
    }
    for (i = 0; i < request->head.length; i++)
    {
        if ((*--sent ^ request->head.key) != came[i])
        {
            fail("client %lu: byte %lu of reply %lu is wrong",
                 (unsigned long)request->head.client,
                 (unsigned long)i,
                 (unsigned long)request->head.number);
        }
    }
}

static void
leave(Client* client)
{
    vi_close(client->vi);
    client->visits++;
    client->state = client->visits < settings.visits ? AWAY : FINISHED;
    client->due_us = now_us() + pause_us(client, (double)settings.think_us * settings.requests);
    busy -= client->state == FINISHED;
}

static void
post_receive(Letter* letter)
{
    describe(&host, &letter->descriptor, &letter->head, EVENT_BYTES);
    CHECK(VipPostRecv(letter->client->vi, &letter->descriptor, host.handle));
}

static void
take_reply(Letter* reply)
{
    Client* client = reply->client;
    const Letter* request = client->sends[client->answered % letters()];
    const double used_us = now_us() - request->sent_us;

    await_send(client->vi);
    if (client->state == LEAVING && reply->head.kind == KIND_GOODBYE)
    {
        leave(client);
        return;
    }
    check_reply(request, reply);
    client->answered++;
    client->total_us += used_us;
    client->longest_us = used_us > client->longest_us ? (VIP_UINT32)used_us : client->longest_us;
    post_receive(reply);
    if (client->answered == (VIP_UINT32)settings.requests)
    {
        say_goodbye(client);
    }
}

/* ---- The loop ---- */

static void
visit(Client* client)
{
    long i;

    client->vi = vi_open_on(&host, NULL, completions);
    client->sent = client->answered = 0;
    client->total_us = 0;
    for (i = 0; i < letters(); i++)
    {
        post_receive(client->receives[i]);
    }
    if (service_request(&host, client->vi, SERVER, (int)client->number) == VIP_REJECT)
    {
        vi_close(client->vi);
        client->due_us = now_us() + pause_us(client, 2000);
        return;
    }
    client->state = VISITING;
    client->due_us = now_us();
}

/* Have each client do what is due. Returns when the next one has something to do. */
static double
do_what_is_due(void)
{
    double next_us = now_us() + 1e6;
    long i;

    for (i = 0; i < count; i++)
    {
        Client* client = &clients[i];
        const int may_send = client->state == VISITING &&
                             client->sent < (VIP_UINT32)settings.requests &&
                             client->sent - client->answered < (VIP_UINT32)settings.window;

        if (!may_send && client->state != AWAY)
        {
            continue;
        }
        if (client->due_us <= now_us())
        {
            if (may_send)
            {
                send_request(client);
            }
            else
            {
                visit(client);
            }
        }
        next_us = client->due_us < next_us ? client->due_us : next_us;
    }
    return next_us;
}

/* Take replies until something is due: wait as long as that is milliseconds off, then poll. */
static void
take_replies_until(double due_us)
{
    const double left_us = due_us - now_us();
    VIP_DESCRIPTOR* descriptor = NULL;
    VIP_BOOLEAN receive;
    VIP_VI_HANDLE vi;
    VIP_RETURN result;

    result = left_us >= 1000 ? VipCQWait(completions, (VIP_ULONG)(left_us / 1000), &vi, &receive)
                             : VipCQDone(completions, &vi, &receive);
    while (result == VIP_SUCCESS)
    {
        result = VipRecvDone(vi, &descriptor);
        take_reply((Letter*)completed(result, descriptor, "reply"));
        result = VipCQDone(completions, &vi, &receive);
    }
    if (result != VIP_TIMEOUT && result != VIP_NOT_DONE)
    {
        check(result, "VipCQWait or VipCQDone", __FILE__, __LINE__);
    }
}

/* ---- Beginning and end ---- */

static Letter*
take_letter(Client* client)
{
    Letter* letter = (Letter*)host_take(&host, sizeof(Letter) + settings.payload);

    letter->client = client;
    return letter;
}

static void
open_client(Client* client, VIP_UINT32 number)
{
    long i;

    client->number = number;
    client->random = number;
    client->state = AWAY;
    client->due_us = now_us() + pause_us(client, (double)settings.think_us * settings.requests);
    client->sends = (Letter**)calloc(letters(), sizeof(Letter*));
    client->receives = (Letter**)calloc(letters(), sizeof(Letter*));
    for (i = 0; i < letters(); i++)
    {
        client->sends[i] = take_letter(client);
        client->receives[i] = take_letter(client);
    }
}

void
be_clients(void)
{
    const int ranks = host.size - 1;
    long i;

    count = settings.clients / ranks + (host.rank <= settings.clients % ranks);
    busy = count;
    clients = (Client*)calloc(count + 1, sizeof(Client));
    host_open(&host, (2 * count * letters() + 1) * TAKEN(sizeof(Letter) + settings.payload));
    CHECK(VipCreateCQ(host.nic, count * letters() + 1, &completions));
    for (i = 0; i < count; i++)
    {
        open_client(&clients[i], (VIP_UINT32)(host.rank - 1 + i * ranks));
    }
    while (busy > 0)
    {
        take_replies_until(do_what_is_due());
    }
    CHECK(VipDestroyCQ(completions));
    host_close(&host);
    for (i = 0; i < count; i++)
    {
        free(clients[i].sends);
        free(clients[i].receives);
    }
    free(clients);
}
