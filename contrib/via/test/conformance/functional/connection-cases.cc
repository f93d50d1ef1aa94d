/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
// Functional: who is connected with whom, and attributes that must be equal.

#include "conformance/via-conformance-bench.h"

using namespace ns3::via;
using namespace ns3::via::test;

namespace
{

/**
 * A server whose VI differs by @p change is told @p expected, the client nothing; it mends its VI
 * and accepts.
 */
void
ExpectConflict(VIP_RETURN expected, const std::function<void(VIP_VI_ATTRIBUTES&)>& change)
{
    const auto client = [](Party& self) { BOOST_TEST(Request(self.vi) == VIP_SUCCESS); };
    const auto server = [&](Party& self) {
        VIP_VI_ATTRIBUTES attributes = self.ViAttributes();
        change(attributes);
        BOOST_TEST(VipSetViAttributes(self.vi, &attributes) == VIP_SUCCESS);
        const VIP_CONN_HANDLE connection = Await(self);
        BOOST_TEST(VipConnectAccept(connection, self.vi) == expected);
        BOOST_TEST(StateOf(self.vi) == VIP_STATE_IDLE);
        attributes = self.ViAttributes();
        VipSetViAttributes(self.vi, &attributes);
        BOOST_TEST(VipConnectAccept(connection, self.vi) == VIP_SUCCESS);
    };
    RunApart(client, server);
}

/// Attributes that need not be equal.
void
ExpectNoConflict(const std::function<void(VIP_VI_ATTRIBUTES&)>& change)
{
    const auto client = [](Party& self) { BOOST_TEST(Request(self.vi) == VIP_SUCCESS); };
    const auto server = [&](Party& self) {
        VIP_VI_ATTRIBUTES attributes = self.ViAttributes();
        change(attributes);
        VipSetViAttributes(self.vi, &attributes);
        BOOST_TEST(VipConnectAccept(Await(self), self.vi) == VIP_SUCCESS);
    };
    RunApart(client, server);
}

} // namespace

BOOST_AUTO_TEST_SUITE(functional)

CONFORMANCE_CASE(LevelsMustBeEqual, "ConnectAccept.level ConnectAccept.again")
{
    if (!Offered(Feature::RELIABLE_DELIVERY))
    {
        return;
    }
    ExpectConflict(VIP_INVALID_RELIABILITY_LEVEL,
                   [](VIP_VI_ATTRIBUTES& a) { a.ReliabilityLevel = VIP_SERVICE_UNRELIABLE; });
}

CONFORMANCE_CASE(TransferSizesMustBeEqual, "ConnectAccept.mtu ConnectAccept.again")
{
    ExpectConflict(VIP_INVALID_MTU, [](VIP_VI_ATTRIBUTES& a) { a.MaxTransferSize = 4096; });
}

CONFORMANCE_CASE(AServerMayRejectAfterAConflict, "ConnectAccept.conflict-reject")
{
    const auto client = [](Party& self) { BOOST_TEST(Request(self.vi) == VIP_REJECT); };
    const auto server = [](Party& self) {
        VIP_VI_ATTRIBUTES attributes = self.ViAttributes();
        attributes.MaxTransferSize = 4096;
        VipSetViAttributes(self.vi, &attributes);
        const VIP_CONN_HANDLE connection = Await(self);
        BOOST_TEST(VipConnectAccept(connection, self.vi) == VIP_INVALID_MTU);
        BOOST_TEST(VipConnectReject(connection) == VIP_SUCCESS);
    };
    RunApart(client, server);
}

CONFORMANCE_CASE(RdmaEnablesNeedNotBeEqual, "ConnectAccept.unequal-allowed")
{
    ExpectNoConflict([](VIP_VI_ATTRIBUTES& a) { a.EnableRdmaWrite = VIP_FALSE; });
}

CONFORMANCE_CASE(TagsNeedNotBeEqual, "ConnectAccept.unequal-allowed")
{
    const auto server = [](Party& self) {
        VIP_PROTECTION_HANDLE tag = nullptr;
        VipCreatePtag(self.nic, &tag);
        VIP_VI_ATTRIBUTES attributes = self.ViAttributes();
        attributes.Ptag = tag;
        VipSetViAttributes(self.vi, &attributes);
        BOOST_TEST(VipConnectAccept(Await(self), self.vi) == VIP_SUCCESS);
    };
    RunApart([](Party& self) { BOOST_TEST(Request(self.vi) == VIP_SUCCESS); }, server);
}

CONFORMANCE_CASE(ARefusedAcceptLeavesTheRequest, "ConnectAccept.state ConnectAccept.again")
{
    const auto client = [](Party& self) {
        BOOST_TEST(Request(self.vi, 1, "a") == VIP_SUCCESS);
        BOOST_TEST(Request(self.CreateVi(), 1, "b") == VIP_SUCCESS);
    };
    const auto server = [](Party& self) {
        VipConnectAccept(Await(self, "a"), self.vi);
        const VIP_CONN_HANDLE connection = Await(self, "b");
        BOOST_TEST(VipConnectAccept(connection, self.vi) == VIP_INVALID_STATE);
        BOOST_TEST(VipConnectAccept(connection, nullptr) == REFUSED);
        BOOST_TEST(VipConnectAccept(connection, self.CreateVi()) == VIP_SUCCESS);
    };
    RunApart(client, server);
}

CONFORMANCE_CASE(AnAcceptThatComesTooLateConnectsNobody, "ConnectAccept.late")
{
    const auto client = [](Party& self) {
        BOOST_TEST(Request(self.vi, 1, "vipl", 20) == VIP_TIMEOUT);
        Pause(100 * PS_PER_MS);
        BOOST_TEST(StateOf(self.vi) == VIP_STATE_IDLE);
    };
    const auto server = [](Party& self) {
        const VIP_CONN_HANDLE connection = Await(self);
        Pause(40 * PS_PER_MS);
        const VIP_RETURN result = VipConnectAccept(connection, self.vi);
        BOOST_TEST((result == VIP_SUCCESS || result == VIP_TIMEOUT));
        Pause(20 * PS_PER_MS); // either it was told at once, or its VI breaks
        BOOST_TEST(StateOf(self.vi) == (result == VIP_SUCCESS ? VIP_STATE_ERROR : VIP_STATE_IDLE));
        BOOST_TEST(self.Errors() == (result == VIP_SUCCESS ? "CONN_LOST" : ""));
        BOOST_TEST(VipDisconnect(self.vi) == VIP_SUCCESS);
    };
    RunApart(client, server);
}

CONFORMANCE_CASE(AHostThatIsNotThereIsNotReachable, "ConnectRequest.unreachable")
{
    RunAlone([](Party& self) {
        VIP_VI_ATTRIBUTES out;
        BOOST_TEST(VipConnectRequest(self.vi, Address(0), Address(1000), 9, &out) ==
                   VIP_NOT_REACHABLE);
        BOOST_TEST(StateOf(self.vi) == VIP_STATE_IDLE);
    });
}

CONFORMANCE_CASE(DiscriminatorsAreOfAnyLengthUpToTheNics, "ConnectWait.discriminator")
{
    VIP_USHORT most = 0;
    RunAlone([&](Party& self) { most = NicOf(self).MaxDiscriminatorLen; });
    BOOST_TEST(most >= 4);
    const auto client = [most](Party& self) {
        for (VIP_USHORT length = 0; length <= most; ++length)
        {
            const std::string name(length, 'd');
            VIP_RETURN result = VIP_NO_MATCH;
            while (result == VIP_NO_MATCH)
            {
                result = Request(self.vi, 1, name);
            }
            BOOST_TEST(result == VIP_REJECT);
        }
    };
    const auto server = [most](Party& self) {
        for (VIP_USHORT length = 0; length <= most; ++length)
        {
            BOOST_TEST(VipConnectReject(Await(self, std::string(length, 'd'))) == VIP_SUCCESS);
        }
    };
    RunApart(client, server);
}

CONFORMANCE_CASE(ADiscriminatorThatIsTooLongIsRefused, "ConnectWait.discriminator")
{
    RunAlone([](Party& self) {
        const std::string name(NicOf(self).MaxDiscriminatorLen + 1u, 'd');
        Address local(0, name);
        Address from(9, "----------------");
        VIP_VI_ATTRIBUTES out;
        VIP_CONN_HANDLE connection = nullptr;
        BOOST_TEST(Request(self.vi, 0, name) == REFUSED);
        BOOST_TEST(VipConnectWait(self.nic, local, 9, from, &out, &connection) == REFUSED);
        BOOST_TEST(VipConnectRequest(self.vi, local, Address(0), 9, &out) == REFUSED);
    });
}

CONFORMANCE_CASE(ADiscriminatorMayHoldAnyByte, "ConnectWait.match")
{
    const std::string zeros("\0\xff\0\1", 4);
    const auto client = [&](Party& self) {
        BOOST_TEST(Request(self.vi, 1, std::string("\0\xff\0\2", 4)) == VIP_NO_MATCH);
        BOOST_TEST(Request(self.vi, 1, zeros) == VIP_SUCCESS);
    };
    const auto server = [&](Party& self) {
        BOOST_TEST(VipConnectAccept(Await(self, zeros), self.vi) == VIP_SUCCESS);
    };
    RunApart(client, server);
}

CONFORMANCE_CASE(OnlyTheRequestsRemoteAddressIsMatched, "ConnectWait.remote-only")
{
    const auto client = [](Party& self) {
        VIP_VI_ATTRIBUTES out;
        Address local(0, "whatever");
        BOOST_TEST(VipConnectRequest(self.vi, local, Address(1), 500, &out) == VIP_SUCCESS);
    };
    const auto server = [](Party& self) {
        BOOST_TEST(VipConnectAccept(Await(self), self.vi) == VIP_SUCCESS);
    };
    RunApart(client, server);
}

CONFORMANCE_CASE(ServersOfANodeWaitSideBySide, "ConnectWait.several")
{
    const auto client = [](Party& self, Cast&) {
        Pause(PS_PER_MS); // until both servers wait
        BOOST_TEST(Request(self.vi, 1, "two") == VIP_SUCCESS);
        BOOST_TEST(Request(self.CreateVi(), 1, "one") == VIP_REJECT);
        BOOST_TEST(Request(self.CreateVi(), 1, "three") == VIP_NO_MATCH);
    };
    const auto one = [](Party& self, Cast&) {
        BOOST_TEST(VipConnectReject(Await(self, "one")) == VIP_SUCCESS);
    };
    const auto two = [](Party& self, Cast&) {
        BOOST_TEST(VipConnectAccept(Await(self, "two"), self.vi) == VIP_SUCCESS);
    };
    RunCast({{0, client}, {1, one}, {1, two}});
}

CONFORMANCE_CASE(AWaitTakesOneRequest, "ConnectWait.one")
{
    const auto quick = [](Party& self, Cast&) {
        BOOST_TEST(Request(self.vi, 1, "vipl", 100) == VIP_SUCCESS);
    };
    const auto late = [](Party& self, Cast&) {
        Pause(40 * PS_PER_MS);
        BOOST_TEST(Request(self.vi, 1, "vipl", 100) == VIP_NO_MATCH);
    };
    const auto server = [](Party& self, Cast&) {
        BOOST_TEST(VipConnectAccept(Await(self), self.vi) == VIP_SUCCESS);
    };
    RunCast({{0, quick}, {2, late}, {1, server}});
}

CONFORMANCE_CASE(ClientsAreServedInTheOrderOfTheirRequests, "ConnectWait.order")
{
    const auto client = [](std::uint32_t place) {
        return [place](Party& self, Cast&) {
            Pause(place * 10 * PS_PER_MS);
            VIP_RETURN result = VIP_NO_MATCH;
            while (result == VIP_NO_MATCH)
            {
                result = Request(self.vi, 1);
            }
            BOOST_TEST(result == VIP_SUCCESS);
        };
    };
    const auto server = [](Party& self, Cast&) {
        for (const std::uint32_t node : {0u, 2u, 3u})
        {
            Address from(9, "----------------");
            VIP_VI_ATTRIBUTES attributes;
            VIP_CONN_HANDLE connection = nullptr;
            VipConnectWait(self.nic, Address(1), 500, from, &attributes, &connection);
            BOOST_TEST(from.Bytes() == Address(node, "client").Bytes());
            BOOST_TEST(VipConnectAccept(connection, self.CreateVi()) == VIP_SUCCESS);
        }
    };
    RunCast({{0, client(0)}, {1, server}, {2, client(1)}, {3, client(2)}});
}

CONFORMANCE_CASE(ProcessesOfOneNodeConnect, "ConnectRequest.loopback")
{
    const auto client = [](Party& self, Cast&) {
        BOOST_TEST(Request(self.vi, 0) == VIP_SUCCESS);
        self.Fill(0, 1000, 3);
        BOOST_TEST(SendOn(self, self.vi, self.Make({self.At(0, 1000)})) == SENT);
    };
    const auto server = [](Party& self, Cast&) {
        self.Receive(self.Make({self.At(0, 1000)}));
        BOOST_TEST(VipConnectAccept(Await(self), self.vi) == VIP_SUCCESS);
        BOOST_TEST(self.Received() == RECEIVED);
        BOOST_TEST(self.Holds(0, 1000, 3));
    };
    RunCast({{0, client}, {0, server}});
}

BOOST_AUTO_TEST_SUITE_END()
