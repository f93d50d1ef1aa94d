/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
// VIPL: handlers of completions and errors, and when they are called.

#include "support/via-test-recorder.h"

using namespace ns3::via;
using namespace ns3::via::test;

BOOST_AUTO_TEST_SUITE(vipl_notify)

BOOST_AUTO_TEST_CASE(AReceiveHandlerGetsTheDescriptorAndMainNeedNotLook)
{
    const auto server = [](Party& self, Party&) {
        Recorder recorder;
        VIP_DESCRIPTOR* posted = self.Make({self.At(0, 8)});
        self.Receive(posted);
        BOOST_TEST(recorder.OnReceive(self.vi, 7) == VIP_SUCCESS);
        Pause(LATER);
        BOOST_TEST(recorder.Tags() == "7");
        BOOST_TEST(recorder.calls[0].nic == self.nic);
        BOOST_TEST(recorder.calls[0].vi == self.vi);
        BOOST_TEST(recorder.calls[0].descriptor == posted);
        BOOST_TEST(posted->CS.Status == RECEIVED);
        BOOST_TEST(VipRecvDone(self.vi, &posted) == VIP_DESCRIPTOR_ERROR);
        BOOST_TEST(posted == nullptr);
    };
    RunPair(Sends(1), server);
}

BOOST_AUTO_TEST_CASE(ASendHandlerIsCalledWhenTheSendIsComplete)
{
    const auto client = [](Party& self, Party&) {
        Recorder recorder;
        BOOST_TEST(recorder.OnSend(self.vi) == VIP_SUCCESS);
        VIP_DESCRIPTOR* posted = self.Make({});
        self.Send(posted);
        Pause(PS_PER_MS);
        BOOST_REQUIRE(recorder.calls.size() == 1u);
        BOOST_TEST(recorder.calls[0].descriptor == posted);
        BOOST_TEST(posted->CS.Status == SENT);
    };
    const auto server = [](Party& self, Party&) { self.Receive(self.Make({})); };
    RunPair(client, server);
}

BOOST_AUTO_TEST_CASE(AHandlerRunsWhenABlockedWaitWouldReturnAlthoughMainSleeps)
{
    Ps woken = 0;
    Ps called = 0;
    RunPair(Sends(1), [&](Party& self, Party&) {
        self.Receive(self.Make({}));
        VipRecvWait(self.vi, VIP_INFINITE, &self.last);
        woken = Now();
    });
    RunPair(Sends(1), [&](Party& self, Party&) {
        Recorder recorder;
        self.Receive(self.Make({}));
        recorder.OnReceive(self.vi);
        Pause(LATER);
        called = recorder.calls.at(0).at;
    });
    BOOST_TEST(called == woken);
}

BOOST_AUTO_TEST_CASE(TheWayToAHandlerIsInterruptSwitchMissAndHarvestToThePicosecond)
{
    ClusterConfig config;
    config.nodes = 2;
    config.record = true;
    Party ends[2];
    Recorder recorder;
    Cluster cluster(config);
    cluster.AddProcess(0, [&] {
        ends[0].Open({});
        ends[0].Connect(ends[0].vi, 1);
        Pause(PS_PER_MS);
        ends[0].Send(ends[0].Make({}));
        Pause(PS_PER_SECOND);
        return 0;
    });
    cluster.AddProcess(1, [&] {
        ends[1].Open({});
        ends[1].Receive(ends[1].Make({}));
        ends[1].Listen(ends[1].vi);
        recorder.OnReceive(ends[1].vi);
        Pause(PS_PER_SECOND / 2);
        return 0;
    });
    cluster.Run();
    const std::vector<BreakdownRow> rows = cluster.Breakdown();
    std::vector<BreakdownRow> last;
    for (const BreakdownRow& row : rows)
    {
        if (row.message == "0.0.0" && (row.stage == "status-write" || !last.empty()))
        {
            last.push_back(row);
        }
    }
    std::string stages;
    std::uint64_t cycles = 0;
    for (std::size_t i = 1; i < last.size(); ++i)
    {
        stages += last[i].stage + " ";
        cycles += last[i].cycles;
        BOOST_TEST(last[i].start == last[i - 1].end);
    }
    BOOST_TEST(stages == "align interrupt context-switch cache-miss reap ");
    BOOST_TEST(cycles == Key("os.interrupt") + Key("os.context_switch") + Key("cpu.cache_miss") +
                             Key("vipl.done_hit"));
    BOOST_TEST(recorder.calls.at(0).at == last.back().end);
}

BOOST_AUTO_TEST_CASE(ACompletionThatIsThereAlreadyIsToldAtOnce)
{
    const auto server = [](Party& self, Party&) {
        Recorder recorder;
        self.Receive(self.Make({}));
        Pause(LATER);
        const Ps before = Now();
        recorder.OnReceive(self.vi);
        Pause(PS_PER_MS);
        BOOST_REQUIRE(recorder.calls.size() == 1u);
        BOOST_TEST(recorder.calls[0].at > before);
        BOOST_TEST(recorder.calls[0].at < before + 20 * PS_PER_US);
    };
    RunPair(Sends(1), server);
}

BOOST_AUTO_TEST_CASE(RegistrationsAreServedInTheirOrderOneCompletionEach)
{
    const auto server = [](Party& self, Party&) {
        Recorder recorder;
        VIP_DESCRIPTOR* posted[4];
        for (VIP_DESCRIPTOR*& descriptor : posted)
        {
            descriptor = self.Make({});
            self.Receive(descriptor);
        }
        for (const int tag : {3, 1, 2})
        {
            recorder.OnReceive(self.vi, tag);
        }
        Pause(LATER);
        BOOST_TEST(recorder.Tags() == "312");
        for (std::size_t i = 0; i < 3; ++i)
        {
            BOOST_TEST(recorder.calls[i].descriptor == posted[i]);
        }
        VIP_DESCRIPTOR* left = nullptr;
        BOOST_TEST(VipRecvDone(self.vi, &left) == VIP_SUCCESS); // nobody had asked for the fourth
        BOOST_TEST(left == posted[3]);
    };
    RunPair(Sends(4), server);
}

BOOST_AUTO_TEST_CASE(AHandlerMayArmItselfAgain)
{
    const auto server = [](Party& self, Party&) {
        Recorder recorder;
        recorder.then = [&](const Call& call) {
            self.Receive(call.descriptor);
            recorder.OnReceive(self.vi, call.tag + 1);
        };
        self.Receive(self.Make({}));
        recorder.OnReceive(self.vi, 1);
        Pause(LATER);
        BOOST_TEST(recorder.Tags() == "12345");
    };
    RunPair(Sends(5), server);
}

BOOST_AUTO_TEST_CASE(APollTakesACompletionAndTheHandlerGetsTheNext)
{
    const auto server = [](Party& self, Party&) {
        Recorder recorder;
        VIP_DESCRIPTOR* first = self.Make({});
        VIP_DESCRIPTOR* second = self.Make({});
        self.Receive(first);
        self.Receive(second);
        recorder.OnReceive(self.vi);
        while (VipRecvDone(self.vi, &self.last) == VIP_NOT_DONE)
        {
        }
        BOOST_TEST(self.last == first);
        Pause(LATER);
        BOOST_REQUIRE(recorder.calls.size() == 1u);
        BOOST_TEST(recorder.calls[0].descriptor == second);
    };
    RunPair(Sends(2), server, {}, With("cpu.count", "2")); // else the handler has the CPU first
}

BOOST_AUTO_TEST_CASE(FlushedDescriptorsReachTheirHandlersWithTheirStatus)
{
    const auto client = [](Party& self, Party&) {
        Pause(10 * PS_PER_MS);
        VipDisconnect(self.vi);
    };
    const auto server = [](Party& self, Party&) {
        Recorder recorder;
        self.Receive(self.Make({}));
        self.Receive(self.Make({}));
        recorder.OnReceive(self.vi, 1);
        recorder.OnReceive(self.vi, 2);
        Pause(LATER);
        BOOST_TEST(recorder.Tags() == "12");
        for (const Call& call : recorder.calls)
        {
            BOOST_TEST(call.descriptor->CS.Status == (RECEIVED | VIP_STATUS_DESC_FLUSHED_ERROR));
        }
        BOOST_TEST(self.Errors() == "CONN_LOST");
    };
    RunPair(client, server);
}

BOOST_AUTO_TEST_CASE(AHandlerOfAnIdleViWaitsForWhatIsFlushedThere)
{
    RunAlone([](Party& self) {
        Recorder recorder;
        BOOST_TEST(recorder.OnSend(self.vi) == VIP_SUCCESS);
        Pause(PS_PER_MS);
        BOOST_TEST(recorder.calls.empty());
        self.Send(self.Make({}));
        Pause(PS_PER_MS);
        BOOST_REQUIRE(recorder.calls.size() == 1u);
        BOOST_TEST((recorder.calls[0].descriptor->CS.Status & VIP_STATUS_DESC_FLUSHED_ERROR) != 0u);
    });
}

BOOST_AUTO_TEST_CASE(DestroyingAViCancelsItsHandlers)
{
    RunAlone([](Party& self) {
        Recorder recorder;
        recorder.OnSend(self.vi);
        recorder.OnReceive(self.vi);
        BOOST_TEST(VipDestroyVi(self.vi) == VIP_SUCCESS);
        self.vi = self.CreateVi();
        self.Send(self.Make({}));
        Pause(PS_PER_MS);
        BOOST_TEST(recorder.calls.empty());
    });
}

BOOST_AUTO_TEST_CASE(HandlersNeedAQueueAndAFunction)
{
    RunAlone(
        [](Party& self) {
            Recorder recorder;
            BOOST_TEST(recorder.OnSend(nullptr) == VIP_INVALID_PARAMETER);
            BOOST_TEST(recorder.OnReceive(self.cq) == VIP_INVALID_PARAMETER);
            BOOST_TEST(recorder.OnEntry(self.vi) == VIP_INVALID_PARAMETER);
            BOOST_TEST(VipSendNotify(self.vi, nullptr, nullptr) == VIP_INVALID_PARAMETER);
            BOOST_TEST(VipRecvNotify(self.vi, nullptr, nullptr) == VIP_INVALID_PARAMETER);
            BOOST_TEST(VipCQNotify(self.cq, nullptr, nullptr) == VIP_INVALID_PARAMETER);
        },
        WithCq());
}

BOOST_AUTO_TEST_CASE(ArmingAHandlerCostsWhatGoingToSleepCosts)
{
    RunAlone([](Party& self) {
        Recorder recorder;
        recorder.OnSend(self.vi); // begins at an edge from here on
        const Ps before = Now();
        recorder.OnSend(self.vi);
        BOOST_TEST(std::abs(Now() - before - CpuTime(Key("vipl.wait_enter"))) <= 1);
    });
}

BOOST_AUTO_TEST_CASE(AnErrorIsToldWhileMainSleepsAfterAnInterruptAndASwitch)
{
    const auto toldAt = [](const std::string& key, std::uint64_t extra) {
        ClusterConfig config;
        if (!key.empty())
        {
            config.overrides[key] = std::to_string(Key(key) + extra);
        }
        Ps at = 0;
        RunAlone(
            [&at](Party& self) {
                VipErrorCallback(self.nic, &at, [](VIP_PVOID context, VIP_ERROR_DESCRIPTOR*) {
                    *static_cast<Ps*>(context) = Now();
                });
                FiberProcess::Current()->SleepUntil(PS_PER_SECOND);
                VIP_DESCRIPTOR* crooked = self.Make({});
                crooked = reinterpret_cast<VIP_DESCRIPTOR*>(reinterpret_cast<char*>(crooked) + 8);
                for (VIP_ULONG i = 0; i < 1025; ++i) // more than the queue takes
                {
                    self.Receive(crooked);
                }
                Pause(PS_PER_SECOND);
            },
            {},
            config);
        return at;
    };
    const Ps plain = toldAt("", 0);
    BOOST_TEST(plain > PS_PER_SECOND);
    BOOST_TEST(plain < 2 * PS_PER_SECOND);
    for (const std::string key : {"os.interrupt", "os.context_switch"})
    {
        BOOST_TEST(std::abs(toldAt(key, 30000) - plain - CpuTime(30000)) <= 2, key);
    }
}

BOOST_AUTO_TEST_CASE(AnExceptionThatLeavesAHandlerEndsTheProcess)
{
    Party party;
    const RunReport report = RunEach({[&] {
        party.Open({});
        VipSendNotify(party.vi, nullptr, [](auto...) { throw std::runtime_error("no luck"); });
        party.Send(party.Make({}));
        Pause(PS_PER_SECOND);
    }});
    BOOST_TEST(report.processes[0].signal == 6);
    BOOST_TEST(report.processes[0].report == "uncaught exception: no luck");
    BOOST_TEST(report.processes[0].end < PS_PER_SECOND);
}

BOOST_AUTO_TEST_CASE(AnArmedHandlerIsNoDeadlockAndNoReasonToStay)
{
    Party party;
    const RunReport report = RunEach({[&] {
        party.Open({});
        VipSendNotify(party.vi, nullptr, [](auto...) {});
    }});
    BOOST_TEST((report.exit == RunExit::SUCCESS));
}

BOOST_AUTO_TEST_SUITE_END()
