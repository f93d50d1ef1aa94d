/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
// How a chipset delivers a burst: in pieces, with gaps between them.

#ifndef VIA_BUS_LAW_H
#define VIA_BUS_LAW_H

#include "ns3/via-clock-domain.h"

#include <cstdint>

namespace ns3
{
namespace via
{

/**
 * @brief The gaps in a burst that a device reads.
 *
 * A bridge fetches from memory what one request allows (`bus.read_piece`) and delivers it without a
 * wait; the next request then takes `bus.read_gap` clocks until its data come. A short read pays
 * nothing of that: only its way to memory, `bus.read_initial`.
 *
 *     |arbitration|address|. . initial . .|data ... data|gap|data ... data|gap|data|turnaround|
 *                                         |--- piece ---|   |--- piece ---|
 */
struct BusLaw
{
    std::uint32_t piece{0}; ///< bytes; 0: a burst has no gaps
    Cycles gap;             ///< clocks

    /// The gaps in a burst of @p bytes.
    Cycles Gaps(std::uint32_t bytes) const
    {
        return piece == 0 || bytes <= piece ? Cycles(0) : gap * ((bytes - 1) / piece);
    }
};

} // namespace via
} // namespace ns3

#endif // VIA_BUS_LAW_H
