/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
// Tests whether memory named by a program is accessible.

#ifndef VIA_MEMORY_PROBE_H
#define VIA_MEMORY_PROBE_H

#include <cstdint>

namespace ns3
{
namespace via
{

/**
 * @brief Whether each page of a range exists and is writable.
 *
 * Of untouched pages, only the first and the last are tested for writing, the others for reading:
 * testing them for writing would allocate memory.
 *
 * A real host pins pages at registration; here a registration must reject addresses at which a DMA
 * of the simulated NIC would fault in the simulator.
 *
 * @param address first byte
 * @param length in bytes, at least 1; the range does not wrap
 */
bool IsWritableMemory(std::uint64_t address, std::uint64_t length);

} // namespace via
} // namespace ns3

#endif // VIA_MEMORY_PROBE_H
