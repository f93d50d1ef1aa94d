/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
// Early Adopter: the NIC, protection tags, registered memory, VIs.

#include "conformance/via-conformance-bench.h"

#include <cstring>

using namespace ns3::via;
using namespace ns3::via::test;

BOOST_AUTO_TEST_SUITE(early)

CONFORMANCE_CASE(ANicOpensByItsName, "OpenNic.name")
{
    RunAlone([](Party&) {
        for (const char* name : {"nic0", "VINIC", "VINIC0", "/dev/clanvi0"})
        {
            VIP_NIC_HANDLE nic = nullptr;
            BOOST_TEST(VipOpenNic(name, &nic) == VIP_SUCCESS, name);
            BOOST_TEST(nic != nullptr);
        }
    });
}

CONFORMANCE_CASE(AnUnknownNameOpensNothing, "OpenNic.unknown")
{
    RunAlone([](Party&) {
        for (const char* name : {"", "nic", "/dev/null", "clanvi0", "NIC0"})
        {
            VIP_NIC_HANDLE nic = nullptr;
            BOOST_TEST(VipOpenNic(name, &nic) == REFUSED, name);
            BOOST_TEST(nic == nullptr);
        }
    });
}

CONFORMANCE_CASE(OpenNicNeedsANameAndAPlaceForTheHandle, "OpenNic.parameters")
{
    RunAlone([](Party&) {
        VIP_NIC_HANDLE nic = nullptr;
        BOOST_TEST(VipOpenNic(nullptr, &nic) == REFUSED);
        BOOST_TEST(VipOpenNic("nic0", nullptr) == REFUSED);
    });
}

CONFORMANCE_CASE(EachOpenGivesAHandleOfItsOwn, "OpenNic.again")
{
    RunAlone([](Party& self) {
        VIP_NIC_HANDLE second = nullptr;
        BOOST_TEST(VipOpenNic("nic0", &second) == VIP_SUCCESS);
        BOOST_TEST(second != self.nic);
        BOOST_TEST(VipCloseNic(second) == VIP_SUCCESS);
        NicOf(self); // the other handle stays good
    });
}

CONFORMANCE_CASE(AClosedNicIsGone, "CloseNic.parameters QueryNic.parameters")
{
    RunAlone([](Party&) {
        VIP_NIC_HANDLE nic = nullptr;
        VIP_NIC_ATTRIBUTES attributes;
        VipOpenNic("nic0", &nic);
        BOOST_TEST(VipCloseNic(nic) == VIP_SUCCESS);
        BOOST_TEST(VipCloseNic(nic) == REFUSED);
        BOOST_TEST(VipQueryNic(nic, &attributes) == REFUSED);
        BOOST_TEST(VipCloseNic(nullptr) == REFUSED);
    });
}

CONFORMANCE_CASE(ANicTellsItsLimits, "QueryNic.limits")
{
    RunAlone([](Party& self) {
        const VIP_NIC_ATTRIBUTES nic = NicOf(self);
        BOOST_TEST(std::memchr(nic.Name, 0, sizeof(nic.Name)) != nullptr);
        for (const VIP_ULONG limit : {nic.MaxRegisterBytes,
                                      nic.MaxRegisterRegions,
                                      nic.MaxRegisterBlockBytes,
                                      nic.MaxVI,
                                      nic.MaxDescriptorsPerQueue,
                                      nic.MaxSegmentsPerDesc,
                                      nic.MaxCQ,
                                      nic.MaxCQEntries,
                                      nic.NativeMTU,
                                      nic.MaxPtags})
        {
            BOOST_TEST(limit > 0u);
        }
    });
}

CONFORMANCE_CASE(EveryNicMoves32KilobytesAndIsUnreliableAtLeast,
                 "QueryNic.transfer QueryNic.reliability")
{
    RunAlone([](Party& self) {
        const VIP_NIC_ATTRIBUTES nic = NicOf(self);
        BOOST_TEST(nic.MaxTransferSize >= 32768u);
        BOOST_TEST((nic.ReliabilityLevelSupport & VIP_SERVICE_UNRELIABLE) != 0);
        BOOST_TEST((nic.ReliabilityLevelSupport & ~VIP_BASE_SERVICES) == 0);
        BOOST_TEST((nic.RDMAReadSupport & ~nic.ReliabilityLevelSupport) == 0);
        BOOST_TEST((nic.RDMAReadSupport & VIP_SERVICE_UNRELIABLE) == 0);
    });
}

CONFORMANCE_CASE(ANicsAddressIsThatOfItsHost, "QueryNic.address GetHostByName.address")
{
    RunAlone([](Party& self) {
        const VIP_NIC_ATTRIBUTES nic = NicOf(self);
        Address named(9);
        char name[] = "n0";
        BOOST_TEST(nic.NicAddressLen == 6);
        BOOST_TEST(VipNSInit(self.nic, nullptr) == VIP_SUCCESS);
        BOOST_TEST(VipNSGetHostByName(self.nic, name, named, 0) == VIP_SUCCESS);
        BOOST_TEST(named->HostAddressLen == nic.NicAddressLen);
        BOOST_TEST(std::memcmp(named->HostAddress, nic.LocalNicAddress, 6) == 0);
    });
}

CONFORMANCE_CASE(ANicsAttributesDoNotChange, "QueryNic.static")
{
    RunAlone([](Party& self) {
        const VIP_NIC_ATTRIBUTES before = NicOf(self);
        self.CreateVi();
        const VIP_NIC_ATTRIBUTES after = NicOf(self);
        BOOST_TEST(std::memcmp(&before, &after, sizeof(before)) == 0);
        BOOST_TEST(VipQueryNic(self.nic, nullptr) == REFUSED);
    });
}

CONFORMANCE_CASE(ATagIsMadeAndDestroyed, "CreatePtag.many DestroyPtag.parameters")
{
    RunAlone([](Party& self) {
        VIP_PROTECTION_HANDLE tags[3] = {};
        for (VIP_PROTECTION_HANDLE& tag : tags)
        {
            BOOST_TEST(VipCreatePtag(self.nic, &tag) == VIP_SUCCESS);
            BOOST_TEST(tag != nullptr);
        }
        BOOST_TEST(tags[0] != tags[1]);
        BOOST_TEST(VipDestroyPtag(self.nic, tags[1]) == VIP_SUCCESS);
        BOOST_TEST(VipDestroyPtag(self.nic, tags[1]) == REFUSED);
        BOOST_TEST(VipDestroyPtag(self.nic, nullptr) == REFUSED);
        BOOST_TEST(VipDestroyPtag(nullptr, tags[0]) == REFUSED);
        BOOST_TEST(VipDestroyPtag(self.nic, tags[0]) == VIP_SUCCESS);
    });
}

CONFORMANCE_CASE(CreatePtagNeedsANicAndAPlaceForTheTag, "CreatePtag.parameters")
{
    RunAlone([](Party& self) {
        VIP_PROTECTION_HANDLE tag = nullptr;
        BOOST_TEST(VipCreatePtag(nullptr, &tag) == REFUSED);
        BOOST_TEST(VipCreatePtag(self.nic, nullptr) == REFUSED);
        BOOST_TEST(VipCreatePtag(self.vi, &tag) == REFUSED); // a handle of another kind
        BOOST_TEST(tag == nullptr);
    });
}

CONFORMANCE_CASE(MemoryIsRegisteredAtAnyAddressAndLength, "RegisterMem.any RegisterMem.handle")
{
    RunAlone([](Party& self) {
        for (const VIP_ULONG length : {1u, 3u, 63u, 4097u, 100000u})
        {
            VIP_MEM_HANDLE handle = 0;
            std::uint8_t* odd = self.At(static_cast<std::int64_t>(length) % 7);
            BOOST_TEST(self.Register(odd, length, &handle) == VIP_SUCCESS);
            BOOST_TEST(handle != 0u);
            BOOST_TEST(VipDeregisterMem(self.nic, odd, handle) == VIP_SUCCESS);
        }
        int onTheStack = 0;
        VIP_MEM_HANDLE handle = 0;
        BOOST_TEST(self.Register(&onTheStack, sizeof(onTheStack), &handle) == VIP_SUCCESS);
    });
}

CONFORMANCE_CASE(ARangeMayBeRegisteredAgain, "RegisterMem.again")
{
    RunAlone([](Party& self) {
        VIP_MEM_ATTRIBUTES closed{self.tag, VIP_FALSE, VIP_FALSE};
        VIP_MEM_HANDLE second = 0;
        BOOST_TEST(VipRegisterMem(self.nic, self.At(0), 100, &closed, &second) == VIP_SUCCESS);
        BOOST_TEST(second != self.region);
        BOOST_TEST(VipDeregisterMem(self.nic, self.At(0), second) == VIP_SUCCESS);
        VIP_MEM_ATTRIBUTES first;
        BOOST_TEST(VipQueryMem(self.nic, self.At(0), self.region, &first) == VIP_SUCCESS);
        BOOST_TEST(first.EnableRdmaWrite == VIP_TRUE);
    });
}

CONFORMANCE_CASE(RegisterMemChecksItsParameters, "RegisterMem.parameters")
{
    RunAlone([](Party& self) {
        VIP_MEM_ATTRIBUTES attributes = self.MemAttributes();
        VIP_MEM_HANDLE handle = 0;
        BOOST_TEST(VipRegisterMem(nullptr, self.At(0), 8, &attributes, &handle) == REFUSED);
        BOOST_TEST(VipRegisterMem(self.nic, nullptr, 8, &attributes, &handle) == REFUSED);
        BOOST_TEST(VipRegisterMem(self.nic, self.At(0), 0, &attributes, &handle) == REFUSED);
        BOOST_TEST(VipRegisterMem(self.nic, self.At(0), 8, &attributes, nullptr) == REFUSED);
        BOOST_TEST(VipRegisterMem(self.nic, self.At(0), ~0UL, &attributes, &handle) == REFUSED);
        BOOST_TEST(handle == 0u);
    });
}

CONFORMANCE_CASE(RegisterMemWantsATagOfItsNic, "RegisterMem.ptag")
{
    RunAlone([](Party& self) {
        VIP_PROTECTION_HANDLE gone = nullptr;
        VipCreatePtag(self.nic, &gone);
        VipDestroyPtag(self.nic, gone);
        VIP_MEM_HANDLE handle = 0;
        for (const VIP_PROTECTION_HANDLE bad : {gone, self.vi, self.nic})
        {
            VIP_MEM_ATTRIBUTES attributes{bad, VIP_FALSE, VIP_FALSE};
            BOOST_TEST(VipRegisterMem(self.nic, self.At(0), 8, &attributes, &handle) ==
                       VIP_INVALID_PTAG);
        }
        BOOST_TEST(handle == 0u);
    });
}

CONFORMANCE_CASE(DeregisterMemWantsTheRegisteredBaseAndHandle, "DeregisterMem.parameters")
{
    RunAlone([](Party& self) {
        VIP_MEM_HANDLE handle = 0;
        self.Register(self.At(64), 64, &handle);
        BOOST_TEST(VipDeregisterMem(nullptr, self.At(64), handle) == REFUSED);
        BOOST_TEST(VipDeregisterMem(self.nic, self.At(65), handle) == REFUSED);
        BOOST_TEST(VipDeregisterMem(self.nic, self.At(64), handle + 1) == REFUSED);
        BOOST_TEST(VipDeregisterMem(self.nic, self.At(64), 0) == REFUSED);
        BOOST_TEST(VipDeregisterMem(self.nic, self.At(64), handle) == VIP_SUCCESS);
        BOOST_TEST(VipDeregisterMem(self.nic, self.At(64), handle) == REFUSED);
    });
}

CONFORMANCE_CASE(QueryMemTellsWhatWasRegistered, "QueryMem.attributes QueryMem.parameters")
{
    RunAlone([](Party& self) {
        for (const VIP_BOOLEAN write : {VIP_FALSE, VIP_TRUE})
        {
            VIP_MEM_ATTRIBUTES in{self.tag, write, VIP_FALSE};
            VIP_MEM_ATTRIBUTES out{};
            VIP_MEM_HANDLE handle = 0;
            VipRegisterMem(self.nic, self.At(0), 8, &in, &handle);
            BOOST_TEST(VipQueryMem(self.nic, self.At(0), handle, &out) == VIP_SUCCESS);
            BOOST_TEST(out.Ptag == self.tag);
            BOOST_TEST(out.EnableRdmaWrite == write);
            BOOST_TEST(out.EnableRdmaRead == VIP_FALSE);
            BOOST_TEST(VipQueryMem(nullptr, self.At(0), handle, &out) == REFUSED);
            BOOST_TEST(VipQueryMem(self.nic, self.At(1), handle, &out) == REFUSED);
            BOOST_TEST(VipQueryMem(self.nic, self.At(0), 0, &out) == REFUSED);
            BOOST_TEST(VipQueryMem(self.nic, self.At(0), handle, nullptr) == REFUSED);
        }
    });
}

CONFORMANCE_CASE(ANewViIsIdleAndEmpty, "CreateVi.idle QueryVi.attributes")
{
    RunAlone([](Party& self) {
        VIP_VI_STATE state = VIP_STATE_ERROR;
        VIP_VI_ATTRIBUTES out;
        VIP_BOOLEAN sends = VIP_FALSE;
        VIP_BOOLEAN receives = VIP_FALSE;
        BOOST_TEST(VipQueryVi(self.vi, &state, &out, &sends, &receives) == VIP_SUCCESS);
        BOOST_TEST(state == VIP_STATE_IDLE);
        BOOST_TEST(sends == VIP_TRUE);
        BOOST_TEST(receives == VIP_TRUE);
        BOOST_TEST(out.ReliabilityLevel == self.ViAttributes().ReliabilityLevel);
        BOOST_TEST(out.MaxTransferSize == self.ViAttributes().MaxTransferSize);
        BOOST_TEST(out.QoS == nullptr);
        BOOST_TEST(out.Ptag == self.tag);
        BOOST_TEST(out.EnableRdmaWrite == VIP_TRUE);
        BOOST_TEST(out.EnableRdmaRead == VIP_FALSE);
    });
}

CONFORMANCE_CASE(CreateViChecksItsParameters, "CreateVi.parameters")
{
    RunAlone([](Party& self) {
        VIP_VI_ATTRIBUTES in = self.ViAttributes();
        VIP_VI_HANDLE vi = nullptr;
        BOOST_TEST(VipCreateVi(nullptr, &in, nullptr, nullptr, &vi) == REFUSED);
        BOOST_TEST(VipCreateVi(self.nic, nullptr, nullptr, nullptr, &vi) == REFUSED);
        BOOST_TEST(VipCreateVi(self.nic, &in, self.vi, nullptr, &vi) == REFUSED);
        BOOST_TEST(VipCreateVi(self.nic, &in, nullptr, self.nic, &vi) == REFUSED);
        BOOST_TEST(VipCreateVi(self.nic, &in, nullptr, nullptr, nullptr) == REFUSED);
        BOOST_TEST(vi == nullptr);
    });
}

CONFORMANCE_CASE(AnIdleEmptyViIsDestroyed, "DestroyVi.idle DestroyVi.parameters")
{
    RunAlone([](Party& self) {
        VIP_VI_STATE state;
        VIP_VI_ATTRIBUTES attributes;
        VIP_BOOLEAN empty;
        BOOST_TEST(VipDestroyVi(self.vi) == VIP_SUCCESS);
        BOOST_TEST(VipDestroyVi(self.vi) == REFUSED);
        BOOST_TEST(VipQueryVi(self.vi, &state, &attributes, &empty, &empty) == REFUSED);
        BOOST_TEST(VipDestroyVi(nullptr) == REFUSED);
    });
}

CONFORMANCE_CASE(QueryViChecksItsParameters, "QueryVi.parameters")
{
    RunAlone([](Party& self) {
        VIP_VI_STATE state;
        VIP_VI_ATTRIBUTES attributes;
        VIP_BOOLEAN empty;
        BOOST_TEST(VipQueryVi(nullptr, &state, &attributes, &empty, &empty) == REFUSED);
        BOOST_TEST(VipQueryVi(self.nic, &state, &attributes, &empty, &empty) == REFUSED);
        BOOST_TEST(VipQueryVi(self.vi, nullptr, &attributes, &empty, &empty) == REFUSED);
        BOOST_TEST(VipQueryVi(self.vi, &state, nullptr, &empty, &empty) == REFUSED);
        BOOST_TEST(VipQueryVi(self.vi, &state, &attributes, nullptr, &empty) == REFUSED);
        BOOST_TEST(VipQueryVi(self.vi, &state, &attributes, &empty, nullptr) == REFUSED);
    });
}

BOOST_AUTO_TEST_SUITE_END()
