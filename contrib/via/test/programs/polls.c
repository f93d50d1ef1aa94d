/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
/* Rank 1 polls in one of six manners until rank 0, which is busy first, sends or writes; then it
 * writes the number of its polls into a file. */

#include "vipl-util.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

typedef struct Poller
{
    VIP_VI_HANDLE vi;
    VIP_VI_HANDLE other;
    VIP_CQ_HANDLE cq;
    volatile char* flag;
} Poller;

static long
tight(Poller* poller)
{
    VIP_DESCRIPTOR* done;
    long polls = 1;

    while (VipRecvDone(poller->vi, &done) == VIP_NOT_DONE)
    {
        polls++;
    }
    return polls;
}

static long
in_turn(Poller* poller)
{
    VIP_DESCRIPTOR* done;
    long polls = 1;

    while (VipRecvDone(polls % 2 ? poller->vi : poller->other, &done) == VIP_NOT_DONE)
    {
        polls++;
    }
    return polls;
}

static long
query(Poller* poller)
{
    VIP_VI_STATE state;
    VIP_VI_ATTRIBUTES attributes;
    VIP_BOOLEAN empty;
    VIP_VI_HANDLE vi;
    long polls = 1;

    while (VipCQDone(poller->cq, &vi, &empty) == VIP_NOT_DONE)
    {
        CHECK(VipQueryVi(poller->vi, &state, &attributes, &empty, &empty));
        polls++;
    }
    return polls;
}

static long
then_wait(Poller* poller)
{
    VIP_VI_HANDLE vi;
    VIP_BOOLEAN receive;
    long polls = 0;

    while (polls < 100 && VipCQDone(poller->cq, &vi, &receive) == VIP_NOT_DONE)
    {
        polls++;
    }
    CHECK(VipCQWait(poller->cq, VIP_INFINITE, &vi, &receive));
    return polls;
}

static long
time_out(Poller* poller)
{
    VIP_DESCRIPTOR* done;
    VIP_RETURN result;
    long polls = 0;

    do
    {
        const double end = now_us() + 300;

        do
        {
            result = VipRecvDone(poller->vi, &done);
            polls++;
        } while (result == VIP_NOT_DONE && now_us() < end);
    } while (result == VIP_NOT_DONE);
    return polls;
}

static long
flag(Poller* poller)
{
    long polls = 1;

    while (*poller->flag == 0)
    {
        polls++;
    }
    return polls;
}

static const struct
{
    const char* name;
    long (*loop)(Poller*);
} LOOPS[] = {{"tight", tight},
             {"in-turn", in_turn},
             {"query", query},
             {"then-wait", then_wait},
             {"time-out", time_out},
             {"flag", flag}};

static void
poll(Host* host, const char* mode, const char* path)
{
    Poller poller;
    VIP_VI_ATTRIBUTES attributes = {0};
    VIP_DESCRIPTOR* descriptor = (VIP_DESCRIPTOR*)host_take(host, 2 * sizeof(VIP_DESCRIPTOR));
    char* memory = (char*)host_take(host, 64);
    FILE* out = fopen(path, "w");
    size_t i;

    CHECK(VipCreateCQ(host->nic, 16, &poller.cq));
    attributes.ReliabilityLevel = host->level;
    attributes.MaxTransferSize = host->max_transfer;
    attributes.Ptag = host->ptag;
    attributes.EnableRdmaWrite = VIP_TRUE;
    CHECK(VipCreateVi(host->nic, &attributes, NULL, poller.cq, &poller.vi));
    poller.other = vi_open(host);
    poller.flag = memory;
    describe(host, descriptor, memory, 64);
    CHECK(VipPostRecv(poller.vi, descriptor, host->handle));
    describe(host, descriptor + 1, memory, 64);
    CHECK(VipPostRecv(poller.other, descriptor + 1, host->handle));
    vi_wait(host, poller.vi, 0, 0);
    if (strcmp(mode, "flag") == 0)
    {
        Host more = *host;
        target_offer(&more, poller.vi, memory, 64);
    }
    for (i = 0; i < sizeof(LOOPS) / sizeof(LOOPS[0]); i++)
    {
        if (strcmp(mode, LOOPS[i].name) == 0)
        {
            fprintf(out, "%ld\n", LOOPS[i].loop(&poller));
        }
    }
    fclose(out);
}

static void
work(Host* host, const char* mode, long us)
{
    VIP_VI_HANDLE vi = vi_open(host);
    VIP_DESCRIPTOR* descriptor = (VIP_DESCRIPTOR*)host_take(host, sizeof(VIP_DESCRIPTOR));
    char* memory = (char*)host_take(host, 64);

    memset(memory, 1, 64);
    target_expect(host, vi);
    vi_request(host, vi, 1, 0);
    if (strcmp(mode, "flag") == 0)
    {
        const Target target = target_learn(vi);
        usleep((useconds_t)us);
        describe_write(host, descriptor, memory, 64, &target);
    }
    else
    {
        usleep((useconds_t)us);
        describe(host, descriptor, memory, 64);
    }
    CHECK(VipPostSend(vi, descriptor, host->handle));
    await_send(vi);
}

int
main(int argc, char** argv)
{
    Host host;
    const char* mode = "tight";
    const char* path = "/dev/null";
    long us = 10000;
    const Option options[] = {{'m', NULL, 0, 0, &mode, NULL},
                              {'o', NULL, 0, 0, &path, NULL},
                              {'w', &us, 0, 1000000, NULL, NULL}};

    parse_options(&host, argc, argv, options, 3);
    host_open(&host, 4096);
    if (host.rank == 0)
    {
        work(&host, mode, us);
    }
    else
    {
        poll(&host, mode, path);
    }
    sleep(1); /* nobody's end disturbs the other */
    return 0;
}
