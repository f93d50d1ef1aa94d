/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
// A socket of a simulated kernel for datagrams, whatever carries them.

#ifndef VIA_DATAGRAM_ENDPOINT_H
#define VIA_DATAGRAM_ENDPOINT_H

#include "ns3/via-ip-device.h"
#include "ns3/via-kernel-socket.h"

#include <cerrno>
#include <cstdint>
#include <deque>
#include <functional>
#include <utility>

namespace ns3
{
namespace via
{

/// One socket. Calls and errors as those of StreamEndpoint.
class DatagramEndpoint
{
  public:
    /// @param device of its host
    explicit DatagramEndpoint(Ptr<ViaIpDevice> device)
        : m_device(device)
    {
    }

    virtual ~DatagramEndpoint() = default;
    DatagramEndpoint(const DatagramEndpoint&) = delete;
    DatagramEndpoint& operator=(const DatagramEndpoint&) = delete;

    void SetListener(std::function<void()> listener)
    {
        m_listener = std::move(listener);
    }

    virtual int Bind(const KernelPeer& at) = 0;

    /// Datagrams go to @p to, and come from there only.
    virtual int Connect(const KernelPeer& to) = 0;

    /// Ends what Connect has begun: it has no peer, and takes datagrams of all.
    void Dissolve()
    {
        m_peer = {};
        m_connected = false;
    }

    /// @return 0 or an error
    virtual int Send(const KernelPeer& to, const void* bytes, std::size_t count) = 0;

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

    virtual KernelPeer Local() const = 0;

    /// The error that the network has reported for its peer, 0: none.
    int Error() const
    {
        return m_error;
    }

    /// As Error, which is forgotten.
    int TakeError()
    {
        return std::exchange(m_error, 0);
    }

  protected:
    /// @return whether it takes datagrams of @p peer
    bool Wants(const KernelPeer& peer) const
    {
        return !m_connected || (peer.address == m_peer.address && peer.port == m_peer.port);
    }

    /// Adds what has arrived.
    void Queue(KernelMessage message);

    /// The host of its peer reports that nobody receives there.
    void Refuse();

    Ptr<ViaIpDevice> m_device;
    std::size_t m_waitingBytes{0};
    KernelPeer m_peer;
    bool m_connected{false};

  private:
    std::function<void()> m_listener;
    std::deque<KernelMessage> m_waiting;
    int m_error{0};
};

inline void
DatagramEndpoint::Pop()
{
    m_waitingBytes -= m_waiting.front().bytes.size();
    m_waiting.pop_front();
}

inline void
DatagramEndpoint::Refuse()
{
    m_error = ECONNREFUSED;
    if (m_listener)
    {
        m_listener();
    }
}

inline void
DatagramEndpoint::Queue(KernelMessage message)
{
    m_waitingBytes += message.bytes.size();
    m_waiting.push_back(std::move(message));
    if (m_listener)
    {
        m_listener();
    }
}

} // namespace via
} // namespace ns3

#endif // VIA_DATAGRAM_ENDPOINT_H
