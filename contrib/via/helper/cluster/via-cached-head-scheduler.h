/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
// An ns-3 scheduler for runs that rarely have more than one event scheduled.

#ifndef VIA_CACHED_HEAD_SCHEDULER_H
#define VIA_CACHED_HEAD_SCHEDULER_H

#include "ns3/priority-queue-scheduler.h"
#include "ns3/via-agenda.h"

namespace ns3
{
namespace via
{

/**
 * @brief Keeps the first event in a member, all others in ns-3's fastest scheduler.
 *
 * An Agenda has one ns-3 event at a time; this scheduler inserts and removes it without a heap. The
 * order is the same as in all ns-3 schedulers.
 */
class CachedHeadScheduler final : public Scheduler, public OtherEvents
{
  public:
    static TypeId GetTypeId();

    /// The one that was made last, if it still exists: ns-3 does not tell which it uses.
    static const CachedHeadScheduler* Latest()
    {
        return s_latest;
    }

    CachedHeadScheduler();
    ~CachedHeadScheduler() override;

    void Insert(const Event& event) override;
    bool IsEmpty() const override;
    Event PeekNext() const override;
    Event RemoveNext() override;
    void Remove(const Event& event) override;

    /// As seen from within an event of an agenda: that of the agenda is not scheduled then.
    Ps NextAt() const override;

  private:
    static const CachedHeadScheduler* s_latest;

    Event m_first{}; ///< the earliest; valid unless empty
    bool m_isEmpty{true};
    PriorityQueueScheduler m_others;
};

} // namespace via
} // namespace ns3

#endif // VIA_CACHED_HEAD_SCHEDULER_H
