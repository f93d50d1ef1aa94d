/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
// A TCP socket of a simulated kernel: a stream of bytes, or a listener. Nothing here blocks.

#ifndef VIA_TCP_ENDPOINT_H
#define VIA_TCP_ENDPOINT_H

#include "ns3/socket.h"
#include "ns3/tcp-socket-base.h"
#include "ns3/via-stream-endpoint.h"
#include "ns3/via-tcp-setting.h"

#include <cstdint>
#include <memory>
#include <vector>

namespace ns3
{
namespace via
{

/// One TCP socket.
class TcpEndpoint final : public StreamEndpoint
{
  public:
    explicit TcpEndpoint(Ptr<ViaIpDevice> device);
    ~TcpEndpoint() override;

    int Bind(const KernelPeer& at) override;
    int Listen(std::uint32_t backlog) override;
    void StopListening() override;
    int Connect(const KernelPeer& to) override;
    std::size_t Send(const void* bytes, std::size_t count) override;
    std::vector<std::uint8_t> Receive(std::size_t most, bool peeks) override;
    void EndSending() override;
    std::size_t Available() const override;
    std::size_t Room() const override;
    KernelPeer Local() const override;
    void SetNoDelay(bool isSet) override;

  private:
    TcpEndpoint(Ptr<ViaIpDevice> device, Ptr<Socket> accepted, const Address& from);

    void Watch();
    void Forget();
    /// Nobody will accept them.
    void CloseWaiting();
    /// Gets a new socket of ns-3's, which has no way back from a connection or from listening.
    void Renew(const KernelPeer& at);

    using Listener = TcpListener<TcpEndpoint>;

    static bool HasRoom(Ptr<Listener> listener, Ptr<Socket> socket, const Address& from);
    static void OnAccept(Ptr<Listener> listener, Ptr<Socket> socket, const Address& from);
    void OnConnected(Ptr<Socket> socket);
    void OnReceive(Ptr<Socket> socket);
    void OnRoom(Ptr<Socket> socket, std::uint32_t available);
    void OnGivenUp(Ptr<Socket> socket);
    void OnState(TcpSocket::TcpStates_t before, TcpSocket::TcpStates_t now);
    void OnSegment(Ptr<const ns3::Packet> packet,
                   const TcpHeader& header,
                   Ptr<const TcpSocketBase> socket);
    void End(bool resets) override;

    Ptr<Socket> m_socket;
    std::vector<std::uint8_t> m_peeked; ///< taken from the stack, but not by the program
    std::uint32_t m_backlog{0};
    bool m_bound{false};
    KernelPeer m_wanted; ///< what Bind was called with
    bool m_watched{false};
    Ptr<Listener> m_listener; ///< null: it does not listen
};

} // namespace via
} // namespace ns3

#endif // VIA_TCP_ENDPOINT_H
