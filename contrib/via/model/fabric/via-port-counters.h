/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
// Traffic counters of a switch port.

#ifndef VIA_PORT_COUNTERS_H
#define VIA_PORT_COUNTERS_H

#include <cstdint>

namespace ns3
{
namespace via
{

/**
 * @brief Counters of one port, in both directions. Over all ports of a switch, at any time:
 *
 *     cells in = cells out + cells dropped + cells buffered
 *
 * Stalls and fills are counted where cells are queued (`switch.queueing` = fifo, voq) or dropped.
 */
struct PortCounters
{
    std::uint64_t cellsIn{0};
    std::uint64_t cellsOut{0};
    std::uint64_t bytesOut{0};   ///< on the wire
    std::uint64_t packetsIn{0};  ///< whose last cell has arrived
    std::uint64_t packetsOut{0}; ///< whose last cell leaves by this port
    std::uint64_t dropped{0};    ///< cells that arrived here and found no room
    std::uint64_t stalls{0};     ///< cells that arrived here and had to wait for their turn
    std::uint32_t peakFill{0};   ///< maximum number of cells in its buffer
};

} // namespace via
} // namespace ns3

#endif // VIA_PORT_COUNTERS_H
