/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
// What every host and switch has: work on the agenda, a digest and a span log.

#include "via-component.h"

#include <utility>

namespace ns3
{
namespace via
{

Component::Component(World& world, ComponentId id, std::string name)
    : m_world(world),
      m_id(id),
      m_name(std::move(name))
{
}

ClockDomain
Component::MakeClock(Frequency frequency, std::uint32_t which) const
{
    const Ps phase = m_world.inStep ? 0 : SeededPhase(frequency, m_world.seed, m_id, which);
    return ClockDomain(frequency, phase);
}

Moment
Component::RecordUse(Moment from, Stage waiting, Engine engine, const ClockDomain& clock, Ps start)
{
    const Ps edge = clock.EdgeAtOrAfter(from.at);
    return edge < start ? Wait(Wait(from, Stage::ALIGN, engine, edge), waiting, engine, start)
                        : from;
}

SpanId
Component::Record(Moment from, Stage waiting, Engine engine, Ps until)
{
    if (!IsInRun(until))
    {
        return from.cause; // the run ends before it goes on
    }
    return m_world.spans.Add({from.at, until, 0, 0, from.cause, m_id, waiting, engine});
}

SpanId
Component::Record(Moment from,
                  Stage stage,
                  Engine engine,
                  const ClockDomain& clock,
                  Cycles n,
                  ClockDomain::Window window)
{
    if (!IsInRun(window.start))
    {
        return from.cause;
    }
    return m_world.spans.Add(
        {window.start, window.end, clock.Hz(), n.count, from.cause, m_id, stage, engine},
        from.at);
}

} // namespace via
} // namespace ns3
