/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
// Whether memory that a program names is there at all.

#ifndef VIA_MEMORY_PROBE_H
#define VIA_MEMORY_PROBE_H

#include <cstdint>

namespace ns3
{
namespace via
{

/**
 * @brief Is each page of this range there, and may it be written?
 *
 * Of pages that nobody has touched yet only whether they may be read is known, but for the first
 * and the last one: a look at the others would take memory.
 *
 * A registration pins pages on a real host; here it must refuse addresses at which a DMA of the
 * simulated NIC would be a fault of the simulator.
 *
 * @param address first byte
 * @param length in bytes, at least 1; the range does not wrap
 */
bool IsWritableMemory(std::uint64_t address, std::uint64_t length);

} // namespace via
} // namespace ns3

#endif // VIA_MEMORY_PROBE_H
