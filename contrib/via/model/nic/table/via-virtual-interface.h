/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
// A virtual interface (VI): two work queues, a peer, and access rights.

#ifndef VIA_VIRTUAL_INTERFACE_H
#define VIA_VIRTUAL_INTERFACE_H

#include "ns3/via-completion-queue.h"
#include "ns3/via-descriptor.h"
#include "ns3/via-message-log.h"
#include "ns3/via-tpt.h"

#include <cstdint>
#include <memory>

namespace ns3
{
namespace via
{

/// A posted descriptor.
struct WorkItem
{
    Descriptor* descriptor{nullptr};
    MemoryHandle handle{0};
    MessageId message{0};        ///< the message that it sends or has received
    Moment rung;                 ///< when the NIC knows of it; sends: later, its end
    Moment visible{PS_NEVER, 0}; ///< when its completion is in memory
    std::uint32_t status{0};     ///< with DONE: of a send that must wait for an earlier one
    std::uint32_t length{0};     ///< bytes that this send moved
    Ps fetched{PS_NEVER};        ///< of a receive: when the card has prefetched it
};

/// A work queue: descriptors in posting order.
struct WorkQueue
{
    Ring<WorkItem> items;
    std::uint32_t started{0};   ///< low bits of Started()
    std::uint32_t completed{0}; ///< low bits of Completed()
    Ps lastVisible{0};          ///< completions become visible in posting order
    Waiter* waiter{nullptr};    ///< who waits for the head

    /// Serial of the first item the NIC has not begun.
    std::uint64_t Started() const
    {
        return SerialOf(started);
    }

    /// Serial of the first item without a completion.
    std::uint64_t Completed() const
    {
        return SerialOf(completed);
    }

    /// The NIC begins the next item. @return its serial
    std::uint64_t Start()
    {
        return SerialOf(started++);
    }

    /// The next item that the NIC begins is @p serial.
    void StartFrom(std::uint64_t serial)
    {
        started = static_cast<std::uint32_t>(serial);
    }

    /// The next item for the NIC, or null.
    WorkItem* Next()
    {
        return items.Find(Started());
    }

    /// For prefetch hints: the head, or null.
    const WorkItem* Head() const
    {
        return items.IsEmpty() ? nullptr : &items.At(0);
    }

    /// The head if its completion is visible at @p at, else null.
    WorkItem* Done(Ps at)
    {
        return items.IsEmpty() || items.Front().visible.at > at ? nullptr : &items.Front();
    }

  private:
    /// The serial with these low bits. It is not before the front: what is popped is complete.
    std::uint64_t SerialOf(std::uint32_t low) const
    {
        const std::uint64_t front = items.FrontSerial();
        return front + (low - static_cast<std::uint32_t>(front));
    }
};

/// States of a VI, numbered as in <vipl.h>.
enum class ViState : std::uint8_t
{
    IDLE = 0,
    CONNECTED = 1,
    CONNECT_PENDING = 2,
    ERROR = 3,
};

/// Reliability levels, bits as in <vipl.h>.
enum class Reliability : std::uint16_t
{
    UNRELIABLE = 1,
    RELIABLE_DELIVERY = 2,
    RELIABLE_RECEPTION = 4,
};

/// The attributes with which a VI was created.
struct ViAttributes
{
    Reliability reliability{Reliability::UNRELIABLE};
    bool rdmaWrite{false}; ///< the peer may write to our memory
    bool rdmaRead{false};
    Ptag tag{0};
    std::uint64_t maxTransfer{0}; ///< maximum bytes of one message
};

/// A message that is arriving.
struct Arrival
{
    std::uint64_t packet{0}; ///< serial
    bool isRdmaWrite{false};
    std::uint64_t item{0};    ///< serial of the descriptor it consumes
    bool consumesItem{false}; ///< it consumes a receive descriptor
    bool answersItem{false};  ///< it answers our RDMA read
    std::uint32_t status{0};  ///< error bits so far; if not 0, data is dropped
    std::uint32_t placed{0};  ///< bytes written
    std::uint32_t cellsSeen{0};
    std::uint32_t cellsFreed{0};  ///< of them: cells whose credits were returned
    std::uint32_t cellsGiven{0};  ///< of the others: cells whose credits were returned before
    std::uint32_t pieceFrom{0};   ///< bytes written before the piece being collected
    std::uint32_t cellsPlaced{0}; ///< of them: cells in host memory
    Arrival* next{nullptr};       ///< in the free list
};

struct TransportChannel;

/// What only some VIs need.
struct ViExtras
{
    CompletionQueue* sendCq{nullptr}; ///< null: not bound
    CompletionQueue* receiveCq{nullptr};
    Waiter* drain{nullptr};    ///< who waits until all posted sends are complete
    Ps brokenAt{0};            ///< start of ERROR. The NIC, which plans ahead, enters it earlier.
    std::uint32_t fenced{0};   ///< doorbells that wait for RDMA reads to end
    std::uint32_t readsOut{0}; ///< unanswered RDMA reads
};

/// One endpoint: three cache lines, of which the first serves both directions.
struct alignas(64) VirtualInterface
{
    ViId id{0};
    NodeId peerNode{0};
    ViId peerVi{0};
    std::uint32_t rank{0};     ///< of the process that created it
    std::uint32_t sequence{0}; ///< messages sent
    std::uint32_t deferred{0}; ///< last sends whose doorbell has not rung yet
    std::uint32_t owner{0};    ///< NIC handle through which it was created
    ViState state{ViState::IDLE};
    bool defersSends{false};            ///< posting a send rings no doorbell
    TransportChannel* channel{nullptr}; ///< to the peer's NIC; set by the last connection
    Arrival* arrival{nullptr};          ///< the message that is arriving, or null
    ViAttributes attributes;
    WorkQueue send;
    ConnectionId connection{0}; ///< its number at both ends
    WorkQueue receive;

    /// What it has of ViExtras; defaults if it needed none so far.
    const ViExtras& Extras() const
    {
        static const ViExtras none;
        return m_extras == nullptr ? none : *m_extras;
    }

    /// The same, to be changed.
    ViExtras& MakeExtras()
    {
        if (m_extras == nullptr)
        {
            m_extras = std::make_unique<ViExtras>();
        }
        return *m_extras;
    }

    /// The completion queue of one of its work queues, or null.
    CompletionQueue* CqOf(bool isReceive) const
    {
        return isReceive ? Extras().receiveCq : Extras().sendCq;
    }

    /// The state visible to a program at @p at.
    ViState StateAt(Ps at) const
    {
        return state == ViState::ERROR && at < Extras().brokenAt ? ViState::CONNECTED : state;
    }

    bool IsConnectedTo(NodeId node, ViId vi) const
    {
        return state == ViState::CONNECTED && peerNode == node && peerVi == vi;
    }

    bool IsReliable() const
    {
        return attributes.reliability != Reliability::UNRELIABLE;
    }

    /// Does a send complete only after its data is in the peer's memory?
    bool AwaitsResponse() const
    {
        return attributes.reliability == Reliability::RELIABLE_RECEPTION;
    }

  private:
    std::unique_ptr<ViExtras> m_extras; ///< null: none needed so far
};

static_assert(sizeof(VirtualInterface) == 192);

} // namespace via
} // namespace ns3

#endif // VIA_VIRTUAL_INTERFACE_H
