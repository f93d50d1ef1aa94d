/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
// A cluster's profile with its kernel, and IP between its hosts.

#include "ns3/via-cluster.h"

#include <algorithm>

namespace ns3
{
namespace via
{

ProviderProfile
Cluster::LoadProfile(const ClusterConfig& config)
{
    const ProviderProfile profile =
        ProviderProfile::Load(config.profile, config.host, config.kernel);
    const auto isKernels = [](const auto& change) {
        const ProfileKey* key = FindProfileKey(change.first);
        return key != nullptr && key->scope == ProfileScope::KERNEL;
    };
    const bool changesKernel =
        std::any_of(config.overrides.begin(), config.overrides.end(), isKernels);
    const bool lacksOne = changesKernel && profile.Kernel().empty();
    return (lacksOne ? profile.WithKernel() : profile).With(config.overrides);
}

void
Cluster::RequireKernel()
{
    if (m_profile.Kernel().empty())
    {
        m_profile = m_profile.WithKernel();
    }
}

IpNetwork&
Cluster::Ip()
{
    if (m_ip == nullptr)
    {
        RequireKernel();
        std::vector<Nic*> nics;
        for (std::uint32_t node = 0; node < m_config.nodes; ++node)
        {
            nics.push_back(m_nics[node].get()); // IP is on the first card
        }
        m_ip = std::make_unique<IpNetwork>(nics, m_profile, [this](NodeId host) {
            return m_crossings == nullptr || m_crossings->IsOurs(host);
        });
    }
    return *m_ip;
}

} // namespace via
} // namespace ns3
