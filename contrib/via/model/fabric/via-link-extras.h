/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
// What only some wires have.

#ifndef VIA_LINK_EXTRAS_H
#define VIA_LINK_EXTRAS_H

#include "ns3/via-link-faults.h"
#include "ns3/via-link-lanes.h"

#include <array>
#include <memory>
#include <vector>

namespace ns3
{
namespace via
{

/// What only some wires have: a link without any of it is smaller, and asks one question instead
/// of many.
struct LinkExtras
{
    std::unique_ptr<LinkLanes> lanes;                       ///< null: one lane under credits
    std::unique_ptr<LinkFaults> faults;                     ///< null: none
    std::shared_ptr<const std::vector<std::uint8_t>> ahead; ///< null: packets carry no route
    std::unique_ptr<LinkDepartures> departures;             ///< null: nobody asks for them
    std::vector<CreditListener*> creditListeners;
    std::array<Moment, Link::MAX_WIRES - 1> free; ///< last bits of the wires after the first
    const Packet* last{nullptr};                  ///< for records: packet of the last bit so far
    std::uint32_t inRow{0};                       ///< for records: consecutive cells of `last`
};

} // namespace via
} // namespace ns3

#endif // VIA_LINK_EXTRAS_H
