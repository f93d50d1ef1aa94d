/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
// What the nodes of a cluster are: one product and host for all, or others for some.

#ifndef VIA_NODE_KINDS_H
#define VIA_NODE_KINDS_H

#include "ns3/via-host.h"
#include "ns3/via-nic.h"
#include "ns3/via-provider-profile.h"
#include "ns3/via-shared.h"
#include "ns3/via-vipl-setting.h"

#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <vector>

namespace ns3
{
namespace via
{

/// A node that differs from the others of its cluster.
struct NodeProfile
{
    std::string profile; ///< name or path; empty: as the cluster's
    std::string host;    ///< test bed; empty: the product's own
};

/// Nodes with the same card in the same host: everything that is read from their profile.
struct NodeKind
{
    explicit NodeKind(ProviderProfile profile, ViplSetting setting);

    ProviderProfile profile;
    Shared<HostCosts> host;
    Shared<NicCosts> nic;
    Shared<NicLimits> limits;
    ViplSetting setting;
};

/**
 * @brief The kinds of nodes of a cluster.
 *
 * Cards of different kinds talk if they put the same on the same wire: all keys `link.*`, the
 * number of ports and the unit of retransmission must be those of the cluster's own profile, whose
 * switches and cables are used.
 */
class NodeKinds
{
  public:
    /// What all kinds of a cluster are made with.
    struct Common
    {
        std::string profile;                          ///< the cluster's own
        std::map<std::string, std::string> overrides; ///< for all profiles
        std::uint32_t nodes{0};
        bool allowPlugIns{false}; ///< else a profile with one is refused
        std::function<std::uint32_t(NodeId from, NodeId to)> switchesBetween;
    };

    /**
     * @param own the profile of all nodes that are not among @p others
     * @param common to all kinds
     * @param others by node
     * @throws ConfigError a node that is not there, a profile whose wire is another, or with a
     *         plug-in that the user has not allowed
     */
    NodeKinds(const ProviderProfile& own,
              const Common& common,
              const std::map<std::uint32_t, NodeProfile>& others);

    const NodeKind& Of(std::uint32_t node) const
    {
        const auto found = m_others.find(node);
        return found == m_others.end() ? *m_kinds.front() : *found->second;
    }

    /// Costs of VIPL on the nodes that differ.
    std::map<std::uint32_t, const ViplCosts*> OtherCosts() const;

    /// The fingerprint of the cluster's own profile, or of all kinds and where they are.
    std::string Fingerprint() const;

  private:
    std::vector<std::unique_ptr<NodeKind>> m_kinds; ///< the cluster's own first
    std::map<std::uint32_t, const NodeKind*> m_others;
};

} // namespace via
} // namespace ns3

#endif // VIA_NODE_KINDS_H
