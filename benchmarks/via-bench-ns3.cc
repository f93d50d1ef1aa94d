/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
// The reference: the same exchanges on ns-3's own point-to-point devices, in a star around a hub.

#include "via-bench-case.h"

#include "ns3/config.h"
#include "ns3/global-value.h"
#include "ns3/net-device-container.h"
#include "ns3/node-container.h"
#include "ns3/node.h"
#include "ns3/point-to-point-helper.h"
#include "ns3/point-to-point-net-device.h"
#include "ns3/simulator.h"
#include "ns3/string.h"
#include "ns3/uinteger.h"

#include <cstring>
#include <vector>

namespace ns3
{
namespace via
{
namespace bench
{

namespace
{

constexpr std::uint16_t PROTOCOL = 0x0800; // one of the two protocols of ns-3's PPP header

/**
 * @brief Hosts on point-to-point links around one forwarding node: no IP, no queue limits.
 *
 * The cheapest message exchange with ns-3's stock devices. The payload is real: packets carry its
 * bytes, and the receiver copies them out. Its first 8 bytes are the address.
 */
class Star
{
  public:
    struct Header
    {
        std::uint16_t to;
        std::uint16_t step;
        std::uint32_t round;
    };

    Star(std::uint32_t hosts, std::uint32_t bytes)
        : m_out(bytes),
          m_in(bytes)
    {
        m_nodes.Create(hosts);
        m_hub.Create(1);
        PointToPointHelper links;
        links.SetDeviceAttribute("DataRate", StringValue("10Gbps"));
        links.SetDeviceAttribute("Mtu", UintegerValue(9000));
        links.SetChannelAttribute("Delay", StringValue("500ns"));
        links.SetQueue("ns3::DropTailQueue", "MaxSize", StringValue("1000000p"));
        for (std::uint32_t host = 0; host < hosts; ++host)
        {
            const NetDeviceContainer ends = links.Install(m_nodes.Get(host), m_hub.Get(0));
            m_hosts.push_back(ends.Get(0));
            m_ports.push_back(ends.Get(1));
            ends.Get(0)->SetReceiveCallback(MakeCallback(&Star::Arrive, this));
            ends.Get(1)->SetReceiveCallback(MakeCallback(&Star::Forward, this));
        }
    }

    virtual ~Star() = default;

    std::uint64_t Messages() const
    {
        return m_messages;
    }

    /// Sends the first messages.
    virtual void Start() = 0;

  protected:
    void Send(std::uint32_t from, const Header& header)
    {
        std::memcpy(m_out.data(), &header, sizeof(header));
        const Ptr<NetDevice>& device = m_hosts[from];
        device->Send(Create<Packet>(m_out.data(), static_cast<std::uint32_t>(m_out.size())),
                     device->GetBroadcast(),
                     PROTOCOL);
    }

    /// Handles a message at host @p header.to.
    virtual void Deliver(const Header& header) = 0;

    std::uint32_t Hosts() const
    {
        return static_cast<std::uint32_t>(m_hosts.size());
    }

  private:
    bool Forward(Ptr<NetDevice>, Ptr<const Packet> packet, std::uint16_t, const Address&)
    {
        Header header;
        packet->CopyData(reinterpret_cast<std::uint8_t*>(&header), sizeof(header));
        const Ptr<NetDevice>& port = m_ports[header.to];
        return port->Send(packet->Copy(), port->GetBroadcast(), PROTOCOL);
    }

    bool Arrive(Ptr<NetDevice>, Ptr<const Packet> packet, std::uint16_t, const Address&)
    {
        packet->CopyData(m_in.data(), static_cast<std::uint32_t>(m_in.size()));
        Header header;
        std::memcpy(&header, m_in.data(), sizeof(header));
        ++m_messages;
        Deliver(header);
        return true;
    }

    NodeContainer m_nodes;
    NodeContainer m_hub;
    std::vector<Ptr<NetDevice>> m_hosts;
    std::vector<Ptr<NetDevice>> m_ports; ///< ports of the hub, by host
    std::vector<std::uint8_t> m_out;
    std::vector<std::uint8_t> m_in;
    std::uint64_t m_messages{0};
};

class PingPongStar final : public Star
{
  public:
    explicit PingPongStar(const Case& one)
        : Star(2, one.bytes),
          m_rounds(one.rounds)
    {
    }

    void Start() override
    {
        Send(0, {1, 0, 0});
    }

  private:
    void Deliver(const Header& header) override
    {
        if (header.to == 1)
        {
            Send(1, {0, 0, header.round});
        }
        else if (header.round + 1 < m_rounds)
        {
            Send(0, {1, 0, header.round + 1});
        }
    }

    std::uint64_t m_rounds;
};

class BarrierStar final : public Star
{
  public:
    explicit BarrierStar(const Case& one)
        : Star(one.nodes, one.bytes),
          m_rounds(one.rounds),
          m_steps(BarrierSteps(one.nodes)),
          m_members(one.nodes),
          m_heard(one.nodes * m_steps)
    {
    }

    void Start() override
    {
        for (std::uint32_t rank = 0; rank < Hosts(); ++rank)
        {
            Tell(rank);
        }
    }

  private:
    struct Member
    {
        std::uint64_t round{0};
        std::uint32_t step{0};
    };

    void Tell(std::uint32_t rank)
    {
        const Member& member = m_members[rank];
        Send(rank,
             {static_cast<std::uint16_t>((rank + (1U << member.step)) % Hosts()),
              static_cast<std::uint16_t>(member.step),
              static_cast<std::uint32_t>(member.round)});
    }

    void Deliver(const Header& header) override
    {
        Member& member = m_members[header.to];
        ++m_heard[header.to * m_steps + header.step];
        while (m_heard[header.to * m_steps + member.step] > member.round)
        {
            if (++member.step == m_steps)
            {
                member.step = 0;
                if (++member.round == m_rounds)
                {
                    return;
                }
            }
            Tell(header.to);
        }
    }

    std::uint64_t m_rounds;
    std::uint32_t m_steps;
    std::vector<Member> m_members;
    std::vector<std::uint64_t> m_heard; ///< number of messages, by rank and step
};

class AllToAllStar final : public Star
{
  public:
    explicit AllToAllStar(const Case& one)
        : Star(one.nodes, one.bytes),
          m_rounds(one.rounds),
          m_received(one.nodes)
    {
    }

    void Start() override
    {
        for (std::uint32_t rank = 0; rank < Hosts(); ++rank)
        {
            SendAll(rank);
        }
    }

  private:
    void SendAll(std::uint32_t rank)
    {
        for (std::uint32_t i = 1; i < Hosts(); ++i)
        {
            Send(rank, {static_cast<std::uint16_t>((rank + i) % Hosts()), 0, 0});
        }
    }

    void Deliver(const Header& header) override
    {
        const std::uint64_t received = ++m_received[header.to];
        const std::uint64_t perRound = Hosts() - 1;
        if (received % perRound == 0 && received / perRound < m_rounds)
        {
            SendAll(header.to);
        }
    }

    std::uint64_t m_rounds;
    std::vector<std::uint64_t> m_received;
};

std::unique_ptr<Star>
MakeStar(const Case& one)
{
    switch (one.exchange)
    {
    case Exchange::PING_PONG:
        return std::make_unique<PingPongStar>(one);
    case Exchange::BARRIER:
        return std::make_unique<BarrierStar>(one);
    case Exchange::ALL_TO_ALL:
        return std::make_unique<AllToAllStar>(one);
    }
    return nullptr;
}

} // namespace

Outcome
RunNs3(const Case& one, const std::string& scheduler)
{
    GlobalValue::Bind("SchedulerType", StringValue("ns3::" + scheduler));
    const std::unique_ptr<Star> star = MakeStar(one);
    Simulator::ScheduleNow(&Star::Start, star.get());
    const std::uint64_t eventsBefore = Simulator::GetEventCount();
    const double begin = CpuSeconds();
    Simulator::Run();
    Outcome outcome;
    outcome.cpuSeconds = CpuSeconds() - begin;
    outcome.messages = star->Messages();
    outcome.events = Simulator::GetEventCount() - eventsBefore;
    Simulator::Destroy();
    return outcome;
}

} // namespace bench
} // namespace via
} // namespace ns3
