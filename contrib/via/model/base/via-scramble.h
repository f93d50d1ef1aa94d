/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
// Seeded integer randomness that does not depend on call order or partition.

#ifndef VIA_SCRAMBLE_H
#define VIA_SCRAMBLE_H

#include <cstdint>

namespace ns3
{
namespace via
{

/// The finalizer of splitmix64 (public domain, S. Vigna): every bit of @p x affects every other.
inline std::uint64_t
Scramble(std::uint64_t x)
{
    x += 0x9e3779b97f4a7c15ULL;
    x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9ULL;
    x = (x ^ (x >> 27)) * 0x94d049bb133111ebULL;
    return x ^ (x >> 31);
}

} // namespace via
} // namespace ns3

#endif // VIA_SCRAMBLE_H
