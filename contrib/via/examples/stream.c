/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
/*
 * Stream: rank 0 sends messages to rank 1 as fast as the receives posted there allow.
 *
 * Rank 1 keeps a window of receives posted. Each time it has posted half a window anew it returns
 * as many credits, as the immediate data of an empty message; rank 0 sends only on credit.
 *
 * Rank 1 compares the bytes that come with those that were sent, and clears them: so does a program
 * that uses what it is sent. With -u it leaves them alone, as a benchmark of the card does.
 *
 * usage: stream [-s size] [-n messages] [-w window] [-u]
 * Rank 0 prints: size in bytes, messages, bandwidth in units of 10^6 bytes per second, measured
 * from the first post until the last credit is back.
 */

#include "vipl-util.h"

#include <stdio.h>
#include <string.h>

/* Credits for at most a whole window are under way, in messages of half a window: 3 if the window
 * is 3, else 2, and one more with what is left at the end. */
#define CREDIT_MESSAGES 4

static long size = 16384;
static long messages = 1000;
static long window = 16;
static int untouched = 0;

static const Option options[] = {
    {'s', &size, 0, 65536, NULL, NULL, "bytes per message"},
    {'n', &messages, 1, 10000000, NULL, NULL, "messages"},
    {'w', &window, 1, 1024, NULL, NULL, "receives that are kept posted"},
    {'u', NULL, 0, 0, NULL, &untouched, "leave the bytes that come untouched"}};

static Host host;
static VIP_VI_HANDLE vi;
static char* pattern;
static VIP_DESCRIPTOR* data;    /* window of them: sends of rank 0, receives of rank 1 */
static VIP_DESCRIPTOR* credits; /* CREDIT_MESSAGES of them: receives of rank 0, sends of rank 1 */
static char* buffers;           /* rank 1: window of them */

static void
set_up(void)
{
    const VIP_ULONG descriptors = (window + CREDIT_MESSAGES) * sizeof(VIP_DESCRIPTOR);
    const VIP_ULONG received = host.rank == 1 ? window * TAKEN(size) : 0;

    host_open(&host, PATTERN_BYTES(size) + descriptors + received);
    if ((VIP_ULONG)size > host.max_transfer)
    {
        fail("-s %ld: a message has at most %lu bytes here", size, host.max_transfer);
    }
    if ((VIP_ULONG)window > host.attributes.MaxDescriptorsPerQueue)
    {
        fail("-w %ld: a queue holds at most %lu descriptors here",
             window,
             host.attributes.MaxDescriptorsPerQueue);
    }
    pattern = pattern_open(&host, size);
    data = (VIP_DESCRIPTOR*)host_take(&host, window * sizeof(VIP_DESCRIPTOR));
    credits = (VIP_DESCRIPTOR*)host_take(&host, CREDIT_MESSAGES * sizeof(VIP_DESCRIPTOR));
    buffers = (char*)host_take(&host, received);
    vi = vi_open(&host);
}

/* ---- Rank 0 ---- */

static void
post_credit_receive(VIP_DESCRIPTOR* descriptor)
{
    describe_empty(descriptor);
    CHECK(VipPostRecv(vi, descriptor, host.handle));
}

static long
await_credits(void)
{
    VIP_DESCRIPTOR* descriptor = await_receive(vi, 0);
    const long count = (long)descriptor->CS.ImmediateData;

    if ((descriptor->CS.Status & VIP_STATUS_IMMEDIATE) == 0 || descriptor->CS.Length != 0)
    {
        fail("this is not a credit: status 0x%lx", (unsigned long)descriptor->CS.Status);
    }
    post_credit_receive(descriptor);
    return count;
}

static void
send_all(void)
{
    long credit = window;
    long sent;
    double start;
    double end;

    start = now_us();
    for (sent = 0; sent < messages; sent++)
    {
        VIP_DESCRIPTOR* descriptor = data + sent % window;

        while (credit == 0)
        {
            credit += await_credits();
        }
        if (sent >= window && await_send(vi) != descriptor)
        {
            fail("message %ld: a send completed out of order", sent - window);
        }
        describe(&host, descriptor, pattern_at(pattern, sent), size);
        CHECK(VipPostSend(vi, descriptor, host.handle));
        credit--;
    }
    while (credit < window)
    {
        credit += await_credits();
    }
    end = now_us();
    for (sent = messages < window ? messages : window; sent > 0; sent--)
    {
        await_send(vi);
    }
    if (credit != window)
    {
        fail("%ld credits came back for a window of %ld", credit, window);
    }
    printf("%ld %ld %.3f\n", size, messages, (double)size * messages / (end - start));
}

/* ---- Rank 1 ---- */

static void
post_data_receive(long slot)
{
    describe(&host, data + slot, buffers + slot * TAKEN(size), size);
    CHECK(VipPostRecv(vi, data + slot, host.handle));
}

static void
send_credits(long sent, long count)
{
    VIP_DESCRIPTOR* descriptor = credits + sent % CREDIT_MESSAGES;

    if (sent >= CREDIT_MESSAGES)
    {
        await_send(vi);
    }
    describe_empty(descriptor);
    add_immediate(descriptor, (VIP_UINT32)count);
    CHECK(VipPostSend(vi, descriptor, host.handle));
}

static void
check_and_clear(char* buffer, long message)
{
    if (memcmp(buffer, pattern_at(pattern, message), size) != 0)
    {
        fail("message %ld: wrong bytes", message);
    }
    memset(buffer, 0, size); /* or a message that is never written would pass unnoticed */
}

static void
receive_all(void)
{
    const long half = window < 2 ? 1 : window / 2;
    long credit = 0;
    long credits_sent = 0;
    long received;

    for (received = 0; received < messages; received++)
    {
        const long slot = received % window;
        const VIP_DESCRIPTOR* descriptor = await_receive(vi, 0);

        if (descriptor != data + slot || descriptor->CS.Length != (VIP_UINT32)size)
        {
            fail("message %ld: wrong order or length", received);
        }
        if (!untouched)
        {
            check_and_clear(buffers + slot * TAKEN(size), received);
        }
        post_data_receive(slot);
        credit++;
        if (credit == half || received + 1 == messages)
        {
            send_credits(credits_sent, credit);
            credits_sent++;
            credit = 0;
        }
    }
    for (received = credits_sent < CREDIT_MESSAGES ? credits_sent : CREDIT_MESSAGES; received > 0;
         received--)
    {
        await_send(vi);
    }
}

int
main(int argc, char** argv)
{
    long i;

    parse_options(&host, argc, argv, options, COUNT(options));
    if (host.size != 2)
    {
        fail("stream needs 2 processes, not %d", host.size);
    }
    set_up();
    if (host.rank == 0)
    {
        for (i = 0; i < CREDIT_MESSAGES; i++)
        {
            post_credit_receive(credits + i);
        }
        vi_request(&host, vi, 1, 0);
        send_all();
    }
    else
    {
        for (i = 0; i < window; i++)
        {
            post_data_receive(i);
        }
        vi_wait(&host, vi, 0, 0);
        receive_all();
    }
    vi_close(vi);
    host_close(&host);
    return 0;
}
