/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
// What the process of a workload does in a step, and what else than a work queue makes a step due.

#ifndef VIA_WORKLOAD_STEP_H
#define VIA_WORKLOAD_STEP_H

#include "ns3/via-agenda.h"

#include <cstdint>

namespace ns3
{
namespace via
{

/// Something other than a work queue that makes the next step of a process due.
class StepSource
{
  public:
    virtual ~StepSource() = default;

    /// The step is over: from now on the process may be told by OnReady.
    /// @return whether it sleeps until then; false: it was told already
    virtual bool Arm() = 0;

    /// The process is awake, whoever woke it: it is not to be told any more.
    virtual void Disarm() = 0;

    /// The process has ended, and its last step is over.
    virtual void End() = 0;
};

/// What a workload's process does when something has come.
class WorkloadStep
{
  public:
    virtual ~WorkloadStep() = default;

    /// The process runs: its first step, or what it polled for is there.
    virtual void OnStep(std::uint32_t rank) = 0;

    /// The instant given to SetAlarm has come, and the process is not in a step.
    /// @return whether a step is wanted
    virtual bool OnAlarm(std::uint32_t)
    {
        return false;
    }

    /// OnStep will be called soon (see AgendaTarget::Prefetch).
    virtual void PrefetchStep(Hint, std::uint32_t) const
    {
    }

    /// In a run with faults the process has lost a connection. @return whether it goes on without
    virtual bool OnConnectionLost(std::uint32_t)
    {
        return false;
    }

    /// The node has crashed, and the process with it.
    virtual void OnCrash(std::uint32_t)
    {
    }
};

} // namespace via
} // namespace ns3

#endif // VIA_WORKLOAD_STEP_H
