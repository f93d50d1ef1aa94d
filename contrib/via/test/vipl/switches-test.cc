/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
// VIPL: where providers differed, both ways. doc/vipl.md has the table of these switches.

#include "support/via-test-vipl-bench.h"

using namespace ns3::via;
using namespace ns3::via::test;

namespace
{

/// The party's VI gets the default tag.
VIP_RETURN
TakeDefaultTag(Party& self)
{
    VIP_VI_ATTRIBUTES attributes = self.ViAttributes();
    attributes.Ptag = nullptr;
    return VipSetViAttributes(self.vi, &attributes);
}

/// Registers the party's memory and descriptors anew, with @p attributes.
void
RegisterAgain(Party& self, VIP_MEM_ATTRIBUTES* attributes)
{
    BOOST_TEST(VipRegisterMem(self.nic, self.At(0), Party::REGION, attributes, &self.region) ==
               VIP_SUCCESS);
    BOOST_TEST(VipRegisterMem(self.nic, self.Pool(), Party::POOL, attributes, &self.pool) ==
               VIP_SUCCESS);
}

} // namespace

BOOST_AUTO_TEST_SUITE(vipl_switches)

BOOST_AUTO_TEST_CASE(ANullTagOrNullAttributesOfMemoryAreTheDefaultTag)
{
    const auto body = [](Party& self, Party&) {
        BOOST_TEST(VipDisconnect(self.vi) == VIP_SUCCESS);
        BOOST_TEST(TakeDefaultTag(self) == VIP_SUCCESS);
        RegisterAgain(self, nullptr);
        VIP_MEM_ATTRIBUTES zeroed{nullptr, VIP_FALSE, VIP_FALSE};
        VIP_MEM_HANDLE other = 0;
        BOOST_TEST(VipRegisterMem(self.nic, self.At(0), 100, &zeroed, &other) == VIP_SUCCESS);
        VIP_MEM_ATTRIBUTES now{self.tag, VIP_TRUE, VIP_TRUE};
        BOOST_TEST(VipQueryMem(self.nic, self.At(0), self.region, &now) == VIP_SUCCESS);
        BOOST_TEST(now.Ptag == nullptr);
        BOOST_TEST(now.EnableRdmaWrite == VIP_FALSE);
        BOOST_TEST(VipConnectPeerRequest(self.vi,
                                         Address(FiberProcess::Current()->GetHost().Id()),
                                         Address(1 - FiberProcess::Current()->GetHost().Id()),
                                         100) == VIP_SUCCESS);
        VIP_VI_ATTRIBUTES attributes;
        BOOST_TEST(VipConnectPeerWait(self.vi, &attributes) == VIP_SUCCESS);
        self.Receive(self.Make({self.At(1000, 100)}));
        Pause(PS_PER_MS);
        self.Send(self.Make({{self.At(0), 50, other}, {self.At(50), 50, self.region}}));
        BOOST_TEST(self.Sent() == SENT);
        BOOST_TEST(self.Received() == RECEIVED);
    };
    RunPair(body, body);
}

BOOST_AUTO_TEST_CASE(TheDefaultTagIsNotAnyOther)
{
    RunPair(
        [](Party& self, Party&) {
            VIP_MEM_HANDLE none = 0;
            BOOST_TEST(VipRegisterMem(self.nic, self.At(0), 100, nullptr, &none) == VIP_SUCCESS);
            self.Send(self.Make({{self.At(0), 50, none}}));
            BOOST_TEST(self.Sent() == (SENT | VIP_STATUS_PROTECTION_ERROR));
        },
        Nothing);
}

BOOST_AUTO_TEST_CASE(TheDefaultTagsOfTwoProcessesKeepThemApart)
{
    Party ends[2];
    Cluster cluster{ClusterConfig{}};
    for (Party& self : ends)
    {
        cluster.AddProcess(0, [&self, &ends] {
            self.Open({});
            BOOST_TEST(TakeDefaultTag(self) == VIP_SUCCESS);
            RegisterAgain(self, nullptr);
            const bool client = &self == &ends[0];
            BOOST_TEST((client ? self.Connect(self.vi, 0) : self.Listen(self.vi)) == VIP_SUCCESS);
            Pause(PS_PER_MS);
            if (client) // with a handle of the other process
            {
                self.Send(self.Make({{ends[1].At(0), 50, ends[1].region}}));
                BOOST_TEST(self.Sent() == (SENT | VIP_STATUS_PROTECTION_ERROR));
            }
            Pause(PS_PER_MS);
            return 0;
        });
    }
    BOOST_TEST((cluster.Run().exit == RunExit::SUCCESS));
}

BOOST_AUTO_TEST_CASE(TheDefaultTagDoesNotKeepANicOpenAndCountsAsATag)
{
    const auto body = [](Party& self) {
        BOOST_TEST(TakeDefaultTag(self) == VIP_SUCCESS);
        VIP_PROTECTION_HANDLE tag = nullptr;
        BOOST_TEST(VipCreatePtag(self.nic, &tag) == VIP_ERROR_RESOURCE);
        VipDestroyVi(self.vi);
        VipDeregisterMem(self.nic, self.At(0), self.region);
        VipDeregisterMem(self.nic, self.Pool(), self.pool);
        BOOST_TEST(VipDestroyPtag(self.nic, nullptr) == VIP_INVALID_PARAMETER);
        BOOST_TEST(VipDestroyPtag(self.nic, self.tag) == VIP_SUCCESS);
        BOOST_TEST(VipCloseNic(self.nic) == VIP_SUCCESS);
        BOOST_TEST(VipOpenNic("nic0", &self.nic) == VIP_SUCCESS);
        BOOST_TEST(VipCreatePtag(self.nic, &tag) == VIP_SUCCESS);
        BOOST_TEST(VipCreatePtag(self.nic, &tag) == VIP_SUCCESS);
        VIP_MEM_HANDLE handle = 0; // no tag is left for it
        BOOST_TEST(VipRegisterMem(self.nic, self.At(0), 8, nullptr, &handle) == VIP_ERROR_RESOURCE);
    };
    RunAlone(body, {}, With("nic.max_ptags", "2"));
}

BOOST_AUTO_TEST_CASE(AStrictProviderTakesNoNullTag)
{
    const auto body = [](Party& self) {
        BOOST_TEST(TakeDefaultTag(self) == VIP_INVALID_PTAG);
        VIP_MEM_HANDLE handle = 0;
        VIP_MEM_ATTRIBUTES zeroed{nullptr, VIP_FALSE, VIP_FALSE};
        BOOST_TEST(VipRegisterMem(self.nic, self.At(0), 8, &zeroed, &handle) == VIP_INVALID_PTAG);
        BOOST_TEST(VipRegisterMem(self.nic, self.At(0), 8, nullptr, &handle) ==
                   VIP_INVALID_PARAMETER);
    };
    RunAlone(body, {}, With("vipl.null_tag", "0"));
}

BOOST_AUTO_TEST_CASE(WhatOneHandleMadeWorksThroughTheOther)
{
    Setup setup;
    setup.cqEntries = 4;
    RunAlone(
        [](Party& self) {
            VIP_NIC_HANDLE other = nullptr;
            BOOST_TEST(VipOpenNic("nic0", &other) == VIP_SUCCESS);
            BOOST_TEST(other != self.nic);
            VIP_VI_ATTRIBUTES attributes = self.ViAttributes();
            VIP_MEM_ATTRIBUTES rights = self.MemAttributes();
            VIP_VI_HANDLE vi = nullptr;
            VIP_MEM_HANDLE handle = 0;
            BOOST_TEST(VipCreateVi(other, &attributes, self.cq, self.cq, &vi) == VIP_SUCCESS);
            BOOST_TEST(VipRegisterMem(other, self.At(0), 8, &rights, &handle) == VIP_SUCCESS);
            BOOST_TEST(VipQueryMem(self.nic, self.At(0), handle, &rights) == VIP_SUCCESS);
            BOOST_TEST(VipDeregisterMem(self.nic, self.At(0), handle) == VIP_SUCCESS);
            BOOST_TEST(VipNSInit(self.nic, nullptr) == VIP_SUCCESS);
            Address address(0);
            char name[] = "n0";
            BOOST_TEST(VipNSGetHostByName(other, name, address, 0) == VIP_SUCCESS);
        },
        setup);
}

BOOST_AUTO_TEST_CASE(SharedHandlesAreClosedOneByOneAndTheLastWhenNothingIsLeft)
{
    RunAlone([](Party& self) {
        VIP_NIC_HANDLE other = nullptr;
        VipOpenNic("nic0", &other);
        BOOST_TEST(VipCloseNic(self.nic) == VIP_SUCCESS);
        BOOST_TEST(VipCloseNic(self.nic) == VIP_INVALID_PARAMETER);
        BOOST_TEST(VipCloseNic(other) == VIP_ERROR_RESOURCE);
        BOOST_TEST(VipDestroyVi(self.vi) == VIP_SUCCESS);
        VipDeregisterMem(other, self.At(0), self.region);
        VipDeregisterMem(other, self.Pool(), self.pool);
        BOOST_TEST(VipDestroyPtag(other, self.tag) == VIP_SUCCESS);
        BOOST_TEST(VipCloseNic(other) == VIP_SUCCESS);
    });
}

BOOST_AUTO_TEST_CASE(AnErrorReachesTheHandlerOfTheOneNicWhicheverHandleSetIt)
{
    RunPair(
        [](Party& self, Party&) {
            VIP_NIC_HANDLE other = nullptr;
            VipOpenNic("nic0", &other);
            static int calls;
            calls = 0;
            BOOST_TEST(VipErrorCallback(other, &self, [](VIP_PVOID, VIP_ERROR_DESCRIPTOR*) {
                           ++calls;
                       }) == VIP_SUCCESS);
            Pause(10 * PS_PER_MS);
            BOOST_TEST(self.State() == VIP_STATE_ERROR);
            BOOST_TEST(calls == 1);
        },
        [](Party& self, Party&) {
            Pause(5 * PS_PER_MS);
            VipDisconnect(self.vi);
        });
}

BOOST_AUTO_TEST_CASE(AStrictProviderKeepsTheNameServicesOfTwoHandlesApart)
{
    const auto body = [](Party& self) {
        VIP_NIC_HANDLE other = nullptr;
        VipOpenNic("nic0", &other);
        BOOST_TEST(VipNSInit(self.nic, nullptr) == VIP_SUCCESS);
        Address address(0);
        char name[] = "n0";
        BOOST_TEST(VipNSGetHostByName(other, name, address, 0) == VIP_ERROR_NAMESERVICE);
        BOOST_TEST(VipCloseNic(other) == VIP_SUCCESS);
        BOOST_TEST(VipCloseNic(self.nic) == VIP_ERROR_RESOURCE);
    };
    RunAlone(body, {}, With("vipl.shared_handles", "0"));
}

BOOST_AUTO_TEST_CASE(ATagInUseMayBeAnInvalidParameter)
{
    const auto body = [](Party& self) {
        BOOST_TEST(VipDestroyPtag(self.nic, self.tag) == VIP_INVALID_PARAMETER);
    };
    RunAlone(body, {}, With("vipl.tag_in_use", "invalid-parameter"));
}

BOOST_AUTO_TEST_SUITE_END()
