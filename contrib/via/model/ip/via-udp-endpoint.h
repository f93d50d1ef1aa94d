/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
// A UDP socket of a simulated kernel. Nothing here blocks.

#ifndef VIA_UDP_ENDPOINT_H
#define VIA_UDP_ENDPOINT_H

#include "ns3/socket.h"
#include "ns3/via-ip-device.h"
#include "ns3/via-kernel-socket.h"

#include <cstdint>
#include <deque>
#include <functional>

namespace ns3
{
namespace via
{

/// One UDP socket. Calls and errors as those of TcpEndpoint.
class UdpEndpoint
{
  public:
    explicit UdpEndpoint(Ptr<ViaIpDevice> device);
    ~UdpEndpoint();
    UdpEndpoint(const UdpEndpoint&) = delete;
    UdpEndpoint& operator=(const UdpEndpoint&) = delete;

    void SetListener(std::function<void()> listener)
    {
        m_listener = std::move(listener);
    }

    int Bind(const KernelPeer& at);

    /// Datagrams go to @p to, and come from there only.
    int Connect(const KernelPeer& to);

    /// @return 0 or an error
    int Send(const KernelPeer& to, const void* bytes, std::size_t count);

    /// @return whether a datagram waits
    bool HasWaiting() const
    {
        return !m_waiting.empty();
    }

    /// The datagram that waits longest.
    const KernelMessage& Front() const
    {
        return m_waiting.front();
    }

    void Pop();

    bool IsConnected() const
    {
        return m_connected;
    }

    const KernelPeer& Peer() const
    {
        return m_peer;
    }

    KernelPeer Local() const;

  private:
    void OnReceive(Ptr<Socket> socket);

    Ptr<ViaIpDevice> m_device;
    Ptr<Socket> m_socket;
    std::function<void()> m_listener;
    std::deque<KernelMessage> m_waiting;
    std::size_t m_waitingBytes{0};
    KernelPeer m_peer;
    bool m_bound{false};
    bool m_connected{false};
};

} // namespace via
} // namespace ns3

#endif // VIA_UDP_ENDPOINT_H
