/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
// VIPL: the calls that this provider does not offer; doc/vipl.md lists them.

#include "support/via-test-vipl-bench.h"

using namespace ns3::via;
using namespace ns3::via::test;

BOOST_AUTO_TEST_SUITE(vipl_not_supported)

BOOST_AUTO_TEST_CASE(ManagementTagsOfQueuesAndDeferredSendsAreNotSupported)
{
    RunAlone([](Party& self) {
        VIP_EVENT_HANDLE event = nullptr;
        VIP_BOOLEAN deferred;
        BOOST_TEST(VipAddTagCQ(self.cq, &event, 0, 0) == VIP_ERROR_NOT_SUPPORTED);
        BOOST_TEST(VipRemoveTagCQ(self.cq, event, 0) == VIP_ERROR_NOT_SUPPORTED);
        BOOST_TEST(VipPostDeferredSends(self.vi, VIP_TRUE, &deferred) == VIP_ERROR_NOT_SUPPORTED);
    });
}

BOOST_AUTO_TEST_CASE(ARefusedCallTakesTimeLikeAnyOther)
{
    RunAlone([](Party& self) {
        const Ps before = Now();
        VipCQNotify(self.cq, nullptr, nullptr);
        BOOST_TEST(Now() > before);
    });
}

BOOST_AUTO_TEST_SUITE_END()
