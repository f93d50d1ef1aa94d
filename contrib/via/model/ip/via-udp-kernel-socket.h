/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
// A socket for simulated processes over UDP: a datagram for each message.

#ifndef VIA_UDP_KERNEL_SOCKET_H
#define VIA_UDP_KERNEL_SOCKET_H

#include "ns3/via-kernel-socket.h"
#include "ns3/via-packet.h"

#include <optional>
#include <utility>

namespace ns3
{
namespace via
{

/// See KernelSocket.
class UdpKernelSocket final : public KernelSocket
{
  public:
    UdpKernelSocket(Ptr<ViaIpDevice> device, std::uint16_t port);
    ~UdpKernelSocket() override;

    void Connect(Process&, const KernelPeer&) override
    {
    }

    void Send(Process& process,
              const KernelPeer& to,
              const std::uint8_t* bytes,
              std::uint32_t length) override;

    /// The next datagram carries @p origin, beside its bytes and at no cost, to who takes it.
    void Stamp(const MessageOrigin& origin)
    {
        m_stamp = origin;
    }

    /// @return what the datagram that was taken last carried
    const std::optional<MessageOrigin>& Stamped() const
    {
        return m_stamped;
    }

    static constexpr std::uint32_t MOST_BYTES = 65507; ///< largest payload of a datagram

  private:
    bool HasData() const override
    {
        return !m_arrivals.empty();
    }

    void Read(Process& process) override;
    void OnReceive(Ptr<Socket> socket);

    std::deque<Moment> m_arrivals;          ///< of the datagrams in the socket's queue
    std::optional<MessageOrigin> m_stamp;   ///< for the next datagram
    std::optional<MessageOrigin> m_stamped; ///< on the last one that was read
    Ptr<Socket> m_socket;
};

} // namespace via
} // namespace ns3

#endif // VIA_UDP_KERNEL_SOCKET_H
