/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
/*
 * RDMA ring: a token goes round a ring of processes, each writing it into its successor's memory.
 *
 * Every round has two laps. In the first, each write carries immediate data, which takes a receive
 * descriptor and so tells the successor. In the second it carries none and goes unnoticed; an empty
 * message sent after it on the same VI tells the successor that it is there.
 *
 * usage: rdma-ring [-s size] [-n rounds]
 * Rank 0 prints: processes, size in bytes, rounds, microseconds per hop with immediate data,
 * microseconds per hop with a message behind.
 */

#include "vipl-util.h"

#include <stdio.h>
#include <string.h>

#define RECEIVES 2 /* the token comes again only after it has been sent on: 1 would do */

static long size = 4096;
static long rounds = 10;

static const Option options[] = {{'s', &size, 1, 65536, NULL, NULL, "bytes of the token"},
                                 {'n', &rounds, 1, 1000000, NULL, NULL, "rounds"}};

static Host host;
static VIP_VI_HANDLE out; /* to the successor, in which we write */
static VIP_VI_HANDLE in;  /* from the predecessor, which writes in our inbox */
static char* inbox;
static char* pattern;
static Target successor;
static VIP_DESCRIPTOR* write_descriptor;
static VIP_DESCRIPTOR* notice_descriptor;

static void
post_notice_receive(VIP_DESCRIPTOR* descriptor)
{
    describe_empty(descriptor);
    CHECK(VipPostRecv(in, descriptor, host.handle));
}

static void
set_up(void)
{
    int i;

    host_open(&host, PATTERN_BYTES(size) + TAKEN(size) + 16 * sizeof(VIP_DESCRIPTOR));
    if ((VIP_ULONG)size > host.max_transfer)
    {
        fail("-s %ld: a write has at most %lu bytes here", size, host.max_transfer);
    }
    pattern = pattern_open(&host, size);
    inbox = (char*)host_take(&host, size);
    write_descriptor = (VIP_DESCRIPTOR*)host_take(&host, sizeof(VIP_DESCRIPTOR));
    notice_descriptor = (VIP_DESCRIPTOR*)host_take(&host, sizeof(VIP_DESCRIPTOR));
    out = vi_open(&host);
    in = vi_open(&host);
    target_expect(&host, out);
    for (i = 0; i < RECEIVES; i++)
    {
        post_notice_receive((VIP_DESCRIPTOR*)host_take(&host, sizeof(VIP_DESCRIPTOR)));
    }
    vi_ring(&host, out, in, 1, 0);
    target_offer(&host, in, inbox, size);
    successor = target_learn(out);
    if (successor.length != (VIP_UINT32)size)
    {
        fail("rank %d has an inbox of %lu bytes, not %ld",
             (host.rank + 1) % host.size,
             (unsigned long)successor.length,
             size);
    }
}

/* Write the token of a hop into the successor's inbox. */
static void
pass_on(long hop, int with_immediate)
{
    describe_write(&host, write_descriptor, pattern_at(pattern, hop), size, &successor);
    if (with_immediate)
    {
        add_immediate(write_descriptor, (VIP_UINT32)hop);
        CHECK(VipPostSend(out, write_descriptor, host.handle));
        await_send(out);
        return;
    }
    CHECK(VipPostSend(out, write_descriptor, host.handle));
    describe_empty(notice_descriptor);
    add_immediate(notice_descriptor, (VIP_UINT32)hop);
    CHECK(VipPostSend(out, notice_descriptor, host.handle));
    await_send(out);
    await_send(out);
}

/* Wait until the token of a hop is in our inbox, and check all of it. */
static void
take_in(long hop, int with_immediate)
{
    VIP_DESCRIPTOR* descriptor = await_receive(in, 0);
    const VIP_UINT32 expected =
        VIP_STATUS_IMMEDIATE |
        (with_immediate ? VIP_STATUS_OP_REMOTE_RDMA_WRITE : VIP_STATUS_OP_RECEIVE);

    if ((descriptor->CS.Status & (VIP_STATUS_IMMEDIATE | VIP_STATUS_OP_MASK)) != expected ||
        descriptor->CS.ImmediateData != (VIP_UINT32)hop)
    {
        fail("hop %ld: status 0x%lx, immediate data %lu",
             hop,
             (unsigned long)descriptor->CS.Status,
             (unsigned long)descriptor->CS.ImmediateData);
    }
    if (memcmp(inbox, pattern_at(pattern, hop), size) != 0)
    {
        fail("hop %ld: wrong bytes", hop);
    }
    memset(inbox, 0, size); /* or a token that is never written would pass unnoticed */
    post_notice_receive(descriptor);
}

/* Hop number h is the one that leaves rank h % processes. Returns the lap's microseconds, which
 * mean something to rank 0 only. */
static double
go_round(long lap, int with_immediate)
{
    const long hop = lap * host.size + host.rank;
    const double start = now_us();

    if (host.rank == 0)
    {
        pass_on(hop, with_immediate);
        take_in(hop + host.size - 1, with_immediate);
    }
    else
    {
        take_in(hop - 1, with_immediate);
        pass_on(hop, with_immediate);
    }
    return now_us() - start;
}

int
main(int argc, char** argv)
{
    double immediate_us = 0;
    double notice_us = 0;
    long round;

    parse_options(&host, argc, argv, options, COUNT(options));
    if (host.size < 2)
    {
        fail("rdma-ring needs 2 processes or more");
    }
    set_up();
    go_round(0, 1); /* untimed: some processes may not be connected yet */
    for (round = 0; round < rounds; round++)
    {
        immediate_us += go_round(2 * round + 1, 1);
        notice_us += go_round(2 * round + 2, 0);
    }
    if (host.rank == 0)
    {
        const double hops = (double)rounds * host.size;

        printf("%d %ld %ld %.3f %.3f\n",
               host.size,
               size,
               rounds,
               immediate_us / hops,
               notice_us / hops);
    }
    vi_close(out);
    vi_close(in);
    host_close(&host);
    return 0;
}
