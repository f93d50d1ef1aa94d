/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
// VIPL: sends and receives that work.

#include "support/via-test-vipl-bench.h"

using namespace ns3::via;
using namespace ns3::via::test;

BOOST_AUTO_TEST_SUITE(vipl_send_receive)

BOOST_AUTO_TEST_CASE(AMessageArrivesWholeAndNowhereElse)
{
    const auto client = [](Party& self, Party&) {
        self.Fill(100, 1000, 1);
        BOOST_TEST(self.Send(self.Make({self.At(100, 1000)})) == VIP_SUCCESS);
        BOOST_TEST(self.Sent() == SENT);
        BOOST_TEST(self.last->CS.Length == 1000u);
    };
    const auto server = [](Party& self, Party&) {
        BOOST_TEST(self.Receive(self.Make({self.At(7, 2000)})) == VIP_SUCCESS);
        BOOST_TEST(self.Received() == RECEIVED);
        BOOST_TEST(self.last->CS.Length == 1000u);
        BOOST_TEST(self.Holds(7, 1000, 1));
        BOOST_TEST(self.Untouched(-4096, 4096 + 7));
        BOOST_TEST(self.Untouched(1007, Party::REGION - 1007 + Party::GUARD));
    };
    RunPair(client, server);
}

BOOST_AUTO_TEST_CASE(SegmentsAreGatheredAndScattered)
{
    const auto client = [](Party& self, Party&) {
        self.Fill(0, 700, 3);
        self.Send(self.Make({self.At(0, 1), self.At(1, 0), self.At(1, 199), self.At(200, 500)}));
        BOOST_TEST(self.Sent() == SENT);
    };
    const auto server = [](Party& self, Party&) {
        self.Receive(self.Make({self.At(1000, 333), self.At(5000, 7), self.At(2000, 900)}));
        BOOST_TEST(self.Received() == RECEIVED);
        BOOST_TEST(self.last->CS.Length == 700u);
        std::copy_n(self.At(1000), 333, self.At(9000));
        std::copy_n(self.At(5000), 7, self.At(9333));
        std::copy_n(self.At(2000), 360, self.At(9340));
        BOOST_TEST(self.Holds(9000, 700, 3));
        BOOST_TEST(self.Untouched(2360, 540));
        BOOST_TEST(self.Untouched(1333, 667));
        BOOST_TEST(self.Untouched(5007, 993));
    };
    RunPair(client, server);
}

BOOST_AUTO_TEST_CASE(EverySizeAroundACellAndADmaBurstArrives)
{
    const auto sizes = {1,   23,  24,  25,  47,  48,  49,   71,   72,    73,
                        359, 360, 361, 383, 384, 385, 3072, 3073, 65535, 65536};
    const auto client = [&](Party& self, Party&) {
        for (const std::uint32_t size : sizes)
        {
            self.Fill(0, size, static_cast<int>(size));
            self.Send(self.Make({self.At(0, size)}));
            BOOST_TEST(self.Sent() == SENT);
            Pause(PS_PER_MS);
        }
    };
    const auto server = [&](Party& self, Party&) {
        for (const std::uint32_t size : sizes)
        {
            self.Receive(self.Make({self.At(1, 65536)}));
            BOOST_TEST(self.Received() == RECEIVED);
            BOOST_TEST(self.last->CS.Length == size);
            BOOST_TEST(self.Holds(1, size, static_cast<int>(size)));
            BOOST_TEST(self.Untouched(65537, 100));
        }
    };
    RunPair(client, server);
}

BOOST_AUTO_TEST_CASE(MessagesOfAnUnreliableViArriveOnAFabricThatLosesNothing)
{
    Setup setup;
    setup.level = VIP_SERVICE_UNRELIABLE;
    const auto client = [](Party& self, Party&) {
        self.Fill(0, 100, 5);
        self.Send(self.Make({self.At(0, 100)}));
        BOOST_TEST(self.Sent() == SENT);
    };
    const auto server = [](Party& self, Party&) {
        self.Receive(self.Make({self.At(0, 100)}));
        BOOST_TEST(self.Received() == RECEIVED);
        BOOST_TEST(self.Holds(0, 100, 5));
    };
    RunPair(client, server, setup);
}

BOOST_AUTO_TEST_CASE(EmptyMessagesConsumeAReceiveEach)
{
    const auto client = [](Party& self, Party&) {
        self.Send(self.Make({}));
        self.Send(self.Make({self.At(0, 0)}));
        BOOST_TEST(self.Sent() == SENT);
        BOOST_TEST(self.Sent() == SENT);
        BOOST_TEST(self.last->CS.Length == 0u);
    };
    const auto server = [](Party& self, Party&) {
        self.Receive(self.Make({self.At(0, 100)}));
        self.Receive(self.Make({}));
        self.Receive(self.Make({}));
        BOOST_TEST(self.Received() == RECEIVED);
        BOOST_TEST(self.last->CS.Length == 0u);
        BOOST_TEST(self.Received() == RECEIVED);
        VIP_DESCRIPTOR* none;
        BOOST_TEST(VipRecvDone(self.vi, &none) == VIP_NOT_DONE);
        BOOST_TEST(self.Untouched());
    };
    RunPair(client, server);
}

BOOST_AUTO_TEST_CASE(AnEmptySegmentMayNameAnything)
{
    const auto client = [](Party& self, Party&) {
        self.Send(self.Make({{nullptr, 0, 0}}));
        BOOST_TEST(self.Sent() == SENT);
    };
    const auto server = [](Party& self, Party&) {
        self.Receive(self.Make({{nullptr, 0, 0xFFFFFFFF}}));
        BOOST_TEST(self.Received() == RECEIVED);
    };
    RunPair(client, server);
}

BOOST_AUTO_TEST_CASE(ImmediateDataTravelsWithOrWithoutBytes)
{
    const auto client = [](Party& self, Party&) {
        self.Fill(0, 8, 1);
        self.Send(self.Immediate(self.Make({}), 0xCAFEBABE));
        self.Send(self.Immediate(self.Make({self.At(0, 8)}), 42));
        self.Send(self.Make({self.At(0, 8)}));
        BOOST_TEST(self.Sent() == SENT); // the bit is the receiver's
    };
    const auto server = [](Party& self, Party&) {
        for (int i = 0; i < 3; ++i)
        {
            self.Receive(self.Make({self.At(0, 8)}));
        }
        BOOST_TEST(self.Received() == (RECEIVED | VIP_STATUS_IMMEDIATE));
        BOOST_TEST(self.last->CS.ImmediateData == 0xCAFEBABE);
        BOOST_TEST(self.Received() == (RECEIVED | VIP_STATUS_IMMEDIATE));
        BOOST_TEST(self.last->CS.ImmediateData == 42u);
        BOOST_TEST(self.Holds(0, 8, 1));
        BOOST_TEST(self.Received() == RECEIVED);
        BOOST_TEST(self.last->CS.ImmediateData == 0u);
    };
    RunPair(client, server);
}

BOOST_AUTO_TEST_CASE(TheImmediateBitOfAReceiveIsIgnored)
{
    const auto client = [](Party& self, Party&) { self.Send(self.Make({})); };
    const auto server = [](Party& self, Party&) {
        self.Receive(self.Immediate(self.Make({}), 5));
        BOOST_TEST(self.Received() == RECEIVED);
        BOOST_TEST(self.last->CS.ImmediateData == 5u);
    };
    RunPair(client, server);
}

BOOST_AUTO_TEST_CASE(CompletionsOfAQueueComeInPostingOrder)
{
    const auto client = [](Party& self, Party&) {
        std::vector<VIP_DESCRIPTOR*> posted;
        for (std::uint32_t i = 0; i < 20; ++i)
        {
            posted.push_back(self.Immediate(self.Make({self.At(0, i % 2 ? 1 : 20000)}), i));
            self.Send(posted.back());
        }
        for (VIP_DESCRIPTOR* descriptor : posted)
        {
            BOOST_TEST(self.Sent() == SENT);
            BOOST_TEST(self.last == descriptor);
        }
    };
    const auto server = [](Party& self, Party&) {
        std::vector<VIP_DESCRIPTOR*> posted;
        for (int i = 0; i < 20; ++i)
        {
            posted.push_back(self.Make({self.At(0, 20000)}));
            self.Receive(posted.back());
        }
        for (std::uint32_t i = 0; i < 20; ++i)
        {
            BOOST_TEST(self.Received() == (RECEIVED | VIP_STATUS_IMMEDIATE));
            BOOST_TEST(self.last == posted[i]);
            BOOST_TEST(self.last->CS.ImmediateData == i);
        }
    };
    RunPair(client, server);
}

BOOST_AUTO_TEST_CASE(TheStatusOfAPostedDescriptorIsClearedByThePost)
{
    const auto client = [](Party& self, Party&) {
        VIP_DESCRIPTOR* descriptor = self.Make({});
        self.Send(descriptor);
        BOOST_TEST(self.Sent() == SENT);
        Pause(PS_PER_MS);
        self.Send(descriptor);
        BOOST_TEST(descriptor->CS.Status == 0u);
        BOOST_TEST(self.Sent() == SENT);
    };
    const auto server = [](Party& self, Party&) {
        VIP_DESCRIPTOR* descriptor = self.Make({});
        self.Receive(descriptor);
        BOOST_TEST(self.Received() == RECEIVED);
        descriptor->CS.Next.AddressBits = ~0UL; // the library's, and overwritten
        self.Receive(descriptor);
        BOOST_TEST(descriptor->CS.Next.AddressBits == 0u);
        BOOST_TEST(self.Received() == RECEIVED);
    };
    RunPair(client, server);
}

BOOST_AUTO_TEST_CASE(BothDirectionsOfAViWorkAtOnce)
{
    const auto both = [](Party& self, Party&) {
        for (int i = 0; i < 10; ++i)
        {
            self.Receive(self.Make({self.At(50000, 40000)}));
        }
        Pause(2 * PS_PER_MS);
        self.Fill(0, 40000, 9);
        for (int i = 0; i < 10; ++i)
        {
            self.Send(self.Make({self.At(0, 40000)}));
        }
        for (int i = 0; i < 10; ++i)
        {
            BOOST_TEST(self.Received() == RECEIVED);
            BOOST_TEST(self.Sent() == SENT);
        }
        BOOST_TEST(self.Holds(50000, 40000, 9));
    };
    RunPair(both, both);
}

BOOST_AUTO_TEST_CASE(AllSegmentsThatADescriptorMayHaveAreUsed)
{
    ClusterConfig config;
    config.overrides["nic.max_segments"] = "5";
    const auto client = [](Party& self, Party&) {
        self.Fill(0, 5, 2);
        self.Send(
            self.Make({self.At(0, 1), self.At(1, 1), self.At(2, 1), self.At(3, 1), self.At(4, 1)}));
        BOOST_TEST(self.Sent() == SENT);
    };
    const auto server = [](Party& self, Party&) {
        self.Receive(
            self.Make({self.At(0, 1), self.At(1, 1), self.At(2, 1), self.At(3, 1), self.At(4, 1)}));
        BOOST_TEST(self.Received() == RECEIVED);
        BOOST_TEST(self.Holds(0, 5, 2));
    };
    RunPair(client, server, {}, config);
}

BOOST_AUTO_TEST_CASE(MessagesOfTwoVisToOnePeerKeepTheOrderOfTheirPosts)
{
    const auto client = [](Party& self, Party&) {
        const VIP_VI_HANDLE first = self.vi;
        const VIP_VI_HANDLE second = self.CreateVi();
        BOOST_TEST(self.Connect(second, 1, "two") == VIP_SUCCESS);
        Pause(PS_PER_MS);
        for (std::uint32_t i = 0; i < 8; ++i)
        {
            self.vi = i % 2 == 0 ? first : second;
            self.Send(self.Immediate(self.Make({self.At(0, i % 2 == 0 ? 60000 : 1)}), i));
        }
    };
    const auto server = [](Party& self, Party&) {
        const VIP_VI_HANDLE first = self.vi;
        const VIP_VI_HANDLE second = self.CreateVi(self.cq, self.cq);
        BOOST_TEST(self.Listen(second, "two") == VIP_SUCCESS);
        for (const VIP_VI_HANDLE vi : {first, second})
        {
            self.vi = vi;
            for (int i = 0; i < 4; ++i)
            {
                self.Receive(self.Make({self.At(0, 60000)}));
            }
        }
        for (std::uint32_t i = 0; i < 8; ++i)
        {
            VIP_BOOLEAN receive;
            BOOST_TEST(VipCQWait(self.cq, 500, &self.vi, &receive) == VIP_SUCCESS);
            BOOST_TEST(self.vi == (i % 2 == 0 ? first : second));
            BOOST_TEST(VipRecvDone(self.vi, &self.last) == VIP_SUCCESS);
            BOOST_TEST(self.last->CS.ImmediateData == i);
        }
    };
    Setup setup;
    setup.cqEntries = 32;
    RunPair(client, server, setup);
}

BOOST_AUTO_TEST_SUITE_END()
