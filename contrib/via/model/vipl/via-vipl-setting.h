/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
// Library settings of a run: costs, the product's behavior, the cluster.

#ifndef VIA_VIPL_SETTING_H
#define VIA_VIPL_SETTING_H

#include "ns3/via-packet.h"
#include "ns3/via-vipl-costs.h"

#include <cstdint>
#include <functional>
#include <string>

namespace ns3
{
namespace via
{

/// Differences between the libraries of products; doc/vipl.md explains each.
struct ViplRules
{
    std::string deviceName;        ///< VIP_NIC_ATTRIBUTES::Name
    bool nullTag{false};           ///< a NULL tag is the process' default tag
    bool sharedHandles{false};     ///< all NIC handles of a process name the same NIC
    bool extensions{false};        ///< VipAddTagCQ and the other extensions work
    bool tagInUseIsInvalid{false}; ///< VipDestroyPtag of a tag in use: INVALID_PARAMETER

    /// Reads the switches among the keys `vipl.*` of @p profile.
    static ViplRules From(const ProviderProfile& profile);
};

/// Shared by all processes of a run.
struct ViplSetting
{
    ViplCosts costs;
    ViplRules rules;
    std::uint32_t nodes{0}; ///< hosts that the name service knows
    bool hasSwitches{true}; ///< false: two cards on a cable, where nothing comes back to its sender
    /// Number of switches between two hosts.
    std::function<std::uint32_t(NodeId from, NodeId to)> switchesBetween;
};

} // namespace via
} // namespace ns3

#endif // VIA_VIPL_SETTING_H
