/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
// Programs in the styles of VIPL's known clients: what they rely on, they get.

#include "support/via-test-program-bench.h"
#include "support/via-test-program-run.h"

#include <boost/test/unit_test.hpp>

using namespace ns3::via;
using namespace ns3::via::test;

namespace
{

const std::vector<Arguments> RANKS = {{"0"}, {"1"}};
const std::vector<Arguments> ROLES = {{"server"}, {"client", "n0"}};

} // namespace

BOOST_AUTO_TEST_SUITE(vipl_clients)

BOOST_AUTO_TEST_CASE(ALayerWithOneSharedQueuePollsThenWaitsAndEndsCarelessly)
{
    BOOST_TEST(RunOnNodes(BuiltProgram("client-shared-cq.c"), RANKS) ==
               "[n1.0] wrote, was told 16 bytes\n"
               "[n0.0] written, immediate 4711 on VI 1\n");
}

BOOST_AUTO_TEST_CASE(WhatWasPostedRightBeforeADisconnectArrives)
{
    BOOST_TEST(RunOnNodes(BuiltProgram("client-blocking.c"), ROLES) ==
               "[n0.0] first, 6 bytes\n"
               "[n0.0] second and last, 16 bytes\n");
}

BOOST_AUTO_TEST_CASE(AOneSidedLibrarySeesTheLastWordOfAWriteLast)
{
    BOOST_TEST(RunOnNodes(BuiltProgram("client-one-sided.c"), RANKS) ==
               "[n1.0] put 8192 bytes\n"
               "[n0.0] all words in order\n");
}

BOOST_AUTO_TEST_CASE(AOneSidedLibraryMayConnectItsEndsAsPeers)
{
    const std::string out =
        RunOnNodes(BuiltProgram("client-one-sided.c", "-DPEER_CONNECTION"), RANKS);
    BOOST_TEST(Contains(out, "[n1.0] put 8192 bytes\n"), out);
    BOOST_TEST(Contains(out, "[n0.0] all words in order\n"), out);
}

BOOST_AUTO_TEST_CASE(ABenchmarkSeesItsPeerGoAndClosesDownWithoutAnError)
{
    const std::string out = RunOnNodes(BuiltProgram("client-benchmark.cc", "-std=gnu++98"), ROLES);
    BOOST_TEST(Contains(out, "[n0.0] received 10 messages, 4608 bytes; the peer has gone\n"), out);
    BOOST_TEST(Contains(out, "[n0.0] closed down\n"), out);
    BOOST_TEST(Contains(out, "[n1.0] closed down\n"), out);
}

BOOST_AUTO_TEST_CASE(AnMpiDeviceCallsByPointersAndPostsAgainWhatCameBack)
{
    BOOST_TEST(RunOnNodes(BuiltProgram("client-function-table.c"), RANKS) ==
               "[n0.0] 12 received, 12 sent\n"
               "[n1.0] 12 received, 12 sent\n");
}

BOOST_AUTO_TEST_CASE(EmptyDescriptorsAreCreditsAndAHandlerMayEndTheProgram)
{
    BOOST_TEST(RunOnNodes(BuiltProgram("client-credits.c"), RANKS) ==
               "[n0.0] 960 bytes of a, between them 0\n"
               "[n0.0] 960 bytes of b, between them 0\n"
               "[n0.0] 960 bytes of c, between them 0\n"
               "[n1.0] the peer has gone, so this is the end\n");
}

BOOST_AUTO_TEST_CASE(EachPrintsTheSameOnANicThatCostsNothing)
{
    ClusterConfig ideal;
    ideal.profile = "ideal";
    for (const char* name : {"client-shared-cq.c", "client-one-sided.c", "client-function-table.c"})
    {
        const std::string program = BuiltProgram(name);
        BOOST_TEST(RunOnNodes(program, RANKS, ideal) == RunOnNodes(program, RANKS), name);
    }
    const std::string blocking = BuiltProgram("client-blocking.c");
    BOOST_TEST(RunOnNodes(blocking, ROLES, ideal) == RunOnNodes(blocking, ROLES));
}

BOOST_AUTO_TEST_SUITE_END()
