/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
// VIPL: what Giganet's library offers beyond the others'.

#include "support/via-test-vipl-bench.h"

using namespace ns3::via;
using namespace ns3::via::test;

namespace
{

Setup
WithCq()
{
    Setup setup;
    setup.cqEntries = 16;
    return setup;
}

/// Switches the deferring of sends. @return whether they were deferred before
bool
Defer(Party& self, bool on)
{
    VIP_BOOLEAN before = 77;
    BOOST_TEST(VipPostDeferredSends(self.vi, on ? VIP_TRUE : VIP_FALSE, &before) == VIP_SUCCESS);
    BOOST_TEST((before == VIP_TRUE || before == VIP_FALSE));
    return before == VIP_TRUE;
}

/// Receives @p count messages, the i-th of which is full of Fill(i).
void
ReceiveAll(Party& self, int count)
{
    for (int i = 0; i < count; ++i)
    {
        self.Receive(self.Make({self.At(i * 100, 100)}));
    }
    for (int i = 0; i < count; ++i)
    {
        BOOST_TEST(self.Received() == RECEIVED);
        BOOST_TEST(self.Holds(i * 100, 100, i));
    }
}

/// Posts @p count messages.
void
SendAll(Party& self, int count)
{
    for (int i = 0; i < count; ++i)
    {
        self.Fill(i * 100, 100, i);
        BOOST_TEST(self.Send(self.Make({self.At(i * 100, 100)})) == VIP_SUCCESS);
    }
}

} // namespace

BOOST_AUTO_TEST_SUITE(vipl_extras)

BOOST_AUTO_TEST_CASE(DeferredSendsLeaveWhenTheSwitchGoesOff)
{
    const auto client = [](Party& self, Party&) {
        BOOST_TEST(!Defer(self, true));
        SendAll(self, 3);
        Pause(10 * PS_PER_MS);
        BOOST_TEST(VipSendDone(self.vi, &self.last) == VIP_NOT_DONE);
        BOOST_TEST(Defer(self, false));
        for (int i = 0; i < 3; ++i)
        {
            BOOST_TEST(self.Sent() == SENT);
        }
        BOOST_TEST(!Defer(self, false));
    };
    const auto server = [](Party& self, Party&) {
        const Ps before = Now();
        ReceiveAll(self, 3);
        BOOST_TEST(Now() - before > 10 * PS_PER_MS);
    };
    RunPair(client, server);
}

BOOST_AUTO_TEST_CASE(SendsThatAreDeferredShareOneDoorbell)
{
    Ps apart = 0;
    Ps together = 0;
    for (Ps* span : {&apart, &together})
    {
        const auto client = [&](Party& self, Party&) {
            std::vector<VIP_DESCRIPTOR*> descriptors;
            for (int i = 0; i < 8; ++i)
            {
                self.Fill(i * 100, 100, i);
                descriptors.push_back(self.Make({self.At(i * 100, 100)}));
            }
            const Ps before = Now();
            if (span == &together)
            {
                Defer(self, true);
            }
            for (VIP_DESCRIPTOR* descriptor : descriptors)
            {
                self.Send(descriptor);
            }
            *span = Now() - before;
            Defer(self, false);
        };
        RunPair(client, [](Party& self, Party&) { ReceiveAll(self, 8); });
    }
    // a post that rings does not wait for the bus either: only the switch itself costs
    BOOST_TEST(together - apart == CpuTime(Key("vipl.query")), boost::test_tools::tolerance(0.02));
}

BOOST_AUTO_TEST_CASE(ADisconnectRingsForWhatIsDeferred)
{
    const auto client = [](Party& self, Party&) {
        Defer(self, true);
        SendAll(self, 2);
        BOOST_TEST(VipDisconnect(self.vi) == VIP_SUCCESS);
        BOOST_TEST(self.Sent() == SENT);
        BOOST_TEST(self.Sent() == SENT);
    };
    RunPair(client, [](Party& self, Party&) { ReceiveAll(self, 2); });
}

BOOST_AUTO_TEST_CASE(DeferredSendsOfABrokenViAreFlushedAndNotRungFor)
{
    const auto client = [](Party& self, Party&) {
        Defer(self, true);
        SendAll(self, 2);
        Pause(20 * PS_PER_MS);
        BOOST_TEST(self.State() == VIP_STATE_ERROR);
        BOOST_TEST(Defer(self, false));
        for (int i = 0; i < 2; ++i)
        {
            BOOST_TEST(self.Sent() == (VIP_STATUS_DONE | VIP_STATUS_DESC_FLUSHED_ERROR));
        }
        BOOST_TEST(VipSendDone(self.vi, &self.last) == VIP_DESCRIPTOR_ERROR);
        BOOST_TEST(self.last == nullptr);
    };
    const auto server = [](Party& self, Party&) {
        Pause(10 * PS_PER_MS);
        VipDisconnect(self.vi);
    };
    RunPair(client, server);
}

BOOST_AUTO_TEST_CASE(DeferredSendsCountForTheDepthOfTheQueue)
{
    ClusterConfig config = With("nic.max_queue_depth", "2");
    const auto client = [](Party& self, Party&) {
        Defer(self, true);
        SendAll(self, 3);
        BOOST_TEST(self.Errors() == "VI_OVERRUN CONN_LOST");
    };
    RunPair(client, Nothing, {}, config);
}

BOOST_AUTO_TEST_CASE(WhileIdleADeferredSendIsFlushedAsAnyOther)
{
    RunAlone([](Party& self) {
        Defer(self, true);
        SendAll(self, 1);
        BOOST_TEST(self.Sent() == (VIP_STATUS_DONE | VIP_STATUS_DESC_FLUSHED_ERROR));
    });
}

BOOST_AUTO_TEST_CASE(DeferringChecksItsArguments)
{
    RunAlone([](Party& self) {
        VIP_BOOLEAN before = 77;
        BOOST_TEST(VipPostDeferredSends(nullptr, VIP_TRUE, &before) == VIP_INVALID_PARAMETER);
        BOOST_TEST(VipPostDeferredSends(self.vi, VIP_TRUE, nullptr) == VIP_INVALID_PARAMETER);
        BOOST_TEST(before == 77);
        BOOST_TEST(!Defer(self, true));
    });
}

BOOST_AUTO_TEST_CASE(TagsTieEventsToQueues)
{
    RunAlone(
        [](Party& self) {
            VIP_EVENT_HANDLE event = nullptr;
            BOOST_TEST(VipAddTagCQ(self.cq, &event, 1, 0) == VIP_SUCCESS);
            BOOST_TEST(event != nullptr);
            VIP_EVENT_HANDLE same = event;
            BOOST_TEST(VipAddTagCQ(self.cq, &same, 2, 0) == VIP_SUCCESS);
            BOOST_TEST(same == event);
            BOOST_TEST(VipAddTagCQ(self.cq, &same, 2, 5) == VIP_INVALID_PARAMETER); // is there
            VIP_CQ_HANDLE second = nullptr;
            VipCreateCQ(self.nic, 4, &second);
            BOOST_TEST(VipAddTagCQ(second, &same, 2, 0) == VIP_SUCCESS);
            BOOST_TEST(VipRemoveTagCQ(self.cq, event, 3) == VIP_INVALID_PARAMETER);
            BOOST_TEST(VipRemoveTagCQ(self.cq, event, 1) == VIP_SUCCESS);
            BOOST_TEST(VipRemoveTagCQ(self.cq, event, 1) == VIP_INVALID_PARAMETER);
            BOOST_TEST(VipRemoveTagCQ(self.cq, event, 2) == VIP_SUCCESS);
            BOOST_TEST(VipDestroyCQ(second) == VIP_SUCCESS); // its ties go with it, then the event
            BOOST_TEST(VipAddTagCQ(self.cq, &event, 1, 0) == VIP_INVALID_PARAMETER);
        },
        WithCq());
}

BOOST_AUTO_TEST_CASE(TyingChecksItsArguments)
{
    RunAlone(
        [](Party& self) {
            VIP_EVENT_HANDLE event = nullptr;
            VIP_EVENT_HANDLE wrong = self.vi;
            BOOST_TEST(VipAddTagCQ(nullptr, &event, 1, 0) == VIP_INVALID_PARAMETER);
            BOOST_TEST(VipAddTagCQ(self.vi, &event, 1, 0) == VIP_INVALID_PARAMETER);
            BOOST_TEST(VipAddTagCQ(self.cq, nullptr, 1, 0) == VIP_INVALID_PARAMETER);
            BOOST_TEST(VipAddTagCQ(self.cq, &wrong, 1, 0) == VIP_INVALID_PARAMETER);
            BOOST_TEST(VipRemoveTagCQ(nullptr, event, 1) == VIP_INVALID_PARAMETER);
            BOOST_TEST(VipRemoveTagCQ(self.cq, event, 1) == VIP_INVALID_PARAMETER);
            BOOST_TEST(event == nullptr);
        },
        WithCq());
}

BOOST_AUTO_TEST_CASE(AProductWithoutThemSaysSoAndTakesItsTime)
{
    const auto body = [](Party& self) {
        VIP_EVENT_HANDLE event = nullptr;
        VIP_BOOLEAN deferred = 77;
        const Ps before = Now();
        BOOST_TEST(VipAddTagCQ(self.cq, &event, 1, 0) == VIP_ERROR_NOT_SUPPORTED);
        BOOST_TEST(VipRemoveTagCQ(self.cq, event, 1) == VIP_ERROR_NOT_SUPPORTED);
        BOOST_TEST(VipPostDeferredSends(self.vi, VIP_TRUE, &deferred) == VIP_ERROR_NOT_SUPPORTED);
        BOOST_TEST(Now() - before >= 3 * CpuTime(Key("vipl.query")));
        BOOST_TEST(deferred == 77);
    };
    RunAlone(body, WithCq(), With("vipl.extensions", "0"));
}

BOOST_AUTO_TEST_SUITE_END()
