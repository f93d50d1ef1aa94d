/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
// The products and hosts of a cluster's nodes: one for all, with exceptions.

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
    std::string profile; ///< name or path; empty: the cluster's
    std::string host;    ///< test bed; empty: the product's default
};

/// What the profile says about nodes with the same card in the same host.
struct NodeKind
{
    /// @param leastRoom see NicCosts::From
    NodeKind(ProviderProfile profile, ViplSetting setting, std::uint32_t leastRoom);

    ProviderProfile profile;
    Shared<HostCosts> host;
    Shared<NicCosts> nic;
    Shared<NicLimits> limits;
    ViplSetting setting;
};

/**
 * @brief The kinds of nodes of a cluster.
 *
 * Cards of different kinds interoperate if they use the same wire format: all keys `link.*`, the
 * number of ports and the unit of retransmission must equal those of the cluster's profile, which
 * also provides switches and cables.
 */
class NodeKinds
{
  public:
    /// Settings of all kinds of a cluster.
    struct Common
    {
        std::string profile;                          ///< the cluster's own
        std::map<std::string, std::string> overrides; ///< for all profiles
        std::uint32_t nodes{0};
        bool hasSwitches{true};
        bool allowPlugIns{false};            ///< false: a profile with a plug-in is refused
        std::uint32_t leastRoom{UINT32_MAX}; ///< see NicCosts::From
        std::function<std::uint32_t(NodeId from, NodeId to)> switchesBetween;
    };

    /**
     * @param own the profile of all nodes not in @p others
     * @param common settings of all kinds
     * @param others exceptions by node
     * @throws ConfigError for a node that does not exist, and for a profile with a different wire
     * format or with a plug-in that the user has not allowed
     */
    NodeKinds(const ProviderProfile& own,
              const Common& common,
              const std::map<std::uint32_t, NodeProfile>& others);

    const NodeKind& Of(std::uint32_t node) const
    {
        const auto found = m_others.find(node);
        return found == m_others.end() ? *m_kinds.front() : *found->second;
    }

    /// Costs of VIPL on the nodes that are exceptions.
    std::map<std::uint32_t, const ViplCosts*> OtherCosts() const;

    /// The fingerprint of the cluster's profile; with exceptions, of all kinds and their nodes.
    std::string Fingerprint() const;

  private:
    std::vector<std::unique_ptr<NodeKind>> m_kinds; ///< the cluster's own first
    std::map<std::uint32_t, const NodeKind*> m_others;
};

} // namespace via
} // namespace ns3

#endif // VIA_NODE_KINDS_H
