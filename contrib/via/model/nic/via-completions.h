/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
// How descriptors complete, and what else follows from the end of a message.

#ifndef VIA_COMPLETIONS_H
#define VIA_COMPLETIONS_H

#include "ns3/via-packet.h"
#include "ns3/via-virtual-interface.h"

#include <cstdint>

namespace ns3
{
namespace via
{

class Nic;
struct SentMessage;

/**
 * @brief The ends of a NIC's descriptors.
 *
 * A completion is a write of status to host memory, and of a CQ entry if the queue is bound. An
 * error breaks a reliable connection, or is raised where no descriptor can carry it.
 */
class Completions
{
  public:
    explicit Completions(Nic& nic)
        : m_nic(nic)
    {
    }

    /**
     * @brief Writes an item's completion to host memory, and a CQ entry if its queue is bound.
     * @param status status bits without DONE
     * @param length bytes transferred
     * @return when the last write is in memory
     */
    Moment Complete(VirtualInterface& vi,
                    bool receive,
                    WorkItem& item,
                    std::uint32_t status,
                    std::uint32_t length,
                    Moment from);

    /**
     * @brief The send descriptor with number @p serial has ended at @p at, unless that is known.
     * It completes after those posted before it.
     * @param status status bits without DONE
     * @param length bytes transferred
     * @return when the last completion is in memory
     */
    Moment Finish(VirtualInterface& vi,
                  RingSerial serial,
                  std::uint32_t status,
                  std::uint32_t length,
                  Moment at);

    /// The response to our RDMA read has arrived. @return when its completion is in memory
    Moment FinishRead(VirtualInterface& vi,
                      RingSerial serial,
                      std::uint32_t status,
                      std::uint32_t length,
                      Moment at);

    /// @return status bits of an item that is flushed
    std::uint32_t FlushedStatus(const VirtualInterface& vi,
                                bool receive,
                                const WorkItem& item) const;

    /// All descriptors of a queue that have not completed complete as flushed.
    void Flush(VirtualInterface& vi, bool receive, Moment at);

    /// The last cell of a message has left. This completes the send unless a response is due.
    void OnMessageLeft(const SentMessage& departure);

    /// A send descriptor failed a check. A reliable connection breaks once the sends before it
    /// have completed: they are on their way.
    void FailSend(VirtualInterface& vi, RingSerial serial, std::uint32_t status, Moment at);

    /// The NIC may not read a descriptor: raises an asynchronous error and breaks the VI.
    void FailPost(VirtualInterface& vi, const WorkItem& item, Moment at);

    /// A message found no receive descriptor.
    void ReceiveQueueEmpty(VirtualInterface& vi, const Packet& packet, Moment at);

    /**
     * @brief A message has been placed, or a check has refused it.
     * @param status its error bits
     * @param told whether a receive descriptor carries them
     */
    void MessageArrived(VirtualInterface& vi,
                        const Packet& packet,
                        std::uint32_t status,
                        bool told,
                        Moment at);

    /// Part of an unreliable RDMA write is lost.
    void RdmaWriteDamaged(VirtualInterface& vi, const Arrival& arrival, Moment at);

  private:
    void Respond(const Packet& packet, std::uint32_t status, Moment at);

    Nic& m_nic;
};

} // namespace via
} // namespace ns3

#endif // VIA_COMPLETIONS_H
