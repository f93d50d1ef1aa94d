/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
// Remote procedure calls in C++ with <vipl.hpp>: rank 0 serves, everybody else calls.
//
//     client                                     server
//       | -- call: function, number, place -------> |   one completion queue for all clients
//       | <-- RDMA write of the result ------------ |   straight into the caller's memory,
//       |     its length as immediate data          |   and it completes the caller's receive
//
// The server never copies a result into a message and the client never asks how long it will be:
// the immediate data of the write tells. A call of no known function is answered by
// UNKNOWN_FUNCTION. Each client prints how many numbers it got.
//
// usage: face-rpc [CALLS]    with two processes or more

#include <algorithm>
#include <cstdlib>
#include <deque>
#include <iostream>
#include <stdexcept>
#include <string>
#include <vector>
#include <vipl.hpp>

namespace
{

using namespace std::chrono_literals;

constexpr std::size_t MOST_NUMBERS = 4096;
constexpr VIP_UINT32 UNKNOWN_FUNCTION = 0xFFFFFFFF;
constexpr std::size_t PAGE = vipl::RegisteredMemory::ALIGNMENT;

enum class Function : VIP_UINT32
{
    Squares, ///< of 1 to n
    Primes,  ///< up to n
    Goodbye, ///< no answer
};

/// What a client sends.
struct Call
{
    Function function;
    VIP_UINT32 argument;
    vipl::RemoteBuffer result; ///< room for MOST_NUMBERS numbers
};

std::vector<VIP_UINT32>
Squares(VIP_UINT32 n)
{
    std::vector<VIP_UINT32> squares(n);
    for (VIP_UINT32 i = 0; i < n; ++i)
    {
        squares[i] = (i + 1) * (i + 1);
    }
    return squares;
}

std::vector<VIP_UINT32>
Primes(VIP_UINT32 n)
{
    std::vector<VIP_UINT32> primes;
    for (VIP_UINT32 i = 2; i <= n; ++i)
    {
        if (std::none_of(primes.begin(), primes.end(), [i](VIP_UINT32 p) { return i % p == 0; }))
        {
            primes.push_back(i);
        }
    }
    return primes;
}

/// What both sides have: a NIC, its tag, and the attributes of their VIs.
class Station
{
  protected:
    vipl::ViAttributes Attributes() const
    {
        vipl::ViAttributes attributes;
        attributes.tag = m_tag.Get();
        attributes.rdmaWrite = true;
        if (!vipl::Offers(m_nic.Query().ReliabilityLevelSupport, attributes.reliability))
        {
            attributes.reliability = vipl::Reliability::Unreliable;
        }
        return attributes;
    }

    vipl::Nic m_nic{"/dev/via_eth0"};
    vipl::NameService m_names{m_nic};
    vipl::ProtectionTag m_tag{m_nic};
};

class Server : private Station
{
  public:
    explicit Server(std::size_t clients)
        : m_calls(m_nic, clients * PAGE, {m_tag.Get()}),
          m_results(m_nic, clients * MOST_NUMBERS * sizeof(VIP_UINT32), {m_tag.Get()}),
          m_descriptors(m_nic, m_tag, 2 * clients),
          m_queue(m_nic, 4 * clients)
    {
        while (m_sessions.size() < clients)
        {
            Admit();
        }
    }

    void Serve()
    {
        for (std::size_t left = m_sessions.size(); left > 0;)
        {
            const vipl::CqEntry entry = m_queue.Wait(vipl::FOREVER);
            const vipl::Completion done = entry.Harvest().value().Check();
            auto& session = *static_cast<Session*>(entry.vi.GetUserData());
            if (!entry.receive)
            {
                m_descriptors.Give(done.descriptor);
            }
            else if (session.Asked().function == Function::Goodbye)
            {
                --left;
            }
            else
            {
                Answer(session);
            }
        }
    }

  private:
    struct Session
    {
        vipl::LocalBuffer call;
        vipl::LocalBuffer result;
        vipl::Descriptor receive;
        vipl::VirtualInterface vi;

        const Call& Asked() const
        {
            return *static_cast<const Call*>(call.address);
        }
    };

    void Admit()
    {
        const std::size_t i = m_sessions.size();
        m_sessions.push_back({m_calls.Local(i * PAGE, sizeof(Call)),
                              m_results.Local(i * MOST_NUMBERS * sizeof(VIP_UINT32), 0),
                              m_descriptors.Take(),
                              {m_nic, Attributes(), &m_queue, &m_queue}});
        Session& session = m_sessions.back();
        session.vi.SetUserData(&session); // entries of the queue lead back here
        session.vi.PostRecv(session.receive.Receive().Add(session.call));
        vipl::ConnectionRequest(m_nic, m_nic.Address().With("rpc"), 10s).Accept(session.vi);
    }

    void Answer(Session& session)
    {
        const Call call = session.Asked();
        session.vi.PostRecv(session.receive.Receive().Add(session.call));
        vipl::Descriptor write = m_descriptors.Take();
        write.RdmaWrite(call.result);
        if (call.function != Function::Squares && call.function != Function::Primes)
        {
            session.vi.PostSend(write.Immediate(UNKNOWN_FUNCTION));
            return;
        }
        const VIP_UINT32 argument = std::min<VIP_UINT32>(call.argument, MOST_NUMBERS);
        const auto numbers =
            call.function == Function::Squares ? Squares(argument) : Primes(argument);
        vipl::LocalBuffer result = session.result;
        std::copy(numbers.begin(), numbers.end(), static_cast<VIP_UINT32*>(result.address));
        result.length = static_cast<VIP_UINT32>(numbers.size() * sizeof(VIP_UINT32));
        session.vi.PostSend(write.Add(result).Immediate(static_cast<VIP_UINT32>(numbers.size())));
    }

    vipl::RegisteredMemory m_calls;
    vipl::RegisteredMemory m_results;
    vipl::DescriptorPool m_descriptors;
    vipl::CompletionQueue m_queue;
    std::deque<Session> m_sessions;
};

class Client : private Station
{
  public:
    Client()
    {
        m_vi.PostRecv(m_receive.Receive()); // the result itself goes elsewhere
        std::error_code error = VIP_NO_MATCH;
        while (error == VIP_NO_MATCH)
        {
            m_vi.ConnectRequest(m_nic.Address().With("rpc"),
                                m_names.HostByName("n0").With("rpc"),
                                10s,
                                error);
        }
        if (error)
        {
            throw std::system_error(error, "no server");
        }
    }

    /// Calls, and waits for the result. @throws std::invalid_argument for no known function
    std::vector<VIP_UINT32> operator()(Function function, VIP_UINT32 argument)
    {
        Send({function, argument, m_results.Remote()});
        const vipl::Completion answer = m_vi.RecvWait(10s).Check();
        m_vi.PostRecv(m_receive.Receive());
        if (answer.immediate == UNKNOWN_FUNCTION)
        {
            throw std::invalid_argument("the server does not know this function");
        }
        const auto* const numbers = reinterpret_cast<const VIP_UINT32*>(m_results.Data());
        return {numbers, numbers + answer.immediate.value()};
    }

    void Goodbye()
    {
        Send({Function::Goodbye, 0, {}});
    }

  private:
    void Send(const Call& call)
    {
        *reinterpret_cast<Call*>(m_calls.Data()) = call;
        m_vi.PostSend(m_send.Send().Add(m_calls.Local(0, sizeof(call))));
        m_vi.SendWait(10s).Check();
    }

    vipl::RegisteredMemory m_calls{m_nic, sizeof(Call), {m_tag.Get()}};
    vipl::RegisteredMemory m_results{m_nic, MOST_NUMBERS * sizeof(VIP_UINT32), {m_tag.Get(), true}};
    vipl::DescriptorPool m_descriptors{m_nic, m_tag, 2};
    vipl::Descriptor m_send{m_descriptors.Take()};
    vipl::Descriptor m_receive{m_descriptors.Take()};
    vipl::VirtualInterface m_vi{m_nic, Attributes()};
};

void
CallOften(VIP_UINT32 rank, VIP_UINT32 calls)
{
    Client call;
    std::size_t numbers = 0;
    for (VIP_UINT32 i = 1; i <= calls; ++i)
    {
        const Function function = i % 2 == 0 ? Function::Squares : Function::Primes;
        const auto result = call(function, 10 * rank * i);
        const auto expected =
            function == Function::Squares ? Squares(10 * rank * i) : Primes(10 * rank * i);
        if (result != expected)
        {
            throw std::runtime_error("call " + std::to_string(i) + " has a wrong result");
        }
        numbers += result.size();
    }
    try
    {
        call(static_cast<Function>(99), 0);
    }
    catch (const std::invalid_argument& error)
    {
        std::cout << "rank " << rank << ": " << numbers << " numbers; " << error.what() << "\n";
    }
    call.Goodbye();
}

} // namespace

int
main(int argc, char** argv)
{
    const auto rank = static_cast<VIP_UINT32>(std::atoi(std::getenv("VIA_RANK")));
    const int size = std::atoi(std::getenv("VIA_SIZE"));
    const auto calls = static_cast<VIP_UINT32>(argc > 1 ? std::stoul(argv[1]) : 4);
    if (size < 2 || 10 * static_cast<VIP_UINT32>(size) * calls > MOST_NUMBERS)
    {
        std::cerr << "two processes or more, and CALLS x processes is " << MOST_NUMBERS / 10
                  << " at most\n";
        return 2;
    }
    if (rank > 0)
    {
        CallOften(rank, calls);
        return 0;
    }
    Server server(static_cast<std::size_t>(size - 1));
    server.Serve();
    return 0;
}
