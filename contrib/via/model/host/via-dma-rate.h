/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
// A test of a host's bus: a card that does nothing but DMA.

#ifndef VIA_DMA_RATE_H
#define VIA_DMA_RATE_H

#include "ns3/via-host.h"

#include <cstdint>

namespace ns3
{
namespace via
{

/// What the card does.
enum class DmaTest
{
    READ,
    WRITE,
    BOTH ///< reads and writes, side by side if the bus allows it
};

/**
 * @brief The time that a card without costs of its own needs for bursts on an idle host.
 * @param costs of the host
 * @param test which way the data go
 * @param bytes of each burst
 * @param bursts number of bursts each way
 * @return from the first bus clock to the end of the last burst
 */
Ps DmaTime(const Shared<HostCosts>& costs, DmaTest test, std::uint32_t bytes, std::uint32_t bursts);

} // namespace via
} // namespace ns3

#endif // VIA_DMA_RATE_H
