/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
// VIPL: creating, asking, changing and destroying VIs; what may be posted in which state.

#include "support/via-test-vipl-bench.h"

using namespace ns3::via;
using namespace ns3::via::test;

namespace
{

/// What VipCreateVi says to a party's attributes after a change.
VIP_RETURN
CreateWith(Party& self, const std::function<void(VIP_VI_ATTRIBUTES&)>& change)
{
    VIP_VI_ATTRIBUTES attributes = self.ViAttributes();
    change(attributes);
    VIP_VI_HANDLE vi = nullptr;
    const VIP_RETURN result = VipCreateVi(self.nic, &attributes, nullptr, nullptr, &vi);
    BOOST_TEST((vi != nullptr) == (result == VIP_SUCCESS));
    return result;
}

constexpr VIP_UINT32 FLUSHED = VIP_STATUS_DONE | VIP_STATUS_DESC_FLUSHED_ERROR;

} // namespace

BOOST_AUTO_TEST_SUITE(vipl_vi)

BOOST_AUTO_TEST_CASE(ANewViIsIdleAndEmptyAndHasItsAttributes)
{
    RunAlone([](Party& self) {
        VIP_VI_STATE state;
        VIP_VI_ATTRIBUTES attributes;
        VIP_BOOLEAN sendEmpty = VIP_FALSE;
        VIP_BOOLEAN receiveEmpty = VIP_FALSE;
        BOOST_TEST(VipQueryVi(self.vi, &state, &attributes, &sendEmpty, &receiveEmpty) ==
                   VIP_SUCCESS);
        BOOST_TEST(state == VIP_STATE_IDLE);
        BOOST_TEST(attributes.ReliabilityLevel == VIP_SERVICE_RELIABLE_DELIVERY);
        BOOST_TEST(attributes.MaxTransferSize == 65536u);
        BOOST_TEST(attributes.Ptag == self.tag);
        BOOST_TEST(attributes.EnableRdmaWrite == VIP_TRUE);
        BOOST_TEST((sendEmpty && receiveEmpty));
    });
}

BOOST_AUTO_TEST_CASE(ReliabilityIsOneLevelThatTheNicOffers)
{
    RunAlone([](Party& self) {
        for (const int level : {0, 3, 5, 7, 8, VIP_SERVICE_ACK})
        {
            BOOST_TEST(CreateWith(self, [&](auto& a) {
                           a.ReliabilityLevel = static_cast<VIP_RELIABILITY_LEVEL>(level);
                       }) == VIP_INVALID_RELIABILITY_LEVEL);
        }
        for (const VIP_RELIABILITY_LEVEL level : {1, 2, 4})
        {
            BOOST_TEST(CreateWith(self, [&](auto& a) { a.ReliabilityLevel = level; }) ==
                       VIP_SUCCESS);
        }
    });
}

BOOST_AUTO_TEST_CASE(TheTransferSizeIsAtMostTheNics)
{
    RunAlone([](Party& self) {
        const auto size = [&](VIP_ULONG bytes) {
            return CreateWith(self, [bytes](auto& a) { a.MaxTransferSize = bytes; });
        };
        BOOST_TEST(size(Key("nic.max_transfer_size")) == VIP_SUCCESS);
        BOOST_TEST(size(Key("nic.max_transfer_size") + 1) == VIP_INVALID_MTU);
        BOOST_TEST(size(0) == VIP_INVALID_MTU);
    });
}

BOOST_AUTO_TEST_CASE(AViNeedsATagAndNeitherQosNorRdmaRead)
{
    const auto body = [](Party& self) {
        int qos = 0;
        BOOST_TEST(CreateWith(self, [](auto& a) { a.Ptag = nullptr; }) == VIP_INVALID_PTAG);
        BOOST_TEST(CreateWith(self, [&](auto& a) { a.Ptag = self.vi; }) == VIP_INVALID_PTAG);
        BOOST_TEST(CreateWith(self, [&](auto& a) { a.QoS = &qos; }) == VIP_INVALID_QOS);
        BOOST_TEST(CreateWith(self, [](auto& a) { a.EnableRdmaRead = VIP_TRUE; }) ==
                   VIP_INVALID_RDMAREAD);
    };
    RunAlone(body, {}, Strict());
}

BOOST_AUTO_TEST_CASE(CreationChecksItsHandles)
{
    RunAlone([](Party& self) {
        VIP_VI_ATTRIBUTES fine = self.ViAttributes();
        VIP_VI_HANDLE vi = nullptr;
        BOOST_TEST(VipCreateVi(nullptr, &fine, nullptr, nullptr, &vi) == VIP_INVALID_PARAMETER);
        BOOST_TEST(VipCreateVi(self.nic, nullptr, nullptr, nullptr, &vi) == VIP_INVALID_PARAMETER);
        BOOST_TEST(VipCreateVi(self.nic, &fine, self.vi, nullptr, &vi) == VIP_INVALID_PARAMETER);
        BOOST_TEST(VipCreateVi(self.nic, &fine, nullptr, self.vi, &vi) == VIP_INVALID_PARAMETER);
        BOOST_TEST(VipCreateVi(self.nic, &fine, nullptr, nullptr, nullptr) ==
                   VIP_INVALID_PARAMETER);
        BOOST_TEST(vi == nullptr);
    });
}

BOOST_AUTO_TEST_CASE(OneViMoreThanTheNicHoldsIsRefused)
{
    ClusterConfig config;
    config.overrides["nic.max_vi"] = "2";
    const auto body = [](Party& self) {
        BOOST_TEST(CreateWith(self, [](auto&) {}) == VIP_SUCCESS);
        BOOST_TEST(CreateWith(self, [](auto&) {}) == VIP_ERROR_RESOURCE);
    };
    RunAlone(body, {}, config);
}

BOOST_AUTO_TEST_CASE(TheHandleOfADestroyedViIsStale)
{
    RunAlone([](Party& self) {
        VIP_DESCRIPTOR* descriptor = self.Make({});
        VIP_VI_ATTRIBUTES attributes = self.ViAttributes();
        BOOST_TEST(VipDestroyVi(self.vi) == VIP_SUCCESS);
        BOOST_TEST(self.CreateVi() != self.vi);
        BOOST_TEST(VipDestroyVi(self.vi) == VIP_INVALID_PARAMETER);
        BOOST_TEST(VipDisconnect(self.vi) == VIP_INVALID_PARAMETER);
        BOOST_TEST(VipSetViAttributes(self.vi, &attributes) == VIP_INVALID_PARAMETER);
        BOOST_TEST(self.Send(descriptor) == VIP_INVALID_PARAMETER);
        BOOST_TEST(self.Receive(descriptor) == VIP_INVALID_PARAMETER);
        BOOST_TEST(VipSendDone(self.vi, &descriptor) == VIP_INVALID_PARAMETER);
        BOOST_TEST(VipRecvWait(self.vi, 1, &descriptor) == VIP_INVALID_PARAMETER);
    });
}

BOOST_AUTO_TEST_CASE(QueriesOfAViNeedEveryPlaceForTheAnswer)
{
    RunAlone([](Party& self) {
        VIP_VI_STATE state;
        VIP_VI_ATTRIBUTES all;
        VIP_BOOLEAN empty;
        BOOST_TEST(VipQueryVi(nullptr, &state, &all, &empty, &empty) == VIP_INVALID_PARAMETER);
        BOOST_TEST(VipQueryVi(self.vi, nullptr, &all, &empty, &empty) == VIP_INVALID_PARAMETER);
        BOOST_TEST(VipQueryVi(self.vi, &state, nullptr, &empty, &empty) == VIP_INVALID_PARAMETER);
        BOOST_TEST(VipQueryVi(self.vi, &state, &all, nullptr, &empty) == VIP_INVALID_PARAMETER);
        BOOST_TEST(VipQueryVi(self.vi, &state, &all, &empty, nullptr) == VIP_INVALID_PARAMETER);
    });
}

BOOST_AUTO_TEST_CASE(AttributesOfAnIdleViCanBeChanged)
{
    RunAlone([](Party& self) {
        VIP_VI_ATTRIBUTES changed = self.ViAttributes();
        changed.MaxTransferSize = 4096;
        changed.EnableRdmaWrite = VIP_FALSE;
        BOOST_TEST(VipSetViAttributes(self.vi, &changed) == VIP_SUCCESS);
        VIP_VI_STATE state;
        VIP_VI_ATTRIBUTES now;
        VIP_BOOLEAN empty;
        VipQueryVi(self.vi, &state, &now, &empty, &empty);
        BOOST_TEST(now.MaxTransferSize == 4096u);
        BOOST_TEST(now.EnableRdmaWrite == VIP_FALSE);
    });
}

BOOST_AUTO_TEST_CASE(ARefusedChangeOfAViChangesNothing)
{
    const auto body = [](Party& self) {
        VIP_VI_ATTRIBUTES changed = self.ViAttributes();
        changed.MaxTransferSize = 4096;
        changed.Ptag = nullptr;
        BOOST_TEST(VipSetViAttributes(self.vi, &changed) == VIP_INVALID_PTAG);
        BOOST_TEST(VipSetViAttributes(self.vi, nullptr) == VIP_INVALID_PARAMETER);
        VIP_VI_STATE state;
        VIP_VI_ATTRIBUTES now;
        VIP_BOOLEAN empty;
        VipQueryVi(self.vi, &state, &now, &empty, &empty);
        BOOST_TEST(now.MaxTransferSize == 65536u);
        BOOST_TEST(now.Ptag == self.tag);
    };
    RunAlone(body, {}, Strict());
}

BOOST_AUTO_TEST_CASE(AConnectedViKeepsItsAttributesAndCannotBeDestroyed)
{
    const auto client = [](Party& self, Party&) {
        VIP_VI_ATTRIBUTES attributes = self.ViAttributes();
        BOOST_TEST(self.State() == VIP_STATE_CONNECTED);
        BOOST_TEST(VipSetViAttributes(self.vi, &attributes) == VIP_INVALID_STATE);
        BOOST_TEST(VipDestroyVi(self.vi) == VIP_INVALID_STATE);
        BOOST_TEST(self.State() == VIP_STATE_CONNECTED);
    };
    RunPair(client, Nothing);
}

BOOST_AUTO_TEST_CASE(AViWithDescriptorsLeftIsNotDestroyed)
{
    RunAlone([](Party& self) {
        BOOST_TEST(self.Receive(self.Make({})) == VIP_SUCCESS);
        BOOST_TEST(VipDestroyVi(self.vi) == VIP_ERROR_RESOURCE);
        BOOST_TEST(VipDisconnect(self.vi) == VIP_SUCCESS);
        BOOST_TEST(VipDestroyVi(self.vi) == VIP_ERROR_RESOURCE);
        BOOST_TEST(self.Received() == (FLUSHED | VIP_STATUS_OP_RECEIVE));
        BOOST_TEST(VipDestroyVi(self.vi) == VIP_SUCCESS);
    });
}

BOOST_AUTO_TEST_CASE(ASendPostedWhileIdleIsFlushedAtOnce)
{
    RunAlone([](Party& self) {
        VIP_DESCRIPTOR* descriptor = self.Make({self.At(0, 8)});
        BOOST_TEST(self.Send(descriptor) == VIP_SUCCESS);
        BOOST_TEST(self.Sent() == FLUSHED);
        BOOST_TEST(self.last == descriptor);
        BOOST_TEST(self.State() == VIP_STATE_IDLE);
    });
}

BOOST_AUTO_TEST_CASE(AReceivePostedWhileIdleWaitsForTheConnection)
{
    const auto server = [](Party& self, Party&) { BOOST_TEST(self.Received() == RECEIVED); };
    Party ends[2];
    const auto asClient = [&] {
        ends[0].Open({});
        Pause(PS_PER_MS);
        ends[0].Connect(ends[0].vi, 1);
        ends[0].Send(ends[0].Make({}));
        BOOST_TEST(ends[0].Sent() == SENT);
    };
    const auto asServer = [&] {
        ends[1].Open({});
        ends[1].Receive(ends[1].Make({}));
        VIP_DESCRIPTOR* none;
        BOOST_TEST(VipRecvDone(ends[1].vi, &none) == VIP_NOT_DONE);
        ends[1].Listen(ends[1].vi);
        server(ends[1], ends[0]);
    };
    BOOST_TEST((RunEach({asClient, asServer}).exit == RunExit::SUCCESS));
}

BOOST_AUTO_TEST_CASE(InErrorEveryPostIsFlushedAtOnce)
{
    const auto client = [](Party& self, Party&) { VipDisconnect(self.vi); };
    const auto server = [](Party& self, Party&) {
        Pause(10 * PS_PER_MS);
        BOOST_TEST(self.State() == VIP_STATE_ERROR);
        self.Send(self.Make({}));
        self.Receive(self.Make({}));
        BOOST_TEST(self.Sent() == FLUSHED);
        BOOST_TEST(self.Received() == (FLUSHED | VIP_STATUS_OP_RECEIVE));
        BOOST_TEST(VipDestroyVi(self.vi) == VIP_INVALID_STATE);
        BOOST_TEST(VipDisconnect(self.vi) == VIP_SUCCESS);
        BOOST_TEST(VipDestroyVi(self.vi) == VIP_SUCCESS);
    };
    RunPair(client, server);
}

BOOST_AUTO_TEST_CASE(OneDescriptorTooManyOverrunsAConnectedVi)
{
    ClusterConfig config;
    config.overrides["nic.max_queue_depth"] = "3";
    const auto server = [](Party& self, Party&) {
        for (int i = 0; i < 3; ++i)
        {
            self.Receive(self.Make({}));
        }
        BOOST_TEST(self.Errors() == "");
        BOOST_TEST(self.Receive(self.Make({})) == VIP_SUCCESS);
        Pause(PS_PER_US * 100);
        BOOST_TEST(self.Errors() == "VI_OVERRUN CONN_LOST");
        BOOST_TEST(self.errors[0].ViHandle == self.vi);
        BOOST_TEST(self.State() == VIP_STATE_ERROR);
        for (int i = 0; i < 3; ++i)
        {
            BOOST_TEST(self.Received() == (FLUSHED | VIP_STATUS_OP_RECEIVE));
        }
    };
    RunPair(Nothing, server, {}, config);
}

BOOST_AUTO_TEST_CASE(UserDataStaysWithItsVi)
{
    RunAlone([](Party& self) {
        int data = 0;
        BOOST_TEST(VipGetUserData(self.vi) == nullptr);
        VipSetUserData(self.vi, &data);
        BOOST_TEST(VipGetUserData(self.vi) == &data);
        BOOST_TEST(VipGetUserData(self.CreateVi()) == nullptr);
        VipSetUserData(nullptr, &data);
        BOOST_TEST(VipGetUserData(nullptr) == nullptr);
    });
}

BOOST_AUTO_TEST_SUITE_END()
