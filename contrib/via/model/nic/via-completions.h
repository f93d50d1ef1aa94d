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
class CardTask;
struct SentMessage;

/// Descriptors of one work queue that have ended, and how far the writes that report it are.
struct Completing
{
    /// What comes next.
    enum class Step : std::uint8_t
    {
        STATUS, ///< the status of the next descriptor is to be written
        SHOW,   ///< it has been
        ENTRY,  ///< the entry of the completion queue has been written
    };

    ViId vi{0};
    bool receive{false};
    bool writes{false}; ///< the descriptor can be written
    Step step{Step::STATUS};
    RingSerial next{0};
    RingSerial end{0};
};

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
     * @brief The descriptor with number @p serial of a queue has ended at @p at, unless that is
     * known.
     * @param status status bits without DONE
     * @param length bytes transferred
     * @return what completes now, to be written with Write: descriptors complete in posting order
     */
    Completing End(VirtualInterface& vi,
                   bool receive,
                   RingSerial serial,
                   std::uint32_t status,
                   std::uint32_t length,
                   Moment at);

    /**
     * @brief Writes completions to host memory, and CQ entries if the queue is bound.
     * @param task does it; if it IsPending afterwards, this is to be called again when it is not
     * @return whether all have been written
     */
    bool Write(CardTask& task, Completing& completing);

    /// As End, and the card writes what completes while its engines go on.
    void Finish(VirtualInterface& vi,
                bool receive,
                RingSerial serial,
                std::uint32_t status,
                std::uint32_t length,
                Moment at);

    /// An RDMA read of ours has been answered, and completes. @return what completes now, see End
    Completing ReadAnswered(VirtualInterface& vi, const Arrival& answer, Moment at);

    /// It has completed at @p at. @param status error bits
    void ReadEnded(VirtualInterface& vi, std::uint32_t status, Moment at);

    /// @return status bits of an item that is flushed
    std::uint32_t FlushedStatus(const VirtualInterface& vi,
                                bool receive,
                                const WorkItem& item) const;

    /// Entries that @p cq will get of descriptors that have ended.
    std::uint32_t EntriesFor(const CompletionQueue& cq) const;

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
    /// The descriptors from `completed` on that have ended complete. @return what nobody writes yet
    static Completing Next(const VirtualInterface& vi, bool receive, WorkQueue& queue);
    /// What completes is written in a job of the card from @p at on.
    void Begin(const Completing& completing, Moment at);
    bool WriteFor(CardTask& task, VirtualInterface& vi, Completing& completing);
    void WriteStatus(CardTask& task, VirtualInterface& vi, Completing& completing);
    void ShowStatus(CardTask& task, VirtualInterface& vi, Completing& completing);
    void PushEntry(VirtualInterface& vi, bool receive, Moment at);
    void Respond(const Packet& packet, std::uint32_t status, Moment at);

    Nic& m_nic;
};

} // namespace via
} // namespace ns3

#endif // VIA_COMPLETIONS_H
