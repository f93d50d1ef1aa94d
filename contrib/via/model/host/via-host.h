/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
// A node's computer: CPU clock, host bus and memory.

#ifndef VIA_HOST_H
#define VIA_HOST_H

#include "ns3/via-component.h"
#include "ns3/via-host-memory.h"
#include "ns3/via-provider-profile.h"
#include "ns3/via-shared.h"

#include <algorithm>

namespace ns3
{
namespace via
{

/// What a test bed's host costs, read from its profile.
struct HostCosts
{
    Frequency cpuClock{1, 1};
    Cycles cacheMiss;     ///< CPU: first touch of a line that the NIC has written
    Cycles basicBlock;    ///< CPU: one basic block of a program
    Cycles clockCall;     ///< CPU: gettimeofday and its like
    Cycles interrupt;     ///< CPU: entry to exit, with what it costs the caches
    Cycles contextSwitch; ///< CPU
    Cycles systemCall;    ///< CPU: entry and exit
    std::uint64_t lineBytes{1};  ///< of the caches
    std::uint64_t cacheBytes{0}; ///< of the last cache
    Cycles copyBase;             ///< CPU: one copy, whatever its size
    Cycles copyLine;             ///< CPU: one line copied from memory to memory
    Cycles copyLineCached;       ///< CPU: one line copied out of the cache
    std::uint64_t pageBytes{0};
    Frequency busClock{1, 1};
    std::uint32_t busWidth{0}; ///< bytes per data phase
    Cycles readOverhead;       ///< bus: arbitration, address, initial latency, turnaround
    Cycles writeOverhead;      ///< bus: arbitration, address, turnaround
    Cycles mmioWrite;          ///< bus: one posted store of the CPU

    /// Reads the keys `cpu.*`, `os.*` and `bus.*` of @p profile.
    static HostCosts From(const ProviderProfile& profile);
};

/**
 * @brief CPU clock, PCI bus and memory of one node.
 *
 * The bus serves one transaction at a time: doorbell stores of the CPU, descriptor fetches,
 * payload and status DMA of the NIC. Who asks first is served first.
 */
class Host : public Component
{
  public:
    Host(World& world, ComponentId id, std::string name, const Shared<HostCosts>& costs);

    const HostCosts& Costs() const
    {
        return *m_costs;
    }

    const ClockDomain& CpuClock() const
    {
        return m_cpuClock;
    }

    HostMemory& Memory()
    {
        return m_memory;
    }

    /**
     * @brief The kernel works, in an interrupt or for a system call of the card's driver, on CPU 0.
     * One piece of work after the other; who asks first is served first.
     * @return the end of its @p n cycles
     */
    Moment KernelSpend(Moment from, Stage stage, Cycles n);

    /**
     * @brief What a CPU needs to copy, set or compare memory.
     * @param bytes how many
     * @param cached whether the source has been touched lately; of no use to what no cache holds
     */
    Cycles CopyCost(std::uint64_t bytes, bool cached) const;

    /// One posted store of the CPU to the NIC.
    Moment MmioStore(Moment from)
    {
        return Transact(from, Stage::DOORBELL, m_costs->mmioWrite);
    }

    /// Stores of the CPU to consecutive words of the NIC, each as MmioStore, the bus' width a word.
    Moment PioWrite(Moment from, Stage stage, std::uint32_t bytes)
    {
        for (std::uint64_t left = DataPhases(bytes).count; left > 0; --left)
        {
            from = Transact(from, stage, m_costs->mmioWrite);
        }
        return from;
    }

    /// The NIC reads @p bytes of host memory in one transaction.
    Moment DmaRead(Moment from, Stage stage, std::uint32_t bytes)
    {
        return Transact(from, stage, m_costs->readOverhead + DataPhases(bytes));
    }

    /// The NIC writes @p bytes of host memory in one transaction.
    Moment DmaWrite(Moment from, Stage stage, std::uint32_t bytes)
    {
        return Transact(from, stage, m_costs->writeOverhead + DataPhases(bytes));
    }

    /// ps that the data phases of @p bytes take at least.
    Ps DataSpan(std::uint32_t bytes) const
    {
        return m_busClock.Span(DataPhases(bytes));
    }

    /**
     * @brief How soon work of another component can reach this one.
     * @param cells by cells that arrive
     * @param credits by credits that come home; counts only while the NIC waits for them
     */
    void SetLookahead(Ps cells, Ps credits)
    {
        m_cellLookahead = cells;
        m_creditLookahead = credits;
    }

    /// The NIC waits for credits, or no longer does.
    void SetWaitsForCredits(bool waits)
    {
        m_waitsForCredits = waits;
    }

    /**
     * @brief The earliest instant at which anything planned so far could change what a process
     * of this host sees. Until then a process may run ahead of the agenda.
     */
    Ps Horizon() const
    {
        const Ps head = GetWorld().agenda.Head();
        const Ps lookahead = m_waitsForCredits ? m_creditLookahead : m_cellLookahead;
        const Ps others = head > PS_NEVER - lookahead ? PS_NEVER : head + lookahead;
        return std::min(GetWorld().agenda.HeadOf(Id()), others);
    }

  private:
    Cycles DataPhases(std::uint32_t bytes) const
    {
        return Cycles((bytes + m_costs->busWidth - 1) / m_costs->busWidth);
    }

    Moment Transact(Moment from, Stage stage, Cycles clocks)
    {
        return Use(from, stage, Stage::BUS_WAIT, Engine::BUS, m_bus, m_busClock, clocks);
    }

    Shared<HostCosts> m_costs;
    ClockDomain m_cpuClock;
    ClockDomain m_busClock;
    Timeline m_kernel; ///< of CPU 0
    Timeline m_bus;
    HostMemory m_memory;
    Ps m_cellLookahead{0};
    Ps m_creditLookahead{0};
    bool m_waitsForCredits{false};
};

} // namespace via
} // namespace ns3

#endif // VIA_HOST_H
