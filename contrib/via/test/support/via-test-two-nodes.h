/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
// Two ns-3 nodes with VIA NICs, and processes that connect with each other.

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

/// A fixture: nodes without NICs at first. The simulator goes with it.
struct TwoNodes
{
    ~TwoNodes()
    {
        Simulator::Destroy();
    }

    /// Runs to the end. @return what is known then
    RunReport Run()
    {
        Simulator::Run();
        return via.GetReport();
    }

    NodeContainer nodes{2};
    ViaHelper via;
};

/// What one process has: a NIC handle, a tag, a VI, and a receive descriptor that is posted.
struct Line
{
    Line();

    /// Asks node 1 until somebody answers.
    void Request();

    /// Waits for a request on node 1 and accepts it.
    void Accept();

    /// Sends @p length bytes.
    void Send(VIP_UINT32 length);

    /// @return what VipRecvWait returned; then status holds the descriptor's
    VIP_RETURN Receive();

    /// The VI's state.
    VIP_VI_STATE State() const;

    VIP_NIC_HANDLE nic{};
    VIP_PROTECTION_HANDLE tag{};
    VIP_VI_HANDLE vi{};
    VIP_MEM_HANDLE memory{};
    VIP_UINT32 status{0};

    /// Of whole pages, so that its registration costs the same wherever it lies.
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

/// A process: it asks node 1 for a connection and sends 8 bytes.
int SendOne();

/// A process on node 1, for SendOne. @return 0 if a message came
int ReceiveOne();

} // namespace test
} // namespace via
} // namespace ns3

#endif // VIA_TEST_TWO_NODES_H
