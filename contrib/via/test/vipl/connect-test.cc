/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
// VIPL: client-server connections.

#include "support/via-test-vipl-bench.h"

#include <cstring>

using namespace ns3::via;
using namespace ns3::via::test;

namespace
{

/// One request of the client to node 1, answered or not.
VIP_RETURN
Request(Party& self,
        VIP_ULONG timeout,
        const std::string& discriminator = "vipl",
        VIP_VI_ATTRIBUTES* remote = nullptr)
{
    VIP_VI_ATTRIBUTES attributes;
    return VipConnectRequest(self.vi,
                             Address(0, "client"),
                             Address(1, discriminator),
                             timeout,
                             remote == nullptr ? &attributes : remote);
}

/// Waits for a request at the server.
VIP_RETURN
WaitFor(Party& self, VIP_ULONG timeout, VIP_CONN_HANDLE* connection)
{
    Address from(9, "--------------");
    VIP_VI_ATTRIBUTES attributes;
    return VipConnectWait(self.nic, Address(1, "vipl"), timeout, from, &attributes, connection);
}

/// Runs a client on node 0 and a server on node 1, opened and not connected.
void
RunApart(const PartyBody& client, const PartyBody& server, const Setup& setup = {})
{
    Party ends[2];
    const auto run = [&](int i, const PartyBody& body) {
        ends[i].Open(setup);
        if (i == 0)
        {
            Pause(PS_PER_MS); // the server waits by then
        }
        body(ends[i]);
        FiberProcess::Current()->SleepUntil(PS_PER_SECOND);
    };
    const RunReport report = RunEach({[&] { run(0, client); }, [&] { run(1, server); }});
    for (const ProcessReport& process : report.processes)
    {
        BOOST_TEST(process.exit == 0, process.report);
    }
}

} // namespace

BOOST_AUTO_TEST_SUITE(vipl_connect)

BOOST_AUTO_TEST_CASE(NothingComesBackToItsHostOnACable)
{
    ClusterConfig cable = TestConfig();
    cable.topology = "back-to-back";
    cable.nodes = 2;
    const auto body = [](Party& self) {
        VIP_VI_ATTRIBUTES attributes;
        BOOST_TEST(VipConnectRequest(self.vi, Address(0, "x"), Address(0, "y"), 9, &attributes) ==
                   VIP_NOT_REACHABLE);
        BOOST_TEST(VipConnectPeerRequest(self.vi, Address(0, "x"), Address(0, "y"), 9) ==
                   VIP_SUCCESS);
        BOOST_TEST(VipConnectPeerWait(self.vi, &attributes) == VIP_NOT_REACHABLE);
    };
    RunAlone(body, {}, cable);
}

BOOST_AUTO_TEST_CASE(BothSidesLearnWhoTheOtherIs)
{
    const auto client = [](Party& self) {
        VIP_VI_ATTRIBUTES remote;
        BOOST_TEST(Request(self, 100, "vipl", &remote) == VIP_SUCCESS);
        BOOST_TEST(remote.ReliabilityLevel == VIP_SERVICE_RELIABLE_DELIVERY);
        BOOST_TEST(remote.MaxTransferSize == 65536u);
        BOOST_TEST(remote.EnableRdmaWrite == VIP_TRUE);
        BOOST_TEST(remote.Ptag == nullptr); // a tag means nothing elsewhere
    };
    const auto server = [](Party& self) {
        Address from(9, "--------------");
        VIP_VI_ATTRIBUTES remote;
        VIP_CONN_HANDLE connection = nullptr;
        BOOST_TEST(VipConnectWait(self.nic, Address(1, "vipl"), 100, from, &remote, &connection) ==
                   VIP_SUCCESS);
        BOOST_TEST(from.Bytes() == Address(0, "client").Bytes());
        BOOST_TEST(remote.MaxTransferSize == 65536u);
        BOOST_TEST(VipConnectAccept(connection, self.vi) == VIP_SUCCESS);
        BOOST_TEST(self.State() == VIP_STATE_CONNECTED);
    };
    RunApart(client, server);
}

BOOST_AUTO_TEST_CASE(ARequestNobodyWaitsForIsToldSoSoon)
{
    const auto client = [](Party& self) {
        const Ps before = Now();
        BOOST_TEST(Request(self, VIP_INFINITE) == VIP_NO_MATCH);
        BOOST_TEST(Now() - before < 3 * PS_PER_MS);
        BOOST_TEST(self.State() == VIP_STATE_IDLE);
    };
    RunApart(client, [](Party&) {});
}

BOOST_AUTO_TEST_CASE(TheDiscriminatorMustMatchByteForByte)
{
    const auto client = [](Party& self) {
        BOOST_TEST(Request(self, 100, "vip") == VIP_NO_MATCH);
        BOOST_TEST(Request(self, 100, "vipl2") == VIP_NO_MATCH);
        BOOST_TEST(Request(self, 100, "VIPL") == VIP_NO_MATCH);
        BOOST_TEST(Request(self, 100, "vipl") == VIP_SUCCESS);
    };
    RunApart(client, [](Party& self) { BOOST_TEST(self.Listen(self.vi) == VIP_SUCCESS); });
}

BOOST_AUTO_TEST_CASE(AnEmptyDiscriminatorIsOneToo)
{
    const auto client = [](Party& self) { BOOST_TEST(Request(self, 100, "") == VIP_SUCCESS); };
    RunApart(client, [](Party& self) { BOOST_TEST(self.Listen(self.vi, "") == VIP_SUCCESS); });
}

BOOST_AUTO_TEST_CASE(ARejectedClientIsToldAndMayAskAgain)
{
    const auto client = [](Party& self) {
        BOOST_TEST(Request(self, 100) == VIP_REJECT);
        BOOST_TEST(self.State() == VIP_STATE_IDLE);
        BOOST_TEST(Request(self, 100) == VIP_SUCCESS);
    };
    const auto server = [](Party& self) {
        VIP_CONN_HANDLE connection = nullptr;
        BOOST_TEST(WaitFor(self, 100, &connection) == VIP_SUCCESS);
        BOOST_TEST(VipConnectReject(connection) == VIP_SUCCESS);
        BOOST_TEST(VipConnectReject(connection) == VIP_INVALID_PARAMETER);
        BOOST_TEST(VipConnectAccept(connection, self.vi) == VIP_INVALID_PARAMETER);
        BOOST_TEST(self.Listen(self.vi) == VIP_SUCCESS);
    };
    RunApart(client, server);
}

BOOST_AUTO_TEST_CASE(ARequestThatIsNotAnsweredTimesOutOnTheMillisecond)
{
    const auto client = [](Party& self) {
        const Ps before = Now();
        BOOST_TEST(Request(self, 20) == VIP_TIMEOUT);
        BOOST_TEST(Now() - before == 20 * PS_PER_MS);
        BOOST_TEST(self.State() == VIP_STATE_IDLE);
    };
    const auto server = [](Party& self) {
        VIP_CONN_HANDLE connection = nullptr;
        BOOST_TEST(WaitFor(self, 100, &connection) == VIP_SUCCESS);
    };
    RunApart(client, server);
}

BOOST_AUTO_TEST_CASE(AnAcceptThatComesTooLateBreaksTheServersVi)
{
    const auto client = [](Party& self) { BOOST_TEST(Request(self, 20) == VIP_TIMEOUT); };
    const auto server = [](Party& self) {
        VIP_CONN_HANDLE connection = nullptr;
        BOOST_TEST(WaitFor(self, 100, &connection) == VIP_SUCCESS);
        Pause(30 * PS_PER_MS);
        BOOST_TEST(VipConnectAccept(connection, self.vi) == VIP_SUCCESS);
        Pause(10 * PS_PER_MS);
        BOOST_TEST(self.State() == VIP_STATE_ERROR);
        BOOST_TEST(self.Errors() == "CONN_LOST");
        BOOST_TEST(VipDisconnect(self.vi) == VIP_SUCCESS);
    };
    RunApart(client, server);
}

BOOST_AUTO_TEST_CASE(AWaitWithoutARequestTimesOutOnTheMillisecond)
{
    RunAlone([](Party& self) {
        VIP_CONN_HANDLE connection = nullptr;
        const Ps before = Now();
        BOOST_TEST(WaitFor(self, 7, &connection) == VIP_TIMEOUT);
        BOOST_TEST(Now() - before == 7 * PS_PER_MS);
        BOOST_TEST(WaitFor(self, 0, &connection) == VIP_TIMEOUT);
        BOOST_TEST(connection == nullptr);
    });
}

BOOST_AUTO_TEST_CASE(ARequestThatMeetsTheEndOfAWaitIsAnswered)
{
    for (int us = -40; us <= 40; ++us)
    {
        const auto client = [us](Party& self) {
            FiberProcess::Current()->SleepUntil(20 * PS_PER_MS + us * PS_PER_US);
            const VIP_RETURN result = Request(self, VIP_INFINITE);
            BOOST_TEST((result == VIP_NO_MATCH || result == VIP_SUCCESS));
        };
        const auto server = [](Party& self) {
            FiberProcess::Current()->SleepUntil(PS_PER_MS * 10);
            VIP_CONN_HANDLE connection = nullptr;
            // the client's call and its packet take about 1.2 ms
            Pause(PS_PER_US * 200);
            if (WaitFor(self, 11, &connection) == VIP_SUCCESS)
            {
                BOOST_TEST(VipConnectAccept(connection, self.vi) == VIP_SUCCESS);
            }
        };
        RunApart(client, server);
    }
}

BOOST_AUTO_TEST_CASE(AnAcceptThatMeetsTheEndOfARequestLeavesBothSidesAgreed)
{
    for (int us = -40; us <= 40; ++us)
    {
        VIP_RETURN result = VIP_NOT_DONE;
        const auto client = [&result](Party& self) {
            FiberProcess::Current()->SleepUntil(10 * PS_PER_MS);
            result = Request(self, 10);
        };
        const auto server = [us, &result](Party& self) {
            VIP_CONN_HANDLE connection = nullptr;
            WaitFor(self, VIP_INFINITE, &connection);
            // the call and its packet take about 1.2 ms
            FiberProcess::Current()->SleepUntil(PS_PER_MS * 188 / 10 + us * PS_PER_US);
            BOOST_TEST(VipConnectAccept(connection, self.vi) == VIP_SUCCESS);
            Pause(10 * PS_PER_MS);
            const VIP_VI_STATE state = self.State();
            BOOST_TEST(state == (result == VIP_SUCCESS ? VIP_STATE_CONNECTED : VIP_STATE_ERROR));
        };
        RunApart(client, server);
    }
}

BOOST_AUTO_TEST_CASE(RequestsCheckTheirArguments)
{
    const auto client = [](Party& self) {
        VIP_VI_ATTRIBUTES out;
        Address to(1);
        BOOST_TEST(Request(self, 0) == VIP_INVALID_PARAMETER);
        BOOST_TEST(Request(self, 9, "12345678901234567") == VIP_INVALID_PARAMETER);
        BOOST_TEST(VipConnectRequest(nullptr, to, to, 9, &out) == VIP_INVALID_PARAMETER);
        BOOST_TEST(VipConnectRequest(self.vi, nullptr, to, 9, &out) == VIP_INVALID_PARAMETER);
        BOOST_TEST(VipConnectRequest(self.vi, to, nullptr, 9, &out) == VIP_INVALID_PARAMETER);
        BOOST_TEST(VipConnectRequest(self.vi, to, to, 9, nullptr) == VIP_INVALID_PARAMETER);
        BOOST_TEST(self.State() == VIP_STATE_IDLE);
    };
    RunApart(client, [](Party&) {});
}

BOOST_AUTO_TEST_CASE(WaitsAndAnswersCheckTheirArguments)
{
    RunAlone([](Party& self) {
        VIP_VI_ATTRIBUTES out;
        VIP_CONN_HANDLE made = nullptr;
        Address a(0);
        const VIP_RETURN refused = VIP_INVALID_PARAMETER;
        BOOST_TEST(VipConnectWait(nullptr, a, 9, a, &out, &made) == refused);
        BOOST_TEST(VipConnectWait(self.nic, nullptr, 9, a, &out, &made) == refused);
        BOOST_TEST(VipConnectWait(self.nic, a, 9, nullptr, &out, &made) == refused);
        BOOST_TEST(VipConnectWait(self.nic, a, 9, a, nullptr, &made) == refused);
        BOOST_TEST(VipConnectWait(self.nic, a, 9, a, &out, nullptr) == refused);
        BOOST_TEST(VipConnectAccept(nullptr, self.vi) == refused);
        BOOST_TEST(VipConnectAccept(self.nic, self.vi) == refused);
        BOOST_TEST(VipConnectReject(nullptr) == refused);
        BOOST_TEST(VipDisconnect(nullptr) == refused);
    });
}

BOOST_AUTO_TEST_CASE(AHostThatIsNotThereCannotBeReached)
{
    RunAlone([](Party& self) {
        VIP_VI_ATTRIBUTES out;
        Address nobody(2);
        Address strange(0);
        strange->HostAddress[0] = 9;
        BOOST_TEST(VipConnectRequest(self.vi, Address(0), nobody, 9, &out) == VIP_NOT_REACHABLE);
        BOOST_TEST(VipConnectRequest(self.vi, Address(0), strange, 9, &out) == VIP_NOT_REACHABLE);
        BOOST_TEST(self.State() == VIP_STATE_IDLE);
    });
}

BOOST_AUTO_TEST_CASE(OnlyAnIdleViConnects)
{
    const auto client = [](Party& self, Party&) {
        BOOST_TEST(Request(self, 9) == VIP_INVALID_STATE);
    };
    const auto server = [](Party& self, Party&) {
        BOOST_TEST(self.State() == VIP_STATE_CONNECTED);
    };
    RunPair(client, server);
}

BOOST_AUTO_TEST_CASE(AConnectedViAcceptsNoSecondRequest)
{
    const auto client = [](Party& self) {
        BOOST_TEST(Request(self, 100) == VIP_SUCCESS);
        self.vi = self.CreateVi();
        BOOST_TEST(Request(self, 100) == VIP_SUCCESS);
    };
    const auto server = [](Party& self) {
        BOOST_TEST(self.Listen(self.vi) == VIP_SUCCESS);
        VIP_CONN_HANDLE connection = nullptr;
        BOOST_TEST(WaitFor(self, 100, &connection) == VIP_SUCCESS);
        BOOST_TEST(VipConnectAccept(connection, self.vi) == VIP_INVALID_STATE);
        BOOST_TEST(VipConnectAccept(connection, nullptr) == VIP_INVALID_PARAMETER);
        BOOST_TEST(VipConnectAccept(connection, self.CreateVi()) == VIP_SUCCESS);
    };
    RunApart(client, server);
}

BOOST_AUTO_TEST_CASE(UnequalAttributesAreToldToTheServerAloneWhichMayTryAgain)
{
    const auto client = [](Party& self) { BOOST_TEST(Request(self, 100) == VIP_SUCCESS); };
    const auto server = [](Party& self) {
        VIP_CONN_HANDLE connection = nullptr;
        BOOST_TEST(WaitFor(self, 100, &connection) == VIP_SUCCESS);
        VIP_VI_ATTRIBUTES attributes = self.ViAttributes();
        attributes.ReliabilityLevel = VIP_SERVICE_UNRELIABLE;
        VipSetViAttributes(self.vi, &attributes);
        BOOST_TEST(VipConnectAccept(connection, self.vi) == VIP_INVALID_RELIABILITY_LEVEL);
        attributes = self.ViAttributes();
        attributes.MaxTransferSize = 4096;
        VipSetViAttributes(self.vi, &attributes);
        BOOST_TEST(VipConnectAccept(connection, self.vi) == VIP_INVALID_MTU);
        BOOST_TEST(self.State() == VIP_STATE_IDLE);
        attributes = self.ViAttributes();
        attributes.EnableRdmaWrite = VIP_FALSE; // need not be equal
        VipSetViAttributes(self.vi, &attributes);
        BOOST_TEST(VipConnectAccept(connection, self.vi) == VIP_SUCCESS);
    };
    RunApart(client, server);
}

BOOST_AUTO_TEST_CASE(ADisconnectByAnotherThreadEndsARequest)
{
    const auto client = [](Party& self) {
        ViplProcess::Running().StartThread([&self] {
            Pause(10 * PS_PER_MS);
            BOOST_TEST(self.State() == VIP_STATE_CONNECT_PENDING);
            BOOST_TEST(VipDisconnect(self.vi) == VIP_SUCCESS);
            BOOST_TEST(VipDestroyVi(self.vi) == VIP_SUCCESS);
        });
        BOOST_TEST(Request(self, VIP_INFINITE) == VIP_INVALID_STATE);
    };
    const auto server = [](Party& self) {
        VIP_CONN_HANDLE connection = nullptr;
        BOOST_TEST(WaitFor(self, 100, &connection) == VIP_SUCCESS);
        Pause(20 * PS_PER_MS);
        BOOST_TEST(VipConnectAccept(connection, self.vi) == VIP_SUCCESS);
        Pause(PS_PER_MS);
        BOOST_TEST(self.State() == VIP_STATE_ERROR);
    };
    RunApart(client, server);
}

BOOST_AUTO_TEST_CASE(ClosingTheNicRejectsWhatWasTakenAndEndsWaits)
{
    const auto client = [](Party& self) { BOOST_TEST(Request(self, VIP_INFINITE) == VIP_REJECT); };
    const auto server = [](Party& self) {
        VIP_CONN_HANDLE connection = nullptr;
        BOOST_TEST(WaitFor(self, 100, &connection) == VIP_SUCCESS);
        BOOST_TEST(VipDestroyVi(self.vi) == VIP_SUCCESS);
        VipDeregisterMem(self.nic, self.At(0), self.region);
        VipDeregisterMem(self.nic, self.Pool(), self.pool);
        VipDestroyPtag(self.nic, self.tag);
        ViplProcess::Running().StartThread([&self] {
            Pause(PS_PER_MS);
            BOOST_TEST(VipCloseNic(self.nic) == VIP_SUCCESS);
        });
        VIP_CONN_HANDLE none = nullptr;
        BOOST_TEST(WaitFor(self, VIP_INFINITE, &none) == VIP_INVALID_PARAMETER);
        BOOST_TEST(VipConnectReject(connection) == VIP_INVALID_PARAMETER);
    };
    RunApart(client, server);
}

BOOST_AUTO_TEST_CASE(TwoThreadsMayWaitForRequestsAtOnce)
{
    const auto client = [](Party& self) {
        BOOST_TEST(Request(self, 100) == VIP_SUCCESS);
        self.vi = self.CreateVi();
        BOOST_TEST(Request(self, 100, "other") == VIP_SUCCESS);
        self.vi = self.CreateVi();
        BOOST_TEST(Request(self, 100) == VIP_NO_MATCH);
    };
    const auto server = [](Party& self) {
        ViplProcess::Running().StartThread(
            [&self] { BOOST_TEST(self.Listen(self.CreateVi(), "other") == VIP_SUCCESS); });
        BOOST_TEST(self.Listen(self.vi) == VIP_SUCCESS);
    };
    RunApart(client, server);
}

BOOST_AUTO_TEST_CASE(AProcessMayConnectToItsOwnNode)
{
    Party ends[2];
    Cluster cluster{ClusterConfig{}};
    cluster.AddProcess(0, [&] {
        ends[0].Open({});
        BOOST_TEST(ends[0].Connect(ends[0].vi, 0) == VIP_SUCCESS);
        ends[0].Fill(0, 100, 1);
        ends[0].Send(ends[0].Make({ends[0].At(0, 100)}));
        BOOST_TEST(ends[0].Sent() == SENT);
        Pause(PS_PER_MS);
        return 0;
    });
    cluster.AddProcess(0, [&] {
        ends[1].Open({});
        ends[1].Receive(ends[1].Make({ends[1].At(0, 100)}));
        BOOST_TEST(ends[1].Listen(ends[1].vi) == VIP_SUCCESS);
        BOOST_TEST(ends[1].Received() == RECEIVED);
        BOOST_TEST(ends[1].Holds(0, 100, 1));
        return 0;
    });
    BOOST_TEST((cluster.Run().exit == RunExit::SUCCESS));
}

BOOST_AUTO_TEST_SUITE_END()
