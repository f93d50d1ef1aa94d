/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
// The order of the world: what every component does next, and which of them is first.

#ifndef VIA_AGENDA_H
#define VIA_AGENDA_H

#include "ns3/event-impl.h"
#include "ns3/ptr.h"
#include "ns3/via-time.h"

#include <cstddef>
#include <cstdint>
#include <vector>

namespace ns3
{
namespace via
{

/// Number of a component (a host with its NIC, or a switch), the same on every rank.
using ComponentId = std::uint32_t;

/// Where in a component work arrives; orders work of the same instant.
using AgendaPort = std::uint32_t;

/// Asks the processor for the lines of @p object; by the time they are needed they are there.
template <class T>
void
Prefetch(const T* object)
{
    const auto* at = reinterpret_cast<const char*>(object);
    for (std::size_t offset = 0; offset < sizeof(T); offset += 64)
    {
        __builtin_prefetch(at + offset);
    }
}

/// As Prefetch of an object, of which only what lies before its member at @p end is wanted.
inline void
PrefetchUpTo(const void* object, const void* end)
{
    for (const auto* at = static_cast<const char*>(object); at < end; at += 64)
    {
        __builtin_prefetch(at);
    }
}

/// Somebody with work on the agenda.
class AgendaTarget
{
  public:
    virtual ~AgendaTarget() = default;

    /**
     * @brief The instant of a piece of work has come.
     * @param kind which work, as given to Schedule
     * @param data whatever was given to Schedule
     */
    virtual void OnAgenda(std::uint32_t kind, std::uint64_t data) = 0;

    /**
     * @brief OnAgenda will be called like this next, if nothing comes in between.
     * A hint: the target may ask for memory that it will touch (see Prefetch), and does nothing
     * else. What Foresee asked for should be there.
     */
    virtual void Expect(std::uint32_t, std::uint64_t)
    {
    }

    /// As Expect, but some pieces of work sooner: what has to be read to know what else is needed.
    virtual void Foresee(std::uint32_t, std::uint64_t)
    {
    }
};

/// Somebody who does more of his work each time that a piece of his component's has been done.
class AgendaFollower
{
  public:
    virtual ~AgendaFollower() = default;

    /// A piece of work has been done; the next one of the component is HeadOf() it.
    virtual void Follow() = 0;
};

/**
 * @brief All future work of one rank, in the order (time, component, port, sequence).
 *
 * Ties never depend on who scheduled first across components, on ns-3's event uids or on the
 * arrival of MPI messages. Only the head is an ns-3 event: one reused EventImpl, no allocation.
 *
 * Two levels: a heap per component (short, its head apart) and an indexed heap of the components
 * by their heads.
 */
class Agenda
{
  public:
    /// With less work than this the world fits the caches: nobody is given hints, which cost time.
    static constexpr std::uint64_t CROWD = 256;

    /// One piece of work.
    struct Item
    {
        Ps at;
        AgendaPort port;
        std::uint32_t kind;
        std::uint64_t sequence; ///< counts the items of the component
        std::uint64_t data;
        AgendaTarget* target;
    };

    Agenda();
    ~Agenda();
    Agenda(const Agenda&) = delete;
    Agenda& operator=(const Agenda&) = delete;

    /// Makes room for components 0 .. @p count - 1. To be called once, before anything else.
    void SetComponents(ComponentId count);

    /**
     * @brief Puts work on the agenda.
     * @param component whose work it is
     * @param at when, not before Now()
     * @return the sequence number by which Cancel finds it
     */
    std::uint64_t Schedule(ComponentId component,
                           Ps at,
                           AgendaPort port,
                           AgendaTarget* target,
                           std::uint32_t kind,
                           std::uint64_t data = 0);

    /// Takes work off the agenda that has not been done yet.
    void Cancel(ComponentId component, std::uint64_t sequence);

    /// @p follower is called once, when the next (or the present) work of @p component is done.
    void FollowNext(ComponentId component, AgendaFollower* follower)
    {
        m_queues[component].follower = follower;
    }

    /// The instant of the work being done, or of the last one done.
    Ps Now() const
    {
        return m_now;
    }

    /// When @p component has work next; PS_NEVER if it has none. Where it is told stays the same.
    const Ps& HeadOf(ComponentId component) const
    {
        return m_queues[component].head.at;
    }

    /// When anybody has work next; PS_NEVER if nobody has.
    Ps Head() const
    {
        return m_order.empty() ? PS_NEVER : m_order.front().at;
    }

    /// Pieces of work done so far: the "events" of all reports.
    std::uint64_t EventsDone() const
    {
        return m_done;
    }

    /// Pieces of work that are planned.
    std::uint64_t Size() const
    {
        return m_size;
    }

    /// Nothing later than this is done; the rest stays on the agenda.
    void StopAt(Ps limit)
    {
        m_limit = limit;
    }

    /// The instant given to StopAt; PS_NEVER if there is none.
    Ps Limit() const
    {
        return m_limit;
    }

    /// Asks ns-3 for an event at the head's time. Called by whoever adds work from outside.
    void Arm();

  private:
    class HeadEvent;

    static constexpr Item NOTHING{PS_NEVER, 0, 0, 0, 0, nullptr};

    /// Work of one component. One line of cache: most components have one item at a time.
    struct alignas(64) Queue
    {
        Item head{NOTHING};                ///< the first by (at, port, sequence)
        AgendaFollower* follower{nullptr}; ///< null: nobody
        std::uint64_t nextSequence{0};
        std::uint32_t others{0}; ///< items in m_rest

        bool IsEmpty() const
        {
            return head.target == nullptr;
        }
    };

    /// A component and when its first work is due.
    struct Entry
    {
        Ps at;
        ComponentId component;
    };

    void RunHead();
    void ArmFrom(Ps now);
    void DoFirst();
    void LookAhead() const;
    void PushRest(ComponentId component, const Item& item);
    void DropHead(ComponentId component);
    static bool Before(const Entry& a, const Entry& b);
    /// Who of the entries @p begin .. @p end - 1, at least one, is first.
    std::uint32_t FirstOf(std::uint32_t begin, std::uint32_t end) const;
    void Remove(std::uint32_t place);
    void Move(std::uint32_t place, Entry head);
    void SiftUp(std::uint32_t place, Entry head);
    void SiftDown(std::uint32_t place, Entry head);
    void Put(std::uint32_t place, Entry head);

    std::vector<Queue> m_queues;
    std::vector<std::vector<Item>> m_rest; ///< binary heaps by (at, port, sequence)
    std::vector<std::uint32_t> m_places;   ///< index in m_order, valid while there is a head
    std::vector<Entry> m_order; ///< 4-ary heap: the children of one entry share a cache line
    Ps m_now{0};
    Ps m_limit{PS_NEVER};
    Ps m_armedAt{PS_NEVER};
    bool m_running{false};
    std::uint64_t m_done{0};
    std::uint64_t m_size{0};
    Ptr<HeadEvent> m_event;
};

} // namespace via
} // namespace ns3

#endif // VIA_AGENDA_H
