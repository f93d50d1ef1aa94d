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

/// What a look at a queue gave.
struct Harvest
{
    enum Result
    {
        EMPTY,    ///< nothing is queued
        NOT_DONE, ///< the head is not finished
        DONE,     ///< the head was taken off
    };

    Result result{EMPTY};
    Descriptor* descriptor{nullptr};
    std::uint32_t status{0}; ///< of the descriptor, when it could be written
};

/**
 * @brief What one thread of a process does with the VIs of its node's NIC, each step with its CPU
 * cost.
 *
 * VIPL programs come here through the C calls, built-in workloads directly; both pay the same.
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

    /// Rings for all sends that were posted while the VI defers them; one store.
    void RingDeferred(VirtualInterface& vi);

    /// Posts a receive descriptor.
    void PostReceive(VirtualInterface& vi, Descriptor* descriptor, MemoryHandle handle);

    /// Looks at the head of a work queue once (SendDone, RecvDone).
    Harvest Poll(VirtualInterface& vi, bool receive);

    /**
     * @brief Takes the head of a work queue that is known to be complete.
     * @param followed true if the program's clock already goes on from that completion
     */
    Harvest Reap(VirtualInterface& vi, bool receive, bool followed = false);

    /// Looks at a completion queue once. @return false when nothing can be seen
    bool PollCq(CompletionQueue& cq, Completion& completion);

    /// Forgets what was announced: somebody else takes over this library.
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
    std::optional<ViId> m_announced; ///< VI of the receive taken from a CQ last
};

} // namespace via
} // namespace ns3

#endif // VIA_VI_LIBRARY_H
