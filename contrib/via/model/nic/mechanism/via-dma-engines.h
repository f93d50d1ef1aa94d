/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
// The DMA engines of a NIC: who starts a burst on the bus, and what that costs.

#ifndef VIA_DMA_ENGINES_H
#define VIA_DMA_ENGINES_H

#include "ns3/via-mechanism-costs.h"
#include "ns3/via-nic-processor.h"

#include <array>
#include <memory>

namespace ns3
{
namespace via
{

/// When a DMA engine is busy.
class DmaCalendar
{
  public:
    /**
     * @param from the earliest instant wanted
     * @param least ps that must be free from there on
     * @param now what ended before is forgotten
     * @return the first such instant
     */
    Ps FreeFrom(Ps from, Ps least, Ps now);

    /// The engine is busy from @p start to @p end.
    void Occupy(Ps start, Ps end);

  private:
    Ring<ClockDomain::Window> m_busy; ///< in the order of their starts
};

/**
 * @brief Bus bursts with their start.
 *
 * An engine is busy from the start of a burst to its end on the bus. Sending and receiving have an
 * engine each, or share one (`nic.dma_engines`). A start costs `nic.dma_start` cycles of the NIC's
 * processor; with `nic.dma_chaining` only the first burst of a piece of payload needs one.
 *
 * An engine of its own that starts for nothing never makes anybody wait: nothing is kept of it.
 */
class DmaEngines
{
  public:
    /// @param card of the host that it is: says on which bus
    DmaEngines(Host& host,
               NicProcessor& processor,
               const MechanismCosts& costs,
               std::uint32_t card = 0)
        : m_host(host),
          m_processor(processor),
          m_bus(card),
          m_start(costs.dmaStart),
          m_shared(costs.dmaEngines == 1),
          m_chains(costs.dmaChains)
    {
        if (costs.dmaStart.count > 0 || m_shared)
        {
            m_calendars = std::make_unique<std::array<DmaCalendar, 2>>();
        }
    }

    /**
     * @brief Reads host memory.
     * @param engine NIC_SEND or NIC_RECEIVE, for whom
     * @param first false for a burst that goes on where the last one of its piece ended
     */
    Moment Read(Moment from, Stage stage, Engine engine, std::uint32_t bytes, bool first = true)
    {
        return m_calendars == nullptr ? m_host.DmaRead(from, stage, bytes, m_bus)
                                      : Transfer(from, stage, engine, bytes, first, false);
    }

    /// Writes host memory; as Read.
    Moment Write(Moment from, Stage stage, Engine engine, std::uint32_t bytes, bool first = true)
    {
        return m_calendars == nullptr ? m_host.DmaWrite(from, stage, bytes, m_bus)
                                      : Transfer(from, stage, engine, bytes, first, true);
    }

    Host& GetHost() const
    {
        return m_host;
    }

  private:
    Moment Transfer(Moment from,
                    Stage stage,
                    Engine engine,
                    std::uint32_t bytes,
                    bool first,
                    bool write);

    Host& m_host;
    NicProcessor& m_processor;
    std::uint32_t m_bus;
    Cycles m_start;
    bool m_shared;
    bool m_chains;
    std::unique_ptr<std::array<DmaCalendar, 2>> m_calendars; ///< null: nothing is kept
};

} // namespace via
} // namespace ns3

#endif // VIA_DMA_ENGINES_H
