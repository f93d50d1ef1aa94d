/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
// Functional: ends of connections, and what they do to data under way.

#include "conformance/via-conformance-bench.h"

using namespace ns3::via;
using namespace ns3::via::test;

BOOST_AUTO_TEST_SUITE(functional)

CONFORMANCE_CASE(WhatWasPostedBeforeADisconnectArrives, "Disconnect.drain")
{
    const auto client = [](Party& self, Party&) {
        self.Fill(0, 30000, 1);
        for (int i = 0; i < 3; ++i)
        {
            self.Send(self.Make({self.At(0, 30000)}));
        }
        VipDisconnect(self.vi);
        for (int i = 0; i < 3; ++i)
        {
            BOOST_TEST(self.Sent() == SENT);
        }
    };
    const auto server = [](Party& self, Party&) {
        for (int i = 0; i < 4; ++i)
        {
            self.Receive(self.Make({self.At(0, 30000)}));
        }
        for (int i = 0; i < 3; ++i)
        {
            BOOST_TEST(self.Received() == RECEIVED);
        }
        BOOST_TEST(self.Holds(0, 30000, 1));
        BOOST_TEST(self.Received() == FLUSHED_RECEIVE);
    };
    RunPair(client, server);
}

CONFORMANCE_CASE(ANoticeComesBehindDataOfTheSameVi, "Disconnect.behind-data")
{
    const auto client = [](Party& self, Party& peer) {
        self.Fill(0, 32000, 1);
        self.Send(self.Write(peer.At(0, 0), {self.At(0, 32000)}));
        VipDisconnect(self.vi);
    };
    const auto server = [](Party& self, Party&) {
        while (StateOf(self.vi) == VIP_STATE_CONNECTED)
        {
        }
        BOOST_TEST(self.Holds(0, 32000, 1));
        Pause(PS_PER_MS);
        BOOST_TEST(self.Errors() == "CONN_LOST");
    };
    RunPair(client, server);
}

CONFORMANCE_CASE(ANoticeComesBehindDataOfAnotherVi, "order.across-vis Disconnect.behind-data")
{
    const auto client = [](Party& self, Party&) {
        const VIP_VI_HANDLE second = self.CreateVi();
        BOOST_TEST(self.Connect(second, 1, "two") == VIP_SUCCESS);
        Pause(PS_PER_MS);
        self.Send(self.Make({self.At(0, 32000)}));
        VipDisconnect(second);
    };
    const auto server = [](Party& self, Party&) {
        const VIP_VI_HANDLE second = self.CreateVi(nullptr, self.cq);
        self.Receive(self.Make({self.At(0, 32000)}));
        VipPostRecv(second, self.Make({}), self.pool);
        BOOST_TEST(self.Listen(second, "two") == VIP_SUCCESS);
        BOOST_TEST(Popped(self, self.vi) == "receive");
        BOOST_TEST(VipRecvDone(self.vi, &self.last) == VIP_SUCCESS);
        BOOST_TEST(Popped(self, second) == "receive");
        BOOST_TEST(VipRecvDone(second, &self.last) == VIP_DESCRIPTOR_ERROR);
    };
    RunPair(client, server, WithCq());
}

CONFORMANCE_CASE(ADisconnectWakesWhoWaits, "Disconnect.notice status.flushed")
{
    const auto client = [](Party& self, Party&) {
        Pause(30 * PS_PER_MS);
        VipDisconnect(self.vi);
    };
    const auto server = [](Party& self, Party&) {
        self.Receive(self.Make({}));
        BOOST_TEST(VipRecvWait(self.vi, VIP_INFINITE, &self.last) == VIP_DESCRIPTOR_ERROR);
        BOOST_TEST(self.last->CS.Status == FLUSHED_RECEIVE);
    };
    RunPair(client, server);
}

CONFORMANCE_CASE(BothMayDisconnectAtOnce, "Disconnect.both")
{
    const auto leave = [](Party& self, Party&) {
        FiberProcess::Current()->SleepUntil(100 * PS_PER_MS);
        self.Receive(self.Make({}));
        BOOST_TEST(VipDisconnect(self.vi) == VIP_SUCCESS);
        BOOST_TEST(StateOf(self.vi) == VIP_STATE_IDLE);
        BOOST_TEST(self.Received() == FLUSHED_RECEIVE);
        Pause(10 * PS_PER_MS);
        BOOST_TEST(StateOf(self.vi) == VIP_STATE_IDLE); // an old notice breaks nothing
        BOOST_TEST(VipDestroyVi(self.vi) == VIP_SUCCESS);
    };
    RunPair(leave, leave);
}

CONFORMANCE_CASE(AnOldNoticeDoesNotBreakTheNextConnection, "Disconnect.reconnect")
{
    const auto client = [](Party& self, Party&) {
        for (int i = 0; i < 5; ++i)
        {
            VipDisconnect(self.vi);
            BOOST_TEST(self.Connect(self.vi, 1) == VIP_SUCCESS);
        }
        Pause(20 * PS_PER_MS);
        BOOST_TEST(StateOf(self.vi) == VIP_STATE_CONNECTED);
        BOOST_TEST(self.Errors() == "");
    };
    const auto server = [](Party& self, Party&) {
        for (int i = 0; i < 5; ++i)
        {
            while (StateOf(self.vi) == VIP_STATE_CONNECTED)
            {
            }
            VipDisconnect(self.vi);
            BOOST_TEST(self.Listen(self.vi) == VIP_SUCCESS);
        }
        Pause(20 * PS_PER_MS);
        BOOST_TEST(StateOf(self.vi) == VIP_STATE_CONNECTED);
    };
    RunPair(client, server);
}

CONFORMANCE_CASE(ADataLessConnectionTellsItsLoss, "Disconnect.notice QueryVi.state")
{
    const auto client = [](Party& self, Party&) {
        Pause(10 * PS_PER_MS);
        VipDisconnect(self.vi);
    };
    const auto server = [](Party& self, Party&) {
        BOOST_TEST(StateOf(self.vi) == VIP_STATE_CONNECTED);
        while (StateOf(self.vi) == VIP_STATE_CONNECTED) // as programs notice it
        {
        }
        BOOST_TEST(StateOf(self.vi) == VIP_STATE_ERROR);
        BOOST_TEST(VipDisconnect(self.vi) == VIP_SUCCESS);
        BOOST_TEST(VipDisconnect(self.vi) == VIP_SUCCESS);
    };
    RunPair(client, server);
}

CONFORMANCE_CASE(DescriptorsOfABrokenViAreHarvestedInOrder, "status.flushed order.queue")
{
    const auto server = [](Party& self, Party&) {
        VIP_DESCRIPTOR* posted[4];
        for (VIP_DESCRIPTOR*& descriptor : posted)
        {
            self.Receive(descriptor = self.Make({}));
        }
        for (const VIP_DESCRIPTOR* descriptor : posted)
        {
            BOOST_TEST(self.Received() == FLUSHED_RECEIVE);
            BOOST_TEST(self.last == descriptor);
        }
    };
    RunPair([](Party& self, Party&) { VipDisconnect(self.vi); }, server);
}

CONFORMANCE_CASE(FlushedDescriptorsNameTheirOperation, "status.flushed")
{
    const auto flushedWrite = FLUSHED | VIP_STATUS_OP_RDMA_WRITE;
    const auto client = [=](Party& self, Party& peer) {
        self.Send(self.Make({}, VIP_CONTROL_OP_RDMAWRITE)); // without an address: a format error
        self.Send(self.Write(peer.At(0, 0), {self.At(0, 10)}));
        self.Send(self.Make({}));
        BOOST_TEST((self.Sent() & VIP_STATUS_ERROR_MASK) == VIP_STATUS_FORMAT_ERROR);
        BOOST_TEST(self.Sent() == flushedWrite);
        BOOST_TEST(self.Sent() == FLUSHED);
        self.Send(self.Write(peer.At(0, 0), {self.At(0, 10)})); // to a VI that is broken
        BOOST_TEST(self.Sent() == flushedWrite);
    };
    if (Offered(Feature::RELIABLE_DELIVERY))
    {
        RunPair(client, Nothing, At(VIP_SERVICE_RELIABLE_DELIVERY));
    }
}

CONFORMANCE_CASE(AnExitingProcessTakesItsConnectionsAlong, "process.exit async.conn-lost")
{
    Party ends[2];
    const auto client = [&] {
        ends[0].Open({});
        BOOST_TEST(ends[0].Connect(ends[0].vi, 1) == VIP_SUCCESS);
    };
    const auto server = [&] {
        ends[1].Open({});
        ends[1].Receive(ends[1].Make({}));
        BOOST_TEST(ends[1].Listen(ends[1].vi) == VIP_SUCCESS);
        BOOST_TEST(ends[1].Received() == FLUSHED_RECEIVE);
        BOOST_TEST(ends[1].Errors() == "CONN_LOST");
    };
    BOOST_TEST((RunEach({client, server}).exit == RunExit::SUCCESS));
}

CONFORMANCE_CASE(AnExitingServerRejectsWhomItLeavesWaiting, "process.exit ConnectReject.told")
{
    Party ends[2];
    const auto client = [&] {
        ends[0].Open({});
        Pause(PS_PER_MS);
        BOOST_TEST(Request(ends[0].vi, 1, "vipl", VIP_INFINITE) == VIP_REJECT);
    };
    const auto server = [&] {
        ends[1].Open({});
        BOOST_TEST(Await(ends[1]) != nullptr);
    };
    BOOST_TEST((RunEach({client, server}).exit == RunExit::SUCCESS));
}

CONFORMANCE_CASE(OthersGoOnWhenAProcessExits, "process.exit")
{
    const auto client = [](Party& self, Cast&) {
        VIP_VI_HANDLE both[2] = {self.vi, self.CreateVi()};
        BOOST_TEST(Request(both[0], 1, "stays") == VIP_SUCCESS);
        BOOST_TEST(Request(both[1], 1, "leaves") == VIP_SUCCESS);
        Pause(50 * PS_PER_MS);
        BOOST_TEST(StateOf(both[1]) == VIP_STATE_ERROR);
        BOOST_TEST(SendOn(self, both[0], self.Make({})) == SENT);
    };
    const auto stays = [](Party& self, Cast&) {
        self.Receive(self.Make({}));
        VipConnectAccept(Await(self, "stays"), self.vi);
        BOOST_TEST(self.Received() == RECEIVED);
    };
    const auto leaves = [](Party& self, Cast&) {
        VipConnectAccept(Await(self, "leaves"), self.vi);
        Pause(10 * PS_PER_MS);
        BOOST_TEST(VipDisconnect(self.vi) == VIP_SUCCESS);
        BOOST_TEST(VipDestroyVi(self.vi) == VIP_SUCCESS);
        VipDeregisterMem(self.nic, self.At(0), self.region);
        VipDeregisterMem(self.nic, self.Pool(), self.pool);
        VipDestroyPtag(self.nic, self.tag);
        BOOST_TEST(VipCloseNic(self.nic) == VIP_SUCCESS);
    };
    RunCast({{0, client}, {1, stays}, {1, leaves}});
}

BOOST_AUTO_TEST_SUITE_END()
