/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
// Applies a plan of faults to a cluster.

#ifndef VIA_FAULT_DRIVER_H
#define VIA_FAULT_DRIVER_H

#include "ns3/via-agenda.h"
#include "ns3/via-clock-domain.h"
#include "ns3/via-fault-places.h"
#include "ns3/via-run-report.h"

#include <deque>
#include <memory>
#include <utility>
#include <vector>

namespace ns3
{
namespace via
{

class Cluster;

/**
 * @brief Hands the wires of a cluster their faults, and schedules the faults of hosts.
 *
 * Wires know all their faults before time starts, so the fate of a cell is known when it is
 * planned. CPUs likewise know in advance when they are slow. Other faults of hosts are work on
 * their Agenda, the first of its instant. Engines and programs plan no further ahead than the next
 * work of their host, so no plan has to be undone.
 */
class FaultDriver final : public AgendaTarget
{
  public:
    /// @param faults checked, without storms, in the order in which they begin
    FaultDriver(Cluster& cluster, std::vector<PlannedFault> faults);

    void OnAgenda(std::uint32_t kind, std::uint64_t index) override;

    /// When @p host crashes next, at @p from or later; PS_NEVER: it does not.
    Ps NextCrash(std::uint32_t host, Ps from) const;

    /// When nodes return whose programs may start again, after @p from and by @p until: instant and
    /// node, in this order. Known to each partition for all nodes.
    std::vector<std::pair<Ps, std::uint32_t>> Restarts(Ps from, Ps until) const;

    /// The faults that began by @p end or took cells, in the order in which they began.
    std::vector<FaultRow> Rows(Ps end) const;

    /// Cells that were damaged or lost, by all faults.
    FaultLosses Total() const;

  private:
    static constexpr std::uint32_t BEGIN = 0;
    static constexpr std::uint32_t END = 1;

    struct Entry
    {
        PlannedFault fault;
        FaultLosses losses;
        std::uint32_t host{0};              ///< for faults of a host
        std::size_t killed{0};              ///< processes
        std::vector<std::uint32_t> again{}; ///< processes that start again at its end, by number
    };

    void Wire(const FaultPlaces& places, Entry& entry);
    void Cut(const std::vector<FaultPlaces::Wire>& wires, Entry& entry, bool wipes);
    void Divide(const FaultPlaces& places, Entry& entry);
    void PlanHost(const FaultPlaces& places, std::uint64_t index);
    void PlanSpeeds();
    static std::vector<SpeedChange> SpeedsOf(const std::vector<const PlannedFault*>& faults);
    void Crash(std::uint64_t index);
    void Return(Entry& entry);
    void ResetNics(std::uint32_t host);
    /// Is @p host down at @p at because of @p entry?
    static bool KeepsDown(const Entry& entry, std::uint32_t host, Ps at);
    bool IsDown(std::uint32_t host, Ps at) const;
    /// The crash that keeps @p host down at @p at, of several the one that ends last; or null.
    Entry* CrashOf(std::uint32_t host, Ps at);

    Cluster& m_cluster;
    std::deque<Entry> m_entries; ///< wires point to their losses
};

} // namespace via
} // namespace ns3

#endif // VIA_FAULT_DRIVER_H
