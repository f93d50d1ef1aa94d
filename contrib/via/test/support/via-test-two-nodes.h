/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
// Two ns-3 nodes with VIA NICs, and processes that connect to each other.

#ifndef VIA_TEST_TWO_NODES_H
#define VIA_TEST_TWO_NODES_H

#include "ns3/node-container.h"
#include "ns3/simulator.h"
#include "ns3/via-helper.h"

#include <array>
#include <string>
#include <vipl.h>

namespace ns3
{
namespace via
{
namespace test
{

/// A fixture: nodes, at first without NICs. It destroys the simulator at its end.
struct TwoNodes
{
    ~TwoNodes()
    {
        Simulator::Destroy();
    }

    /// Runs to the end. @return the report
    RunReport Run()
    {
        Simulator::Run();
        return via.GetReport();
    }

    NodeContainer nodes{2};
    ViaHelper via;
};

/// The objects of a process: a NIC handle, a tag, a VI, and a posted receive descriptor.
struct Line
{
    Line();

    /// Requests a connection from node 1 until it is answered.
    void Request();

    /// Waits for a request on node 1 and accepts it.
    void Accept();

    /// Sends @p length bytes.
    void Send(VIP_UINT32 length);

    /// @return the result of VipRecvWait; then status holds the descriptor's
    VIP_RETURN Receive();

    /// The VI's state.
    VIP_VI_STATE State() const;

    VIP_NIC_HANDLE nic{};
    VIP_PROTECTION_HANDLE tag{};
    VIP_VI_HANDLE vi{};
    VIP_MEM_HANDLE memory{};
    VIP_UINT32 status{0};

    /// Whole pages, so that the cost of its registration does not depend on its address.
    struct alignas(4096) Room
    {
        VIP_DESCRIPTOR send;
        VIP_DESCRIPTOR receive;
        std::array<char, 128> data;
    };

  private:
    VIP_DESCRIPTOR* Describe(VIP_DESCRIPTOR& descriptor, VIP_UINT32 length);

    Room* m_room;
};

/// A process: requests a connection from node 1 and sends 8 bytes.
int SendOne();

/// A process on node 1, for SendOne. @return 0 if a message arrived
int ReceiveOne();

} // namespace test
} // namespace via
} // namespace ns3

#endif // VIA_TEST_TWO_NODES_H
