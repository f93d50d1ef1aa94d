/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
// Functional: peer-to-peer connections, and the state of a VI while one is under way.

#include "conformance/via-conformance-bench.h"

using namespace ns3::via;
using namespace ns3::via::test;

namespace
{

std::uint32_t
Here()
{
    return FiberProcess::Current()->GetHost().Id();
}

/// A request from this node's @p mine to @p node's @p theirs.
VIP_RETURN
Ask(VIP_VI_HANDLE vi,
    std::uint32_t node,
    const std::string& mine,
    const std::string& theirs,
    VIP_ULONG timeout = 1000)
{
    Address from(Here(), mine);
    Address to(node, theirs);
    return VipConnectPeerRequest(vi, from, to, timeout);
}

VIP_RETURN
WaitFor(VIP_VI_HANDLE vi)
{
    VIP_VI_ATTRIBUTES attributes;
    return VipConnectPeerWait(vi, &attributes);
}

/// A VI of the party whose request to a peer that does not ask is under way.
VIP_VI_HANDLE
Pending(Party& self)
{
    const VIP_VI_HANDLE vi = self.CreateVi();
    BOOST_TEST(Ask(vi, 1, "here", "there") == VIP_SUCCESS);
    return vi;
}

/// Both sides ask for each other as "peer" after a pause of their own.
void
RunPeers(Ps first, Ps second, const PartyBody& one, const PartyBody& other)
{
    const auto start = [](Ps pause, std::uint32_t node, const PartyBody& body) {
        return [pause, node, &body](Party& self) {
            FiberProcess::Current()->SleepUntil(10 * PS_PER_MS + pause);
            self.Receive(self.Make({self.At(0, 100)}));
            BOOST_TEST(Ask(self.vi, node, "peer", "peer") == VIP_SUCCESS);
            body(self);
        };
    };
    RunApart(start(first, 1, one), start(second, 0, other));
}

/// Waits for the connection, then both send and receive.
void
Exchange(Party& self)
{
    BOOST_TEST(WaitFor(self.vi) == VIP_SUCCESS);
    BOOST_TEST(StateOf(self.vi) == VIP_STATE_CONNECTED);
    Pause(5 * PS_PER_MS);
    self.Send(self.Immediate(self.Make({}), 7));
    BOOST_TEST(self.Sent() == SENT);
    BOOST_TEST(self.Received() == (RECEIVED | VIP_STATUS_IMMEDIATE));
}

/// Peers whose attributes differ by @p change are both told @p expected.
void
ExpectPeerConflict(VIP_RETURN expected, const std::function<void(VIP_VI_ATTRIBUTES&)>& change)
{
    const auto one = [expected](Party& self) {
        Ask(self.vi, 1, "peer", "peer");
        BOOST_TEST(WaitFor(self.vi) == expected);
        BOOST_TEST(StateOf(self.vi) == VIP_STATE_IDLE);
    };
    const auto other = [expected, &change](Party& self) {
        VIP_VI_ATTRIBUTES attributes = self.ViAttributes();
        change(attributes);
        BOOST_TEST(VipSetViAttributes(self.vi, &attributes) == VIP_SUCCESS);
        Ask(self.vi, 0, "peer", "peer");
        BOOST_TEST(WaitFor(self.vi) == expected);
        BOOST_TEST(StateOf(self.vi) == VIP_STATE_IDLE);
    };
    RunApart(one, other);
}

} // namespace

BOOST_AUTO_TEST_SUITE(functional)

CONFORMANCE_CASE(PeersThatCrossConnect, "ConnectPeerRequest.cross ConnectPeerWait.connect")
{
    RunPeers(0, 0, Exchange, Exchange);
}

CONFORMANCE_CASE(APeerMayBeFirst, "ConnectPeerRequest.order")
{
    RunPeers(0, 50 * PS_PER_MS, Exchange, Exchange);
}

CONFORMANCE_CASE(APeerMayBeSecond, "ConnectPeerRequest.order")
{
    RunPeers(50 * PS_PER_MS, 0, Exchange, Exchange);
}

CONFORMANCE_CASE(PeersConnectHoweverTheirRequestsMeet, "ConnectPeerRequest.cross")
{
    for (int us = -60; us <= 60; us += 5)
    {
        RunPeers(PS_PER_MS, PS_PER_MS + us * PS_PER_US, Exchange, Exchange);
    }
}

CONFORMANCE_CASE(PeerDonePollsUntilTheConnectionStands, "ConnectPeerDone.poll")
{
    const auto poll = [](Party& self) {
        VIP_VI_ATTRIBUTES attributes;
        const Ps before = Now();
        BOOST_TEST(VipConnectPeerDone(self.vi, &attributes) == VIP_NOT_DONE);
        BOOST_TEST(Now() > before);
        VIP_RETURN result = VIP_NOT_DONE;
        while (result == VIP_NOT_DONE)
        {
            result = VipConnectPeerDone(self.vi, &attributes);
        }
        BOOST_TEST(result == VIP_SUCCESS);
        BOOST_TEST(attributes.MaxTransferSize == self.ViAttributes().MaxTransferSize);
        Pause(5 * PS_PER_MS);
        BOOST_TEST(SendOn(self, self.vi, self.Immediate(self.Make({}), 7)) == SENT);
    };
    RunPeers(0, 10 * PS_PER_MS, poll, Exchange);
}

CONFORMANCE_CASE(PeersThatUseDifferentNamesFindEachOther, "ConnectPeerRequest.match")
{
    const auto one = [](Party& self) {
        BOOST_TEST(Ask(self.vi, 1, "left", "right") == VIP_SUCCESS);
        BOOST_TEST(WaitFor(self.vi) == VIP_SUCCESS);
    };
    const auto other = [](Party& self) {
        BOOST_TEST(Ask(self.vi, 0, "right", "left") == VIP_SUCCESS);
        BOOST_TEST(WaitFor(self.vi) == VIP_SUCCESS);
    };
    RunApart(one, other);
}

CONFORMANCE_CASE(APeerThatNobodyAnswersTimesOut, "ConnectPeerWait.timeout")
{
    const auto one = [](Party& self) {
        const Ps before = Now();
        BOOST_TEST(Ask(self.vi, 1, "here", "there", 30) == VIP_SUCCESS);
        const VIP_RETURN result = WaitFor(self.vi);
        BOOST_TEST((result == VIP_TIMEOUT || result == VIP_NO_MATCH));
        BOOST_TEST(Now() - before <= 32 * PS_PER_MS);
        BOOST_TEST(StateOf(self.vi) == VIP_STATE_IDLE);
    };
    RunApart(one, [](Party&) {});
}

CONFORMANCE_CASE(ANameMustMatchBothWays, "ConnectPeerRequest.match ConnectPeerWait.timeout")
{
    const auto one = [](Party& self) {
        Ask(self.vi, 1, "left", "right", 50);
        BOOST_TEST(WaitFor(self.vi) != VIP_SUCCESS);
    };
    const auto other = [](Party& self) {
        Ask(self.vi, 0, "right", "somebody", 50); // wants another one
        BOOST_TEST(WaitFor(self.vi) != VIP_SUCCESS);
    };
    RunApart(one, other);
}

CONFORMANCE_CASE(APeerThatFailedMayAskAgain, "ConnectPeerWait.retry")
{
    const auto one = [](Party& self) {
        Ask(self.vi, 1, "peer", "peer", 20);
        BOOST_TEST(WaitFor(self.vi) != VIP_SUCCESS);
        BOOST_TEST(Ask(self.vi, 1, "peer", "peer") == VIP_SUCCESS);
        BOOST_TEST(WaitFor(self.vi) == VIP_SUCCESS);
    };
    const auto other = [](Party& self) {
        Pause(100 * PS_PER_MS);
        Ask(self.vi, 0, "peer", "peer");
        BOOST_TEST(WaitFor(self.vi) == VIP_SUCCESS);
    };
    RunApart(one, other);
}

CONFORMANCE_CASE(PeersOfUnequalTransferSizesAreTold, "ConnectPeerDone.conflict")
{
    ExpectPeerConflict(VIP_INVALID_MTU, [](VIP_VI_ATTRIBUTES& a) { a.MaxTransferSize = 4096; });
}

CONFORMANCE_CASE(PeersOfUnequalLevelsAreTold, "ConnectPeerDone.conflict")
{
    if (!Offered(Feature::RELIABLE_DELIVERY))
    {
        return;
    }
    ExpectPeerConflict(VIP_INVALID_RELIABILITY_LEVEL,
                       [](VIP_VI_ATTRIBUTES& a) { a.ReliabilityLevel = VIP_SERVICE_UNRELIABLE; });
}

CONFORMANCE_CASE(PeerCallsCheckTheirParameters,
                 "ConnectPeerRequest.parameters ConnectPeerDone.parameters")
{
    RunAlone([](Party& self) {
        VIP_VI_ATTRIBUTES out;
        Address a(0);
        BOOST_TEST(VipConnectPeerRequest(nullptr, a, a, 9) == REFUSED);
        BOOST_TEST(VipConnectPeerRequest(self.nic, a, a, 9) == REFUSED);
        BOOST_TEST(VipConnectPeerRequest(self.vi, nullptr, a, 9) == REFUSED);
        BOOST_TEST(VipConnectPeerRequest(self.vi, a, nullptr, 9) == REFUSED);
        for (const auto call : {VipConnectPeerDone, VipConnectPeerWait})
        {
            BOOST_TEST(call(nullptr, &out) == REFUSED);
            BOOST_TEST(call(self.vi, nullptr) == REFUSED);
            BOOST_TEST(call(self.vi, &out) == VIP_INVALID_STATE); // it never asked
        }
        BOOST_TEST(StateOf(self.vi) == VIP_STATE_IDLE);
    });
}

CONFORMANCE_CASE(APeerRequestNeedsATimeout, "ConnectPeerRequest.zero-timeout")
{
    RunAlone([](Party& self) {
        BOOST_TEST(Ask(self.vi, 0, "x", "y", 0) == REFUSED);
        BOOST_TEST(StateOf(self.vi) == VIP_STATE_IDLE);
    });
}

CONFORMANCE_CASE(APeerOnAHostThatIsNotThereIsNotReachable, "ConnectPeerDone.unreachable")
{
    RunAlone([](Party& self) {
        BOOST_TEST(Ask(self.vi, 1000, "x", "y") == VIP_SUCCESS);
        BOOST_TEST(WaitFor(self.vi) == VIP_NOT_REACHABLE);
        BOOST_TEST(StateOf(self.vi) == VIP_STATE_IDLE);
    });
}

CONFORMANCE_CASE(TwoVisOfOneProcessArePeers, "ConnectPeerRequest.loopback")
{
    RunAlone([](Party& self) {
        const VIP_VI_HANDLE other = self.CreateVi();
        BOOST_TEST(Ask(self.vi, 0, "left", "right") == VIP_SUCCESS);
        BOOST_TEST(Ask(other, 0, "right", "left") == VIP_SUCCESS);
        BOOST_TEST(WaitFor(self.vi) == VIP_SUCCESS);
        BOOST_TEST(WaitFor(other) == VIP_SUCCESS);
        self.Fill(0, 100, 1);
        VipPostRecv(other, self.Make({self.At(1000, 100)}), self.pool);
        BOOST_TEST(SendOn(self, self.vi, self.Make({self.At(0, 100)})) == SENT);
        BOOST_TEST(ReceivedOn(self, other) == RECEIVED);
        BOOST_TEST(self.Holds(1000, 100, 1));
    });
}

CONFORMANCE_CASE(OnlyAnIdleViAsksForAPeer, "ConnectPeerRequest.state")
{
    const auto client = [](Party& self, Party&) {
        BOOST_TEST(Ask(self.vi, 1, "x", "y") == VIP_INVALID_STATE);
        VipDisconnect(self.vi);
    };
    const auto server = [](Party& self, Party&) {
        Pause(20 * PS_PER_MS);
        BOOST_TEST(StateOf(self.vi) == VIP_STATE_ERROR);
        BOOST_TEST(Ask(self.vi, 0, "x", "y") == VIP_INVALID_STATE);
    };
    RunPair(client, server);
}

CONFORMANCE_CASE(AServerDoesNotAnswerAPeer, "ConnectPeerRequest.kind")
{
    const auto one = [](Party& self) {
        Ask(self.vi, 1, "client", "vipl", 50);
        BOOST_TEST(WaitFor(self.vi) != VIP_SUCCESS);
    };
    RunApart(one, [](Party& self) { BOOST_TEST(Await(self, "vipl", 100) == nullptr); });
}

CONFORMANCE_CASE(PendingIsAStateOfItsOwn, "state.pending ConnectPeerRequest.pending")
{
    const auto body = [](Party& self) {
        const VIP_VI_HANDLE vi = Pending(self);
        VIP_VI_ATTRIBUTES attributes = self.ViAttributes();
        BOOST_TEST(StateOf(vi) == VIP_STATE_CONNECT_PENDING);
        BOOST_TEST(Request(vi) == VIP_INVALID_STATE);
        BOOST_TEST(Ask(vi, 1, "x", "y") == VIP_INVALID_STATE);
        BOOST_TEST(VipSetViAttributes(vi, &attributes) == VIP_INVALID_STATE);
        BOOST_TEST(VipDestroyVi(vi) == VIP_INVALID_STATE);
        BOOST_TEST(StateOf(vi) == VIP_STATE_CONNECT_PENDING);
        VipDisconnect(vi);
    };
    RunApart(body, [](Party&) {});
}

CONFORMANCE_CASE(PendingAReceiveIsQueuedAndASendFlushed, "state.pending-posts")
{
    const auto body = [](Party& self) {
        const VIP_VI_HANDLE vi = Pending(self);
        VipPostRecv(vi, self.Make({}), self.pool);
        BOOST_TEST(VipRecvDone(vi, &self.last) == VIP_NOT_DONE);
        BOOST_TEST(SendOn(self, vi, self.Make({})) == FLUSHED);
        VipDisconnect(vi);
        BOOST_TEST(ReceivedOn(self, vi) == FLUSHED_RECEIVE);
    };
    RunApart(body, [](Party&) {});
}

CONFORMANCE_CASE(PendingADisconnectLeadsToIdle, "state.pending-disconnect")
{
    const auto body = [](Party& self) {
        const VIP_VI_HANDLE vi = Pending(self);
        BOOST_TEST(VipDisconnect(vi) == VIP_SUCCESS);
        BOOST_TEST(StateOf(vi) == VIP_STATE_IDLE);
        BOOST_TEST(VipDestroyVi(vi) == VIP_SUCCESS);
    };
    RunApart(body, [](Party&) {});
}

CONFORMANCE_CASE(PendingAnAcceptIsRefused, "state.pending ConnectAccept.state")
{
    const auto client = [](Party& self) {
        const VIP_CONN_HANDLE connection = Await(self);
        const VIP_VI_HANDLE vi = Pending(self);
        BOOST_TEST(VipConnectAccept(connection, vi) == VIP_INVALID_STATE);
        VipDisconnect(vi);
        BOOST_TEST(VipConnectReject(connection) == VIP_SUCCESS);
    };
    const auto server = [](Party& self) {
        Pause(10 * PS_PER_MS);
        BOOST_TEST(Request(self.vi, 0) == VIP_REJECT);
    };
    RunApart(client, server);
}

BOOST_AUTO_TEST_SUITE_END()
