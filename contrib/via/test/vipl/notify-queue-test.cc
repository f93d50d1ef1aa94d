/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
// VIPL: handlers of completion queues; handlers and threads that wait for the same queue.

#include "support/via-test-recorder.h"

using namespace ns3::via;
using namespace ns3::via::test;

BOOST_AUTO_TEST_SUITE(vipl_notify)

BOOST_AUTO_TEST_CASE(ACqHandlerGetsAnEntryAndTheDescriptorStaysOnItsQueue)
{
    const auto server = [](Party& self, Party&) {
        Recorder recorder;
        VIP_DESCRIPTOR* posted = self.Make({});
        self.Receive(posted);
        BOOST_TEST(recorder.OnEntry(self.cq, 5) == VIP_SUCCESS);
        Pause(LATER);
        BOOST_REQUIRE(recorder.Tags() == "5");
        BOOST_TEST(recorder.calls[0].nic == self.nic);
        BOOST_TEST(recorder.calls[0].vi == self.vi);
        BOOST_TEST(recorder.calls[0].receive == VIP_TRUE);
        VIP_VI_HANDLE vi;
        VIP_BOOLEAN receive;
        BOOST_TEST(VipCQDone(self.cq, &vi, &receive) == VIP_NOT_DONE);
        BOOST_TEST(VipRecvDone(self.vi, &self.last) == VIP_SUCCESS);
        BOOST_TEST(self.last == posted);
    };
    RunPair(Sends(1), server, WithCq());
}

BOOST_AUTO_TEST_CASE(CqHandlersAreServedInTheirOrderOneEntryEach)
{
    const auto client = [](Party& self, Party&) {
        Recorder recorder;
        for (const int tag : {1, 2, 3})
        {
            recorder.OnEntry(self.cq, tag);
        }
        self.Send(self.Make({}));
        self.Send(self.Make({}));
        Pause(PS_PER_MS);
        BOOST_TEST(recorder.Tags() == "12");
        BOOST_TEST(recorder.calls[1].receive == VIP_FALSE);
    };
    const auto server = [](Party& self, Party&) {
        self.Receive(self.Make({}));
        self.Receive(self.Make({}));
    };
    RunPair(client, server, WithCq());
}

BOOST_AUTO_TEST_CASE(DestroyingACqCancelsItsHandlers)
{
    RunAlone([](Party& self) {
        Recorder recorder;
        VIP_CQ_HANDLE cq = nullptr;
        BOOST_TEST(VipCreateCQ(self.nic, 4, &cq) == VIP_SUCCESS);
        recorder.OnEntry(cq);
        BOOST_TEST(VipDestroyCQ(cq) == VIP_SUCCESS);
        Pause(PS_PER_MS);
        BOOST_TEST(recorder.calls.empty());
    });
}

BOOST_AUTO_TEST_CASE(HandlersWhoseQueuesCompleteMeanwhileAreServedInTheOrderOfTime)
{
    const auto server = [](Party& self, Party&) {
        Recorder recorder;
        recorder.then = [](const Call& call) {
            if (call.tag == 1)
            {
                Pause(50 * PS_PER_MS); // a handler may block; the others wait
            }
        };
        for (int i = 0; i < 3; ++i)
        {
            self.Receive(self.Make({}));
        }
        recorder.OnReceive(self.vi, 1);
        recorder.OnReceive(self.vi, 2);
        recorder.OnReceive(self.vi, 3);
        Pause(LATER);
        BOOST_TEST(recorder.Tags() == "123");
        BOOST_TEST(recorder.calls[1].at >= recorder.calls[0].at + 50 * PS_PER_MS);
        BOOST_TEST(recorder.calls[2].at < recorder.calls[1].at + PS_PER_MS);
    };
    RunPair(Sends(3), server);
}

BOOST_AUTO_TEST_CASE(ABlockedWaitAndAHandlerAreServedInTheOrderOfTheirCalls)
{
    for (const bool waitFirst : {true, false})
    {
        const auto server = [waitFirst](Party& self, Party&) {
            Recorder recorder;
            VIP_DESCRIPTOR* first = self.Make({});
            VIP_DESCRIPTOR* second = self.Make({});
            self.Receive(first);
            self.Receive(second);
            ViplProcess::Running().StartThread([&] {
                Pause(waitFirst ? 0 : PS_PER_MS);
                BOOST_TEST(VipRecvWait(self.vi, VIP_INFINITE, &self.last) == VIP_SUCCESS);
            });
            Pause(waitFirst ? PS_PER_MS : 0);
            recorder.OnReceive(self.vi);
            Pause(LATER);
            BOOST_REQUIRE(recorder.calls.size() == 1u);
            BOOST_TEST(self.last == (waitFirst ? first : second));
            BOOST_TEST(recorder.calls[0].descriptor == (waitFirst ? second : first));
        };
        RunPair(Sends(2), server);
    }
}

BOOST_AUTO_TEST_CASE(ThreadsThatWaitForOneQueueAreServedInTheOrderOfTheirCalls)
{
    std::string order;
    const auto server = [&](Party& self, Party&) {
        for (const char* name : {"a", "b", "c"})
        {
            self.Receive(self.Make({}));
            ViplProcess::Running().StartThread([&order, &self, name] {
                VIP_DESCRIPTOR* taken;
                BOOST_TEST(VipRecvWait(self.vi, VIP_INFINITE, &taken) == VIP_SUCCESS);
                order += name;
            });
        }
        Pause(LATER);
    };
    RunPair(Sends(3), server);
    BOOST_TEST(order == "abc");
}

BOOST_AUTO_TEST_CASE(AThreadWhoseTimeIsUpLeavesTheLine)
{
    std::string order;
    const auto server = [&](Party& self, Party&) {
        self.Receive(self.Make({}));
        for (const VIP_ULONG timeout : {1UL, 1000UL})
        {
            ViplProcess::Running().StartThread([&order, &self, timeout] {
                VIP_DESCRIPTOR* taken;
                const VIP_RETURN result = VipRecvWait(self.vi, timeout, &taken);
                order += result == VIP_TIMEOUT ? "late " : "served ";
            });
        }
        Pause(LATER);
    };
    RunPair(Sends(1), server);
    BOOST_TEST(order == "late served ");
}

BOOST_AUTO_TEST_CASE(WhatAThreadWaitsForCannotBeDestroyed)
{
    RunAlone(
        [](Party& self) {
            ViplProcess::Running().StartThread([&] {
                VIP_BOOLEAN receive;
                VipCQWait(self.cq, VIP_INFINITE, &self.vi, &receive);
            });
            VIP_VI_HANDLE lonely = self.CreateVi();
            VIP_DESCRIPTOR* posted = self.Make({});
            VipPostRecv(lonely, posted, self.pool);
            ViplProcess::Running().StartThread([&] {
                VIP_DESCRIPTOR* taken;
                BOOST_TEST(VipRecvWait(lonely, 20, &taken) == VIP_DESCRIPTOR_ERROR);
            });
            Pause(PS_PER_MS);
            BOOST_TEST(VipDestroyVi(self.vi) == VIP_SUCCESS);
            BOOST_TEST(VipDestroyCQ(self.cq) == VIP_ERROR_RESOURCE);
            BOOST_TEST(VipDestroyVi(lonely) == VIP_ERROR_RESOURCE);
            BOOST_TEST(VipDisconnect(lonely) == VIP_SUCCESS);
            VipRecvDone(lonely, &posted); // nothing is left for the other thread
            Pause(LATER);
            BOOST_TEST(VipDestroyVi(lonely) == VIP_SUCCESS);
        },
        WithCq());
}

BOOST_AUTO_TEST_SUITE_END()
