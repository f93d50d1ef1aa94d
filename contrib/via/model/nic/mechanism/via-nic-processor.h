/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
// What runs the engines of a NIC: parallel hardware, or one shared processor.

#ifndef VIA_NIC_PROCESSOR_H
#define VIA_NIC_PROCESSOR_H

#include "ns3/via-host.h"

#include <memory>

namespace ns3
{
namespace via
{

/**
 * @brief The source of the NIC's cycles.
 *
 * In hardware (`nic.processor = pipeline`) each engine has its own logic. Firmware runs on one
 * processor: while one engine works, the other waits (stage engine-wait).
 */
class NicProcessor
{
  public:
    /**
     * @param host of the NIC
     * @param clock of the NIC
     * @param shared true for firmware
     */
    NicProcessor(Host& host, const ClockDomain& clock, bool shared)
        : m_host(host),
          m_clock(clock),
          m_busy(shared ? std::make_unique<Timeline>() : nullptr)
    {
    }

    /// @p engine works for @p n cycles; 0 cycles take no time and wait for nothing.
    Moment Work(Moment from, Stage stage, Engine engine, Cycles n);

    const ClockDomain& Clock() const
    {
        return m_clock;
    }

  private:
    Moment Share(Moment from, Stage stage, Engine engine, Cycles n);

    Host& m_host;
    ClockDomain m_clock;
    std::unique_ptr<Timeline> m_busy; ///< of a shared processor; null: not shared
};

} // namespace via
} // namespace ns3

#endif // VIA_NIC_PROCESSOR_H
