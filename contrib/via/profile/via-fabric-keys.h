/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
// The keys of links and switches, including those that apply to certain choices only.

#ifndef VIA_FABRIC_KEYS_H
#define VIA_FABRIC_KEYS_H

#include "ns3/via-profile-schema.h"

#include <vector>

namespace ns3
{
namespace via
{

/// @return the keys `link.*` and `switch.*`, and `nic.ports`
std::vector<ProfileKey> FabricKeys();

} // namespace via
} // namespace ns3

#endif // VIA_FABRIC_KEYS_H
