/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
/*
 * Messages: the message layer (msg.h) at work, every byte checked.
 *
 * Ring: each rank sends to its successor, with sizes around each limit up to the largest, from the
 * same buffers and thus with registrations that are found again. Storm: messages of all sizes
 * between ranks that a common random sequence draws, sent and received in different orders.
 * Then broadcasts from every rank, sums over all ranks, and barriers.
 *
 * usage: messages [-n rounds] [-m largest] [-e eager] [-c credits] [-g registrations] [-b]
 * Rank 0 prints: for each size of the ring its bytes, the way it takes, microseconds per round and
 * 10^6 bytes per second; microseconds of the collective operations; the registrations of all ranks.
 */

#include "msg-pins.h"
#include "msg.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define STORM_PER_RANK 6
#define TAGS 3
#define MOST_NUMBERS 4096

static long rounds = 10;
static long largest = 1048576;
static long eager = 4096;
static long credits = 8;
static long pins = 64;
static int blocking = 0;

static const Option options[] = {
    {'n', &rounds, 1, 100000, NULL, NULL, "rounds of each kind"},
    {'m', &largest, 0, 16777216, NULL, NULL, "bytes of the longest message"},
    {'e', &eager, 0, 60000, NULL, NULL, "bytes of the longest message that is sent eagerly"},
    {'c', &credits, 2, 500, NULL, NULL, "packets that a peer may have under way"},
    {'g', &pins, 0, 30000, NULL, NULL, "registrations that are kept"},
    {'b', NULL, 0, 0, NULL, &blocking, "block in VipCQWait instead of polling"}};

static Host host;

static char*
get_memory(VIP_ULONG bytes)
{
    char* memory = (char*)malloc(bytes + 1);

    if (memory == NULL)
    {
        fail("no memory: %lu bytes", bytes);
    }
    return memory;
}

static void
check_bytes(const char* what, const char* data, VIP_ULONG length, VIP_UINT32 stream)
{
    const long wrong = bytes_differ(data, length, stream, 0);

    if (wrong >= 0)
    {
        fail("%s of %lu bytes: byte %ld is wrong", what, length, wrong);
    }
}

/* ---- Ring ---- */

static void
ring_of(VIP_ULONG size, char* out, char* in)
{
    const int to = (host.rank + 1) % host.size;
    const int from = (host.rank + host.size - 1) % host.size;
    double used_us = 0;
    long round;

    for (round = 0; round < rounds; round++)
    {
        const VIP_UINT32 stream = (VIP_UINT32)(round * host.size);
        double start;

        bytes_fill(out, size, stream + (VIP_UINT32)host.rank, 0);
        memset(in, 0xee, size);
        msg_barrier();
        start = now_us();
        if (msg_exchange(to, out, size, from, in, size) != size)
        {
            fail("a message of the ring has another length than %lu", size);
        }
        used_us += now_us() - start;
        check_bytes("a message of the ring", in, size, stream + (VIP_UINT32)from);
    }
    if (host.rank == 0)
    {
        printf("%8lu %-10s %10.2f %8.2f\n",
               size,
               size <= (VIP_ULONG)eager ? "eager" : "rendezvous",
               used_us / rounds,
               (double)size * rounds / used_us);
    }
}

static void
ring(void)
{
    long sizes[] = {0, 1, 64, 1024, 0, 0, 0, 65535, 65536, 65537};
    char* out = get_memory(largest);
    char* in = get_memory(largest);
    int i;

    for (i = 0; i < 3; i++)
    {
        sizes[4 + i] = eager - 1 + i;
    }
    for (i = 0; i < COUNT(sizes); i++)
    {
        if (sizes[i] >= 0 && sizes[i] < largest)
        {
            ring_of((VIP_ULONG)sizes[i], out, in);
        }
    }
    ring_of((VIP_ULONG)largest, out, in);
    pins_forget(out, largest);
    pins_forget(in, largest);
    free(out);
    free(in);
}

/* ---- Storm ---- */

/* A message that every rank knows of. */
typedef struct Draw
{
    int from;
    int to;
    int tag;
    VIP_ULONG bytes;
    char* data; /* at the ranks that it concerns */
    MsgRequest send;
    MsgRequest receive;
    char* received;
} Draw;

static void
draw(Draw* messages, int count, VIP_UINT32* random)
{
    int i;

    for (i = 0; i < count; i++)
    {
        Draw* one = &messages[i];
        const long most = next_random(random) % 4 == 0 ? largest / 4 : 2 * eager;

        memset(one, 0, sizeof(*one));
        one->from = i % host.size;
        one->to = (int)(next_random(random) % host.size);
        one->tag = (int)(next_random(random) % TAGS);
        one->bytes = next_random(random) % ((VIP_ULONG)most + 1);
    }
}

/* Receives are posted tag by tag, while the sends come in the order of the draw. */
static void
post_receives(Draw* messages, int count)
{
    int tag;
    int i;

    for (tag = 0; tag < TAGS; tag++)
    {
        for (i = 0; i < count; i++)
        {
            Draw* one = &messages[i];

            if (one->to == host.rank && one->tag == tag)
            {
                one->received = get_memory(one->bytes);
                msg_irecv(&one->receive, one->from, tag, one->received, one->bytes);
            }
        }
    }
}

static void
post_sends(Draw* messages, int count, VIP_UINT32 stream)
{
    int i;

    for (i = 0; i < count; i++)
    {
        Draw* one = &messages[i];

        if (one->from == host.rank)
        {
            one->data = get_memory(one->bytes);
            bytes_fill(one->data, one->bytes, stream + (VIP_UINT32)i, 0);
            msg_isend(&one->send, one->to, one->tag, one->data, one->bytes);
        }
    }
}

static void
give_up_memory(char* memory, VIP_ULONG bytes)
{
    pins_forget(memory, bytes);
    free(memory);
}

static void
storm(long round)
{
    static VIP_UINT32 random = 1;
    const int count = STORM_PER_RANK * host.size;
    const VIP_UINT32 stream = (VIP_UINT32)(round * count);
    Draw* messages = (Draw*)get_memory(count * sizeof(Draw));
    const int late = host.rank % 2; /* whose receives are posted after what they are for */
    int i;

    draw(messages, count, &random);
    if (!late)
    {
        post_receives(messages, count);
    }
    post_sends(messages, count, stream);
    if (late)
    {
        post_receives(messages, count);
    }
    for (i = count - 1; i >= 0; i--)
    {
        Draw* one = &messages[i];

        if (one->to == host.rank)
        {
            msg_wait(&one->receive);
            if (one->receive.length != one->bytes)
            {
                fail("message %d: %lu bytes of %lu", i, one->receive.length, one->bytes);
            }
            check_bytes("a message", one->received, one->bytes, stream + (VIP_UINT32)i);
            give_up_memory(one->received, one->bytes);
        }
        if (one->from == host.rank)
        {
            msg_wait(&one->send);
            give_up_memory(one->data, one->bytes);
        }
    }
    free(messages);
}

/* ---- Collective operations ---- */

static double
time_bcasts(VIP_ULONG bytes)
{
    char* data = get_memory(bytes);
    double used_us = 0;
    int root;

    for (root = 0; root < host.size; root++)
    {
        double start;

        memset(data, 0xee, bytes);
        if (host.rank == root)
        {
            bytes_fill(data, bytes, (VIP_UINT32)root, 0);
        }
        msg_barrier();
        start = now_us();
        msg_bcast(root, data, bytes);
        msg_barrier();
        used_us += now_us() - start;
        check_bytes("a broadcast", data, bytes, (VIP_UINT32)root);
    }
    give_up_memory(data, bytes);
    return used_us / host.size;
}

/* Rank r contributes a multiple of r + 1 for each number, and every round sums the sums of the one
 * before, which are the same everywhere: the results are known. */
static double
time_sums(VIP_ULONG count)
{
    VIP_UINT64* numbers = (VIP_UINT64*)get_memory(count * sizeof(VIP_UINT64));
    VIP_UINT64 factor = (VIP_UINT64)host.size * (host.size + 1) / 2;
    double start;
    double used_us;
    long round;
    VIP_ULONG i;

    for (i = 0; i < count; i++)
    {
        numbers[i] = (VIP_UINT64)(i * 1000003 + 1) * (host.rank + 1);
    }
    msg_barrier();
    start = now_us();
    for (round = 0; round < rounds; round++)
    {
        msg_allreduce(numbers, count);
    }
    used_us = now_us() - start;
    for (round = 1; round < rounds; round++)
    {
        factor *= (VIP_UINT64)host.size;
    }
    for (i = 0; i < count; i++)
    {
        if (numbers[i] != (VIP_UINT64)(i * 1000003 + 1) * factor)
        {
            fail("sum %lu of %lu is wrong", i, count);
        }
    }
    give_up_memory((char*)numbers, count * sizeof(VIP_UINT64));
    return used_us / rounds;
}

static double
time_barriers(void)
{
    double start;
    long round;

    msg_barrier();
    start = now_us();
    for (round = 0; round < rounds; round++)
    {
        msg_barrier();
    }
    return (now_us() - start) / rounds;
}

static void
collectives(void)
{
    const double barrier_us = time_barriers();
    const double short_us = time_bcasts(eager);
    const double long_us = time_bcasts(largest / 4);
    const double one_us = time_sums(1);
    const double many_us = time_sums(MOST_NUMBERS);

    if (host.rank == 0)
    {
        printf("barrier %.2f\n", barrier_us);
        printf("bcast %ld %.2f %ld %.2f\n", eager, short_us, largest / 4, long_us);
        printf("allreduce 1 %.2f %d %.2f\n", one_us, MOST_NUMBERS, many_us);
    }
}

/* What the caches did, over all ranks. The numbers of each must agree with one another. */
static void
report_pins(void)
{
    const PinCounts* counts = pins_counts();
    VIP_UINT64 all[4];

    if (counts->hits + counts->registered != counts->lookups || counts->regions > pins)
    {
        fail("%ld lookups, %ld hits, %ld registrations, of which there are %ld",
             counts->lookups,
             counts->hits,
             counts->registered,
             counts->regions);
    }
    all[0] = (VIP_UINT64)counts->lookups;
    all[1] = (VIP_UINT64)counts->hits;
    all[2] = (VIP_UINT64)counts->registered;
    all[3] = (VIP_UINT64)counts->evicted;
    msg_allreduce(all, 4);
    if (host.rank == 0)
    {
        printf("pins %lu lookups %lu hits %lu registered %lu evicted\n",
               (unsigned long)all[0],
               (unsigned long)all[1],
               (unsigned long)all[2],
               (unsigned long)all[3]);
    }
}

int
main(int argc, char** argv)
{
    MsgSettings settings;
    long round;

    parse_options(&host, argc, argv, options, COUNT(options));
    settings.eager = (VIP_ULONG)eager;
    settings.credits = (int)credits;
    settings.most_pins = pins;
    settings.pinned_bytes = 64UL << 20;
    settings.blocking = blocking;
    msg_open(&host, &settings);
    ring();
    for (round = 0; round < rounds; round++)
    {
        storm(round);
    }
    collectives();
    report_pins();
    if (host.rank == 0)
    {
        printf("PASS\n");
    }
    msg_close();
    return 0;
}
