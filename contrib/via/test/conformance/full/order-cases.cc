/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
// Full: many VIs, many nodes, and the order in which things are seen.

#include "conformance/via-conformance-bench.h"

using namespace ns3::via;
using namespace ns3::via::test;

namespace
{

/// The server of node 0 for two clients: receives posted, both connected, one CQ for all.
void
ServeTwo(Party& self, VIP_VI_HANDLE (&vis)[2], int receives)
{
    const char* const names[] = {"one", "two"};
    for (int i = 0; i < 2; ++i)
    {
        vis[i] = self.CreateVi(self.cq, self.cq);
        for (int k = 0; k < receives; ++k)
        {
            VipPostRecv(vis[i], self.Make({self.At(0, 32000)}), self.pool);
        }
        BOOST_TEST(self.Listen(vis[i], names[i]) == VIP_SUCCESS);
    }
}

} // namespace

BOOST_AUTO_TEST_SUITE(full)

CONFORMANCE_CASE(MessagesOfTwoVisArriveInTheOrderOfTheirPosts, "order.across-vis")
{
    const auto client = [](Party& self, Cast&) {
        VIP_VI_HANDLE vis[2] = {self.CreateVi(), self.CreateVi()};
        BOOST_TEST(self.Connect(vis[0], 1, "one") == VIP_SUCCESS);
        BOOST_TEST(self.Connect(vis[1], 1, "two") == VIP_SUCCESS);
        Pause(PS_PER_MS);
        for (int i = 0; i < 4; ++i)
        {
            VipPostSend(vis[0], self.Make({self.At(0, 32000)}), self.pool);
            VipPostSend(vis[1], self.Make({}), self.pool);
        }
    };
    const auto server = [](Party& self, Cast&) {
        VIP_VI_HANDLE vis[2];
        ServeTwo(self, vis, 4);
        for (int i = 0; i < 8; ++i)
        {
            VIP_VI_HANDLE vi = nullptr;
            VIP_BOOLEAN receive;
            BOOST_TEST(VipCQWait(self.cq, 500, &vi, &receive) == VIP_SUCCESS);
            BOOST_TEST(vi == vis[i % 2]);
            BOOST_TEST(VipRecvDone(vi, &self.last) == VIP_SUCCESS);
        }
    };
    RunCast({{0, client}, {1, server}}, WithCq());
}

CONFORMANCE_CASE(OneQueueServesClientsOfManyNodes, "cq.many-vis")
{
    const auto client = [](const char* name) {
        return [name](Party& self, Cast&) {
            BOOST_TEST(self.Connect(self.vi, 0, name) == VIP_SUCCESS);
            Pause(50 * PS_PER_MS);
            for (int i = 0; i < 10; ++i)
            {
                self.Send(self.Make({self.At(0, 1000)}));
            }
            for (int i = 0; i < 10; ++i)
            {
                BOOST_TEST(self.Sent() == SENT);
            }
        };
    };
    const auto server = [](Party& self, Cast&) {
        VIP_VI_HANDLE vis[2];
        ServeTwo(self, vis, 10);
        int counts[2] = {};
        for (int i = 0; i < 20; ++i)
        {
            VIP_VI_HANDLE vi = nullptr;
            VIP_BOOLEAN receive;
            BOOST_TEST(VipCQWait(self.cq, 500, &vi, &receive) == VIP_SUCCESS);
            BOOST_TEST(VipRecvDone(vi, &self.last) == VIP_SUCCESS);
            ++counts[vi == vis[0] ? 0 : 1];
        }
        BOOST_TEST(counts[0] == 10);
        BOOST_TEST(counts[1] == 10);
    };
    RunCast({{0, server}, {1, client("one")}, {2, client("two")}}, WithCq());
}

CONFORMANCE_CASE(ABrokenViDoesNotDisturbAnother, "state.error-alone")
{
    const auto client = [](Party& self, Party&) {
        const VIP_VI_HANDLE second = self.CreateVi();
        BOOST_TEST(self.Connect(second, 1, "two") == VIP_SUCCESS);
        Pause(PS_PER_MS);
        VipPostSend(self.vi, self.Make({}), 0); // breaks
        Pause(10 * PS_PER_MS);
        BOOST_TEST(StateOf(self.vi) == VIP_STATE_ERROR);
        self.Fill(0, 100, 1);
        BOOST_TEST(SendOn(self, second, self.Make({self.At(0, 100)})) == SENT);
    };
    const auto server = [](Party& self, Party&) {
        const VIP_VI_HANDLE second = self.CreateVi();
        VipPostRecv(second, self.Make({self.At(0, 100)}), self.pool);
        BOOST_TEST(self.Listen(second, "two") == VIP_SUCCESS);
        BOOST_TEST(ReceivedOn(self, second) == RECEIVED);
        BOOST_TEST(self.Holds(0, 100, 1));
        BOOST_TEST(StateOf(self.vi) == VIP_STATE_ERROR);
    };
    RunPair(client, server);
}

CONFORMANCE_CASE(BothQueuesOfAViWorkAtOnce, "order.directions")
{
    const auto exchange = [](Party& self, Party&) {
        FiberProcess::Current()->SleepUntil(20 * PS_PER_MS);
        for (int i = 0; i < 8; ++i)
        {
            self.Receive(self.Make({self.At(32768, 32000)}));
        }
        Pause(10 * PS_PER_MS);
        self.Fill(0, 32000, 5);
        for (int i = 0; i < 8; ++i)
        {
            self.Send(self.Make({self.At(0, 32000)}));
        }
        for (int i = 0; i < 8; ++i)
        {
            BOOST_TEST(self.Received() == RECEIVED);
            BOOST_TEST(self.Sent() == SENT);
        }
        BOOST_TEST(self.Holds(32768, 32000, 5));
    };
    RunPair(exchange, exchange);
}

CONFORMANCE_CASE(TheLastWordOfAnRdmaWriteIsWrittenLast, "rdma-write.last-word")
{
    const VIP_UINT32 size = 32768;
    const auto client = [](Party& self, Party& peer) {
        self.Fill(0, size, 1);
        *self.At(size - 1) = 1;
        BOOST_TEST(SendOn(self, self.vi, self.Write(peer.At(0, 0), {self.At(0, size)})) == WROTE);
    };
    const auto server = [](Party& self, Party&) {
        while (*self.At(size - 1) != 1) // as programs wait for it
        {
            StateOf(self.vi);
        }
        BOOST_TEST(self.Holds(0, size - 1, 1));
    };
    RunPair(client, server);
}

CONFORMANCE_CASE(AFinishedWriteIsSeenBeforeTheNext, "order.rdma")
{
    const auto client = [](Party& self, Party& peer) {
        for (int i = 0; i < 8; ++i)
        {
            *self.At(i) = static_cast<std::uint8_t>(i + 1);
            self.Send(self.Write(peer.At(1000 * i, 0), {self.At(i, 1)}));
        }
    };
    const auto server = [](Party& self, Party&) {
        while (*self.At(7000) == Party::CANARY)
        {
            StateOf(self.vi);
        }
        for (int i = 0; i < 8; ++i)
        {
            BOOST_TEST(*self.At(1000 * i) == i + 1);
        }
    };
    RunPair(client, server);
}

CONFORMANCE_CASE(AQueueFenceIsAccepted, "data.fence")
{
    const auto client = [](Party& self, Party& peer) {
        self.Fill(0, 100, 1);
        self.Send(self.Write(peer.At(0, 0), {self.At(0, 100)}));
        self.Send(self.Make({}, VIP_CONTROL_QFENCE));
        self.Send(self.Write(peer.At(200, 0), {self.At(0, 100)}, VIP_CONTROL_QFENCE));
        BOOST_TEST(self.Sent() == WROTE);
        BOOST_TEST(self.Sent() == SENT);
        BOOST_TEST(self.Sent() == WROTE);
    };
    const auto server = [](Party& self, Party&) {
        self.Receive(self.Make({}));
        BOOST_TEST(self.Received() == RECEIVED);
        BOOST_TEST(self.Holds(0, 100, 1));
    };
    RunPair(client, server);
}

BOOST_AUTO_TEST_SUITE_END()
