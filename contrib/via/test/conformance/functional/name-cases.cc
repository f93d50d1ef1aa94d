/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
// Functional: the name service and system management.

#include "conformance/via-conformance-bench.h"

using namespace ns3::via;
using namespace ns3::via::test;

namespace
{

VIP_RETURN
LookUp(Party& self, std::string name, VIP_ULONG index = 0)
{
    Address found(7);
    return VipNSGetHostByName(self.nic, name.data(), found, index);
}

} // namespace

BOOST_AUTO_TEST_SUITE(functional)

CONFORMANCE_CASE(AnUnknownNameIsNoAddress, "GetHostByName.unknown")
{
    RunAlone([](Party& self) {
        VipNSInit(self.nic, nullptr);
        BOOST_TEST(LookUp(self, "n0") == VIP_SUCCESS);
        for (const char* name : {"", "n", "n1000", "host", "n0x", "N0"})
        {
            BOOST_TEST(LookUp(self, name) == VIP_ERROR_NAMESERVICE, name);
        }
    });
}

CONFORMANCE_CASE(AnIndexPastTheLastAddressFails, "GetHostByName.index")
{
    RunAlone([](Party& self) {
        VipNSInit(self.nic, nullptr);
        BOOST_TEST(LookUp(self, "n0", 0) == VIP_SUCCESS);
        BOOST_TEST(LookUp(self, "n0", 1) == VIP_ERROR_NAMESERVICE);
    });
}

CONFORMANCE_CASE(TheNameServiceMustBeStarted, "NSInit.first NSShutdown.after")
{
    RunAlone([](Party& self) {
        char name[16];
        VIP_ULONG length = sizeof(name);
        BOOST_TEST(LookUp(self, "n0") == VIP_ERROR_NAMESERVICE);
        BOOST_TEST(VipNSGetHostByAddr(self.nic, Address(0), name, &length) ==
                   VIP_ERROR_NAMESERVICE);
        VipNSInit(self.nic, nullptr);
        BOOST_TEST(LookUp(self, "n0") == VIP_SUCCESS);
        BOOST_TEST(VipNSShutdown(self.nic) == VIP_SUCCESS);
        BOOST_TEST(LookUp(self, "n0") == VIP_ERROR_NAMESERVICE);
    });
}

CONFORMANCE_CASE(ANameThatDoesNotFitTellsItsLength, "GetHostByAddr.length")
{
    RunAlone([](Party& self) {
        VipNSInit(self.nic, nullptr);
        char name[16] = "untouched";
        VIP_ULONG length = 2;
        BOOST_TEST(VipNSGetHostByAddr(self.nic, Address(0), name, &length) == VIP_ERROR_RESOURCE);
        BOOST_TEST(length == 3u); // with its end
        BOOST_TEST(std::string(name) == "untouched");
        BOOST_TEST(VipNSGetHostByAddr(self.nic, Address(0), name, &length) == VIP_SUCCESS);
        BOOST_TEST(std::string(name) == "n0");
    });
}

CONFORMANCE_CASE(AnUnknownAddressHasNoName, "GetHostByAddr.unknown")
{
    RunAlone([](Party& self) {
        VipNSInit(self.nic, nullptr);
        char name[16];
        VIP_ULONG length = sizeof(name);
        BOOST_TEST(VipNSGetHostByAddr(self.nic, Address(1000), name, &length) ==
                   VIP_ERROR_NAMESERVICE);
        Address strange(0);
        strange->HostAddressLen = 3;
        BOOST_TEST(VipNSGetHostByAddr(self.nic, strange, name, &length) == VIP_ERROR_NAMESERVICE);
    });
}

CONFORMANCE_CASE(NameCallsCheckTheirParameters,
                 "NSInit.parameters GetHostByName.parameters GetHostByAddr.parameters")
{
    RunAlone([](Party& self) {
        char name[16] = "n0";
        VIP_ULONG length = sizeof(name);
        Address a(0);
        BOOST_TEST(VipNSInit(nullptr, nullptr) == REFUSED);
        BOOST_TEST(VipNSShutdown(nullptr) == REFUSED);
        BOOST_TEST(VipNSInit(self.nic, nullptr) == VIP_SUCCESS);
        BOOST_TEST(VipNSGetHostByName(nullptr, name, a, 0) == REFUSED);
        BOOST_TEST(VipNSGetHostByName(self.nic, nullptr, a, 0) == REFUSED);
        BOOST_TEST(VipNSGetHostByName(self.nic, name, nullptr, 0) == REFUSED);
        BOOST_TEST(VipNSGetHostByAddr(nullptr, a, name, &length) == REFUSED);
        BOOST_TEST(VipNSGetHostByAddr(self.nic, nullptr, name, &length) == REFUSED);
        BOOST_TEST(VipNSGetHostByAddr(self.nic, a, nullptr, &length) == REFUSED);
        BOOST_TEST(VipNSGetHostByAddr(self.nic, a, name, nullptr) == REFUSED);
    });
}

CONFORMANCE_CASE(ALookedUpAddressTakesTheProgramsDiscriminator, "GetHostByName.discriminator")
{
    const auto client = [](Party& self) {
        VipNSInit(self.nic, nullptr);
        char name[] = "n1";
        Address to(7, "");
        BOOST_TEST(VipNSGetHostByName(self.nic, name, to, 0) == VIP_SUCCESS);
        const std::string discriminator = "door";
        to->DiscriminatorLen = 4;
        std::copy(discriminator.begin(),
                  discriminator.end(),
                  reinterpret_cast<char*>(to->HostAddress) + to->HostAddressLen);
        VIP_VI_ATTRIBUTES attributes;
        BOOST_TEST(VipConnectRequest(self.vi, Address(0), to, 500, &attributes) == VIP_SUCCESS);
    };
    const auto server = [](Party& self) {
        BOOST_TEST(VipConnectAccept(Await(self, "door"), self.vi) == VIP_SUCCESS);
    };
    RunApart(client, server);
}

CONFORMANCE_CASE(AutodiscoveryNamesTheOtherHosts, "QuerySystemManagementInfo.autodiscovery")
{
    const auto seeker = [](Party& self, Cast&) {
        VIP_AUTODISCOVERY_LIST list{};
        BOOST_TEST(VipQuerySystemManagementInfo(self.nic, VIP_SMI_AUTODISCOVERY, &list) ==
                   VIP_SUCCESS);
        BOOST_TEST(list.NumAdAddrs == 2u);
        BOOST_TEST(list.NumberOfHops >= 1u);
        for (VIP_ULONG i = 0; i < list.NumAdAddrs; ++i)
        {
            VIP_VI_ATTRIBUTES attributes;
            // whoever was found can be asked
            BOOST_TEST(
                VipConnectRequest(self.vi, Address(0), list.ADAddrArray[i], 500, &attributes) ==
                VIP_NO_MATCH);
        }
    };
    const auto other = [](Party&, Cast&) {};
    RunCast({{0, seeker}, {1, other}, {2, other}});
}

CONFORMANCE_CASE(OtherManagementQuestionsAreRefused, "QuerySystemManagementInfo.parameters")
{
    RunAlone([](Party& self) {
        VIP_AUTODISCOVERY_LIST list{};
        const VIP_ULONG known = VIP_SMI_AUTODISCOVERY;
        BOOST_TEST(VipQuerySystemManagementInfo(nullptr, known, &list) == REFUSED);
        BOOST_TEST(VipQuerySystemManagementInfo(self.vi, known, &list) == REFUSED);
        BOOST_TEST(VipQuerySystemManagementInfo(self.nic, known, nullptr) == REFUSED);
        for (const VIP_ULONG unknown : {0UL, 2UL, ~0UL})
        {
            const VIP_RETURN result = VipQuerySystemManagementInfo(self.nic, unknown, &list);
            BOOST_TEST((result == REFUSED || result == VIP_ERROR_NOT_SUPPORTED));
        }
    });
}

BOOST_AUTO_TEST_SUITE_END()
