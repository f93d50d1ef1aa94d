/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
// When sends complete that wait for the peer: equal in fast and reference mode, and later than
// those that do not wait.

#include "support/via-test-vipl-bench.h"

using namespace ns3::via;
using namespace ns3::via::test;

namespace
{

/// What the client posts; its completions are awaited in order.
using Post = std::function<void(Party& self, Party& peer)>;

/// When each of @p count sends of the client has completed, in ps from the first post.
std::vector<Ps>
CompletionTimes(VIP_USHORT level, bool reference, std::uint32_t count, const Post& post)
{
    ClusterConfig config;
    config.reference = reference;
    config.overrides["nic.rdma_read"] = "1";
    Setup setup;
    setup.level = level;
    setup.rdmaRead = true;
    std::vector<Ps> times;
    const auto client = [&](Party& self, Party& peer) {
        const Ps start = Now();
        post(self, peer);
        for (std::uint32_t i = 0; i < count; ++i)
        {
            VIP_DESCRIPTOR* done = nullptr;
            while (VipSendDone(self.vi, &done) == VIP_NOT_DONE)
            {
            }
            BOOST_TEST((done->CS.Status & VIP_STATUS_ERROR_MASK) == 0u);
            times.push_back(Now() - start);
        }
    };
    const auto server = [](Party& self, Party&) {
        for (int i = 0; i < 4; ++i)
        {
            self.Receive(self.Make({self.At(0, 65536)}));
        }
    };
    RunPair(client, server, setup, config);
    return times;
}

/// Both modes must agree. @return the times
std::vector<Ps>
InBothModes(VIP_USHORT level, std::uint32_t count, const Post& post)
{
    const std::vector<Ps> fast = CompletionTimes(level, false, count, post);
    BOOST_TEST(CompletionTimes(level, true, count, post) == fast, boost::test_tools::per_element());
    return fast;
}

Post
Sending(VIP_UINT32 bytes)
{
    return [bytes](Party& self, Party&) { self.Send(self.Make({self.At(0, bytes)})); };
}

} // namespace

BOOST_AUTO_TEST_SUITE(nic_response_time)

BOOST_AUTO_TEST_CASE(ReceptionIsToldAtTheSamePicosecondInBothModes)
{
    for (const VIP_UINT32 bytes : {0, 4, 5000, 65536})
    {
        InBothModes(VIP_SERVICE_RELIABLE_RECEPTION, 1, Sending(bytes));
    }
}

BOOST_AUTO_TEST_CASE(AReadCompletesAtTheSamePicosecondInBothModes)
{
    for (const VIP_UINT32 bytes : {4u, 5000u, 65536u})
    {
        InBothModes(VIP_SERVICE_RELIABLE_DELIVERY, 1, [bytes](Party& self, Party& peer) {
            self.Send(self.Read(peer.At(0, 0), {self.At(0, bytes)}));
        });
    }
}

BOOST_AUTO_TEST_CASE(ReceptionIsLaterThanDelivery)
{
    const Ps delivered = CompletionTimes(VIP_SERVICE_RELIABLE_DELIVERY, false, 1, Sending(4))[0];
    const Ps received = CompletionTimes(VIP_SERVICE_RELIABLE_RECEPTION, false, 1, Sending(4))[0];
    BOOST_TEST(received > delivered + 5 * PS_PER_US); // the way there, the memory and the way back
}

BOOST_AUTO_TEST_CASE(ASendBehindAReadCompletesAfterItAndAFencedOneLeavesAfterIt)
{
    const auto readAndSend = [](VIP_UINT16 control) {
        return [control](Party& self, Party& peer) {
            self.Send(self.Read(peer.At(0, 0), {self.At(0, 30000)}));
            self.Send(self.Make({self.At(40000, 4)}, control));
        };
    };
    constexpr VIP_USHORT level = VIP_SERVICE_RELIABLE_DELIVERY;
    const auto plain = CompletionTimes(level, false, 2, readAndSend(0));
    const auto fenced = CompletionTimes(level, false, 2, readAndSend(VIP_CONTROL_QFENCE));
    BOOST_TEST(plain[1] > plain[0]);
    BOOST_TEST(fenced[1] - fenced[0] > plain[1] - plain[0] + PS_PER_US); // fetched and sent then
}

BOOST_AUTO_TEST_SUITE_END()
