/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
// Sockets on the control network: streams and datagrams that arrive where they are sent.

#ifndef VIA_CONTROL_ENDPOINT_H
#define VIA_CONTROL_ENDPOINT_H

#include "ns3/via-control-network.h"
#include "ns3/via-datagram-endpoint.h"
#include "ns3/via-stream-endpoint.h"

#include <cstdint>
#include <memory>
#include <vector>

namespace ns3
{
namespace via
{

/// A stream, or a listener, which takes any number of connections.
class ControlStream final : public StreamEndpoint
{
  public:
    /// Bytes that one direction holds: who sends more waits for the reader.
    static constexpr std::size_t ROOM = 65536;

    ControlStream(Ptr<ViaIpDevice> device, std::shared_ptr<ControlNetwork> network);
    ~ControlStream() override;

    bool IsFree() const override
    {
        return true;
    }

    int Bind(const KernelPeer& at) override;
    int Listen(std::uint32_t backlog) override;
    void StopListening() override;
    int Connect(const KernelPeer& to) override;
    std::size_t Send(const void* bytes, std::size_t count) override;
    std::vector<std::uint8_t> Receive(std::size_t most, bool peeks) override;
    void EndSending() override;
    std::size_t Available() const override;
    std::size_t Room() const override;

    KernelPeer Local() const override
    {
        return m_local;
    }

    void SetNoDelay(bool) override
    {
    }

  private:
    void End(bool resets) override;
    void Join(ControlStream& other);
    void Leave();

    std::shared_ptr<ControlNetwork> m_network;
    NodeId m_host;
    KernelPeer m_local;
    bool m_ownsPort{false};
    ControlStream* m_other{nullptr};   ///< the other end, as long as it is open
    std::vector<std::uint8_t> m_inbox; ///< arrived, and not read
};

/// Datagrams; none are lost, except to a port that nobody has.
class ControlDatagrams final : public DatagramEndpoint
{
  public:
    ControlDatagrams(Ptr<ViaIpDevice> device, std::shared_ptr<ControlNetwork> network);
    ~ControlDatagrams() override;

    int Bind(const KernelPeer& at) override;
    int Connect(const KernelPeer& to) override;
    int Send(const KernelPeer& to, const void* bytes, std::size_t count) override;

    KernelPeer Local() const override;

  private:
    std::shared_ptr<ControlNetwork> m_network;
    NodeId m_host;
    KernelPeer m_local; ///< as bound
};

} // namespace via
} // namespace ns3

#endif // VIA_CONTROL_ENDPOINT_H
