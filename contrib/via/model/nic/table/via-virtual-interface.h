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
    Moment rung;                 ///< when the NIC knows of it; later, when it has ended
    Moment visible{PS_NEVER, 0}; ///< when its completion is in memory
    std::uint32_t status{0};     ///< with DONE, once it has ended; it may wait for earlier ones
    std::uint32_t length{0};     ///< bytes moved, once it has ended
    Ps fetched{PS_NEVER};        ///< of a receive: when the card has prefetched it

    /// Value of `fetched`: the card prefetches it, and will have it at a time that is not known.
    static constexpr Ps COMING = PS_NEVER - 1;

    /// Whether the card is done with it.
    bool HasEnded() const
    {
        return status != 0;
    }
};

/// A work queue: descriptors in posting order.
struct WorkQueue
{
    Ring<WorkItem> items;
    RingSerial started{0};   ///< of the first item that the NIC has not begun
    RingSerial completed{0}; ///< of the first item that has not ended, or waits for others
    RingSerial reported{0};  ///< of the first item whose status write has not been requested
    Waiter* waiter{nullptr}; ///< who waits for the head

    /// The next item for the NIC, or null.
    WorkItem* Next()
    {
        return items.Find(started);
    }

    const WorkItem* Next() const
    {
        return items.Find(started);
    }

    /// The serial of the first item whose status is not in memory.
    RingSerial FirstOpen() const
    {
        RingSerial first = reported;
        for (const WorkItem* item = items.Find(first - 1);
             item != nullptr && item->visible.at == PS_NEVER;
             item = items.Find(first - 1))
        {
            --first;
        }
        return first;
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
    RingSerial item{0};       ///< of the descriptor it consumes
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
    std::vector<Waiter*> drains; ///< who waits for completions of either queue
    Ps brokenAt{0};              ///< start of ERROR. The NIC, which plans ahead, enters it earlier.
    std::uint32_t entries{0};    ///< of completion queues: being written
    std::uint32_t fenced{0};     ///< doorbells that wait for RDMA reads to end
    std::uint32_t readsOut{0};   ///< unanswered RDMA reads
    WorkQueue queue;             ///< of the direction that was used second
};

/**
 * @brief One endpoint: two cache lines.
 *
 * The work queue that is used first lies in it: between the processes of many protocols, messages
 * go one way.
 */
struct alignas(64) VirtualInterface
{
  private:
    WorkQueue m_queue;                  ///< of the direction that was used first
    std::unique_ptr<ViExtras> m_extras; ///< null: none needed so far

  public:
    TransportChannel* channel{nullptr}; ///< to the peer's NIC; set by the last connection
    Arrival* arrival{nullptr};          ///< the message that is arriving, or null
    ConnectionId connection{0};         ///< its number at both ends
    ViAttributes attributes;
    ViId id{0};
    NodeId peerNode{0};
    ViId peerVi{0};
    std::uint32_t rank{0};     ///< of the process that created it
    std::uint32_t sequence{0}; ///< messages sent
    std::uint32_t deferred{0}; ///< last sends whose doorbell has not rung yet
    std::uint32_t owner{0};    ///< NIC handle through which it was created
    ViState state{ViState::IDLE};
    bool defersSends{false}; ///< posting a send rings no doorbell
    bool stopped{false}; ///< a send has failed: none begins, and the VI breaks when it completes

    /// One of its work queues. Its address never changes.
    WorkQueue& QueueOf(bool isReceive)
    {
        const Holds wanted = isReceive ? Holds::RECEIVES : Holds::SENDS;
        if (m_holds == Holds::NOTHING)
        {
            m_holds = wanted;
        }
        return m_holds == wanted ? m_queue : MakeExtras().queue;
    }

    WorkQueue& SendQueue()
    {
        return QueueOf(false);
    }

    WorkQueue& ReceiveQueue()
    {
        return QueueOf(true);
    }

    /// The same, to be read.
    const WorkQueue& QueueOf(bool isReceive) const
    {
        return m_holds == (isReceive ? Holds::RECEIVES : Holds::SENDS) ? m_queue : Extras().queue;
    }

    const WorkQueue& SendQueue() const
    {
        return QueueOf(false);
    }

    const WorkQueue& ReceiveQueue() const
    {
        return QueueOf(true);
    }

    /// Prefetch hint: the queue that was used first will be used soon.
    void PrefetchFirstQueue() const
    {
        m_queue.items.Prefetch();
    }

    /// Whether one of its work queues was ever asked for, so that it may have entries.
    bool Uses(bool isReceive) const
    {
        const Holds wanted = isReceive ? Holds::RECEIVES : Holds::SENDS;
        return m_holds == wanted || (m_holds != Holds::NOTHING && m_extras != nullptr);
    }

    /// What it has of ViExtras; defaults if it needed none so far.
    const ViExtras& Extras() const
    {
        static const ViExtras none;
        return m_extras == nullptr ? none : *m_extras;
    }

    /// The same, to be changed.
    ViExtras& MakeExtras()
    {
        if (__builtin_expect(m_extras == nullptr, 0))
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
    /// Which direction was used first.
    enum class Holds : std::uint8_t
    {
        NOTHING, ///< none so far
        SENDS,
        RECEIVES,
    };

    Holds m_holds{Holds::NOTHING};
};

static_assert(sizeof(VirtualInterface) == 128);

} // namespace via
} // namespace ns3

#endif // VIA_VIRTUAL_INTERFACE_H
