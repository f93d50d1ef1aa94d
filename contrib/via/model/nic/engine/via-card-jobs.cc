/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
// What a card does that neither of its engines waits for.

#include "via-card-jobs.h"

#include "ns3/via-nic.h"

#include <algorithm>

namespace ns3
{
namespace via
{

void
CardJobs::Keep(std::unique_ptr<CardJob> job)
{
    m_jobs.push_back(std::move(job));
    m_nic.GetHost().ReplanSoon();
}

Ps
CardJobs::NextOfJobs(Ps left)
{
    m_next = NONE;
    Ps next = PS_NEVER;
    for (std::size_t i = 0; i < m_jobs.size(); ++i)
    {
        const Ps at = m_jobs[i]->PendingAt();
        if (at < next)
        {
            next = at;
            m_next = i;
        }
    }
    if (left < next)
    {
        m_next = NONE;
        return left;
    }
    return next;
}

Ps
CardJobs::SecondAt() const
{
    const std::uint32_t later = m_next == NONE ? 1 : 0; // of the messages that leave
    Ps second = m_leaving.Size() > later ? m_leaving.At(later).left.at : PS_NEVER;
    for (std::size_t i = 0; i < m_jobs.size(); ++i)
    {
        second = i == m_next ? second : std::min(second, m_jobs[i]->PendingAt());
    }
    return second;
}

void
CardJobs::Prefetch() const
{
    if (!m_leaving.IsEmpty())
    {
        m_nic.Vis().PrefetchBefore(m_leaving.At(0).vi);
    }
}

void
CardJobs::PlanStep()
{
    if (m_jobs.empty() || m_next == NONE)
    {
        const SentMessage sent = m_leaving.Front();
        m_leaving.Pop();
        m_nic.GetCompletions().OnMessageLeft(sent);
        return;
    }
    CardJob& job = *m_jobs[m_next];
    job.GoOn();
    if (!job.IsPending() && job.Continue())
    {
        m_jobs.erase(std::find_if(m_jobs.begin(), m_jobs.end(), [&job](const auto& one) {
            return one.get() == &job; // it may have begun others
        }));
        m_next = NONE;
    }
}

} // namespace via
} // namespace ns3
