/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
// Early Adopter: messages.

#include "conformance/via-conformance-bench.h"

using namespace ns3::via;
using namespace ns3::via::test;

namespace
{

/// One message of @p bytes arrives as it was sent.
void
ExpectTransfer(VIP_ULONG bytes)
{
    const auto size = static_cast<VIP_UINT32>(bytes);
    const auto client = [size](Party& self, Party&) {
        self.Fill(0, size, 1);
        BOOST_TEST(SendOn(self, self.vi, self.Make({self.At(0, size)})) == SENT);
        BOOST_TEST(self.last->CS.Length == size);
    };
    const auto server = [size](Party& self, Party&) {
        self.Receive(self.Make({self.At(0, size)}));
        BOOST_TEST(self.Received() == RECEIVED);
        BOOST_TEST(self.last->CS.Length == size);
        BOOST_TEST(self.Holds(0, size, 1));
        BOOST_TEST(self.Untouched(size, Party::REGION + Party::GUARD - size));
    };
    RunPair(client, server);
}

} // namespace

BOOST_AUTO_TEST_SUITE(early)

CONFORMANCE_CASE(AMessageArrivesAsItWasSent, "data.send SendDone.status RecvDone.status")
{
    for (const VIP_ULONG bytes : {1u, 4u, 47u, 48u, 49u, 1000u, 32768u})
    {
        ExpectTransfer(bytes);
    }
}

CONFORMANCE_CASE(AMessageOfTheLargestTransferArrives, "data.max-transfer")
{
    ExpectTransfer(UsualTransfer());
}

CONFORMANCE_CASE(AnEmptyMessageTakesADescriptorToo, "data.empty")
{
    const auto client = [](Party& self, Party&) {
        BOOST_TEST(SendOn(self, self.vi, self.Make({})) == SENT);
        BOOST_TEST(SendOn(self, self.vi, self.Make({self.At(0, 0)})) == SENT);
    };
    const auto server = [](Party& self, Party&) {
        self.Receive(self.Make({}));
        self.Receive(self.Make({self.At(0, 100)}));
        for (int i = 0; i < 2; ++i)
        {
            BOOST_TEST(self.Received() == RECEIVED);
            BOOST_TEST(self.last->CS.Length == 0u);
        }
        BOOST_TEST(self.Untouched());
    };
    RunPair(client, server);
}

CONFORMANCE_CASE(AMessageIsGatheredAndScattered, "data.segments")
{
    const auto client = [](Party& self, Party&) {
        self.Fill(0, 300, 1);
        BOOST_TEST(SendOn(self,
                          self.vi,
                          self.Make({self.At(0, 7), self.At(7, 0), self.At(7, 293)})) == SENT);
        BOOST_TEST(self.last->CS.Length == 300u);
    };
    const auto server = [](Party& self, Party&) {
        self.Receive(self.Make({self.At(0, 100), self.At(1000, 1), self.At(101, 999)}));
        BOOST_TEST(self.Received() == RECEIVED);
        BOOST_TEST(self.last->CS.Length == 300u);
        *self.At(100) = *self.At(1000);
        BOOST_TEST(self.Holds(0, 300, 1));
        BOOST_TEST(self.Untouched(300, 700));
    };
    RunPair(client, server);
}

CONFORMANCE_CASE(ImmediateDataArrivesAndIsAnnounced, "data.immediate")
{
    const auto client = [](Party& self, Party&) {
        BOOST_TEST(SendOn(self, self.vi, self.Immediate(self.Make({}), 0xDEADBEEF)) == SENT);
        self.Fill(0, 100, 1);
        SendOn(self, self.vi, self.Immediate(self.Make({self.At(0, 100)}), 7));
        SendOn(self, self.vi, self.Make({}));
    };
    const auto server = [](Party& self, Party&) {
        for (int i = 0; i < 3; ++i)
        {
            self.Receive(self.Make({self.At(0, 100)}));
        }
        BOOST_TEST(self.Received() == (RECEIVED | VIP_STATUS_IMMEDIATE));
        BOOST_TEST(self.last->CS.ImmediateData == 0xDEADBEEF);
        BOOST_TEST(self.Received() == (RECEIVED | VIP_STATUS_IMMEDIATE));
        BOOST_TEST(self.last->CS.ImmediateData == 7u);
        BOOST_TEST(self.Holds(0, 100, 1));
        BOOST_TEST(self.Received() == RECEIVED);
    };
    RunPair(client, server);
}

CONFORMANCE_CASE(AReceivesImmediateBitIsIgnored, "data.immediate-receive")
{
    const auto client = [](Party& self, Party&) { SendOn(self, self.vi, self.Make({})); };
    const auto server = [](Party& self, Party&) {
        self.Receive(self.Immediate(self.Make({}), 5));
        BOOST_TEST(self.Received() == RECEIVED);
    };
    RunPair(client, server);
}

CONFORMANCE_CASE(AQueueCompletesInTheOrderOfItsPosts, "order.queue")
{
    const auto client = [](Party& self, Party&) {
        VIP_DESCRIPTOR* posted[8];
        for (VIP_UINT32 i = 0; i < 8; ++i)
        {
            self.Send(posted[i] = self.Immediate(self.Make({self.At(0, (7 - i) * 1000)}), i));
        }
        for (const VIP_DESCRIPTOR* descriptor : posted)
        {
            BOOST_TEST(self.Sent() == SENT);
            BOOST_TEST(self.last == descriptor);
        }
    };
    const auto server = [](Party& self, Party&) {
        VIP_DESCRIPTOR* posted[8];
        for (VIP_DESCRIPTOR*& descriptor : posted)
        {
            self.Receive(descriptor = self.Make({self.At(0, 7000)}));
        }
        for (VIP_UINT32 i = 0; i < 8; ++i)
        {
            self.Received();
            BOOST_TEST(self.last == posted[i]);
            BOOST_TEST(self.last->CS.ImmediateData == i);
            BOOST_TEST(self.last->CS.Length == (7 - i) * 1000);
        }
    };
    RunPair(client, server);
}

CONFORMANCE_CASE(AnEmptyQueueHasNothingToTake, "SendDone.empty RecvDone.empty")
{
    RunAlone([](Party& self) {
        VIP_DESCRIPTOR* taken = self.Make({});
        BOOST_TEST(VipSendDone(self.vi, &taken) == VIP_DESCRIPTOR_ERROR);
        BOOST_TEST(taken == nullptr);
        taken = self.Make({});
        BOOST_TEST(VipRecvDone(self.vi, &taken) == VIP_DESCRIPTOR_ERROR);
        BOOST_TEST(taken == nullptr);
    });
}

CONFORMANCE_CASE(AnUnfinishedDescriptorIsNotDone, "SendDone.not-done RecvDone.not-done")
{
    const auto client = [](Party& self, Party&) {
        self.Send(self.Make({self.At(0, 32768)}));
        const Ps before = Now();
        BOOST_TEST(VipSendDone(self.vi, &self.last) == VIP_NOT_DONE);
        BOOST_TEST(Now() > before); // a loop that polls ends
        self.Receive(self.Make({}));
        BOOST_TEST(VipRecvDone(self.vi, &self.last) == VIP_NOT_DONE);
        VIP_RETURN result = VIP_NOT_DONE;
        while (result == VIP_NOT_DONE)
        {
            result = VipSendDone(self.vi, &self.last);
        }
        BOOST_TEST(result == VIP_SUCCESS);
    };
    const auto server = [](Party& self, Party&) { self.Receive(self.Make({self.At(0, 32768)})); };
    RunPair(client, server);
}

CONFORMANCE_CASE(AWaitReturnsWithItsMessageOrItsTimeout, "SendWait.timeout RecvWait.timeout")
{
    const auto client = [](Party& self, Party&) {
        Pause(20 * PS_PER_MS);
        self.Send(self.Make({}));
        BOOST_TEST(VipSendWait(self.vi, VIP_INFINITE, &self.last) == VIP_SUCCESS);
    };
    const auto server = [](Party& self, Party&) {
        self.Receive(self.Make({}));
        const Ps before = Now();
        self.last = self.Make({});
        BOOST_TEST(VipRecvWait(self.vi, 5, &self.last) == VIP_TIMEOUT);
        BOOST_TEST(Now() - before >= 5 * PS_PER_MS);
        BOOST_TEST(Now() - before < 6 * PS_PER_MS);
        BOOST_TEST(VipRecvWait(self.vi, VIP_INFINITE, &self.last) == VIP_SUCCESS);
        BOOST_TEST(VipRecvWait(self.vi, 5, &self.last) == VIP_DESCRIPTOR_ERROR);
        BOOST_TEST(self.last == nullptr);
    };
    RunPair(client, server);
}

CONFORMANCE_CASE(PostsAndHarvestsCheckTheirParameters,
                 "PostSend.parameters PostRecv.parameters SendDone.parameters RecvDone.parameters")
{
    RunAlone([](Party& self) {
        VIP_DESCRIPTOR* d = self.Make({});
        BOOST_TEST(VipPostSend(nullptr, d, self.pool) == REFUSED);
        BOOST_TEST(VipPostSend(self.vi, nullptr, self.pool) == REFUSED);
        BOOST_TEST(VipPostRecv(nullptr, d, self.pool) == REFUSED);
        BOOST_TEST(VipPostRecv(self.vi, nullptr, self.pool) == REFUSED);
        for (const auto done : {VipSendDone, VipRecvDone})
        {
            BOOST_TEST(done(nullptr, &d) == REFUSED);
            BOOST_TEST(done(self.vi, nullptr) == REFUSED);
        }
        for (const auto wait : {VipSendWait, VipRecvWait})
        {
            BOOST_TEST(wait(nullptr, 1, &d) == REFUSED);
            BOOST_TEST(wait(self.vi, 1, nullptr) == REFUSED);
        }
    });
}

CONFORMANCE_CASE(AReceiveMayWaitForTheConnection, "PostRecv.idle state.idle")
{
    const auto client = [](Party& self) {
        BOOST_TEST(Request(self.vi) == VIP_SUCCESS);
        BOOST_TEST(SendOn(self, self.vi, self.Make({})) == SENT);
    };
    const auto server = [](Party& self) {
        BOOST_TEST(self.Receive(self.Make({})) == VIP_SUCCESS);
        BOOST_TEST(VipRecvDone(self.vi, &self.last) == VIP_NOT_DONE);
        VipConnectAccept(Await(self), self.vi);
        BOOST_TEST(self.Received() == RECEIVED);
    };
    RunApart(client, server);
}

CONFORMANCE_CASE(ADescriptorIsUsedAgainWithItsOldStatus, "PostSend.status PostRecv.status")
{
    const auto client = [](Party& self, Party&) {
        VIP_DESCRIPTOR* descriptor = self.Make({self.At(0, 10)});
        for (int i = 0; i < 3; ++i)
        {
            BOOST_TEST(SendOn(self, self.vi, descriptor) == SENT);
            Pause(PS_PER_MS);
        }
    };
    const auto server = [](Party& self, Party&) {
        VIP_DESCRIPTOR* descriptor = self.Make({self.At(0, 10)});
        descriptor->CS.Status = VIP_STATUS_DONE | VIP_STATUS_FORMAT_ERROR;
        for (int i = 0; i < 3; ++i)
        {
            self.Receive(descriptor);
            BOOST_TEST((descriptor->CS.Status & VIP_STATUS_DONE) == 0u);
            BOOST_TEST(self.Received() == RECEIVED);
        }
    };
    RunPair(client, server);
}

BOOST_AUTO_TEST_SUITE_END()
