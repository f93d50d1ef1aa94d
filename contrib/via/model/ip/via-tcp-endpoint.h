/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
// A TCP socket of a simulated kernel: a stream of bytes, or a listener. Nothing here blocks.

#ifndef VIA_TCP_ENDPOINT_H
#define VIA_TCP_ENDPOINT_H

#include "ns3/socket.h"
#include "ns3/tcp-socket-base.h"
#include "ns3/via-ip-device.h"
#include "ns3/via-kernel-socket.h"

#include <cstdint>
#include <deque>
#include <functional>
#include <memory>
#include <vector>

namespace ns3
{
namespace via
{

/**
 * @brief One TCP socket. All calls come from inside the stack (KernelGate::Run); errors are those
 * of <errno.h>.
 *
 *     new -- Bind, Listen --> listening --> Accept
 *      `---- Connect --> connecting --> connected --> at its end, or failed
 */
class TcpEndpoint
{
  public:
    explicit TcpEndpoint(Ptr<ViaIpDevice> device);
    ~TcpEndpoint();
    TcpEndpoint(const TcpEndpoint&) = delete;
    TcpEndpoint& operator=(const TcpEndpoint&) = delete;

    /// @param listener called from inside the stack when anything below may have changed
    void SetListener(std::function<void()> listener)
    {
        m_listener = std::move(listener);
    }

    /// @return 0 or an error
    int Bind(const KernelPeer& at);

    /// @param backlog connections that may wait for Accept. @return 0 or an error
    int Listen(std::uint32_t backlog);

    /// Begins to connect. @return 0 or an error
    int Connect(const KernelPeer& to);

    /// @return the next connection; null: none waits
    std::unique_ptr<TcpEndpoint> Accept();

    /// @return how many of the bytes the kernel has taken
    std::size_t Send(const void* bytes, std::size_t count);

    /// Takes up to @p most bytes that have arrived. @param peeks leaves them there
    std::vector<std::uint8_t> Receive(std::size_t most, bool peeks);

    /// No more bytes will be sent, once those before have left.
    void EndSending();

    /**
     * @brief Ends it, from anywhere in the run: its last data still leave, then its end.
     * @param resets its peer sees a reset instead
     */
    static void Close(std::unique_ptr<TcpEndpoint> endpoint, bool resets);

    bool IsListening() const
    {
        return m_listens;
    }

    bool IsConnecting() const
    {
        return m_connecting;
    }

    bool IsConnected() const
    {
        return m_connected;
    }

    bool HasSentEnd() const
    {
        return m_endSent;
    }

    /// @return whether a connection waits for Accept
    bool HasWaiting() const
    {
        return !m_waiting.empty();
    }

    std::size_t Available() const;
    std::size_t Room() const;

    /// @return whether nothing more will arrive after what is available
    bool IsAtEnd() const;

    /// @return whether an error has ended it
    bool HasFailed() const
    {
        return m_failed;
    }

    /// @return the error that ended it, or 0 if it was taken
    int Error() const
    {
        return m_error;
    }

    /// As Error, which is then forgotten.
    int TakeError()
    {
        return std::exchange(m_error, 0);
    }

    /// Gives back an error of <errno.h> that was taken: the next call tells it.
    void KeepError(int error)
    {
        m_error = error;
    }

    KernelPeer Local() const;

    const KernelPeer& Peer() const
    {
        return m_peer;
    }

    void SetNoDelay(bool isSet);

  private:
    TcpEndpoint(Ptr<ViaIpDevice> device, Ptr<Socket> accepted, const Address& from);

    void Watch();
    void Forget();
    void Changed();
    void Fail(int error);
    bool HasRoom(Ptr<Socket> socket, const Address& from);
    void OnAccept(Ptr<Socket> socket, const Address& from);
    void OnConnected(Ptr<Socket> socket);
    void OnReceive(Ptr<Socket> socket);
    void OnRoom(Ptr<Socket> socket, std::uint32_t available);
    void OnGivenUp(Ptr<Socket> socket);
    void OnState(TcpSocket::TcpStates_t before, TcpSocket::TcpStates_t now);
    void OnSegment(Ptr<const ns3::Packet> packet,
                   const TcpHeader& header,
                   Ptr<const TcpSocketBase> socket);
    static void CloseNow(std::shared_ptr<TcpEndpoint> endpoint, bool resets);

    Ptr<ViaIpDevice> m_device;
    Ptr<Socket> m_socket;
    std::function<void()> m_listener;
    std::deque<std::unique_ptr<TcpEndpoint>> m_waiting;
    std::vector<std::uint8_t> m_peeked; ///< taken from the stack, but not by the program
    KernelPeer m_peer;
    std::uint32_t m_backlog{0};
    int m_error{0};       ///< not yet told
    bool m_failed{false}; ///< with an error, told or not
    bool m_bound{false};
    bool m_listens{false};
    bool m_connecting{false};
    bool m_connected{false}; ///< now or before
    bool m_endSent{false};
    bool m_atEnd{false};
    bool m_watched{false};
};

} // namespace via
} // namespace ns3

#endif // VIA_TCP_ENDPOINT_H
