/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
// VIPL: protection tags and registered memory.

#include "support/via-test-vipl-bench.h"

using namespace ns3::via;
using namespace ns3::via::test;

BOOST_AUTO_TEST_SUITE(vipl_memory)

BOOST_AUTO_TEST_CASE(TagsComeAndGo)
{
    RunAlone([](Party& self) {
        VIP_PROTECTION_HANDLE tag = nullptr;
        BOOST_TEST(VipCreatePtag(self.nic, &tag) == VIP_SUCCESS);
        BOOST_TEST(tag != self.tag);
        BOOST_TEST(VipDestroyPtag(self.nic, tag) == VIP_SUCCESS);
        BOOST_TEST(VipDestroyPtag(self.nic, tag) == VIP_INVALID_PARAMETER);
        BOOST_TEST(VipDestroyPtag(nullptr, self.tag) == VIP_INVALID_PARAMETER);
        BOOST_TEST(VipDestroyPtag(self.nic, self.vi) == VIP_INVALID_PARAMETER);
        BOOST_TEST(VipCreatePtag(nullptr, &tag) == VIP_INVALID_PARAMETER);
        BOOST_TEST(VipCreatePtag(self.nic, nullptr) == VIP_INVALID_PARAMETER);
    });
}

BOOST_AUTO_TEST_CASE(ATagInUseIsNotDestroyed)
{
    RunAlone([](Party& self) {
        BOOST_TEST(VipDestroyPtag(self.nic, self.tag) == VIP_ERROR_RESOURCE);
        VipDeregisterMem(self.nic, self.At(0), self.region);
        VipDeregisterMem(self.nic, self.Pool(), self.pool);
        BOOST_TEST(VipDestroyPtag(self.nic, self.tag) == VIP_ERROR_RESOURCE);
        VipDestroyVi(self.vi);
        BOOST_TEST(VipDestroyPtag(self.nic, self.tag) == VIP_SUCCESS);
    });
}

BOOST_AUTO_TEST_CASE(OneTagMoreThanTheNicHoldsIsRefused)
{
    const auto body = [](Party& self) {
        VIP_PROTECTION_HANDLE tag = nullptr;
        BOOST_TEST(VipCreatePtag(self.nic, &tag) == VIP_SUCCESS);
        BOOST_TEST(VipCreatePtag(self.nic, &tag) == VIP_ERROR_RESOURCE);
    };
    RunAlone(body, {}, With("nic.max_ptags", "2"));
}

BOOST_AUTO_TEST_CASE(ATagOfAnotherNicHandleIsForeign)
{
    const auto body = [](Party& self) {
        VIP_NIC_HANDLE other = nullptr;
        VipOpenNic("nic0", &other);
        VIP_MEM_ATTRIBUTES memory = self.MemAttributes();
        VIP_VI_ATTRIBUTES attributes = self.ViAttributes();
        VIP_MEM_HANDLE handle = 0;
        VIP_VI_HANDLE vi = nullptr;
        BOOST_TEST(VipRegisterMem(other, self.At(0), 8, &memory, &handle) == VIP_INVALID_PTAG);
        BOOST_TEST(VipCreateVi(other, &attributes, nullptr, nullptr, &vi) == VIP_INVALID_PTAG);
        BOOST_TEST(VipDestroyPtag(other, self.tag) == VIP_INVALID_PARAMETER);
    };
    RunAlone(body, {}, Strict());
}

BOOST_AUTO_TEST_CASE(EachRegistrationOfARangeHasItsOwnHandle)
{
    RunAlone([](Party& self) {
        VIP_MEM_HANDLE second = 0;
        BOOST_TEST(self.Register(self.At(0), Party::REGION, &second) == VIP_SUCCESS);
        BOOST_TEST(second != 0u);
        BOOST_TEST(second != self.region);
        BOOST_TEST(VipDeregisterMem(self.nic, self.At(0), second) == VIP_SUCCESS);
        VIP_MEM_ATTRIBUTES attributes;
        BOOST_TEST(VipQueryMem(self.nic, self.At(0), self.region, &attributes) == VIP_SUCCESS);
    });
}

BOOST_AUTO_TEST_CASE(AnyAlignmentAndLengthCanBeRegistered)
{
    RunAlone([](Party& self) {
        VIP_MEM_HANDLE handle = 0;
        int local = 0;
        BOOST_TEST(self.Register(self.At(1), 1, &handle) == VIP_SUCCESS);
        BOOST_TEST(self.Register(self.At(4095), 3, &handle) == VIP_SUCCESS);
        BOOST_TEST(self.Register(&local, sizeof(local), &handle) == VIP_SUCCESS);
    });
}

BOOST_AUTO_TEST_CASE(RegistrationChecksItsArguments)
{
    const auto body = [](Party& self) {
        VIP_MEM_HANDLE handle = 77;
        VIP_MEM_ATTRIBUTES fine = self.MemAttributes();
        void* const at = self.At(0);
        BOOST_TEST(VipRegisterMem(nullptr, at, 8, &fine, &handle) == VIP_INVALID_PARAMETER);
        BOOST_TEST(VipRegisterMem(self.nic, nullptr, 8, &fine, &handle) == VIP_INVALID_PARAMETER);
        BOOST_TEST(VipRegisterMem(self.nic, at, 0, &fine, &handle) == VIP_INVALID_PARAMETER);
        BOOST_TEST(VipRegisterMem(self.nic, at, 8, nullptr, &handle) == VIP_INVALID_PARAMETER);
        BOOST_TEST(VipRegisterMem(self.nic, at, 8, &fine, nullptr) == VIP_INVALID_PARAMETER);
        BOOST_TEST(VipRegisterMem(self.nic, at, ~0UL, &fine, &handle) == VIP_INVALID_PARAMETER);
        BOOST_TEST(handle == 77u);
    };
    RunAlone(body, {}, Strict());
}

BOOST_AUTO_TEST_CASE(MemoryThatIsNotThereCannotBeRegistered)
{
    RunAlone([](Party& self) {
        VIP_MEM_HANDLE handle = 0;
        BOOST_TEST(self.Register(reinterpret_cast<void*>(4096), 8, &handle) ==
                   VIP_INVALID_PARAMETER);
        const auto body = reinterpret_cast<void*>(&With); // code is there, but not to be written
        BOOST_TEST(self.Register(body, 8, &handle) == VIP_INVALID_PARAMETER);
    });
}

BOOST_AUTO_TEST_CASE(RegistrationNeedsATagAndNoRdmaRead)
{
    const auto body = [](Party& self) {
        VIP_MEM_HANDLE handle = 0;
        VIP_MEM_ATTRIBUTES none{nullptr, VIP_FALSE, VIP_FALSE};
        VIP_MEM_ATTRIBUTES wrong{self.vi, VIP_FALSE, VIP_FALSE};
        VIP_MEM_ATTRIBUTES read{self.tag, VIP_FALSE, VIP_TRUE};
        void* const at = self.At(0);
        BOOST_TEST(VipRegisterMem(self.nic, at, 8, &none, &handle) == VIP_INVALID_PTAG);
        BOOST_TEST(VipRegisterMem(self.nic, at, 8, &wrong, &handle) == VIP_INVALID_PTAG);
        BOOST_TEST(VipRegisterMem(self.nic, at, 8, &read, &handle) == VIP_INVALID_RDMAREAD);
        BOOST_TEST(handle == 0u);
    };
    RunAlone(body, {}, Strict());
}

BOOST_AUTO_TEST_CASE(OneRegionMoreThanTheNicHoldsIsRefused)
{
    const auto body = [](Party& self) {
        VIP_MEM_HANDLE handle = 0;
        BOOST_TEST(self.Register(self.At(0), 8, &handle) == VIP_SUCCESS);
        VIP_MEM_HANDLE another = 0;
        BOOST_TEST(self.Register(self.At(0), 8, &another) == VIP_ERROR_RESOURCE);
        BOOST_TEST(VipDeregisterMem(self.nic, self.At(0), handle) == VIP_SUCCESS);
        BOOST_TEST(self.Register(self.At(0), 8, &another) == VIP_SUCCESS);
    };
    RunAlone(body, {}, With("nic.max_regions", "3"));
}

BOOST_AUTO_TEST_CASE(OneByteMoreThanARegionMayHaveIsRefused)
{
    const auto body = [](Party& self) {
        VIP_MEM_HANDLE handle = 0;
        BOOST_TEST(self.Register(self.At(-8), 300000, &handle) == VIP_ERROR_RESOURCE);
    };
    RunAlone(body, {}, With("nic.max_region_bytes", "299999"));
}

BOOST_AUTO_TEST_CASE(OneByteMoreThanTheNicMayRegisterIsRefused)
{
    const auto body = [](Party& self) {
        VIP_MEM_HANDLE handle = 0;
        BOOST_TEST(self.Register(self.At(0), 101, &handle) == VIP_ERROR_RESOURCE);
        BOOST_TEST(self.Register(self.At(0), 100, &handle) == VIP_SUCCESS);
    };
    const std::string most = std::to_string(Party::REGION + Party::POOL + 100);
    ClusterConfig config = With("nic.max_region_bytes", most);
    config.overrides["nic.max_registered_bytes"] = most;
    RunAlone(body, {}, config);
}

BOOST_AUTO_TEST_CASE(DeregistrationWantsHandleBaseAndNicToFit)
{
    const auto body = [](Party& self) {
        VIP_NIC_HANDLE other = nullptr;
        VipOpenNic("nic0", &other);
        BOOST_TEST(VipDeregisterMem(other, self.At(0), self.region) == VIP_INVALID_PARAMETER);
        BOOST_TEST(VipDeregisterMem(self.nic, self.At(1), self.region) == VIP_INVALID_PARAMETER);
        BOOST_TEST(VipDeregisterMem(self.nic, self.At(0), 0) == VIP_INVALID_PARAMETER);
        BOOST_TEST(VipDeregisterMem(self.nic, self.At(0), ~0U) == VIP_INVALID_PARAMETER);
        BOOST_TEST(VipDeregisterMem(self.nic, self.At(0), self.region) == VIP_SUCCESS);
        BOOST_TEST(VipDeregisterMem(self.nic, self.At(0), self.region) == VIP_INVALID_PARAMETER);
    };
    RunAlone(body, {}, Strict());
}

BOOST_AUTO_TEST_CASE(AttributesOfMemoryCanBeReadAndChanged)
{
    RunAlone([](Party& self) {
        VIP_MEM_ATTRIBUTES attributes;
        BOOST_TEST(VipQueryMem(self.nic, self.At(0), self.region, &attributes) == VIP_SUCCESS);
        BOOST_TEST(attributes.Ptag == self.tag);
        BOOST_TEST(attributes.EnableRdmaWrite == VIP_TRUE);
        VIP_MEM_ATTRIBUTES changed{nullptr, VIP_FALSE, VIP_FALSE};
        VipCreatePtag(self.nic, &changed.Ptag);
        BOOST_TEST(VipSetMemAttributes(self.nic, self.At(0), self.region, &changed) == VIP_SUCCESS);
        VipQueryMem(self.nic, self.At(0), self.region, &attributes);
        BOOST_TEST(attributes.Ptag == changed.Ptag);
        BOOST_TEST(attributes.EnableRdmaWrite == VIP_FALSE);
    });
}

BOOST_AUTO_TEST_CASE(ARefusedChangeOfMemoryChangesNothing)
{
    const auto body = [](Party& self) {
        VIP_MEM_ATTRIBUTES none{nullptr, VIP_FALSE, VIP_FALSE};
        VIP_MEM_ATTRIBUTES read{self.tag, VIP_FALSE, VIP_TRUE};
        void* const at = self.At(0);
        BOOST_TEST(VipSetMemAttributes(self.nic, at, self.region, &none) == VIP_INVALID_PTAG);
        BOOST_TEST(VipSetMemAttributes(self.nic, at, self.region, &read) == VIP_INVALID_RDMAREAD);
        BOOST_TEST(VipSetMemAttributes(self.nic, at, 0, &none) == VIP_INVALID_PARAMETER);
        BOOST_TEST(VipSetMemAttributes(self.nic, at, self.region, nullptr) ==
                   VIP_INVALID_PARAMETER);
        BOOST_TEST(VipQueryMem(self.nic, at, self.region, nullptr) == VIP_INVALID_PARAMETER);
        VIP_MEM_ATTRIBUTES attributes;
        VipQueryMem(self.nic, at, self.region, &attributes);
        BOOST_TEST(attributes.Ptag == self.tag);
        BOOST_TEST(attributes.EnableRdmaWrite == VIP_TRUE);
    };
    RunAlone(body, {}, Strict());
}

BOOST_AUTO_TEST_SUITE_END()
