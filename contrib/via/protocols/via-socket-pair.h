/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
// Two processes with a socket each, to measure latency and bandwidth of a kernel.

#ifndef VIA_SOCKET_PAIR_H
#define VIA_SOCKET_PAIR_H

#include "ns3/via-ip-network.h"
#include "ns3/via-socket-path.h"
#include "ns3/via-workload.h"

#include <cstdint>
#include <memory>
#include <vector>

namespace ns3
{
namespace via
{

/**
 * @brief Two processes that block in socket calls, as benchmarks of the time do.
 *
 * Protocols over the same sockets wait for timers and several peers, so they call select() first.
 * Parameter of both workloads: transport (kernel-tcp or kernel-udp).
 */
class SocketPair : public Workload, public WorkloadStep
{
  public:
    /// The parameters.
    struct Settings
    {
        KernelSocket::Transport transport;
        std::size_t bytes;   ///< of a message
        std::uint64_t count; ///< of rounds or messages
    };

    void Start() override;
    bool IsFinished() const override;
    void OnStep(std::uint32_t rank) override;

  protected:
    SocketPair(const Settings& settings, const WorkloadContext& context);

    /// Number of rounds or messages.
    std::uint64_t Count() const
    {
        return m_count;
    }

    /// Runs a process from start to end.
    virtual void Run(std::uint32_t rank) = 0;

    /// Process @p rank sends a message to the other; returns when the kernel has taken it.
    void Send(std::uint32_t rank);

    /// Process @p rank waits for a message from the other. A message of another length aborts the
    /// run.
    void Receive(std::uint32_t rank);

    /// The clock of process @p rank.
    Ps Now(std::uint32_t rank) const;

  private:
    std::vector<std::uint8_t> m_bytes; ///< of a message
    std::uint64_t m_count;
    std::vector<std::unique_ptr<KernelSocket>>
        m_sockets; ///< null: the node is in another partition
    SocketJournal m_journal;
    std::uint32_t m_finished{0};
};

/**
 * @brief Two processes send one message back and forth.
 *
 * Parameters: size (bytes, 1), rounds (1000). Samples: round trips; the first opens the connection.
 */
class SocketPingPong final : public SocketPair
{
  public:
    SocketPingPong(const Settings& settings, const WorkloadContext& context);

    /// @throws ConfigError naming the parameter and what is allowed
    static Settings Read(WorkloadParameters& given);

  protected:
    void Run(std::uint32_t rank) override;
};

/**
 * @brief One process sends as fast as its kernel accepts data, another reads.
 *
 * Parameters: size (bytes, 32768), messages (200). Samples: the time from the start until each
 * message has been read. If a kernel drops a datagram, the reader waits forever.
 */
class SocketStream final : public SocketPair
{
  public:
    SocketStream(const Settings& settings, const WorkloadContext& context);

    /// @throws ConfigError naming the parameter and what is allowed
    static Settings Read(WorkloadParameters& given);

  protected:
    void Run(std::uint32_t rank) override;
};

} // namespace via
} // namespace ns3

#endif // VIA_SOCKET_PAIR_H
