/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
// The kernel's transports: one socket for all peers.

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
 * @brief Matches sent and received messages for the message log: the kernel's bytes carry no
 * message numbers.
 *
 * A datagram carries its origin beside its bytes; one that never arrives has no record. What a
 * connection carries arrives in order: those messages are identified by their order and first
 * bytes, and of one between two partitions each keeps its end.
 */
class SocketJournal
{
  public:
    /// @param partition null: one partition runs all processes
    explicit SocketJournal(const WorkloadPartition* partition)
        : m_partition(partition)
    {
    }

    /// @p process is about to send @p bytes through @p socket.
    void Sent(Process& process,
              KernelSocket& socket,
              Rank to,
              const std::uint8_t* bytes,
              std::uint32_t length);

    /// @p process has just read them from @p socket.
    void Received(Process& process,
                  const KernelSocket& socket,
                  Rank from,
                  const std::vector<std::uint8_t>& bytes);

  private:
    struct Letter
    {
        MessageId message;
        SocketMessageEnd sent;
    };

    /// The messages of one direction between two processes.
    struct Way
    {
        std::deque<Letter> letters;
        std::uint32_t sent{0};
    };

    /// A message with the end that @p end tells, and with its origin, is over.
    static void EndDatagram(MessageLog& messages, const MessageRecord& end, bool isInRun);

    void EndRecord(MessageLog& messages, SocketMessageEnd& end, bool isInRun);

    static SocketMessageEnd EndOf(Rank from,
                                  Rank to,
                                  const std::uint8_t* bytes,
                                  std::size_t length);

    /// Whether process @p rank, on the node of this number, is on this partition.
    bool IsOurs(Rank rank) const
    {
        return m_partition == nullptr || m_partition->IsOurs(rank);
    }

    const WorkloadPartition* m_partition;
    std::map<std::pair<Rank, Rank>, Way> m_ways; ///< from, to
};

/**
 * @brief Messages through a socket: UDP datagrams, or records on TCP connections.
 *
 * The process sleeps in select() until data arrives, and then calls recv(): it pays for both system
 * calls and the context switch. The first message opens a TCP connection, in simulated time. UDP
 * loses what its buffers cannot hold.
 */
class SocketPath final : public MessagePath, public StepSource, public Waiter
{
  public:
    SocketPath(WorkloadProcess& process,
               const PathShape& shape,
               const IpNetwork& network,
               KernelSocket::Transport transport,
               std::shared_ptr<SocketJournal> journal);

    /// Always true: a message counts as sent when the kernel has taken it.
    bool HasRoom(Rank) override
    {
        return true;
    }

    bool MayLose() const override
    {
        return m_mayLose;
    }

    void AwaitRoom(Rank to) override;
    void Send(Rank to, const void* data, std::uint32_t length, std::uint32_t size) override;
    bool Take(Rank from, ArrivedMessage& message) override;
    void Release() override;
    void Await(Rank from) override;
    void End() override;
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
    bool m_mayLose;                           ///< datagrams are not sent again
    std::vector<std::uint8_t> m_out;
    KernelMessage m_taken;
    std::deque<KernelMessage> m_kept; ///< messages of peers that were not awaited
    bool m_sleeps{false};             ///< in select()
};

/// See ConnectPaths.
MessagePaths ConnectTcpPaths(const PathRequest& request);

/// See ConnectPaths.
MessagePaths ConnectUdpPaths(const PathRequest& request);

} // namespace via
} // namespace ns3

#endif // VIA_SOCKET_PATH_H
