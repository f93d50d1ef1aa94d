// SPDX-License-Identifier: GPL-2.0-only
// An ns-3 script: a VIPL program on two nodes, with a capture for Wireshark of each.
#include "ns3/network-module.h"
#include "ns3/via-module.h"

int
main(int, char* argv[])
{
    ns3::Time::SetResolution(ns3::Time::PS);
    ns3::NodeContainer nodes(2);
    ns3::via::ViaHelper via;
    via.Install(nodes);
    via.EnablePcapAll("run");
    via.InstallProgram(nodes, argv[1]);
    ns3::Simulator::Run();
    ns3::Simulator::Destroy();
    return via.GetReport().messages > 0 ? 0 : 1;
}
