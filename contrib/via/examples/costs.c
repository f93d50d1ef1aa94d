/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
/*
 * Costs: what the calls cost that set up and tear down, as seen by the program that makes them.
 *
 * usage: costs [-n calls] [-s size]     (calls of each kind in a batch; bytes to register)
 * Rank 0 prints a line for each kind: name, calls, mean time of a call in microseconds.
 */

#include "vipl-util.h"

#include <stdio.h>
#include <string.h>

#define MOST_CALLS 1000
#define BATCHES 8 /* means over several batches see finer than the clock ticks */
#define CQ_ENTRIES 64
#define CONTROL_CHANNEL 0
#define TIMEOUT_MS 60000UL
#define PAGE 4096UL

/* Time spent in calls of one kind. */
typedef struct Cost
{
    const char* name;
    double us;
    long calls;
} Cost;

static long calls = 100;
static long size = 8192;

static const Option options[] = {
    {'n', &calls, 1, MOST_CALLS, NULL, NULL, "calls of each kind in a batch"},
    {'s', &size, 1, 1048576, NULL, NULL, "bytes to register"}};

static Host host;
static double clock_us; /* cost of looking at the clock, part of every interval */
static double loop_us;  /* cost of the loop around a call */

static void
add(Cost* cost, double start, long count)
{
    cost->us += now_us() - start - clock_us - count * loop_us;
    cost->calls += count;
}

static void
print(const Cost* cost)
{
    printf("%s %ld %.4f\n", cost->name, cost->calls, cost->us / cost->calls);
}

static void
time_clock(void)
{
    const double start = now_us();
    long i;

    for (i = 0; i < MOST_CALLS; i++)
    {
        now_us();
    }
    clock_us = (now_us() - start) / (MOST_CALLS + 1);
}

/* The loop of those below, about a result that is there already. */
static void
time_loop(void)
{
    static volatile VIP_RETURN result = VIP_SUCCESS;
    const double start = now_us();
    long i;

    for (i = 0; i < MOST_CALLS; i++)
    {
        CHECK(result);
    }
    loop_us = (now_us() - start - clock_us) / MOST_CALLS;
}

/* ---- Calls that one process makes by itself ---- */

static void
time_vis(void)
{
    static VIP_VI_HANDLE vis[MOST_CALLS];
    Cost create = {"vi_create", 0, 0};
    Cost destroy = {"vi_destroy", 0, 0};
    double start;
    long batch;
    long i;

    for (batch = 0; batch < BATCHES; batch++)
    {
        start = now_us();
        for (i = 0; i < calls; i++)
        {
            vis[i] = vi_open(&host);
        }
        add(&create, start, calls);
        start = now_us();
        for (i = 0; i < calls; i++)
        {
            CHECK(VipDestroyVi(vis[i]));
        }
        add(&destroy, start, calls);
    }
    print(&create);
    print(&destroy);
}

static void
time_cqs(void)
{
    static VIP_CQ_HANDLE cqs[MOST_CALLS];
    Cost create = {"cq_create", 0, 0};
    Cost destroy = {"cq_destroy", 0, 0};
    double start;
    long batch;
    long i;

    for (batch = 0; batch < BATCHES; batch++)
    {
        start = now_us();
        for (i = 0; i < calls; i++)
        {
            CHECK(VipCreateCQ(host.nic, CQ_ENTRIES, &cqs[i]));
        }
        add(&create, start, calls);
        start = now_us();
        for (i = 0; i < calls; i++)
        {
            CHECK(VipDestroyCQ(cqs[i]));
        }
        add(&destroy, start, calls);
    }
    print(&create);
    print(&destroy);
}

static void
time_regions(void)
{
    static VIP_MEM_HANDLE regions[MOST_CALLS];
    VIP_MEM_ATTRIBUTES attributes;
    Cost enter = {"register", 0, 0};
    Cost leave = {"deregister", 0, 0};
    /* On a page's boundary, so that as few pages as possible hold it. */
    char* taken = (char*)host_take(&host, size + PAGE);
    char* memory = taken + PAGE - (VIP_ULONG)taken % PAGE;
    double start;
    long batch;
    long i;

    attributes.Ptag = host.ptag;
    attributes.EnableRdmaWrite = VIP_FALSE;
    attributes.EnableRdmaRead = VIP_FALSE;
    for (batch = 0; batch < BATCHES; batch++)
    {
        start = now_us();
        for (i = 0; i < calls; i++)
        {
            CHECK(VipRegisterMem(host.nic, memory, size, &attributes, &regions[i]));
        }
        add(&enter, start, calls);
        start = now_us();
        for (i = 0; i < calls; i++)
        {
            CHECK(VipDeregisterMem(host.nic, memory, regions[i]));
        }
        add(&leave, start, calls);
    }
    print(&enter);
    print(&leave);
}

/* ---- Connections ---- */

/* A connection over which the two processes tell each other to go on. */
typedef struct Control
{
    VIP_VI_HANDLE vi;
    VIP_DESCRIPTOR* send;
    VIP_DESCRIPTOR* receive;
} Control;

static void
expect(const Control* control)
{
    describe(&host, control->receive, host.memory, 0);
    CHECK(VipPostRecv(control->vi, control->receive, host.handle));
}

static void
control_open(Control* control)
{
    control->vi = vi_open(&host);
    control->send = (VIP_DESCRIPTOR*)host_take(&host, sizeof(VIP_DESCRIPTOR));
    control->receive = (VIP_DESCRIPTOR*)host_take(&host, sizeof(VIP_DESCRIPTOR));
    expect(control);
    if (host.rank == 0)
    {
        vi_request(&host, control->vi, 1, CONTROL_CHANNEL);
    }
    else
    {
        vi_wait(&host, control->vi, 0, CONTROL_CHANNEL);
    }
}

static void
tell(const Control* control)
{
    describe(&host, control->send, host.memory, 0);
    CHECK(VipPostSend(control->vi, control->send, host.handle));
    await_send(control->vi);
}

static void
hear(const Control* control)
{
    await_receive(control->vi, 0);
    expect(control);
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

    sprintf(name, "n%d", rank / host.per_host);
    memset(address, 0, sizeof(*address));
    address->net.HostAddressLen = host.attributes.NicAddressLen;
    CHECK(VipNSGetHostByName(host.nic, name, &address->net, 0));
    address->net.DiscriminatorLen = 1;
    address->net.HostAddress[address->net.HostAddressLen] = 'c';
}

/* The server says that it is about to wait: its wait begins long before a request can arrive. */
static void
serve(const Control* control, VIP_VI_HANDLE vi)
{
    VIP_VI_ATTRIBUTES attributes;
    VIP_CONN_HANDLE connection;
    Address local;
    Address remote;
    long batch;

    address_of(1, &local);
    memset(&remote, 0, sizeof(remote));
    for (batch = 0; batch < BATCHES; batch++)
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
time_connections(const Control* control, VIP_VI_HANDLE vi)
{
    VIP_VI_ATTRIBUTES attributes;
    Cost establish = {"connection_establish", 0, 0};
    Cost teardown = {"connection_teardown", 0, 0};
    Address local;
    Address remote;
    double start;
    long batch;

    address_of(0, &local);
    address_of(1, &remote);
    for (batch = 0; batch < BATCHES; batch++)
    {
        hear(control);
        start = now_us();
        CHECK(VipConnectRequest(vi, &local.net, &remote.net, TIMEOUT_MS, &attributes));
        add(&establish, start, 1);
        start = now_us();
        CHECK(VipDisconnect(vi));
        add(&teardown, start, 1);
        tell(control);
    }
    print(&establish);
    print(&teardown);
}

static void
connect_and_disconnect(void)
{
    const VIP_VI_HANDLE vi = vi_open(&host);
    Control control;

    control_open(&control);
    if (host.rank == 0)
    {
        time_connections(&control, vi);
    }
    else
    {
        serve(&control, vi);
    }
    vi_close(control.vi);
    CHECK(VipDestroyVi(vi));
}

int
main(int argc, char** argv)
{
    parse_options(&host, argc, argv, options, COUNT(options));
    if (host.size != 2)
    {
        fail("costs needs 2 processes, not %d", host.size);
    }
    host_open(&host, TAKEN(size + PAGE) + 2 * sizeof(VIP_DESCRIPTOR));
    time_clock();
    time_loop();
    if (host.rank == 0)
    {
        time_vis();
        time_cqs();
        time_regions();
    }
    connect_and_disconnect();
    host_close(&host);
    return 0;
}
