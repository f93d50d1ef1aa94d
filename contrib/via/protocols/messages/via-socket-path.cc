/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
// The kernel's transports: one socket for all peers.

#include "via-socket-path.h"

#include "ns3/abort.h"
#include "ns3/via-error.h"
#include "ns3/via-udp-kernel-socket.h"

#include <algorithm>
#include <cstring>
#include <utility>

namespace ns3
{
namespace via
{

namespace
{

constexpr std::uint16_t PORT = 7000;

/// Largest message in bytes: what fits in a UDP datagram.
constexpr std::uint32_t MOST_BYTES = 65507;

MessagePaths
Connect(const PathRequest& request, KernelSocket::Transport transport)
{
    MessagePaths paths;
    const IpNetwork& network = request.ip();
    const auto journal = std::make_shared<SocketJournal>(request.ranks);
    for (std::size_t rank = 0; rank < request.processes.size(); ++rank)
    {
        if (request.processes[rank] == nullptr) // in another partition
        {
            paths.push_back(nullptr);
            continue;
        }
        const PathShape& shape = request.shapes[rank];
        if (shape.bytes > MOST_BYTES)
        {
            throw ConfigError("size",
                              std::to_string(shape.bytes),
                              "a kernel's transport takes " + std::to_string(MOST_BYTES) +
                                  " at the most");
        }
        paths.push_back(std::make_unique<SocketPath>(*request.processes[rank],
                                                     shape,
                                                     network,
                                                     transport,
                                                     journal));
    }
    return paths;
}

} // namespace

SocketMessageEnd
SocketJournal::EndOf(Rank from, Rank to, const std::uint8_t* bytes, std::size_t length)
{
    SocketMessageEnd end;
    end.from = from;
    end.to = to;
    end.length = static_cast<std::uint32_t>(length);
    std::copy_n(bytes, std::min<std::size_t>(length, end.head.size()), end.head.begin());
    return end;
}

void
SocketJournal::Sent(Process& process,
                    KernelSocket& socket,
                    Rank to,
                    const std::uint8_t* bytes,
                    std::uint32_t length)
{
    MessageLog& messages = process.GetHost().GetWorld().messages;
    if (!messages.IsTracking())
    {
        return;
    }
    Way& way = m_ways[{process.Rank(), to}];
    const Moment& now = process.Clock();
    const MessageOrigin origin{now.at, process.LastReap(), now.cause, process.Rank(), way.sent++};
    if (auto* const datagrams = dynamic_cast<UdpKernelSocket*>(&socket))
    {
        datagrams->Stamp(origin);
        return;
    }
    SocketMessageEnd end = EndOf(process.Rank(), to, bytes, length);
    end.record.origin = origin;
    if (IsOurs(to))
    {
        way.letters.push_back({messages.Begin(origin), end});
        return;
    }
    messages.Keep(end);
}

void
SocketJournal::Received(Process& process,
                        const KernelSocket& socket,
                        Rank from,
                        const std::vector<std::uint8_t>& bytes)
{
    MessageLog& messages = process.GetHost().GetWorld().messages;
    const bool isInRun = process.GetHost().IsInRun(process.Clock().at);
    if (!messages.IsTracking())
    {
        messages.End(0, isInRun);
        return;
    }
    SocketMessageEnd end = EndOf(from, process.Rank(), bytes.data(), bytes.size());
    end.record = {{},
                  process.Rank(),
                  process.Rank(),
                  end.length,
                  PacketKind::DATAGRAM,
                  false,
                  process.Clock().at,
                  process.Clock().cause};
    if (const auto* const datagrams = dynamic_cast<const UdpKernelSocket*>(&socket))
    {
        NS_ABORT_MSG_UNLESS(datagrams->Stamped().has_value(),
                            "process " << process.Rank() << " received a datagram without origin");
        end.record.origin = *datagrams->Stamped();
        EndDatagram(messages, end.record, isInRun);
        return;
    }
    EndRecord(messages, end, isInRun);
}

void
SocketJournal::EndDatagram(MessageLog& messages, const MessageRecord& end, bool isInRun)
{
    const MessageId message = messages.Begin(end.origin);
    *messages.Find(message) = end;
    messages.End(message, isInRun);
}

void
SocketJournal::EndRecord(MessageLog& messages, SocketMessageEnd& end, bool isInRun)
{
    if (!IsOurs(end.from))
    {
        end.isReceived = true;
        if (isInRun)
        {
            messages.Keep(end);
        }
        messages.End(0, isInRun);
        return;
    }
    std::deque<Letter>& letters = m_ways[{end.from, end.to}].letters;
    const auto letter = std::find_if(letters.begin(), letters.end(), [&end](const Letter& one) {
        return one.sent.IsOf(end);
    });
    NS_ABORT_MSG_IF(letter == letters.end(),
                    "process " << end.to << " received a message that nobody sent");
    if (MessageRecord* record = messages.Find(letter->message))
    {
        end.record.origin = record->origin;
        *record = end.record;
    }
    messages.End(letter->message, isInRun);
    letters.erase(letter);
}

SocketPath::SocketPath(WorkloadProcess& process,
                       const PathShape& shape,
                       const IpNetwork& network,
                       KernelSocket::Transport transport,
                       std::shared_ptr<SocketJournal> journal)
    : m_process(process),
      m_socket(network.MakeSocket(transport, process.GetHost().Id(), PORT)),
      m_journal(std::move(journal)),
      m_mayLose(transport == KernelSocket::Transport::UDP),
      m_out(shape.bytes)
{
    process.TellEnd(*this);
    process.KeepFrames(); // the kernel does what a call of the socket says while the step waits
}

Rank
SocketPath::RankOf(const KernelMessage& message)
{
    return message.from.address.Get() - IpNetwork::AddressOf(0).Get();
}

void
SocketPath::AwaitRoom(Rank)
{
    NS_ABORT_MSG("a blocking socket always has space");
}

void
SocketPath::Send(Rank to, const void* data, std::uint32_t length, std::uint32_t size)
{
    m_out.resize(std::max<std::size_t>(m_out.size(), size));
    std::memcpy(m_out.data(), data, length);
    m_journal->Sent(m_process, *m_socket, to, m_out.data(), size);
    m_socket->Send(m_process, {IpNetwork::AddressOf(to), PORT}, m_out.data(), size);
}

void
SocketPath::Give(ArrivedMessage& message)
{
    message.from = RankOf(m_taken);
    message.data = m_taken.bytes.data();
    message.length = static_cast<std::uint32_t>(m_taken.bytes.size());
}

bool
SocketPath::TakeKept(Rank from, ArrivedMessage& message)
{
    const auto kept = std::find_if(m_kept.begin(), m_kept.end(), [from](const KernelMessage& one) {
        return from == ANYONE || RankOf(one) == from;
    });
    if (kept == m_kept.end())
    {
        return false;
    }
    m_taken = std::move(*kept);
    m_kept.erase(kept);
    Give(message);
    return true;
}

bool
SocketPath::Take(Rank from, ArrivedMessage& message)
{
    if (from == NOBODY)
    {
        return false;
    }
    if (TakeKept(from, message))
    {
        return true;
    }
    while (m_socket->TryReceive(m_process, m_taken))
    {
        m_journal->Received(m_process, *m_socket, RankOf(m_taken), m_taken.bytes);
        if (from == ANYONE || RankOf(m_taken) == from)
        {
            Give(message);
            return true;
        }
        m_kept.push_back(std::move(m_taken));
    }
    return false;
}

void
SocketPath::Release()
{
}

void
SocketPath::Await(Rank from)
{
    const bool isThere = std::any_of(m_kept.begin(), m_kept.end(), [from](const auto& one) {
        return from == ANYONE || RankOf(one) == from;
    });
    if (isThere)
    {
        m_process.Continue();
    }
    else if (from != NOBODY)
    {
        m_process.AwaitSource(*this);
    }
}

void
SocketPath::End()
{
    m_socket->Discard();
}

bool
SocketPath::Arm()
{
    m_sleeps = true;
    m_socket->Await(*this);
    return m_sleeps;
}

void
SocketPath::Disarm()
{
    if (std::exchange(m_sleeps, false))
    {
        m_socket->StopAwaiting(); // a timer woke the process, or it has ended
    }
}

void
SocketPath::OnReady(Moment visible)
{
    m_sleeps = false;
    m_process.OnReady(visible);
}

MessagePaths
ConnectTcpPaths(const PathRequest& request)
{
    return Connect(request, KernelSocket::Transport::TCP);
}

MessagePaths
ConnectUdpPaths(const PathRequest& request)
{
    return Connect(request, KernelSocket::Transport::UDP);
}

} // namespace via
} // namespace ns3
