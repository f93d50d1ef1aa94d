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
 * processor: while one engine works, the other waits (stage engine-wait). Its memory is that of
 * payload, too: DMA and wires come first, and the processor, which fetches an instruction in each
 * cycle, stands still while they move `nic.memory_width` bytes per cycle.
 *
 * After a message firmware has upkeep. That of a send, its token, timer and queue, ends the handler
 * of the send: whatever comes meanwhile waits. That of a received message, its acknowledgement and
 * buffer, waits until there is nothing else to do; but the next message is received only after it.
 * A ping-pong shows neither.
 */
class NicProcessor
{
  public:
    /**
     * @param host of the NIC
     * @param clock of the NIC
     * @param shared true for firmware
     * @param memoryWidth bytes per cycle of the memory; 0: not a limit
     */
    NicProcessor(Host& host, const ClockDomain& clock, bool shared, std::uint32_t memoryWidth = 0)
        : m_host(host),
          m_clock(clock),
          m_busy(shared ? std::make_unique<Timeline>() : nullptr),
          m_memoryWidth(shared ? memoryWidth : 0)
    {
    }

    /// See Component::IsInRun.
    bool IsInRun(Ps at) const
    {
        return m_host.IsInRun(at);
    }

    /// @p engine works for @p n cycles; 0 cycles take no time and wait for nothing.
    Moment Work(Moment from, Stage stage, Engine engine, Cycles n);

    /// DMA or a wire moves @p bytes from or to the card's memory, from @p at on.
    void UseMemory(Ps at, std::uint32_t bytes)
    {
        if (m_memoryWidth > 0)
        {
            StandStill(at, Cycles((bytes + m_memoryWidth - 1) / m_memoryWidth));
        }
    }

    /// A message has been sent at @p at; its upkeep follows.
    void EndSend(Ps at, Cycles upkeep)
    {
        if (upkeep.count > 0)
        {
            StandStill(at, upkeep);
        }
    }

    /// A message has been received at @p at; its upkeep is done while nothing else is to be done.
    void EndReceive(Ps at, Cycles upkeep)
    {
        m_owed = {at, m_used, upkeep.count};
    }

    /// The next message is received: what is left of the upkeep of the last one comes first.
    Moment BeginReceive(Moment from)
    {
        return m_owed.cycles == 0 ? from : DoUpkeep(from);
    }

    const ClockDomain& Clock() const
    {
        return m_clock;
    }

  private:
    Moment Share(Moment from, Stage stage, Engine engine, Cycles n);
    void StandStill(Ps at, Cycles n);
    Moment DoUpkeep(Moment from);

    /// Upkeep of a received message.
    struct Debt
    {
        Ps since{0};           ///< when it fell due
        std::uint64_t used{0}; ///< cycles that the processor had worked by then
        std::uint64_t cycles{0};
    };

    Host& m_host;
    ClockDomain m_clock;
    std::unique_ptr<Timeline> m_busy; ///< of a shared processor; null: not shared
    std::uint32_t m_memoryWidth;
    std::uint64_t m_used{0}; ///< cycles of work so far
    Debt m_owed;
};

} // namespace via
} // namespace ns3

#endif // VIA_NIC_PROCESSOR_H
