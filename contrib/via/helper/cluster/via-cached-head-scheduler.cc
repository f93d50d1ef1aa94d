/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
// A scheduler of ns-3 for runs in which hardly more than one event is planned at a time.

#include "via-front-scheduler.h"

#include "ns3/abort.h"

namespace ns3
{
namespace via
{

NS_OBJECT_ENSURE_REGISTERED(FrontScheduler);

TypeId
FrontScheduler::GetTypeId()
{
    static TypeId id = TypeId("ns3::via::FrontScheduler")
                           .SetParent<Scheduler>()
                           .SetGroupName("Via")
                           .AddConstructor<FrontScheduler>();
    return id;
}

FrontScheduler::FrontScheduler() = default;
FrontScheduler::~FrontScheduler() = default;

void
FrontScheduler::Insert(const Event& event)
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
FrontScheduler::IsEmpty() const
{
    return m_isEmpty;
}

Scheduler::Event
FrontScheduler::PeekNext() const
{
    return m_first;
}

Scheduler::Event
FrontScheduler::RemoveNext()
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
FrontScheduler::Remove(const Event& event)
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
