/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
// Two ns-3 nodes with VIA NICs, and processes that connect to each other.

#include "via-test-two-nodes.h"

#include <cstring>
#include <deque>
#include <stdexcept>

namespace ns3
{
namespace via
{
namespace test
{

namespace
{

constexpr VIP_ULONG TIMEOUT_MS = 100;

/// A NIC may write to the memory of a process that was killed until it has heard of that.
Line::Room*
NewRoom()
{
    static std::deque<Line::Room> rooms;
    rooms.emplace_back();
    return &rooms.back();
}

void
Must(VIP_RETURN result, const char* call)
{
    if (result != VIP_SUCCESS)
    {
        throw std::runtime_error(std::string(call) + " returned " + std::to_string(result));
    }
}

union NetAddress {
    VIP_NET_ADDRESS net;
    char room[64];
};

NetAddress
AddressOf(VIP_NIC_HANDLE nic, std::string host)
{
    NetAddress address{};
    address.net.HostAddressLen = 16;
    Must(VipNSGetHostByName(nic, host.data(), &address.net, 0), "VipNSGetHostByName");
    address.net.DiscriminatorLen = 1;
    return address;
}

} // namespace

Line::Line()
    : m_room(NewRoom())
{
    std::string device = "nic0";
    Must(VipOpenNic(device.data(), &nic), "VipOpenNic");
    Must(VipNSInit(nic, nullptr), "VipNSInit");
    Must(VipCreatePtag(nic, &tag), "VipCreatePtag");
    VIP_MEM_ATTRIBUTES region{};
    region.Ptag = tag;
    Must(VipRegisterMem(nic, m_room, sizeof(Room), &region, &memory), "VipRegisterMem");
    VIP_VI_ATTRIBUTES attributes{};
    attributes.ReliabilityLevel = VIP_SERVICE_RELIABLE_DELIVERY;
    attributes.MaxTransferSize = sizeof(Room::data);
    attributes.Ptag = tag;
    Must(VipCreateVi(nic, &attributes, nullptr, nullptr, &vi), "VipCreateVi");
    Must(VipPostRecv(vi, Describe(m_room->receive, sizeof(Room::data)), memory), "VipPostRecv");
}

VIP_DESCRIPTOR*
Line::Describe(VIP_DESCRIPTOR& descriptor, VIP_UINT32 length)
{
    std::memset(&descriptor, 0, sizeof(descriptor));
    descriptor.CS.Control = VIP_CONTROL_OP_SENDRECV;
    descriptor.CS.SegCount = 1;
    descriptor.CS.Length = length;
    descriptor.DS[0].Local.Data.Address = m_room->data.data();
    descriptor.DS[0].Local.Handle = memory;
    descriptor.DS[0].Local.Length = length;
    return &descriptor;
}

void
Line::Request()
{
    NetAddress local = AddressOf(nic, "n0");
    NetAddress remote = AddressOf(nic, "n1");
    VIP_VI_ATTRIBUTES attributes;
    VIP_RETURN result = VIP_NO_MATCH;
    while (result == VIP_NO_MATCH)
    {
        result = VipConnectRequest(vi, &local.net, &remote.net, TIMEOUT_MS, &attributes);
    }
    Must(result, "VipConnectRequest");
}

void
Line::Accept()
{
    NetAddress local = AddressOf(nic, "n1");
    NetAddress remote{};
    VIP_VI_ATTRIBUTES attributes;
    VIP_CONN_HANDLE request{};
    Must(VipConnectWait(nic, &local.net, TIMEOUT_MS, &remote.net, &attributes, &request),
         "VipConnectWait");
    Must(VipConnectAccept(request, vi), "VipConnectAccept");
}

void
Line::Send(VIP_UINT32 length)
{
    Must(VipPostSend(vi, Describe(m_room->send, length), memory), "VipPostSend");
    VIP_DESCRIPTOR* done = nullptr;
    Must(VipSendWait(vi, VIP_INFINITE, &done), "VipSendWait");
}

VIP_RETURN
Line::Receive()
{
    VIP_DESCRIPTOR* done = nullptr;
    const VIP_RETURN result = VipRecvWait(vi, VIP_INFINITE, &done);
    status = done == nullptr ? 0 : done->CS.Status;
    return result;
}

VIP_VI_STATE
Line::State() const
{
    VIP_VI_STATE state{};
    VIP_VI_ATTRIBUTES attributes;
    VIP_BOOLEAN sendEmpty;
    VIP_BOOLEAN receiveEmpty;
    Must(VipQueryVi(vi, &state, &attributes, &sendEmpty, &receiveEmpty), "VipQueryVi");
    return state;
}

int
SendOne()
{
    Line line;
    line.Request();
    line.Send(8);
    return 0;
}

int
ReceiveOne()
{
    Line line;
    line.Accept();
    return line.Receive() == VIP_SUCCESS ? 0 : 1;
}

} // namespace test
} // namespace via
} // namespace ns3
