/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
// VIPL: answers to a connection attempt that was given up never reach the next one.

#include "support/via-test-vipl-bench.h"

using namespace ns3::via;
using namespace ns3::via::test;

namespace
{

VIP_RETURN
TryRequest(Party& self, VIP_ULONG timeout)
{
    VIP_VI_ATTRIBUTES attributes;
    return VipConnectRequest(self.vi, Address(0, "client"), Address(1), timeout, &attributes);
}

VIP_CONN_HANDLE
WaitFor(Party& self)
{
    Address from(9, "--------------");
    VIP_VI_ATTRIBUTES attributes;
    VIP_CONN_HANDLE connection = nullptr;
    BOOST_TEST(VipConnectWait(self.nic, Address(1), 100, from, &attributes, &connection) ==
               VIP_SUCCESS);
    return connection;
}

/// A client that gives up after 20 ms and asks again; a server that has both requests by then.
void
RunTwice(const PartyBody& client,
         const std::function<void(Party&, VIP_CONN_HANDLE, VIP_CONN_HANDLE)>& server,
         const ClusterConfig& config = {})
{
    Party ends[2];
    const auto asClient = [&] {
        ends[0].Open({});
        Pause(PS_PER_MS);
        BOOST_TEST(TryRequest(ends[0], 20) == VIP_TIMEOUT);
        client(ends[0]);
        FiberProcess::Current()->SleepUntil(PS_PER_SECOND);
    };
    const auto asServer = [&] {
        ends[1].Open({});
        const VIP_CONN_HANDLE first = WaitFor(ends[1]);
        server(ends[1], first, WaitFor(ends[1]));
        FiberProcess::Current()->SleepUntil(PS_PER_SECOND);
    };
    for (const ProcessReport& process : RunEach({asClient, asServer}, config).processes)
    {
        BOOST_TEST(process.exit == 0, process.report);
    }
}

} // namespace

BOOST_AUTO_TEST_SUITE(vipl_attempt)

BOOST_AUTO_TEST_CASE(ALateAcceptDoesNotHitTheRetry)
{
    const auto client = [](Party& self) {
        BOOST_TEST(TryRequest(self, 100) == VIP_SUCCESS);
        self.Fill(0, 10, 1);
        Pause(PS_PER_MS);
        self.Send(self.Make({self.At(0, 10)}));
        BOOST_TEST(self.Sent() == SENT);
    };
    const auto server = [](Party& self, VIP_CONN_HANDLE first, VIP_CONN_HANDLE second) {
        const VIP_VI_HANDLE other = self.CreateVi();
        BOOST_TEST(VipConnectAccept(first, other) == VIP_SUCCESS);
        Pause(PS_PER_MS);
        self.Receive(self.Make({self.At(0, 10)}));
        BOOST_TEST(VipConnectAccept(second, self.vi) == VIP_SUCCESS);
        BOOST_TEST(self.Received() == RECEIVED);
        BOOST_TEST(self.Holds(0, 10, 1));
        self.vi = other;
        BOOST_TEST(self.State() == VIP_STATE_ERROR);
        BOOST_TEST(self.Errors() == "CONN_LOST");
    };
    RunTwice(client, server);
}

BOOST_AUTO_TEST_CASE(ALateRejectDoesNotHitTheRetry)
{
    const auto client = [](Party& self) { BOOST_TEST(TryRequest(self, 100) == VIP_SUCCESS); };
    const auto server = [](Party& self, VIP_CONN_HANDLE first, VIP_CONN_HANDLE second) {
        BOOST_TEST(VipConnectReject(first) == VIP_SUCCESS);
        Pause(PS_PER_MS);
        BOOST_TEST(VipConnectAccept(second, self.vi) == VIP_SUCCESS);
        Pause(PS_PER_MS);
        BOOST_TEST(self.State() == VIP_STATE_CONNECTED);
    };
    RunTwice(client, server);
}

BOOST_AUTO_TEST_CASE(TheRefusalOfALateAcceptDoesNotHitTheNextConnectionOfTheSameVi)
{
    ClusterConfig quick; // the refusal is still on its way when the VI connects again
    quick.overrides = {{"vipl.connect_accept", "1"}, {"vipl.disconnect", "1"}};
    const auto client = [](Party& self) {
        BOOST_TEST(TryRequest(self, 100) == VIP_SUCCESS);
        Pause(PS_PER_MS);
        BOOST_TEST(self.State() == VIP_STATE_CONNECTED);
    };
    const auto server = [](Party& self, VIP_CONN_HANDLE first, VIP_CONN_HANDLE second) {
        BOOST_TEST(VipConnectAccept(first, self.vi) == VIP_SUCCESS);
        BOOST_TEST(VipDisconnect(self.vi) == VIP_SUCCESS);
        BOOST_TEST(VipConnectAccept(second, self.vi) == VIP_SUCCESS);
        Pause(PS_PER_MS);
        BOOST_TEST(self.State() == VIP_STATE_CONNECTED);
        BOOST_TEST(self.Errors() == "");
    };
    RunTwice(client, server, quick);
}

BOOST_AUTO_TEST_CASE(ARequestThatItsServerTookAndThenDiedWithIsRejected)
{
    Party ends[2];
    Cluster cluster{ClusterConfig{}};
    cluster.AddProcess(0, [&] {
        ends[0].Open({});
        Pause(PS_PER_MS);
        BOOST_TEST(TryRequest(ends[0], VIP_INFINITE) == VIP_REJECT);
        return 0;
    });
    cluster.AddProcess(
        1,
        [&] {
            ends[1].Open({});
            WaitFor(ends[1]);
            WaitFor(ends[1]);
            return 0;
        },
        0,
        30 * PS_PER_MS);
    cluster.Run();
}

BOOST_AUTO_TEST_SUITE_END()
