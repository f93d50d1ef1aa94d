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

const CachedHeadScheduler* CachedHeadScheduler::s_latest = nullptr;

CachedHeadScheduler::CachedHeadScheduler()
{
    s_latest = this;
}

CachedHeadScheduler::~CachedHeadScheduler()
{
    s_latest = s_latest == this ? nullptr : s_latest;
}

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

Ps
CachedHeadScheduler::NextAt() const
{
    return m_isEmpty ? PS_NEVER : static_cast<Ps>(m_first.key.m_ts);
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
