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

#include <array>
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
constexpr std::uint32_t MOST_BYTES = 32768;

/// What the user chooses.
struct Options
{
    std::string profile{"giganet-clan1000"};
    std::uint32_t bytes{4};
    std::uint32_t rounds{100};
    std::uint64_t seed{1};
    bool trace{false};
};

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

/**
 * What the NIC reads and writes in every other round. Descriptors are aligned as VIPL asks, and all
 * of it to pages: what a registration costs must not depend on where malloc found room.
 */
struct alignas(4096) Slot
{
    alignas(VIP_DESCRIPTOR_ALIGNMENT) VIP_DESCRIPTOR send;
    alignas(VIP_DESCRIPTOR_ALIGNMENT) VIP_DESCRIPTOR receive;
    char out[MOST_BYTES];
    char in[MOST_BYTES];
};

using Memory = std::array<Slot, 2>;

/**
 * One end of the ping-pong: a NIC, registered memory and a VI.
 *
 * A round's work off the critical path is done by CleanUp, while the next message is under way.
 */
class Endpoint
{
  public:
    explicit Endpoint(std::uint32_t bytes);
    ~Endpoint();
    void Request(const char* server);
    void Wait();
    void Send(std::uint32_t round);
    void Receive();
    void CleanUp(std::uint32_t round);

  private:
    void Describe(VIP_DESCRIPTOR& descriptor, char* data);
    void PostReceive(std::uint32_t round);
    void AddressOf(std::string host, Address& address);

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
    attributes.MaxTransferSize = MOST_BYTES;
    attributes.Ptag = m_tag;
    Check(VipCreateVi(m_nic, &attributes, nullptr, nullptr, &m_vi), "VipCreateVi");
    PostReceive(0);
    PostReceive(1);
}

Endpoint::~Endpoint()
{
    VIP_DESCRIPTOR* flushed = nullptr;
    VipDisconnect(m_vi);
    for (std::size_t i = 0; i < m_memory->size(); ++i)
    {
        VipSendDone(m_vi, &flushed);
        VipRecvDone(m_vi, &flushed);
    }
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
Endpoint::AddressOf(std::string host, Address& address)
{
    address = {};
    address.net.HostAddressLen = sizeof(address) - sizeof(VIP_NET_ADDRESS);
    Check(VipNSGetHostByName(m_nic, host.data(), &address.net, 0), "VipNSGetHostByName");
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
Endpoint::PostReceive(std::uint32_t round)
{
    Slot& slot = (*m_memory)[round % m_memory->size()];
    Describe(slot.receive, slot.in);
    Check(VipPostRecv(m_vi, &slot.receive, m_handle), "VipPostRecv");
}

void
Endpoint::Send(std::uint32_t round)
{
    Slot& slot = (*m_memory)[round % m_memory->size()];
    Describe(slot.send, slot.out);
    Check(VipPostSend(m_vi, &slot.send, m_handle), "VipPostSend");
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
}

void
Endpoint::CleanUp(std::uint32_t round)
{
    PostReceive(round);
    VIP_DESCRIPTOR* done = nullptr;
    VIP_RETURN result = VIP_NOT_DONE;
    while (result == VIP_NOT_DONE)
    {
        result = VipSendDone(m_vi, &done);
    }
    Check(result, "VipSendDone");
}

/// The process of node 0. @return its exit code
int
Ping(const Options& options, Ps& oneWay)
{
    Endpoint endpoint(options.bytes);
    endpoint.Request("n1");
    const Ps start = ViplProcess::Running().Clock().at;
    for (std::uint32_t round = 0; round < options.rounds; ++round)
    {
        endpoint.Send(round);
        if (round > 0)
        {
            endpoint.CleanUp(round - 1);
        }
        endpoint.Receive();
    }
    oneWay = (ViplProcess::Running().Clock().at - start) / (2 * Ps{options.rounds});
    endpoint.CleanUp(options.rounds - 1);
    return 0;
}

/// The process of node 1. @return its exit code
int
Pong(const Options& options)
{
    Endpoint endpoint(options.bytes);
    endpoint.Wait();
    for (std::uint32_t round = 0; round < options.rounds; ++round)
    {
        endpoint.Receive();
        endpoint.Send(round);
        endpoint.CleanUp(round);
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

/// Builds the cluster, runs it and prints. @return exit code
int
Simulate(const Options& options)
{
    Time::SetResolution(Time::PS);
    NodeContainer nodes(2);
    ViaHelper via;
    via.SetProfile(options.profile);
    via.SetSeed(options.seed);
    via.Install(nodes);
    if (options.trace)
    {
        Config::ConnectWithoutContext("/NodeList/*/$ns3::via::ViaNicObject/MessageEnd",
                                      MakeCallback(&PrintMessage));
    }

    Ps oneWay = 0;
    via.InstallProcess(nodes.Get(0), [&] { return Ping(options, oneWay); }).Start(MicroSeconds(10));
    via.InstallProcess(nodes.Get(1), [&] { return Pong(options); });

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
    std::cout << options.bytes << " bytes, one way: " << PicoSeconds(oneWay).As(Time::US) << "\n"
              << "digest " << report.digest << "\n";
    return static_cast<int>(report.exit);
}

} // namespace

int
main(int argc, char* argv[])
{
    Options options;
    CommandLine cmd(__FILE__);
    cmd.AddValue("profile", "Product: a name or the path of a profile", options.profile);
    cmd.AddValue("bytes", "Size of a message, 0 to 32768", options.bytes);
    cmd.AddValue("rounds", "Messages each way", options.rounds);
    cmd.AddValue("seed", "Seed of the clocks' phases", options.seed);
    cmd.AddValue("trace", "Print each message", options.trace);
    cmd.Parse(argc, argv);
    if (options.bytes > MOST_BYTES || options.rounds == 0)
    {
        std::cerr << "--bytes is 32768 at most, --rounds 1 at least\n";
        return 2;
    }
    try
    {
        return Simulate(options);
    }
    catch (const ConfigError& error)
    {
        std::cerr << error.what() << "\n";
        return 2;
    }
}
