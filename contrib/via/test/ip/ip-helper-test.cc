/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
// ViaIpHelper: traces that others can read, and what it refuses.

#include "support/via-test-folders.h"
#include "support/via-test-ip-bench.h"
#include "support/via-test-profile-bench.h"

#include "ns3/config.h"
#include "ns3/uinteger.h"

#include <boost/test/unit_test.hpp>
#include <cstdio>
#include <fstream>
#include <set>

using namespace ns3;
using namespace ns3::via;
using namespace ns3::via::test;

namespace
{

/// Two nodes that exchange a datagram after ARP, with files in a folder of their own.
struct Traced : IpBench
{
    Traced()
    {
        std::string name = (fs::temp_directory_path() / "via-ip-XXXXXX").string();
        BOOST_REQUIRE(mkdtemp(name.data()) != nullptr);
        folder = name;
    }

    ~Traced()
    {
        fs::remove_all(folder);
    }

    void Go()
    {
        const auto receiver = SocketAt(1, UDP, 9);
        const auto sender = SocketAt(0, UDP);
        Simulator::ScheduleWithContext(0, MilliSeconds(1), [this, sender] {
            sender->SendTo(Create<ns3::Packet>(40), 0, AddressAt(1, 9));
        });
        Simulator::Run();
    }

    /// Lets go of everything: the files are whole then.
    void Close()
    {
        Simulator::Destroy();
        nodes = NodeContainer();
        devices = NetDeviceContainer();
        interfaces = Ipv4InterfaceContainer();
    }

    fs::path folder;
};

std::string
OutputOf(const std::string& command)
{
    std::string output;
    FILE* pipe = popen(command.c_str(), "r");
    BOOST_REQUIRE(pipe != nullptr);
    for (int c = std::fgetc(pipe); c != EOF; c = std::fgetc(pipe))
    {
        output.push_back(static_cast<char>(c));
    }
    pclose(pipe);
    return output;
}

} // namespace

BOOST_AUTO_TEST_SUITE(ip_helper)

BOOST_FIXTURE_TEST_CASE(TsharkReadsThePcapFile, Traced)
{
    Install();
    ip.EnablePcapAll((folder / "run").string());
    Go();
    Close();
    if (OutputOf("command -v tshark").empty())
    {
        BOOST_TEST_MESSAGE("tshark is not installed");
        return;
    }
    const std::string rows =
        OutputOf("tshark -n -r " + (folder / "run-1-1.pcap").string() +
                 " -T fields -e eth.src -e arp.opcode -e udp.length 2>/dev/null");
    BOOST_TEST(rows.find("02:00:00:00:00:00\t1\t") != std::string::npos, rows);
    BOOST_TEST(rows.find("02:00:00:00:00:01\t2\t") != std::string::npos, rows);
    BOOST_TEST(rows.find("02:00:00:00:00:00\t\t48") != std::string::npos, rows);
}

BOOST_FIXTURE_TEST_CASE(ACaptureOfTheNicsPortsHasTheFramesToo, Traced)
{
    const std::string file = folder / "ports.pcapng";
    via.EnableCapture(file);
    Install();
    Go();
    Simulator::Destroy(); // the file is whole then
    BOOST_TEST(fs::file_size(file) > 0U);
    if (OutputOf("command -v tshark").empty())
    {
        BOOST_TEST_MESSAGE("tshark is not installed");
        return;
    }
    const fs::path dissector = SourceFolder() / "wireshark" / "via.lua";
    const std::string rows =
        OutputOf("tshark -n -X lua_script:" + dissector.string() + " -r " + file +
                 " -Y 'via.kind == 48' -T fields -e via.direction"
                 " -e arp.opcode -e udp.length 2>/dev/null");
    for (const char* row : {"0\t1\t\n", "1\t1\t\n", "0\t2\t\n", "0\t\t48\n", "1\t\t48\n"})
    {
        BOOST_TEST(rows.find(row) != std::string::npos, rows);
    }
}

BOOST_FIXTURE_TEST_CASE(TheAsciiTraceHasEnqueueDequeueAndReceive, Traced)
{
    Install();
    ip.EnableAsciiAll((folder / "run").string());
    Go();
    Close();
    std::set<char> kinds;
    std::ifstream file(folder / "run-0-1.tr");
    for (std::string line; std::getline(file, line);)
    {
        kinds.insert(line[0]);
    }
    BOOST_TEST(kinds == (std::set<char>{'+', '-', 'r'}), boost::test_tools::per_element());
}

BOOST_FIXTURE_TEST_CASE(OneAsciiStreamNamesItsSources, Traced)
{
    Install();
    std::ostringstream text;
    ip.EnableAsciiAll(Create<OutputStreamWrapper>(&text));
    Go();
    BOOST_TEST(text.str().find("/NodeList/1/DeviceList/1/$ns3::via::ViaIpDevice/MacRx") !=
               std::string::npos);
    BOOST_TEST(text.str().find("/TxQueue/Enqueue") != std::string::npos);
}

BOOST_FIXTURE_TEST_CASE(ANodeWithoutAViaNicIsRefused, IpBench)
{
    const std::string refusal = RefusalOf([this] { ip.Install(nodes); });
    BOOST_TEST(refusal.find("it has no VIA NIC") != std::string::npos, refusal);
}

BOOST_FIXTURE_TEST_CASE(ASecondDeviceIsRefused, IpBench)
{
    Install();
    const std::string refusal = RefusalOf([this] { ip.Install(nodes.Get(0)); });
    BOOST_TEST(refusal.find("it already has a ViaIpDevice") != std::string::npos, refusal);
}

BOOST_FIXTURE_TEST_CASE(ANodeTwiceIsRefused, IpBench)
{
    via.Install(nodes);
    NodeContainer twice(nodes.Get(0), nodes.Get(0));
    const std::string refusal = RefusalOf([&] { ip.Install(twice); });
    BOOST_TEST(refusal.find("it is in the container twice") != std::string::npos, refusal);
}

BOOST_FIXTURE_TEST_CASE(AKernelThatIsNotThereIsRefused, IpBench)
{
    via.SetKernel("minix");
    const std::string refusal = RefusalOf([this] { via.Install(nodes); });
    BOOST_TEST(refusal.find("linux-2.2") != std::string::npos, refusal);
}

BOOST_FIXTURE_TEST_CASE(PathsAndDefaultsSetAttributes, IpBench)
{
    Config::SetDefault("ns3::via::ViaIpDevice::Arp", BooleanValue(false));
    Install();
    Config::Set("/NodeList/*/DeviceList/*/$ns3::via::ViaIpDevice/Mtu", UintegerValue(900));
    for (std::uint32_t i = 0; i < 2; ++i)
    {
        BOOST_TEST(DeviceAt(i)->GetMtu() == 900);
        BOOST_TEST(!DeviceAt(i)->GetArp());
    }
    Config::SetDefault("ns3::via::ViaIpDevice::Arp", BooleanValue(true));
}

BOOST_AUTO_TEST_SUITE_END()
