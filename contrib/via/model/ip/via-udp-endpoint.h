/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
// A UDP socket of a simulated kernel. Nothing here blocks.

#ifndef VIA_UDP_ENDPOINT_H
#define VIA_UDP_ENDPOINT_H

#include "ns3/socket.h"
#include "ns3/via-datagram-endpoint.h"

#include <cstdint>

namespace ns3
{
namespace via
{

/// One UDP socket.
class UdpEndpoint final : public DatagramEndpoint
{
  public:
    explicit UdpEndpoint(Ptr<ViaIpDevice> device);
    ~UdpEndpoint() override;

    int Bind(const KernelPeer& at) override;
    int Connect(const KernelPeer& to) override;
    int Send(const KernelPeer& to, const void* bytes, std::size_t count) override;
    KernelPeer Local() const override;

  private:
    void OnReceive(Ptr<Socket> socket);
    void OnIcmp(Ipv4Address from,
                std::uint8_t timeToLive,
                std::uint8_t type,
                std::uint8_t code,
                std::uint32_t about);

    Ptr<Socket> m_socket;
    bool m_bound{false};
};

} // namespace via
} // namespace ns3

#endif // VIA_UDP_ENDPOINT_H
