/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
// Faults as data: what is to go wrong in a run, and when.

#ifndef VIA_FAULT_PLAN_H
#define VIA_FAULT_PLAN_H

#include "ns3/via-link-faults.h"

#include <cstdint>
#include <string>
#include <vector>

namespace ns3
{
namespace via
{

struct Topology;

/// What can go wrong.
enum class FaultKind : std::uint8_t
{
    LOSS,        ///< wires spoil some of their cells
    LINK_DOWN,   ///< wires are cut
    SWITCH_DOWN, ///< a switch is dead, and has lost what it held when it comes back
    NIC_RESET,   ///< a card is deaf and dumb, and has forgotten its connections
    NODE_CRASH,  ///< a host with all its processes is gone; its card, too
    SLOW_NODE,   ///< the CPUs of a host need longer for everything
    PARTITION,   ///< hosts of different sets do not hear each other
};

constexpr std::uint32_t FAULT_KINDS = 7;

/// Its name in files and tables, e.g. "link_down".
const char* FaultKindName(FaultKind kind);

/// One thing that goes wrong.
struct PlannedFault
{
    FaultKind kind{FaultKind::LOSS};
    std::string where{"all"}; ///< see FaultPlaces
    TimeSpan when;
    LinkLoss loss;                              ///< of a LOSS
    std::uint32_t num{1};                       ///< SLOW_NODE: each cycle takes num / den times
    std::uint32_t den{1};                       ///< as long
    bool restart{false};                        ///< NODE_CRASH: programs start again at its end
    std::uint32_t index{0};                     ///< in the list; storms follow it. Set by Expand
    std::vector<std::vector<std::string>> sets; ///< PARTITION: hosts; who is in none is in one more
    std::string place; ///< before messages about it, e.g. "f.toml:3: link_down[0]."; may be empty
};

/// Faults of one kind that come by chance, alike for each seed.
struct Storm
{
    PlannedFault what; ///< `when` is the span in which they begin; `where` one component, or all
    std::uint64_t perSecond{0}; ///< of each component
    Ps least{0};                ///< of them lasts at least so long
    Ps most{0};                 ///< and at most so long
};

/**
 * @brief All faults of a run. The format of files is on the page "Faults" of the documentation.
 *
 * Of two losses on one wire the later one in the list holds. All other faults add up.
 */
struct FaultPlan
{
    /// Most faults that a plan may have, with those that storms bring.
    static constexpr std::uint64_t MOST = 1'000'000;

    std::vector<PlannedFault> faults;
    std::vector<Storm> storms;

    /// @param path a TOML file, or a JSON file if it ends in ".json"
    /// @throws ConfigError naming file, line, key, value and what is allowed
    static FaultPlan Read(const std::string& path);

    /// @param text the same as a JSON text of one line, made by another program
    /// @param name for messages
    static FaultPlan ReadJson(const std::string& text, const std::string& name);

    bool IsEmpty() const
    {
        return faults.empty() && storms.empty();
    }

    /// Wires @p where spoil so many cells.
    void AddLoss(const std::string& where, const LinkLoss& loss, TimeSpan when = {});

    /// @throws ConfigError if a fault names what @p topology does not have, or asks the impossible
    void Check(const Topology& topology) const;

    /**
     * @brief The plan without storms: what they bring is among its faults.
     *
     * Each component has its own draws: `perSecond` times the span, rounded up or down by chance,
     * at instants that are equally likely everywhere in it.
     * @param seed of the run
     * @return in the order in which they begin; of one instant as listed
     */
    std::vector<PlannedFault> Expand(const Topology& topology, std::uint64_t seed) const;
};

} // namespace via
} // namespace ns3

#endif // VIA_FAULT_PLAN_H
