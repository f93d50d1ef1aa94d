/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
// Early Adopter: completion queues, RDMA writes, flushes, names.

#include "conformance/via-conformance-bench.h"

using namespace ns3::via;
using namespace ns3::via::test;

BOOST_AUTO_TEST_SUITE(early)

CONFORMANCE_CASE(ACompletionQueueIsMadeAndDestroyed,
                 "CreateCQ.parameters DestroyCQ.parameters CreateCQ.limits")
{
    RunAlone([](Party& self) {
        VIP_CQ_HANDLE cq = nullptr;
        BOOST_TEST(VipCreateCQ(nullptr, 8, &cq) == REFUSED);
        BOOST_TEST(VipCreateCQ(self.nic, 8, nullptr) == REFUSED);
        BOOST_TEST(VipCreateCQ(self.nic, 0, &cq) == REFUSED);
        BOOST_TEST(VipCreateCQ(self.nic, NicOf(self).MaxCQEntries + 1, &cq) == VIP_ERROR_RESOURCE);
        BOOST_TEST(cq == nullptr);
        BOOST_TEST(VipCreateCQ(self.nic, NicOf(self).MaxCQEntries, &cq) == VIP_SUCCESS);
        BOOST_TEST(VipDestroyCQ(cq) == VIP_SUCCESS);
        BOOST_TEST(VipDestroyCQ(cq) == REFUSED);
        BOOST_TEST(VipDestroyCQ(nullptr) == REFUSED);
    });
}

CONFORMANCE_CASE(AnEntryNamesViAndQueue, "cq.entry CQDone.pop CQWait.pop")
{
    const auto client = [](Party& self, Party&) {
        self.Send(self.Make({}));
        BOOST_TEST(Popped(self, self.vi) == "send");
        BOOST_TEST(VipSendDone(self.vi, &self.last) == VIP_SUCCESS);
        BOOST_TEST(Popped(self, self.vi, 1) == "none");
    };
    const auto server = [](Party& self, Party&) {
        self.Receive(self.Make({}));
        VIP_VI_HANDLE vi = nullptr;
        VIP_BOOLEAN receive = VIP_FALSE;
        VIP_RETURN result = VIP_NOT_DONE;
        while (result == VIP_NOT_DONE)
        {
            result = VipCQDone(self.cq, &vi, &receive);
        }
        BOOST_TEST(result == VIP_SUCCESS);
        BOOST_TEST(vi == self.vi);
        BOOST_TEST(receive == VIP_TRUE);
        BOOST_TEST(VipRecvDone(vi, &self.last) == VIP_SUCCESS);
        BOOST_TEST(VipCQDone(self.cq, &vi, &receive) == VIP_NOT_DONE);
    };
    RunPair(client, server, WithCq());
}

CONFORMANCE_CASE(AnEntryDoesNotTakeItsDescriptorOffTheQueue, "cq.entry-only cq.ready")
{
    const auto client = [](Party& self, Party&) {
        VIP_DESCRIPTOR* first = self.Make({});
        self.Send(first);
        self.Send(self.Make({}));
        BOOST_TEST(Popped(self, self.vi) == "send");
        BOOST_TEST(Popped(self, self.vi) == "send");
        BOOST_TEST(VipSendDone(self.vi, &self.last) == VIP_SUCCESS);
        BOOST_TEST(self.last == first);
        BOOST_TEST(VipSendDone(self.vi, &self.last) == VIP_SUCCESS);
    };
    const auto server = [](Party& self, Party&) {
        self.Receive(self.Make({}));
        self.Receive(self.Make({}));
    };
    RunPair(client, server, WithCq());
}

CONFORMANCE_CASE(ACqWaitTimesOut, "CQWait.timeout CQWait.parameters CQDone.parameters")
{
    RunAlone(
        [](Party& self) {
            VIP_VI_HANDLE vi = nullptr;
            VIP_BOOLEAN receive = VIP_FALSE;
            const Ps before = Now();
            BOOST_TEST(VipCQWait(self.cq, 5, &vi, &receive) == VIP_TIMEOUT);
            BOOST_TEST(Now() - before >= 5 * PS_PER_MS);
            BOOST_TEST(Now() - before < 6 * PS_PER_MS);
            BOOST_TEST(VipCQDone(self.cq, &vi, &receive) == VIP_NOT_DONE);
            BOOST_TEST(VipCQWait(nullptr, 1, &vi, &receive) == REFUSED);
            BOOST_TEST(VipCQWait(self.cq, 1, nullptr, &receive) == REFUSED);
            BOOST_TEST(VipCQWait(self.cq, 1, &vi, nullptr) == REFUSED);
            BOOST_TEST(VipCQDone(self.vi, &vi, &receive) == REFUSED);
            BOOST_TEST(VipCQDone(self.cq, nullptr, &receive) == REFUSED);
            BOOST_TEST(VipCQDone(self.cq, &vi, nullptr) == REFUSED);
        },
        WithCq());
}

CONFORMANCE_CASE(OneCompletionQueueServesManyVis, "cq.many-vis")
{
    const auto client = [](Party& self, Party&) {
        for (const char* name : {"a", "b", "c"})
        {
            const VIP_VI_HANDLE vi = self.CreateVi();
            BOOST_TEST(self.Connect(vi, 1, name) == VIP_SUCCESS);
            Pause(PS_PER_MS);
            BOOST_TEST(SendOn(self, vi, self.Make({})) == SENT);
        }
    };
    const auto server = [](Party& self, Party&) {
        for (const char* name : {"a", "b", "c"})
        {
            const VIP_VI_HANDLE vi = self.CreateVi(self.cq, self.cq);
            VipPostRecv(vi, self.Make({}), self.pool);
            BOOST_TEST(self.Listen(vi, name) == VIP_SUCCESS);
            BOOST_TEST(Popped(self, vi) == "receive");
            BOOST_TEST(VipRecvDone(vi, &self.last) == VIP_SUCCESS);
        }
    };
    RunPair(client, server, WithCq());
}

CONFORMANCE_CASE(AnRdmaWriteLandsAndTakesNoReceive, "rdma-write.place rdma-write.silent")
{
    const auto client = [](Party& self, Party& peer) {
        self.Fill(0, 1000, 1);
        BOOST_TEST(SendOn(self, self.vi, self.Write(peer.At(5000, 0), {self.At(0, 1000)})) ==
                   WROTE);
        BOOST_TEST(self.last->CS.Length == 1000u);
        BOOST_TEST(SendOn(self, self.vi, self.Make({})) == SENT);
    };
    const auto server = [](Party& self, Party&) {
        self.Receive(self.Make({self.At(0, 10)}));
        BOOST_TEST(self.Received() == RECEIVED); // of the send behind it
        BOOST_TEST(self.last->CS.Length == 0u);
        BOOST_TEST(self.Holds(5000, 1000, 1));
        BOOST_TEST(self.Untouched(0, 5000));
        BOOST_TEST(self.Untouched(6000, 1000));
    };
    RunPair(client, server);
}

CONFORMANCE_CASE(ADisconnectFlushesTheReceives, "Disconnect.flush status.flushed")
{
    const auto client = [](Party& self, Party&) {
        VIP_DESCRIPTOR* posted[2] = {self.Make({}), self.Make({})};
        self.Receive(posted[0]);
        self.Receive(posted[1]);
        BOOST_TEST(VipDisconnect(self.vi) == VIP_SUCCESS);
        for (const VIP_DESCRIPTOR* descriptor : posted)
        {
            BOOST_TEST(VipRecvDone(self.vi, &self.last) == VIP_DESCRIPTOR_ERROR);
            BOOST_TEST(self.last == descriptor);
            BOOST_TEST(self.last->CS.Status == FLUSHED_RECEIVE);
        }
        BOOST_TEST(VipRecvDone(self.vi, &self.last) == VIP_DESCRIPTOR_ERROR);
        BOOST_TEST(self.last == nullptr);
        BOOST_TEST(VipDestroyVi(self.vi) == VIP_SUCCESS);
    };
    RunPair(client, Nothing);
}

CONFORMANCE_CASE(NamesAreTurnedIntoAddressesAndBack,
                 "GetHostByName.address GetHostByAddr.name NSInit.again")
{
    const auto body = [](Party& self) {
        char name[] = "n1";
        Address found(7, "");
        BOOST_TEST(VipNSInit(self.nic, nullptr) == VIP_SUCCESS);
        BOOST_TEST(VipNSInit(self.nic, nullptr) == VIP_SUCCESS);
        BOOST_TEST(VipNSGetHostByName(self.nic, name, found, 0) == VIP_SUCCESS);
        char back[16] = {};
        VIP_ULONG length = sizeof(back);
        BOOST_TEST(VipNSGetHostByAddr(self.nic, found, back, &length) == VIP_SUCCESS);
        BOOST_TEST(std::string(back) == "n1");
        BOOST_TEST(VipNSShutdown(self.nic) == VIP_SUCCESS);
    };
    RunApart(body, [](Party&) {});
}

CONFORMANCE_CASE(AnAddressOutlivesTheNameService, "NSShutdown.addresses")
{
    const auto client = [](Party& self) {
        char name[] = "n1";
        Address to(7, "vipl");
        VIP_VI_ATTRIBUTES attributes;
        VipNSInit(self.nic, nullptr);
        BOOST_TEST(VipNSGetHostByName(self.nic, name, to, 0) == VIP_SUCCESS);
        VipNSShutdown(self.nic);
        to->DiscriminatorLen = 4; // as programs do: the bytes are behind the host's
        BOOST_TEST(VipConnectRequest(self.vi, Address(0), to, 500, &attributes) == VIP_SUCCESS);
    };
    const auto server = [](Party& self) {
        BOOST_TEST(VipConnectAccept(Await(self), self.vi) == VIP_SUCCESS);
    };
    RunApart(client, server);
}

BOOST_AUTO_TEST_SUITE_END()
