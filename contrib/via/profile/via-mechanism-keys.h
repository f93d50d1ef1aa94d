/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
// The keys by which a profile chooses a NIC's mechanisms, and the keys of each mechanism.

#ifndef VIA_MECHANISM_KEYS_H
#define VIA_MECHANISM_KEYS_H

#include "ns3/via-profile-schema.h"

#include <vector>

namespace ns3
{
namespace via
{

class ProviderProfile;

/// @return the keys of all mechanisms, each with the choices that it belongs to
std::vector<ProfileKey> MechanismKeys();

/**
 * @brief Rejects incompatible choices.
 * @throws ConfigError naming a key, its value and what it must be
 */
void CheckMechanisms(const ProviderProfile& profile);

} // namespace via
} // namespace ns3

#endif // VIA_MECHANISM_KEYS_H
