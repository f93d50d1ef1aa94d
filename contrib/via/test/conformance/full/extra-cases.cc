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

BOOST_AUTO_TEST_SUITE_END()
