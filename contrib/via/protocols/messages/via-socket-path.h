/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
// The transports of the kernel: a socket for all peers.

#ifndef VIA_SOCKET_PATH_H
#define VIA_SOCKET_PATH_H

#include "ns3/via-ip-network.h"
#include "ns3/via-message-path.h"

#include <deque>
#include <map>
#include <memory>
#include <utility>
#include <vector>

namespace ns3
{
namespace via
{

/**
 * @brief Which message is which, for the log of messages: bytes of the kernel carry no numbers.
 *
 * Messages between two processes are told apart by their order and their first bytes. A datagram
 * that was lost and sent again byte by byte counts from its first sending; one that was lost for
 * good has no end, and no record.
 */
class SocketJournal
{
  public:
    /// @p process is about to send @p bytes.
    void Sent(Process& process, Rank to, const std::uint8_t* bytes, std::uint32_t length);

    /// @p process has read them.
    void Received(Process& process, Rank from, const std::vector<std::uint8_t>& bytes);

  private:
    struct Letter
    {
        MessageId message;
        std::uint32_t length;
        std::vector<std::uint8_t> head;
    };

    /// Of one direction between two processes.
    struct Way
    {
        std::deque<Letter> letters;
        std::uint32_t sent{0};
    };

    std::map<std::pair<Rank, Rank>, Way> m_ways; ///< from, to
};

/**
 * @brief Messages through a socket: UDP datagrams, or records on TCP connections.
 *
 * The process sleeps in select() until something has come, and then calls recv(): it pays for both
 * system calls, and for the context switch. TCP connections are opened by the first message, in
 * simulated time. UDP may lose what its buffers cannot take.
 */
class SocketPath final : public MessagePath, public StepSource, public Waiter
{
  public:
    SocketPath(WorkloadProcess& process,
               const PathShape& shape,
               const IpNetwork& network,
               KernelSocket::Transport transport,
               std::shared_ptr<SocketJournal> journal);

    /// A message is sent when the kernel has taken it.
    bool HasRoom(Rank) override
    {
        return true;
    }

    void AwaitRoom(Rank to) override;
    void Send(Rank to, const void* data, std::uint32_t length, std::uint32_t size) override;
    bool Take(Rank from, ArrivedMessage& message) override;
    void Release() override;
    void Await(Rank from) override;
    bool Arm() override;
    void Disarm() override;
    void OnReady(Moment visible) override;

  private:
    bool TakeKept(Rank from, ArrivedMessage& message);
    void Give(ArrivedMessage& message);

    static Rank RankOf(const KernelMessage& message);

    WorkloadProcess& m_process;
    std::unique_ptr<KernelSocket> m_socket;
    std::shared_ptr<SocketJournal> m_journal; ///< of all processes
    std::vector<std::uint8_t> m_out;
    KernelMessage m_taken;
    std::deque<KernelMessage> m_kept; ///< of peers that were not awaited
    bool m_sleeps{false};             ///< in select()
};

/// See ConnectPaths.
MessagePaths ConnectTcpPaths(const PathRequest& request);

/// See ConnectPaths.
MessagePaths ConnectUdpPaths(const PathRequest& request);

} // namespace via
} // namespace ns3

#endif // VIA_SOCKET_PATH_H
