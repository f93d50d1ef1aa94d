/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
// VIPL: opening NICs, asking them, the name service.

#include "support/via-test-vipl-bench.h"

using namespace ns3::via;
using namespace ns3::via::test;

namespace
{

/// Runs a body on each of two nodes' first, with an open NIC.
void
WithNic(const std::function<void(VIP_NIC_HANDLE)>& body)
{
    const auto first = [&body] {
        VIP_NIC_HANDLE nic = nullptr;
        BOOST_TEST(VipOpenNic("nic0", &nic) == VIP_SUCCESS);
        body(nic);
    };
    BOOST_TEST((RunEach({first, [] {}}).exit == RunExit::SUCCESS));
}

} // namespace

BOOST_AUTO_TEST_SUITE(vipl_nic)

BOOST_AUTO_TEST_CASE(EveryNameThatProgramsUseOpensTheNic)
{
    WithNic([](VIP_NIC_HANDLE) {
        for (const char* name : {"nic0",
                                 "VINIC",
                                 "VINIC0",
                                 "/dev/via_lo",
                                 "/etc/via_lo",
                                 "/dev/via_eth3",
                                 "/dev/clanvi0",
                                 "\\\\.\\VI1"})
        {
            VIP_NIC_HANDLE nic = nullptr;
            BOOST_TEST(VipOpenNic(name, &nic) == VIP_SUCCESS, name);
        }
    });
}

BOOST_AUTO_TEST_CASE(AnUnknownDeviceIsRefused)
{
    WithNic([](VIP_NIC_HANDLE) {
        VIP_NIC_HANDLE nic = nullptr;
        for (const char* name : {"", "eth0", "nic", "nicX", "/dev/clanvi", "VINICnone"})
        {
            BOOST_TEST(VipOpenNic(name, &nic) == VIP_INVALID_PARAMETER, name);
        }
        BOOST_TEST(VipOpenNic(nullptr, &nic) == VIP_INVALID_PARAMETER);
        BOOST_TEST(VipOpenNic("nic0", nullptr) == VIP_INVALID_PARAMETER);
        BOOST_TEST(nic == nullptr);
    });
}

BOOST_AUTO_TEST_CASE(OpeningTwiceGivesTwoHandlesOfOneNic)
{
    WithNic([](VIP_NIC_HANDLE first) {
        VIP_NIC_HANDLE second = nullptr;
        BOOST_TEST(VipOpenNic("nic0", &second) == VIP_SUCCESS);
        BOOST_TEST(first != second);
        BOOST_TEST(VipCloseNic(first) == VIP_SUCCESS);
        VIP_NIC_ATTRIBUTES attributes;
        BOOST_TEST(VipQueryNic(second, &attributes) == VIP_SUCCESS);
        BOOST_TEST(VipQueryNic(first, &attributes) == VIP_INVALID_PARAMETER);
    });
}

BOOST_AUTO_TEST_CASE(ClosingTwiceOrSomethingElseIsRefused)
{
    WithNic([](VIP_NIC_HANDLE nic) {
        VIP_PROTECTION_HANDLE tag = nullptr;
        BOOST_TEST(VipCreatePtag(nic, &tag) == VIP_SUCCESS);
        BOOST_TEST(VipCloseNic(tag) == VIP_INVALID_PARAMETER);
        BOOST_TEST(VipCloseNic(nullptr) == VIP_INVALID_PARAMETER);
        BOOST_TEST(VipDestroyPtag(nic, tag) == VIP_SUCCESS);
        BOOST_TEST(VipCloseNic(nic) == VIP_SUCCESS);
        BOOST_TEST(VipCloseNic(nic) == VIP_INVALID_PARAMETER);
    });
}

BOOST_AUTO_TEST_CASE(ANicWithObjectsLeftStaysOpen)
{
    RunAlone([](Party& self) {
        BOOST_TEST(VipCloseNic(self.nic) == VIP_ERROR_RESOURCE);
        BOOST_TEST(VipDestroyVi(self.vi) == VIP_SUCCESS);
        BOOST_TEST(VipCloseNic(self.nic) == VIP_ERROR_RESOURCE);
        BOOST_TEST(VipDeregisterMem(self.nic, self.At(0), self.region) == VIP_SUCCESS);
        BOOST_TEST(VipDeregisterMem(self.nic, self.Pool(), self.pool) == VIP_SUCCESS);
        BOOST_TEST(VipCloseNic(self.nic) == VIP_ERROR_RESOURCE);
        BOOST_TEST(VipDestroyPtag(self.nic, self.tag) == VIP_SUCCESS);
        BOOST_TEST(VipCloseNic(self.nic) == VIP_SUCCESS);
    });
}

BOOST_AUTO_TEST_CASE(TheNicSaysWhatItsProfileSays)
{
    WithNic([](VIP_NIC_HANDLE nic) {
        VIP_NIC_ATTRIBUTES attributes;
        BOOST_TEST(VipQueryNic(nic, &attributes) == VIP_SUCCESS);
        BOOST_TEST(std::string(attributes.Name) == "Giganet cLAN1000");
        BOOST_TEST(attributes.MaxVI == Key("nic.max_vi"));
        BOOST_TEST(attributes.MaxTransferSize == Key("nic.max_transfer_size"));
        BOOST_TEST(attributes.MaxDescriptorsPerQueue == Key("nic.max_queue_depth"));
        BOOST_TEST(attributes.MaxSegmentsPerDesc == Key("nic.max_segments"));
        BOOST_TEST(attributes.MaxRegisterBytes == Key("nic.max_registered_bytes"));
        BOOST_TEST(attributes.MaxCQEntries == Key("nic.max_cq_entries"));
        BOOST_TEST(attributes.MaxDiscriminatorLen == Key("nic.max_discriminator_bytes"));
        BOOST_TEST(attributes.ReliabilityLevelSupport ==
                   (VIP_SERVICE_UNRELIABLE | VIP_SERVICE_RELIABLE_DELIVERY |
                    VIP_SERVICE_RELIABLE_RECEPTION));
        BOOST_TEST(attributes.RDMAReadSupport == 0);
    });
}

BOOST_AUTO_TEST_CASE(TheLocalAddressIsThatOfTheNode)
{
    WithNic([](VIP_NIC_HANDLE nic) {
        VIP_NIC_ATTRIBUTES attributes;
        BOOST_TEST(VipQueryNic(nic, &attributes) == VIP_SUCCESS);
        const std::string bytes(reinterpret_cast<const char*>(attributes.LocalNicAddress),
                                attributes.NicAddressLen);
        BOOST_TEST(bytes == std::string("\2\0\0\0\0\0", 6));
    });
}

BOOST_AUTO_TEST_CASE(QueriesNeedAHandleAndAPlaceForTheAnswer)
{
    WithNic([](VIP_NIC_HANDLE nic) {
        VIP_NIC_ATTRIBUTES attributes;
        BOOST_TEST(VipQueryNic(nullptr, &attributes) == VIP_INVALID_PARAMETER);
        BOOST_TEST(VipQueryNic(&attributes, &attributes) == VIP_INVALID_PARAMETER);
        BOOST_TEST(VipQueryNic(nic, nullptr) == VIP_INVALID_PARAMETER);
    });
}

BOOST_AUTO_TEST_CASE(NamesAndAddressesLeadToEachOther)
{
    WithNic([](VIP_NIC_HANDLE nic) {
        BOOST_TEST(VipNSInit(nic, nullptr) == VIP_SUCCESS);
        Address address(0, "");
        char name[] = "n1";
        BOOST_TEST(VipNSGetHostByName(nic, name, address, 0) == VIP_SUCCESS);
        BOOST_TEST(address.Bytes() == Address(1, "").Bytes());
        char found[8];
        VIP_ULONG length = sizeof(found);
        BOOST_TEST(VipNSGetHostByAddr(nic, address, found, &length) == VIP_SUCCESS);
        BOOST_TEST(std::string(found) == "n1");
        BOOST_TEST(length == 3u);
    });
}

BOOST_AUTO_TEST_CASE(TheNameServiceKnowsNothingBeforeItsStartNorAfterItsEnd)
{
    WithNic([](VIP_NIC_HANDLE nic) {
        Address address(1, "");
        char name[8] = "n1";
        VIP_ULONG length = sizeof(name);
        BOOST_TEST(VipNSGetHostByName(nic, name, address, 0) == VIP_ERROR_NAMESERVICE);
        BOOST_TEST(VipNSInit(nic, nullptr) == VIP_SUCCESS);
        BOOST_TEST(VipNSInit(nic, nullptr) == VIP_SUCCESS);
        BOOST_TEST(VipNSGetHostByName(nic, name, address, 0) == VIP_SUCCESS);
        BOOST_TEST(VipNSShutdown(nic) == VIP_SUCCESS);
        BOOST_TEST(VipNSGetHostByAddr(nic, address, name, &length) == VIP_ERROR_NAMESERVICE);
    });
}

BOOST_AUTO_TEST_CASE(OneShutdownEndsHoweverManyStartsAndTheNextStartBringsItBack)
{
    WithNic([](VIP_NIC_HANDLE nic) {
        Address address(1, "");
        char name[8] = "n1";
        BOOST_TEST(VipNSInit(nic, nullptr) == VIP_SUCCESS);
        BOOST_TEST(VipNSInit(nic, name) == VIP_SUCCESS); // whatever it is told
        BOOST_TEST(VipNSShutdown(nic) == VIP_SUCCESS);
        BOOST_TEST(VipNSGetHostByName(nic, name, address, 0) == VIP_ERROR_NAMESERVICE);
        BOOST_TEST(VipNSShutdown(nic) == VIP_SUCCESS);
        BOOST_TEST(VipNSInit(nic, nullptr) == VIP_SUCCESS);
        BOOST_TEST(VipNSGetHostByName(nic, name, address, 0) == VIP_SUCCESS);
        BOOST_TEST(VipNSGetHostByName(nic, name, address, ~0UL) == VIP_ERROR_NAMESERVICE);
    });
}

BOOST_AUTO_TEST_CASE(WhatTheNameServiceDoesNotKnowIsSaid)
{
    WithNic([](VIP_NIC_HANDLE nic) {
        VipNSInit(nic, nullptr);
        Address address(2, "");
        char nobody[] = "n2";
        char first[] = "n0";
        char name[8];
        VIP_ULONG length = sizeof(name);
        BOOST_TEST(VipNSGetHostByName(nic, nobody, address, 0) == VIP_ERROR_NAMESERVICE);
        BOOST_TEST(VipNSGetHostByName(nic, first, address, 1) == VIP_ERROR_NAMESERVICE);
        BOOST_TEST(VipNSGetHostByAddr(nic, address, name, &length) == VIP_ERROR_NAMESERVICE);
        address->HostAddressLen = 4;
        BOOST_TEST(VipNSGetHostByAddr(nic, address, name, &length) == VIP_ERROR_NAMESERVICE);
    });
}

BOOST_AUTO_TEST_CASE(ANameThatDoesNotFitIsNotWrittenButItsLengthIs)
{
    WithNic([](VIP_NIC_HANDLE nic) {
        VipNSInit(nic, nullptr);
        char name[8] = "-------";
        VIP_ULONG length = 2;
        BOOST_TEST(VipNSGetHostByAddr(nic, Address(1, ""), name, &length) == VIP_ERROR_RESOURCE);
        BOOST_TEST(length == 3u);
        BOOST_TEST(std::string(name) == "-------");
    });
}

BOOST_AUTO_TEST_CASE(TheNameServiceChecksItsArguments)
{
    WithNic([](VIP_NIC_HANDLE nic) {
        Address address(0, "");
        char name[8] = "n0";
        VIP_ULONG length = sizeof(name);
        BOOST_TEST(VipNSInit(nullptr, nullptr) == VIP_INVALID_PARAMETER);
        BOOST_TEST(VipNSShutdown(nullptr) == VIP_INVALID_PARAMETER);
        BOOST_TEST(VipNSGetHostByName(nullptr, name, address, 0) == VIP_INVALID_PARAMETER);
        BOOST_TEST(VipNSGetHostByName(nic, nullptr, address, 0) == VIP_INVALID_PARAMETER);
        BOOST_TEST(VipNSGetHostByName(nic, name, nullptr, 0) == VIP_INVALID_PARAMETER);
        BOOST_TEST(VipNSGetHostByAddr(nic, nullptr, name, &length) == VIP_INVALID_PARAMETER);
        BOOST_TEST(VipNSGetHostByAddr(nic, address, nullptr, &length) == VIP_INVALID_PARAMETER);
        BOOST_TEST(VipNSGetHostByAddr(nic, address, name, nullptr) == VIP_INVALID_PARAMETER);
    });
}

BOOST_AUTO_TEST_SUITE_END()
