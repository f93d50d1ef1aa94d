/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
// The DMA engines of a NIC: which engine starts a bus burst, and at what cost.

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

/// Busy times of a DMA engine.
class DmaCalendar
{
  public:
    /// Drops the entries that ended by @p past.
    void Forget(Ps past);

    /// Whether no entry ends after @p at.
    bool IsFreeFrom(Ps at) const
    {
        return m_last <= at;
    }

    /**
     * @param from the earliest start
     * @param least ps that must be free from the start on
     * @return the first possible start
     */
    Ps FreeFrom(Ps from, Ps least) const;

    /// The engine is busy from @p start to @p end.
    void Occupy(Ps start, Ps end);

  private:
    Ring<ClockDomain::Window> m_busy; ///< in order of start
    Ps m_last{0};                     ///< the latest end of all
};

/**
 * @brief Bus bursts with their start-up cost.
 *
 * An engine is busy from the start of a burst to its end on the bus. Sending and receiving have
 * separate engines or share one (`nic.dma_engines`). A start costs `nic.dma_start` cycles of the
 * NIC's processor. With `nic.dma_chaining` only the first burst of a piece of payload needs one.
 *
 * Separate engines with a free start never delay a burst, so no busy times are kept for them.
 *
 * A card with `nic.read_ahead` requests the next bursts of a piece while one is on its way: only
 * the first waits for memory, and on a bus without split reads they are one burst.
 */
class DmaEngines
{
  public:
    /// @param card number of the card in its host; selects the bus
    DmaEngines(Host& host,
               NicProcessor& processor,
               const MechanismCosts& costs,
               std::uint32_t card = 0)
        : m_host(host),
          m_processor(processor),
          m_bus(card),
          m_start(costs.dmaStart),
          m_shared(costs.dmaEngines == 1),
          m_chains(costs.dmaChains),
          m_ahead(costs.readAhead)
    {
        if (costs.dmaStart.count > 0 || m_shared || costs.memoryWidth > 0)
        {
            m_calendars = std::make_unique<std::array<DmaCalendar, 2>>();
        }
    }

    /**
     * @brief Reads host memory.
     * @param engine NIC_SEND or NIC_RECEIVE, the user of the data
     * @param first false for a burst that continues where the last one of its piece ended
     */
    Moment Read(Moment from, Stage stage, Engine engine, std::uint32_t bytes, bool first = true)
    {
        const bool ahead = m_ahead > 0 && stage == Stage::PAYLOAD_READ;
        const Ps asked = ahead ? Ask(from.at, first) : PS_NEVER;
        return m_calendars == nullptr ? m_host.DmaRead(from, stage, bytes, m_bus, asked)
                                      : Transfer(from, stage, engine, bytes, first, false, asked);
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
                    bool write,
                    Ps asked = PS_NEVER);
    /// A burst of payload begins at @p at. @return when it was requested; PS_NEVER: now
    Ps Ask(Ps at, bool first);

    Host& m_host;
    NicProcessor& m_processor;
    std::uint32_t m_bus;
    Cycles m_start;
    bool m_shared;
    bool m_chains;
    std::uint32_t m_ahead;
    Ring<Ps> m_begun; ///< starts of the last m_ahead bursts of payload
    std::unique_ptr<std::array<DmaCalendar, 2>> m_calendars; ///< null: no busy times are kept
};

} // namespace via
} // namespace ns3

#endif // VIA_DMA_ENGINES_H
