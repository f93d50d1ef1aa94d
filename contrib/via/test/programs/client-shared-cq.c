/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
/*
 * A client in the style of a message layer of 1999 over M-VIA (C89): all VIs share one receive
 * queue that is looked at a hundred times before it is waited for, one pool of descriptors serves
 * both directions, discriminators are three integers, long messages are RDMA writes that end with
 * immediate data, requests are repeated at once when nobody waits yet, and the end is careless.
 *
 * usage: client-shared-cq RANK   with two processes
 */

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <vipl.h>

#define POOL 8
#define BYTES 8192
#define POLLS 100
#define VIS 2

typedef struct
{
    VIP_DESCRIPTOR desc;
    char data[BYTES - sizeof(VIP_DESCRIPTOR)];
} buffer_t;

typedef struct
{
    VIP_UINT64 address;
    VIP_MEM_HANDLE handle;
} window_t;

static VIP_NIC_HANDLE nic;
static VIP_NIC_ATTRIBUTES nic_attr;
static VIP_PROTECTION_HANDLE ptag;
static VIP_CQ_HANDLE recv_cq;
static VIP_VI_HANDLE vi[VIS];
static VIP_MEM_HANDLE pool_handle;
static buffer_t* pool;
static char window[4 * BYTES];
static VIP_MEM_HANDLE window_handle;

static void
check(VIP_RETURN status, const char* what)
{
    if (status != VIP_SUCCESS)
    {
        printf("%s failed: %d\n", what, (int)status);
        exit(1);
    }
}

static void
prepare(buffer_t* buffer, VIP_ULONG length)
{
    buffer->desc.CS.SegCount = 1;
    buffer->desc.CS.Control = VIP_CONTROL_OP_SENDRECV | VIP_CONTROL_IMMEDIATE;
    buffer->desc.CS.Reserved = 0;
    buffer->desc.CS.ImmediateData = 0;
    buffer->desc.CS.Length = length;
    buffer->desc.CS.Status = 0;
    buffer->desc.DS[0].Local.Data.Address = buffer->data;
    buffer->desc.DS[0].Local.Handle = pool_handle;
    buffer->desc.DS[0].Local.Length = length;
}

static void
open_nic(void)
{
    VIP_MEM_ATTRIBUTES mem_attr;
    VIP_VI_ATTRIBUTES vi_attr;
    char* raw;
    int i;

    check(VipOpenNic("/dev/via_eth0", &nic), "VipOpenNic");
    check(VipQueryNic(nic, &nic_attr), "VipQueryNic");
    check(VipCreatePtag(nic, &ptag), "VipCreatePtag");
    check(VipCreateCQ(nic, 64, &recv_cq), "VipCreateCQ");
    mem_attr.Ptag = ptag;
    mem_attr.EnableRdmaWrite = VIP_TRUE;
    mem_attr.EnableRdmaRead = VIP_FALSE;
    raw = malloc(POOL * sizeof(buffer_t) + VIP_DESCRIPTOR_ALIGNMENT);
    pool = (buffer_t*)(((VIP_ULONG)raw + 63) & ~63UL);
    check(VipRegisterMem(nic, pool, POOL * sizeof(buffer_t), &mem_attr, &pool_handle), "pool");
    check(VipRegisterMem(nic, window, sizeof(window), &mem_attr, &window_handle), "window");
    memset(&vi_attr, 0, sizeof(vi_attr));
    vi_attr.ReliabilityLevel = nic_attr.ReliabilityLevelSupport >= VIP_SERVICE_RELIABLE_DELIVERY
                                   ? VIP_SERVICE_RELIABLE_DELIVERY
                                   : VIP_SERVICE_UNRELIABLE;
    vi_attr.MaxTransferSize = BYTES;
    vi_attr.Ptag = ptag;
    vi_attr.EnableRdmaWrite = VIP_TRUE;
    for (i = 0; i < VIS; i++)
    {
        check(VipCreateVi(nic, &vi_attr, NULL, recv_cq, &vi[i]), "VipCreateVi");
        prepare(&pool[2 * i], sizeof(pool[0].data));
        prepare(&pool[2 * i + 1], sizeof(pool[0].data));
        check(VipPostRecv(vi[i], &pool[2 * i].desc, pool_handle), "VipPostRecv");
        check(VipPostRecv(vi[i], &pool[2 * i + 1].desc, pool_handle), "VipPostRecv");
    }
}

static VIP_NET_ADDRESS*
address_of(char* host, int from, int to, int number)
{
    int disc[3];
    VIP_NET_ADDRESS* address = malloc(sizeof(VIP_NET_ADDRESS) + 64);

    disc[0] = from;
    disc[1] = to;
    disc[2] = number;
    memset(address, 0, sizeof(VIP_NET_ADDRESS) + 64);
    check(VipNSGetHostByName(nic, host, address, 0), "VipNSGetHostByName");
    address->DiscriminatorLen = sizeof(disc);
    memcpy(address->HostAddress + address->HostAddressLen, disc, sizeof(disc));
    return address;
}

static void
connect_all(int rank)
{
    VIP_VI_ATTRIBUTES attr;
    VIP_CONN_HANDLE conn;
    VIP_NET_ADDRESS* local[VIS];
    VIP_NET_ADDRESS* remote[VIS];
    VIP_RETURN status;
    int i;

    check(VipNSInit(nic, NULL), "VipNSInit");
    for (i = 0; i < VIS; i++)
    {
        local[i] = address_of(rank == 0 ? (char*)"n0" : (char*)"n1", 1, 0, i);
        remote[i] = address_of(rank == 0 ? (char*)"n1" : (char*)"n0", 1, 0, i);
    }
    check(VipNSShutdown(nic), "VipNSShutdown");
    for (i = 0; i < VIS; i++)
    {
        if (rank == 0)
        {
            check(VipConnectWait(nic, local[i], VIP_INFINITE, remote[i], &attr, &conn), "wait");
            check(VipConnectAccept(conn, vi[i]), "VipConnectAccept");
        }
        else
        {
            do
            {
                status = VipConnectRequest(vi[i], local[i], remote[i], VIP_INFINITE, &attr);
            } while (status == VIP_NO_MATCH);
            check(status, "VipConnectRequest");
        }
        free(local[i]);
        free(remote[i]);
    }
}

static VIP_DESCRIPTOR*
next_message(VIP_VI_HANDLE* from)
{
    VIP_DESCRIPTOR* desc = NULL;
    VIP_BOOLEAN is_recv;
    VIP_RETURN status = VIP_NOT_DONE;
    int i;

    for (i = 0; i < POLLS && status == VIP_NOT_DONE; i++)
    {
        status = VipCQDone(recv_cq, from, &is_recv);
    }
    if (status == VIP_NOT_DONE)
    {
        status = VipCQWait(recv_cq, VIP_INFINITE, from, &is_recv);
    }
    check(status, "VipCQDone");
    do
    {
        status = VipRecvDone(*from, &desc);
    } while (status == VIP_NOT_DONE);
    check(status, "VipRecvDone");
    return desc;
}

static void
send_and_reap(VIP_VI_HANDLE on, buffer_t* buffer)
{
    VIP_DESCRIPTOR* desc;
    VIP_RETURN status;

    check(VipPostSend(on, &buffer->desc, pool_handle), "VipPostSend");
    do
    {
        status = VipSendDone(on, &desc);
    } while (status == VIP_NOT_DONE);
    check(status, "VipSendDone");
}

static void
write_long(buffer_t* buffer, const window_t* to, VIP_ULONG offset, VIP_ULONG length, int last)
{
    memset(buffer->data, 'w', length);
    prepare(buffer, length);
    buffer->desc.CS.Control = VIP_CONTROL_OP_RDMAWRITE | (last ? VIP_CONTROL_IMMEDIATE : 0);
    buffer->desc.CS.ImmediateData = 4711;
    buffer->desc.CS.SegCount = 2;
    buffer->desc.DS[1] = buffer->desc.DS[0];
    buffer->desc.DS[0].Remote.Data.AddressBits = to->address + offset;
    buffer->desc.DS[0].Remote.Handle = to->handle;
    buffer->desc.DS[0].Remote.Reserved = 0;
    send_and_reap(vi[1], buffer);
}

/* Tells where the window lies, then waits until it has been written. */
static void
be_written(void)
{
    VIP_VI_HANDLE from;
    window_t mine;
    VIP_DESCRIPTOR* desc;
    VIP_ULONG i;

    mine.address = (VIP_UINT64)(VIP_ULONG)window;
    mine.handle = window_handle;
    memcpy(pool[4].data, &mine, sizeof(mine));
    prepare(&pool[4], sizeof(mine));
    send_and_reap(vi[0], &pool[4]);
    desc = next_message(&from);
    for (i = 0; i < 3 * 4096; i++)
    {
        if (window[i] != 'w')
        {
            printf("byte %lu is missing\n", i);
            exit(1);
        }
    }
    printf("written, immediate %lu on VI %d\n",
           (unsigned long)desc->CS.ImmediateData,
           from == vi[1] ? 1 : 0);
}

static void
write_other(void)
{
    VIP_VI_HANDLE from;
    VIP_DESCRIPTOR* desc = next_message(&from);
    window_t theirs;
    int i;

    memcpy(&theirs, desc->DS[0].Local.Data.Address, sizeof(theirs));
    for (i = 0; i < 3; i++)
    {
        write_long(&pool[4], &theirs, 4096 * i, 4096, i == 2);
    }
    printf("wrote, was told %lu bytes\n", (unsigned long)desc->CS.Length);
}

int
main(int argc, char** argv)
{
    int rank = argc > 1 ? atoi(argv[1]) : 0;
    int i;

    open_nic();
    connect_all(rank);
    if (rank == 0)
    {
        be_written();
    }
    else
    {
        write_other();
    }
    for (i = 0; i < VIS; i++) /* twice, with receives still queued: nobody looks at the results */
    {
        VipDisconnect(vi[i]);
        VipDisconnect(vi[i]);
        VipDestroyVi(vi[i]);
    }
    VipDestroyCQ(recv_cq);
    VipDeregisterMem(nic, pool, pool_handle);
    VipDestroyPtag(nic, ptag);
    VipCloseNic(nic);
    return 0;
}
