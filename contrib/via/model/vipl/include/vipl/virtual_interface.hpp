/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
// The owner of a VI, and the connection requests that a server accepts with one.

#ifndef VIPL_VIRTUAL_INTERFACE_HPP
#define VIPL_VIRTUAL_INTERFACE_HPP

#include "completion_queue.hpp"

#include <array>

namespace vipl
{

/// Receives a completed descriptor, already dequeued, in the provider's context.
using CompletionHandler = std::function<void(ViRef, const Completion&)>;

/**
 * @brief An owned virtual interface: all of ViRef, plus destruction.
 *
 * The destructor makes all calls that an orderly end needs: VipDestroyVi; if that is refused
 * because the VI is connected or its queues are not empty, VipDisconnect, then VipSendDone and
 * VipRecvDone until both queues are empty, then VipDestroyVi again. Handlers that still wait are
 * cancelled before: none is called with a descriptor that only the end has completed. Handlers of
 * its completion queues are not called with them either, and wait for entries of other VIs.
 */
class VirtualInterface : public ViRef
{
  public:
    /// An empty handle.
    VirtualInterface() noexcept = default;

    /**
     * @brief One VipCreateVi.
     * @param sends completion queue for sends; null: none, poll the VI
     * @param receives the same for receives
     */
    VirtualInterface(const Nic& nic,
                     const ViAttributes& attributes,
                     const CompletionQueue* sends = nullptr,
                     const CompletionQueue* receives = nullptr)
    {
        detail::OrThrow("VipCreateVi", [&](std::error_code& error) {
            Create(nic, attributes, sends, receives, error);
        });
    }

    VirtualInterface(const Nic& nic,
                     const ViAttributes& attributes,
                     const CompletionQueue* sends,
                     const CompletionQueue* receives,
                     std::error_code& error)
    {
        Create(nic, attributes, sends, receives, error);
    }

    VirtualInterface(VirtualInterface&& other) noexcept
        : ViRef(other),
          m_pending(std::move(other.m_pending)),
          m_queues(std::move(other.m_queues))
    {
        other.m_handle = nullptr;
    }

    /// Destroys the old VI first.
    VirtualInterface& operator=(VirtualInterface&& other) noexcept
    {
        if (this != &other)
        {
            End();
            m_handle = std::exchange(other.m_handle, nullptr);
            m_pending = std::move(other.m_pending);
            m_queues = std::move(other.m_queues);
        }
        return *this;
    }

    ~VirtualInterface()
    {
        End();
    }

    /// One VipDestroyVi, for an idle VI with empty queues. If it is refused, the VI is kept.
    void Close()
    {
        detail::OrThrow("VipDestroyVi", [&](std::error_code& error) { Close(error); });
    }

    void Close(std::error_code& error)
    {
        error.clear();
        if (m_handle == nullptr)
        {
            return;
        }
        error = VipDestroyVi(m_handle);
        if (!error)
        {
            m_handle = nullptr;
            m_pending.reset();
            m_queues = {};
        }
    }

    /**
     * @brief One VipSendNotify: calls @p handler once, with the next completed send.
     *
     * The handler is kept until it has been called, or until closing the VI cancels it. The
     * VirtualInterface may be moved meanwhile. Do not close the VI in the handler.
     */
    void SendNotify(CompletionHandler handler)
    {
        detail::OrThrow("VipSendNotify",
                        [&](std::error_code& error) { SendNotify(std::move(handler), error); });
    }

    void SendNotify(CompletionHandler handler, std::error_code& error)
    {
        detail::Notify(Pending(), std::move(handler), error, [this](void* context) {
            return VipSendNotify(m_handle, context, &VirtualInterface::Call);
        });
    }

    /// SendNotify for receives.
    void RecvNotify(CompletionHandler handler)
    {
        detail::OrThrow("VipRecvNotify",
                        [&](std::error_code& error) { RecvNotify(std::move(handler), error); });
    }

    void RecvNotify(CompletionHandler handler, std::error_code& error)
    {
        detail::Notify(Pending(), std::move(handler), error, [this](void* context) {
            return VipRecvNotify(m_handle, context, &VirtualInterface::Call);
        });
    }

  private:
    void Create(const Nic& nic,
                const ViAttributes& attributes,
                const CompletionQueue* sends,
                const CompletionQueue* receives,
                std::error_code& error)
    {
        VIP_VI_ATTRIBUTES raw = attributes.Raw();
        VIP_VI_HANDLE vi = nullptr;
        error = VipCreateVi(nic.Get(),
                            &raw,
                            sends != nullptr ? sends->Get() : nullptr,
                            receives != nullptr ? receives->Get() : nullptr,
                            &vi);
        m_handle = error ? nullptr : vi;
        if (!error)
        {
            m_queues = {sends != nullptr ? sends->m_value.calls : nullptr,
                        receives != nullptr ? receives->m_value.calls : nullptr};
        }
    }

    detail::PendingCalls<CompletionHandler>& Pending()
    {
        if (!m_pending)
        {
            m_pending = std::make_unique<detail::PendingCalls<CompletionHandler>>();
        }
        return *m_pending;
    }

    static void VI_CALL Call(VIP_PVOID context,
                             VIP_NIC_HANDLE,
                             VIP_VI_HANDLE vi,
                             VIP_DESCRIPTOR* descriptor)
    {
        const auto handler = detail::PendingCalls<CompletionHandler>::Take(context);
        if (handler)
        {
            handler(ViRef(vi), descriptor != nullptr ? Completion::Of(descriptor) : Completion());
        }
    }

    void End() noexcept
    {
        if (m_handle == nullptr)
        {
            return;
        }
        VIP_RETURN result = VIP_NOT_DONE;
        detail::Quietly([&] {
            result = VipDestroyVi(m_handle);
            if (result != VIP_SUCCESS)
            {
                if (m_pending)
                {
                    m_pending->Cancel(); // VipDisconnect completes what is posted
                }
                HideEntries(true);
                result = DisconnectAndDestroy();
            }
        });
        if (result == VIP_SUCCESS)
        {
            HideEntries(false); // the handle may come again
        }
        else
        {
            static_cast<void>(m_pending.release()); // VIPL may still call them
        }
        m_handle = nullptr;
        m_pending.reset();
        m_queues = {};
    }

    /// Whether the handlers of the completion queues get entries of this VI.
    void HideEntries(bool hide) const
    {
        for (const auto& queue : m_queues)
        {
            if (queue)
            {
                queue->Hide(m_handle, hide);
            }
        }
    }

    VIP_RETURN DisconnectAndDestroy() const
    {
        VipDisconnect(m_handle);
        VIP_DESCRIPTOR* descriptor = nullptr;
        do
        {
            descriptor = nullptr;
            VipSendDone(m_handle, &descriptor);
        } while (descriptor != nullptr);
        do
        {
            descriptor = nullptr;
            VipRecvDone(m_handle, &descriptor);
        } while (descriptor != nullptr);
        return VipDestroyVi(m_handle);
    }

    std::unique_ptr<detail::PendingCalls<CompletionHandler>> m_pending;
    std::array<std::shared_ptr<detail::EntryCalls>, 2> m_queues; ///< of sends and of receives
};

namespace detail
{

struct RequestValue
{
    static constexpr const char* CLOSE_CALL = "VipConnectReject";
    VIP_CONN_HANDLE connection{nullptr};

    explicit operator bool() const noexcept
    {
        return connection != nullptr;
    }

    VIP_RETURN Close() const
    {
        return VipConnectReject(connection);
    }
};

} // namespace detail

/// A client's pending request. Destroying it unanswered rejects it.
class ConnectionRequest : public detail::Owned<detail::RequestValue>
{
  public:
    ConnectionRequest() noexcept = default;

    /// One VipConnectWait: blocks until a client requests a connection to @p local.
    ConnectionRequest(const Nic& nic, NetAddress local, Timeout timeout)
    {
        detail::OrThrow("VipConnectWait",
                        [&](std::error_code& error) { Wait(nic, local, timeout, error); });
    }

    ConnectionRequest(const Nic& nic, NetAddress local, Timeout timeout, std::error_code& error)
    {
        Wait(nic, local, timeout, error);
    }

    /// The client's address.
    const NetAddress& Remote() const noexcept
    {
        return m_remote;
    }

    /// The client's VI.
    const ViAttributes& RemoteAttributes() const noexcept
    {
        return m_attributes;
    }

    /**
     * @brief One VipConnectAccept: connects @p vi with the client's VI.
     *
     * If the attributes disagree, the request stays pending: change the VI and accept again, or
     * reject.
     */
    void Accept(const ViRef& vi)
    {
        detail::OrThrow("VipConnectAccept", [&](std::error_code& error) { Accept(vi, error); });
    }

    void Accept(const ViRef& vi, std::error_code& error)
    {
        error = VipConnectAccept(m_value.connection, vi.Get());
        if (!error)
        {
            m_value = {};
        }
    }

    /// One VipConnectReject, the same as Close(): the client gets VIP_REJECT.
    void Reject()
    {
        Close();
    }

    void Reject(std::error_code& error)
    {
        Close(error);
    }

  private:
    void Wait(const Nic& nic, NetAddress local, Timeout timeout, std::error_code& error)
    {
        VIP_VI_ATTRIBUTES raw{};
        VIP_CONN_HANDLE connection = nullptr;
        error = VipConnectWait(nic.Get(),
                               local.Get(),
                               Milliseconds(timeout),
                               m_remote.Get(),
                               &raw,
                               &connection);
        if (!error)
        {
            m_value.connection = connection;
            m_attributes = ViAttributes::From(raw);
        }
    }

    NetAddress m_remote;
    ViAttributes m_attributes;
};

} // namespace vipl

#endif // VIPL_VIRTUAL_INTERFACE_HPP
