/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
// A scheduler of ns-3 for runs in which hardly more than one event is planned at a time.

#ifndef VIA_FRONT_SCHEDULER_H
#define VIA_FRONT_SCHEDULER_H

#include "ns3/priority-queue-scheduler.h"

namespace ns3
{
namespace via
{

/**
 * @brief Keeps the first event apart, all others in ns-3's quickest scheduler.
 *
 * An agenda has one event of ns-3 at a time: it comes and goes here without a heap. The order is
 * that of all of ns-3's schedulers.
 */
class FrontScheduler final : public Scheduler
{
  public:
    static TypeId GetTypeId();

    FrontScheduler();
    ~FrontScheduler() override;

    void Insert(const Event& event) override;
    bool IsEmpty() const override;
    Event PeekNext() const override;
    Event RemoveNext() override;
    void Remove(const Event& event) override;

  private:
    Event m_first{}; ///< of all, valid unless empty
    bool m_isEmpty{true};
    PriorityQueueScheduler m_others;
};

} // namespace via
} // namespace ns3

#endif // VIA_FRONT_SCHEDULER_H
