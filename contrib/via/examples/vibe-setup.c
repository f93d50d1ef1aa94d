/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
/* VIBe's costs without data: VIs, completion queues, connections, registered memory. */

#include "vibe.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define MOST_CALLS 256
#define CQ_ENTRIES 64
#define BATCHES 4
#define PAGE 4096UL
#define TIMEOUT_MS 60000UL

/* Time spent in calls of one kind. */
typedef struct Cost
{
    double us;
    long calls;
} Cost;

static void
add(Cost* cost, double start, long calls)
{
    cost->us += wall_us() - start - clock_us();
    cost->calls += calls;
}

static void
print_cost(const char* series, long x, long bytes, const Cost* cost)
{
    if (host.rank == 0)
    {
        /* A call may be too short for this clock. */
        print_result(series, x, bytes, cost->us > 0 ? cost->us / cost->calls : 0, "us");
    }
}

/* ---- Calls that one process makes by itself ---- */

static void
time_vis(long calls)
{
    VIP_VI_HANDLE vis[MOST_CALLS];
    Cost create = {0, 0};
    Cost destroy = {0, 0};
    double start = wall_us();
    long i;

    for (i = 0; i < calls; i++)
    {
        vis[i] = vi_open(&host);
    }
    add(&create, start, calls);
    start = wall_us();
    for (i = 0; i < calls; i++)
    {
        CHECK(VipDestroyVi(vis[i]));
    }
    add(&destroy, start, calls);
    print_cost("vi_create", calls, 0, &create);
    print_cost("vi_destroy", calls, 0, &destroy);
}

static void
time_cqs(long calls)
{
    VIP_CQ_HANDLE cqs[MOST_CALLS];
    Cost create = {0, 0};
    Cost destroy = {0, 0};
    double start = wall_us();
    long i;

    for (i = 0; i < calls; i++)
    {
        CHECK(VipCreateCQ(host.nic, CQ_ENTRIES, &cqs[i]));
    }
    add(&create, start, calls);
    start = wall_us();
    for (i = 0; i < calls; i++)
    {
        CHECK(VipDestroyCQ(cqs[i]));
    }
    add(&destroy, start, calls);
    print_cost("cq_create", calls, 0, &create);
    print_cost("cq_destroy", calls, 0, &destroy);
}

/* ---- Connections ---- */

/* By the control channel the server says that it is about to wait: a request that comes too early
 * would be refused and tried again. */
static void
tell(Channel* control)
{
    channel_prepare(control, 0);
    channel_post(control);
    channel_sent(control);
}

static void
hear(Channel* control)
{
    channel_receive(control);
    channel_expect(control);
}

/* A VIP_NET_ADDRESS with room for what follows it. */
typedef union Address {
    VIP_NET_ADDRESS net;
    char room[256];
} Address;

static void
address_of(int rank, Address* address)
{
    char name[16];

    memset(address, 0, sizeof(*address));
    address->net.HostAddressLen = host.attributes.NicAddressLen;
    sprintf(name, "n%d", rank / host.per_host);
    CHECK(VipNSGetHostByName(host.nic, name, &address->net, 0));
    address->net.DiscriminatorLen = 1;
    address->net.HostAddress[address->net.HostAddressLen] = 'v';
}

static void
request_connections(Channel* control, VIP_VI_HANDLE vi, long calls)
{
    VIP_VI_ATTRIBUTES attributes;
    Cost establish = {0, 0};
    Cost teardown = {0, 0};
    Address local;
    Address remote;
    double start;
    long i;

    address_of(0, &local);
    address_of(1, &remote);
    for (i = 0; i < BATCHES; i++)
    {
        hear(control);
        start = wall_us();
        CHECK(VipConnectRequest(vi, &local.net, &remote.net, TIMEOUT_MS, &attributes));
        add(&establish, start, 1);
        start = wall_us();
        CHECK(VipDisconnect(vi));
        add(&teardown, start, 1);
        tell(control);
    }
    print_cost("connection_establish", calls, 0, &establish);
    print_cost("connection_teardown", calls, 0, &teardown);
}

static void
accept_connections(Channel* control, VIP_VI_HANDLE vi)
{
    VIP_VI_ATTRIBUTES attributes;
    VIP_CONN_HANDLE connection;
    Address local;
    Address remote;
    long i;

    address_of(1, &local);
    memset(&remote, 0, sizeof(remote));
    for (i = 0; i < BATCHES; i++)
    {
        tell(control);
        CHECK(VipConnectWait(host.nic,
                             &local.net,
                             TIMEOUT_MS,
                             &remote.net,
                             &attributes,
                             &connection));
        CHECK(VipConnectAccept(connection, vi));
        hear(control);
        CHECK(VipDisconnect(vi));
    }
}

static void
time_connections(long calls)
{
    const Setting setting = plain(4);
    const VIP_VI_HANDLE vi = vi_open(&host);
    Channel control;

    channel_open(&control, &setting, BATCHES, 1, 1, 0);
    if (host.rank == 0)
    {
        request_connections(&control, vi, calls);
    }
    else
    {
        accept_connections(&control, vi);
    }
    channel_close(&control);
    CHECK(VipDestroyVi(vi));
}

void
measure_setup(long calls)
{
    if (calls < 1 || calls > MOST_CALLS)
    {
        fail("-x %ld: a number of calls from 1 to %d is needed", calls, MOST_CALLS);
    }
    if ((VIP_ULONG)calls > host.attributes.MaxVI || (VIP_ULONG)calls > host.attributes.MaxCQ)
    {
        print_missing("vi_create", calls, "more than MaxVI or MaxCQ");
        return;
    }
    time_vis(calls);
    time_cqs(calls);
    time_connections(calls);
}

/* ---- Registered memory ---- */

static void
time_region(char* memory, long bytes, long pages)
{
    VIP_MEM_HANDLE region;
    Cost enter = {0, 0};
    Cost leave = {0, 0};
    double start;
    long i;

    for (i = 0; i < BATCHES; i++)
    {
        start = wall_us();
        region = host_register(&host, memory, (VIP_ULONG)bytes);
        add(&enter, start, 1);
        start = wall_us();
        CHECK(VipDeregisterMem(host.nic, memory, region));
        add(&leave, start, 1);
    }
    print_cost("register", pages, bytes, &enter);
    print_cost("deregister", pages, bytes, &leave);
}

/* What is asked for is a size, the x that is printed the number of pages that it lies on. */
void
measure_registration(long bytes)
{
    const long pages = (bytes + PAGE - 1) / PAGE;
    char* taken;

    if ((VIP_ULONG)bytes > host.attributes.MaxRegisterBlockBytes ||
        (VIP_ULONG)bytes > host.attributes.MaxRegisterBytes - host.length)
    {
        print_missing("register", pages, "more than the NIC registers");
        return;
    }
    taken = (char*)calloc(1, bytes + PAGE);
    if (taken == NULL)
    {
        fail("no memory: %ld bytes", bytes);
    }
    time_region(taken + PAGE - (VIP_ULONG)taken % PAGE, bytes, pages);
    free(taken);
}
