/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
// The I/O buses of a host: transactions, bursts and arbitration.

#ifndef VIA_HOST_BUS_H
#define VIA_HOST_BUS_H

#include "ns3/via-bus-law.h"
#include "ns3/via-component.h"
#include "ns3/via-provider-profile.h"

#include <algorithm>
#include <cstdint>
#include <vector>

namespace ns3
{
namespace via
{

/// Costs of transactions on a host's I/O bus, read from its profile.
struct BusCosts
{
    Frequency clock{1, 1};
    std::uint32_t width{1};            ///< bytes per data phase
    Cycles readOverhead;               ///< clocks of a read burst that carry no data
    Cycles readRequest;                ///< part of it: until the bus waits for the first data
    Cycles readInitial;                ///< part of it: the wait for the first data
    Cycles writeOverhead;              ///< clocks of a write burst that carry no data
    Cycles storeOverhead;              ///< clocks of a CPU store burst that carry no data
    std::uint32_t burstBytes{1 << 30}; ///< maximum size of a burst
    BusLaw reads;                      ///< gaps in bursts that are read
    bool splitReads{false};            ///< other users have the bus during readInitial
    std::uint32_t storeBytes{4};       ///< maximum size of a burst of CPU stores
    std::uint32_t count{1};            ///< number of buses

    /// Reads the keys `bus.*` of @p profile.
    static BusCosts From(const ProviderProfile& profile);
};

/// What is left of a transfer between a device and host memory.
struct BusTransfer
{
    Stage stage{Stage::PAYLOAD_READ};
    bool writes{false};     ///< to host memory; false: it reads
    bool awaitsData{false}; ///< of a split read: requested, and its data has not come
    bool isFurther{false};  ///< a burst of it has ended
    std::uint32_t bytes{0}; ///< still to be moved; 0 as a whole: a burst without data

    /// When the device requested what it reads, if it still read what comes before it then;
    /// PS_NEVER: it requests it now. On a bus with split reads the time since then is taken off the
    /// wait for data, but the bridge's gap between two pieces stays. On another bus it continues
    /// the burst before, if nobody else has had the bus.
    Ps asked{PS_NEVER};

    /// Whether the last transaction was the last of all.
    bool IsOver() const
    {
        return bytes == 0 && !awaitsData;
    }
};

/**
 * @brief The I/O buses of one host; each serves one transaction at a time.
 *
 * A transfer is split into bursts, each with its own overhead: the time of a DMA is affine in its
 * bursts and bytes. Transactions are served in the order in which they are requested, and must be
 * requested in the order of time: nobody has a bus before it asks. So other users get the bus
 * between two bursts, if whoever makes them waits for its turn with Next and NextStore.
 *
 *     read       |arbitration|address|. . . initial . . .|data ... data|turnaround|
 *     split read |arbitration|address|   (bus is free)   |data ... data|turnaround|
 *     write      |arbitration|address|initial|data ... data|turnaround|
 */
class HostBus
{
  public:
    /**
     * @param owner of the spans of all transactions; must outlive the bus
     * @param costs must outlive the bus
     * @param clock of all buses
     */
    HostBus(Component& owner, const BusCosts& costs, const ClockDomain& clock);

    /**
     * @brief The next transaction of @p transfer, of a device on bus @p bus (modulo the number of
     * buses), which requests it at @p from.
     * @return its end; see BusTransfer::IsOver
     */
    Moment Next(Moment from, BusTransfer& transfer, std::uint32_t bus);

    /// As Next for a read or write that IsOne and has not been asked for before.
    Moment One(Moment from, Stage stage, std::uint32_t bytes, bool writes, std::uint32_t bus)
    {
        Lane& lane = Of(bus);
        if (writes)
        {
            return Transact(from, stage, m_costs.writeOverhead + DataPhases(bytes), lane);
        }
        lane.burst = bytes;
        const Cycles clocks = m_costs.readOverhead + DataPhases(bytes) + m_costs.reads.Gaps(bytes);
        return Transact(from, stage, clocks, lane);
    }

    /// The CPU's next store or burst of stores, of those that @p bytes of them take. @p bytes is
    /// what is left then. @return its end
    Moment NextStore(Moment from, Stage stage, std::uint32_t& bytes, std::uint32_t bus);

    /// Whether a read or write of @p bytes is one transaction.
    bool IsOne(std::uint32_t bytes) const
    {
        return bytes <= m_costs.burstBytes && !m_costs.splitReads;
    }

    /// Time in ps from the first data of the last burst of a read of @p bytes to its end.
    Ps DataSpan(std::uint32_t bytes) const;

    /// Time in ps that a read or write of @p bytes takes at least.
    Ps LeastSpan(std::uint32_t bytes) const
    {
        return m_clock.Span(Cycles(m_byWidth.Quotient(bytes)));
    }

    /// Time in ps that a store takes at least.
    Ps LeastStoreSpan() const
    {
        return m_clock.Span(m_costs.storeOverhead + DataPhases(1));
    }

    /// Time in ps that a read of @p bytes takes at least, unless they were asked for before.
    Ps LeastReadSpan(std::uint32_t bytes) const
    {
        return m_clock.Span(m_costs.readOverhead + DataPhases(bytes));
    }

  private:
    Cycles DataPhases(std::uint32_t bytes) const
    {
        return Cycles(m_byWidth.Quotient(std::uint64_t{bytes} + m_costs.width - 1));
    }

    /// One bus.
    struct Lane
    {
        Ps asked{0};            ///< when the last transaction was requested
        Ps free{0};             ///< its end
        std::uint32_t burst{0}; ///< bytes of the last read burst, which may go on
    };

    Lane& Of(std::uint32_t bus)
    {
        bus = m_costs.count == 1 ? 0 : bus % m_costs.count;
        return bus == 0 ? m_first : m_others[bus - 1];
    }

    // inlined, because all that moves goes this way
    [[gnu::always_inline]] Moment Transact(Moment from, Stage stage, Cycles clocks, Lane& lane)
    {
        if (__builtin_expect(from.at < lane.asked, 0))
        {
            AbortEarly(from, lane.asked);
        }
        lane.asked = from.at;
        const ClockDomain::Window window = m_clock.Run(std::max(from.at, lane.free), clocks);
        lane.free = window.end;
        return m_owner.Occupy(from, stage, Stage::BUS_WAIT, Engine::BUS, m_clock, clocks, window);
    }

    [[noreturn, gnu::cold]] void AbortEarly(Moment from, Ps asked) const;
    Moment NextSplit(Moment from, BusTransfer& transfer, Lane& lane);
    Moment NextRead(Moment from, BusTransfer& transfer, Lane& lane);
    /// The clocks until the first data of a read that is requested at @p at, or was at @p asked.
    Cycles Initial(Ps at, Ps asked) const;

    Component& m_owner;
    const BusCosts& m_costs;
    ClockDomain m_clock;
    Divisor m_byWidth;
    Lane m_first;
    std::vector<Lane> m_others; ///< few hosts have more than one
};

} // namespace via
} // namespace ns3

#endif // VIA_HOST_BUS_H
