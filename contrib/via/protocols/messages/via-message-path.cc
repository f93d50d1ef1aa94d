/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
// The table of transports.

#include "via-message-path.h"

#include "ns3/via-error.h"
#include "ns3/via-rdma-path.h"
#include "ns3/via-send-path.h"
#include "ns3/via-socket-path.h"

#include <algorithm>
#include <iterator>
#include <map>

namespace ns3
{
namespace via
{

namespace
{

using Connector = MessagePaths (*)(const PathRequest&);

/// All transports by name; add new ones here.
const std::map<std::string, Connector>&
Connectors()
{
    static const std::map<std::string, Connector> connectors = {
        {"kernel-tcp", &ConnectTcpPaths},
        {"kernel-udp", &ConnectUdpPaths},
        {"via-rdma-write", &ConnectPathsOf<RdmaPath>},
        {"via-send", &ConnectPathsOf<SendPath>}};
    return connectors;
}

} // namespace

std::vector<Rank>
PeersOf(const PathShape& shape)
{
    std::vector<Rank> peers;
    std::set_union(shape.to.begin(),
                   shape.to.end(),
                   shape.from.begin(),
                   shape.from.end(),
                   std::back_inserter(peers));
    return peers;
}

ChannelShape
SlotsFor(const PathShape& shape, Rank peer)
{
    const auto has = [peer](const std::vector<Rank>& ranks) {
        return std::binary_search(ranks.begin(), ranks.end(), peer);
    };
    return {shape.bytes, has(shape.to) ? shape.window : 0, has(shape.from) ? shape.window : 0};
}

void
CheckTransport(const std::string& transport)
{
    if (Connectors().count(transport) == 0)
    {
        std::string known;
        for (const std::string& one : TransportNames())
        {
            known += (known.empty() ? "" : ", ") + one;
        }
        throw ConfigError("transport", transport, "one of " + known);
    }
}

MessagePaths
ConnectPaths(const std::string& transport, const PathRequest& request)
{
    CheckTransport(transport);
    return Connectors().at(transport)(request);
}

std::vector<std::string>
TransportNames()
{
    std::vector<std::string> names;
    for (const auto& connector : Connectors())
    {
        names.push_back(connector.first);
    }
    return names;
}

} // namespace via
} // namespace ns3
