/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
// The products and hosts of a cluster's nodes: one for all, with exceptions.

#include "via-node-kinds.h"

#include "ns3/via-error.h"
#include "ns3/via-profile-schema.h"
#include "ns3/via-stable-hash.h"

#include <iterator>
#include <utility>

namespace ns3
{
namespace via
{

namespace
{

/// Does the key @p key define the wire format?
bool
IsOfTheWire(const std::string& key)
{
    return key.compare(0, 5, "link.") == 0 || key == "nic.ports" || key == "nic.retransmit_unit";
}

std::map<std::string, std::string>
WireOf(const ProviderProfile& profile)
{
    std::map<std::string, std::string> wire;
    for (const ProfileEntry& entry : profile.Entries())
    {
        if (IsOfTheWire(entry.key))
        {
            wire[entry.key] = entry.value;
        }
    }
    return wire;
}

void
RequireSameWire(const std::string& option, const ProviderProfile& own, const ProviderProfile& other)
{
    std::map<std::string, std::string> ours = WireOf(own);
    std::map<std::string, std::string> theirs = WireOf(other);
    std::map<std::string, std::string> all = ours;
    all.insert(theirs.begin(), theirs.end());
    for (const auto& [key, value] : all)
    {
        if (ours[key] != theirs[key])
        {
            throw ConfigError(option,
                              other.Name(),
                              key + " is " + theirs[key] + ", and " + ours[key] + " in " +
                                  own.Name() + ": all cards of a cluster use the same wires");
        }
    }
}

/// All nodes have the kernel of the cluster's profile: what changes it is not for the others.
std::map<std::string, std::string>
WithoutKernels(std::map<std::string, std::string> overrides)
{
    for (auto change = overrides.begin(); change != overrides.end();)
    {
        const ProfileKey* const key = FindProfileKey(change->first);
        const bool isKernels = key != nullptr && key->scope == ProfileScope::KERNEL;
        change = isKernels ? overrides.erase(change) : std::next(change);
    }
    return overrides;
}

/// Rejects a plug-in that the user has not allowed: it runs with all rights of the user.
void
CheckPlugIn(const ProviderProfile& profile, bool isAllowed)
{
    if (!profile.PlugIn().empty() && !isAllowed)
    {
        const ProfileEntry& entry = profile.Entry("nic.plug_in");
        throw ConfigError(ProviderProfile::Place(entry) + entry.key,
                          entry.value,
                          "the profile would run " + profile.PlugIn() +
                              ": allow it by --allow-plug-in (in Python allow_plug_in=True, of "
                              "ViaHelper AllowPlugIns)");
    }
}

} // namespace

NodeKind::NodeKind(ProviderProfile from, ViplSetting with, std::uint32_t leastRoom)
    : profile(std::move(from)),
      host(HostCosts::From(profile)),
      nic(NicCosts::From(profile, leastRoom)),
      limits(NicLimits::From(profile)),
      setting(std::move(with))
{
    setting.costs = ViplCosts::From(profile);
    setting.rules = ViplRules::From(profile);
}

NodeKinds::NodeKinds(const ProviderProfile& own,
                     const Common& common,
                     const std::map<std::uint32_t, NodeProfile>& others)
{
    ViplSetting setting;
    setting.nodes = common.nodes;
    setting.hasSwitches = common.hasSwitches;
    setting.switchesBetween = common.switchesBetween;
    CheckPlugIn(own, common.allowPlugIns);
    m_kinds.push_back(std::make_unique<NodeKind>(own, setting, common.leastRoom));
    std::map<std::pair<std::string, std::string>, const NodeKind*> known;
    for (const auto& [node, other] : others)
    {
        const std::string option = "profile of node " + std::to_string(node);
        if (node >= common.nodes)
        {
            throw ConfigError(option,
                              other.profile,
                              "the cluster has nodes 0 to " + std::to_string(common.nodes - 1));
        }
        const NodeKind*& kind = known[{other.profile, other.host}];
        if (kind == nullptr)
        {
            const std::string name = other.profile.empty() ? common.profile : other.profile;
            ProviderProfile profile =
                ProviderProfile::Load(name, other.host).With(WithoutKernels(common.overrides));
            RequireSameWire(option, own, profile);
            CheckPlugIn(profile, common.allowPlugIns);
            m_kinds.push_back(
                std::make_unique<NodeKind>(std::move(profile), setting, common.leastRoom));
            kind = m_kinds.back().get();
        }
        m_others[node] = kind;
    }
}

std::map<std::uint32_t, const ViplCosts*>
NodeKinds::OtherCosts() const
{
    std::map<std::uint32_t, const ViplCosts*> costs;
    for (const auto& [node, kind] : m_others)
    {
        costs[node] = &kind->setting.costs;
    }
    return costs;
}

std::string
NodeKinds::Fingerprint() const
{
    const std::string own = m_kinds.front()->profile.Fingerprint();
    if (m_others.empty())
    {
        return own;
    }
    StableHash hash;
    hash.Add(own);
    for (const auto& [node, kind] : m_others)
    {
        hash.Add(std::to_string(node));
        hash.Add(kind->profile.Fingerprint());
    }
    return hash.Hex();
}

} // namespace via
} // namespace ns3
