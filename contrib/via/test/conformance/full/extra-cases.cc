/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
// Full: what Giganet's provider added.

#include "conformance/via-conformance-bench.h"

using namespace ns3::via;
using namespace ns3::via::test;

BOOST_AUTO_TEST_SUITE(full)

CONFORMANCE_CASE(AViCarriesAPointerOfItsUser, "UserData.carry")
{
    RunAlone([](Party& self) {
        const VIP_VI_HANDLE other = self.CreateVi();
        int mine = 0;
        BOOST_TEST(VipGetUserData(self.vi) == nullptr);
        VipSetUserData(self.vi, &mine);
        BOOST_TEST(VipGetUserData(self.vi) == &mine);
        BOOST_TEST(VipGetUserData(other) == nullptr);
        VipSetUserData(self.vi, nullptr);
        BOOST_TEST(VipGetUserData(self.vi) == nullptr);
    });
}

CONFORMANCE_CASE(UserDataOfNoViIsNull, "UserData.unknown")
{
    RunAlone([](Party& self) {
        int mine = 0;
        VipSetUserData(nullptr, &mine);
        VipSetUserData(self.nic, &mine);
        BOOST_TEST(VipGetUserData(nullptr) == nullptr);
        BOOST_TEST(VipGetUserData(self.nic) == nullptr);
    });
}

CONFORMANCE_CASE(UserDataSurvivesAConnection, "UserData.carry")
{
    const auto client = [](Party& self, Party&) {
        VipSetUserData(self.vi, &self);
        VipDisconnect(self.vi);
        BOOST_TEST(VipGetUserData(self.vi) == &self);
        BOOST_TEST(VipDestroyVi(self.vi) == VIP_SUCCESS);
        BOOST_TEST(VipGetUserData(self.vi) == nullptr);
    };
    RunPair(client, Nothing);
}

CONFORMANCE_CASE(ACqCarriesTaggedEvents, "TagCQ.events")
{
    const auto body = [](Party& self) {
        VIP_EVENT_HANDLE event = nullptr;
        BOOST_TEST(VipAddTagCQ(self.cq, &event, 7, 1) == VIP_SUCCESS);
        BOOST_TEST(event != nullptr);
        BOOST_TEST(VipRemoveTagCQ(self.cq, event, 7) == VIP_SUCCESS);
        BOOST_TEST(VipRemoveTagCQ(self.cq, event, 7) == REFUSED);
        BOOST_TEST(VipAddTagCQ(nullptr, &event, 7, 1) == REFUSED);
        BOOST_TEST(VipAddTagCQ(self.cq, nullptr, 7, 1) == REFUSED);
        BOOST_TEST(VipRemoveTagCQ(nullptr, event, 7) == REFUSED);
    };
    if (Offered(Feature::EXTENSIONS))
    {
        RunAlone(body, WithCq());
    }
}

CONFORMANCE_CASE(DeferredSendsLeaveTogether, "PostDeferredSends.defer")
{
    const auto client = [](Party& self, Party&) {
        VIP_BOOLEAN before = VIP_TRUE;
        BOOST_TEST(VipPostDeferredSends(self.vi, VIP_TRUE, &before) == VIP_SUCCESS);
        BOOST_TEST(before == VIP_FALSE);
        self.Send(self.Make({}));
        self.Send(self.Make({}));
        Pause(10 * PS_PER_MS);
        BOOST_TEST(VipSendDone(self.vi, &self.last) == VIP_NOT_DONE);
        BOOST_TEST(VipPostDeferredSends(self.vi, VIP_FALSE, &before) == VIP_SUCCESS);
        BOOST_TEST(before == VIP_TRUE);
        BOOST_TEST(self.Sent() == SENT);
        BOOST_TEST(self.Sent() == SENT);
    };
    const auto server = [](Party& self, Party&) {
        self.Receive(self.Make({}));
        self.Receive(self.Make({}));
        BOOST_TEST(self.Received() == RECEIVED);
        BOOST_TEST(self.Received() == RECEIVED);
    };
    if (Offered(Feature::EXTENSIONS))
    {
        RunPair(client, server);
    }
}

CONFORMANCE_CASE(DeferredSendsCheckTheirParameters, "PostDeferredSends.parameters")
{
    const auto body = [](Party& self) {
        VIP_BOOLEAN before = VIP_TRUE;
        BOOST_TEST(VipPostDeferredSends(nullptr, VIP_TRUE, &before) == REFUSED);
        BOOST_TEST(VipPostDeferredSends(self.nic, VIP_TRUE, &before) == REFUSED);
        BOOST_TEST(VipPostDeferredSends(self.vi, VIP_TRUE, nullptr) == REFUSED);
    };
    if (Offered(Feature::EXTENSIONS))
    {
        RunAlone(body);
    }
}

BOOST_AUTO_TEST_SUITE_END()
