/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
// The order of claims on a queue's next completion: blocked calls and handlers.

#ifndef VIA_COMPLETION_CLAIMS_H
#define VIA_COMPLETION_CLAIMS_H

#include "ns3/via-virtual-interface.h"

#include <cstdint>
#include <deque>
#include <map>
#include <utility>
#include <vipl.h>

namespace ns3
{
namespace via
{

/// A work queue or a completion queue, as a waiter for its next completion sees it.
class CompletionSource
{
  public:
    CompletionSource(VirtualInterface& vi, bool receive)
        : m_vi(&vi),
          m_work(&vi.QueueOf(receive))
    {
    }

    explicit CompletionSource(CompletionQueue& queue)
        : m_cq(&queue)
    {
    }

    /// @return when the next completion became or becomes visible; null while unknown
    const Moment* Next() const;

    /// @return whether it is a queue of a broken connection, and empty: nothing will complete
    bool HasEnded() const
    {
        return m_vi != nullptr && m_vi->state != ViState::CONNECTED && m_work->items.IsEmpty();
    }

    /// Sets the waiter that is notified of the next completion; null for none.
    void SetWaiter(Waiter* waiter) const;

  private:
    const VirtualInterface* m_vi{nullptr};
    WorkQueue* m_work{nullptr};
    CompletionQueue* m_cq{nullptr};
};

/// A request for one completion.
struct CompletionClaim
{
    Waiter* waiter{nullptr}; ///< the thread that will take it
    Ps since{0};             ///< when it was claimed
    VIP_PVOID context{nullptr};
    VIP_VI_CALLBACK viHandler{nullptr}; ///< for a work queue; or
    VIP_CQ_CALLBACK cqHandler{nullptr}; ///< for a CQ; both null: a blocked call
    std::uint64_t number{0};            ///< in the order of claims

    bool IsCall() const
    {
        return viHandler == nullptr && cqHandler == nullptr;
    }
};

/**
 * @brief The claims of one process on its queues, first come, first served.
 *
 * Only the first claim of a queue is notified of completions; once it is removed, the next one is.
 */
class CompletionClaims
{
  public:
    /// A queue: the handle of its VI or CQ as a number, and whether it is the receive queue.
    using Key = std::pair<std::uintptr_t, bool>;

    static Key KeyOf(const void* handle, bool receive)
    {
        return {reinterpret_cast<std::uintptr_t>(handle), receive};
    }

    /// Adds @p claim at the end of the line. @return its number
    std::uint64_t Add(const Key& key, const CompletionSource& source, CompletionClaim claim);

    /// Removes a claim; the one that is first then is notified from @p now on.
    void Remove(const Key& key, std::uint64_t number, Ps now);

    /// Removes the first claim.
    void Finish(const Key& key, Ps now)
    {
        Remove(key, m_lines.at(key).claims.front().number, now);
    }

    /// True while a claim is in the line.
    bool IsClaimed(const Key& key) const
    {
        return m_lines.count(key) > 0;
    }

    bool IsFirst(const Key& key, std::uint64_t number) const;

    /// The connection of a queue has ended: if it is empty, the first call is notified.
    void WakeEnded(const Key& key, Moment at);

    /// Drops the claims of a queue that is destroyed; calls no handler.
    void Cancel(const Key& key);

    /// Drops all claims.
    void Clear();

    /// The next handler to call.
    struct Notification
    {
        Key key;
        CompletionClaim claim;
        Moment visible; ///< when the completion becomes visible
        Ps at;          ///< when completion and claim both exist; PS_NEVER: no notification
    };

    /// The earliest completion of a queue whose first claim is a handler; ties: the earlier claim.
    Notification Earliest() const;

  private:
    struct Line
    {
        CompletionSource source;
        std::deque<CompletionClaim> claims;
    };

    std::map<Key, Line> m_lines;
    std::uint64_t m_count{0};
};

} // namespace via
} // namespace ns3

#endif // VIA_COMPLETION_CLAIMS_H
