/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
// Full: when a send is complete, at each level.

#include "conformance/via-conformance-bench.h"

using namespace ns3::via;
using namespace ns3::via::test;

namespace
{

/// When a message of 32000 bytes was complete at its sender, and when it was received.
void
Measure(VIP_USHORT level, bool rdma, Ps& sent, Ps& received)
{
    const auto client = [&](Party& self, Party& peer) {
        self.Fill(0, 32000, 1);
        VIP_DESCRIPTOR* descriptor =
            rdma ? self.Immediate(self.Write(peer.At(0, 0), {self.At(0, 32000)}), 1)
                 : self.Make({self.At(0, 32000)});
        self.Send(descriptor);
        while (VipSendDone(self.vi, &self.last) == VIP_NOT_DONE)
        {
        }
        sent = Now();
        BOOST_TEST((self.last->CS.Status & VIP_STATUS_ERROR_MASK) == 0u);
    };
    const auto server = [&](Party& self, Party&) {
        self.Receive(self.Make({self.At(0, 32000)}));
        while (VipRecvDone(self.vi, &self.last) == VIP_NOT_DONE)
        {
        }
        received = Now();
        BOOST_TEST(self.Holds(0, 32000, 1));
    };
    RunPair(client, server, At(level));
}

constexpr Ps POLL = 5 * PS_PER_US; // at most, between two looks

} // namespace

BOOST_AUTO_TEST_SUITE(full)

CONFORMANCE_MATRIX(ASendIsCompleteWhenTheLevelSays, "level.completion")
{
    Ps sent = 0;
    Ps received = 0;
    Measure(level, false, sent, received);
    if (level == VIP_SERVICE_RELIABLE_RECEPTION)
    {
        BOOST_TEST(sent + POLL > received); // it is in memory by then
    }
    else
    {
        BOOST_TEST(sent < received); // it was handed to the fabric
    }
}

CONFORMANCE_MATRIX(AnRdmaWriteIsCompleteWhenTheLevelSays, "level.completion")
{
    Ps sent = 0;
    Ps received = 0;
    Measure(level, true, sent, received);
    if (level == VIP_SERVICE_RELIABLE_RECEPTION)
    {
        BOOST_TEST(sent + POLL > received);
    }
    else
    {
        BOOST_TEST(sent < received);
    }
}

CONFORMANCE_MATRIX(AStreamArrivesOnceAndInOrder, "level.order")
{
    constexpr VIP_UINT32 COUNT = 50;
    const auto client = [](Party& self, Party&) {
        for (VIP_UINT32 i = 0; i < COUNT; ++i)
        {
            self.Send(self.Immediate(self.Make({self.At(0, 97 * i)}), i));
        }
        for (VIP_UINT32 i = 0; i < COUNT; ++i)
        {
            BOOST_TEST((self.Sent() & VIP_STATUS_ERROR_MASK) == 0u);
        }
    };
    const auto server = [](Party& self, Party&) {
        for (VIP_UINT32 i = 0; i <= COUNT; ++i)
        {
            self.Receive(self.Make({self.At(0, 97 * COUNT)}));
        }
        for (VIP_UINT32 i = 0; i < COUNT; ++i)
        {
            self.Received();
            BOOST_TEST(self.last->CS.ImmediateData == i);
            BOOST_TEST(self.last->CS.Length == 97 * i);
        }
        BOOST_TEST(VipRecvWait(self.vi, 10, &self.last) == VIP_TIMEOUT);
    };
    RunPair(client, server, At(level));
}

CONFORMANCE_CASE(WhatFollowsAFailureIsNotDelivered, "level.reception-failure")
{
    if (!Offered(Feature::RELIABLE_RECEPTION))
    {
        return;
    }
    const auto client = [](Party& self, Party&) {
        self.Send(self.Make({}));
        self.Send(self.Make({self.At(0, 100)})); // finds its receive too short
        self.Send(self.Make({}));
        BOOST_TEST(self.Sent() == SENT);
        BOOST_TEST(self.Sent() == (SENT | VIP_STATUS_REMOTE_DESC_ERROR));
        BOOST_TEST(self.Sent() == FLUSHED);
    };
    const auto server = [](Party& self, Party&) {
        for (int i = 0; i < 3; ++i)
        {
            self.Receive(self.Make({}));
        }
        BOOST_TEST(self.Received() == RECEIVED);
        BOOST_TEST(self.Received() == (RECEIVED | VIP_STATUS_LENGTH_ERROR));
        BOOST_TEST(self.Received() == FLUSHED_RECEIVE);
    };
    RunPair(client, server, At(VIP_SERVICE_RELIABLE_RECEPTION));
}

BOOST_AUTO_TEST_SUITE_END()
