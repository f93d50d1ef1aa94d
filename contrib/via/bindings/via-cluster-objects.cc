/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
// A cluster owned by Python: its ns-3 objects.

#include "via-cluster-handle.h"

#include "ns3/config.h"
#include "ns3/simulator.h"
#include "ns3/via-error.h"
#include "ns3/via-ip-helper.h"

#include <sstream>

namespace py = pybind11;

namespace ns3
{
namespace via
{

namespace
{

/// Checks a path, because ns-3 ends the OS process for one that it cannot parse.
void
CheckPath(const std::string& path)
{
    if (path.empty() || path.front() != '/')
    {
        throw ConfigError("path", path, "an ns-3 path begins with /, such as /NodeList/0");
    }
    std::istringstream parts(path);
    for (std::string part; std::getline(parts, part, '/');)
    {
        TypeId type;
        if (!part.empty() && part.front() == '$' &&
            !TypeId::LookupByNameFailSafe(part.substr(1), &type))
        {
            throw ConfigError("path", path, "ns-3 has no class " + part.substr(1));
        }
    }
}

} // namespace

Ptr<ViaNetwork>
ClusterHandle::BuildNetwork(ClusterConfig config)
{
    if (Time::GetResolution() != Time::PS)
    {
        Time::SetResolution(Time::PS);
    }
    ObjectFactory scheduler;
    scheduler.SetTypeId("ns3::via::CachedHeadScheduler");
    Simulator::SetScheduler(scheduler);
    m_nodes.Create(config.nodes);
    try
    {
        return Create<ViaNetwork>(config, m_nodes);
    }
    catch (...)
    {
        Simulator::Destroy(); // the nodes
        throw;
    }
}

Ns3Handle
ClusterHandle::HandleOf(Ptr<Object> object) const
{
    return {m_session, object};
}

py::list
ClusterHandle::Nodes() const
{
    py::list nodes;
    for (auto node = m_nodes.Begin(); node != m_nodes.End(); ++node)
    {
        nodes.append(HandleOf(*node));
    }
    return nodes;
}

py::list
ClusterHandle::FindObjects(const std::string& path) const
{
    Get();
    CheckPath(path);
    Config::MatchContainer matches = Config::LookupMatches(path);
    py::list found;
    for (std::size_t i = 0; i < matches.GetN(); ++i)
    {
        found.append(HandleOf(matches.Get(i)));
    }
    return found;
}

py::list
ClusterHandle::AddIpDevices()
{
    Get();
    const NetDeviceContainer made = ViaIpHelper().Install(m_nodes);
    py::list devices;
    for (auto device = made.Begin(); device != made.End(); ++device)
    {
        devices.append(HandleOf(*device));
    }
    return devices;
}

} // namespace via
} // namespace ns3
