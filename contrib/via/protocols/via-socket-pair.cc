/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
// Two processes with a socket each, to measure latency and bandwidth of a kernel.

#include "via-socket-pair.h"

#include "ns3/abort.h"
#include "ns3/via-error.h"
#include "ns3/via-workload-partition.h"

#include <string>

namespace ns3
{
namespace via
{

namespace
{

constexpr std::uint16_t PORT = 7000;

/// Largest message in bytes.
constexpr std::uint64_t MOST_TCP = 1'000'000;
constexpr std::uint64_t MOST_UDP = 65'507;

KernelSocket::Transport
TransportOf(const std::string& name, WorkloadParameters& parameters)
{
    const std::string given = parameters.Text("transport", "kernel-tcp");
    if (given != "kernel-tcp" && given != "kernel-udp")
    {
        throw ConfigError(name + " transport", given, "kernel-tcp or kernel-udp");
    }
    return given == "kernel-tcp" ? KernelSocket::Transport::TCP : KernelSocket::Transport::UDP;
}

std::size_t
BytesOf(const KernelSocket::Transport transport, std::uint64_t normal, WorkloadParameters& given)
{
    const bool isTcp = transport == KernelSocket::Transport::TCP;
    return given.Number("size", normal, 1, isTcp ? MOST_TCP : MOST_UDP);
}

} // namespace

SocketPair::SocketPair(const Settings& settings, const WorkloadContext& context)
    : m_bytes(settings.bytes, 0x5A),
      m_count(settings.count),
      m_journal(context.partition)
{
    AddTwo(context, *this);
    for (std::uint32_t rank = 0; rank < 2; ++rank)
    {
        m_sockets.push_back(nullptr);
        if (m_processes[rank] != nullptr)
        {
            m_processes[rank]->KeepFrames(); // as in SocketPath
            m_sockets[rank] = context.ip().MakeSocket(settings.transport, rank, PORT);
        }
    }
}

void
SocketPair::Start()
{
    StartTwo();
}

bool
SocketPair::IsFinished() const
{
    return m_finished == 2;
}

void
SocketPair::OnStep(std::uint32_t rank)
{
    Run(rank);
    ++m_finished;
    m_processes[rank]->Finish();
}

void
SocketPair::Send(std::uint32_t rank)
{
    const std::uint32_t peer = 1 - rank;
    const auto length = static_cast<std::uint32_t>(m_bytes.size());
    m_journal.Sent(*m_processes[rank], *m_sockets[rank], peer, m_bytes.data(), length);
    m_sockets[rank]->Send(*m_processes[rank],
                          {IpNetwork::AddressOf(peer), PORT},
                          m_bytes.data(),
                          length);
}

void
SocketPair::Receive(std::uint32_t rank)
{
    const KernelMessage message = m_sockets[rank]->Receive(*m_processes[rank]);
    NS_ABORT_MSG_IF(message.bytes != m_bytes, "a socket gave process " << rank << " wrong bytes");
    m_journal.Received(*m_processes[rank], *m_sockets[rank], 1 - rank, message.bytes);
}

Ps
SocketPair::Now(std::uint32_t rank) const
{
    return m_processes[rank]->Clock().at;
}

SocketPingPong::Settings
SocketPingPong::Read(WorkloadParameters& given)
{
    given.Nodes(2);
    Settings settings;
    settings.transport = TransportOf("socket-ping-pong", given);
    settings.bytes = BytesOf(settings.transport, 1, given);
    settings.count = given.Number("rounds", 1000, 1, 1'000'000'000);
    given.ExpectNoMore();
    return settings;
}

SocketPingPong::SocketPingPong(const Settings& settings, const WorkloadContext& context)
    : SocketPair(settings, context)
{
}

void
SocketPingPong::Run(std::uint32_t rank)
{
    for (std::uint64_t round = 0; round < Count(); ++round)
    {
        const Ps sent = Now(rank);
        if (rank == 0)
        {
            Send(0);
            Receive(0);
            m_samples.push_back(Now(0) - sent);
        }
        else
        {
            Receive(1);
            Send(1);
        }
    }
}

SocketStream::Settings
SocketStream::Read(WorkloadParameters& given)
{
    given.Nodes(2);
    Settings settings;
    settings.transport = TransportOf("socket-stream", given);
    settings.bytes = BytesOf(settings.transport, 32768, given);
    settings.count = given.Number("messages", 200, 1, 1'000'000'000);
    given.ExpectNoMore();
    return settings;
}

SocketStream::SocketStream(const Settings& settings, const WorkloadContext& context)
    : SocketPair(settings, context)
{
}

void
SocketStream::Run(std::uint32_t rank)
{
    for (std::uint64_t message = 0; message < Count(); ++message)
    {
        if (rank == 0)
        {
            Send(0);
        }
        else
        {
            Receive(1);
            m_samples.push_back(Now(1));
        }
    }
}

} // namespace via
} // namespace ns3
