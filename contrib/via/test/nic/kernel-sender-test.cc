/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
// Sending through the kernel: deferred sends, and control packets in between.

#include "../support/via-test-variant.h"
#include "../support/via-test-vipl-bench.h"

#include <boost/test/unit_test.hpp>

using namespace ns3::via;
using namespace ns3::via::test;

namespace
{

constexpr VIP_UINT32 BYTES = 4000; // of a message: three frames

ClusterConfig
KernelCard(const Changes& more = {})
{
    static std::vector<std::unique_ptr<Variant>> cards; // their files, while tests run
    cards.push_back(std::make_unique<Variant>(KernelPath() + more));
    return cards.back()->Recorded("star", 2);
}

void
Defer(Party& self, bool on)
{
    VIP_BOOLEAN before = VIP_FALSE;
    BOOST_TEST(VipPostDeferredSends(self.vi, on ? VIP_TRUE : VIP_FALSE, &before) == VIP_SUCCESS);
}

void
ReceiveAll(Party& self, int count, VIP_UINT32 bytes)
{
    for (int i = 0; i < count; ++i)
    {
        self.Receive(self.Make({self.At(0, bytes)}));
    }
    for (int i = 0; i < count; ++i)
    {
        BOOST_TEST(self.Received() == RECEIVED);
    }
}

} // namespace

BOOST_AUTO_TEST_SUITE(KernelSenderTest)

BOOST_AUTO_TEST_CASE(DeferredSendsPayForTheirFramesWhenTheyAreRung)
{
    const auto client = [](Party& self, Party&) {
        Defer(self, true);
        for (int i = 0; i < 3; ++i)
        {
            self.Send(self.Make({self.At(0, BYTES)}));
        }
        const Ps before = Now();
        Defer(self, false);
        const Ps work = CpuTime(300 + 3 * (200 + 90 + 3 * 150)); // one trap, the rest for each
        BOOST_TEST(Now() - before >= work + CpuTime(Key("vipl.query")));
        BOOST_TEST(Now() - before < work + work / 4);
        for (int i = 0; i < 3; ++i)
        {
            BOOST_TEST(self.Sent() == SENT);
        }
    };
    RunPair(
        client,
        [](Party& self, Party&) { ReceiveAll(self, 3, BYTES); },
        {},
        KernelCard());
}

BOOST_AUTO_TEST_CASE(ADeferredSendThatIsInvalidHasNoFramesAndFails)
{
    const auto client = [](Party& self, Party&) {
        Defer(self, true);
        self.Send(self.Make({self.At(0, BYTES)}));
        self.Send(self.Make({{self.At(0), BYTES, self.region + 77}}));
        Defer(self, false);
        BOOST_TEST((self.Sent() & VIP_STATUS_DONE) != 0U); // sent, or flushed on its way
        BOOST_TEST((self.Sent() & VIP_STATUS_PROTECTION_ERROR) != 0U);
    };
    const auto server = [](Party& self, Party&) { ReceiveAll(self, 1, BYTES); };
    RunPair(client, server, {}, KernelCard());
}

// An answer to a read, which is nobody's descriptor, once dropped what was known of the frames of
// sends behind it: the card then sent frames before the kernel had made them.
BOOST_AUTO_TEST_CASE(AControlPacketLeavesTheFramesOfTheNextSendAlone)
{
    constexpr VIP_UINT32 longBytes = 30000;
    constexpr VIP_UINT32 sentBytes = 20000;
    Setup setup;
    setup.rdmaRead = true;
    Ps posted = 0;
    const auto reader = [](Party& self, Party& peer) {
        for (int i = 0; i < 2; ++i)
        {
            self.Send(self.Read(peer.At(0, longBytes), {self.At(0, longBytes)}));
        }
        BOOST_TEST(self.Sent() == READ);
        BOOST_TEST(self.Sent() == READ);
    };
    const auto server = [&posted](Party& self, Party&) {
        Pause(PS_PER_MS + 330 * PS_PER_US); // the first answer is under way, the second waits
        self.Send(self.Make({self.At(0, sentBytes)}));
        posted = Now();
        BOOST_TEST(self.Sent() == SENT);
    };
    const auto client = [&](Party& self, Party& peer) {
        self.Receive(self.Make({self.At(0, sentBytes)}));
        reader(self, peer);
        BOOST_TEST(self.Received() == RECEIVED);
        BOOST_TEST(posted > 0);
        BOOST_TEST(Now() > posted);
    };
    // a frame takes the kernel 100 us, much longer than it is on the wire
    const Changes slow = {{"nic.rdma_read", "1"}, {"vipl.kernel_send", "30000"}};
    RunPair(client, server, setup, KernelCard(slow));
}

BOOST_AUTO_TEST_CASE(AThreadThatPostsWhileDeferredSendsAreRungHoldsNobodyUp)
{
    for (Ps after = 90 * PS_PER_US; after < 115 * PS_PER_US; after += PS_PER_US)
    {
        const auto client = [after](Party& self, Party&) {
            Defer(self, true);
            self.Send(self.Make({self.At(0, 1400)}));
            ViplProcess::Running().StartThread([&self, after] {
                Pause(after);
                self.Send(self.Make({self.At(0, 8)}));
            });
            Pause(100 * PS_PER_US);
            Defer(self, false);
            BOOST_TEST(self.Sent() == SENT, "after " << after << " ps");
            BOOST_TEST(self.Sent() == SENT, "after " << after << " ps");
        };
        ClusterConfig config = KernelCard({{"vipl.kernel_translate", "2000"}});
        config.overrides["cpu.count"] = "2";
        RunPair(
            client,
            [](Party& self, Party&) { ReceiveAll(self, 2, 1400); },
            {},
            config);
    }
}

BOOST_AUTO_TEST_SUITE_END()
