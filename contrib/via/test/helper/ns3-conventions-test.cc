/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
// What an ns-3 user expects of any module: help texts, paths, global values, logs.

#include "support/via-test-profile-bench.h"
#include "support/via-test-two-nodes.h"

#include "ns3/config.h"
#include "ns3/global-value.h"
#include "ns3/log.h"
#include "ns3/rng-seed-manager.h"
#include "ns3/string.h"
#include "ns3/type-id.h"
#include "ns3/uinteger.h"
#include "ns3/via-error.h"
#include "ns3/via-nic-object.h"

#include <array>
#include <boost/test/unit_test.hpp>
#include <fstream>
#include <iostream>
#include <sstream>

using namespace ns3;
using namespace ns3::via;
using namespace ns3::via::test;

namespace
{

/// One message between two nodes.
struct OneMessage : TwoNodes
{
    ~OneMessage()
    {
        Config::Reset();
        RngSeedManager::SetRun(1);
        RngSeedManager::SetSeed(1);
    }

    std::string Digest()
    {
        via.Install(nodes);
        via.InstallProcess(nodes.Get(0), SendOne);
        via.InstallProcess(nodes.Get(1), ReceiveOne);
        return Run().digest;
    }

    /// The same in a cluster of its own.
    static std::string DigestOfRun(std::uint64_t seed, std::uint64_t run)
    {
        OneMessage fresh;
        RngSeedManager::SetSeed(static_cast<std::uint32_t>(seed));
        RngSeedManager::SetRun(run);
        return fresh.Digest();
    }
};

/// Our types.
std::vector<TypeId>
OurTypes()
{
    std::vector<TypeId> ours;
    for (std::uint32_t i = 0; i < TypeId::GetRegisteredN(); ++i)
    {
        const TypeId each = TypeId::GetRegistered(static_cast<std::uint16_t>(i));
        if (each.GetName().rfind("ns3::via::", 0) == 0)
        {
            ours.push_back(each);
        }
    }
    return ours;
}

/// What @p counter of switch 0 is.
std::uint64_t
CounterOf(const std::string& path, const std::string& counter)
{
    const Config::MatchContainer found = Config::LookupMatches(path);
    BOOST_REQUIRE(found.GetN() == 1);
    UintegerValue value;
    found.Get(0)->GetAttribute(counter, value);
    return value.Get();
}

} // namespace

BOOST_AUTO_TEST_SUITE(ns3_conventions)

BOOST_AUTO_TEST_CASE(EveryAttributeAndTraceSourceIsExplained)
{
    BOOST_TEST(OurTypes().size() >= 7);
    for (const TypeId& type : OurTypes())
    {
        BOOST_TEST(type.GetGroupName() == "Via", type.GetName());
        for (std::size_t i = 0; i < type.GetAttributeN(); ++i)
        {
            BOOST_TEST(!type.GetAttribute(i).help.empty(), type.GetAttributeFullName(i));
        }
        for (std::size_t i = 0; i < type.GetTraceSourceN(); ++i)
        {
            const auto source = type.GetTraceSource(i);
            BOOST_TEST(!source.help.empty(), type.GetName() << source.name);
            BOOST_TEST(source.callback.find("TracedCallback") != std::string::npos, source.name);
        }
    }
}

BOOST_FIXTURE_TEST_CASE(SwitchesAreFoundByPathsAndCount, OneMessage)
{
    Digest();
    const std::uint64_t in = CounterOf("/ViaSwitchList/0", "CellsIn");
    BOOST_TEST(in > 0);
    BOOST_TEST(CounterOf("/ViaSwitchList/*", "CellsOut") == in);
    BOOST_TEST(CounterOf("/ViaSwitchList/0", "CellsDropped") == 0);
    BOOST_TEST(CounterOf("/ViaSwitchList/0", "Ports") >= 2);
    const auto nic = nodes.Get(0)->GetObject<ViaNicObject>();
    const Ptr<ViaSwitchObject> first = nic->GetNetwork()->Fabric()->Get(0);
    BOOST_TEST(first->GetPort(0).cellsIn + first->GetPort(1).cellsIn == in);
    BOOST_CHECK_THROW(first->GetPort(first->GetPorts()), ConfigError);
}

BOOST_FIXTURE_TEST_CASE(SwitchesAreGoneWithTheCluster, OneMessage)
{
    via.Install(nodes);
    const Ptr<ViaFabricObject> fabric =
        nodes.Get(0)->GetObject<ViaNicObject>()->GetNetwork()->Fabric();
    const Ptr<ViaSwitchObject> first = fabric->Get(0);
    Simulator::Destroy();
    BOOST_TEST(Config::LookupMatches("/ViaSwitchList/0").GetN() == 0);
    BOOST_TEST(fabric->GetN() == 0);
    BOOST_TEST(first->GetTotal().cellsIn == 0);
}

BOOST_AUTO_TEST_CASE(TheRunIsTheSeed)
{
    const std::string first = OneMessage::DigestOfRun(1, 1);
    BOOST_TEST(first == OneMessage::DigestOfRun(1, 1));
    BOOST_TEST(first != OneMessage::DigestOfRun(1, 2));
    BOOST_TEST(first != OneMessage::DigestOfRun(2, 1));
    OneMessage chosen;
    RngSeedManager::SetRun(7);
    chosen.via.SetSeed(1);
    BOOST_TEST(chosen.Digest() == first);
}

BOOST_AUTO_TEST_CASE(GlobalValuesChooseProductAndTopology)
{
    Config::SetGlobal("ViaProfile", StringValue("mvia-gnic2"));
    Config::SetGlobal("ViaTopology", StringValue("back-to-back"));
    OneMessage other; // a helper reads them when it is made
    other.Digest();
    BOOST_TEST(other.via.GetReport().profile == "mvia-gnic2");
    BOOST_TEST(other.via.GetReport().topology == "back-to-back");
}

BOOST_FIXTURE_TEST_CASE(AWrongGlobalValueIsRefusedByInstall, OneMessage)
{
    Config::SetGlobal("ViaTopology", StringValue("moebius"));
    ViaHelper misled;
    BOOST_CHECK_THROW(misled.Install(nodes), ConfigError);
}

BOOST_FIXTURE_TEST_CASE(ATopologyOfOnesOwnIsCabled, OneMessage)
{
    via.SetTopology(ParseTopology("crossbar", 2, ProviderProfile::Load(CARD)));
    Digest();
    BOOST_TEST(via.GetReport().topology == "crossbar");
}

BOOST_AUTO_TEST_CASE(ANodeCanHaveAnotherHost)
{
    const std::string alike = OneMessage::DigestOfRun(1, 1);
    OneMessage other;
    other.via.SetNodeProfile(1, "", "pii400-linux22");
    BOOST_TEST(other.Digest() != alike);
}

BOOST_FIXTURE_TEST_CASE(FaultsComeFromAFile, OneMessage)
{
    const Bench bench;
    const std::string file = bench.Card() + ".faults.toml";
    std::ofstream(file)
        << "schema = \"via-faults/1\"\n[[node_crash]]\nwhere = \"n1\"\nat = \"1 us\"\n";
    via.SetFaults(file);
    via.Install(nodes);
    via.InstallProcess(nodes.Get(1), ReceiveOne);
    const RunReport report = Run();
    BOOST_REQUIRE(report.faults.size() == 1);
    BOOST_TEST(report.processes[0].exit != 0);
}

#ifdef NS3_LOG_ENABLE

/// Catches what components log.
class Logged
{
  public:
    Logged()
    {
        for (const char* each : COMPONENTS)
        {
            LogComponentEnable(each, LOG_LEVEL_ALL);
        }
    }

    ~Logged()
    {
        for (const char* each : COMPONENTS)
        {
            LogComponentDisable(each, LOG_LEVEL_ALL);
        }
        std::clog.rdbuf(m_before);
    }

    bool Has(const std::string& part) const
    {
        return m_log.str().find(part) != std::string::npos;
    }

  private:
    static constexpr std::array COMPONENTS{"ViaNetwork", "ViaProcessApplication", "ViaNicObject"};

    std::ostringstream m_log;
    std::streambuf* m_before{std::clog.rdbuf(m_log.rdbuf())};
};

BOOST_FIXTURE_TEST_CASE(LogsTellOfClusterProcessesAndMessages, OneMessage)
{
    const Logged log;
    Digest();
    Simulator::Destroy();
    for (const char* part :
         {"cluster of 2 hosts", "rank 1 on host 1 starts", "8 bytes, ended", "cluster closes"})
    {
        BOOST_TEST(log.Has(part), part);
    }
}

#endif // NS3_LOG_ENABLE

BOOST_AUTO_TEST_SUITE_END()
