/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
/*
 * Dissemination barrier for any number of processes.
 *
 * At level k, rank r signals rank r + 2^k and awaits the signal of rank r - 2^k (modulo size), on
 * VIs of that distance alone. After the last level everybody has heard, directly or not, of
 * everybody. A signal names its epoch, the number of the barrier, and for how many ranks it speaks:
 * the sender and those before it that have entered. So each process can check that nobody is
 * missing when it leaves.
 *
 * usage: barrier [-n rounds] [-m send|rdma]     (rdma: RDMA writes with immediate data)
 * Rank 0 prints: processes, rounds, microseconds per barrier.
 */

#include "vipl-util.h"

#include <stdio.h>
#include <string.h>

#define WARM_UP 10
#define LEVELS 16

/* A partner can be one barrier ahead, never two: it leaves a barrier only after we entered it, and
 * by then we have taken its signal for the barrier before. So two of everything are enough. */
#define SLOTS 2

typedef struct Signal
{
    VIP_UINT32 epoch;
    VIP_UINT32 ranks;
} Signal;

/* A level's two partners, and a slot of each kind for even and odd epochs. */
typedef struct Level
{
    VIP_VI_HANDLE out;
    VIP_VI_HANDLE in;
    Target target; /* the partner's inbox, for RDMA */
    VIP_DESCRIPTOR* send[SLOTS];
    VIP_DESCRIPTOR* receive[SLOTS];
    Signal* outbox[SLOTS];
    Signal* inbox; /* SLOTS of them, in one piece */
} Level;

static long rounds = 1000;
static const char* mode = "send";

static const Option options[] = {
    {'n', &rounds, 1, 10000000, NULL, NULL, "barriers"},
    {'m', NULL, 0, 0, &mode, NULL, "signals are send or rdma: RDMA writes with immediate data"}};

static Host host;
static int rdma;
static int levels;
static Level level[LEVELS];

static void
post_signal_receive(const Level* at, int slot)
{
    describe(&host, at->receive[slot], &at->inbox[slot], rdma ? 0 : sizeof(Signal));
    CHECK(VipPostRecv(at->in, at->receive[slot], host.handle));
}

static void
open_level(Level* at, int number)
{
    int slot;

    at->out = vi_open(&host);
    at->in = vi_open(&host);
    at->inbox = (Signal*)host_take(&host, SLOTS * sizeof(Signal));
    for (slot = 0; slot < SLOTS; slot++)
    {
        at->send[slot] = (VIP_DESCRIPTOR*)host_take(&host, sizeof(VIP_DESCRIPTOR));
        at->receive[slot] = (VIP_DESCRIPTOR*)host_take(&host, sizeof(VIP_DESCRIPTOR));
        at->outbox[slot] = (Signal*)host_take(&host, sizeof(Signal));
        post_signal_receive(at, slot);
    }
    if (rdma)
    {
        target_expect(&host, at->out);
    }
    vi_ring(&host, at->out, at->in, 1 << number, number);
    if (rdma)
    {
        target_offer(&host, at->in, at->inbox, SLOTS * sizeof(Signal));
        at->target = target_learn(at->out);
    }
}

static void
set_up(void)
{
    int i;

    while (1L << levels < host.size)
    {
        levels++;
    }
    host_open(&host, (levels + 1) * 16 * sizeof(VIP_DESCRIPTOR));
    for (i = 0; i < levels; i++)
    {
        open_level(&level[i], i);
    }
}

static void
give_signal(const Level* at, VIP_UINT32 epoch, VIP_UINT32 ranks)
{
    const int slot = (int)(epoch % SLOTS);
    Target target = at->target;

    at->outbox[slot]->epoch = epoch;
    at->outbox[slot]->ranks = ranks;
    if (rdma)
    {
        target.address += slot * sizeof(Signal);
        describe_write(&host, at->send[slot], at->outbox[slot], sizeof(Signal), &target);
        add_immediate(at->send[slot], epoch);
    }
    else
    {
        describe(&host, at->send[slot], at->outbox[slot], sizeof(Signal));
    }
    CHECK(VipPostSend(at->out, at->send[slot], host.handle));
    if (epoch > 0)
    {
        await_send(at->out); /* of the epoch before */
    }
}

/* Returns for how many ranks the signal speaks. */
static VIP_UINT32
take_signal(const Level* at, VIP_UINT32 epoch)
{
    const int slot = (int)(epoch % SLOTS);
    const VIP_DESCRIPTOR* descriptor = await_receive(at->in, 0);
    const Signal signal = at->inbox[slot];

    if (descriptor != at->receive[slot] || signal.epoch != epoch ||
        (rdma && descriptor->CS.ImmediateData != epoch) ||
        (!rdma && descriptor->CS.Length != sizeof(Signal)))
    {
        fail("epoch %lu: a signal of epoch %lu, status 0x%lx",
             (unsigned long)epoch,
             (unsigned long)signal.epoch,
             (unsigned long)descriptor->CS.Status);
    }
    memset(&at->inbox[slot], 0xff, sizeof(Signal));
    post_signal_receive(at, slot);
    return signal.ranks;
}

static void
barrier(VIP_UINT32 epoch)
{
    VIP_UINT32 ranks = 1;
    int i;

    for (i = 0; i < levels; i++)
    {
        give_signal(&level[i], epoch, ranks);
        ranks += take_signal(&level[i], epoch);
    }
    if (ranks != (VIP_UINT32)1 << levels)
    {
        fail("epoch %lu: left the barrier knowing of %lu ranks in place of %lu",
             (unsigned long)epoch,
             (unsigned long)ranks,
             1UL << levels);
    }
}

int
main(int argc, char** argv)
{
    double start = 0;
    double end;
    VIP_UINT32 epoch;
    int i;

    parse_options(&host, argc, argv, options, COUNT(options));
    rdma = strcmp(mode, "rdma") == 0;
    if (!rdma && strcmp(mode, "send") != 0)
    {
        fail("-m %s: send or rdma is needed", mode);
    }
    set_up();
    for (epoch = 0; epoch < (VIP_UINT32)(WARM_UP + rounds); epoch++)
    {
        if (epoch == WARM_UP)
        {
            start = now_us();
        }
        barrier(epoch);
    }
    end = now_us();
    if (host.rank == 0)
    {
        printf("%d %ld %.3f\n", host.size, rounds, (end - start) / rounds);
    }
    for (i = 0; i < levels; i++)
    {
        await_send(level[i].out);
    }
    for (i = 0; i < levels; i++)
    {
        vi_close(level[i].out);
        vi_close(level[i].in);
    }
    host_close(&host);
    return 0;
}
