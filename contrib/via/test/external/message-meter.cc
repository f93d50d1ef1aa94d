/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
// A module outside of the repository: an ns-3 object that counts what a node's NIC receives.

#include "ns3/core-module.h"
#include "ns3/network-module.h"
#include "ns3/via-module.h"

#include <iostream>

using namespace ns3;

/// Counts the bytes of the messages to its node.
class MessageMeter : public Object
{
  public:
    static TypeId GetTypeId()
    {
        static TypeId tid = TypeId("MessageMeter").SetParent<Object>().SetGroupName("Example");
        return tid;
    }

    void Count(const via::MessageRow& message)
    {
        m_bytes += message.bytes;
    }

    std::uint64_t GetBytes() const
    {
        return m_bytes;
    }

  private:
    std::uint64_t m_bytes{0};
};

NS_OBJECT_ENSURE_REGISTERED(MessageMeter);

int
main(int argc, char* argv[])
{
    std::string program;
    CommandLine cmd(__FILE__);
    cmd.AddNonOption("program", "Shared object made by via-cc", program);
    cmd.Parse(argc, argv);

    Time::SetResolution(Time::PS);
    NodeContainer nodes(2);
    via::ViaHelper helper;
    helper.Install(nodes);
    helper.InstallProgram(nodes, program, {"-s", "4", "-n", "5"});
    const auto meter = CreateObject<MessageMeter>();
    Config::ConnectWithoutContext("/NodeList/0/$ns3::via::ViaNicObject/MessageEnd",
                                  MakeCallback(&MessageMeter::Count, meter));
    Simulator::Run();
    const via::RunReport report = helper.GetReport();
    Simulator::Destroy();
    std::cout << "profiles " << via::ProfileFolder() << "\nbytes " << meter->GetBytes()
              << "\ndigest " << report.digest << "\n";
    return static_cast<int>(report.exit);
}
