/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
// Ping-pong in C++ with <vipl.hpp>: two processes send a message to and fro.
//
// usage: face-ping-pong [SIZE [ROUNDS]]    with two processes
// Rank 0 prints: size in bytes, rounds, one-way time in microseconds.

#include <array>
#include <chrono>
#include <cstdlib>
#include <iomanip>
#include <iostream>
#include <optional>
#include <string>
#include <vipl.hpp>

namespace
{

using namespace std::chrono_literals;

constexpr std::size_t MOST_BYTES = 32768; // every provider sends that much at once
constexpr unsigned WARM_UP = 10;

/// Asks until somebody waits there.
void
Connect(vipl::VirtualInterface& vi, const vipl::NetAddress& local, const vipl::NetAddress& remote)
{
    std::error_code error = VIP_NO_MATCH;
    while (error == VIP_NO_MATCH)
    {
        vi.ConnectRequest(local, remote, 1s, error);
    }
    if (error)
    {
        throw std::system_error(error, "no connection");
    }
}

/// One end. Its members end in the other order than they are declared in.
class End
{
  public:
    explicit End(std::size_t bytes)
        : m_bytes(bytes)
    {
        m_vi.PostRecv(m_receive.Receive().Add(m_memory.Local(MOST_BYTES, m_bytes)));
    }

    void ConnectAs(int rank)
    {
        const vipl::NetAddress local = m_nic.Address().With("ping-pong");
        if (rank == 0)
        {
            Connect(m_vi, local, m_names.HostByName("n1").With("ping-pong"));
        }
        else
        {
            vipl::ConnectionRequest(m_nic, local, 1s).Accept(m_vi);
        }
    }

    void Send()
    {
        m_vi.PostSend(m_send.Send().Add(m_memory.Local(0, m_bytes)));
        Await([this] { return m_vi.SendDone(); });
    }

    void Receive()
    {
        Await([this] { return m_vi.RecvDone(); });
        m_vi.PostRecv(m_receive.Receive().Add(m_memory.Local(MOST_BYTES, m_bytes)));
    }

  private:
    vipl::ViAttributes Attributes() const
    {
        const bool reliable = vipl::Offers(m_nic.Query().ReliabilityLevelSupport,
                                           vipl::Reliability::ReliableDelivery);
        vipl::ViAttributes attributes;
        attributes.tag = m_tag.Get();
        attributes.maxTransferSize = MOST_BYTES;
        attributes.reliability =
            reliable ? vipl::Reliability::ReliableDelivery : vipl::Reliability::Unreliable;
        return attributes;
    }

    /// Polls; a message that failed ends the program.
    template <class Look>
    static void Await(Look look)
    {
        std::optional<vipl::Completion> completion;
        while (!completion)
        {
            completion = look();
        }
        completion->Check();
    }

    std::size_t m_bytes;
    vipl::Nic m_nic{"/dev/via_eth0"};
    vipl::NameService m_names{m_nic};
    vipl::ProtectionTag m_tag{m_nic};
    vipl::RegisteredMemory m_memory{m_nic, 2 * MOST_BYTES, {m_tag.Get()}};
    vipl::DescriptorPool m_descriptors{m_nic, m_tag, 2};
    vipl::Descriptor m_send{m_descriptors.Take()};
    vipl::Descriptor m_receive{m_descriptors.Take()};
    vipl::VirtualInterface m_vi{m_nic, Attributes()};
};

void
Round(End& end, int rank)
{
    if (rank == 0)
    {
        end.Send();
        end.Receive();
    }
    else
    {
        end.Receive();
        end.Send();
    }
}

int
Run(int rank, std::size_t bytes, unsigned rounds)
{
    End end(bytes);
    end.ConnectAs(rank);
    for (unsigned i = 0; i < WARM_UP; ++i)
    {
        Round(end, rank);
    }
    const auto start = std::chrono::steady_clock::now(); // simulated time, as all time here
    for (unsigned i = 0; i < rounds; ++i)
    {
        Round(end, rank);
    }
    const std::chrono::duration<double, std::micro> taken =
        std::chrono::steady_clock::now() - start;
    if (rank == 0)
    {
        std::cout << bytes << " " << rounds << " " << std::fixed << std::setprecision(3)
                  << taken.count() / (2 * rounds) << "\n";
    }
    return 0;
}

} // namespace

int
main(int argc, char** argv)
{
    const int rank = std::atoi(std::getenv("VIA_RANK"));
    const std::size_t bytes = argc > 1 ? std::stoul(argv[1]) : 4;
    const auto rounds = static_cast<unsigned>(argc > 2 ? std::stoul(argv[2]) : 100);
    if (rank > 1 || bytes > MOST_BYTES || rounds == 0)
    {
        std::cerr << "two processes, at most " << MOST_BYTES << " bytes, at least one round\n";
        return 2;
    }
    return Run(rank, bytes, rounds);
}
