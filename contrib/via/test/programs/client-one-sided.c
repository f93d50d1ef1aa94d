/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
/*
 * A client in the style of a one-sided communication library over Giganet's VIPL: it asks for the
 * spelling of version 0.95, knows a code that not every header has, opens the NIC twice and uses
 * both handles, tells endpoints apart by doubles, registers memory over and over, and knows that
 * an RDMA write has come by looking at its last word in memory.
 *
 * usage: client-one-sided RANK   with two processes; -DPEER_CONNECTION connects them as peers
 */

#define VIPL095
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <vipl.h>

#ifndef VIP_ERROR_NOT_SUPPORTED
#define VIP_ERROR_NOT_SUPPORTED VIP_ERROR_RESOURCE
#endif

#define WORDS 1024
#define STAMP 0x600D600DL
#define TIMES 20

struct descr_t
{
    VIP_DESCRIPTOR d;
    VIP_DESCRIPTOR_SEGMENT more[4];
};

static VIP_NIC_HANDLE SERVER_nic, CLIENT_nic;
static VIP_PROTECTION_HANDLE SERVER_tag, CLIENT_tag;
static VIP_VI_HANDLE server_vi, client_vi;

static void
check(VIP_RETURN rc, const char* msg)
{
    if (rc == VIP_SUCCESS)
    {
        return;
    }
    printf("%s: %s\n", msg, rc == VIP_ERROR_NOT_SUPPORTED ? "not supported" : "error");
    exit(1);
}

static VIP_MEM_HANDLE
pin(VIP_NIC_HANDLE nic, VIP_PROTECTION_HANDLE tag, void* ptr, VIP_ULONG bytes)
{
    VIP_MEM_ATTRIBUTES attr;
    VIP_MEM_HANDLE handle;

    attr.Ptag = tag;
    attr.EnableRdmaRead = VIP_FALSE;
    attr.EnableRdmaWrite = VIP_TRUE;
    check(VipRegisterMem(nic, ptr, bytes, &attr, &handle), "pin");
    if (!handle)
    {
        printf("a handle of 0\n");
        exit(1);
    }
    return handle;
}

static VIP_VI_HANDLE
make_vi(VIP_NIC_HANDLE nic, VIP_PROTECTION_HANDLE tag)
{
    VIP_VI_ATTRIBUTES attr;
    VIP_VI_HANDLE vi;

    bzero(&attr, sizeof(attr));
    attr.ReliabilityLevel = VIP_SERVICE_RELIABLE_DELIVERY;
    attr.MaxTransferSize = 32768;
    attr.Ptag = tag;
    attr.EnableRdmaWrite = VIP_TRUE;
    check(VipCreateVi(nic, &attr, NULL, NULL, &vi), "create");
    return vi;
}

static VIP_NET_ADDRESS*
make_address(char* buf, int node, double cookie)
{
    VIP_NET_ADDRESS* addr = (VIP_NET_ADDRESS*)buf;
    char name[16];

    sprintf(name, "n%d", node);
    bzero(buf, 40);
    check(VipNSGetHostByName(CLIENT_nic, name, addr, 0), "name");
    addr->DiscriminatorLen = sizeof(cookie);
    bcopy(&cookie, addr->HostAddress + addr->HostAddressLen, sizeof(cookie));
    return addr;
}

static void
link_up(int me)
{
    char local_buf[40], remote_buf[40];
    VIP_VI_ATTRIBUTES attr;
#ifdef PEER_CONNECTION
    VIP_VI_HANDLE vi = me == 0 ? server_vi : client_vi;
    VIP_NET_ADDRESS* local = make_address(local_buf, me, 3.25);
    VIP_NET_ADDRESS* remote = make_address(remote_buf, !me, 3.25);

    check(VipConnectPeerRequest(vi, local, remote, VIP_INFINITE), "peer request");
    check(VipConnectPeerWait(vi, &attr), "peer wait");
#else
    VIP_NET_ADDRESS* local = make_address(local_buf, me, me == 0 ? 3.25 : -1e9);
    VIP_NET_ADDRESS* remote = make_address(remote_buf, !me, 3.25);
    VIP_CONN_HANDLE con;
    VIP_RETURN rc;

    if (me == 0)
    {
        check(VipConnectWait(SERVER_nic, local, VIP_INFINITE, remote, &attr, &con), "wait");
        check(VipConnectAccept(con, server_vi), "accept");
        return;
    }
    while ((rc = VipConnectRequest(client_vi, local, remote, VIP_INFINITE, &attr)) == VIP_NO_MATCH)
    {
    }
    check(rc, "request");
#endif
}

static void
await_words(volatile long* words)
{
    long i;

    while (words[WORDS - 1] != STAMP)
    {
    }
    for (i = 0; i < WORDS - 1; i++)
    {
        if (words[i] != i)
        {
            printf("word %ld came late\n", i);
            exit(1);
        }
    }
    printf("all words in order\n");
}

static void
put_words(const struct descr_t* told, struct descr_t* cmd, VIP_MEM_HANDLE cmd_handle)
{
    static long words[WORDS];
    VIP_MEM_HANDLE handle;
    VIP_DESCRIPTOR* done;
    VIP_RETURN rc;
    long i;

    for (i = 0; i < TIMES; i++)
    {
        handle = pin(CLIENT_nic, CLIENT_tag, words, sizeof(words)); /* each has its own handle */
        check(VipDeregisterMem(CLIENT_nic, words, handle), "unpin");
    }
    for (i = 0; i < WORDS; i++)
    {
        words[i] = i;
    }
    words[WORDS - 1] = STAMP;
    handle = pin(CLIENT_nic, CLIENT_tag, words, sizeof(words));
    bzero(cmd, sizeof(*cmd));
    cmd->d.CS.Control = VIP_CONTROL_OP_RDMAWRITE;
    cmd->d.CS.SegCount = 2;
    cmd->d.CS.Length = sizeof(words);
    cmd->d.DS[0].Remote.Data.Address = told->d.DS[0].Remote.Data.Address;
    cmd->d.DS[0].Remote.Handle = told->d.DS[0].Remote.Handle;
    cmd->d.DS[1].Local.Data.Address = words;
    cmd->d.DS[1].Local.Handle = handle;
    cmd->d.DS[1].Local.Length = sizeof(words);
    check(VipPostSend(client_vi, &cmd->d, cmd_handle), "put");
    do
    {
        rc = VipSendDone(client_vi, &done);
    } while (rc == VIP_NOT_DONE);
    check(rc, "complete");
    printf("put %lu bytes\n", (unsigned long)done->CS.Length);
}

static void
exchange(int me, VIP_VI_HANDLE vi, VIP_NIC_HANDLE nic, VIP_PROTECTION_HANDLE tag)
{
    static long target[WORDS];
    static char arena[8192];
    struct descr_t* cmd = (struct descr_t*)(((VIP_ULONG)arena + 4095) & ~4095UL);
    struct descr_t* told = cmd + 2; /* each is 128 bytes */
    VIP_MEM_HANDLE handle = pin(nic, tag, cmd, 4096);
    VIP_DESCRIPTOR* done;

    bzero(cmd, sizeof(*cmd));
    cmd->d.CS.SegCount = 1;
    cmd->d.CS.Length = sizeof(*told);
    cmd->d.DS[0].Local.Data.Address = told;
    cmd->d.DS[0].Local.Handle = handle;
    cmd->d.DS[0].Local.Length = sizeof(*told);
    if (me == 0)
    {
        told->d.DS[0].Remote.Data.Address = target;
        told->d.DS[0].Remote.Handle = pin(nic, tag, target, sizeof(target));
        link_up(me);
        usleep(1000);
        check(VipPostSend(vi, &cmd->d, handle), "tell");
        check(VipSendWait(vi, VIP_INFINITE, &done), "told");
        await_words(target);
    }
    else
    {
        check(VipPostRecv(vi, &cmd->d, handle), "post");
        link_up(me);
        check(VipRecvWait(vi, VIP_INFINITE, &done), "hear");
        put_words(told, cmd, handle);
        sleep(1);
    }
}

int
main(int argc, char** argv)
{
    int me = argc > 1 ? atoi(argv[1]) : 0;

    check(VipOpenNic("VINIC", &SERVER_nic), "open");
    check(VipOpenNic("VINIC", &CLIENT_nic), "open");
    check(VipCreatePtag(SERVER_nic, &SERVER_tag), "tag");
    check(VipCreatePtag(CLIENT_nic, &CLIENT_tag), "tag");
    check(VipNSInit(CLIENT_nic, NULL), "names");
    server_vi = make_vi(SERVER_nic, SERVER_tag);
    client_vi = make_vi(CLIENT_nic, CLIENT_tag);
    if (me == 0)
    {
        exchange(me, server_vi, SERVER_nic, SERVER_tag);
    }
    else
    {
        exchange(me, client_vi, CLIENT_nic, CLIENT_tag);
    }
    return 0; /* nothing is closed */
}
