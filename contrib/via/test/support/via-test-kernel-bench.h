/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
// Processes of a cluster that communicate through sockets of their kernels.

#ifndef VIA_TEST_KERNEL_BENCH_H
#define VIA_TEST_KERNEL_BENCH_H

#include "ns3/via-cluster.h"
#include "ns3/via-fiber-thread.h"

#include <functional>
#include <string>
#include <vector>

namespace ns3
{
namespace via
{
namespace test
{

using Carrier = KernelSocket::Transport;

/// The arguments of a program of the bench.
struct KernelProgram
{
    Process& process;
    KernelSocket& socket;

    void Send(NodeId to, std::uint32_t length)
    {
        const std::vector<std::uint8_t> bytes(length, 0x5A);
        socket.Send(process, PeerOf(to), bytes.data(), length);
    }

    KernelMessage Receive()
    {
        return socket.Receive(process);
    }

    static KernelPeer PeerOf(NodeId node)
    {
        return {IpNetwork::AddressOf(node), PORT};
    }

    static constexpr std::uint16_t PORT = 7000;
};

/// A cluster with IP, to which tests add programs.
class KernelBench
{
  public:
    explicit KernelBench(const ClusterConfig& config, Carrier transport)
        : m_transport(transport),
          m_cluster(config)
    {
        m_cluster.Ip();
    }

    /// Adds a program: runs @p body on @p node with its own socket.
    void Add(NodeId node, std::function<void(KernelProgram&)> body)
    {
        m_cluster.AddProcess(node, [this, node, body] {
            const auto socket = m_cluster.Ip().MakeSocket(m_transport, node, KernelProgram::PORT);
            KernelProgram program{*FiberThread::Current(), *socket};
            body(program);
            return 0;
        });
    }

    Cluster& GetCluster()
    {
        return m_cluster;
    }

    RunReport Run()
    {
        return m_cluster.Run();
    }

  private:
    Carrier m_transport;
    Cluster m_cluster;
};

/// Half a round trip of @p bytes in ps: the mean of @p rounds after the first.
inline Ps
KernelLatency(const ClusterConfig& config,
              Carrier transport,
              std::uint32_t bytes,
              std::uint32_t rounds = 20)
{
    KernelBench bench(config, transport);
    Ps first = 0;
    Ps last = 0;
    bench.Add(0, [&, bytes, rounds](KernelProgram& ping) {
        for (std::uint32_t round = 0; round <= rounds; ++round)
        {
            ping.Send(1, bytes);
            ping.Receive();
            (round == 0 ? first : last) = ping.process.Clock().at;
        }
    });
    bench.Add(1, [bytes, rounds](KernelProgram& pong) {
        for (std::uint32_t round = 0; round <= rounds; ++round)
        {
            pong.Receive();
            pong.Send(0, bytes);
        }
    });
    bench.Run();
    return (last - first) / (2 * rounds);
}

} // namespace test
} // namespace via
} // namespace ns3

#endif // VIA_TEST_KERNEL_BENCH_H
