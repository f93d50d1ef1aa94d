/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
// What has passed a port of a switch.

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
    std::uint64_t packetsIn{0};  ///< whose last cell has come in
    std::uint64_t packetsOut{0}; ///< whose last cell is for this port
    std::uint64_t dropped{0};    ///< cells that came in here and found no room
    std::uint64_t stalls{0};     ///< bursts that came in here and had to wait for their turn
    std::uint32_t peakFill{0};   ///< cells that were in its buffer at a time, at the most
};

} // namespace via
} // namespace ns3

#endif // VIA_PORT_COUNTERS_H
