/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
// Installs VIA NICs in ns-3 nodes and processes on them.

#include "via-helper.h"

#include "ns3/boolean.h"
#include "ns3/global-value.h"
#include "ns3/names.h"
#include "ns3/rng-seed-manager.h"
#include "ns3/string.h"
#include "ns3/via-error.h"
#include "ns3/via-nic-object.h"
#include "ns3/via-process-application.h"

namespace ns3
{
namespace via
{

namespace
{

GlobalValue g_profile(
    "ViaProfile",
    "Product of the clusters that ViaHelper creates: the name or path of a profile",
    StringValue("giganet-clan1000"),
    MakeStringChecker());
GlobalValue g_topology(
    "ViaTopology",
    "Topology of the clusters that ViaHelper creates, such as star or fat-tree:k=4,n=2",
    StringValue("star"),
    MakeStringChecker());
GlobalValue g_reference("ViaReferenceMode",
                        "Schedule an event for each step that takes time: the same results, slower",
                        BooleanValue(false),
                        MakeBooleanChecker());

std::string
TextOf(const GlobalValue& global)
{
    StringValue text;
    global.GetValue(text);
    return text.Get();
}

/// The seed from ns-3: RngRun for RngSeed 1, other values for other RngSeeds.
std::uint64_t
SeedOfRun()
{
    constexpr std::uint64_t runs = std::uint64_t{1} << 32;
    return (RngSeedManager::GetSeed() - 1) * runs + RngSeedManager::GetRun();
}

} // namespace

ViaHelper::ViaHelper()
{
    BooleanValue reference;
    g_reference.GetValue(reference);
    m_config.profile = TextOf(g_profile);
    m_config.topology = TextOf(g_topology);
    m_config.reference = reference.Get();
}

ClusterConfig&
ViaHelper::Settings(const char* call)
{
    if (m_network != nullptr && m_network->IsOpen())
    {
        throw ConfigError(std::string("ViaHelper::") + call,
                          "too late",
                          "the cluster is made: call it before Install, or after "
                          "Simulator::Destroy() for the next one");
    }
    return m_config;
}

void
ViaHelper::SetProfile(const std::string& profile, const std::string& host)
{
    ClusterConfig& config = Settings("SetProfile");
    config.profile = profile;
    config.host = host;
}

void
ViaHelper::SetKernel(const std::string& kernel)
{
    Settings("SetKernel").kernel = kernel;
}

void
ViaHelper::SetTopology(const std::string& topology)
{
    ClusterConfig& config = Settings("SetTopology");
    config.topology = topology;
    config.graph = nullptr;
}

void
ViaHelper::SetTopology(const Topology& graph)
{
    Settings("SetTopology").graph = std::make_shared<const Topology>(graph);
}

void
ViaHelper::SetNodeProfile(std::uint32_t host,
                          const std::string& profile,
                          const std::string& testBed)
{
    Settings("SetNodeProfile").others[host] = {profile, testBed};
}

void
ViaHelper::SetSeed(std::uint64_t seed)
{
    Settings("SetSeed").seed = seed;
    m_isSeedSet = true;
}

void
ViaHelper::SetProfileValue(const std::string& key, const std::string& value)
{
    Settings("SetProfileValue").overrides[key] = value;
}

void
ViaHelper::SetReferenceMode(bool reference)
{
    Settings("SetReferenceMode").reference = reference;
}

void
ViaHelper::AllowPlugIns()
{
    Settings("AllowPlugIns").allowPlugIns = true;
}

void
ViaHelper::SetFaults(const std::string& file)
{
    Settings("SetFaults").faults = file;
}

void
ViaHelper::SetFaults(const FaultPlan& plan)
{
    Settings("SetFaults").plan = plan;
}

void
ViaHelper::EnableRecording()
{
    Settings("EnableRecording").record = true;
}

void
ViaHelper::EnableCapture(const std::string& file, std::uint32_t snapLength)
{
    ClusterConfig& config = Settings("EnableCapture");
    config.capture.file = file;
    config.capture.snapLength = snapLength;
}

ViaNicContainer
ViaHelper::Install(const NodeContainer& nodes)
{
    if (!m_isSeedSet)
    {
        m_config.seed = SeedOfRun();
    }
    m_network = Create<ViaNetwork>(m_config, nodes);
    std::vector<Ptr<ViaNicObject>> nics;
    for (auto node = nodes.Begin(); node != nodes.End(); ++node)
    {
        nics.push_back((*node)->GetObject<ViaNicObject>());
    }
    m_nics = ViaNicContainer(std::move(nics));
    return m_nics;
}

void
ViaHelper::EnablePcap(const std::string& prefix, Ptr<ViaNicObject> nic, bool explicitFilename) const
{
    const Ptr<Node> node = nic == nullptr ? nullptr : nic->GetObject<Node>();
    if (node == nullptr)
    {
        throw ConfigError("ViaHelper::EnablePcap", "no NIC", "one that Install returned is needed");
    }
    RequireNics("EnablePcap", NodeContainer(node));
    std::string name = Names::FindName(node);
    name = name.empty() ? std::to_string(node->GetId()) : name;
    const std::string file = explicitFilename ? prefix : prefix + "-" + name + "-via.pcapng";
    GetCluster().Capture(nic->GetHostIndex(), file);
}

void
ViaHelper::EnablePcap(const std::string& prefix, const ViaNicContainer& nics) const
{
    for (auto nic = nics.Begin(); nic != nics.End(); ++nic)
    {
        EnablePcap(prefix, *nic);
    }
}

void
ViaHelper::EnablePcap(const std::string& prefix, const NodeContainer& nodes) const
{
    RequireNics("EnablePcap", nodes);
    for (auto node = nodes.Begin(); node != nodes.End(); ++node)
    {
        EnablePcap(prefix, (*node)->GetObject<ViaNicObject>());
    }
}

void
ViaHelper::EnablePcapAll(const std::string& prefix) const
{
    Installed("EnablePcapAll");
    EnablePcap(prefix, m_nics);
}

ViaNetwork&
ViaHelper::Installed(const char* call) const
{
    if (m_network == nullptr)
    {
        throw ConfigError(std::string("ViaHelper::") + call, "no nodes", "call Install first");
    }
    return *m_network;
}

void
ViaHelper::RequireNics(const char* call, const NodeContainer& nodes) const
{
    const ViaNetwork& ours = Installed(call);
    for (auto node = nodes.Begin(); node != nodes.End(); ++node)
    {
        const auto nic = (*node)->GetObject<ViaNicObject>();
        if (nic == nullptr || PeekPointer(nic->GetNetwork()) != &ours)
        {
            throw ConfigError(std::string("ViaHelper::") + call,
                              "node " + std::to_string((*node)->GetId()),
                              "it has no NIC of this helper: give it to Install first");
        }
    }
}

ApplicationContainer
ViaHelper::InstallProgram(const NodeContainer& nodes,
                          const std::string& path,
                          const std::vector<std::string>& arguments)
{
    RequireNics("InstallProgram", nodes);
    m_network->GetCluster().GetProcesses().Image(path);
    ApplicationContainer applications;
    for (auto node = nodes.Begin(); node != nodes.End(); ++node)
    {
        const auto application = CreateObject<ViaProcessApplication>();
        application->SetAttribute("Program", StringValue(path));
        application->SetArguments(arguments);
        (*node)->AddApplication(application);
        applications.Add(application);
    }
    return applications;
}

ApplicationContainer
ViaHelper::InstallProcess(const NodeContainer& nodes, std::function<int()> body)
{
    RequireNics("InstallProcess", nodes);
    if (body == nullptr)
    {
        throw ConfigError("ViaHelper::InstallProcess", "no body", "a function is needed");
    }
    ApplicationContainer applications;
    for (auto node = nodes.Begin(); node != nodes.End(); ++node)
    {
        const auto application = CreateObject<ViaProcessApplication>();
        application->SetBody(body);
        (*node)->AddApplication(application);
        applications.Add(application);
    }
    return applications;
}

RunReport
ViaHelper::GetReport() const
{
    return Installed("GetReport").Report();
}

Cluster&
ViaHelper::GetCluster() const
{
    ViaNetwork& network = Installed("GetCluster");
    if (!network.IsOpen())
    {
        throw ConfigError("ViaHelper::GetCluster",
                          "no cluster",
                          "call it before Simulator::Destroy(), which has destroyed the cluster");
    }
    return network.GetCluster();
}

} // namespace via
} // namespace ns3
