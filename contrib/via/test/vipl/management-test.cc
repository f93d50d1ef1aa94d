/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
// VIPL: system management information.

#include "support/via-test-vipl-bench.h"

using namespace ns3::via;
using namespace ns3::via::test;

namespace
{

/// Node 0 of a cluster asks who else is there.
VIP_AUTODISCOVERY_LIST
Discover(std::uint32_t nodes, const std::string& topology, std::vector<std::string>& found)
{
    VIP_AUTODISCOVERY_LIST list{9, nullptr, 9};
    ClusterConfig config;
    config.nodes = nodes;
    config.topology = topology;
    const auto body = [&list, &found] {
        VIP_NIC_HANDLE nic = nullptr;
        VipOpenNic("nic0", &nic);
        BOOST_TEST(VipQuerySystemManagementInfo(nic, VIP_SMI_AUTODISCOVERY, &list) == VIP_SUCCESS);
        for (VIP_ULONG i = 0; i < list.NumAdAddrs; ++i)
        {
            const VIP_NET_ADDRESS* address = list.ADAddrArray[i];
            BOOST_TEST(address->DiscriminatorLen == 0u);
            found.emplace_back(reinterpret_cast<const char*>(address->HostAddress),
                               address->HostAddressLen);
        }
    };
    BOOST_TEST((RunEach({body}, config).exit == RunExit::SUCCESS));
    return list;
}

} // namespace

BOOST_AUTO_TEST_SUITE(vipl_management)

BOOST_AUTO_TEST_CASE(DiscoveryFindsEveryOtherHostInOrder)
{
    std::vector<std::string> found;
    const VIP_AUTODISCOVERY_LIST list = Discover(5, "star", found);
    BOOST_TEST(list.NumAdAddrs == 4u);
    BOOST_TEST(list.NumberOfHops == 1u);
    for (std::uint32_t i = 0; i < 4; ++i)
    {
        BOOST_TEST(found[i] == HostAddressOf(i + 1));
    }
}

BOOST_AUTO_TEST_CASE(HopsAreTheSwitchesToTheFarthestHost)
{
    std::vector<std::string> found;
    BOOST_TEST(Discover(2, "back-to-back", found).NumberOfHops == 0u);
    BOOST_TEST(Discover(2, "fat-tree:k=2,n=2", found).NumberOfHops == 1u);
    BOOST_TEST(Discover(4, "fat-tree:k=2,n=2", found).NumberOfHops == 3u);
}

BOOST_AUTO_TEST_CASE(AHostAloneFindsNobody)
{
    std::vector<std::string> found;
    const VIP_AUTODISCOVERY_LIST list = Discover(1, "crossbar", found);
    BOOST_TEST(list.NumAdAddrs == 0u);
    BOOST_TEST(list.NumberOfHops == 0u);
    BOOST_TEST(list.ADAddrArray == nullptr);
}

BOOST_AUTO_TEST_CASE(TheListStaysTheSameHoweverOftenItIsAskedFor)
{
    const auto body = [] {
        VIP_NIC_HANDLE nic = nullptr;
        VipOpenNic("nic0", &nic);
        VIP_AUTODISCOVERY_LIST first;
        VIP_AUTODISCOVERY_LIST second;
        VipQuerySystemManagementInfo(nic, VIP_SMI_AUTODISCOVERY, &first);
        VipQuerySystemManagementInfo(nic, VIP_SMI_AUTODISCOVERY, &second);
        BOOST_TEST(second.NumAdAddrs == 1u);
        BOOST_TEST(first.ADAddrArray == second.ADAddrArray);
    };
    RunEach({body, [] {}});
}

BOOST_AUTO_TEST_CASE(OtherQuestionsAndPlacesAreRefused)
{
    RunAlone([](Party& self) {
        VIP_AUTODISCOVERY_LIST list{9, nullptr, 9};
        for (const VIP_ULONG type : {0UL, 2UL, ~0UL})
        {
            BOOST_TEST(VipQuerySystemManagementInfo(self.nic, type, &list) ==
                       VIP_INVALID_PARAMETER);
        }
        BOOST_TEST(VipQuerySystemManagementInfo(self.nic, VIP_SMI_AUTODISCOVERY, nullptr) ==
                   VIP_INVALID_PARAMETER);
        BOOST_TEST(VipQuerySystemManagementInfo(nullptr, VIP_SMI_AUTODISCOVERY, &list) ==
                   VIP_INVALID_PARAMETER);
        BOOST_TEST(list.NumAdAddrs == 9u);
    });
}

BOOST_AUTO_TEST_SUITE_END()
