/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
// VIPL: the end of one process of a node changes nothing for the others.

#include "support/via-test-vipl-bench.h"

#include <array>
#include <string>
#include <utility>
#include <vector>

using namespace ns3::via;
using namespace ns3::via::test;

namespace
{

/// When somebody looked, and how many bytes had come.
using Sightings = std::vector<std::pair<Ps, std::uint32_t>>;

/**
 * @brief What a process of node 1 sees of a message that arrives while another process of that
 * node is killed.
 */
Sightings
Watch(Ps killed)
{
    constexpr std::uint32_t BYTES = 60000;
    Party ends[2];
    Party doomed;
    Sightings seen;
    Cluster cluster{ClusterConfig{}};
    cluster.AddProcess(0, [&] {
        ends[0].Open({});
        BOOST_TEST(ends[0].Connect(ends[0].vi, 1) == VIP_SUCCESS);
        ends[0].Fill(0, BYTES, 1);
        FiberProcess::Current()->SleepUntil(20 * PS_PER_MS);
        ends[0].Send(ends[0].Make({ends[0].At(0, BYTES)}));
        Pause(PS_PER_SECOND);
        return 0;
    });
    cluster.AddProcess(1, [&] {
        ends[1].Open({});
        ends[1].Receive(ends[1].Make({ends[1].At(0, BYTES)}));
        BOOST_TEST(ends[1].Listen(ends[1].vi) == VIP_SUCCESS);
        FiberProcess::Current()->SleepUntil(20 * PS_PER_MS);
        std::uint32_t count = 0;
        while (count < BYTES)
        {
            ends[1].State(); // time passes
            while (count < BYTES && *ends[1].At(count) != Party::CANARY)
            {
                ++count;
            }
            seen.emplace_back(Now(), count);
        }
        return 0;
    });
    const auto idle = [&doomed] {
        doomed.Open({});
        Pause(PS_PER_SECOND);
        return 0;
    };
    cluster.AddProcess(1, idle, 0, killed);
    cluster.Run();
    return seen;
}

/**
 * @brief The sends of three processes meet at a doorbell FIFO with one entry, which those of the
 * first fill, while the second stalls and then the third.
 * @param killed when the second is killed, after the first post
 * @param broken when its peer disconnects
 * @return whether the third sends
 */
bool
TheLastOfThreeSends(Ps killed, Ps broken)
{
    constexpr Ps START = 100 * PS_PER_MS;
    Cluster cluster(With("nic.doorbell_depth", "1"));
    std::array<Party, 3> senders;
    Party receiver;
    bool sent = false;
    const auto open = [&](std::uint32_t i, Ps wait) {
        senders[i].Open({});
        BOOST_TEST(senders[i].Connect(senders[i].vi, 1, std::to_string(i)) == VIP_SUCCESS);
        FiberProcess::Current()->SleepUntil(START + wait);
    };
    const auto post = [&](std::uint32_t i) {
        senders[i].Send(senders[i].Make({senders[i].At(0, 60000)}));
    };
    cluster.AddProcess(0, [&] {
        open(0, 0);
        post(0);
        post(0);
        Pause(PS_PER_SECOND);
        return 0;
    });
    const auto second = [&] {
        open(1, 50 * PS_PER_US);
        post(1);
        Pause(PS_PER_SECOND);
        return 0;
    };
    cluster.AddProcess(0, second, 0, killed == PS_NEVER ? killed : START + killed);
    cluster.AddProcess(0, [&] {
        open(2, 100 * PS_PER_US);
        post(2);
        sent = senders[2].Sent() == SENT;
        return 0;
    });
    cluster.AddProcess(1, [&] {
        receiver.Open({});
        std::array<VIP_VI_HANDLE, 3> vis{};
        for (std::size_t i = 0; i < vis.size(); ++i)
        {
            vis[i] = receiver.vi = receiver.CreateVi();
            receiver.Receive(receiver.Make({receiver.At(0, 60000)}));
            receiver.Receive(receiver.Make({receiver.At(0, 60000)}));
            BOOST_TEST(receiver.Listen(vis[i], std::to_string(i)) == VIP_SUCCESS);
        }
        if (broken != PS_NEVER)
        {
            FiberProcess::Current()->SleepUntil(START + broken);
            VipDisconnect(vis[1]);
        }
        Pause(PS_PER_SECOND);
        return 0;
    });
    cluster.Run();
    return sent;
}

} // namespace

BOOST_AUTO_TEST_SUITE(vipl_process_end)

BOOST_AUTO_TEST_CASE(TheBytesOfOtherProcessesComeNoEarlier)
{
    const Sightings undisturbed = Watch(PS_NEVER);
    BOOST_TEST(undisturbed.back().second == 60000u);
    for (Ps us = 0; us <= 600; us += 37)
    {
        BOOST_TEST((Watch(20 * PS_PER_MS + us * PS_PER_US) == undisturbed), us);
    }
}

BOOST_AUTO_TEST_CASE(WhatWasSentBeforeTheEndArrivesAsItWas)
{
    // the sender ends, and its memory changes, before the NIC has read all of it
    Party ends[2];
    Cluster cluster{ClusterConfig{}};
    cluster.AddProcess(0, [&ends] {
        ends[0].Open({});
        BOOST_TEST(ends[0].Connect(ends[0].vi, 1) == VIP_SUCCESS);
        Pause(PS_PER_MS);
        ends[0].Fill(0, 100, 1);
        ends[0].Send(ends[0].Make({ends[0].At(0, 100)}));
        BOOST_TEST(VipDisconnect(ends[0].vi) == VIP_SUCCESS);
        return 0;
    });
    cluster.AddProcess(1, [&ends] {
        ends[1].Open({});
        ends[1].Receive(ends[1].Make({ends[1].At(0, 100)}));
        BOOST_TEST(ends[1].Listen(ends[1].vi) == VIP_SUCCESS);
        BOOST_TEST(ends[1].Received() == RECEIVED);
        BOOST_TEST(ends[1].Holds(0, 100, 1));
        return 0;
    });
    BOOST_TEST((cluster.Run().exit == RunExit::SUCCESS));
}

BOOST_AUTO_TEST_CASE(ADoorbellEntryThatAKilledProcessWaitedForGoesToTheNext)
{
    for (Ps us = 120; us <= 600; us += 80)
    {
        BOOST_TEST(TheLastOfThreeSends(us * PS_PER_US, PS_NEVER), us);
    }
}

BOOST_AUTO_TEST_CASE(ADoorbellEntryThatAFlushedSendWaitedForGoesToTheNext)
{
    BOOST_TEST(TheLastOfThreeSends(PS_NEVER, 200 * PS_PER_US));
}

BOOST_AUTO_TEST_CASE(MemoryOfAProcessThatHasEndedIsLeftAlone)
{
    Party ends[2];
    Cluster cluster{ClusterConfig{}};
    constexpr Ps KILLED = 20 * PS_PER_MS + 300 * PS_PER_US; // half of the message is there
    std::vector<std::uint8_t> then;
    cluster.AddProcess(0, [&] {
        ends[0].Open({});
        BOOST_TEST(ends[0].Connect(ends[0].vi, 1) == VIP_SUCCESS);
        ends[0].Fill(0, 60000, 1);
        FiberProcess::Current()->SleepUntil(20 * PS_PER_MS);
        ends[0].Send(ends[0].Make({ends[0].At(0, 60000)}));
        FiberProcess::Current()->SleepUntil(KILLED + PS_PER_NS);
        then.assign(ends[1].At(0), ends[1].At(0) + 60000);
        Pause(PS_PER_SECOND);
        BOOST_TEST(std::equal(then.begin(), then.end(), ends[1].At(0)));
        BOOST_TEST(then.front() != Party::CANARY);
        BOOST_TEST(then.back() == Party::CANARY);
        return 0;
    });
    const auto receiver = [&] {
        ends[1].Open({});
        ends[1].Receive(ends[1].Make({ends[1].At(0, 60000)}));
        BOOST_TEST(ends[1].Listen(ends[1].vi) == VIP_SUCCESS);
        ends[1].Received();
        return 0;
    };
    cluster.AddProcess(1, receiver, 0, KILLED);
    cluster.Run();
}

BOOST_AUTO_TEST_CASE(AMessageThatWasDroppedLeavesLaterOnesAlone)
{
    // its bytes are read late, when somebody looks: not into the packet of another message
    Setup setup;
    setup.level = VIP_SERVICE_UNRELIABLE;
    const auto client = [](Party& self, Party&) {
        self.Fill(0, 200, 1);
        self.Receive(self.Make({self.At(1000, 200)}));
        self.Send(self.Make({self.At(0, 200)}));
        Pause(50 * PS_PER_MS); // nobody of this node looks meanwhile
        BOOST_TEST(self.Received() == RECEIVED);
        BOOST_TEST(self.Holds(1000, 200, 9));
    };
    const auto server = [](Party& self, Party&) {
        while (self.errors.empty())
        {
            self.State();
        }
        self.Fill(0, 200, 9);
        self.Send(self.Make({self.At(0, 200)}));
        BOOST_TEST(self.Sent() == SENT);
    };
    RunPair(client, server, setup);
}

BOOST_AUTO_TEST_SUITE_END()
