/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
// A non-owning view of a VI, with all calls that take a VI's handle.

#ifndef VIPL_VI_HPP
#define VIPL_VI_HPP

#include "address.hpp"
#include "descriptor.hpp"
#include "timeout.hpp"
#include "vi_attributes.hpp"

#include <optional>

namespace vipl
{

/**
 * @brief A VI handle that owns nothing, as completion queues and handlers provide it.
 *
 * Each method makes the one VIPL call of the same name. Methods that poll or wait for completions
 * return a Completion for a failed descriptor, too: check its status.
 */
class ViRef
{
  public:
    ViRef() noexcept = default;

    explicit ViRef(VIP_VI_HANDLE handle) noexcept
        : m_handle(handle)
    {
    }

    VIP_VI_HANDLE Get() const noexcept
    {
        return m_handle;
    }

    explicit operator bool() const noexcept
    {
        return m_handle != nullptr;
    }

    friend bool operator==(const ViRef& a, const ViRef& b) noexcept
    {
        return a.m_handle == b.m_handle;
    }

    friend bool operator!=(const ViRef& a, const ViRef& b) noexcept
    {
        return !(a == b);
    }

    // ---- state

    ViStatus Query() const
    {
        return detail::OrThrow("VipQueryVi", [&](std::error_code& error) { return Query(error); });
    }

    ViStatus Query(std::error_code& error) const
    {
        VIP_VI_STATE state = VIP_STATE_IDLE;
        VIP_VI_ATTRIBUTES raw{};
        VIP_BOOLEAN sendEmpty = VIP_TRUE;
        VIP_BOOLEAN recvEmpty = VIP_TRUE;
        error = VipQueryVi(Get(), &state, &raw, &sendEmpty, &recvEmpty);
        return {static_cast<vipl::State>(state),
                ViAttributes::From(raw),
                sendEmpty != VIP_FALSE,
                recvEmpty != VIP_FALSE};
    }

    /// Only for an idle VI.
    void SetAttributes(const ViAttributes& attributes) const
    {
        detail::OrThrow("VipSetViAttributes",
                        [&](std::error_code& error) { SetAttributes(attributes, error); });
    }

    void SetAttributes(const ViAttributes& attributes, std::error_code& error) const
    {
        VIP_VI_ATTRIBUTES raw = attributes.Raw();
        error = VipSetViAttributes(Get(), &raw);
    }

    // ---- connections

    /**
     * @brief Sends a request to the server that waits at @p remote, and blocks until it answers.
     * @param timeout not 0
     * @return the attributes of the server's VI
     */
    ViAttributes ConnectRequest(NetAddress local, NetAddress remote, Timeout timeout) const
    {
        return detail::OrThrow("VipConnectRequest", [&](std::error_code& error) {
            return ConnectRequest(local, remote, timeout, error);
        });
    }

    ViAttributes ConnectRequest(NetAddress local,
                                NetAddress remote,
                                Timeout timeout,
                                std::error_code& error) const
    {
        VIP_VI_ATTRIBUTES raw{};
        error = VipConnectRequest(Get(), local.Get(), remote.Get(), Milliseconds(timeout), &raw);
        return ViAttributes::From(raw);
    }

    /// Starts to connect with a peer that does the same towards @p local; does not block.
    void ConnectPeerRequest(NetAddress local, NetAddress remote, Timeout timeout) const
    {
        detail::OrThrow("VipConnectPeerRequest", [&](std::error_code& error) {
            ConnectPeerRequest(local, remote, timeout, error);
        });
    }

    void ConnectPeerRequest(NetAddress local,
                            NetAddress remote,
                            Timeout timeout,
                            std::error_code& error) const
    {
        error = VipConnectPeerRequest(Get(), local.Get(), remote.Get(), Milliseconds(timeout));
    }

    /// @return the peer's attributes, or nothing (and no error) while it has not answered
    std::optional<ViAttributes> ConnectPeerDone() const
    {
        return detail::OrThrow("VipConnectPeerDone",
                               [&](std::error_code& error) { return ConnectPeerDone(error); });
    }

    std::optional<ViAttributes> ConnectPeerDone(std::error_code& error) const
    {
        VIP_VI_ATTRIBUTES raw{};
        error = VipConnectPeerDone(Get(), &raw);
        return PeerAnswer(raw, error);
    }

    /// Blocks up to the request's timeout.
    ViAttributes ConnectPeerWait() const
    {
        return detail::OrThrow("VipConnectPeerWait",
                               [&](std::error_code& error) { return ConnectPeerWait(error); });
    }

    ViAttributes ConnectPeerWait(std::error_code& error) const
    {
        VIP_VI_ATTRIBUTES raw{};
        error = VipConnectPeerWait(Get(), &raw);
        return ViAttributes::From(raw);
    }

    /// Makes the VI idle; queued descriptors complete as flushed. Harmless on an idle one.
    void Disconnect() const
    {
        detail::OrThrow("VipDisconnect", [&](std::error_code& error) { Disconnect(error); });
    }

    void Disconnect(std::error_code& error) const
    {
        error = VipDisconnect(Get());
    }

    // ---- descriptors

    /// A send, an RDMA write or an RDMA read; an invalid descriptor is reported later.
    void PostSend(const Descriptor& descriptor) const
    {
        detail::OrThrow("VipPostSend",
                        [&](std::error_code& error) { PostSend(descriptor, error); });
    }

    void PostSend(const Descriptor& descriptor, std::error_code& error) const
    {
        error = VipPostSend(Get(), descriptor.Get(), descriptor.Handle());
    }

    /// A receive; allowed before the VI is connected.
    void PostRecv(const Descriptor& descriptor) const
    {
        detail::OrThrow("VipPostRecv",
                        [&](std::error_code& error) { PostRecv(descriptor, error); });
    }

    void PostRecv(const Descriptor& descriptor, std::error_code& error) const
    {
        error = VipPostRecv(Get(), descriptor.Get(), descriptor.Handle());
    }

    /// @return the oldest send if it is complete, else nothing
    /// @throws std::system_error, VIP_DESCRIPTOR_ERROR, if no send is queued
    std::optional<Completion> SendDone() const
    {
        return detail::OrThrow("VipSendDone",
                               [&](std::error_code& error) { return SendDone(error); });
    }

    std::optional<Completion> SendDone(std::error_code& error) const
    {
        VIP_DESCRIPTOR* descriptor = nullptr;
        error = VipSendDone(Get(), &descriptor);
        return Harvest(descriptor, error);
    }

    /// SendDone for receives.
    std::optional<Completion> RecvDone() const
    {
        return detail::OrThrow("VipRecvDone",
                               [&](std::error_code& error) { return RecvDone(error); });
    }

    std::optional<Completion> RecvDone(std::error_code& error) const
    {
        VIP_DESCRIPTOR* descriptor = nullptr;
        error = VipRecvDone(Get(), &descriptor);
        return Harvest(descriptor, error);
    }

    /// Blocks until the oldest send is complete.
    Completion SendWait(Timeout timeout) const
    {
        return *detail::OrThrow("VipSendWait",
                                [&](std::error_code& error) { return SendWait(timeout, error); });
    }

    /// @return nothing if and only if there is an error
    std::optional<Completion> SendWait(Timeout timeout, std::error_code& error) const
    {
        VIP_DESCRIPTOR* descriptor = nullptr;
        error = VipSendWait(Get(), Milliseconds(timeout), &descriptor);
        return Await(descriptor, error);
    }

    /// SendWait for receives.
    Completion RecvWait(Timeout timeout) const
    {
        return *detail::OrThrow("VipRecvWait",
                                [&](std::error_code& error) { return RecvWait(timeout, error); });
    }

    std::optional<Completion> RecvWait(Timeout timeout, std::error_code& error) const
    {
        VIP_DESCRIPTOR* descriptor = nullptr;
        error = VipRecvWait(Get(), Milliseconds(timeout), &descriptor);
        return Await(descriptor, error);
    }

    // ---- Giganet's extras

    /// The pointer that SetUserData stored; null before.
    void* GetUserData() const
    {
        return VipGetUserData(Get());
    }

    void SetUserData(void* data) const
    {
        VipSetUserData(Get(), data);
    }

    /**
     * @brief Makes posted sends wait without a doorbell, or starts all waiting ones with one.
     * @return the previous setting
     */
    bool PostDeferredSends(bool defer) const
    {
        return detail::OrThrow("VipPostDeferredSends", [&](std::error_code& error) {
            return PostDeferredSends(defer, error);
        });
    }

    bool PostDeferredSends(bool defer, std::error_code& error) const
    {
        VIP_BOOLEAN before = VIP_FALSE;
        error = VipPostDeferredSends(Get(), defer ? VIP_TRUE : VIP_FALSE, &before);
        return before != VIP_FALSE;
    }

  protected:
    VIP_VI_HANDLE m_handle{nullptr};

  private:
    static std::optional<ViAttributes> PeerAnswer(const VIP_VI_ATTRIBUTES& raw,
                                                  std::error_code& error)
    {
        if (error)
        {
            ForgetNotDone(error);
            return std::nullopt;
        }
        return ViAttributes::From(raw);
    }

    /// For calls that only poll, VIP_NOT_DONE is not an error.
    static void ForgetNotDone(std::error_code& error)
    {
        if (error == VIP_NOT_DONE)
        {
            error.clear();
        }
    }

    static std::optional<Completion> Harvest(VIP_DESCRIPTOR* descriptor, std::error_code& error)
    {
        ForgetNotDone(error);
        return Await(descriptor, error);
    }

    /// A failed descriptor is a completion, not an error of the call.
    static std::optional<Completion> Await(VIP_DESCRIPTOR* descriptor, std::error_code& error)
    {
        if (descriptor == nullptr || (error && error != VIP_DESCRIPTOR_ERROR))
        {
            return std::nullopt;
        }
        error.clear();
        return Completion::Of(descriptor);
    }
};

} // namespace vipl

#endif // VIPL_VI_HPP
