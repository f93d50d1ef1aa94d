/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
// What every host and switch has: work on the agenda, a digest and a span log.

#ifndef VIA_COMPONENT_H
#define VIA_COMPONENT_H

#include "ns3/via-agenda.h"
#include "ns3/via-clock-domain.h"
#include "ns3/via-digest.h"
#include "ns3/via-inbound-traffic.h"
#include "ns3/via-message-log.h"
#include "ns3/via-packet.h"
#include "ns3/via-poll-watchdog.h"
#include "ns3/via-span-log.h"
#include "ns3/via-timeline.h"

#include <algorithm>
#include <string>

namespace ns3
{
namespace via
{

/// The least times, in ps, until a first cell leaves a host. 0: at once, as far as is known.
struct Leads
{
    Ps program{0}; ///< from what a program does
    Ps call{0};    ///< before that, from an instant at which it must still harvest and post
    Ps send{0};    ///< from a doorbell of a send
    Ps control{0}; ///< from any work of a card, if no doorbell has been rung for it
};

/// Shared by all components of a partition.
struct World
{
    Agenda agenda;
    SpanLog spans;
    PacketPool packets;
    MessageLog messages;
    bool reference{false};    ///< no step is done before its time: an event for each
    bool lossy{false};        ///< cells may be lost: senders keep data until it has arrived
    bool inStep{false};       ///< all clocks have phase 0: slotted traffic
    bool payloadDigest{true}; ///< hash the bytes of delivered messages
    std::uint64_t seed{1};
    Leads leads;
    InboundTraffic inbound; ///< counts if leads.control is not 0
    PollWatchdog pollWatchdog;

    /// Ends the life of the message that @p packet carries at @p at, unless it has ended already.
    void EndMessage(Packet& packet, Ps at)
    {
        if (packet.message != 0)
        {
            messages.End(packet.message, at <= agenda.Limit());
            packet.message = 0;
        }
    }
};

/**
 * @brief A host with its NIC, or a switch.
 *
 * Simulated time passes in two ways: Spend (cycles of one of the component's clocks) and Wait (for
 * another owner). Both hash what they did into the component's digest.
 */
class Component
{
  public:
    /**
     * @param world shared by the partition
     * @param id the number of this component
     * @param name as it appears in tables, e.g. "n3" or "s0"
     */
    Component(World& world, ComponentId id, std::string name);

    ComponentId Id() const
    {
        return m_id;
    }

    const std::string& Name() const
    {
        return m_name;
    }

    World& GetWorld() const
    {
        return m_world;
    }

    Ps Now() const
    {
        return m_world.agenda.Now();
    }

    const Digest& GetDigest() const
    {
        return m_digest;
    }

    /// A clock of this component with its own seeded phase; @p which distinguishes its clocks.
    ClockDomain MakeClock(Frequency frequency, std::uint32_t which) const;

    std::uint32_t Schedule(Ps at,
                           AgendaPort port,
                           AgendaTarget* target,
                           std::uint32_t kind,
                           std::uint64_t data = 0)
    {
        return m_world.agenda.Schedule(m_id, at, port, target, kind, data);
    }

    /// Whether the run is not stopped before @p at. What happens later does not count: how much of
    /// it is known by then depends on the mode.
    bool IsInRun(Ps at) const
    {
        return at <= m_world.agenda.Limit();
    }

    /// The part of the time between two instants before the run is stopped.
    Ps TimeInRun(Ps from, Ps until) const
    {
        const Ps stop = m_world.agenda.Limit();
        return until <= stop ? until - from : std::max(stop - from, Ps{0});
    }

    /// Adds to the digest what no span contains, such as the bytes of a message.
    /// @param at when it happens; not before it is computed
    void MixIntoDigest(Ps at, std::uint64_t what, std::uint64_t value)
    {
        if (IsInRun(at))
        {
            m_digest.Mix(what, value);
        }
    }

    /// Adds cycles to the digest that are not recorded as a span.
    void MixIntoDigest(Stage stage, Cycles n, ClockDomain::Window window)
    {
        MixIntoDigest(window.start,
                      static_cast<std::uint64_t>(window.start),
                      static_cast<std::uint64_t>(window.end) << 16 ^ n.count << 8 ^
                          static_cast<std::uint64_t>(stage));
    }

    /// Spends @p n cycles of @p clock, starting at its next edge.
    Moment Spend(Moment from, Stage stage, Engine engine, const ClockDomain& clock, Cycles n);

    /**
     * @brief Uses a shared resource for @p n cycles as soon as it is free.
     * @param waiting the stage that records the wait for other users
     */
    Moment Use(Moment from,
               Stage stage,
               Stage waiting,
               Engine engine,
               Timeline& timeline,
               const ClockDomain& clock,
               Cycles n);

    /// As Use, but @p window of the resource is already reserved.
    Moment Occupy(Moment from,
                  Stage stage,
                  Stage waiting,
                  Engine engine,
                  const ClockDomain& clock,
                  Cycles n,
                  ClockDomain::Window window);

    /// Records a wait until @p until; no effect if that is not later than @p from.
    Moment Wait(Moment from, Stage waiting, Engine engine, Ps until);

    /// Whether spans are recorded.
    bool Records() const
    {
        return m_world.spans.IsEnabled();
    }

    /// As Wait, for callers that have asked Records() once for many waits: without recording no
    /// causes are computed.
    template <bool RECORDS>
    Moment WaitIn(Moment from, Stage waiting, Engine engine, Ps until);

    /// As Note, see WaitIn.
    template <bool RECORDS>
    Moment NoteIn(Moment from,
                  Stage stage,
                  Engine engine,
                  const ClockDomain& clock,
                  Cycles n,
                  ClockDomain::Window window);

    /// Records cycles that another call has already added to the digest (for example part of them),
    /// after the wait for their edge.
    Moment Note(Moment from,
                Stage stage,
                Engine engine,
                const ClockDomain& clock,
                Cycles n,
                ClockDomain::Window window);

  private:
    Moment Book(Moment from,
                Stage stage,
                Engine engine,
                const ClockDomain& clock,
                Cycles n,
                ClockDomain::Window window);

    // out of line: runs without recording do not need these
    [[gnu::cold]] Moment RecordUse(Moment from,
                                   Stage waiting,
                                   Engine engine,
                                   const ClockDomain& clock,
                                   Ps start);
    [[gnu::cold]] SpanId Record(Moment from, Stage waiting, Engine engine, Ps until);
    [[gnu::cold]] SpanId Record(Moment from,
                                Stage stage,
                                Engine engine,
                                const ClockDomain& clock,
                                Cycles n,
                                ClockDomain::Window window);

    World& m_world;
    ComponentId m_id;
    Digest m_digest;
    std::string m_name;
};

template <bool RECORDS>
Moment
Component::WaitIn(Moment from, Stage waiting, Engine engine, Ps until)
{
    if constexpr (!RECORDS)
    {
        return {std::max(from.at, until), 0};
    }
    return until <= from.at ? from : Moment{until, Record(from, waiting, engine, until)};
}

template <bool RECORDS>
Moment
Component::NoteIn(Moment from,
                  Stage stage,
                  Engine engine,
                  const ClockDomain& clock,
                  Cycles n,
                  ClockDomain::Window window)
{
    return {window.end, RECORDS ? Record(from, stage, engine, clock, n, window) : 0};
}

inline Moment
Component::Wait(Moment from, Stage waiting, Engine engine, Ps until)
{
    return Records() ? WaitIn<true>(from, waiting, engine, until)
                     : WaitIn<false>(from, waiting, engine, until);
}

inline Moment
Component::Note(Moment from,
                Stage stage,
                Engine engine,
                const ClockDomain& clock,
                Cycles n,
                ClockDomain::Window window)
{
    return Records() ? NoteIn<true>(from, stage, engine, clock, n, window)
                     : NoteIn<false>(from, stage, engine, clock, n, window);
}

inline Moment
Component::Book(Moment from,
                Stage stage,
                Engine engine,
                const ClockDomain& clock,
                Cycles n,
                ClockDomain::Window window)
{
    MixIntoDigest(stage, n, window);
    return Note(from, stage, engine, clock, n, window);
}

inline Moment
Component::Spend(Moment from, Stage stage, Engine engine, const ClockDomain& clock, Cycles n)
{
    if (n.count == 0)
    {
        return from; // work without cost does not wait for an edge
    }
    return Book(from, stage, engine, clock, n, clock.Run(from.at, n));
}

inline Moment
Component::Use(Moment from,
               Stage stage,
               Stage waiting,
               Engine engine,
               Timeline& timeline,
               const ClockDomain& clock,
               Cycles n)
{
    const ClockDomain::Window window = timeline.Reserve(clock, from.at, n, Now());
    return Occupy(from, stage, waiting, engine, clock, n, window);
}

inline Moment
Component::Occupy(Moment from,
                  Stage stage,
                  Stage waiting,
                  Engine engine,
                  const ClockDomain& clock,
                  Cycles n,
                  ClockDomain::Window window)
{
    const bool records = m_world.spans.IsEnabled() && window.start > from.at;
    const Moment ready = records ? RecordUse(from, waiting, engine, clock, window.start) : from;
    return Book(ready, stage, engine, clock, n, window);
}

} // namespace via
} // namespace ns3

#endif // VIA_COMPONENT_H
