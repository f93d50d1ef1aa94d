/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
// A socket for simulated processes over UDP: a datagram for each message.

#include "via-udp-kernel-socket.h"

#include "ns3/abort.h"
#include "ns3/inet-socket-address.h"
#include "ns3/tag.h"
#include "ns3/uinteger.h"

namespace ns3
{
namespace via
{

namespace
{

/// What a datagram carries beside its bytes. IP copies it to all fragments.
class OriginTag final : public Tag
{
  public:
    static TypeId GetTypeId()
    {
        static TypeId tid = TypeId("ns3::via::OriginTag")
                                .SetParent<Tag>()
                                .SetGroupName("Via")
                                .AddConstructor<OriginTag>();
        return tid;
    }

    TypeId GetInstanceTypeId() const override
    {
        return GetTypeId();
    }

    std::uint32_t GetSerializedSize() const override
    {
        return 2 * sizeof(std::uint64_t) + 3 * sizeof(std::uint32_t);
    }

    void Serialize(TagBuffer buffer) const override
    {
        buffer.WriteU64(static_cast<std::uint64_t>(origin.posted));
        buffer.WriteU64(static_cast<std::uint64_t>(origin.programFrom));
        buffer.WriteU32(origin.program);
        buffer.WriteU32(origin.rank);
        buffer.WriteU32(origin.sequence);
    }

    void Deserialize(TagBuffer buffer) override
    {
        origin.posted = static_cast<Ps>(buffer.ReadU64());
        origin.programFrom = static_cast<Ps>(buffer.ReadU64());
        origin.program = buffer.ReadU32();
        origin.rank = buffer.ReadU32();
        origin.sequence = buffer.ReadU32();
    }

    void Print(std::ostream& stream) const override
    {
        stream << "message " << origin.sequence << " of process " << origin.rank;
    }

    MessageOrigin origin;
};

// on the way a tag is bytes, and this host may never have made one
NS_OBJECT_ENSURE_REGISTERED(OriginTag);

} // namespace

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
    if (const auto stamp = std::exchange(m_stamp, std::nullopt))
    {
        OriginTag tag;
        tag.origin = *stamp;
        packet->AddPacketTag(tag);
    }
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
    OriginTag tag;
    m_stamped.reset();
    if (packet->PeekPacketTag(tag))
    {
        m_stamped = tag.origin;
    }
    KernelMessage message{{sender.GetIpv4(), sender.GetPort()}, {}};
    message.bytes.resize(packet->GetSize());
    packet->CopyData(message.bytes.data(), packet->GetSize());
    Queue(std::move(message));
}

} // namespace via
} // namespace ns3
