/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
// The transports there are.

#include "via-message-path.h"

#include "ns3/via-error.h"
#include "ns3/via-rdma-path.h"
#include "ns3/via-send-path.h"
#include "ns3/via-socket-path.h"

#include <map>

namespace ns3
{
namespace via
{

namespace
{

using Connector = MessagePaths (*)(const PathRequest&);

/// Whoever adds a transport adds a line here.
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

MessagePaths
ConnectPaths(const std::string& transport, const PathRequest& request)
{
    const auto connector = Connectors().find(transport);
    if (connector == Connectors().end())
    {
        std::string known;
        for (const std::string& one : TransportNames())
        {
            known += (known.empty() ? "" : ", ") + one;
        }
        throw ConfigError("transport", transport, "one of " + known);
    }
    return connector->second(request);
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
