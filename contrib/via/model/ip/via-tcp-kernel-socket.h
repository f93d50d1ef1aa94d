/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
// A socket for simulated processes over TCP: records on connections that it opens as needed.

#ifndef VIA_TCP_KERNEL_SOCKET_H
#define VIA_TCP_KERNEL_SOCKET_H

#include "ns3/tcp-header.h"
#include "ns3/tcp-socket-base.h"
#include "ns3/via-kernel-socket.h"
#include "ns3/via-tcp-setting.h"

#include <map>

namespace ns3
{
namespace via
{

/**
 * @brief See KernelSocket. The end that sends first opens the connection; the other replies on it.
 * What a process sends over a connection that cannot be made, or that is lost, is lost; the next
 * message opens another one.
 *
 *     | length, 4 bytes | the sender's port, 2 | 0, 2 | payload |
 */
class TcpKernelSocket final : public KernelSocket
{
  public:
    TcpKernelSocket(Ptr<ViaIpDevice> device, std::uint16_t port);
    ~TcpKernelSocket() override;

    void Connect(Process& process, const KernelPeer& to) override;
    void Send(Process& process,
              const KernelPeer& to,
              const std::uint8_t* bytes,
              std::uint32_t length) override;
    void Discard() override;

  private:
    static constexpr std::size_t HEADER = 8;

    /// A stream and its incomplete record.
    struct Stream
    {
        Ptr<Socket> socket;
        Ipv4Address peer; ///< kept here: the socket forgets it when its connection ends
        std::vector<std::uint8_t> bytes;
        Moment arrived;       ///< when the last data came; no cause: it has woken the reader
        bool connects{false}; ///< its connection is being made
        bool isLost{false};
    };

    bool HasData() const override;
    void Read(Process& process) override;
    void Listen();
    void Watch(Ptr<Socket> socket, Ipv4Address peer);
    static void OnAccept(Ptr<TcpListener<TcpKernelSocket>> listener,
                         Ptr<Socket> socket,
                         const Address& from);
    bool SendsOn(const Ptr<Socket>& socket, const KernelPeer& to) const;
    void OnConnected(Ptr<Socket> socket);
    void OnLost(Ptr<Socket> socket);
    void OnSegment(Ptr<const ns3::Packet> packet,
                   const TcpHeader& header,
                   Ptr<const TcpSocketBase> socket);
    void OnReceive(Ptr<Socket> socket);
    void ThrowAway(const Ptr<Socket>& socket);
    void OnRoom(Ptr<Socket> socket, std::uint32_t available);
    void TakeRecords(Stream& stream);

    Ptr<Socket> m_listening;
    Ptr<TcpListener<TcpKernelSocket>> m_listener; ///< what the callbacks of m_listening hold
    std::vector<Stream> m_streams;
    std::size_t m_next{0};                      ///< the next stream to read
    bool m_discards{false};                     ///< what arrives is thrown away
    std::map<KernelPeer, Ptr<Socket>> m_byPeer; ///< for sending
    Ptr<Socket> m_connected;                    ///< the last socket that connected
    std::uint64_t m_rooms{0};                   ///< how often space was made in a socket
};

} // namespace via
} // namespace ns3

#endif // VIA_TCP_KERNEL_SOCKET_H
