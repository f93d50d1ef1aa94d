/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
// Ping-pong between two ns-3 nodes with VIA NICs: processes written in C++, calling <vipl.h>.
//
//   +---- node 0 ----+          +--------+          +---- node 1 ----+
//   | ping           |          |        |          | pong           |
//   | NIC ========== | -------- | switch | -------- | ========== NIC |
//   +----------------+          +--------+          +----------------+
//
// Prints the one-way time of a message, and the digest of the run: the same number for everybody
// who runs this with the same arguments.

#include "ns3/core-module.h"
#include "ns3/network-module.h"
#include "ns3/via-module.h"

#include <cstring>
#include <iostream>
#include <memory>
#include <stdexcept>
#include <string>
#include <vipl.h>

using namespace ns3;
using namespace ns3::via;

namespace
{

constexpr VIP_ULONG TIMEOUT_MS = 1000;

/// A call that fails ends its process: what leaves the body becomes the process' report.
void
Check(VIP_RETURN result, const char* call)
{
    if (result != VIP_SUCCESS)
    {
        throw std::runtime_error(std::string(call) + " returned " + std::to_string(result));
    }
}

/// A NIC address with room for the bytes that follow its head.
union Address {
    VIP_NET_ADDRESS net;
    char room[64];
};

/// What the NIC reads and writes. Descriptors are aligned as VIPL asks.
struct Memory
{
    alignas(VIP_DESCRIPTOR_ALIGNMENT) VIP_DESCRIPTOR send;
    alignas(VIP_DESCRIPTOR_ALIGNMENT) VIP_DESCRIPTOR receive;
    alignas(VIP_DESCRIPTOR_ALIGNMENT) char out[32768];
    alignas(VIP_DESCRIPTOR_ALIGNMENT) char in[32768];
};

/// One end of the ping-pong: a NIC, registered memory and a VI.
class Endpoint
{
  public:
    explicit Endpoint(std::uint32_t bytes);
    ~Endpoint();
    void Request(const char* server);
    void Wait();
    void Send();
    void Receive();

  private:
    void Describe(VIP_DESCRIPTOR& descriptor, char* data);
    void AddressOf(const char* host, Address& address);

    std::uint32_t m_bytes;
    std::unique_ptr<Memory> m_memory{std::make_unique<Memory>()};
    VIP_NIC_HANDLE m_nic{};
    VIP_PROTECTION_HANDLE m_tag{};
    VIP_MEM_HANDLE m_handle{};
    VIP_VI_HANDLE m_vi{};
};

Endpoint::Endpoint(std::uint32_t bytes)
    : m_bytes(bytes)
{
    Check(VipOpenNic("/dev/clanvi0", &m_nic), "VipOpenNic");
    Check(VipNSInit(m_nic, nullptr), "VipNSInit");
    Check(VipCreatePtag(m_nic, &m_tag), "VipCreatePtag");
    VIP_MEM_ATTRIBUTES region{};
    region.Ptag = m_tag;
    Check(VipRegisterMem(m_nic, m_memory.get(), sizeof(Memory), &region, &m_handle),
          "VipRegisterMem");
    VIP_VI_ATTRIBUTES attributes{};
    attributes.ReliabilityLevel = VIP_SERVICE_RELIABLE_DELIVERY;
    attributes.MaxTransferSize = sizeof(Memory::out);
    attributes.Ptag = m_tag;
    Check(VipCreateVi(m_nic, &attributes, nullptr, nullptr, &m_vi), "VipCreateVi");
    Describe(m_memory->receive, m_memory->in);
    Check(VipPostRecv(m_vi, &m_memory->receive, m_handle), "VipPostRecv");
}

Endpoint::~Endpoint()
{
    VIP_DESCRIPTOR* flushed = nullptr;
    VipDisconnect(m_vi);
    VipRecvDone(m_vi, &flushed);
    VipDestroyVi(m_vi);
    VipDeregisterMem(m_nic, m_memory.get(), m_handle);
    VipDestroyPtag(m_nic, m_tag);
    VipNSShutdown(m_nic);
    VipCloseNic(m_nic);
}

void
Endpoint::Describe(VIP_DESCRIPTOR& descriptor, char* data)
{
    std::memset(&descriptor, 0, sizeof(descriptor));
    descriptor.CS.Control = VIP_CONTROL_OP_SENDRECV;
    descriptor.CS.SegCount = 1;
    descriptor.CS.Length = m_bytes;
    descriptor.DS[0].Local.Data.Address = data;
    descriptor.DS[0].Local.Handle = m_handle;
    descriptor.DS[0].Local.Length = m_bytes;
}

void
Endpoint::AddressOf(const char* host, Address& address)
{
    address = {};
    address.net.HostAddressLen = sizeof(address) - sizeof(VIP_NET_ADDRESS);
    Check(VipNSGetHostByName(m_nic, host, &address.net, 0), "VipNSGetHostByName");
    address.net.DiscriminatorLen = 1;
    address.net.HostAddress[address.net.HostAddressLen] = 'p';
}

void
Endpoint::Request(const char* server)
{
    Address local;
    Address remote;
    AddressOf("n0", local);
    AddressOf(server, remote);
    VIP_VI_ATTRIBUTES attributes;
    VIP_RETURN result = VIP_NO_MATCH;
    while (result == VIP_NO_MATCH) // nobody waits there yet
    {
        result = VipConnectRequest(m_vi, &local.net, &remote.net, TIMEOUT_MS, &attributes);
    }
    Check(result, "VipConnectRequest");
}

void
Endpoint::Wait()
{
    Address local;
    Address remote{};
    AddressOf("n1", local);
    VIP_VI_ATTRIBUTES attributes;
    VIP_CONN_HANDLE request{};
    Check(VipConnectWait(m_nic, &local.net, TIMEOUT_MS, &remote.net, &attributes, &request),
          "VipConnectWait");
    Check(VipConnectAccept(request, m_vi), "VipConnectAccept");
}

void
Endpoint::Send()
{
    Describe(m_memory->send, m_memory->out);
    Check(VipPostSend(m_vi, &m_memory->send, m_handle), "VipPostSend");
    VIP_DESCRIPTOR* done = nullptr;
    VIP_RETURN result = VIP_NOT_DONE;
    while (result == VIP_NOT_DONE)
    {
        result = VipSendDone(m_vi, &done);
    }
    Check(result, "VipSendDone");
}

void
Endpoint::Receive()
{
    VIP_DESCRIPTOR* done = nullptr;
    VIP_RETURN result = VIP_NOT_DONE;
    while (result == VIP_NOT_DONE)
    {
        result = VipRecvDone(m_vi, &done);
    }
    Check(result, "VipRecvDone");
    Describe(m_memory->receive, m_memory->in);
    Check(VipPostRecv(m_vi, &m_memory->receive, m_handle), "VipPostRecv");
}

/// The process of node 0. @return its exit code
int
Ping(std::uint32_t bytes, std::uint32_t rounds, Ps& oneWay)
{
    Endpoint endpoint(bytes);
    endpoint.Request("n1");
    const Ps start = ViplProcess::Running().Clock().at;
    for (std::uint32_t round = 0; round < rounds; ++round)
    {
        endpoint.Send();
        endpoint.Receive();
    }
    oneWay = (ViplProcess::Running().Clock().at - start) / (2 * Ps{rounds});
    return 0;
}

/// The process of node 1. @return its exit code
int
Pong(std::uint32_t bytes, std::uint32_t rounds)
{
    Endpoint endpoint(bytes);
    endpoint.Wait();
    for (std::uint32_t round = 0; round < rounds; ++round)
    {
        endpoint.Receive();
        endpoint.Send();
    }
    return 0;
}

/// Sink of the NICs' trace source MessageEnd.
void
PrintMessage(const MessageRow& message)
{
    std::cout << "rank " << message.sourceRank << " -> rank " << message.destinationRank << ": "
              << message.bytes << " bytes in " << message.end - message.posted << " ps\n";
}

} // namespace

int
main(int argc, char* argv[])
{
    std::string profile = "giganet-clan1000";
    std::uint32_t bytes = 4;
    std::uint32_t rounds = 100;
    std::uint64_t seed = 1;
    bool trace = false;
    CommandLine cmd(__FILE__);
    cmd.AddValue("profile", "Product: a name or the path of a profile", profile);
    cmd.AddValue("bytes", "Size of a message, 0 to 32768", bytes);
    cmd.AddValue("rounds", "Messages each way", rounds);
    cmd.AddValue("seed", "Seed of the clocks' phases", seed);
    cmd.AddValue("trace", "Print each message", trace);
    cmd.Parse(argc, argv);
    if (bytes > sizeof(Memory::out) || rounds == 0)
    {
        std::cerr << "--bytes is 32768 at most, --rounds 1 at least\n";
        return 2;
    }

    Time::SetResolution(Time::PS);
    NodeContainer nodes(2);
    ViaHelper via;
    via.SetProfile(profile);
    via.SetSeed(seed);
    via.Install(nodes);
    if (trace)
    {
        Config::ConnectWithoutContext("/NodeList/*/$ns3::via::ViaNicObject/MessageEnd",
                                      MakeCallback(&PrintMessage));
    }

    Ps oneWay = 0;
    via.InstallProcess(nodes.Get(0), [=, &oneWay] { return Ping(bytes, rounds, oneWay); })
        .Start(MicroSeconds(10));
    via.InstallProcess(nodes.Get(1), [=] { return Pong(bytes, rounds); });

    Simulator::Run();
    const RunReport report = via.GetReport();
    Simulator::Destroy();

    for (const ProcessReport& process : report.processes)
    {
        if (!process.report.empty())
        {
            std::cerr << "rank " << process.rank << ": " << process.report << "\n";
        }
    }
    std::cout << bytes << " bytes, one way: " << PicoSeconds(oneWay).As(Time::US) << "\n"
              << "digest " << report.digest << "\n";
    return static_cast<int>(report.exit);
}
