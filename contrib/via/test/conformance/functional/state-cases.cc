/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
// Functional: the state machine of a VI, state by state.

#include "conformance/via-conformance-bench.h"

using namespace ns3::via;
using namespace ns3::via::test;

namespace
{

/// Runs @p body on a server whose VI is in the error state, because its peer has left.
void
RunBroken(const PartyBody& body)
{
    const auto client = [](Party& self, Party&) { VipDisconnect(self.vi); };
    const auto server = [&body](Party& self, Party&) {
        Pause(20 * PS_PER_MS);
        BOOST_TEST(StateOf(self.vi) == VIP_STATE_ERROR);
        body(self);
    };
    RunPair(client, server);
}

/// What calls that connect say to a VI that is not idle.
void
ExpectNoConnection(Party& self, VIP_VI_HANDLE vi)
{
    const VIP_VI_STATE before = StateOf(vi);
    BOOST_TEST(Request(vi, 1) == VIP_INVALID_STATE);
    VIP_VI_ATTRIBUTES attributes = self.ViAttributes();
    BOOST_TEST(VipSetViAttributes(vi, &attributes) == VIP_INVALID_STATE);
    BOOST_TEST(VipDestroyVi(vi) == VIP_INVALID_STATE);
    BOOST_TEST(StateOf(vi) == before);
}

} // namespace

BOOST_AUTO_TEST_SUITE(functional)

CONFORMANCE_CASE(IdleASendIsFlushedAtOnce, "state.idle-send status.flushed")
{
    RunAlone([](Party& self) {
        BOOST_TEST(self.Send(self.Make({self.At(0, 100)})) == VIP_SUCCESS);
        BOOST_TEST(self.Sent() == FLUSHED);
        BOOST_TEST(StateOf(self.vi) == VIP_STATE_IDLE);
        BOOST_TEST(self.Errors() == "");
    });
}

CONFORMANCE_CASE(IdleAReceiveStaysQueued, "state.idle PostRecv.idle")
{
    RunAlone([](Party& self) {
        self.Receive(self.Make({}));
        Pause(PS_PER_MS);
        BOOST_TEST(VipRecvDone(self.vi, &self.last) == VIP_NOT_DONE);
        VipDisconnect(self.vi);
        BOOST_TEST(self.Received() == FLUSHED_RECEIVE);
    });
}

CONFORMANCE_CASE(ConnectedAViTakesNoOtherConnection, "state.connected ConnectAccept.state")
{
    const auto client = [](Party& self) {
        BOOST_TEST(Request(self.vi) == VIP_SUCCESS);
        ExpectNoConnection(self, self.vi);
        BOOST_TEST(Request(self.CreateVi()) == VIP_REJECT);
    };
    const auto server = [](Party& self) {
        VipConnectAccept(Await(self), self.vi);
        const VIP_CONN_HANDLE second = Await(self);
        BOOST_TEST(VipConnectAccept(second, self.vi) == VIP_INVALID_STATE);
        BOOST_TEST(StateOf(self.vi) == VIP_STATE_CONNECTED);
        BOOST_TEST(VipConnectReject(second) == VIP_SUCCESS);
    };
    RunApart(client, server);
}

CONFORMANCE_CASE(BrokenAViFlushesWhateverIsPosted, "state.error-posts")
{
    RunBroken([](Party& self) {
        BOOST_TEST(self.Send(self.Make({})) == VIP_SUCCESS);
        BOOST_TEST(self.Sent() == FLUSHED);
        BOOST_TEST(self.Receive(self.Make({})) == VIP_SUCCESS);
        BOOST_TEST(self.Received() == FLUSHED_RECEIVE);
        BOOST_TEST(StateOf(self.vi) == VIP_STATE_ERROR);
    });
}

CONFORMANCE_CASE(BrokenAViTakesNoConnection, "state.error")
{
    RunBroken([](Party& self) { ExpectNoConnection(self, self.vi); });
}

CONFORMANCE_CASE(BrokenAViIsMadeIdleByDisconnectAlone, "state.error-disconnect")
{
    RunBroken([](Party& self) {
        self.Received();
        BOOST_TEST(StateOf(self.vi) == VIP_STATE_ERROR);
        BOOST_TEST(VipDisconnect(self.vi) == VIP_SUCCESS);
        BOOST_TEST(StateOf(self.vi) == VIP_STATE_IDLE);
        BOOST_TEST(VipDestroyVi(self.vi) == VIP_SUCCESS);
    });
}

CONFORMANCE_CASE(ARequestThatFailsLeavesAnIdleVi, "state.failed-request")
{
    const auto client = [](Party& self) {
        self.Receive(self.Make({}));
        BOOST_TEST(Request(self.vi, 1, "nobody") == VIP_NO_MATCH);
        BOOST_TEST(StateOf(self.vi) == VIP_STATE_IDLE);
        BOOST_TEST(Request(self.vi, 1, "mute", 10) == VIP_TIMEOUT);
        BOOST_TEST(StateOf(self.vi) == VIP_STATE_IDLE);
        BOOST_TEST(Request(self.vi, 1, "no") == VIP_REJECT);
        BOOST_TEST(StateOf(self.vi) == VIP_STATE_IDLE);
        BOOST_TEST(VipRecvDone(self.vi, &self.last) == VIP_NOT_DONE); // what waits, waits on
        BOOST_TEST(self.Errors() == "");
    };
    const auto server = [](Party& self) {
        BOOST_TEST(Await(self, "mute") != nullptr);
        BOOST_TEST(VipConnectReject(Await(self, "no")) == VIP_SUCCESS);
    };
    RunApart(client, server);
}

BOOST_AUTO_TEST_SUITE_END()
