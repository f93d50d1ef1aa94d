/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
// Numbers of connections: each card of each host has its own.

#include "ns3/via-connection-number.h"
#include "ns3/via-topology.h"

#include <boost/test/unit_test.hpp>
#include <set>

using namespace ns3::via;

BOOST_AUTO_TEST_SUITE(ConnectionNumberTest)

BOOST_AUTO_TEST_CASE(CardsOfTheFirstAndTheLastHostsHaveNumbersOfTheirOwn)
{
    std::set<ConnectionId> numbers;
    for (const NodeId host : {0U, 1U, 65535U, 65536U, MOST_HOSTS - 1})
    {
        for (std::uint32_t card = 0; card < MOST_RAILS; ++card)
        {
            BOOST_TEST(numbers.insert(ConnectionNumber(host, card, 1)).second);
            BOOST_TEST(numbers.insert(ConnectionNumber(host, card, UINT32_MAX)).second);
        }
    }
}

BOOST_AUTO_TEST_SUITE_END()
