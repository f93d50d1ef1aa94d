/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
/* Gives VIPL what is not there: rank 0 a pointer to a call, or memory to the NIC; others live on.
 */

#define _GNU_SOURCE
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>
#include <vipl.h>

#define PAGE 4096
#define TIMEOUT 1000

typedef union Address {
    VIP_NET_ADDRESS net;
    char room[64];
} Address;

static const char s_constant[256] = {1};
static VIP_NIC_HANDLE s_nic;
static VIP_VI_HANDLE s_vi;
static VIP_CQ_HANDLE s_cq;
static VIP_MEM_ATTRIBUTES s_rights;
static VIP_MEM_HANDLE s_region;
static char* s_memory; /* two pages, registered */

static char*
map(size_t pages)
{
    return (
        char*)mmap(NULL, pages * PAGE, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
}

/* A pointer that leads nowhere, in one of the ways that there are. */
static void*
nowhere(const char* how)
{
    char* pages = map(2);
    if (strcmp(how, "low") == 0)
    {
        return (void*)16;
    }
    if (strcmp(how, "constant") == 0)
    {
        return (void*)s_constant;
    }
    if (strcmp(how, "no-address") == 0)
    {
        return (void*)0x8000000000000000;
    }
    munmap(pages + PAGE, PAGE);
    return strcmp(how, "end") == 0 ? pages + PAGE - 2 : pages + PAGE; /* "unmapped" */
}

static VIP_RETURN
call(int number, void* bad)
{
    VIP_VI_ATTRIBUTES attributes;
    VIP_NET_ADDRESS address;
    VIP_CONN_HANDLE connection;
    VIP_ULONG length = 20;
    VIP_BOOLEAN flag;
    VIP_VI_STATE state;
    char name[20];
    memset(&attributes, 0, sizeof(attributes));
    memset(&address, 0, sizeof(address));
    switch (number)
    {
    case 0:
        return VipOpenNic((VIP_CHAR*)bad, &s_nic);
    case 1:
        return VipOpenNic("nic0", (VIP_NIC_HANDLE*)bad);
    case 2:
        return VipQueryNic(s_nic, (VIP_NIC_ATTRIBUTES*)bad);
    case 3:
        return VipRegisterMem(s_nic, bad, 100, &s_rights, &s_region);
    case 4:
        return VipRegisterMem(s_nic, s_memory, 100, (VIP_MEM_ATTRIBUTES*)bad, &s_region);
    case 5:
        return VipRegisterMem(s_nic, s_memory, 100, &s_rights, (VIP_MEM_HANDLE*)bad);
    case 6:
        return VipQueryMem(s_nic, s_memory, s_region, (VIP_MEM_ATTRIBUTES*)bad);
    case 7:
        return VipSetMemAttributes(s_nic, s_memory, s_region, (VIP_MEM_ATTRIBUTES*)bad);
    case 8:
        return VipDeregisterMem(s_nic, bad, s_region);
    case 9:
        return VipCreatePtag(s_nic, (VIP_PROTECTION_HANDLE*)bad);
    case 10:
        return VipCreateVi(s_nic, (VIP_VI_ATTRIBUTES*)bad, NULL, NULL, &s_vi);
    case 11:
        return VipQueryVi(s_vi, (VIP_VI_STATE*)bad, &attributes, &flag, &flag);
    case 12:
        return VipQueryVi(s_vi, &state, (VIP_VI_ATTRIBUTES*)bad, &flag, &flag);
    case 13:
        return VipQueryVi(s_vi, &state, &attributes, (VIP_BOOLEAN*)bad, &flag);
    case 14:
        return VipQueryVi(s_vi, &state, &attributes, &flag, (VIP_BOOLEAN*)bad);
    case 15:
        return VipSetViAttributes(s_vi, (VIP_VI_ATTRIBUTES*)bad);
    case 16:
        return VipConnectWait(s_nic, (VIP_NET_ADDRESS*)bad, 1, &address, &attributes, &connection);
    case 17:
        return VipConnectRequest(s_vi, (VIP_NET_ADDRESS*)bad, &address, 1, &attributes);
    case 18:
        return VipConnectRequest(s_vi, &address, (VIP_NET_ADDRESS*)bad, 1, &attributes);
    case 19:
        return VipConnectPeerRequest(s_vi, (VIP_NET_ADDRESS*)bad, &address, 1);
    case 20:
        return VipPostSend(s_vi, (VIP_DESCRIPTOR*)bad, s_region);
    case 21:
        return VipPostRecv(s_vi, (VIP_DESCRIPTOR*)bad, s_region);
    case 22:
        return VipSendDone(s_vi, (VIP_DESCRIPTOR**)bad);
    case 23:
        return VipRecvDone(s_vi, (VIP_DESCRIPTOR**)bad);
    case 24:
        return VipSendWait(s_vi, 1, (VIP_DESCRIPTOR**)bad);
    case 25:
        return VipRecvWait(s_vi, 1, (VIP_DESCRIPTOR**)bad);
    case 26:
        return VipCreateCQ(s_nic, 10, (VIP_CQ_HANDLE*)bad);
    case 27:
        return VipQuerySystemManagementInfo(s_nic, VIP_SMI_AUTODISCOVERY, bad);
    case 28:
        return VipNSGetHostByName(s_nic, (VIP_CHAR*)bad, &address, 0);
    case 29:
        return VipNSGetHostByName(s_nic, (VIP_CHAR*)"n1", (VIP_NET_ADDRESS*)bad, 0);
    case 30:
        return VipNSGetHostByAddr(s_nic, (VIP_NET_ADDRESS*)bad, name, &length);
    case 31:
        VipNSGetHostByName(s_nic, (VIP_CHAR*)"n1", &((Address*)s_memory)->net, 0);
        return VipNSGetHostByAddr(s_nic, (VIP_NET_ADDRESS*)s_memory, (VIP_CHAR*)bad, &length);
    case 32:
        VipNSGetHostByName(s_nic, (VIP_CHAR*)"n1", &((Address*)s_memory)->net, 0);
        return VipNSGetHostByAddr(s_nic, (VIP_NET_ADDRESS*)s_memory, name, (VIP_ULONG*)bad);
    case 33:
        return VipAddTagCQ(s_cq, (VIP_EVENT_HANDLE*)bad, 1, 1);
    case 34:
        return VipPostDeferredSends(s_vi, VIP_TRUE, (VIP_BOOLEAN*)bad);
    case 35:
        return VipErrorCallback(s_nic, NULL, (VIP_ERROR_HANDLER)bad);
    default:
        VipSetUserData(bad, bad);
        return VipGetUserData(bad) == NULL ? VIP_INVALID_PARAMETER : VIP_SUCCESS;
    }
}

static void
open_all(void)
{
    VIP_VI_ATTRIBUTES attributes = {VIP_SERVICE_RELIABLE_DELIVERY, 4096, NULL, NULL, 0, 0};
    s_memory = map(2);
    if (VipOpenNic("nic0", &s_nic) != VIP_SUCCESS ||
        VipCreatePtag(s_nic, &s_rights.Ptag) != VIP_SUCCESS ||
        VipRegisterMem(s_nic, s_memory, 2 * PAGE, &s_rights, &s_region) != VIP_SUCCESS ||
        VipCreateCQ(s_nic, 10, &s_cq) != VIP_SUCCESS || VipNSInit(s_nic, NULL) != VIP_SUCCESS)
    {
        exit(3);
    }
    attributes.Ptag = s_rights.Ptag;
    if (VipCreateVi(s_nic, &attributes, NULL, NULL, &s_vi) != VIP_SUCCESS)
    {
        exit(3);
    }
}

/* A descriptor in the first page of the memory; its data, if it has any, is in the second. */
static VIP_DESCRIPTOR*
describe(VIP_UINT32 bytes)
{
    VIP_DESCRIPTOR* descriptor = (VIP_DESCRIPTOR*)s_memory;
    memset(descriptor, 0, sizeof(*descriptor));
    descriptor->CS.SegCount = 1;
    descriptor->CS.Length = bytes;
    descriptor->DS[0].Local.Data.Address = s_memory + PAGE;
    descriptor->DS[0].Local.Handle = s_region;
    descriptor->DS[0].Local.Length = bytes;
    return descriptor;
}

static void
address_of(const char* host, Address* address)
{
    memset(address, 0, sizeof(*address));
    VipNSGetHostByName(s_nic, (VIP_CHAR*)host, &address->net, 0);
    address->net.DiscriminatorLen = 1;
    address->net.HostAddress[address->net.HostAddressLen] = 'd';
}

/* Rank 1 sends to rank 0, which takes its buffer away, or the other way round. */
static void
exchange(int rank, int sender)
{
    VIP_VI_ATTRIBUTES attributes;
    VIP_CONN_HANDLE connection;
    Address here;
    Address there;
    address_of(rank == 0 ? "n0" : "n1", &here);
    address_of(rank == 0 ? "n1" : "n0", &there);
    if (rank != sender)
    {
        VipPostRecv(s_vi, describe(64), s_region);
        VipConnectWait(s_nic, &here.net, TIMEOUT, &there.net, &attributes, &connection);
        VipConnectAccept(connection, s_vi);
    }
    else
    {
        usleep(1000);
        VipConnectRequest(s_vi, &here.net, &there.net, TIMEOUT, &attributes);
        usleep(1000);
        VipPostSend(s_vi, describe(64), s_region);
    }
    if (rank == 0)
    {
        munmap(s_memory + PAGE, PAGE);
    }
    usleep(10000);
}

/* Makes a call at every depth, until there is no stack left. */
static int
deeper(int depth)
{
    VIP_NIC_ATTRIBUTES about;
    VipQueryNic(s_nic, &about);
    return deeper(depth + 1) + (int)about.MaxVI;
}

static void
take_away(const char* what)
{
    char* pages = map(3);
    VIP_MEM_HANDLE region;
    if (strcmp(what, "unmapped") == 0 || strcmp(what, "protected") == 0)
    {
        VipPostRecv(s_vi, describe(64), s_region);
        strcmp(what, "unmapped") == 0 ? munmap(s_memory, PAGE)
                                      : mprotect(s_memory, PAGE, PROT_READ);
        VipDisconnect(s_vi);
        usleep(500);
    }
    else if (strcmp(what, "before-post") == 0)
    {
        munmap(s_memory, PAGE);
        VipPostSend(s_vi, (VIP_DESCRIPTOR*)s_memory, s_region);
        usleep(500);
    }
    else if (strcmp(what, "at-end") == 0)
    {
        VipPostRecv(s_vi, describe(64), s_region);
        munmap(s_memory, 2 * PAGE);
        exit(0);
    }
    else if (strcmp(what, "handler") == 0)
    {
        VipRecvNotify(s_vi, NULL, (VIP_VI_CALLBACK)16);
        VipPostRecv(s_vi, describe(64), s_region);
        VipDisconnect(s_vi);
        usleep(500);
    }
    else if (strcmp(what, "repeat") == 0)
    {
        VIP_DESCRIPTOR* done;
        VipPostRecv(s_vi, describe(64), s_region);
        VipRecvDone(s_vi, &done);
        VipRecvDone(s_vi, &done);
        VipRecvDone(s_vi, (VIP_DESCRIPTOR**)nowhere("low"));
    }
    else if (strcmp(what, "print") == 0)
    {
        printf("%zd\n", write(1, nowhere("low"), 10));
    }
    else if (strcmp(what, "deep") == 0)
    {
        printf("%d\n", deeper(0));
    }
    else if (strcmp(what, "hole") == 0)
    {
        mprotect(pages + PAGE, PAGE, PROT_NONE);
        printf("%d", VipRegisterMem(s_nic, pages, 3 * PAGE, &s_rights, &region));
        mprotect(pages + PAGE, PAGE, PROT_READ | PROT_WRITE);
        pages[PAGE] = 1;
        mprotect(pages + PAGE, PAGE, PROT_READ);
        printf(" %d", VipRegisterMem(s_nic, pages, 3 * PAGE, &s_rights, &region));
        mprotect(pages + PAGE, PAGE, PROT_READ | PROT_WRITE);
        printf(" %d\n", VipRegisterMem(s_nic, pages, 3 * PAGE, &s_rights, &region));
    }
}

/* usage: pointers call HOW (rank is the number of the call), pointers receive|send|WHAT */
int
main(int argc, char** argv)
{
    const int rank = atoi(getenv("VIA_RANK"));
    const int last = atoi(getenv("VIA_SIZE")) - 1;
    if (argc < 2)
    {
        return 2;
    }
    open_all();
    if (rank == last)
    {
        usleep(50000);
        printf("lives\n");
    }
    else if (strcmp(argv[1], "call") == 0)
    {
        usleep(10);
        printf("%d\n", (int)call(rank, nowhere(argv[2])));
    }
    else if (strcmp(argv[1], "receive") == 0 || strcmp(argv[1], "send") == 0)
    {
        exchange(rank, argv[1][0] == 's' ? 0 : 1);
    }
    else if (rank == 0)
    {
        take_away(argv[1]);
    }
    return 0;
}
