/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
// A virtual interface: two work queues, a peer, and the rights they work with.

#ifndef VIA_VIRTUAL_INTERFACE_H
#define VIA_VIRTUAL_INTERFACE_H

#include "ns3/via-completion-queue.h"
#include "ns3/via-descriptor.h"
#include "ns3/via-message-log.h"
#include "ns3/via-tpt.h"

#include <cstdint>

namespace ns3
{
namespace via
{

/// A posted descriptor.
struct WorkItem
{
    Descriptor* descriptor{nullptr};
    MemoryHandle handle{0};
    MessageId message{0};        ///< that it sends, or that it has received
    Moment rung;                 ///< the NIC knows of it from then on; sends: later, its end
    Moment visible{PS_NEVER, 0}; ///< its completion is in memory from then on
    std::uint32_t status{0};     ///< of a send that has to wait for one before it, with DONE
    std::uint32_t length{0};     ///< and the bytes it moved
    Ps fetched{PS_NEVER};        ///< of a receive: the card has read it ahead by then
};

/// A work queue: descriptors in the order in which they were posted.
struct WorkQueue
{
    Ring<WorkItem> items;
    std::uint64_t started{0};     ///< serial of the first item the NIC has not begun
    std::uint64_t completed{0};   ///< serial of the first item without a completion
    Ps lastVisible{0};            ///< completions become visible in posting order
    Waiter* waiter{nullptr};      ///< who waits for the head
    CompletionQueue* cq{nullptr}; ///< null when not bound
    Waiter* drain{nullptr};       ///< who waits until everything posted is complete

    /// The item that the NIC takes next, or null.
    WorkItem* Next()
    {
        return items.Find(started);
    }

    /// A hint: where the head is, if there is one.
    const WorkItem* Head() const
    {
        return items.IsEmpty() ? nullptr : &items.At(0);
    }

    /// The head if its completion can be seen at @p at, else null.
    WorkItem* Done(Ps at)
    {
        return items.IsEmpty() || items.Front().visible.at > at ? nullptr : &items.Front();
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

/// What a VI was created with.
struct ViAttributes
{
    Reliability reliability{Reliability::UNRELIABLE};
    bool rdmaWrite{false}; ///< the peer may write our memory
    bool rdmaRead{false};
    Ptag tag{0};
    std::uint64_t maxTransfer{0}; ///< bytes of one message
    std::uint64_t qos{0};
};

/// A message that is arriving.
struct Arrival
{
    std::uint64_t packet{0}; ///< serial
    bool isRdmaWrite{false};
    std::uint64_t item{0};    ///< serial of the descriptor it consumes
    bool consumesItem{false}; ///< a receive
    bool answersItem{false};  ///< an RDMA read of ours
    std::uint32_t status{0};  ///< error bits so far; data is dropped when not 0
    std::uint32_t placed{0};  ///< bytes written
    std::uint32_t cellsSeen{0};
    std::uint32_t cellsFreed{0};  ///< of them: those whose room was given back
    std::uint32_t pieceFrom{0};   ///< bytes written before the piece that is being collected
    std::uint32_t cellsPlaced{0}; ///< of them: those that are in host memory
    Arrival* next{nullptr};       ///< in the list of those that nobody uses
};

struct TransportChannel;

/// One endpoint: a line of cache that both directions need, then one and a bit for each of them.
struct alignas(64) VirtualInterface
{
    ViId id{0};
    NodeId peerNode{0};
    ViId peerVi{0};
    std::uint32_t rank{0};     ///< of the process that created it
    std::uint32_t sequence{0}; ///< messages sent
    ViState state{ViState::IDLE};
    bool defersSends{false};            ///< posting a send does not ring
    TransportChannel* channel{nullptr}; ///< between the two NICs, since the last connection
    Arrival* arrival{nullptr};          ///< the message that is arriving; null: none
    ViAttributes attributes;
    WorkQueue send;
    std::uint32_t fenced{0};    ///< doorbells that wait for RDMA reads
    std::uint32_t readsOut{0};  ///< RDMA reads without an answer
    std::uint32_t deferred{0};  ///< the last sends, for which nobody has rung yet
    std::uint32_t owner{0};     ///< NIC handle it was created through
    ConnectionId connection{0}; ///< both ends know it by this number
    Ps brokenAt{0}; ///< while in ERROR: since when. The NIC knows before, as it plans ahead.
    WorkQueue receive;

    /// The state that a program sees at @p at.
    ViState StateAt(Ps at) const
    {
        return state == ViState::ERROR && at < brokenAt ? ViState::CONNECTED : state;
    }

    bool IsConnectedTo(NodeId node, ViId vi) const
    {
        return state == ViState::CONNECTED && peerNode == node && peerVi == vi;
    }

    bool IsReliable() const
    {
        return attributes.reliability != Reliability::UNRELIABLE;
    }

    /// Does a send complete only when its data is in the peer's memory?
    bool AwaitsResponse() const
    {
        return attributes.reliability == Reliability::RELIABLE_RECEPTION;
    }
};

} // namespace via
} // namespace ns3

#endif // VIA_VIRTUAL_INTERFACE_H
