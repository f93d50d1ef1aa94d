/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
// The I/O buses of a host: transactions, bursts and arbitration.

#ifndef VIA_HOST_BUS_H
#define VIA_HOST_BUS_H

#include "ns3/via-bus-law.h"
#include "ns3/via-component.h"
#include "ns3/via-provider-profile.h"

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

/**
 * @brief The I/O buses of one host; each serves one transaction at a time.
 *
 * A transfer is split into bursts, each with its own overhead: the time of a DMA is affine in its
 * bursts and bytes. Requests are served in call order; other users may get the
 * bus between two bursts.
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
     * @brief A device on bus @p bus (modulo the number of buses) reads @p bytes of host memory.
     * @param asked when the device requested them, if it still read what comes before them then;
     *        PS_NEVER: it requests them now. On a bus with split reads the time since then is taken
     *        off their wait, but the bridge's gap between two pieces stays. On another bus they
     *        continue the burst before, if nobody else has had the bus.
     */
    Moment Read(Moment from,
                Stage stage,
                std::uint32_t bytes,
                std::uint32_t bus,
                Ps asked = PS_NEVER);

    /// A device on bus @p bus writes @p bytes of host memory.
    Moment Write(Moment from, Stage stage, std::uint32_t bytes, std::uint32_t bus);

    /**
     * @brief The CPU stores @p bytes, uncached, to a device on bus @p bus, in single stores or in
     * as many bursts as its write-combining buffers produce.
     * @return the end of the last one
     */
    Moment Store(Moment from, Stage stage, std::uint32_t bytes, std::uint32_t bus);

    /// Time in ps from the first data of an undisturbed read of @p bytes to its last.
    Ps DataSpan(std::uint32_t bytes) const;

    /// Time in ps that a read or write of @p bytes takes at least.
    Ps LeastSpan(std::uint32_t bytes) const
    {
        return m_clock.Span(Cycles(m_byWidth.Quotient(bytes)));
    }

    /// Time in ps that Store takes at least.
    Ps LeastStoreSpan() const
    {
        return m_clock.Span(m_costs.storeOverhead + DataPhases(1));
    }

    /// Time in ps that Read of @p bytes takes at least, unless they were asked for before.
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
        Timeline timeline;
        std::uint32_t burst{0}; ///< bytes of the last read burst, which may go on
    };

    Lane& Of(std::uint32_t bus)
    {
        bus = m_costs.count == 1 ? 0 : bus % m_costs.count;
        return bus == 0 ? m_first : m_others[bus - 1];
    }

    Moment Transact(Moment from, Stage stage, Cycles clocks, std::uint32_t bus);
    /// Bursts of at most @p longest bytes. @param clocksOf gives the clocks of a burst of some
    /// bytes
    template <class Clocks>
    Moment Bursts(Moment from,
                  Stage stage,
                  std::uint32_t bytes,
                  std::uint32_t bus,
                  std::uint32_t longest,
                  Clocks clocksOf);
    Moment ReadSplit(Moment from, Stage stage, std::uint32_t bytes, std::uint32_t bus, Ps asked);
    Moment ReadOn(Moment from, Stage stage, std::uint32_t bytes, std::uint32_t bus, Ps asked);
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
