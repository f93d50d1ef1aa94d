/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
// A client in the style of a storage benchmark of 1998 (C++98): discriminators as long as the NIC
// allows, a loop of CQDone and QueryVi that notices when the peer has gone, waits that are repeated
// when time or resources ran out, and an end in which every call must succeed.
//
// usage: client-benchmark server|client HOST

#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <vipl.h>

#define RETRY_DELAY 50
#define MESSAGES 10
#define SIZE 512

class VINic
{
  public:
    explicit VINic(const char* name);
    void Close();
    void Address(const char* host, char* buffer) const;

    VIP_NIC_HANDLE nic_handle;
    VIP_NIC_ATTRIBUTES nic_attributes;
    VIP_PROTECTION_HANDLE ptag;
};

class VI
{
  public:
    VI(VINic* owner, VIP_CQ_HANDLE cq);
    void Accept(const char* host);
    void Request(const char* from, const char* to);
    bool IsConnected() const;
    void Post(bool receive, int i);
    void CloseDown();

    VIP_VI_HANDLE vi_handle;

  private:
    VINic* nic;
    VIP_MEM_HANDLE mem_handle;
    char* memory;
    VIP_DESCRIPTOR* descriptors;
};

static void
Error(const char* what, VIP_RETURN result)
{
    if (result != VIP_SUCCESS)
    {
        std::printf("*** %s: %d\n", what, static_cast<int>(result));
        std::exit(1);
    }
}

VINic::VINic(const char* name)
{
    Error("open", VipOpenNic(name, &nic_handle));
    Error("query", VipQueryNic(nic_handle, &nic_attributes));
    Error("ptag", VipCreatePtag(nic_handle, &ptag));
    Error("names", VipNSInit(nic_handle, NULL));
}

void
VINic::Close()
{
    Error("destroy ptag", VipDestroyPtag(nic_handle, ptag));
    Error("names down", VipNSShutdown(nic_handle));
    Error("close", VipCloseNic(nic_handle));
}

void
VINic::Address(const char* host, char* buffer) const
{
    VIP_NET_ADDRESS* address = (VIP_NET_ADDRESS*)buffer;

    Error("name", VipNSGetHostByName(nic_handle, (VIP_CHAR*)host, address, 0));
    address->DiscriminatorLen = nic_attributes.MaxDiscriminatorLen;
    memset(address->HostAddress + address->HostAddressLen, 'i', address->DiscriminatorLen);
}

VI::VI(VINic* owner, VIP_CQ_HANDLE cq)
    : nic(owner)
{
    VIP_VI_ATTRIBUTES attributes;
    VIP_MEM_ATTRIBUTES mem_attributes;

    memory = static_cast<char*>(std::malloc((2 * MESSAGES + 1) * (64 + SIZE)));
    memory += 64 - reinterpret_cast<VIP_ULONG>(memory) % 64;
    descriptors = reinterpret_cast<VIP_DESCRIPTOR*>(memory);
    mem_attributes.Ptag = nic->ptag;
    mem_attributes.EnableRdmaRead = mem_attributes.EnableRdmaWrite = VIP_FALSE;
    Error("register",
          VipRegisterMem(nic->nic_handle,
                         memory,
                         2 * MESSAGES * (64 + SIZE),
                         &mem_attributes,
                         &mem_handle));
    attributes.ReliabilityLevel = VIP_SERVICE_RELIABLE_DELIVERY;
    attributes.MaxTransferSize = nic->nic_attributes.MaxTransferSize;
    attributes.QoS = NULL;
    attributes.Ptag = nic->ptag;
    attributes.EnableRdmaRead = attributes.EnableRdmaWrite = VIP_FALSE;
    Error("create", VipCreateVi(nic->nic_handle, &attributes, cq, cq, &vi_handle));
}

void
VI::Accept(const char* host)
{
    char local[300];
    char remote[300];
    VIP_VI_ATTRIBUTES attributes;
    VIP_CONN_HANDLE connection;
    VIP_RETURN result;

    nic->Address(host, local);
    do
    {
        result = VipConnectWait(nic->nic_handle,
                                (VIP_NET_ADDRESS*)local,
                                RETRY_DELAY,
                                (VIP_NET_ADDRESS*)remote,
                                &attributes,
                                &connection);
    } while (result == VIP_TIMEOUT || result == VIP_ERROR_RESOURCE);
    Error("wait", result);
    Error("accept", VipConnectAccept(connection, vi_handle));
}

void
VI::Request(const char* from, const char* to)
{
    char local[300];
    char remote[300];
    VIP_VI_ATTRIBUTES attributes;
    VIP_RETURN result;

    nic->Address(from, local);
    nic->Address(to, remote);
    do
    {
        result = VipConnectRequest(vi_handle,
                                   (VIP_NET_ADDRESS*)local,
                                   (VIP_NET_ADDRESS*)remote,
                                   RETRY_DELAY,
                                   &attributes);
    } while (result == VIP_NO_MATCH || result == VIP_TIMEOUT || result == VIP_REJECT);
    Error("request", result);
}

bool
VI::IsConnected() const
{
    VIP_VI_STATE state;
    VIP_VI_ATTRIBUTES attributes;
    VIP_BOOLEAN send_empty;
    VIP_BOOLEAN recv_empty;

    Error("query", VipQueryVi(vi_handle, &state, &attributes, &send_empty, &recv_empty));
    return state == VIP_STATE_CONNECTED;
}

void
VI::Post(bool receive, int i)
{
    int slot = receive ? i : MESSAGES + i;
    VIP_DESCRIPTOR* descriptor = descriptors + slot;

    memset(descriptor, 0, sizeof(VIP_DESCRIPTOR));
    descriptor->CS.SegCount = 1;
    descriptor->CS.Control = VIP_CONTROL_OP_SENDRECV;
    descriptor->CS.Length = i == 0 && !receive ? 0 : SIZE; // the first message is empty
    descriptor->DS[0].Local.Data.Address = memory + 2 * MESSAGES * 64 + slot * SIZE;
    descriptor->DS[0].Local.Handle = mem_handle;
    descriptor->DS[0].Local.Length = descriptor->CS.Length;
    Error("post",
          receive ? VipPostRecv(vi_handle, descriptor, mem_handle)
                  : VipPostSend(vi_handle, descriptor, mem_handle));
}

void
VI::CloseDown()
{
    VIP_DESCRIPTOR* descriptor;
    VIP_VI_HANDLE handle = vi_handle;

    Error("disconnect", VipDisconnect(handle));
    do // what is outstanding is complete now, and an empty queue gives no descriptor
    {
        VipRecvDone(handle, &descriptor);
    } while (descriptor);
    do
    {
        VipSendDone(handle, &descriptor);
    } while (descriptor);
    Error("destroy", VipDestroyVi(handle));
    Error("deregister", VipDeregisterMem(nic->nic_handle, memory, mem_handle));
}

static void
Serve(VI* vi, VIP_CQ_HANDLE cq)
{
    VIP_VI_HANDLE handle;
    VIP_DESCRIPTOR* descriptor;
    VIP_BOOLEAN receive;
    int received = 0;
    unsigned long bytes = 0;

    for (int i = 0; i < MESSAGES; i++)
    {
        vi->Post(true, i);
    }
    vi->Accept("n0");
    while (received < MESSAGES || vi->IsConnected())
    {
        if (VipCQDone(cq, &handle, &receive) != VIP_SUCCESS)
        {
            continue;
        }
        while (VipRecvDone(handle, &descriptor) == VIP_NOT_DONE)
        {
        }
        received++;
        bytes += descriptor->CS.Length;
    }
    std::printf("received %d messages, %lu bytes; the peer has gone\n", received, bytes);
}

static void
Load(VI* vi, VIP_CQ_HANDLE cq, const char* host)
{
    VIP_VI_HANDLE handle;
    VIP_DESCRIPTOR* descriptor;
    VIP_BOOLEAN receive;
    int sent = 0;

    vi->Request("n1", host);
    for (int i = 0; i < MESSAGES; i++)
    {
        vi->Post(false, i);
    }
    vi->Post(true, 0); // never filled
    while (sent < MESSAGES)
    {
        if (VipCQWait(cq, RETRY_DELAY, &handle, &receive) == VIP_SUCCESS)
        {
            Error("send", VipSendDone(handle, &descriptor));
            sent++;
        }
    }
}

int
main(int argc, char** argv)
{
    VINic nic("VINIC0");
    VIP_CQ_HANDLE cq;

    Error("cq", VipCreateCQ(nic.nic_handle, 4 * MESSAGES, &cq));
    VI vi(&nic, cq);
    if (argc > 1 && std::strcmp(argv[1], "server") == 0)
    {
        Serve(&vi, cq);
    }
    else
    {
        Load(&vi, cq, argc > 2 ? argv[2] : "n0");
    }
    vi.CloseDown();
    Error("destroy cq", VipDestroyCQ(cq));
    nic.Close();
    std::printf("closed down\n");
    return 0;
}
