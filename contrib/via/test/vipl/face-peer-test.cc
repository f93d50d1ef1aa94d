/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
// vipl.hpp: peers, and who else is there.

#include "support/via-test-face-bench.h"

#include <optional>

using namespace ns3::via;
using namespace ns3::via::test;

BOOST_AUTO_TEST_SUITE(face_peer)

BOOST_AUTO_TEST_CASE(PeersThatAskForEachOtherAreConnected)
{
    const auto first = [] {
        FaceEnd end;
        end.vi.ConnectPeerRequest(end.Server("n0"), end.Server("n1"), LONG);
        BOOST_TEST((end.vi.Query().state == vipl::State::ConnectPending));
        BOOST_TEST(!end.vi.ConnectPeerDone()); // the other one is asleep
        BOOST_TEST(end.vi.ConnectPeerWait().maxTransferSize == end.Attributes().maxTransferSize);
        BOOST_TEST((end.vi.Query().state == vipl::State::Connected));
        Pause((100 * PS_PER_MS));
    };
    const auto second = [] {
        FaceEnd end;
        Pause(10 * PS_PER_MS);
        end.vi.ConnectPeerRequest(end.Server("n1"), end.Server("n0"), LONG);
        std::optional<vipl::ViAttributes> peer;
        while (!peer)
        {
            peer = end.vi.ConnectPeerDone();
        }
        BOOST_TEST((peer->reliability == vipl::Reliability::ReliableDelivery));
        Pause((100 * PS_PER_MS));
    };
    BOOST_TEST((RunEach({first, second}).exit == RunExit::SUCCESS));
}

BOOST_AUTO_TEST_CASE(APeerThatNeverAsksIsATimeout)
{
    RunFace([](FaceEnd& end) {
        const vipl::Timeout timeout(3);
        end.vi.ConnectPeerRequest(end.Server("n0"), end.Server("n1"), timeout);
        BOOST_CHECK_EXCEPTION(end.vi.ConnectPeerWait(), std::system_error, Is(VIP_TIMEOUT));
        std::error_code error;
        BOOST_TEST(!end.vi.ConnectPeerDone(error));
        BOOST_TEST(error == VIP_INVALID_STATE); // nothing is asked any more
        BOOST_TEST((end.vi.Query().state == vipl::State::Idle));
        BOOST_CHECK_EXCEPTION(end.vi.ConnectPeerWait(), std::system_error, Is(VIP_INVALID_STATE));
    });
}

BOOST_AUTO_TEST_CASE(ANicFindsTheOtherHosts)
{
    ClusterConfig config;
    config.nodes = 4;
    const auto body = [](FaceEnd& end) {
        const vipl::Neighbours found = end.nic.Autodiscovery();
        BOOST_TEST(found.hops == 1u);
        BOOST_REQUIRE(found.addresses.size() == 3u);
        BOOST_TEST((found.addresses[0] == end.names.HostByName("n1")));
        BOOST_TEST((found.addresses[2] == end.names.HostByName("n3")));
        std::error_code error;
        BOOST_TEST(vipl::Nic().Autodiscovery(error).addresses.empty());
        BOOST_TEST(error == VIP_INVALID_PARAMETER);
        char answer[64];
        BOOST_CHECK_EXCEPTION(end.nic.QuerySystemManagementInfo(99, answer),
                              std::system_error,
                              Is(VIP_INVALID_PARAMETER));
    };
    RunFace(body, config);
}

BOOST_AUTO_TEST_SUITE_END()
