/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
// A socket of a simulated kernel for a stream of bytes, whatever carries them.

#ifndef VIA_STREAM_ENDPOINT_H
#define VIA_STREAM_ENDPOINT_H

#include "ns3/via-ip-device.h"
#include "ns3/via-kernel-socket.h"

#include <cstdint>
#include <deque>
#include <functional>
#include <memory>
#include <utility>
#include <vector>

namespace ns3
{
namespace via
{

/**
 * @brief One end of a stream, or a listener. All calls come from inside the stack
 * (KernelGate::Run); nothing here blocks; errors are those of <errno.h>.
 *
 *     new -- Bind, Listen --> listening --> Accept
 *      `---- Connect --> connecting --> connected --> at its end, or failed
 */
class StreamEndpoint
{
  public:
    /// @param device of its host
    explicit StreamEndpoint(Ptr<ViaIpDevice> device)
        : m_device(device)
    {
    }

    virtual ~StreamEndpoint() = default;
    StreamEndpoint(const StreamEndpoint&) = delete;
    StreamEndpoint& operator=(const StreamEndpoint&) = delete;

    /// @param listener called from inside the stack when anything below may have changed
    void SetListener(std::function<void()> listener)
    {
        m_listener = std::move(listener);
    }

    /// @return whether calls on it take no simulated time
    virtual bool IsFree() const
    {
        return false;
    }

    /// @return 0 or an error
    virtual int Bind(const KernelPeer& at) = 0;

    /// @param backlog one connection more may wait for Accept. @return 0 or an error
    virtual int Listen(std::uint32_t backlog) = 0;

    /// It is again as it was before Listen: what waits for Accept is closed.
    virtual void StopListening() = 0;

    /// Begins to connect. @return 0 or an error
    virtual int Connect(const KernelPeer& to) = 0;

    /// @return the next connection; null: none waits
    std::unique_ptr<StreamEndpoint> Accept();

    /// @return how many of the bytes the kernel has taken
    virtual std::size_t Send(const void* bytes, std::size_t count) = 0;

    /// Takes up to @p most bytes that have arrived. @param peeks leaves them there
    virtual std::vector<std::uint8_t> Receive(std::size_t most, bool peeks) = 0;

    /// No more bytes will be sent, once those before have left.
    virtual void EndSending() = 0;

    /**
     * @brief Ends it, from anywhere in the run: its last data still leave, then its end.
     * @param resets its peer sees a reset instead
     */
    static void Close(std::unique_ptr<StreamEndpoint> endpoint, bool resets);

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

    virtual std::size_t Available() const = 0;
    virtual std::size_t Room() const = 0;

    /// @return whether nothing more will arrive after what is available
    bool IsAtEnd() const
    {
        return m_atEnd;
    }

    /// @return whether the peer's end has arrived: it is what readers see, whatever fails later
    bool HasPeerEnded() const
    {
        return m_failed ? m_peerEnded : m_atEnd;
    }

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

    virtual KernelPeer Local() const = 0;

    const KernelPeer& Peer() const
    {
        return m_peer;
    }

    virtual void SetNoDelay(bool isSet) = 0;

  protected:
    void Changed();
    void Fail(int error);

    Ptr<ViaIpDevice> m_device;
    std::deque<std::unique_ptr<StreamEndpoint>> m_waiting;
    KernelPeer m_peer;
    int m_error{0};          ///< not yet told
    bool m_failed{false};    ///< with an error, told or not
    bool m_peerEnded{false}; ///< before it failed
    bool m_listens{false};
    bool m_connecting{false};
    bool m_connected{false}; ///< now or before
    bool m_endSent{false};
    bool m_atEnd{false};

  private:
    static void CloseNow(std::shared_ptr<StreamEndpoint> endpoint, bool resets);

    /// The program has closed it.
    virtual void End(bool resets) = 0;

    std::function<void()> m_listener;
};

} // namespace via
} // namespace ns3

#endif // VIA_STREAM_ENDPOINT_H
