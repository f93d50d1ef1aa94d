/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
// A completion queue: which work queues have completions to harvest, in time order.

#ifndef VIA_COMPLETION_QUEUE_H
#define VIA_COMPLETION_QUEUE_H

#include "ns3/via-packet.h"
#include "ns3/via-process.h"
#include "ns3/via-ring.h"

namespace ns3
{
namespace via
{

/// A CQ entry that the NIC writes to host memory: the head of this work queue has completed.
struct Completion
{
    ViId vi{0};
    bool receive{false};
    Moment visible; ///< when the entry is in memory
};

/**
 * @brief The completions of any number of work queues, merged in order of visibility.
 */
class CompletionQueue
{
  public:
    /// @param entries capacity; @param owner NIC handle through which it was created
    CompletionQueue(std::uint32_t entries, std::uint32_t owner)
        : m_capacity(entries),
          m_owner(owner)
    {
    }

    /// Adds an entry. @return false if the queue is full; the entry is then lost
    bool Push(const Completion& completion);

    /// The oldest entry if it is visible at @p at, else null.
    const Completion* Peek(Ps at)
    {
        return m_entries.IsEmpty() || m_entries.Front().visible.at > at ? nullptr
                                                                        : &m_entries.Front();
    }

    /// The oldest entry, visible or not; null if the queue is empty.
    const Completion* Next()
    {
        return m_entries.IsEmpty() ? nullptr : &m_entries.Front();
    }

    void Pop()
    {
        m_entries.Pop();
    }

    /// Drops the entries of a VI that is destroyed.
    void Purge(ViId vi);

    std::uint32_t Size() const
    {
        return m_entries.Size();
    }

    std::uint32_t Capacity() const
    {
        return m_capacity;
    }

    void Resize(std::uint32_t entries)
    {
        m_capacity = entries;
    }

    std::uint32_t Owner() const
    {
        return m_owner;
    }

    /// Sets who waits for the next entry, or null.
    void SetWaiter(Waiter* waiter)
    {
        m_waiter = waiter;
    }

    std::uint32_t bindings{0}; ///< bound work queues, and calls in progress on this CQ

  private:
    std::uint32_t m_capacity;
    std::uint32_t m_owner;
    Ring<Completion> m_entries;
    Waiter* m_waiter{nullptr};
};

} // namespace via
} // namespace ns3

#endif // VIA_COMPLETION_QUEUE_H
