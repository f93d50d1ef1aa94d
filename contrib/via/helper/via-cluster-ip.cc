/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
// A cluster's kernels, and IP between its hosts.

#include "ns3/via-cluster.h"

namespace ns3
{
namespace via
{

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
        for (const auto& nic : m_nics)
        {
            nics.push_back(nic.get());
        }
        m_ip = std::make_unique<IpNetwork>(nics, m_profile);
    }
    return *m_ip;
}

} // namespace via
} // namespace ns3
