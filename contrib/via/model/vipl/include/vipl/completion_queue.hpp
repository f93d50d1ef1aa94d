/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
// Completion queues, which announce the completions of many work queues.

#ifndef VIPL_COMPLETION_QUEUE_HPP
#define VIPL_COMPLETION_QUEUE_HPP

#include "nic.hpp"
#include "notify.hpp"
#include "vi.hpp"

#include <functional>
#include <memory>
#include <mutex>
#include <set>

namespace vipl
{

/// An announced completion: its VI and work queue.
struct CqEntry
{
    ViRef vi;
    bool receive{false}; ///< true: the receive queue; false: the send queue

    /// One VipRecvDone or VipSendDone: dequeues the descriptor.
    std::optional<Completion> Harvest() const
    {
        return receive ? vi.RecvDone() : vi.SendDone();
    }

    std::optional<Completion> Harvest(std::error_code& error) const
    {
        return receive ? vi.RecvDone(error) : vi.SendDone(error);
    }
};

/// Receives one entry, in the provider's context; the descriptor is still on its work queue.
using EntryHandler = std::function<void(const CqEntry&)>;

namespace detail
{

/// The handlers of a completion queue, and the VIs that are ending: no handler gets their entries.
class EntryCalls : public PendingCalls<EntryHandler>
{
  public:
    explicit EntryCalls(VIP_CQ_HANDLE cq)
        : m_cq(cq)
    {
    }

    void Hide(VIP_VI_HANDLE vi, bool hide)
    {
        const std::lock_guard<std::mutex> lock(m_hiding);
        m_hidden.erase(vi);
        if (hide)
        {
            m_hidden.insert(vi);
        }
    }

    static void VI_CALL Call(VIP_PVOID context,
                             VIP_NIC_HANDLE,
                             VIP_VI_HANDLE vi,
                             VIP_BOOLEAN receive)
    {
        auto& self = static_cast<EntryCalls&>(*static_cast<Slot*>(context)->owner);
        const bool isHidden = self.IsHidden(vi);
        if (isHidden && VipCQNotify(self.m_cq, context, &Call) == VIP_SUCCESS)
        {
            return; // the handler goes on waiting
        }
        const EntryHandler handler = Take(context);
        if (handler && !isHidden)
        {
            handler({ViRef(vi), receive != VIP_FALSE});
        }
    }

  private:
    bool IsHidden(VIP_VI_HANDLE vi)
    {
        const std::lock_guard<std::mutex> lock(m_hiding);
        return vi == nullptr || m_hidden.count(vi) > 0; // null: destroyed since
    }

    VIP_CQ_HANDLE m_cq;
    std::mutex m_hiding;
    std::set<VIP_VI_HANDLE> m_hidden;
};

struct CqValue
{
    static constexpr const char* CLOSE_CALL = "VipDestroyCQ";
    VIP_CQ_HANDLE cq{nullptr};
    std::shared_ptr<EntryCalls> calls{}; ///< VIs share it

    explicit operator bool() const noexcept
    {
        return cq != nullptr;
    }

    VIP_RETURN Close() const
    {
        return VipDestroyCQ(cq);
    }

    void Abandon() noexcept
    {
        static_cast<void>(new std::shared_ptr<EntryCalls>(std::move(calls)));
    }
};

} // namespace detail

/// A completion queue. It must outlive the VIs that use it: declare it before them.
class CompletionQueue : public detail::Owned<detail::CqValue>
{
  public:
    CompletionQueue() noexcept = default;

    /// One VipCreateCQ.
    CompletionQueue(const Nic& nic, std::size_t entries)
    {
        detail::OrThrow("VipCreateCQ",
                        [&](std::error_code& error) { Create(nic, entries, error); });
    }

    CompletionQueue(const Nic& nic, std::size_t entries, std::error_code& error)
    {
        Create(nic, entries, error);
    }

    VIP_CQ_HANDLE Get() const noexcept
    {
        return m_value.cq;
    }

    /// One VipResizeCQ; keeps the entries.
    void Resize(std::size_t entries)
    {
        detail::OrThrow("VipResizeCQ", [&](std::error_code& error) { Resize(entries, error); });
    }

    void Resize(std::size_t entries, std::error_code& error)
    {
        error = VipResizeCQ(Get(), entries);
    }

    /// One VipCQDone. @return the oldest entry, or nothing (and no error) if there is none
    std::optional<CqEntry> Done() const
    {
        return detail::OrThrow("VipCQDone", [&](std::error_code& error) { return Done(error); });
    }

    std::optional<CqEntry> Done(std::error_code& error) const
    {
        VIP_VI_HANDLE vi = nullptr;
        VIP_BOOLEAN receive = VIP_FALSE;
        error = VipCQDone(Get(), &vi, &receive);
        if (error == VIP_NOT_DONE)
        {
            error.clear();
            return std::nullopt;
        }
        return Entry(vi, receive, error);
    }

    /// One VipCQWait: blocks until there is an entry.
    CqEntry Wait(Timeout timeout) const
    {
        return *detail::OrThrow("VipCQWait",
                                [&](std::error_code& error) { return Wait(timeout, error); });
    }

    /// @return nothing if and only if there is an error
    std::optional<CqEntry> Wait(Timeout timeout, std::error_code& error) const
    {
        VIP_VI_HANDLE vi = nullptr;
        VIP_BOOLEAN receive = VIP_FALSE;
        error = VipCQWait(Get(), Milliseconds(timeout), &vi, &receive);
        return Entry(vi, receive, error);
    }

    /**
     * @brief One VipCQNotify: calls @p handler once, with the next entry.
     *
     * The handler is kept until it has been called, or until closing the queue cancels it. The
     * CompletionQueue may be moved meanwhile. Do not close the queue in the handler.
     */
    void Notify(EntryHandler handler)
    {
        detail::OrThrow("VipCQNotify",
                        [&](std::error_code& error) { Notify(std::move(handler), error); });
    }

    void Notify(EntryHandler handler, std::error_code& error)
    {
        if (!m_value.calls)
        {
            m_value.calls = std::make_shared<detail::EntryCalls>(Get());
        }
        detail::Notify(*m_value.calls, std::move(handler), error, [this](void* context) {
            return VipCQNotify(Get(), context, &detail::EntryCalls::Call);
        });
    }

    /// Giganet's VipAddTagCQ: attaches @p event to the queue; a null one becomes a new event.
    void AddTag(VIP_EVENT_HANDLE& event, VIP_ULONG tag, VIP_ULONG priority)
    {
        detail::OrThrow("VipAddTagCQ",
                        [&](std::error_code& error) { AddTag(event, tag, priority, error); });
    }

    void AddTag(VIP_EVENT_HANDLE& event, VIP_ULONG tag, VIP_ULONG priority, std::error_code& error)
    {
        error = VipAddTagCQ(Get(), &event, tag, priority);
    }

    /// Giganet's VipRemoveTagCQ.
    void RemoveTag(VIP_EVENT_HANDLE event, VIP_ULONG tag)
    {
        detail::OrThrow("VipRemoveTagCQ",
                        [&](std::error_code& error) { RemoveTag(event, tag, error); });
    }

    void RemoveTag(VIP_EVENT_HANDLE event, VIP_ULONG tag, std::error_code& error)
    {
        error = VipRemoveTagCQ(Get(), event, tag);
    }

  private:
    friend class VirtualInterface;

    void Create(const Nic& nic, std::size_t entries, std::error_code& error)
    {
        VIP_CQ_HANDLE cq = nullptr;
        error = VipCreateCQ(nic.Get(), entries, &cq);
        if (!error)
        {
            m_value = {cq, std::make_shared<detail::EntryCalls>(cq)};
        }
    }

    static std::optional<CqEntry> Entry(VIP_VI_HANDLE vi,
                                        VIP_BOOLEAN receive,
                                        const std::error_code& error)
    {
        if (error)
        {
            return std::nullopt;
        }
        return CqEntry{ViRef(vi), receive != VIP_FALSE};
    }
};

} // namespace vipl

#endif // VIPL_COMPLETION_QUEUE_HPP
