/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
/*
 * Credit flow: reliable streams over unreliable VIs, with loss mended and no receive queue ever
 * empty. Each process of a ring sends a stream to its successor and receives its predecessor's.
 *
 * A message is sent as a packet, again and again until it is acknowledged; every packet has a
 * serial number of its own. A VI keeps order, so when a packet arrives, all with lower serials
 * have arrived before or never will. An acknowledgement tells the highest serial seen, which
 * messages are there, and up to which serial there will be receives: the credit. All of this is
 * absolute, so that a lost acknowledgement is made good by the next. A message whose packet was
 * passed over is sent again at once. If all goes quiet, the timeout sends one packet more than the
 * credit allows; receives are kept in reserve for those.
 *
 * usage: credit-flow [-s size] [-n messages] [-w window] [-d every] [-t timeout]
 * Every rank prints: rank, messages, packets it sent, those among them sent again, timeouts,
 * acknowledgements it sent, duplicates it received, and 10^6 bytes per second.
 */

#include "vipl-util.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define MOST_WINDOW 32 /* bits of Ack.map */
#define RESERVE 16     /* packets beyond the credit that may be unheard of */
#define RECEIVES (MOST_WINDOW + RESERVE)
#define MOST_TOTAL 268435456L

typedef struct Packet
{
    VIP_UINT32 serial;   /* 1, 2, 3... of everything sent on this VI */
    VIP_UINT32 sequence; /* of the message */
} Packet;

typedef struct Ack
{
    VIP_UINT32 seen;  /* all serials up to this arrived or are lost */
    VIP_UINT32 limit; /* there is a receive for each serial up to this */
    VIP_UINT32 next;  /* all messages before this are there */
    VIP_UINT32 map;   /* bit i: message next + i is there */
} Ack;

/* What waits for an acknowledgement. */
typedef struct Pending
{
    VIP_UINT32 serial; /* of its last packet */
    int there;
    int lost;
} Pending;

/* Sends of one VI, each with a header or an acknowledgement of its own. */
typedef struct Outbox
{
    VIP_VI_HANDLE vi;
    VIP_DESCRIPTOR* descriptors; /* RECEIVES of them, taken in turn */
    char* heads;
    VIP_ULONG posted;
    VIP_ULONG reaped;
    VIP_UINT32 random;
} Outbox;

static long size = 4096;
static long messages = 500;
static long window = 16;
static long every = 0;
static long timeout_us = 2000;

static const Option options[] = {
    {'s', &size, 1, 65528, NULL, NULL, "bytes per message"},
    {'n', &messages, 1, 1000000, NULL, NULL, "messages to send to the successor"},
    {'w', &window, 1, MOST_WINDOW, NULL, NULL, "messages that may wait for acknowledgement"},
    {'d', &every, 0, 1000000, NULL, NULL, "lose one in so many packets on purpose; 0: none"},
    {'t',
     &timeout_us,
     10,
     10000000,
     NULL,
     NULL,
     "microseconds of silence until a retry, on top of two windows at 50 MB/s"}};

static Host host;
static long sent_again = 0;
static long timeouts = 0;
static long acks = 0;
static long duplicates = 0;

/* ---- Sends of both kinds ---- */

static void
open_outbox(Outbox* box, VIP_UINT32 random)
{
    box->vi = vi_open(&host);
    box->descriptors = (VIP_DESCRIPTOR*)host_take(&host, RECEIVES * sizeof(VIP_DESCRIPTOR));
    box->heads = (char*)host_take(&host, RECEIVES * sizeof(Ack));
    box->random = random;
}

/* The head of the next send. */
static void*
next_head(Outbox* box)
{
    while (box->posted - box->reaped == RECEIVES)
    {
        await_send(box->vi);
        box->reaped++;
    }
    return box->heads + box->posted % RECEIVES * sizeof(Ack);
}

/* Send the head, and some data behind it; or lose it. */
static void
post_next(Outbox* box, VIP_ULONG head_bytes, void* data, VIP_ULONG length)
{
    VIP_DESCRIPTOR* descriptor = box->descriptors + box->posted % RECEIVES;

    if (every != 0 && next_random(&box->random) % every == 0)
    {
        return;
    }
    describe(&host, descriptor, next_head(box), head_bytes);
    if (length > 0)
    {
        descriptor->CS.SegCount = 2;
        descriptor->CS.Length = (VIP_UINT32)(head_bytes + length);
        descriptor->DS[1].Local.Data.Address = data;
        descriptor->DS[1].Local.Handle = host.handle;
        descriptor->DS[1].Local.Length = (VIP_UINT32)length;
    }
    CHECK(VipPostSend(box->vi, descriptor, host.handle));
    box->posted++;
}

static VIP_DESCRIPTOR*
open_receives(VIP_VI_HANDLE vi, VIP_ULONG bytes)
{
    VIP_DESCRIPTOR* descriptors =
        (VIP_DESCRIPTOR*)host_take(&host, RECEIVES * sizeof(VIP_DESCRIPTOR));
    int i;

    for (i = 0; i < RECEIVES; i++)
    {
        describe(&host, descriptors + i, host_take(&host, bytes), bytes);
        CHECK(VipPostRecv(vi, descriptors + i, host.handle));
    }
    return descriptors;
}

static void
post_again(VIP_VI_HANDLE vi, VIP_DESCRIPTOR* descriptor)
{
    describe(&host,
             descriptor,
             descriptor->DS[0].Local.Data.Address,
             descriptor->DS[0].Local.Length);
    CHECK(VipPostRecv(vi, descriptor, host.handle));
}

/* ---- The sender ---- */

static Outbox data_box;
static char* source; /* all messages, one behind the other */
static Pending pending[MOST_WINDOW];
static VIP_UINT32 base = 0; /* the first message that is not acknowledged */
static VIP_UINT32 next_new = 0;
static VIP_UINT32 serial = 0;
static VIP_UINT32 seen = 0;
static VIP_UINT32 limit = 0;
static double heard_us;
static double patience_us;

static double
first_patience_us(void)
{
    return (double)timeout_us + 2.0 * window * size / 50;
}

static void
send_packet(VIP_UINT32 sequence)
{
    Packet* head = (Packet*)next_head(&data_box);
    Pending* waiting = &pending[sequence % window];

    serial++;
    head->serial = serial;
    head->sequence = sequence;
    waiting->serial = serial;
    waiting->lost = 0;
    post_next(&data_box, sizeof(Packet), source + (VIP_ULONG)sequence * size, size);
}

static void
take_ack(const Ack* ack)
{
    VIP_UINT32 i;

    if (ack->seen <= seen || ack->seen > serial || ack->next < base || ack->next > next_new)
    {
        fail("an acknowledgement of serial %lu, message %lu after serial %lu, message %lu",
             (unsigned long)ack->seen,
             (unsigned long)ack->next,
             (unsigned long)seen,
             (unsigned long)base);
    }
    seen = ack->seen;
    limit = ack->limit;
    base = ack->next;
    for (i = base; i != next_new; i++)
    {
        Pending* waiting = &pending[i % window];

        waiting->there |= (int)(ack->map >> (i - base)) & 1;
        waiting->lost = !waiting->there && waiting->serial <= seen;
    }
    heard_us = now_us();
    patience_us = first_patience_us();
}

/* Choose what to send next: what is lost, else something new. Returns 0 if there is nothing. */
static int
choose(VIP_UINT32* sequence)
{
    VIP_UINT32 i;

    for (i = base; i != next_new; i++)
    {
        if (pending[i % window].lost)
        {
            sent_again++;
            *sequence = i;
            return 1;
        }
    }
    if (next_new == (VIP_UINT32)messages || next_new - base == (VIP_UINT32)window)
    {
        return 0;
    }
    memset(&pending[next_new % window], 0, sizeof(Pending));
    *sequence = next_new++;
    return 1;
}

/* Nothing was heard for long: either the last packets are lost, or their acknowledgements are. */
static void
lose_patience(void)
{
    VIP_UINT32 i;

    timeouts++;
    patience_us *= 2;
    heard_us = now_us();
    if (serial == limit + RESERVE)
    {
        fail("rank %d has been silent through %d retries", (host.rank + 1) % host.size, RESERVE);
    }
    for (i = base; i != next_new; i++)
    {
        pending[i % window].lost = !pending[i % window].there;
    }
    if (choose(&i))
    {
        send_packet(i);
    }
}

/* Send what the credit allows. Returns 1 once everything is acknowledged. */
static int
work_on_sending(void)
{
    VIP_DESCRIPTOR* descriptor = NULL;
    VIP_UINT32 sequence;
    VIP_RETURN result;

    while ((result = VipRecvDone(data_box.vi, &descriptor)) != VIP_NOT_DONE)
    {
        take_ack((const Ack*)completed(result, descriptor, "ack")->DS[0].Local.Data.Address);
        post_again(data_box.vi, descriptor);
    }
    while (serial < limit && choose(&sequence))
    {
        send_packet(sequence);
    }
    if (base != (VIP_UINT32)messages && now_us() - heard_us > patience_us)
    {
        lose_patience();
    }
    return base == (VIP_UINT32)messages;
}

/* ---- The receiver ---- */

static Outbox ack_box;
static char* sink;
static Ack state;

/* Put a message where it belongs, unless it is there. */
static void
take_packet(const VIP_DESCRIPTOR* descriptor)
{
    const Packet* head = (const Packet*)descriptor->DS[0].Local.Data.Address;
    const VIP_UINT32 ahead = head->sequence - state.next;

    if (descriptor->CS.Length != sizeof(Packet) + size || head->serial <= state.seen ||
        head->sequence >= (VIP_UINT32)messages ||
        (head->sequence > state.next && ahead >= (VIP_UINT32)window))
    {
        fail("packet %lu with message %lu after packet %lu, while message %lu is awaited",
             (unsigned long)head->serial,
             (unsigned long)head->sequence,
             (unsigned long)state.seen,
             (unsigned long)state.next);
    }
    state.seen = head->serial;
    if (head->sequence < state.next || (state.map >> ahead & 1) != 0)
    {
        duplicates++;
        return;
    }
    memcpy(sink + (VIP_ULONG)head->sequence * size, head + 1, size);
    state.map |= (VIP_UINT32)1 << ahead;
    while ((state.map & 1) != 0)
    {
        state.map >>= 1;
        state.next++;
    }
}

/* Take what has come, and acknowledge it all at once. Returns 1 once the predecessor has left: it
 * disconnects when it knows that everything is here. */
static int
work_on_receiving(void)
{
    VIP_DESCRIPTOR* descriptor = NULL;
    VIP_RETURN result;
    int came = 0;

    while ((result = VipRecvDone(ack_box.vi, &descriptor)) != VIP_NOT_DONE)
    {
        if (descriptor != NULL && (descriptor->CS.Status & VIP_STATUS_DESC_FLUSHED_ERROR) != 0)
        {
            return 1;
        }
        take_packet(completed(result, descriptor, "packet"));
        post_again(ack_box.vi, descriptor);
        came = 1;
    }
    if (came)
    {
        state.limit = state.seen + RECEIVES - RESERVE;
        *(Ack*)next_head(&ack_box) = state;
        post_next(&ack_box, sizeof(Ack), NULL, 0);
        acks++;
    }
    return 0;
}

/* ---- Both ---- */

static void
set_up(void)
{
    const VIP_ULONG total = (VIP_ULONG)messages * size;

    if (total > MOST_TOTAL)
    {
        fail("%lu bytes: a stream has at most %ld", total, MOST_TOTAL);
    }
    if (host.level == 0)
    {
        host.level = VIP_SERVICE_UNRELIABLE;
    }
    host_open(&host,
              TAKEN(total) +
                  RECEIVES * (4 * sizeof(VIP_DESCRIPTOR) + 4 * TAKEN(sizeof(Ack)) + TAKEN(size)));
    if ((VIP_ULONG)size + sizeof(Packet) > host.max_transfer)
    {
        fail("-s %ld: a packet has at most %lu bytes here", size, host.max_transfer);
    }
    source = (char*)host_take(&host, total);
    bytes_fill(source, total, (VIP_UINT32)host.rank, 0);
    sink = (char*)calloc(1, total);
    open_outbox(&data_box, (VIP_UINT32)host.rank);
    open_outbox(&ack_box, (VIP_UINT32)(host.rank + host.size));
    open_receives(data_box.vi, sizeof(Ack));
    open_receives(ack_box.vi, sizeof(Packet) + size);
    limit = RECEIVES - RESERVE;
    vi_ring(&host, data_box.vi, ack_box.vi, 1, 0);
}

int
main(int argc, char** argv)
{
    VIP_ULONG total;
    double start;
    double end = 0;
    int sending = 1;
    int receiving = 1;
    long wrong;

    parse_options(&host, argc, argv, options, COUNT(options));
    if (host.size < 2)
    {
        fail("credit-flow needs 2 processes or more");
    }
    set_up();
    total = (VIP_ULONG)messages * size;
    start = heard_us = now_us();
    patience_us = first_patience_us();
    while (sending || receiving)
    {
        if (sending && work_on_sending())
        {
            end = now_us();
            vi_abandon(data_box.vi); /* acknowledgements may still come */
            sending = 0;
        }
        if (receiving && work_on_receiving())
        {
            receiving = 0;
        }
    }
    wrong = bytes_differ(sink, total, (VIP_UINT32)((host.rank + host.size - 1) % host.size), 0);
    if (wrong >= 0 || state.next != (VIP_UINT32)messages)
    {
        fail("%lu messages of %ld, wrong byte at %ld", (unsigned long)state.next, messages, wrong);
    }
    printf("%d %ld %lu %ld %ld %ld %ld %.3f\n",
           host.rank,
           messages,
           (unsigned long)serial,
           sent_again,
           timeouts,
           acks,
           duplicates,
           (double)total / (end - start));
    vi_abandon(ack_box.vi);
    host_close(&host);
    free(sink);
    return 0;
}
