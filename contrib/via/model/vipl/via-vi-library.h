/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
// The fast path of the provider library: post, poll, harvest. No kernel, no blocking.

#ifndef VIA_VI_LIBRARY_H
#define VIA_VI_LIBRARY_H

#include "ns3/via-nic.h"
#include "ns3/via-process.h"
#include "ns3/via-vipl-costs.h"

#include <optional>

namespace ns3
{
namespace via
{

/// The result of polling a queue.
struct Harvest
{
    enum Result
    {
        EMPTY,    ///< nothing is queued
        NOT_DONE, ///< the head is not complete
        DONE,     ///< the head was dequeued
    };

    Result result{EMPTY};
    Descriptor* descriptor{nullptr};
    std::uint32_t status{0}; ///< of the descriptor, if it could be written
};

/**
 * @brief What one thread of a process does with the VIs of its node's NIC; each step costs CPU
 * time.
 *
 * VIPL programs get here through the C calls, built-in workloads directly; both pay the same.
 */
class ViLibrary
{
  public:
    ViLibrary(Process& process, Nic& nic, const ViplCosts& costs)
        : m_process(process),
          m_nic(nic),
          m_costs(costs)
    {
    }

    Process& GetProcess() const
    {
        return m_process;
    }

    Nic& GetNic() const
    {
        return m_nic;
    }

    const ViplCosts& Costs() const
    {
        return m_costs;
    }

    /// Builds and rings a send (or RDMA) descriptor.
    void PostSend(VirtualInterface& vi, Descriptor* descriptor, MemoryHandle handle);

    /// Rings once for all sends that were posted while the VI deferred them.
    void RingDeferred(VirtualInterface& vi);

    /// Posts a receive descriptor.
    void PostReceive(VirtualInterface& vi, Descriptor* descriptor, MemoryHandle handle);

    /// Polls the head of a work queue once (SendDone, RecvDone).
    Harvest Poll(VirtualInterface& vi, bool receive);

    /**
     * @brief Takes the head of a work queue that is known to be complete.
     * @param followed true if the program's clock already continues from that completion
     */
    Harvest Reap(VirtualInterface& vi, bool receive, bool followed = false);

    /// Polls a completion queue once. @return false if no completion is visible
    bool PollCq(CompletionQueue& cq, Completion& completion);

    /// Resets the state of this object for its next user.
    void Reset()
    {
        m_announced.reset();
    }

    /// Takes the oldest completion, which is known to be visible.
    void ReapCq(CompletionQueue& cq, Completion& completion);

  private:
    void Mark(Descriptor* descriptor, const VirtualInterface& vi, MemoryHandle handle);

    Process& m_process;
    Nic& m_nic;
    const ViplCosts& m_costs;
    std::optional<ViId> m_announced; ///< VI of the receive completion last taken from a CQ
};

} // namespace via
} // namespace ns3

#endif // VIA_VI_LIBRARY_H
