/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
// Early Adopter: clients and servers connect and disconnect.

#include "conformance/via-conformance-bench.h"

using namespace ns3::via;
using namespace ns3::via::test;

BOOST_AUTO_TEST_SUITE(early)

CONFORMANCE_CASE(ARequestAndAnAcceptConnectTwoVis,
                 "ConnectRequest.connect ConnectAccept.connect state.connected")
{
    const auto client = [](Party& self) {
        BOOST_TEST(Request(self.vi) == VIP_SUCCESS);
        BOOST_TEST(StateOf(self.vi) == VIP_STATE_CONNECTED);
    };
    const auto server = [](Party& self) {
        BOOST_TEST(VipConnectAccept(Await(self), self.vi) == VIP_SUCCESS);
        BOOST_TEST(StateOf(self.vi) == VIP_STATE_CONNECTED);
    };
    RunApart(client, server);
}

CONFORMANCE_CASE(ConnectWaitTellsWhoAsks, "ConnectWait.output")
{
    const auto client = [](Party& self) { Request(self.vi, 1, "door"); };
    const auto server = [](Party& self) {
        Address local(1, "door");
        Address from(9, "----------");
        VIP_VI_ATTRIBUTES attributes{};
        VIP_CONN_HANDLE connection = nullptr;
        BOOST_TEST(VipConnectWait(self.nic, local, 500, from, &attributes, &connection) ==
                   VIP_SUCCESS);
        BOOST_TEST(from.Bytes() == Address(0, "client").Bytes());
        BOOST_TEST(attributes.ReliabilityLevel == self.ViAttributes().ReliabilityLevel);
        BOOST_TEST(attributes.MaxTransferSize == self.ViAttributes().MaxTransferSize);
        BOOST_TEST(attributes.EnableRdmaWrite == VIP_TRUE);
        BOOST_TEST(VipConnectReject(connection) == VIP_SUCCESS);
    };
    RunApart(client, server);
}

CONFORMANCE_CASE(ConnectRequestTellsTheServersAttributes, "ConnectRequest.output")
{
    const auto client = [](Party& self) {
        VIP_VI_ATTRIBUTES remote{};
        BOOST_TEST(Request(self.vi, 1, "vipl", 500, &remote) == VIP_SUCCESS);
        BOOST_TEST(remote.ReliabilityLevel == self.ViAttributes().ReliabilityLevel);
        BOOST_TEST(remote.MaxTransferSize == self.ViAttributes().MaxTransferSize);
        BOOST_TEST(remote.EnableRdmaWrite == VIP_FALSE);
    };
    const auto server = [](Party& self) {
        VIP_VI_ATTRIBUTES attributes = self.ViAttributes();
        attributes.EnableRdmaWrite = VIP_FALSE;
        VipSetViAttributes(self.vi, &attributes);
        BOOST_TEST(VipConnectAccept(Await(self), self.vi) == VIP_SUCCESS);
    };
    RunApart(client, server);
}

CONFORMANCE_CASE(ARejectedRequestIsTold, "ConnectReject.told ConnectRequest.retry")
{
    const auto client = [](Party& self) {
        BOOST_TEST(Request(self.vi) == VIP_REJECT);
        BOOST_TEST(StateOf(self.vi) == VIP_STATE_IDLE);
        BOOST_TEST(Request(self.vi) == VIP_SUCCESS);
    };
    const auto server = [](Party& self) {
        BOOST_TEST(VipConnectReject(Await(self)) == VIP_SUCCESS);
        BOOST_TEST(VipConnectAccept(Await(self), self.vi) == VIP_SUCCESS);
    };
    RunApart(client, server);
}

CONFORMANCE_CASE(ARequestThatNobodyWaitsForIsToldSoSoon,
                 "ConnectRequest.no-match ConnectRequest.retry")
{
    const auto client = [](Party& self) {
        const Ps before = Now();
        BOOST_TEST(Request(self.vi, 1, "nobody", VIP_INFINITE) == VIP_NO_MATCH);
        BOOST_TEST(Now() - before < 50 * PS_PER_MS);
        BOOST_TEST(Now() > before); // a loop of requests ends
        BOOST_TEST(StateOf(self.vi) == VIP_STATE_IDLE);
        BOOST_TEST(Request(self.vi) == VIP_SUCCESS);
    };
    const auto server = [](Party& self) {
        BOOST_TEST(VipConnectAccept(Await(self), self.vi) == VIP_SUCCESS);
    };
    RunApart(client, server);
}

CONFORMANCE_CASE(TheDiscriminatorIsComparedByteForByte, "ConnectWait.match")
{
    const auto client = [](Party& self) {
        for (const std::string wrong : {"", "vip", "vipl2", "VIPL"})
        {
            BOOST_TEST(Request(self.vi, 1, wrong) == VIP_NO_MATCH, wrong);
        }
        BOOST_TEST(Request(self.vi, 1, "vipl") == VIP_SUCCESS);
    };
    const auto server = [](Party& self) {
        BOOST_TEST(VipConnectAccept(Await(self), self.vi) == VIP_SUCCESS);
    };
    RunApart(client, server);
}

CONFORMANCE_CASE(AWaitWithoutARequestTimesOut, "ConnectWait.timeout")
{
    RunAlone([](Party& self) {
        Address local(0);
        Address from(9, "-------------");
        VIP_VI_ATTRIBUTES attributes;
        VIP_CONN_HANDLE connection = nullptr;
        const Ps before = Now();
        BOOST_TEST(VipConnectWait(self.nic, local, 20, from, &attributes, &connection) ==
                   VIP_TIMEOUT);
        BOOST_TEST(Now() - before >= 20 * PS_PER_MS);
        BOOST_TEST(Now() - before < 21 * PS_PER_MS);
        BOOST_TEST(connection == nullptr);
    });
}

CONFORMANCE_CASE(ARequestWithoutAnAnswerTimesOut, "ConnectRequest.timeout ConnectRequest.retry")
{
    const auto client = [](Party& self) {
        const Ps before = Now();
        BOOST_TEST(Request(self.vi, 1, "vipl", 20) == VIP_TIMEOUT);
        BOOST_TEST(Now() - before >= 20 * PS_PER_MS);
        BOOST_TEST(Now() - before < 21 * PS_PER_MS);
        BOOST_TEST(StateOf(self.vi) == VIP_STATE_IDLE);
        BOOST_TEST(Request(self.vi, 1, "again") == VIP_SUCCESS);
    };
    const auto server = [](Party& self) {
        BOOST_TEST(Await(self) != nullptr); // and says nothing
        BOOST_TEST(VipConnectAccept(Await(self, "again"), self.vi) == VIP_SUCCESS);
    };
    RunApart(client, server);
}

CONFORMANCE_CASE(ARequestNeedsATimeout, "ConnectRequest.zero-timeout")
{
    const auto client = [](Party& self) {
        BOOST_TEST(Request(self.vi, 1, "vipl", 0) == REFUSED);
        BOOST_TEST(StateOf(self.vi) == VIP_STATE_IDLE);
    };
    RunApart(client, [](Party& self) { BOOST_TEST(Await(self) == nullptr); });
}

CONFORMANCE_CASE(ConnectRequestChecksItsParameters, "ConnectRequest.parameters")
{
    RunAlone([](Party& self) {
        VIP_VI_ATTRIBUTES out;
        Address to(1);
        BOOST_TEST(VipConnectRequest(nullptr, to, to, 9, &out) == REFUSED);
        BOOST_TEST(VipConnectRequest(self.nic, to, to, 9, &out) == REFUSED);
        BOOST_TEST(VipConnectRequest(self.vi, nullptr, to, 9, &out) == REFUSED);
        BOOST_TEST(VipConnectRequest(self.vi, to, nullptr, 9, &out) == REFUSED);
        BOOST_TEST(VipConnectRequest(self.vi, to, to, 9, nullptr) == REFUSED);
    });
}

CONFORMANCE_CASE(ConnectWaitChecksItsParameters, "ConnectWait.parameters")
{
    RunAlone([](Party& self) {
        VIP_VI_ATTRIBUTES out;
        VIP_CONN_HANDLE made = nullptr;
        Address a(0);
        BOOST_TEST(VipConnectWait(nullptr, a, 9, a, &out, &made) == REFUSED);
        BOOST_TEST(VipConnectWait(self.vi, a, 9, a, &out, &made) == REFUSED);
        BOOST_TEST(VipConnectWait(self.nic, nullptr, 9, a, &out, &made) == REFUSED);
        BOOST_TEST(VipConnectWait(self.nic, a, 9, nullptr, &out, &made) == REFUSED);
        BOOST_TEST(VipConnectWait(self.nic, a, 9, a, nullptr, &made) == REFUSED);
        BOOST_TEST(VipConnectWait(self.nic, a, 9, a, &out, nullptr) == REFUSED);
        BOOST_TEST(made == nullptr);
    });
}

CONFORMANCE_CASE(AcceptAndRejectCheckTheirParameters,
                 "ConnectAccept.parameters ConnectReject.parameters")
{
    const auto client = [](Party& self) { BOOST_TEST(Request(self.vi) == VIP_REJECT); };
    const auto server = [](Party& self) {
        const VIP_CONN_HANDLE connection = Await(self);
        BOOST_TEST(VipConnectAccept(nullptr, self.vi) == REFUSED);
        BOOST_TEST(VipConnectAccept(self.nic, self.vi) == REFUSED);
        BOOST_TEST(VipConnectAccept(connection, nullptr) == REFUSED);
        BOOST_TEST(VipConnectReject(nullptr) == REFUSED);
        BOOST_TEST(VipConnectReject(connection) == VIP_SUCCESS);
        BOOST_TEST(VipConnectReject(connection) == REFUSED);
        BOOST_TEST(VipConnectAccept(connection, self.vi) == REFUSED);
    };
    RunApart(client, server);
}

CONFORMANCE_CASE(ADisconnectMakesAViIdle, "Disconnect.idle Disconnect.parameters")
{
    const auto client = [](Party& self, Party&) {
        BOOST_TEST(VipDisconnect(self.vi) == VIP_SUCCESS);
        BOOST_TEST(StateOf(self.vi) == VIP_STATE_IDLE);
        BOOST_TEST(VipDisconnect(nullptr) == REFUSED);
        BOOST_TEST(VipDestroyVi(self.vi) == VIP_SUCCESS);
    };
    RunPair(client, Nothing);
}

CONFORMANCE_CASE(ADisconnectIsHarmlessWhereNothingIsConnected, "Disconnect.again")
{
    const auto client = [](Party& self, Party&) {
        BOOST_TEST(VipDisconnect(self.vi) == VIP_SUCCESS);
        BOOST_TEST(VipDisconnect(self.vi) == VIP_SUCCESS);
        BOOST_TEST(VipDisconnect(self.CreateVi()) == VIP_SUCCESS);
    };
    RunPair(client, Nothing);
}

CONFORMANCE_CASE(ADisconnectedViConnectsAgain, "Disconnect.reconnect")
{
    const auto client = [](Party& self, Party&) {
        VipDisconnect(self.vi);
        BOOST_TEST(self.Connect(self.vi, 1, "again") == VIP_SUCCESS);
        Pause(PS_PER_MS);
        BOOST_TEST(SendOn(self, self.vi, self.Make({})) == SENT);
    };
    const auto server = [](Party& self, Party&) {
        Pause(10 * PS_PER_MS);
        BOOST_TEST(VipDisconnect(self.vi) == VIP_SUCCESS);
        self.Receive(self.Make({}));
        BOOST_TEST(self.Listen(self.vi, "again") == VIP_SUCCESS);
        BOOST_TEST(self.Received() == RECEIVED);
    };
    RunPair(client, server);
}

BOOST_AUTO_TEST_SUITE_END()
