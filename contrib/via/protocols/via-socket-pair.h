/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
// Two processes with a socket each: how latency and bandwidth of a kernel are measured.

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
 * @brief Two processes that block in calls of their sockets, as benchmarks of the time do.
 *
 * Protocols over the same sockets look for timers and several peers, so they call select() first.
 * Parameter of both: transport (kernel-tcp, or kernel-udp).
 */
class SocketPair : public Workload, public WorkloadStep
{
  public:
    /// What it is asked to do.
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

    /// How many rounds or messages there are.
    std::uint64_t Count() const
    {
        return m_count;
    }

    /// What a process does, in one go.
    virtual void Run(std::uint32_t rank) = 0;

    /// @p rank sends the other a message; returns when the kernel has taken it.
    void Send(std::uint32_t rank);

    /// @p rank waits for a message of the other. A message of another length aborts the run.
    void Receive(std::uint32_t rank);

    /// The clock of @p rank.
    Ps Now(std::uint32_t rank) const;

  private:
    std::vector<std::uint8_t> m_bytes; ///< of a message
    std::uint64_t m_count;
    std::vector<std::unique_ptr<KernelSocket>> m_sockets; ///< null: of a node that another rank has
    SocketJournal m_journal;
    std::uint32_t m_finished{0};
};

/**
 * @brief Two processes return one message to each other.
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
 * @brief One process sends as fast as its kernel takes it, another reads.
 *
 * Parameters: size (bytes, 32768), messages (200). Samples: when each message has been read, from
 * the start. Datagrams that a kernel drops are waited for for ever.
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
