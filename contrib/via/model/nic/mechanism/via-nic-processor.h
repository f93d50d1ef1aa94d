/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
// What runs the engines of a NIC: hardware side by side, or one processor that both share.

#ifndef VIA_NIC_PROCESSOR_H
#define VIA_NIC_PROCESSOR_H

#include "ns3/via-host.h"

#include <memory>

namespace ns3
{
namespace via
{

/**
 * @brief Cycles of the NIC's clock, from where they come.
 *
 * In hardware (`nic.processor = pipeline`) each engine has its own. Firmware runs on one
 * processor: what one engine does, the other waits for (stage engine-wait).
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
    std::unique_ptr<Timeline> m_busy; ///< of a processor that is shared; null: it is not
};

} // namespace via
} // namespace ns3

#endif // VIA_NIC_PROCESSOR_H
