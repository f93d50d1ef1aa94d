/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
/*
 * A client in the style of a course's first VIA programs: everything is static, buffers lie on the
 * stack, discriminators are one integer, results are seldom looked at, CQDone is followed by one
 * RecvDone, and the last message is posted right before VipDisconnect.
 *
 * usage: client-blocking server|client HOST
 */

#include "vipl.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static VIP_NIC_HANDLE nic;
static VIP_PROTECTION_HANDLE ptag;
static VIP_VI_HANDLE vi;
static VIP_CQ_HANDLE cq;
static VIP_MEM_HANDLE mh;

static union {
    VIP_NET_ADDRESS addr;
    char room[64];
} here, there;

static void
die(const char* what, VIP_RETURN rc)
{
    printf("%s: rc = %d\n", what, (int)rc);
    exit(1);
}

static void
set_address(char* name, VIP_NET_ADDRESS* addr)
{
    int disc = 7;

    memset(addr, 0, 64);
    VipNSGetHostByName(nic, name, addr, 0);
    addr->DiscriminatorLen = sizeof(disc);
    memcpy(addr->HostAddress + addr->HostAddressLen, &disc, sizeof(disc));
}

static void
setup(void* memory, VIP_ULONG length)
{
    VIP_MEM_ATTRIBUTES ma;
    VIP_VI_ATTRIBUTES va;

    VipOpenNic("nic0", &nic);
    VipCreatePtag(nic, &ptag);
    ma.Ptag = ptag;
    ma.EnableRdmaWrite = ma.EnableRdmaRead = VIP_FALSE;
    VipRegisterMem(nic, memory, length, &ma, &mh);
    memset(&va, 0, sizeof(va));
    va.ReliabilityLevel = VIP_SERVICE_UNRELIABLE;
    va.MaxTransferSize = 4096;
    va.Ptag = ptag;
    VipCreateCQ(nic, 16, &cq);
    VipCreateVi(nic, &va, cq, cq, &vi);
    VipNSInit(nic, NULL);
}

static void
fill(VIP_DESCRIPTOR* d, void* data, VIP_UINT32 length)
{
    memset(d, 0, sizeof(*d));
    d->CS.SegCount = 1;
    d->CS.Length = length;
    d->DS[0].Local.Data.Address = data;
    d->DS[0].Local.Handle = mh;
    d->DS[0].Local.Length = length;
}

static void
serve(void)
{
    char memory[2 * 64 + 2 * 100 + 64];
    VIP_DESCRIPTOR* d = (VIP_DESCRIPTOR*)(((VIP_ULONG)memory + 63) / 64 * 64);
    char* text = (char*)(d + 2);
    VIP_VI_ATTRIBUTES va;
    VIP_CONN_HANDLE conn;
    VIP_VI_HANDLE which;
    VIP_BOOLEAN recv;
    int i;

    setup(memory, sizeof(memory));
    fill(&d[0], text, 100);
    fill(&d[1], text + 100, 100);
    VipPostRecv(vi, &d[0], mh);
    VipPostRecv(vi, &d[1], mh);
    set_address("n0", &here.addr);
    if (VipConnectWait(nic, &here.addr, VIP_INFINITE, &there.addr, &va, &conn) != VIP_SUCCESS)
    {
        die("wait", VIP_ERROR);
    }
    VipConnectAccept(conn, vi);
    for (i = 0; i < 2; i++)
    {
        VIP_DESCRIPTOR* done = NULL;

        VipCQWait(cq, VIP_INFINITE, &which, &recv);
        VipRecvDone(which, &done); /* it must be there */
        printf("%s, %d bytes\n", (char*)done->DS[0].Local.Data.Address, (int)done->CS.Length);
    }
    VipDisconnect(vi);
    VipDestroyVi(vi);
    VipCloseNic(nic);
}

static void
request(char* host)
{
    static char memory[2 * 64 + 2 * 100 + 64];
    VIP_DESCRIPTOR* d = (VIP_DESCRIPTOR*)(((VIP_ULONG)memory + 63) / 64 * 64);
    char* text = (char*)(d + 2);
    VIP_VI_ATTRIBUTES va;
    VIP_RETURN rc;

    setup(memory, sizeof(memory));
    set_address("n1", &here.addr);
    set_address(host, &there.addr);
    do
    {
        rc = VipConnectRequest(vi, &here.addr, &there.addr, 10000, &va);
    } while (rc == VIP_NO_MATCH);
    if (rc != VIP_SUCCESS)
    {
        die("request", rc);
    }
    strcpy(text, "first");
    strcpy(text + 100, "second and last");
    fill(&d[0], text, sizeof("first"));
    fill(&d[1], text + 100, sizeof("second and last"));
    VipPostSend(vi, &d[0], mh);
    VipPostSend(vi, &d[1], mh);
    VipDisconnect(vi); /* nothing was harvested */
    VipDestroyVi(vi);
    VipCloseNic(nic);
}

int
main(int argc, char** argv)
{
    if (argc > 1 && strcmp(argv[1], "server") == 0)
    {
        serve();
    }
    else
    {
        request(argc > 2 ? argv[2] : (char*)"n0");
    }
    return 0;
}
