/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
/*
 * Ping-pong: two processes send a message to and fro.
 *
 * usage: ping-pong [-s size] [-n rounds] [-b]      (-b: block in VipRecvWait instead of polling)
 * Rank 0 prints: size in bytes, rounds, one-way time in microseconds.
 */

#include "vipl-util.h"

#include <stdio.h>
#include <string.h>

#define WARM_UP 10
#define SLOTS 4 /* messages are checked and sends taken back while the next are under way */

static long size = 8;
static long rounds = 1000;
static int blocking = 0;

static const Option options[] = {
    {'s', &size, 0, 65536, NULL, NULL, "bytes per message"},
    {'n', &rounds, 1, 10000000, NULL, NULL, "round trips"},
    {'b', NULL, 0, 0, NULL, &blocking, "block in VipRecvWait instead of polling"}};

static Host host;
static VIP_VI_HANDLE vi;
static char* pattern;
static char* buffers[SLOTS];
static VIP_DESCRIPTOR* receives[SLOTS];
static VIP_DESCRIPTOR* sends[SLOTS];

static void
set_up(void)
{
    int i;

    host_open(&host, PATTERN_BYTES(size) + SLOTS * (TAKEN(size) + 2 * sizeof(VIP_DESCRIPTOR)));
    if ((VIP_ULONG)size > host.max_transfer)
    {
        fail("-s %ld: a message has at most %lu bytes here", size, host.max_transfer);
    }
    pattern = pattern_open(&host, size);
    vi = vi_open(&host);
    for (i = 0; i < SLOTS; i++)
    {
        buffers[i] = (char*)host_take(&host, size);
        sends[i] = (VIP_DESCRIPTOR*)host_take(&host, sizeof(VIP_DESCRIPTOR));
        receives[i] = (VIP_DESCRIPTOR*)host_take(&host, sizeof(VIP_DESCRIPTOR));
        describe(&host, receives[i], buffers[i], size);
        CHECK(VipPostRecv(vi, receives[i], host.handle));
    }
    if (host.rank == 0)
    {
        vi_request(&host, vi, 1, 0);
    }
    else
    {
        vi_wait(&host, vi, 0, 0);
    }
}

static void
send_message(long round)
{
    VIP_DESCRIPTOR* descriptor = sends[round % SLOTS];

    describe(&host, descriptor, pattern_at(pattern, round), size);
    CHECK(VipPostSend(vi, descriptor, host.handle));
}

static void
receive_message(long round)
{
    if (await_receive(vi, blocking) != receives[round % SLOTS])
    {
        fail("round %ld: a receive completed out of order", round);
    }
}

/* What can be done after the answer is sent: look at what came, post its buffer for a later
 * message, and take back the descriptor sent in the round before. */
static void
clean_up(long round)
{
    const int slot = (int)(round % SLOTS);

    if (receives[slot]->CS.Length != (VIP_UINT32)size ||
        memcmp(buffers[slot], pattern_at(pattern, round), size) != 0)
    {
        fail("round %ld: wrong bytes", round);
    }
    describe(&host, receives[slot], buffers[slot], size);
    CHECK(VipPostRecv(vi, receives[slot], host.handle));
    if (round > 0)
    {
        await_send(vi);
    }
}

static void
ping(void)
{
    double start = 0;
    double end;
    long round;

    for (round = 0; round < WARM_UP + rounds; round++)
    {
        if (round == WARM_UP)
        {
            start = now_us();
        }
        send_message(round);
        if (round > 0)
        {
            clean_up(round - 1);
        }
        receive_message(round);
    }
    end = now_us();
    clean_up(round - 1);
    printf("%ld %ld %.3f\n", size, rounds, (end - start) / (2.0 * rounds));
}

static void
pong(void)
{
    long round;

    for (round = 0; round < WARM_UP + rounds; round++)
    {
        receive_message(round);
        send_message(round);
        clean_up(round);
    }
}

int
main(int argc, char** argv)
{
    parse_options(&host, argc, argv, options, COUNT(options));
    if (host.size != 2)
    {
        fail("ping-pong needs 2 processes, not %d", host.size);
    }
    set_up();
    if (host.rank == 0)
    {
        ping();
    }
    else
    {
        pong();
    }
    await_send(vi);
    vi_close(vi);
    host_close(&host);
    return 0;
}
