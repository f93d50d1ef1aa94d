/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
// Event ordering: what each component does next, and which component is first.

#ifndef VIA_AGENDA_H
#define VIA_AGENDA_H

#include "ns3/event-impl.h"
#include "ns3/ptr.h"
#include "ns3/via-prefetch.h"
#include "ns3/via-time.h"
#include "ns3/via-timing-wheels.h"

#include <cstddef>
#include <cstdint>
#include <vector>

namespace ns3
{
namespace via
{

/// Number of a component (a host with its NIC, or a switch), the same in every partition.
using ComponentId = std::uint32_t;

/// Input of a component at which work arrives; orders work at the same instant.
using AgendaPort = std::uint32_t;

/// How soon a work item will be done, if no other one comes first (see AgendaTarget::Prefetch).
enum class Hint : std::uint8_t
{
    FAR,
    SOON,
    NEXT,
    NOW,
};

/// An object with work on the agenda.
class AgendaTarget
{
  public:
    virtual ~AgendaTarget() = default;

    /**
     * @brief Does the work that is now due.
     * @param kind of work, as given to Schedule
     * @param data as given to Schedule
     */
    virtual void OnAgenda(std::uint32_t kind, std::uint64_t data) = 0;

    /**
     * @brief OnAgenda will be called like this soon: prefetches memory that it will touch.
     * May only read what an earlier hint, or the agenda (@p target and what @p data points to), has
     * prefetched some items before: else it waits for the memory itself.
     */
    virtual void Prefetch(Hint, std::uint32_t, std::uint64_t)
    {
    }
};

/// Continues its own work after each work item of its component (see Agenda::SetFollower).
class AgendaFollower
{
  public:
    virtual ~AgendaFollower() = default;

    /// Called before a work item on @p port, at its time: does what was left undone until then.
    virtual void Precede(AgendaPort port) = 0;

    /// Called after a work item. HeadOf() gives the time of the component's next one.
    virtual void Follow() = 0;
};

/// Events of others in the same ns-3 simulator.
class OtherEvents
{
  public:
    virtual ~OtherEvents() = default;

    /// Time of the next one; PS_NEVER if there is none.
    virtual Ps NextAt() const = 0;
};

/**
 * @brief All future work of one partition, in the order (time, component, port, sequence).
 *
 * Ties depend neither on which component scheduled first, nor on ns-3's event uids, nor on the
 * arrival of MPI messages. Only the head is an ns-3 event: one reused EventImpl, no allocation.
 * Where nobody else needs ns-3's clock, not even each head is (RunOn).
 */
class Agenda
{
  public:
    /// With less work than this the model fits the caches, and hints, which cost time, are omitted.
    static constexpr std::uint64_t CROWD = 256;

    /// Ports of programs: what they do reaches other components later than what a card or a switch
    /// does (see World::leads). Switches, which are untracked, have none.
    static constexpr AgendaPort FIRST_PROGRAM_PORT = 16;
    static constexpr AgendaPort END_OF_PROGRAM_PORTS = 0xc000'0000;

    /// A bit of the kind of a program's work: it must harvest and post before it reaches others.
    static constexpr std::uint32_t BEFORE_CALL = std::uint32_t{1} << 31;

    /// One work item: a cache line.
    struct alignas(64) Item
    {
        Ps at;
        std::uint64_t tie;      ///< the component, then the port
        std::uint64_t sequence; ///< counts all items
        AgendaTarget* target;   ///< null: cancelled
        std::uint64_t data;
        std::uint32_t kind;
        std::uint32_t next; ///< the component's next item, or the next free one

        ComponentId Component() const
        {
            return static_cast<ComponentId>(tie >> 32);
        }

        AgendaPort Port() const
        {
            return static_cast<AgendaPort>(tie);
        }
    };

    Agenda();
    ~Agenda();
    Agenda(const Agenda&) = delete;
    Agenda& operator=(const Agenda&) = delete;

    /// Makes room for components 0 .. @p count - 1. Call once, before anything else.
    void SetComponents(ComponentId count);

    /// The work of @p component is not cancelled, and nobody asks for its head: a switch has
    /// hundreds of items. Call before it has work.
    void Untrack(ComponentId component)
    {
        m_components[component].isTracked = false;
    }

    /**
     * @brief Puts work on the agenda.
     * @param component that does the work
     * @param at time, not before Now()
     * @return the number to pass to Cancel; unique among the last 2^32 items
     */
    std::uint32_t Schedule(ComponentId component,
                           Ps at,
                           AgendaPort port,
                           AgendaTarget* target,
                           std::uint32_t kind,
                           std::uint64_t data = 0);

    /// Removes work that has not been done yet.
    void Cancel(ComponentId component, std::uint32_t number);

    /// Removes all work of the components c with @p whose[c].
    void CancelWorkOf(const std::vector<bool>& whose);

    /// Calls @p follower before and after each work item of @p component.
    void SetFollower(ComponentId component, AgendaFollower* follower)
    {
        m_components[component].follower = follower;
    }

    /// The instant of the current work item, or of the last one.
    Ps Now() const
    {
        return m_now;
    }

    /// All that happens until then is known to be over: the present of this agenda and of ns-3, or,
    /// when nothing is left to happen before it, the limit of StopAt(), which may be PS_NEVER.
    Ps OverUntil() const;

    /// Time of the next work of @p component, which is tracked; PS_NEVER if it has none. The
    /// reference stays valid.
    const Ps& HeadOf(ComponentId component) const
    {
        return m_components[component].head;
    }

    /// Prefetches what HeadOf() reads.
    void PrefetchHead(ComponentId component) const
    {
        PrefetchLine(&m_components[component]);
    }

    /// As HeadOf, without the item that Schedule has given number @p number.
    Ps HeadBut(ComponentId component, std::uint32_t number) const
    {
        const std::uint32_t first = m_components[component].first;
        if (first == NONE || NumberOf(m_items[first]) != number)
        {
            return m_components[component].head;
        }
        return m_items[first].next == NONE ? PS_NEVER : m_items[m_items[first].next].at;
    }

    /// Whether a work item of @p component is being done now.
    bool IsAt(ComponentId component) const
    {
        return m_current == component;
    }

    /// Is no work item being done? So it is before a run, while a cluster is set up.
    bool IsIdle() const
    {
        return m_current == NOBODY;
    }

    /// The port of the work item that is being done.
    AgendaPort CurrentPort() const
    {
        return m_currentPort;
    }

    /// Time of the next work of any component; PS_NEVER if there is none.
    Ps Head() const
    {
        return std::min({HeadOfPrograms(), HeadBeforeCalls(), HeadOfOthers()});
    }

    /// Time of the next work of any program that may just have posted; PS_NEVER if there is none.
    Ps HeadOfPrograms() const
    {
        return m_programs.FirstAt();
    }

    /// Time of the next work of any other program; PS_NEVER if there is none.
    Ps HeadBeforeCalls() const
    {
        return m_beforeCalls.FirstAt();
    }

    /// As Head, without programs.
    Ps HeadOfOthers() const
    {
        return m_others.FirstAt();
    }

    /// Work items done so far: the "events" of all reports.
    std::uint64_t EventsDone() const
    {
        return m_done;
    }

    /// Number of planned work items.
    std::uint64_t Size() const
    {
        return m_size;
    }

    /// Increases whenever work is added, cancelled or begun, and when others are heeded.
    std::uint64_t Stamp() const
    {
        return 2 * m_sequence - m_size;
    }

    /// Work later than @p limit is not done; it stays on the agenda.
    void StopAt(Ps limit)
    {
        m_limit = limit;
    }

    /// The instant given to StopAt; PS_NEVER if there is none.
    Ps Limit() const
    {
        return m_limit;
    }

    /**
     * @brief From now on, one ns-3 event does all work before the next event of @p others.
     * Simulator::Now() stays at that event's time meanwhile: only for simulators in which nobody
     * who is called from here reads it, or calls Simulator::Stop().
     * @param others null: one event for each instant again. The current event ends with the
     * current item, if it has run on
     */
    void RunOn(const OtherEvents* others)
    {
        m_until = m_runsTo != nullptr && others == nullptr ? -1 : m_until;
        m_runsTo = others;
    }

    /// Events of @p others, the only ones of the simulator; null: there may be events of anybody.
    void Know(const OtherEvents* others)
    {
        m_known = others;
    }

    /// From now on events of others may give components work: OthersNext() tells when.
    void Heed()
    {
        m_heeds = true;
        ++m_sequence; // see Stamp
    }

    /// The earliest instant at which others may give a component work; PS_NEVER: they never do.
    Ps OthersNext() const
    {
        return !m_heeds ? PS_NEVER : m_known == nullptr ? m_now : m_known->NextAt();
    }

    /// This is one of several partitions: wires from others may bring work when @p outside has its
    /// next event, or later; null: at any time.
    void HeedPartitions(const OtherEvents* outside)
    {
        m_isPartition = true;
        m_outside = outside;
        ++m_sequence; // see Stamp
    }

    /// Whether nobody else may give a component work: neither events of others nor partitions.
    bool IsAlone() const
    {
        return !m_heeds && !m_isPartition;
    }

    /// The earliest instant at which others may give any component work: as OthersNext, and those
    /// at the far ends of wires.
    Ps OutsideNext() const
    {
        return !m_isPartition ? OthersNext() : m_outside == nullptr ? m_now : m_outside->NextAt();
    }

    /// Whether Simulator::Now() may be earlier than Now().
    bool RunsOn() const
    {
        return m_runsTo != nullptr;
    }

    /// Makes sure that an ns-3 event is scheduled at the head's time.
    void Arm();

  private:
    class HeadEvent;
    using Order = TimingWheels<Item>;

    static constexpr ComponentId NOBODY = UINT32_MAX;
    static constexpr std::uint32_t NONE = UINT32_MAX;

    /// A component and its work.
    struct Owner
    {
        Ps head{PS_NEVER};                 ///< time of the first item
        AgendaFollower* follower{nullptr}; ///< null: none
        std::uint32_t first{NONE};         ///< the first item; others follow in their order
        std::uint32_t last{NONE};          ///< valid while there is a first
        bool isTracked{true};
    };

    static std::uint32_t NumberOf(const Item& item)
    {
        return static_cast<std::uint32_t>(item.sequence);
    }

    /// The order with the first item of all; there must be one.
    Order& FirstOrder()
    {
        return Sooner(Sooner(m_others, m_beforeCalls), m_programs);
    }

    /// Of two orders, that with the earlier first item; @p a if both are empty.
    Order& Sooner(Order& a, Order& b)
    {
        const Ps first = a.FirstAt();
        const Ps second = b.FirstAt();
        const bool isTie = first == second && first != PS_NEVER;
        return second < first || (isTie && IsFirstBefore(b, a)) ? b : a;
    }

    /// Whether the first item of @p a comes before that of @p b, which is due at the same time.
    bool IsFirstBefore(const Order& a, const Order& b) const
    {
        const Item& first = m_items[a.First()];
        const Item& second = m_items[b.First()];
        return first.tie < second.tie ||
               (first.tie == second.tie && first.sequence < second.sequence);
    }

    /// The order of the work of @p component on @p port of @p kind.
    Order& OrderOf(ComponentId component, AgendaPort port, std::uint32_t kind)
    {
        const bool isProgram = port >= FIRST_PROGRAM_PORT && port < END_OF_PROGRAM_PORTS &&
                               m_components[component].isTracked;
        return !isProgram ? m_others : (kind & BEFORE_CALL) != 0 ? m_beforeCalls : m_programs;
    }

    void RunHead();
    bool MayRun();
    void ArmFrom(Ps now);
    void DoFirst();
    /// Takes the first item, and what was cancelled after it, out of the order. @return whether a
    /// day has begun
    bool DropFirst(Order& order);
    void LookAhead(const Order& order, bool dayBegins) const;
    void BeginDay(const Order& order) const;
    /// Gives @p hint to the item @p place places after the first, if it is known by now.
    void GiveHint(Hint hint, const Order& order, std::uint32_t place) const;
    void PrefetchTarget(const Item& item) const;
    /// The item @p place places after the first, if it is known by now.
    const Item* ItemAfter(const Order& order, std::uint32_t place) const;
    std::uint32_t NewSlot();
    static bool IsAfter(const Item& a, const Item& b);
    void Link(Owner& owner, std::uint32_t slot);
    void Unlink(Owner& owner, std::uint32_t before, std::uint32_t slot);
    void Free(std::uint32_t slot);
    void Purge();

    std::vector<Owner> m_components;
    std::vector<Item> m_items;
    std::uint32_t m_free{NONE}; ///< the first free item
    Order m_programs{m_items};
    Order m_beforeCalls{m_items};
    Order m_others{m_items};
    std::uint64_t m_sequence{0}; ///< of the last item
    std::size_t m_cancelled{0};  ///< cancelled items that are still in their order

    Ps m_now{0};
    ComponentId m_current{NOBODY}; ///< whose work item is being done
    AgendaPort m_currentPort{0};
    Ps m_limit{PS_NEVER};
    Ps m_armedAt{PS_NEVER};
    bool m_running{false};
    std::uint64_t m_done{0};
    std::uint64_t m_size{0};
    const OtherEvents* m_runsTo{nullptr};  ///< see RunOn
    const OtherEvents* m_known{nullptr};   ///< see Know
    bool m_heeds{false};                   ///< see Heed
    bool m_isPartition{false};             ///< see HeedPartitions
    const OtherEvents* m_outside{nullptr}; ///< see HeedPartitions
    Ps m_until{0};                         ///< the ns-3 event being done may go on to this instant
    Ptr<HeadEvent> m_event;
};

} // namespace via
} // namespace ns3

#endif // VIA_AGENDA_H
