/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
// Makes a plan of faults come true in a cluster.

#ifndef VIA_FAULT_DRIVER_H
#define VIA_FAULT_DRIVER_H

#include "ns3/via-agenda.h"
#include "ns3/via-clock-domain.h"
#include "ns3/via-fault-places.h"
#include "ns3/via-run-report.h"

#include <deque>
#include <memory>
#include <vector>

namespace ns3
{
namespace via
{

class Cluster;

/**
 * @brief Tells the wires of a cluster what will go wrong on them, and plans what happens to hosts.
 *
 * Wires know all their faults before time starts, so a cell's fate is known when it is planned.
 * So do CPUs know when they will be slow. What else happens to hosts is work on their agenda, the
 * first of its instant: engines and programs plan no further ahead than to the next work of their
 * host, so nothing that was planned has to be taken back.
 */
class FaultDriver final : public AgendaTarget
{
  public:
    /// @param faults without storms, checked, in the order in which they begin
    FaultDriver(Cluster& cluster, std::vector<PlannedFault> faults);

    void OnAgenda(std::uint32_t kind, std::uint64_t index) override;

    /// What has begun by @p end, in that order.
    std::vector<FaultRow> Rows(Ps end) const;

    /// Cells that were damaged or lost, by all faults.
    FaultToll Total() const;

  private:
    static constexpr std::uint32_t BEGIN = 0;
    static constexpr std::uint32_t END = 1;

    struct Entry
    {
        PlannedFault fault;
        FaultToll toll;
        std::uint32_t host{0};             ///< of those that happen to a host
        std::vector<std::uint32_t> killed; ///< processes, by number
    };

    void Wire(const FaultPlaces& places, Entry& entry);
    void Cut(const std::vector<FaultPlaces::Wire>& wires, Entry& entry, bool wipes);
    void Divide(const FaultPlaces& places, Entry& entry);
    void PlanHost(const FaultPlaces& places, std::uint64_t index);
    void PlanSpeeds();
    static std::vector<SpeedChange> SpeedsOf(const std::vector<const PlannedFault*>& faults);
    void Crash(std::uint64_t index);
    void Return(const Entry& entry);
    void ResetNics(std::uint32_t host);
    bool IsDown(std::uint32_t host) const;

    Cluster& m_cluster;
    std::deque<Entry> m_entries; ///< wires point to their tolls
};

} // namespace via
} // namespace ns3

#endif // VIA_FAULT_DRIVER_H
