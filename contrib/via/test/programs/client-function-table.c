/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
/*
 * A client in the style of an MPI device for Giganet on NT: VIPL is called through a table of
 * pointers, structs are named by their tags, attributes are initialised by position, addresses are
 * six bytes in buffers of forty, VIs know their connection by user data, a queue grows while it is
 * used, descriptors are posted again as they came back, and acknowledgements are empty.
 *
 * usage: client-function-table RANK   with two processes
 */

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <vipl.h>

#define ROUNDS 12
#define PACKET 1024
#define ADDRESS_ROOM 40

typedef VIP_RETURN(VI_CALL* OpenNicFunction)(const VIP_CHAR*, VIP_NIC_HANDLE*);
typedef VIP_RETURN(VI_CALL* PostFunction)(VIP_VI_HANDLE, VIP_DESCRIPTOR*, VIP_MEM_HANDLE);
typedef VIP_RETURN(VI_CALL* CqWaitFunction)(VIP_CQ_HANDLE, VIP_ULONG, VIP_VI_HANDLE*, VIP_BOOLEAN*);
typedef VIP_RETURN(VI_CALL* ErrorCallbackFunction)(VIP_NIC_HANDLE, VIP_PVOID, VIP_ERROR_HANDLER);

static struct
{
    OpenNicFunction OpenNic;
    PostFunction PostSend;
    PostFunction PostRecv;
    CqWaitFunction CQWait;
    ErrorCallbackFunction ErrorCallback;
} vipl = {VipOpenNic, VipPostSend, VipPostRecv, VipCQWait, VipErrorCallback};

typedef struct
{
    int rank;
    int received;
    int sent;
    VIP_VI_HANDLE hVi;
} connection_t;

static VIP_NIC_HANDLE hNic;
static VIP_CQ_HANDLE hCq;
static VIP_MEM_HANDLE hMem;
static VIP_PROTECTION_HANDLE hTag;
static char* memory;
static int lost;

static DLLEXPORT void VI_CALL
OnError(VIP_PVOID context, struct _VIP_ERROR_DESCRIPTOR* error)
{
    if (error->ResourceCode != VIP_RESOURCE_VI || error->ErrorCode != VIP_ERROR_CONN_LOST)
    {
        printf("error %d\n", (int)error->ErrorCode);
        exit(1);
    }
    *(int*)context = 1;
}

static void
Check(VIP_RETURN result, const char* what)
{
    static const char* const names[] = {"SUCCESS",
                                        "NOT_DONE",
                                        "INVALID_PARAMETER",
                                        "ERROR_RESOURCE",
                                        "TIMEOUT",
                                        "REJECT",
                                        "INVALID_RELIABILITY_LEVEL",
                                        "INVALID_MTU",
                                        "INVALID_QOS",
                                        "INVALID_PTAG",
                                        "INVALID_RDMAREAD",
                                        "DESCRIPTOR_ERROR",
                                        "INVALID_STATE",
                                        "ERROR_NAMESERVICE",
                                        "NO_MATCH",
                                        "NOT_REACHABLE",
                                        "ERROR_NOT_SUPPORTED"};

    if (result != VIP_SUCCESS)
    {
        printf("%s: VIP_%s\n", what, names[result]);
        exit(1);
    }
}

static VIP_DESCRIPTOR*
Packet(int i)
{
    return (VIP_DESCRIPTOR*)(memory + i * (64 + PACKET));
}

static void
Describe(VIP_DESCRIPTOR* d, VIP_UINT32 length)
{
    memset((struct _VIP_DESCRIPTOR*)d, 0, sizeof(struct _VIP_DESCRIPTOR));
    d->Control.Control = VIP_CONTROL_OP_SENDRECV;
    d->Control.SegCount = length > 0;
    d->Control.Length = length;
    d->Data[0].Data.Address = d + 1;
    d->Data[0].Handle = hMem;
    d->Data[0].Length = length;
}

static void
Open(connection_t* connection)
{
    struct _VIP_NIC_ATTRIBUTES nic;
    VIP_VI_ATTRIBUTES attributes = {VIP_SERVICE_RELIABLE_DELIVERY, 32768, 0, 0, 0, 0};
    VIP_MEM_ATTRIBUTES region = {0, VIP_FALSE, VIP_FALSE};

    Check(vipl.OpenNic("\\\\.\\VI1", &hNic), "VipOpenNic");
    Check(VipQueryNic(hNic, (VIP_NIC_ATTRIBUTES*)&nic), "VipQueryNic");
    if (nic.NicAddressLen != 6)
    {
        printf("addresses of %d bytes\n", (int)nic.NicAddressLen);
        exit(1);
    }
    Check(vipl.ErrorCallback(hNic, &lost, OnError), "VipErrorCallback");
    Check(VipCreatePtag(hNic, &hTag), "VipCreatePtag");
    attributes.Ptag = region.Ptag = hTag;
    memory = (char*)malloc(5 * (64 + PACKET));
    memory += 64 - (VIP_ULONG)memory % 64;
    Check(VipRegisterMem(hNic, memory, 4 * (64 + PACKET), &region, &hMem), "VipRegisterMem");
    Check(VipCreateCQ(hNic, 2, &hCq), "VipCreateCQ");
    Check(VipCreateVi(hNic, (struct _VIP_VI_ATTRIBUTES*)&attributes, hCq, hCq, &connection->hVi),
          "VipCreateVi");
    VipSetUserData(connection->hVi, connection);
}

static void
MakeAddress(char* buffer, int rank, const char* text)
{
    struct _VIP_NET_ADDRESS* address = (struct _VIP_NET_ADDRESS*)buffer;
    char name[16];

    sprintf(name, "n%d", rank);
    memset(buffer, 0, ADDRESS_ROOM);
    Check(VipNSInit(hNic, NULL), "VipNSInit"); /* each time */
    Check(VipNSGetHostByName(hNic, name, address, 0), "VipNSGetHostByName");
    address->HostAddressLen = 6;
    address->DiscriminatorLen = (VIP_UINT16)strlen(text);
    memcpy(&address->HostAddress[6], text, strlen(text));
}

static void
Connect(connection_t* connection)
{
    char local[ADDRESS_ROOM];
    char remote[ADDRESS_ROOM];
    struct _VIP_VI_ATTRIBUTES attributes;
    VIP_CONN_HANDLE hConn;
    VIP_RETURN result;

    MakeAddress(local, connection->rank, "mpi.rank.0123");
    MakeAddress(remote, !connection->rank, "mpi.rank.0123");
    if (connection->rank == 0)
    {
        Check(VipConnectWait(hNic,
                             (struct _VIP_NET_ADDRESS*)local,
                             10000,
                             (struct _VIP_NET_ADDRESS*)remote,
                             &attributes,
                             &hConn),
              "VipConnectWait");
        Check(VipConnectAccept(hConn, connection->hVi), "VipConnectAccept");
        return;
    }
    do
    {
        result = VipConnectRequest(connection->hVi,
                                   (struct _VIP_NET_ADDRESS*)local,
                                   (struct _VIP_NET_ADDRESS*)remote,
                                   10000,
                                   &attributes);
    } while (result == VIP_NO_MATCH);
    Check(result, "VipConnectRequest");
}

static void
Send(connection_t* connection, VIP_UINT32 length)
{
    Describe(Packet(2), length);
    Check(vipl.PostSend(connection->hVi, Packet(2), hMem), "VipPostSend");
}

/* One entry of the queue: a packet that came is posted again as it is, its status not cleared. */
static void
Progress(void)
{
    struct _VIP_DESCRIPTOR* d;
    connection_t* connection;
    VIP_VI_HANDLE hVi;
    VIP_BOOLEAN bRecv;

    Check(vipl.CQWait(hCq, 10000, &hVi, &bRecv), "VipCQWait");
    connection = (connection_t*)VipGetUserData(hVi);
    if (!bRecv)
    {
        Check(VipSendDone(hVi, &d), "VipSendDone");
        connection->sent++;
        return;
    }
    Check(VipRecvDone(hVi, &d), "VipRecvDone");
    connection->received++;
    d->Control.Length = PACKET;
    Check(vipl.PostRecv(hVi, d, hMem), "VipPostRecv");
}

static void
Exchange(connection_t* connection)
{
    int i;

    for (i = 1; i <= ROUNDS; i++)
    {
        if (connection->rank == 1)
        {
            Send(connection, 100 * i > PACKET ? PACKET : 100 * i);
        }
        while (connection->received < i)
        {
            Progress();
        }
        if (connection->rank == 0)
        {
            Send(connection, 0); /* the acknowledgement */
        }
        while (connection->sent < i)
        {
            Progress();
        }
        if (i == ROUNDS / 2)
        {
            Check(VipResizeCQ(hCq, 64), "VipResizeCQ");
        }
    }
}

int
main(int argc, char** argv)
{
    connection_t connection = {0, 0, 0, 0};
    VIP_DESCRIPTOR* flushed = NULL;
    int i;

    connection.rank = argc > 1 ? atoi(argv[1]) : 0;
    Open(&connection);
    for (i = 0; i < 2; i++)
    {
        Describe(Packet(i), PACKET);
        Check(vipl.PostRecv(connection.hVi, Packet(i), hMem), "VipPostRecv");
    }
    Connect(&connection);
    Exchange(&connection);
    Check(VipDisconnect(connection.hVi), "VipDisconnect");
    while (VipRecvDone(connection.hVi, &flushed) == VIP_DESCRIPTOR_ERROR && flushed != NULL)
    {
    }
    Check(VipDestroyVi(connection.hVi), "VipDestroyVi");
    Check(VipDestroyCQ(hCq), "VipDestroyCQ");
    printf("%d received, %d sent\n", connection.received, connection.sent);
    return 0;
}
