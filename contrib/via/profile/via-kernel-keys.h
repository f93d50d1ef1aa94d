/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
// The keys of a kernel's profile: its network stack and driver.

#ifndef VIA_KERNEL_KEYS_H
#define VIA_KERNEL_KEYS_H

#include "ns3/via-profile-schema.h"

#include <vector>

namespace ns3
{
namespace via
{

/// @return the keys `kernel.*`, `ip.*`, `udp.*` and `tcp.*`
std::vector<ProfileKey> KernelKeys();

} // namespace via
} // namespace ns3

#endif // VIA_KERNEL_KEYS_H
