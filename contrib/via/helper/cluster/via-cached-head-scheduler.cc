/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
// An ns-3 scheduler for runs that rarely have more than one event scheduled.

#include "via-cached-head-scheduler.h"

#include "ns3/abort.h"

namespace ns3
{
namespace via
{

NS_OBJECT_ENSURE_REGISTERED(CachedHeadScheduler);

TypeId
CachedHeadScheduler::GetTypeId()
{
    static TypeId id = TypeId("ns3::via::CachedHeadScheduler")
                           .SetParent<Scheduler>()
                           .SetGroupName("Via")
                           .AddConstructor<CachedHeadScheduler>();
    return id;
}

CachedHeadScheduler::CachedHeadScheduler() = default;
CachedHeadScheduler::~CachedHeadScheduler() = default;

void
CachedHeadScheduler::Insert(const Event& event)
{
    if (m_isEmpty)
    {
        m_first = event;
        m_isEmpty = false;
        return;
    }
    const bool isFirst = event < m_first;
    m_others.Insert(isFirst ? m_first : event);
    m_first = isFirst ? event : m_first;
}

bool
CachedHeadScheduler::IsEmpty() const
{
    return m_isEmpty;
}

Scheduler::Event
CachedHeadScheduler::PeekNext() const
{
    return m_first;
}

Scheduler::Event
CachedHeadScheduler::RemoveNext()
{
    const Event next = m_first;
    m_isEmpty = m_others.IsEmpty();
    if (!m_isEmpty)
    {
        m_first = m_others.RemoveNext();
    }
    return next;
}

void
CachedHeadScheduler::Remove(const Event& event)
{
    if (m_first.key.m_uid == event.key.m_uid)
    {
        RemoveNext();
        return;
    }
    m_others.Remove(event);
}

} // namespace via
} // namespace ns3
