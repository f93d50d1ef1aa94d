/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
// A completion queue: which work queues have completions to harvest, in time order.

#include "via-completion-queue.h"

#include <utility>

namespace ns3
{
namespace via
{

bool
CompletionQueue::Push(const Completion& completion)
{
    if (m_entries.Size() >= m_capacity)
    {
        return false;
    }
    m_entries.Push(completion);
    // completions are planned ahead of time, so one pushed later may become visible earlier
    for (std::uint32_t i = m_entries.Size() - 1;
         i > 0 && m_entries.At(i - 1).visible.at > m_entries.At(i).visible.at;
         --i)
    {
        std::swap(m_entries.At(i - 1), m_entries.At(i));
    }
    if (m_waiter != nullptr)
    {
        m_waiter->OnReady(m_entries.Front().visible);
    }
    return true;
}

void
CompletionQueue::Purge(ViId vi)
{
    const std::uint32_t size = m_entries.Size();
    for (std::uint32_t i = 0; i < size; ++i)
    {
        const Completion completion = m_entries.Front();
        m_entries.Pop();
        if (completion.vi != vi)
        {
            m_entries.Push(completion);
        }
    }
}

} // namespace via
} // namespace ns3
