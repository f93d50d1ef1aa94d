/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
// Who is to have the next completion of a queue: blocked calls and handlers, in order.

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

/// A work queue or a completion queue, as somebody sees it who waits for what comes next.
class CompletionSource
{
  public:
    explicit CompletionSource(WorkQueue& queue)
        : m_work(&queue)
    {
    }

    explicit CompletionSource(CompletionQueue& queue)
        : m_cq(&queue)
    {
    }

    /// Since when the next completion can be seen; null while that is not known.
    const Moment* Next() const;

    /// Who is told of the next completion; null for nobody.
    void SetWaiter(Waiter* waiter) const;

  private:
    WorkQueue* m_work{nullptr};
    CompletionQueue* m_cq{nullptr};
};

/// A request for one completion.
struct CompletionClaim
{
    Waiter* waiter{nullptr}; ///< the thread that is to take it
    Ps since{0};             ///< when it was claimed
    VIP_PVOID context{nullptr};
    VIP_VI_CALLBACK viHandler{nullptr}; ///< of a work queue's; or
    VIP_CQ_CALLBACK cqHandler{nullptr}; ///< of a CQ's; both null: a blocked call
    std::uint64_t number{0};            ///< in the order in which claims were made

    bool IsCall() const
    {
        return viHandler == nullptr && cqHandler == nullptr;
    }
};

/**
 * @brief The claims of one process on its queues, first come, first served.
 *
 * Only the first claim of a queue is told of completions; when it is gone the next one is.
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

    /// Puts @p claim at the end of the line. @return its number
    std::uint64_t Add(const Key& key, const CompletionSource& source, CompletionClaim claim);

    /// Takes a claim out of the line; whoever is first then is told from @p now on.
    void Remove(const Key& key, std::uint64_t number, Ps now);

    /// As Remove, for the first of the line.
    void Finish(const Key& key, Ps now)
    {
        Remove(key, m_lines.at(key).claims.front().number, now);
    }

    /// True while somebody is in the line.
    bool IsClaimed(const Key& key) const
    {
        return m_lines.count(key) > 0;
    }

    bool IsFirst(const Key& key, std::uint64_t number) const;

    /// The queue goes away: nobody is called.
    void Cancel(const Key& key);

    /// Forgets all claims.
    void Clear();

    /// A handler whose turn it is.
    struct Notification
    {
        Key key;
        CompletionClaim claim;
        Moment visible; ///< the completion
        Ps at;          ///< when both are there; PS_NEVER: there is none
    };

    /// The earliest completion with a handler in front of the line; of equal ones the first claim.
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
