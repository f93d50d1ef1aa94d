/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
// Ping-pong between two ns-3 nodes with VIA NICs: processes written in C++ with <vipl.hpp>.
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
#include <iostream>
#include <optional>
#include <string>
#include <vipl.hpp>

using namespace ns3;
using namespace ns3::via;

namespace
{

constexpr vipl::Timeout TIMEOUT{1000};
constexpr std::uint32_t MOST_BYTES = 32768;
constexpr std::uint32_t SLOTS = 2; // of buffers and descriptors, used in turn

/// What the user chooses.
struct Options
{
    std::string profile{"giganet-clan1000"};
    std::uint32_t bytes{4};
    std::uint32_t rounds{100};
    std::uint64_t seed{1};
    bool trace{false};
};

/**
 * One end of the ping-pong: a NIC, registered memory and a VI, which end in the other order. A call
 * that fails throws: what leaves the body becomes the process' report.
 *
 * A round's work off the critical path is done by CleanUp, while the next message is under way.
 */
class Endpoint
{
  public:
    explicit Endpoint(std::uint32_t bytes);
    void Request(const std::string& server);
    void Wait();
    void Send(std::uint32_t round);
    void Receive();
    void CleanUp(std::uint32_t round);

  private:
    /// What the NIC reads and writes in every other round.
    struct Slot
    {
        vipl::Descriptor send;
        vipl::Descriptor receive;
        vipl::LocalBuffer out;
        vipl::LocalBuffer in;
    };

    vipl::ViAttributes Attributes() const;
    vipl::NetAddress AddressOf(const std::string& host) const;
    void PostReceive(std::uint32_t round);

    vipl::Nic m_nic{"/dev/clanvi0"};
    vipl::NameService m_names{m_nic};
    vipl::ProtectionTag m_tag{m_nic};
    vipl::RegisteredMemory m_memory{m_nic, 2 * SLOTS* MOST_BYTES, {m_tag.Get()}};
    vipl::DescriptorPool m_descriptors{m_nic, m_tag, 2 * SLOTS};
    std::array<Slot, SLOTS> m_slots;
    vipl::VirtualInterface m_vi{m_nic, Attributes()};
};

Endpoint::Endpoint(std::uint32_t bytes)
{
    std::size_t offset = 0;
    for (Slot& slot : m_slots)
    {
        slot = {m_descriptors.Take(),
                m_descriptors.Take(),
                m_memory.Local(offset, bytes),
                m_memory.Local(offset + MOST_BYTES, bytes)};
        offset += 2 * MOST_BYTES;
    }
    PostReceive(0);
    PostReceive(1);
}

vipl::ViAttributes
Endpoint::Attributes() const
{
    vipl::ViAttributes attributes;
    attributes.reliability = vipl::Reliability::ReliableDelivery;
    attributes.maxTransferSize = MOST_BYTES;
    attributes.tag = m_tag.Get();
    return attributes;
}

vipl::NetAddress
Endpoint::AddressOf(const std::string& host) const
{
    return m_names.HostByName(host).With("p");
}

void
Endpoint::Request(const std::string& server)
{
    const vipl::NetAddress local = m_nic.Address().With("p");
    const vipl::NetAddress remote = AddressOf(server);
    std::error_code error = VIP_NO_MATCH;
    while (error == VIP_NO_MATCH) // nobody waits there yet
    {
        m_vi.ConnectRequest(local, remote, TIMEOUT, error);
    }
    if (error)
    {
        throw std::system_error(error, "VipConnectRequest");
    }
}

void
Endpoint::Wait()
{
    vipl::ConnectionRequest(m_nic, m_nic.Address().With("p"), TIMEOUT).Accept(m_vi);
}

void
Endpoint::PostReceive(std::uint32_t round)
{
    Slot& slot = m_slots[round % SLOTS];
    m_vi.PostRecv(slot.receive.Receive().Add(slot.in));
}

void
Endpoint::Send(std::uint32_t round)
{
    Slot& slot = m_slots[round % SLOTS];
    m_vi.PostSend(slot.send.Send().Add(slot.out));
}

void
Endpoint::Receive()
{
    std::optional<vipl::Completion> received;
    while (!received)
    {
        received = m_vi.RecvDone();
    }
    received->Check();
}

void
Endpoint::CleanUp(std::uint32_t round)
{
    PostReceive(round);
    std::optional<vipl::Completion> sent;
    while (!sent)
    {
        sent = m_vi.SendDone();
    }
    sent->Check();
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
