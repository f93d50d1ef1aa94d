/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
// VIPL: handlers of completions and errors, and when they are called.

#include "support/via-test-vipl-bench.h"

using namespace ns3::via;
using namespace ns3::via::test;

namespace
{

/// One call of a handler.
struct Call
{
    int tag;
    Ps at;
    VIP_NIC_HANDLE nic;
    VIP_VI_HANDLE vi;
    VIP_DESCRIPTOR* descriptor;
    VIP_BOOLEAN receive;
};

/// A handler with memory: a tag for each registration, and what it was called with.
class Recorder
{
  public:
    VIP_RETURN OnReceive(VIP_VI_HANDLE vi, int tag = 0)
    {
        return VipRecvNotify(vi, New(tag), &Recorder::OnDescriptor);
    }

    VIP_RETURN OnSend(VIP_VI_HANDLE vi, int tag = 0)
    {
        return VipSendNotify(vi, New(tag), &Recorder::OnDescriptor);
    }

    VIP_RETURN OnEntry(VIP_CQ_HANDLE cq, int tag = 0)
    {
        return VipCQNotify(cq, New(tag), &Recorder::OnCompletion);
    }

    /// Tags in the order of calls.
    std::string Tags() const
    {
        std::string tags;
        for (const Call& call : calls)
        {
            tags += std::to_string(call.tag);
        }
        return tags;
    }

    std::vector<Call> calls;
    std::function<void(const Call&)> then; ///< called with each

  private:
    struct Context
    {
        Recorder* self;
        int tag;
    };

    Context* New(int tag)
    {
        m_contexts.push_back(std::make_unique<Context>(Context{this, tag}));
        return m_contexts.back().get();
    }

    void Record(const Call& call)
    {
        calls.push_back(call);
        if (then)
        {
            then(call);
        }
    }

    static void OnDescriptor(VIP_PVOID context,
                             VIP_NIC_HANDLE nic,
                             VIP_VI_HANDLE vi,
                             VIP_DESCRIPTOR* descriptor)
    {
        const auto* known = static_cast<Context*>(context);
        known->self->Record({known->tag, Now(), nic, vi, descriptor, VIP_FALSE});
    }

    static void OnCompletion(VIP_PVOID context,
                             VIP_NIC_HANDLE nic,
                             VIP_VI_HANDLE vi,
                             VIP_BOOLEAN receive)
    {
        const auto* known = static_cast<Context*>(context);
        known->self->Record({known->tag, Now(), nic, vi, nullptr, receive});
    }

    std::vector<std::unique_ptr<Context>> m_contexts;
};

/// Sends @p count empty messages, 10 ms apart.
PairBody
Sends(int count)
{
    return [count](Party& self, Party&) {
        for (int i = 0; i < count; ++i)
        {
            Pause(10 * PS_PER_MS);
            self.Send(self.Make({}));
        }
    };
}

constexpr Ps LATER = 100 * PS_PER_MS;

Setup
WithCq()
{
    Setup setup;
    setup.cqEntries = 16;
    return setup;
}

} // namespace

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
                BOOST_TEST(VipRecvWait(lonely, 20, &taken) == VIP_TIMEOUT);
            });
            Pause(PS_PER_MS);
            BOOST_TEST(VipDestroyVi(self.vi) == VIP_SUCCESS);
            BOOST_TEST(VipDestroyCQ(self.cq) == VIP_ERROR_RESOURCE);
            BOOST_TEST(VipDisconnect(lonely) == VIP_SUCCESS);
            VipRecvDone(lonely, &posted);
            BOOST_TEST(VipDestroyVi(lonely) == VIP_ERROR_RESOURCE);
            Pause(LATER);
            BOOST_TEST(VipDestroyVi(lonely) == VIP_SUCCESS);
        },
        WithCq());
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
