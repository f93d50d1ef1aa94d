/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
// Memory of thousands of hosts in huge pages.

#ifndef VIA_HUGE_PAGES_H
#define VIA_HUGE_PAGES_H

#include <cstdint>

namespace ns3
{
namespace via
{

/**
 * @brief Makes the heap longer, so that what is allocated next lies in huge pages.
 *
 * Each event of a large cluster touches memory of another host, and with pages of 4 KiB the
 * processor must look up the address of each. Only speed depends on this. Memory that is not used
 * is not taken from the system; of freed memory, glibc keeps up to 256 MiB from then on. For less
 * than 16 MiB, with another allocator than glibc's, or where Linux has no huge pages, nothing
 * changes.
 *
 * @param bytes that will be allocated
 */
void UseHugePages(std::uint64_t bytes);

} // namespace via
} // namespace ns3

#endif // VIA_HUGE_PAGES_H
