/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
// A completion queue: which work queue has something to harvest, in order of time.

#ifndef VIA_COMPLETION_QUEUE_H
#define VIA_COMPLETION_QUEUE_H

#include "ns3/via-packet.h"
#include "ns3/via-process.h"
#include "ns3/via-ring.h"

namespace ns3
{
namespace via
{

/// "The head of this work queue has completed", written to host memory by the NIC.
struct Completion
{
    ViId vi{0};
    bool receive{false};
    Moment visible; ///< the entry is in memory from then on
};

/**
 * @brief The completions of any number of work queues, merged in order of visibility.
 */
class CompletionQueue
{
  public:
    /// @param entries capacity; @param owner NIC handle it was created through
    CompletionQueue(std::uint32_t entries, std::uint32_t owner)
        : m_capacity(entries),
          m_owner(owner)
    {
    }

    /// Adds an entry. @return false when the queue is full: the entry is lost
    bool Push(const Completion& completion);

    /// The oldest entry if it can be seen at @p at, else null.
    const Completion* Peek(Ps at)
    {
        return m_entries.IsEmpty() || m_entries.Front().visible.at > at ? nullptr
                                                                        : &m_entries.Front();
    }

    /// The oldest entry, seen or not; null when there is none at all.
    const Completion* Next()
    {
        return m_entries.IsEmpty() ? nullptr : &m_entries.Front();
    }

    void Pop()
    {
        m_entries.Pop();
    }

    /// Drops the entries of a VI that is gone.
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

    /// Who waits for the next entry; null for nobody.
    void SetWaiter(Waiter* waiter)
    {
        m_waiter = waiter;
    }

    std::uint32_t bindings{0}; ///< work queues bound to it, and calls that work on it

  private:
    std::uint32_t m_capacity;
    std::uint32_t m_owner;
    Ring<Completion> m_entries;
    Waiter* m_waiter{nullptr};
};

} // namespace via
} // namespace ns3

#endif // VIA_COMPLETION_QUEUE_H
