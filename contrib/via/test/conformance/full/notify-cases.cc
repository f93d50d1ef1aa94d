/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
// Full: handlers that are called with completions.

#include "conformance/via-conformance-bench.h"

using namespace ns3::via;
using namespace ns3::via::test;

namespace
{

/// What handlers were told, in order.
struct Calls
{
    static void OnDescriptor(VIP_PVOID context,
                             VIP_NIC_HANDLE nic,
                             VIP_VI_HANDLE vi,
                             VIP_DESCRIPTOR* descriptor)
    {
        static_cast<Calls*>(context)->all.push_back({nic, vi, descriptor, VIP_FALSE});
    }

    static void OnEntry(VIP_PVOID context,
                        VIP_NIC_HANDLE nic,
                        VIP_VI_HANDLE vi,
                        VIP_BOOLEAN receive)
    {
        static_cast<Calls*>(context)->all.push_back({nic, vi, nullptr, receive});
    }

    struct Call
    {
        VIP_NIC_HANDLE nic;
        VIP_VI_HANDLE vi;
        VIP_DESCRIPTOR* descriptor;
        VIP_BOOLEAN receive;
    };

    /// The i-th call; all null if there was none.
    Call At(std::size_t i) const
    {
        return i < all.size() ? all[i] : Call{};
    }

    std::vector<Call> all;
};

constexpr Ps SOON = 5 * PS_PER_MS;

/// A client that sends @p count empty messages, 10 ms apart.
PairBody
Sending(int count)
{
    return [count](Party& self, Party&) {
        for (int i = 0; i < count; ++i)
        {
            Pause(10 * PS_PER_MS);
            SendOn(self, self.vi, self.Make({}));
        }
    };
}

} // namespace

BOOST_AUTO_TEST_SUITE(full)

CONFORMANCE_CASE(AReceiveIsHandedToItsHandler, "RecvNotify.call RecvNotify.dequeued")
{
    const auto server = [](Party& self, Party&) {
        Calls calls;
        VIP_DESCRIPTOR* descriptor = self.Make({});
        self.Receive(descriptor);
        BOOST_TEST(VipRecvNotify(self.vi, &calls, &Calls::OnDescriptor) == VIP_SUCCESS);
        BOOST_TEST(calls.all.empty());
        Pause(30 * PS_PER_MS);
        BOOST_TEST(calls.all.size() == 1u);
        BOOST_TEST(calls.At(0).nic == self.nic);
        BOOST_TEST(calls.At(0).vi == self.vi);
        BOOST_TEST(calls.At(0).descriptor == descriptor);
        BOOST_TEST(descriptor->CS.Status == RECEIVED);
        BOOST_TEST(VipRecvDone(self.vi, &self.last) == VIP_DESCRIPTOR_ERROR);
        BOOST_TEST(self.last == nullptr);
    };
    RunPair(Sending(1), server);
}

CONFORMANCE_CASE(ASendIsHandedToItsHandler, "SendNotify.call SendNotify.dequeued")
{
    const auto client = [](Party& self, Party&) {
        Calls calls;
        VIP_DESCRIPTOR* descriptor = self.Make({});
        BOOST_TEST(VipSendNotify(self.vi, &calls, &Calls::OnDescriptor) == VIP_SUCCESS);
        self.Send(descriptor);
        Pause(SOON);
        BOOST_TEST(calls.all.size() == 1u);
        BOOST_TEST(calls.At(0).vi == self.vi);
        BOOST_TEST(calls.At(0).descriptor == descriptor);
        BOOST_TEST(VipSendDone(self.vi, &self.last) == VIP_DESCRIPTOR_ERROR);
        BOOST_TEST(self.last == nullptr);
    };
    const auto server = [](Party& self, Party&) { self.Receive(self.Make({})); };
    RunPair(client, server);
}

CONFORMANCE_CASE(AnEntryIsHandedToItsHandler, "CQNotify.call CQNotify.popped")
{
    const auto server = [](Party& self, Party&) {
        Calls calls;
        self.Receive(self.Make({}));
        BOOST_TEST(VipCQNotify(self.cq, &calls, &Calls::OnEntry) == VIP_SUCCESS);
        Pause(30 * PS_PER_MS);
        BOOST_TEST(calls.all.size() == 1u);
        BOOST_TEST(calls.At(0).nic == self.nic);
        BOOST_TEST(calls.At(0).vi == self.vi);
        BOOST_TEST(calls.At(0).receive == VIP_TRUE);
        BOOST_TEST(Popped(self, self.vi, 1) == "none");              // the entry was popped
        BOOST_TEST(VipRecvDone(self.vi, &self.last) == VIP_SUCCESS); // the descriptor not
    };
    RunPair(Sending(1), server, WithCq());
}

CONFORMANCE_CASE(ARegistrationIsForOneCompletion, "RecvNotify.once SendNotify.once")
{
    const auto server = [](Party& self, Party&) {
        Calls calls;
        self.Receive(self.Make({}));
        self.Receive(self.Make({}));
        VipRecvNotify(self.vi, &calls, &Calls::OnDescriptor);
        Pause(50 * PS_PER_MS);
        BOOST_TEST(calls.all.size() == 1u);
        BOOST_TEST(VipRecvDone(self.vi, &self.last) == VIP_SUCCESS); // the second
        BOOST_TEST(self.last != calls.At(0).descriptor);
    };
    RunPair(Sending(2), server);
}

CONFORMANCE_CASE(RegistrationsOfAQueueAreServedInOrder, "RecvNotify.several")
{
    const auto server = [](Party& self, Party&) {
        Calls first;
        Calls second;
        VIP_DESCRIPTOR* posted[] = {self.Make({}), self.Make({})};
        self.Receive(posted[0]);
        self.Receive(posted[1]);
        VipRecvNotify(self.vi, &first, &Calls::OnDescriptor);
        VipRecvNotify(self.vi, &second, &Calls::OnDescriptor);
        Pause(50 * PS_PER_MS);
        BOOST_TEST(first.At(0).descriptor == posted[0]);
        BOOST_TEST(second.At(0).descriptor == posted[1]);
        BOOST_TEST(first.all.size() + second.all.size() == 2u);
    };
    RunPair(Sending(2), server);
}

CONFORMANCE_CASE(RegistrationsOfACqAreServedInOrder, "CQNotify.several CQNotify.once")
{
    const auto server = [](Party& self, Party&) {
        Calls calls[2];
        for (int i = 0; i < 3; ++i)
        {
            self.Receive(self.Make({}));
        }
        VipCQNotify(self.cq, &calls[0], &Calls::OnEntry);
        VipCQNotify(self.cq, &calls[1], &Calls::OnEntry);
        Pause(15 * PS_PER_MS);
        BOOST_TEST(calls[0].all.size() == 1u);
        BOOST_TEST(calls[1].all.size() == 0u);
        Pause(50 * PS_PER_MS);
        BOOST_TEST(calls[1].all.size() == 1u);
        BOOST_TEST(Popped(self, self.vi) == "receive"); // the third is nobody's
    };
    RunPair(Sending(3), server, WithCq());
}

CONFORMANCE_CASE(WhatIsCompleteAlreadyIsHandedOverSoon, "RecvNotify.ready CQNotify.ready")
{
    const auto client = [](Party& self, Party&) {
        Calls calls;
        self.Send(self.Make({}));
        Pause(SOON);
        BOOST_TEST(VipSendNotify(self.vi, &calls, &Calls::OnDescriptor) == VIP_SUCCESS);
        BOOST_TEST(VipCQNotify(self.cq, &calls, &Calls::OnEntry) == VIP_SUCCESS);
        Pause(SOON);
        BOOST_TEST(calls.all.size() == 2u);
    };
    const auto server = [](Party& self, Party&) { self.Receive(self.Make({})); };
    RunPair(client, server, WithCq());
}

CONFORMANCE_CASE(AFlushIsHandedOverToo, "RecvNotify.flush")
{
    const auto server = [](Party& self, Party&) {
        Calls calls;
        self.Receive(self.Make({}));
        VipRecvNotify(self.vi, &calls, &Calls::OnDescriptor);
        Pause(30 * PS_PER_MS);
        BOOST_TEST(calls.all.size() == 1u);
        BOOST_TEST((calls.At(0).descriptor != nullptr));
    };
    RunPair([](Party& self, Party&) { VipDisconnect(self.vi); }, server);
}

CONFORMANCE_CASE(AHandlerMayCallVipl, "RecvNotify.calls")
{
    struct Echo
    {
        static void OnDescriptor(VIP_PVOID context,
                                 VIP_NIC_HANDLE,
                                 VIP_VI_HANDLE vi,
                                 VIP_DESCRIPTOR* descriptor)
        {
            Party& self = *static_cast<Party*>(context);
            VipPostRecv(vi, descriptor, self.pool);
            VipPostSend(vi, self.Make({}), self.pool);
            VipRecvNotify(vi, context, &Echo::OnDescriptor);
        }
    };

    const auto client = [](Party& self, Party&) {
        for (int i = 0; i < 3; ++i)
        {
            self.Receive(self.Make({}));
            Pause(SOON);
            BOOST_TEST(SendOn(self, self.vi, self.Make({})) == SENT);
            BOOST_TEST(self.Received() == RECEIVED);
        }
    };
    const auto server = [](Party& self, Party&) {
        self.Receive(self.Make({}));
        VipRecvNotify(self.vi, &self, &Echo::OnDescriptor);
    };
    RunPair(client, server);
}

CONFORMANCE_CASE(AHandlerRunsWhileItsProcessWaits, "CQNotify.context")
{
    const auto client = [](Party& self, Party&) {
        Pause(10 * PS_PER_MS);
        SendOn(self, self.vi, self.Make({}));
    };
    const auto server = [](Party& self, Party&) {
        Calls calls;
        self.Receive(self.Make({}));
        VipRecvNotify(self.vi, &calls, &Calls::OnDescriptor);
        VIP_VI_HANDLE vi;
        VIP_BOOLEAN receive;
        VIP_CQ_HANDLE other = nullptr;
        VipCreateCQ(self.nic, 4, &other);
        BOOST_TEST(VipCQWait(other, 50, &vi, &receive) == VIP_TIMEOUT);
        BOOST_TEST(calls.all.size() == 1u);
    };
    RunPair(client, server);
}

CONFORMANCE_CASE(NotifyCallsCheckTheirParameters,
                 "SendNotify.parameters RecvNotify.parameters CQNotify.parameters")
{
    RunAlone(
        [](Party& self) {
            Calls calls;
            for (const auto notify : {VipSendNotify, VipRecvNotify})
            {
                BOOST_TEST(notify(nullptr, &calls, &Calls::OnDescriptor) == REFUSED);
                BOOST_TEST(notify(self.nic, &calls, &Calls::OnDescriptor) == REFUSED);
                BOOST_TEST(notify(self.vi, &calls, nullptr) == REFUSED);
            }
            BOOST_TEST(VipCQNotify(nullptr, &calls, &Calls::OnEntry) == REFUSED);
            BOOST_TEST(VipCQNotify(self.vi, &calls, &Calls::OnEntry) == REFUSED);
            BOOST_TEST(VipCQNotify(self.cq, &calls, nullptr) == REFUSED);
        },
        WithCq());
}

CONFORMANCE_CASE(RegistrationsGoWithTheirVi, "RecvNotify.cancel")
{
    RunAlone([](Party& self) {
        Calls calls;
        BOOST_TEST(VipRecvNotify(self.vi, &calls, &Calls::OnDescriptor) == VIP_SUCCESS);
        BOOST_TEST(VipDestroyVi(self.vi) == VIP_SUCCESS);
        Pause(SOON);
        BOOST_TEST(calls.all.empty());
    });
}

CONFORMANCE_CASE(RegistrationsGoWithTheirCq, "CQNotify.cancel")
{
    RunAlone([](Party& self) {
        Calls calls;
        VIP_CQ_HANDLE cq = nullptr;
        VipCreateCQ(self.nic, 4, &cq);
        BOOST_TEST(VipCQNotify(cq, &calls, &Calls::OnEntry) == VIP_SUCCESS);
        BOOST_TEST(VipDestroyCQ(cq) == VIP_SUCCESS);
        Pause(SOON);
        BOOST_TEST(calls.all.empty());
    });
}

BOOST_AUTO_TEST_SUITE_END()
