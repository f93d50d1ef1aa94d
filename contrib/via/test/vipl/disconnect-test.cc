/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
// VIPL: ends of connections, and the asynchronous errors that tell of them.

#include "support/via-test-vipl-bench.h"

using namespace ns3::via;
using namespace ns3::via::test;

namespace
{

constexpr VIP_UINT32 FLUSHED = VIP_STATUS_DONE | VIP_STATUS_DESC_FLUSHED_ERROR;

} // namespace

BOOST_AUTO_TEST_SUITE(vipl_disconnect)

BOOST_AUTO_TEST_CASE(ADisconnectFlushesWhatIsPostedHereAndTellsThePeer)
{
    const auto client = [](Party& self, Party&) {
        self.Receive(self.Make({}));
        BOOST_TEST(VipDisconnect(self.vi) == VIP_SUCCESS);
        BOOST_TEST(self.State() == VIP_STATE_IDLE);
        BOOST_TEST(VipRecvDone(self.vi, &self.last) == VIP_DESCRIPTOR_ERROR);
        BOOST_TEST(self.last->CS.Status == (FLUSHED | VIP_STATUS_OP_RECEIVE));
        BOOST_TEST(self.Errors() == "");
    };
    const auto server = [](Party& self, Party&) {
        self.Receive(self.Make({}));
        BOOST_TEST(VipRecvWait(self.vi, VIP_INFINITE, &self.last) == VIP_DESCRIPTOR_ERROR);
        BOOST_TEST(self.last->CS.Status == (FLUSHED | VIP_STATUS_OP_RECEIVE));
        BOOST_TEST(self.State() == VIP_STATE_ERROR);
        BOOST_TEST(self.Errors() == "CONN_LOST");
    };
    RunPair(client, server);
}

BOOST_AUTO_TEST_CASE(WhatWasPostedBeforeADisconnectStillArrives)
{
    const auto client = [](Party& self, Party&) {
        self.Fill(0, 60000, 1);
        self.Send(self.Make({self.At(0, 60000)}));
        self.Send(self.Make({self.At(0, 60000)}));
        VipDisconnect(self.vi);
        BOOST_TEST(self.Sent() == SENT);
        BOOST_TEST(self.Sent() == SENT);
    };
    const auto server = [](Party& self, Party&) {
        for (int i = 0; i < 3; ++i)
        {
            self.Receive(self.Make({self.At(0, 60000)}));
        }
        BOOST_TEST(self.Received() == RECEIVED);
        BOOST_TEST(self.Received() == RECEIVED);
        BOOST_TEST(self.Holds(0, 60000, 1));
        BOOST_TEST(self.Received() == (FLUSHED | VIP_STATUS_OP_RECEIVE));
    };
    RunPair(client, server);
}

BOOST_AUTO_TEST_CASE(ADisconnectOfOneViComesAfterTheDataOfAnother)
{
    Setup setup;
    setup.cqEntries = 16;
    const auto client = [](Party& self, Party&) {
        const VIP_VI_HANDLE second = self.CreateVi(self.cq, self.cq);
        BOOST_TEST(self.Connect(second, 1, "two") == VIP_SUCCESS);
        Pause(PS_PER_MS);
        self.Send(self.Make({self.At(0, 60000)}));
        VipDisconnect(second);
    };
    const auto server = [](Party& self, Party&) {
        const VIP_VI_HANDLE first = self.vi;
        const VIP_VI_HANDLE second = self.CreateVi(self.cq, self.cq);
        self.Receive(self.Make({self.At(0, 60000)}));
        self.vi = second;
        self.Receive(self.Make({}));
        BOOST_TEST(self.Listen(second, "two") == VIP_SUCCESS);
        VIP_VI_HANDLE vi;
        VIP_BOOLEAN receive;
        BOOST_TEST(VipCQWait(self.cq, 500, &vi, &receive) == VIP_SUCCESS);
        BOOST_TEST(vi == first);
        BOOST_TEST(VipRecvDone(vi, &self.last) == VIP_SUCCESS);
        BOOST_TEST(VipCQWait(self.cq, 500, &vi, &receive) == VIP_SUCCESS);
        BOOST_TEST(vi == second);
        BOOST_TEST(VipRecvDone(vi, &self.last) == VIP_DESCRIPTOR_ERROR);
    };
    RunPair(client, server, setup);
}

BOOST_AUTO_TEST_CASE(DisconnectingTwiceOrWhileIdleIsHarmless)
{
    const auto client = [](Party& self, Party&) {
        BOOST_TEST(VipDisconnect(self.vi) == VIP_SUCCESS);
        BOOST_TEST(VipDisconnect(self.vi) == VIP_SUCCESS);
        BOOST_TEST(VipDisconnect(self.CreateVi()) == VIP_SUCCESS);
    };
    const auto server = [](Party& self, Party&) {
        Pause(10 * PS_PER_MS);
        BOOST_TEST(self.Errors() == "CONN_LOST");
        BOOST_TEST(VipDisconnect(self.vi) == VIP_SUCCESS);
        BOOST_TEST(self.State() == VIP_STATE_IDLE);
    };
    RunPair(client, server);
}

BOOST_AUTO_TEST_CASE(AViThatWasDisconnectedConnectsAgain)
{
    const auto client = [](Party& self, Party&) {
        VipDisconnect(self.vi);
        BOOST_TEST(self.Connect(self.vi, 1) == VIP_SUCCESS);
        Pause(PS_PER_MS);
        self.Fill(0, 10, 4);
        self.Send(self.Make({self.At(0, 10)}));
        BOOST_TEST(self.Sent() == SENT);
    };
    const auto server = [](Party& self, Party&) {
        Pause(10 * PS_PER_MS);
        VipDisconnect(self.vi);
        self.Receive(self.Make({self.At(0, 10)}));
        BOOST_TEST(self.Listen(self.vi) == VIP_SUCCESS);
        BOOST_TEST(self.Received() == RECEIVED);
        BOOST_TEST(self.Holds(0, 10, 4));
    };
    RunPair(client, server);
}

BOOST_AUTO_TEST_CASE(TheHandlerGetsItsContextAndTheHandles)
{
    const auto client = [](Party& self, Party&) { VipDisconnect(self.vi); };
    const auto server = [](Party& self, Party&) {
        Pause(10 * PS_PER_MS);
        BOOST_TEST(self.Errors() == "CONN_LOST");
        BOOST_TEST(self.errors[0].NicHandle == self.nic);
        BOOST_TEST(self.errors[0].ViHandle == self.vi);
        BOOST_TEST(self.errors[0].ResourceCode == VIP_RESOURCE_VI);
    };
    RunPair(client, server);
}

BOOST_AUTO_TEST_CASE(WithoutAHandlerErrorsAreKeptForTheReport)
{
    const auto client = [](Party& self, Party&) { VipDisconnect(self.vi); };
    const auto server = [](Party& self, Party&) {
        BOOST_TEST(VipErrorCallback(self.nic, nullptr, nullptr) == VIP_SUCCESS);
        Pause(10 * PS_PER_MS);
        BOOST_TEST(self.Errors() == "");
        BOOST_TEST(ViplProcess::Running().Library().UnhandledErrors().size() == 1u);
        BOOST_TEST(VipErrorCallback(nullptr, nullptr, nullptr) == VIP_INVALID_PARAMETER);
    };
    RunPair(client, server);
}

BOOST_AUTO_TEST_CASE(AProcessThatExitsTakesItsConnectionsAlong)
{
    Party ends[2];
    const auto client = [&] {
        ends[0].Open({});
        ends[0].Connect(ends[0].vi, 1);
    };
    const auto server = [&] {
        ends[1].Open({});
        ends[1].Receive(ends[1].Make({ends[1].At(0, 100)}));
        ends[1].Listen(ends[1].vi);
        BOOST_TEST(VipRecvWait(ends[1].vi, VIP_INFINITE, &ends[1].last) == VIP_DESCRIPTOR_ERROR);
        BOOST_TEST(ends[1].Errors() == "CONN_LOST");
        BOOST_TEST(ends[1].State() == VIP_STATE_ERROR);
    };
    BOOST_TEST((RunEach({client, server}).exit == RunExit::SUCCESS));
}

BOOST_AUTO_TEST_CASE(AProcessMayExitWhileItsMessageLeaves)
{
    Party ends[2];
    const auto client = [&] {
        ends[0].Open({});
        ends[0].Connect(ends[0].vi, 1);
        Pause(PS_PER_MS);
        ends[0].Send(ends[0].Make({ends[0].At(0, 65536)}));
        Pause(100 * PS_PER_US);
    };
    const auto server = [&] {
        ends[1].Open({});
        ends[1].Receive(ends[1].Make({ends[1].At(0, 65536)}));
        ends[1].Listen(ends[1].vi);
        ends[1].Received();
        BOOST_TEST(ends[1].last != nullptr);
        Pause(PS_PER_MS);
        BOOST_TEST(ends[1].Errors() == "CONN_LOST");
    };
    BOOST_TEST((RunEach({client, server}).exit == RunExit::SUCCESS));
}

BOOST_AUTO_TEST_CASE(AProcessMayExitWhileAMessageArrives)
{
    Party ends[2];
    const auto client = [&] {
        ends[0].Open({});
        ends[0].Connect(ends[0].vi, 1);
        Pause(PS_PER_MS);
        ends[0].Fill(0, 65536, 1);
        ends[0].Send(ends[0].Make({ends[0].At(0, 65536)}));
        ends[0].Sent();
        Pause(10 * PS_PER_MS);
        BOOST_TEST(ends[0].Errors() == "CONN_LOST");
    };
    const auto server = [&] {
        ends[1].Open({});
        ends[1].Receive(ends[1].Make({ends[1].At(0, 65536)}));
        ends[1].Listen(ends[1].vi);
        while (ends[1].Untouched(0, 1))
        {
            ends[1].State();
        }
    };
    BOOST_TEST((RunEach({client, server}).exit == RunExit::SUCCESS));
}

BOOST_AUTO_TEST_CASE(AServerThatExitsRejectsWhomItLeftWaiting)
{
    Party ends[2];
    const auto client = [&] {
        ends[0].Open({});
        Pause(PS_PER_MS);
        VIP_VI_ATTRIBUTES attributes;
        BOOST_TEST(
            VipConnectRequest(ends[0].vi, Address(0), Address(1), VIP_INFINITE, &attributes) ==
            VIP_REJECT);
    };
    const auto server = [&] {
        ends[1].Open({});
        Address from(0, "-------");
        VIP_VI_ATTRIBUTES attributes;
        VIP_CONN_HANDLE connection;
        VipConnectWait(ends[1].nic, Address(1), VIP_INFINITE, from, &attributes, &connection);
    };
    BOOST_TEST((RunEach({client, server}).exit == RunExit::SUCCESS));
}

BOOST_AUTO_TEST_SUITE_END()
