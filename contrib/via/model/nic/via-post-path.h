/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
// How descriptors are posted.

#ifndef VIA_POST_PATH_H
#define VIA_POST_PATH_H

#include "ns3/via-packet.h"
#include "ns3/via-virtual-interface.h"

namespace ns3
{
namespace via
{

class Nic;
class Process;

/// Takes the descriptors that programs post to the queues of a NIC's VIs.
class PostPath
{
  public:
    explicit PostPath(Nic& nic)
        : m_nic(nic)
    {
    }

    /**
     * @brief Posts a descriptor to the send (or receive) queue.
     * @param item its `rung` is when the doorbell reaches the NIC
     * The state of the VI decides what happens: a connected VI processes the descriptor, another
     * one flushes it or, for receives, may keep it.
     */
    void PostSend(VirtualInterface& vi, const WorkItem& item);
    void PostReceive(VirtualInterface& vi, const WorkItem& item);

    /// The work of the CPU of @p process to notify the NIC of a send. @return when the NIC knows
    Moment TellOfSend(Process& process, VirtualInterface& vi, const WorkItem& item);

    /// The same, for a receive.
    Moment TellOfReceive(Process& process, VirtualInterface& vi, const WorkItem& item);

    /// The doorbell for the deferred sends of @p vi reaches the NIC at @p rung.
    void RingDeferred(VirtualInterface& vi, Moment rung);

  private:
    void NotePost(const VirtualInterface& vi, bool receive, bool rings, Ps at);
    bool Overruns(VirtualInterface& vi, const WorkQueue& queue, const WorkItem& item);

    Nic& m_nic;
};

} // namespace via
} // namespace ns3

#endif // VIA_POST_PATH_H
