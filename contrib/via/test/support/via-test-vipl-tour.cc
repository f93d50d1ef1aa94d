/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
// A tour of VIPL: a client and a server that make every call of the working core at least once.

#include "via-test-vipl-tour.h"

#include <cstddef>
#include <cstring>
#include <memory>
#include <stdexcept>
#include <vipl.h>

namespace ns3
{
namespace via
{
namespace test
{

namespace
{

constexpr VIP_ULONG PATIENCE_MS = 100;
constexpr VIP_UINT16 DISCRIMINATOR_BYTES = 4;
constexpr std::size_t PAGE = 4096;

void
Must(VIP_RETURN result, VIP_RETURN expected = VIP_SUCCESS)
{
    if (result != expected)
    {
        throw std::runtime_error("VIPL said " + std::to_string(result) + ", expected " +
                                 std::to_string(expected));
    }
}

/// Registered memory: page aligned, so that page counts do not depend on the heap.
struct alignas(PAGE) Memory
{
    VIP_DESCRIPTOR descriptors[8];
    char bytes[2 * PAGE - 8 * sizeof(VIP_DESCRIPTOR)];
};

union Address {
    VIP_NET_ADDRESS net;
    char room[64];
};

/// What client and server have in common.
class TourParty
{
  public:
    void Open(bool completionQueue)
    {
        VIP_NIC_ATTRIBUTES about;
        VIP_MEM_ATTRIBUTES rights;
        Must(VipOpenNic("/dev/clanvi0", &nic));
        Must(VipQueryNic(nic, &about));
        Must(VipNSInit(nic, nullptr));
        Must(VipCreatePtag(nic, &tag));
        rights = {tag, VIP_FALSE, VIP_FALSE};
        Must(VipRegisterMem(nic, memory.get(), sizeof(Memory), &rights, &handle));
        rights.EnableRdmaWrite = VIP_TRUE;
        Must(VipSetMemAttributes(nic, memory.get(), handle, &rights));
        Must(VipQueryMem(nic, memory.get(), handle, &rights));
        if (completionQueue)
        {
            Must(VipCreateCQ(nic, 4, &cq));
            Must(VipResizeCQ(cq, 8));
        }
        OpenVi();
    }

    void Close()
    {
        VIP_CHAR name[16];
        VIP_ULONG length = sizeof(name);
        Address address = AddressOf("n0");
        Must(VipNSGetHostByAddr(nic, &address.net, name, &length));
        Must(VipDisconnect(vi));
        Must(VipDestroyVi(vi));
        if (cq != nullptr)
        {
            Must(VipDestroyCQ(cq));
        }
        Must(VipDeregisterMem(nic, memory.get(), handle));
        Must(VipDestroyPtag(nic, tag));
        Must(VipNSShutdown(nic));
        Must(VipCloseNic(nic));
    }

    /// Address of the tour's server on host @p name.
    Address AddressOf(const char* name) const
    {
        Address address;
        std::memset(&address, 0, sizeof(address));
        Must(VipNSGetHostByName(nic, const_cast<char*>(name), &address.net, 0));
        address.net.DiscriminatorLen = DISCRIMINATOR_BYTES;
        std::memcpy(address.room + offsetof(VIP_NET_ADDRESS, HostAddress) +
                        address.net.HostAddressLen,
                    "tour",
                    DISCRIMINATOR_BYTES);
        return address;
    }

    /// A descriptor of @p segments pieces of @p bytes bytes each.
    VIP_DESCRIPTOR* Fill(std::uint32_t index, std::uint16_t segments, std::uint32_t bytes) const
    {
        VIP_DESCRIPTOR* descriptor = &memory->descriptors[index];
        std::memset(descriptor, 0, sizeof(*descriptor));
        descriptor->CS.SegCount = segments;
        descriptor->CS.Length = segments * bytes;
        for (std::uint16_t i = 0; i < segments; ++i)
        {
            descriptor->DS[i].Local.Data.Address = memory->bytes + (index + i) * 256;
            descriptor->DS[i].Local.Handle = handle;
            descriptor->DS[i].Local.Length = bytes;
        }
        return descriptor;
    }

    /// An RDMA write with immediate data into @p peer.
    VIP_DESCRIPTOR* FillRdmaWrite(std::uint32_t index, const TourParty& peer) const
    {
        VIP_DESCRIPTOR* descriptor = Fill(index, 2, 100);
        descriptor->CS.Length = 100;
        descriptor->CS.Control = VIP_CONTROL_OP_RDMAWRITE | VIP_CONTROL_IMMEDIATE;
        descriptor->CS.ImmediateData = 42;
        descriptor->DS[0].Remote.Data.Address = peer.memory->bytes + 3000;
        descriptor->DS[0].Remote.Handle = peer.handle;
        return descriptor;
    }

    std::unique_ptr<Memory> memory{std::make_unique<Memory>()};
    VIP_NIC_HANDLE nic{nullptr};
    VIP_PROTECTION_HANDLE tag{nullptr};
    VIP_MEM_HANDLE handle{0};
    VIP_CQ_HANDLE cq{nullptr};
    VIP_VI_HANDLE vi{nullptr};

  private:
    void OpenVi()
    {
        VIP_VI_ATTRIBUTES attributes{VIP_SERVICE_RELIABLE_DELIVERY,
                                     PAGE,
                                     nullptr,
                                     tag,
                                     VIP_FALSE,
                                     VIP_FALSE};
        VIP_VI_STATE state = VIP_STATE_ERROR;
        VIP_BOOLEAN sendEmpty = VIP_FALSE;
        VIP_BOOLEAN receiveEmpty = VIP_FALSE;
        Must(VipCreateVi(nic, &attributes, nullptr, cq, &vi));
        attributes.EnableRdmaWrite = VIP_TRUE;
        Must(VipSetViAttributes(vi, &attributes));
        Must(VipQueryVi(vi, &state, &attributes, &sendEmpty, &receiveEmpty));
    }
};

int
RunClient(const TourParty& server, TourParty& client)
{
    client.Open(false);
    Address here = client.AddressOf("n0");
    Address there = client.AddressOf("n1");
    VIP_VI_ATTRIBUTES attributes;
    VIP_DESCRIPTOR* done = nullptr;
    Must(VipPostRecv(client.vi, client.Fill(0, 2, 40), client.handle));
    Must(VipConnectRequest(client.vi, &here.net, &there.net, PATIENCE_MS, &attributes), VIP_REJECT);
    Must(VipConnectRequest(client.vi, &here.net, &there.net, PATIENCE_MS, &attributes));
    Must(VipPostSend(client.vi, client.Fill(2, 1, 1000), client.handle));
    Must(VipSendDone(client.vi, &done), VIP_NOT_DONE);
    while (VipSendDone(client.vi, &done) == VIP_NOT_DONE)
    {
    }
    Must(VipPostSend(client.vi, client.FillRdmaWrite(4, server), client.handle));
    Must(VipSendWait(client.vi, PATIENCE_MS, &done));
    Must(VipRecvWait(client.vi, PATIENCE_MS, &done));
    client.Close();
    return 0;
}

void
AcceptSecond(TourParty& server)
{
    Address here = server.AddressOf("n1");
    Address requester;
    VIP_VI_ATTRIBUTES attributes;
    VIP_CONN_HANDLE connection = nullptr;
    Must(VipConnectWait(server.nic,
                        &here.net,
                        PATIENCE_MS,
                        &requester.net,
                        &attributes,
                        &connection));
    Must(VipConnectReject(connection));
    Must(VipConnectWait(server.nic,
                        &here.net,
                        PATIENCE_MS,
                        &requester.net,
                        &attributes,
                        &connection));
    Must(VipConnectAccept(connection, server.vi));
}

int
RunServer(TourParty& server)
{
    server.Open(true);
    VIP_DESCRIPTOR* done = nullptr;
    VIP_VI_HANDLE vi = nullptr;
    VIP_BOOLEAN received = VIP_FALSE;
    Must(VipPostRecv(server.vi, server.Fill(0, 1, 1000), server.handle));
    Must(VipPostRecv(server.vi, server.Fill(1, 1, 0), server.handle));
    Must(VipCQDone(server.cq, &vi, &received), VIP_NOT_DONE);
    AcceptSecond(server);
    Must(VipCQWait(server.cq, PATIENCE_MS, &vi, &received));
    Must(VipRecvDone(server.vi, &done));
    while (VipCQDone(server.cq, &vi, &received) == VIP_NOT_DONE)
    {
    }
    Must(VipRecvDone(server.vi, &done));
    Must(done->CS.ImmediateData == 42 ? VIP_SUCCESS : VIP_DESCRIPTOR_ERROR);
    Must(VipPostSend(server.vi, server.Fill(4, 2, 40), server.handle));
    Must(VipSendWait(server.vi, PATIENCE_MS, &done));
    server.Close();
    return 0;
}

} // namespace

WorkloadRun
RunTour(const ClusterConfig& config)
{
    TourParty client;
    TourParty server;
    Cluster cluster(config);
    cluster.AddProcess(0, [&] { return RunClient(server, client); });
    cluster.AddProcess(1, [&] { return RunServer(server); });
    return Finish(cluster);
}

} // namespace test
} // namespace via
} // namespace ns3
