/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
/*
 * A client in the style of a communication library of the Grid's first years: constants of its own
 * where the header has none, descriptors of many segments, empty descriptors as credits, requests
 * repeated without a pause, blocking waits, and an error handler that ends the program.
 *
 * usage: client-credits RANK   with two processes
 */

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <vipl.h>

#ifndef VIP_DATA_ALIGNMENT
#define VIP_DATA_ALIGNMENT 64
#endif
#define MAX_SEGMENTS 252
#define PIECES 20
#define PIECE 48
#define MESSAGES 3

typedef struct
{
    VIP_DESCRIPTOR head;
    VIP_DESCRIPTOR_SEGMENT tail[PIECES - 2];
    char unused[VIP_DATA_ALIGNMENT];
} long_desc_t;

static VIP_NIC_HANDLE nic;
static VIP_PROTECTION_HANDLE tag;
static VIP_VI_HANDLE vi;
static VIP_MEM_HANDLE handle;
static char arena[16384];
static long_desc_t* data_desc;
static VIP_DESCRIPTOR* credit_desc;
static char* data;

static const char*
describe_code(VIP_RETURN code)
{
    switch (code)
    {
    case VIP_NO_MATCH:
        return "no match";
    case VIP_NOT_REACHABLE:
        return "not reachable";
    case VIP_TIMEOUT:
        return "timeout";
    default:
        return "error";
    }
}

static void
ok(VIP_RETURN code, const char* what)
{
    if (code != VIP_SUCCESS)
    {
        fprintf(stderr, "%s: %s\n", what, describe_code(code));
        exit(1);
    }
}

static void
handler(VIP_PVOID context, VIP_ERROR_DESCRIPTOR* error)
{
    printf("%s, so this is the end\n",
           error->ErrorCode == VIP_ERROR_CONN_LOST ? (const char*)context : "another error");
    exit(0);
}

static void
start(void)
{
    VIP_MEM_ATTRIBUTES ma;
    VIP_VI_ATTRIBUTES va;
    char* aligned = arena + VIP_DATA_ALIGNMENT - (VIP_ULONG)arena % VIP_DATA_ALIGNMENT;

    ok(VipOpenNic("/dev/via_lo", &nic), "open");
    ok(VipErrorCallback(nic, (VIP_PVOID) "the peer has gone", handler), "handler");
    ok(VipCreatePtag(nic, &tag), "tag");
    ma.Ptag = tag;
    ma.EnableRdmaWrite = VIP_FALSE;
    ma.EnableRdmaRead = VIP_FALSE;
    ok(VipRegisterMem(nic, arena, sizeof(arena), &ma, &handle), "register");
    memset(&va, 0, sizeof(va));
    va.ReliabilityLevel = VIP_SERVICE_RELIABLE_DELIVERY;
    va.MaxTransferSize = 32768;
    va.Ptag = tag;
    ok(VipCreateVi(nic, &va, NULL, NULL, &vi), "vi");
    credit_desc = (VIP_DESCRIPTOR*)aligned;
    data_desc = (long_desc_t*)(aligned + 64);
    data = aligned + 64 + 640;
}

/* Every other piece of the data, so that the segments do not lie side by side. */
static void
make_long(void)
{
    VIP_DESCRIPTOR_SEGMENT* segment = data_desc->head.DS;
    int i;

    memset(data_desc, 0, sizeof(*data_desc));
    for (i = 0; i < PIECES; i++)
    {
        segment[i].Local.Data.Address = data + 2 * i * PIECE;
        segment[i].Local.Handle = handle;
        segment[i].Local.Length = PIECE;
    }
    data_desc->head.CS.SegCount = PIECES;
    data_desc->head.CS.Length = PIECES * PIECE;
}

static void
make_credit(void)
{
    memset(credit_desc, 0, sizeof(*credit_desc));
    credit_desc->CS.SegCount = 0;
    credit_desc->CS.Length = 0;
    credit_desc->CS.Control = VIP_CONTROL_OP_SENDRECV | VIP_CONTROL_IMMEDIATE;
    credit_desc->CS.ImmediateData = 1;
}

static void
join(int rank)
{
    struct
    {
        VIP_NET_ADDRESS address;
        char room[32];
    } here, there;

    struct
    {
        int channel;
    } disc = {5};

    VIP_VI_ATTRIBUTES va;
    VIP_CONN_HANDLE conn;
    VIP_RETURN code;

    ok(VipNSInit(nic, NULL), "names");
    ok(VipNSGetHostByName(nic, rank ? (char*)"n1" : (char*)"n0", &here.address, 0), "name");
    ok(VipNSGetHostByName(nic, rank ? (char*)"n0" : (char*)"n1", &there.address, 0), "name");
    here.address.DiscriminatorLen = there.address.DiscriminatorLen = sizeof(disc);
    memcpy((char*)&here + 4 + here.address.HostAddressLen, &disc, sizeof(disc));
    memcpy((char*)&there + 4 + there.address.HostAddressLen, &disc, sizeof(disc));
    if (rank == 0)
    {
        ok(VipConnectWait(nic, &here.address, VIP_INFINITE, &there.address, &va, &conn), "wait");
        ok(VipConnectAccept(conn, vi), "accept");
        return;
    }
    do
    {
        code = VipConnectRequest(vi, &here.address, &there.address, VIP_INFINITE, &va);
    } while (code == VIP_NO_MATCH);
    ok(code, "request");
}

/* Sends a message for each credit that comes. */
static void
produce(void)
{
    VIP_DESCRIPTOR* done;
    int i;

    for (i = 0; i < MESSAGES; i++)
    {
        ok(VipRecvWait(vi, VIP_INFINITE, &done), "credit");
        make_credit();
        ok(VipPostRecv(vi, credit_desc, handle), "post credit");
        memset(data, 'a' + i, 2 * PIECES * PIECE);
        make_long();
        ok(VipPostSend(vi, &data_desc->head, handle), "send");
        ok(VipSendWait(vi, VIP_INFINITE, &done), "sent");
    }
}

static void
consume(void)
{
    VIP_DESCRIPTOR* done;
    int i;

    for (i = 0; i < MESSAGES; i++)
    {
        make_long();
        ok(VipPostRecv(vi, &data_desc->head, handle), "post");
        make_credit();
        ok(VipPostSend(vi, credit_desc, handle), "credit");
        ok(VipSendWait(vi, VIP_INFINITE, &done), "sent");
        ok(VipRecvWait(vi, VIP_INFINITE, &done), "receive");
        printf("%d bytes of %c, between them %d\n", (int)done->CS.Length, data[0], data[PIECE]);
    }
}

int
main(int argc, char** argv)
{
    int rank = argc > 1 ? atoi(argv[1]) : 0;
    VIP_DESCRIPTOR* done;

    start();
    if (rank == 0)
    {
        join(rank);
        consume();
        VipDisconnect(vi);
        return 0;
    }
    make_credit();
    ok(VipPostRecv(vi, credit_desc, handle), "post credit");
    join(rank);
    produce();
    for (;;)
    {
        VipRecvDone(vi, &done); /* until the handler says that there is nobody */
    }
}
