/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
// What every host and switch is made of: a place on the agenda, a digest and a span log.

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

} // namespace via
} // namespace ns3
