/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
// An ns-3 script to begin with: one VIPL program on two nodes, and what its doorbells say.
//
//   ./via run scratch/first ping-pong.so        (made by ./via cc)

#include "ns3/core-module.h"
#include "ns3/network-module.h"
#include "ns3/via-module.h"

#include <iostream>

using namespace ns3;

namespace
{

void
Count(int* rings, std::uint32_t, bool, via::Ps)
{
    ++*rings;
}

} // namespace

int
main(int argc, char* argv[])
{
    std::string program = "ping-pong.so";
    CommandLine command(__FILE__);
    command.AddNonOption("program", "shared object made by ./via cc", program);
    command.Parse(argc, argv);

    Time::SetResolution(Time::PS);
    NodeContainer nodes(2);
    via::ViaHelper helper;
    int rings = 0;
    try
    {
        const via::ViaNicContainer nics = helper.Install(nodes);
        nics.Get(0)->TraceConnectWithoutContext("Doorbell", MakeBoundCallback(&Count, &rings));
        helper.InstallProgram(nodes, program);
        Simulator::Run();
    }
    catch (const via::ConfigError& wrong)
    {
        std::cerr << wrong.what() << "\n";
        return 2;
    }
    std::cout << rings << " doorbells of node 0, digest " << helper.GetReport().digest << "\n";
    Simulator::Destroy();
    return 0;
}
