/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
// Functional: completion queues.

#include "conformance/via-conformance-bench.h"

using namespace ns3::via;
using namespace ns3::via::test;

BOOST_AUTO_TEST_SUITE(functional)

CONFORMANCE_CASE(QueuesOfAViMayHaveDifferentCqs, "CreateVi.cqs cq.entry")
{
    const auto client = [](Party& self) {
        VIP_CQ_HANDLE sends = nullptr;
        VIP_CQ_HANDLE receives = nullptr;
        VipCreateCQ(self.nic, 8, &sends);
        VipCreateCQ(self.nic, 8, &receives);
        const VIP_VI_HANDLE vi = self.CreateVi(sends, receives);
        VipPostRecv(vi, self.Make({}), self.pool);
        BOOST_TEST(Request(vi) == VIP_SUCCESS);
        VipPostSend(vi, self.Make({}), self.pool);
        self.cq = sends;
        BOOST_TEST(Popped(self, vi) == "send");
        BOOST_TEST(Popped(self, vi, 1) == "none");
        self.cq = receives;
        BOOST_TEST(Popped(self, vi) == "receive");
    };
    const auto server = [](Party& self) {
        self.Receive(self.Make({}));
        VipConnectAccept(Await(self), self.vi);
        BOOST_TEST(self.Received() == RECEIVED);
        BOOST_TEST(SendOn(self, self.vi, self.Make({})) == SENT);
    };
    RunApart(client, server);
}

CONFORMANCE_CASE(OnlyTheBoundQueueIsAnnounced, "CreateVi.cqs")
{
    const auto client = [](Party& self) {
        VipCreateCQ(self.nic, 8, &self.cq);
        const VIP_VI_HANDLE vi = self.CreateVi(nullptr, self.cq);
        BOOST_TEST(Request(vi) == VIP_SUCCESS);
        BOOST_TEST(SendOn(self, vi, self.Make({})) == SENT);
        BOOST_TEST(Popped(self, vi, 1) == "none");
    };
    const auto server = [](Party& self) {
        self.Receive(self.Make({}));
        VipConnectAccept(Await(self), self.vi);
        BOOST_TEST(self.Received() == RECEIVED);
    };
    RunApart(client, server);
}

CONFORMANCE_CASE(ACqInUseIsNotDestroyed, "DestroyCQ.in-use")
{
    RunAlone(
        [](Party& self) {
            BOOST_TEST(VipDestroyCQ(self.cq) == VIP_ERROR_RESOURCE);
            BOOST_TEST(VipDestroyVi(self.vi) == VIP_SUCCESS);
            BOOST_TEST(VipDestroyCQ(self.cq) == VIP_SUCCESS);
        },
        WithCq());
}

CONFORMANCE_CASE(CqsRunOut, "CreateCQ.limits")
{
    ClusterConfig config = TestConfig();
    config.overrides["nic.max_cq"] = "2";
    const auto body = [](Party& self) {
        VIP_CQ_HANDLE cqs[3] = {};
        BOOST_TEST(VipCreateCQ(self.nic, 4, &cqs[0]) == VIP_SUCCESS);
        BOOST_TEST(VipCreateCQ(self.nic, 4, &cqs[1]) == VIP_SUCCESS);
        BOOST_TEST(VipCreateCQ(self.nic, 4, &cqs[2]) == VIP_ERROR_RESOURCE);
        BOOST_TEST(cqs[2] == nullptr);
        VipDestroyCQ(cqs[0]);
        BOOST_TEST(VipCreateCQ(self.nic, 4, &cqs[2]) == VIP_SUCCESS);
    };
    RunAlone(body, {}, config);
}

CONFORMANCE_CASE(ErrorsAndFlushesAreAnnounced, "cq.errors cq.flushes")
{
    const auto client = [](Party& self, Party&) {
        self.Send(self.Make({self.At(-1, 8)}));
        BOOST_TEST(Popped(self, self.vi) == "send");
        BOOST_TEST(VipSendDone(self.vi, &self.last) == VIP_DESCRIPTOR_ERROR);
        self.Receive(self.Make({}));
        VipDisconnect(self.vi);
        BOOST_TEST(Popped(self, self.vi) == "receive");
        BOOST_TEST(VipRecvDone(self.vi, &self.last) == VIP_DESCRIPTOR_ERROR);
        BOOST_TEST(self.last->CS.Status == FLUSHED_RECEIVE);
        self.Send(self.Make({})); // flushed at once, and announced
        BOOST_TEST(Popped(self, self.vi) == "send");
        BOOST_TEST(VipSendDone(self.vi, &self.last) == VIP_DESCRIPTOR_ERROR);
    };
    Setup setup = WithCq();
    setup.level = VIP_SERVICE_UNRELIABLE;
    RunPair(client, Nothing, setup);
}

CONFORMANCE_CASE(EntriesOfAQueueAreInTheOrderOfItsCompletions, "cq.order")
{
    const auto client = [](Party& self, Party&) {
        for (int i = 0; i < 6; ++i)
        {
            self.Send(self.Make({self.At(0, 20000)}));
            self.Send(self.Make({}));
        }
    };
    const auto server = [](Party& self, Party&) {
        VIP_DESCRIPTOR* posted[12];
        for (VIP_DESCRIPTOR*& descriptor : posted)
        {
            self.Receive(descriptor = self.Make({self.At(0, 20000)}));
        }
        for (const VIP_DESCRIPTOR* descriptor : posted)
        {
            BOOST_TEST(Popped(self, self.vi) == "receive");
            BOOST_TEST(VipRecvDone(self.vi, &self.last) == VIP_SUCCESS);
            BOOST_TEST(self.last == descriptor);
        }
    };
    RunPair(client, server, WithCq());
}

CONFORMANCE_CASE(ACqKeepsItsEntriesWhenItGrows, "ResizeCQ.grow ResizeCQ.entries")
{
    const auto client = [](Party& self, Party&) {
        for (int i = 0; i < 2; ++i)
        {
            self.Send(self.Make({}));
        }
        Pause(PS_PER_MS);
        BOOST_TEST(VipResizeCQ(self.cq, 5) == VIP_SUCCESS); // it was full
        for (int i = 0; i < 3; ++i)
        {
            self.Send(self.Make({}));
        }
        for (int i = 0; i < 5; ++i)
        {
            BOOST_TEST(Popped(self, self.vi) == "send");
        }
        BOOST_TEST(self.Errors() == "");
    };
    const auto server = [](Party& self, Party&) {
        BOOST_TEST(VipResizeCQ(self.cq, 8) == VIP_SUCCESS);
        for (int i = 0; i < 5; ++i)
        {
            self.Receive(self.Make({}));
        }
        for (int i = 0; i < 5; ++i)
        {
            BOOST_TEST(Popped(self, self.vi) == "receive");
        }
    };
    RunPair(client, server, WithCq(2));
}

CONFORMANCE_CASE(ACqDoesNotShrinkBelowItsEntries, "ResizeCQ.shrink")
{
    const auto body = [](Party& self) {
        for (int i = 0; i < 3; ++i)
        {
            self.Send(self.Make({})); // flushed
        }
        Pause(PS_PER_MS);
        BOOST_TEST(VipResizeCQ(self.cq, 2) == VIP_ERROR_RESOURCE);
        BOOST_TEST(VipResizeCQ(self.cq, 3) == VIP_SUCCESS);
        BOOST_TEST(Popped(self, self.vi) == "send");
        BOOST_TEST(VipResizeCQ(self.cq, 2) == VIP_SUCCESS);
    };
    RunAlone(body, WithCq());
}

CONFORMANCE_CASE(ResizeChecksItsParameters, "ResizeCQ.parameters ResizeCQ.limits")
{
    RunAlone(
        [](Party& self) {
            BOOST_TEST(VipResizeCQ(nullptr, 8) == REFUSED);
            BOOST_TEST(VipResizeCQ(self.vi, 8) == REFUSED);
            BOOST_TEST(VipResizeCQ(self.cq, 0) == REFUSED);
            const VIP_ULONG most = NicOf(self).MaxCQEntries;
            BOOST_TEST(VipResizeCQ(self.cq, most + 1) == VIP_ERROR_RESOURCE);
            BOOST_TEST(VipResizeCQ(self.cq, most) == VIP_SUCCESS);
        },
        WithCq());
}

CONFORMANCE_CASE(ABoundQueueMayBeHarvestedDirectly, "cq.direct")
{
    const auto client = [](Party& self, Party&) {
        self.Receive(self.Make({}));
        self.Receive(self.Make({}));
        VipDisconnect(self.vi);
        BOOST_TEST(VipRecvDone(self.vi, &self.last) == VIP_DESCRIPTOR_ERROR);
        BOOST_TEST(VipRecvDone(self.vi, &self.last) == VIP_DESCRIPTOR_ERROR);
        BOOST_TEST(self.last != nullptr);
        BOOST_TEST(VipRecvDone(self.vi, &self.last) == VIP_DESCRIPTOR_ERROR);
        BOOST_TEST(self.last == nullptr);
        BOOST_TEST(Popped(self, self.vi) == "receive"); // stale, and harmless
        BOOST_TEST(VipRecvDone(self.vi, &self.last) == VIP_DESCRIPTOR_ERROR);
    };
    RunPair(client, Nothing, WithCq());
}

CONFORMANCE_CASE(EntriesGoWithTheirVi, "cq.purge")
{
    const auto client = [](Party& self, Party&) {
        const VIP_VI_HANDLE other = self.CreateVi(self.cq, self.cq);
        VipPostSend(other, self.Make({}), self.pool);
        self.Receive(self.Make({}));
        VipDisconnect(self.vi);
        VipRecvDone(self.vi, &self.last);
        BOOST_TEST(VipDestroyVi(self.vi) == VIP_SUCCESS);
        BOOST_TEST(Popped(self, other) == "send");
        BOOST_TEST(Popped(self, other, 1) == "none");
    };
    RunPair(client, Nothing, WithCq());
}

CONFORMANCE_CASE(AWaitingCqIsWokenByAFlush, "cq.flushes CQWait.pop")
{
    const auto client = [](Party& self, Party&) {
        Pause(50 * PS_PER_MS);
        VipDisconnect(self.vi);
    };
    const auto server = [](Party& self, Party&) {
        self.Receive(self.Make({}));
        BOOST_TEST(Popped(self, self.vi, VIP_INFINITE) == "receive");
        BOOST_TEST(VipRecvDone(self.vi, &self.last) == VIP_DESCRIPTOR_ERROR);
        BOOST_TEST(StateOf(self.vi) == VIP_STATE_ERROR);
    };
    RunPair(client, server, WithCq());
}

CONFORMANCE_CASE(ACqAfterAnOverflowGoesOn, "matrix.cq-overflow cq.after-overflow")
{
    const auto body = [](Party& self) {
        for (int i = 0; i < 3; ++i)
        {
            self.Send(self.Make({})); // flushed
        }
        Pause(PS_PER_MS);
        BOOST_TEST(self.Errors() == "COMP_PROT");
        BOOST_TEST(Popped(self, self.vi) == "send");
        self.Send(self.Make({}));
        BOOST_TEST(Popped(self, self.vi) == "send");
        BOOST_TEST(Popped(self, self.vi) == "send");
        BOOST_TEST(self.Errors() == "COMP_PROT");
    };
    RunAlone(body, WithCq(2));
}

BOOST_AUTO_TEST_SUITE_END()
