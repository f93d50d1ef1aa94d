/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
// VIPL: completion queues.

#include "support/via-test-vipl-bench.h"

using namespace ns3::via;
using namespace ns3::via::test;

namespace
{

Setup
WithCq(VIP_ULONG entries = 16)
{
    Setup setup;
    setup.cqEntries = entries;
    return setup;
}

/// Takes an entry that must be there, and what it announces.
void
Take(Party& self, bool receive, VIP_RETURN result = VIP_SUCCESS)
{
    VIP_VI_HANDLE vi = nullptr;
    VIP_BOOLEAN isReceive = -1;
    BOOST_TEST(VipCQWait(self.cq, 500, &vi, &isReceive) == VIP_SUCCESS);
    BOOST_TEST(vi == self.vi);
    BOOST_TEST(isReceive == (receive ? VIP_TRUE : VIP_FALSE));
    BOOST_TEST((receive ? VipRecvDone : VipSendDone)(vi, &self.last) == result);
}

} // namespace

BOOST_AUTO_TEST_SUITE(vipl_completion_queue)

BOOST_AUTO_TEST_CASE(AnEntryAnnouncesADescriptorThatIsReady)
{
    const auto client = [](Party& self, Party&) {
        self.Send(self.Make({}));
        Take(self, false);
    };
    const auto server = [](Party& self, Party&) {
        self.Receive(self.Make({}));
        Take(self, true);
        VIP_BOOLEAN receive;
        BOOST_TEST(VipCQDone(self.cq, &self.vi, &receive) == VIP_NOT_DONE);
    };
    RunPair(client, server, WithCq());
}

BOOST_AUTO_TEST_CASE(ErrorsAndFlushesAreAnnouncedToo)
{
    const auto client = [](Party& self, Party&) {
        self.Send(self.Make({self.At(-1, 8)}));
        self.Send(self.Make({}));
        Take(self, false, VIP_DESCRIPTOR_ERROR);
        Take(self, false, VIP_DESCRIPTOR_ERROR);
    };
    const auto server = [](Party& self, Party&) {
        self.Receive(self.Make({}));
        Take(self, true, VIP_DESCRIPTOR_ERROR);
    };
    RunPair(client, server, WithCq());
}

BOOST_AUTO_TEST_CASE(AQueueMayBeDrainedDirectlyAndItsEntriesGoWithTheVi)
{
    const auto server = [](Party& self, Party&) {
        self.Receive(self.Make({}));
        self.Receive(self.Make({}));
        VipDisconnect(self.vi);
        BOOST_TEST(VipRecvDone(self.vi, &self.last) == VIP_DESCRIPTOR_ERROR);
        BOOST_TEST(VipRecvDone(self.vi, &self.last) == VIP_DESCRIPTOR_ERROR);
        BOOST_TEST(self.last != nullptr);
        BOOST_TEST(VipDestroyVi(self.vi) == VIP_SUCCESS);
        VIP_VI_HANDLE vi;
        VIP_BOOLEAN receive;
        BOOST_TEST(VipCQDone(self.cq, &vi, &receive) == VIP_NOT_DONE);
        BOOST_TEST(VipDestroyCQ(self.cq) == VIP_SUCCESS);
    };
    RunPair(Nothing, server, WithCq());
}

BOOST_AUTO_TEST_CASE(AStaleEntryOfALiveViIsHarmless)
{
    const auto client = [](Party& self, Party&) {
        self.Send(self.Make({}));
        Pause(PS_PER_MS);
        BOOST_TEST(VipSendDone(self.vi, &self.last) == VIP_SUCCESS);
        Take(self, false, VIP_DESCRIPTOR_ERROR);
        BOOST_TEST(self.last == nullptr);
    };
    const auto server = [](Party& self, Party&) { self.Receive(self.Make({})); };
    RunPair(client, server, WithCq());
}

BOOST_AUTO_TEST_CASE(AnOverflowLosesTheEntryAndIsTold)
{
    const auto client = [](Party& self, Party&) {
        for (int i = 0; i < 3; ++i)
        {
            self.Send(self.Make({}));
        }
        Pause(PS_PER_MS);
        BOOST_TEST(self.Errors() == "COMP_PROT");
        BOOST_TEST(self.errors[0].ResourceCode == VIP_RESOURCE_CQ);
        BOOST_TEST(self.errors[0].CQHandle == self.cq);
        Take(self, false);
        Take(self, false);
        VIP_VI_HANDLE vi;
        VIP_BOOLEAN receive;
        BOOST_TEST(VipCQDone(self.cq, &vi, &receive) == VIP_NOT_DONE);
        BOOST_TEST(VipSendDone(self.vi, &self.last) == VIP_SUCCESS); // the descriptor is not lost
    };
    const auto server = [](Party& self, Party&) {
        for (int i = 0; i < 3; ++i)
        {
            self.Receive(self.Make({}));
        }
        Pause(5 * PS_PER_MS);
        BOOST_TEST(self.Errors() == "COMP_PROT");
    };
    RunPair(client, server, WithCq(2));
}

BOOST_AUTO_TEST_CASE(AnOverflowNamesTheQueueThatOverflowed)
{
    const auto client = [](Party& self, Party&) {
        VIP_CQ_HANDLE sends = nullptr;
        VIP_CQ_HANDLE receives = nullptr;
        VipCreateCQ(self.nic, 1, &sends);
        VipCreateCQ(self.nic, 1, &receives);
        self.vi = self.CreateVi(sends, receives);
        self.Send(self.Make({})); // flushed: the VI is idle
        self.Send(self.Make({}));
        Pause(PS_PER_MS);
        BOOST_TEST(self.Errors() == "COMP_PROT");
        BOOST_TEST(self.errors[0].CQHandle == sends);
    };
    RunPair(client, Nothing);
}

BOOST_AUTO_TEST_CASE(AGrownQueueHoldsMore)
{
    const auto client = [](Party& self, Party&) {
        BOOST_TEST(VipResizeCQ(self.cq, 3) == VIP_SUCCESS);
        for (int i = 0; i < 3; ++i)
        {
            self.Send(self.Make({}));
        }
        Pause(PS_PER_MS);
        BOOST_TEST(self.Errors() == "");
        BOOST_TEST(VipResizeCQ(self.cq, 2) == VIP_ERROR_RESOURCE);
        Take(self, false);
        BOOST_TEST(VipResizeCQ(self.cq, 2) == VIP_SUCCESS);
    };
    const auto server = [](Party& self, Party&) {
        for (int i = 0; i < 3; ++i)
        {
            self.Receive(self.Make({}));
        }
    };
    RunPair(client, server, WithCq(2));
}

BOOST_AUTO_TEST_CASE(AQueueThatSomebodyWaitsForCanBeResized)
{
    const auto client = [](Party& self, Party&) {
        BOOST_TEST(VipResizeCQ(self.cq, 1) == VIP_SUCCESS);
        ViplProcess::Running().StartThread([&self] {
            Pause(5 * PS_PER_MS);
            BOOST_TEST(VipResizeCQ(self.cq, 4) == VIP_SUCCESS);
            Pause(5 * PS_PER_MS);
            for (int i = 0; i < 4; ++i)
            {
                self.Send(self.Make({}));
            }
        });
        Take(self, false);
        Pause(5 * PS_PER_MS);
        BOOST_TEST(self.Errors() == "");
        for (int i = 0; i < 3; ++i)
        {
            Take(self, false);
        }
    };
    const auto server = [](Party& self, Party&) {
        for (int i = 0; i < 4; ++i)
        {
            self.Receive(self.Make({}));
        }
    };
    RunPair(client, server, WithCq(4));
}

BOOST_AUTO_TEST_CASE(AQueueDoesNotShrinkBelowWhatItHoldsOrHasOnTheWay)
{
    RunAlone(
        [](Party& self) {
            for (int i = 0; i < 3; ++i)
            {
                self.Send(self.Make({}));
            }
            BOOST_TEST(VipResizeCQ(self.cq, 2) == VIP_ERROR_RESOURCE);
            BOOST_TEST(VipResizeCQ(self.cq, 3) == VIP_SUCCESS);
            Take(self, false, VIP_DESCRIPTOR_ERROR);
            BOOST_TEST(VipResizeCQ(self.cq, 2) == VIP_SUCCESS);
            BOOST_TEST(VipResizeCQ(self.cq, 1) == VIP_ERROR_RESOURCE);
        },
        WithCq());
}

BOOST_AUTO_TEST_CASE(ABoundQueueCanBeWaitedForAndLeavesItsEntryBehind)
{
    const auto client = [](Party& self, Party&) {
        self.Send(self.Make({}));
        BOOST_TEST(self.Sent() == SENT);
        Take(self, false, VIP_DESCRIPTOR_ERROR); // the entry of what was harvested
        BOOST_TEST(self.last == nullptr);
    };
    RunPair(
        client,
        [](Party& self, Party&) { self.Receive(self.Make({})); },
        WithCq());
}

BOOST_AUTO_TEST_CASE(OneQueueMergesManyWorkQueuesInOrderOfTime)
{
    const auto client = [](Party& self, Party&) {
        Pause(PS_PER_MS);
        self.Send(self.Make({}));
    };
    const auto server = [](Party& self, Party&) {
        const VIP_VI_HANDLE idle = self.CreateVi(self.cq, nullptr);
        const VIP_VI_HANDLE connected = self.vi;
        self.Receive(self.Make({}));
        self.vi = idle;
        self.Send(self.Make({})); // flushed at once
        Take(self, false, VIP_DESCRIPTOR_ERROR);
        self.vi = connected;
        Take(self, true);
    };
    RunPair(client, server, WithCq());
}

BOOST_AUTO_TEST_CASE(WaitingForAnEntryTimesOutOnTheMillisecond)
{
    RunAlone(
        [](Party& self) {
            VIP_VI_HANDLE vi = nullptr;
            VIP_BOOLEAN receive;
            const Ps before = Now();
            BOOST_TEST(VipCQWait(self.cq, 30, &vi, &receive) == VIP_TIMEOUT);
            BOOST_TEST(Now() - before == 30 * PS_PER_MS);
            BOOST_TEST(VipCQDone(self.cq, &vi, &receive) == VIP_NOT_DONE);
            BOOST_TEST(vi == nullptr);
        },
        WithCq());
}

BOOST_AUTO_TEST_CASE(AQueueInUseIsNotDestroyed)
{
    RunAlone(
        [](Party& self) {
            BOOST_TEST(VipDestroyCQ(self.cq) == VIP_ERROR_RESOURCE);
            BOOST_TEST(VipDestroyVi(self.vi) == VIP_SUCCESS);
            BOOST_TEST(VipDestroyCQ(self.cq) == VIP_SUCCESS);
            BOOST_TEST(VipDestroyCQ(self.cq) == VIP_INVALID_PARAMETER);
        },
        WithCq());
}

BOOST_AUTO_TEST_CASE(CompletionQueueCallsCheckTheirArguments)
{
    RunAlone(
        [](Party& self) {
            const VIP_RETURN refused = VIP_INVALID_PARAMETER;
            VIP_CQ_HANDLE made = nullptr;
            VIP_VI_HANDLE vi;
            VIP_BOOLEAN receive;
            BOOST_TEST(VipCreateCQ(nullptr, 1, &made) == refused);
            BOOST_TEST(VipCreateCQ(self.nic, 0, &made) == refused);
            BOOST_TEST(VipCreateCQ(self.nic, 1, nullptr) == refused);
            BOOST_TEST(VipDestroyCQ(nullptr) == refused);
            BOOST_TEST(VipResizeCQ(nullptr, 1) == refused);
            BOOST_TEST(VipResizeCQ(self.cq, 0) == refused);
            BOOST_TEST(VipCQDone(self.vi, &vi, &receive) == refused);
            BOOST_TEST(VipCQDone(self.cq, nullptr, &receive) == refused);
            BOOST_TEST(VipCQDone(self.cq, &vi, nullptr) == refused);
            BOOST_TEST(VipCQWait(nullptr, 1, &vi, &receive) == refused);
            BOOST_TEST(VipCQWait(self.cq, 1, nullptr, &receive) == refused);
            BOOST_TEST(VipCQWait(self.cq, 1, &vi, nullptr) == refused);
        },
        WithCq());
}

BOOST_AUTO_TEST_CASE(MoreThanTheNicHoldsIsRefused)
{
    ClusterConfig config;
    config.overrides["nic.max_cq"] = "2";
    const auto body = [](Party& self) {
        VIP_CQ_HANDLE made = nullptr;
        const VIP_ULONG most = Key("nic.max_cq_entries");
        BOOST_TEST(VipCreateCQ(self.nic, most + 1, &made) == VIP_ERROR_RESOURCE);
        BOOST_TEST(VipResizeCQ(self.cq, most + 1) == VIP_ERROR_RESOURCE);
        BOOST_TEST(VipCreateCQ(self.nic, most, &made) == VIP_SUCCESS);
        BOOST_TEST(VipCreateCQ(self.nic, 1, &made) == VIP_ERROR_RESOURCE);
    };
    RunAlone(body, WithCq(), config);
}

BOOST_AUTO_TEST_CASE(AQueueOfAnotherNicHandleIsForeign)
{
    RunAlone(
        [](Party& self) {
            VIP_NIC_HANDLE other = nullptr;
            VipOpenNic("nic0", &other);
            VIP_VI_ATTRIBUTES attributes = self.ViAttributes();
            VIP_VI_HANDLE vi = nullptr;
            VipCreatePtag(other, &attributes.Ptag);
            BOOST_TEST(VipCreateVi(other, &attributes, self.cq, nullptr, &vi) ==
                       VIP_INVALID_PARAMETER);
            BOOST_TEST(VipCreateVi(other, &attributes, nullptr, self.cq, &vi) ==
                       VIP_INVALID_PARAMETER);
            BOOST_TEST(VipCreateVi(other, &attributes, nullptr, nullptr, &vi) == VIP_SUCCESS);
        },
        WithCq(),
        Strict());
}

BOOST_AUTO_TEST_SUITE_END()
