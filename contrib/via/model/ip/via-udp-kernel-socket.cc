/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
// A socket for simulated processes over UDP: a datagram for each message.

#include "via-udp-kernel-socket.h"

#include "ns3/abort.h"
#include "ns3/inet-socket-address.h"
#include "ns3/uinteger.h"

namespace ns3
{
namespace via
{

UdpKernelSocket::UdpKernelSocket(Ptr<ViaIpDevice> device, std::uint16_t port)
    : KernelSocket(device, port),
      m_socket(NewSocket("ns3::UdpSocketFactory"))
{
    m_socket->SetAttribute("RcvBufSize", UintegerValue(device->GetKernel()->Costs().udpBuffer));
    m_socket->Bind(InetSocketAddress(Ipv4Address::GetAny(), port));
    m_socket->SetRecvCallback(MakeCallback(&UdpKernelSocket::OnReceive, this));
}

UdpKernelSocket::~UdpKernelSocket()
{
    m_socket->SetRecvCallback(MakeNullCallback<void, Ptr<Socket>>());
    if (m_device->HasCrashed())
    {
        m_socket->Close(); // frees the port for a restarted program
    }
}

void
UdpKernelSocket::Send(Process& process,
                      const KernelPeer& to,
                      const std::uint8_t* bytes,
                      std::uint32_t length)
{
    NS_ABORT_MSG_IF(length > MOST_BYTES, "a datagram of " << length << " bytes");
    process.Spend(Stage::SYSTEM_CALL, process.GetHost().Costs().systemCall);
    PayCall(process, true, length);
    const Ptr<ns3::Packet> packet = Create<ns3::Packet>(bytes, length);
    InKernel(process, [this, packet, &to] {
        m_socket->SendTo(packet, 0, InetSocketAddress(to.address, to.port));
    });
}

void
UdpKernelSocket::OnReceive(Ptr<Socket>)
{
    m_arrivals.push_back(OnData());
}

void
UdpKernelSocket::Read(Process& process)
{
    Address from;
    const Ptr<ns3::Packet> packet = m_socket->RecvFrom(from);
    if (packet == nullptr)
    {
        return;
    }
    FollowArrival(process, m_arrivals.front());
    m_arrivals.pop_front();
    PayCall(process, false, packet->GetSize());
    const InetSocketAddress sender = InetSocketAddress::ConvertFrom(from);
    KernelMessage message{{sender.GetIpv4(), sender.GetPort()}, {}};
    message.bytes.resize(packet->GetSize());
    packet->CopyData(message.bytes.data(), packet->GetSize());
    Queue(std::move(message));
}

} // namespace via
} // namespace ns3
