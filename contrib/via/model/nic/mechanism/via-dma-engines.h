/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
// The DMA engines of a NIC: which engine starts a transfer, and at what cost.

#ifndef VIA_DMA_ENGINES_H
#define VIA_DMA_ENGINES_H

#include "ns3/via-mechanism-costs.h"
#include "ns3/via-nic-processor.h"

#include <algorithm>
#include <array>
#include <memory>
#include <utility>

namespace ns3
{
namespace via
{

/// How far the work of a card may be done now: while nobody else on its host has a step before.
struct CardTurn
{
    const Host& host;
    Ps end{-1}; ///< when another planner of the card has a step; -1: no step is being done

    /// Whether what begins at @p at belongs to the turn.
    bool Includes(Ps at) const
    {
        return at <= end && host.TurnIncludes(at);
    }

    /// From now on it ends at @p at, or before. @return its end until now
    Ps Limit(Ps at)
    {
        return std::exchange(end, std::min(end, at));
    }
};

/// A transfer between a card and host memory that has not ended.
struct DmaTransfer
{
    /// What it needs next.
    enum class Phase : std::uint8_t
    {
        ENGINE, ///< a DMA engine
        TURN,   ///< the same, and others were first
        BUS,    ///< the bus
        END,    ///< to reach its end, before which others may use the card's processor
    };

    BusTransfer bus;
    Engine user{Engine::NIC_SEND}; ///< of the data: NIC_SEND or NIC_RECEIVE
    bool isFirst{true};            ///< false: it continues where the last one of its piece ended
    Phase phase{Phase::ENGINE};
};

/**
 * @brief Transfers with their start-up cost.
 *
 * An engine is busy from the start of a transfer to its end on the bus. Sending and receiving have
 * separate engines or share one (`nic.dma_engines`), which serves in order of request. A start
 * costs `nic.dma_start` cycles of the NIC's processor. With `nic.dma_chaining` only the first
 * transfer of a piece of payload needs one.
 *
 * Separate engines with a free start never delay a transfer, so nobody waits for them.
 *
 * A card with `nic.read_ahead` requests the next bursts of a piece while one is on its way: only
 * the first waits for memory, and on a bus without split reads they are one burst.
 *
 * Whoever moves data is a CardTask. It requests an engine, and the bus for each burst, when it is
 * time for that: nothing is booked ahead.
 */
class DmaEngines
{
  public:
    /// @param turn of the card
    /// @param card number of the card in its host; selects the bus
    DmaEngines(Host& host,
               NicProcessor& processor,
               const CardTurn& turn,
               const MechanismCosts& costs,
               std::uint32_t card = 0)
        : m_host(host),
          m_processor(processor),
          m_turn(turn),
          m_bus(card),
          m_start(costs.dmaStart),
          m_shared(costs.dmaEngines == 1),
          m_isFirmware(costs.isFirmware),
          m_isPlain(!m_isFirmware && costs.readAhead == 0),
          m_chains(costs.dmaChains),
          m_ahead(costs.readAhead)
    {
        if (costs.dmaStart.count > 0 || m_shared || costs.memoryWidth > 0)
        {
            m_engines = std::make_unique<std::array<Server, 2>>();
            m_isPlain = false;
        }
    }

    /// Whether the turn includes what begins at @p at.
    bool MayGoOn(Ps at) const
    {
        return m_turn.Includes(at);
    }

    /// Is a transfer of @p bytes a single transaction that waits for nothing but the bus, and
    /// after which the card works on in parallel to others?
    bool IsPlain(std::uint32_t bytes) const
    {
        return m_isPlain && m_host.Bus().IsOne(bytes);
    }

    /// Does a transfer that IsPlain. @return its end
    Moment DoPlain(Moment at, Stage stage, std::uint32_t bytes, bool writes)
    {
        return m_host.Bus().One(at, stage, bytes, writes, m_bus);
    }

    /**
     * @brief Does as much of @p transfer as this turn includes.
     * @param at how far it is; changed
     * @return whether it has ended
     */
    bool GoOn(DmaTransfer& transfer, Moment& at);

    /// @p transfer, which has not ended, will not move in memory until it has.
    void Await(const DmaTransfer& transfer);

    /// When @p transfer, which is at @p at, can go on; PS_NEVER: others have to end first.
    Ps NextAt(const DmaTransfer& transfer, Ps at) const;

    NicProcessor& Processor() const
    {
        return m_processor;
    }

    Host& GetHost() const
    {
        return m_host;
    }

  private:
    /// One DMA engine.
    struct Server
    {
        Ps free{0};                       ///< when its last transfer ends, if that is known
        bool isBusy{false};               ///< it is not known yet
        Ring<const DmaTransfer*> waiting; ///< in order of request
    };

    Server& ServerOf(const DmaTransfer& transfer) const
    {
        return (*m_engines)[m_shared || transfer.user == Engine::NIC_SEND ? 0 : 1];
    }

    /// It requests an engine. @return whether it has one now
    bool Take(DmaTransfer& transfer, Moment& at);
    void Start(DmaTransfer& transfer, Server& server, Moment& at);
    /// The end of its last transaction is known. @return whether it has been reached
    bool End(DmaTransfer& transfer, Moment& at);
    /// A transfer of payload begins at @p at. @return when it was requested; PS_NEVER: now
    Ps Ask(Ps at, bool isFirst);

    Host& m_host;
    NicProcessor& m_processor;
    const CardTurn& m_turn;
    std::uint32_t m_bus;
    Cycles m_start;
    bool m_shared;
    bool m_isFirmware;
    bool m_isPlain; ///< nothing but the bus matters
    bool m_chains;
    std::uint32_t m_ahead;
    Ring<Ps> m_begun; ///< starts of the last m_ahead transfers of payload
    std::unique_ptr<std::array<Server, 2>> m_engines; ///< null: nobody waits for them
};

} // namespace via
} // namespace ns3

#endif // VIA_DMA_ENGINES_H
