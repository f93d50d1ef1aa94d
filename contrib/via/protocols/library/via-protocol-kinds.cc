/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
// The registry of protocols by name.

#include "ns3/via-all-to-all.h"
#include "ns3/via-atomic-commit.h"
#include "ns3/via-barriers.h"
#include "ns3/via-collectives.h"
#include "ns3/via-error.h"
#include "ns3/via-gossip.h"
#include "ns3/via-locks.h"
#include "ns3/via-mscs.h"
#include "ns3/via-paxos.h"
#include "ns3/via-protocol-kind.h"
#include "ns3/via-raft.h"
#include "ns3/via-replication.h"
#include "ns3/via-total-order.h"
#include "ns3/via-view-synchrony.h"

#include <map>

namespace ns3
{
namespace via
{

namespace
{

std::map<std::string, ProtocolKind>&
Kinds()
{
    static std::map<std::string, ProtocolKind> kinds = [] {
        std::map<std::string, ProtocolKind> known;
        for (const auto& family : {AllToAllKinds(),
                                   AtomicCommitKinds(),
                                   BarrierKinds(),
                                   CollectiveKinds(),
                                   GossipKinds(),
                                   LockKinds(),
                                   MscsKinds(),
                                   PaxosKinds(),
                                   RaftKinds(),
                                   ReplicationKinds(),
                                   TotalOrderKinds(),
                                   ViewSynchronyKinds()})
        {
            for (const ProtocolKind& kind : family)
            {
                known.emplace(kind.name, kind);
            }
        }
        return known;
    }();
    return kinds;
}

} // namespace

void
AddProtocol(const ProtocolKind& kind)
{
    for (const std::string& name : WorkloadNames())
    {
        if (name == kind.name)
        {
            throw ConfigError("protocol", kind.name, "a workload has this name");
        }
    }
    Kinds().emplace(kind.name, kind);
}

void
RemoveProtocol(const std::string& name)
{
    Kinds().erase(name);
}

const ProtocolKind*
FindProtocol(const std::string& name)
{
    const auto found = Kinds().find(name);
    return found == Kinds().end() ? nullptr : &found->second;
}

std::vector<std::string>
ProtocolNames()
{
    std::vector<std::string> names;
    for (const auto& kind : Kinds())
    {
        names.push_back(kind.first);
    }
    return names;
}

} // namespace via
} // namespace ns3
