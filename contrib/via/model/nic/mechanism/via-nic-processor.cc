/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
// What runs the engines of a NIC: parallel hardware, or one shared processor.

#include "via-nic-processor.h"

namespace ns3
{
namespace via
{

Moment
NicProcessor::Work(Moment from, Stage stage, Engine engine, Cycles n)
{
    return m_busy == nullptr || n.count == 0 ? m_host.Spend(from, stage, engine, m_clock, n)
                                             : Share(from, stage, engine, n);
}

Moment
NicProcessor::Share(Moment from, Stage stage, Engine engine, Cycles n)
{
    return m_host.Use(from, stage, Stage::ENGINE_WAIT, engine, *m_busy, m_clock, n);
}

} // namespace via
} // namespace ns3
