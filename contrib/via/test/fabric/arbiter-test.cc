/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
// Arbiters: who gets which output, and that nobody starves.

#include "ns3/via-arbiter.h"

#include <boost/test/unit_test.hpp>
#include <map>
#include <set>

using namespace ns3::via;

namespace
{

using Requests = std::vector<Arbiter::Request>;

/// All inputs ask for all outputs, input i since i.
Requests
EverybodyAsks(std::uint32_t size)
{
    Requests all;
    for (std::uint32_t input = 0; input < size; ++input)
    {
        for (std::uint32_t output = 0; output < size; ++output)
        {
            all.push_back({input, output, static_cast<Ps>(input)});
        }
    }
    return all;
}

/// No input and no output twice.
bool
IsMatching(const Requests& granted)
{
    std::set<std::uint32_t> inputs;
    std::set<std::uint32_t> outputs;
    for (const Arbiter::Request& one : granted)
    {
        inputs.insert(one.input);
        outputs.insert(one.output);
    }
    return inputs.size() == granted.size() && outputs.size() == granted.size();
}

} // namespace

BOOST_AUTO_TEST_SUITE(ArbiterTest)

BOOST_AUTO_TEST_CASE(TheOldestIsServedFirst)
{
    Arbiter arbiter(4, 4, Arbitration::OLDEST_FIRST, 1);
    Requests requests = {{2, 1, 50}, {0, 1, 70}, {3, 1, 60}};
    arbiter.Match(requests);
    BOOST_REQUIRE(requests.size() == 1U);
    BOOST_TEST(requests[0].input == 2U);
}

BOOST_AUTO_TEST_CASE(OfTheSameAgeTheLowerInputIsFirst)
{
    Arbiter arbiter(4, 4, Arbitration::OLDEST_FIRST, 1);
    Requests requests = {{3, 1, 50}, {1, 1, 50}};
    arbiter.Match(requests);
    BOOST_TEST(requests.at(0).input == 1U);
}

BOOST_AUTO_TEST_CASE(AnInputGetsOneOutputAtATime)
{
    for (const Arbitration kind :
         {Arbitration::OLDEST_FIRST, Arbitration::ROUND_ROBIN, Arbitration::ISLIP})
    {
        Arbiter arbiter(4, 4, kind, 4);
        Requests requests = {{2, 0, 5}, {2, 1, 6}, {2, 3, 7}};
        arbiter.Match(requests);
        BOOST_TEST(requests.size() == 1U);
    }
}

BOOST_AUTO_TEST_CASE(EveryArbiterMatchesAllWhenAllAsk)
{
    for (const Arbitration kind :
         {Arbitration::OLDEST_FIRST, Arbitration::ROUND_ROBIN, Arbitration::ISLIP})
    {
        Arbiter arbiter(67, 67, kind, 67); // more than one word of bits
        Requests requests = EverybodyAsks(67);
        arbiter.Match(requests);
        BOOST_TEST(requests.size() == 67U);
        BOOST_TEST(IsMatching(requests));
    }
}

BOOST_AUTO_TEST_CASE(RoundRobinServesAllThatAskForAnOutputInTurn)
{
    Arbiter arbiter(5, 5, Arbitration::ROUND_ROBIN, 1);
    std::map<std::uint32_t, int> served;
    for (int i = 0; i < 15; ++i)
    {
        Requests requests = {{0, 2, 0}, {3, 2, 0}, {4, 2, 0}};
        arbiter.Match(requests);
        ++served[requests.at(0).input];
    }
    BOOST_TEST(served[0] == 5);
    BOOST_TEST(served[3] == 5);
    BOOST_TEST(served[4] == 5);
}

BOOST_AUTO_TEST_CASE(IslipWithOneIterationComesToServeAllInputsInEachSlot)
{
    Arbiter arbiter(8, 8, Arbitration::ISLIP, 1);
    std::size_t last = 0;
    for (int slot = 0; slot < 50; ++slot)
    {
        Requests requests = EverybodyAsks(8);
        arbiter.Match(requests);
        last = requests.size();
    }
    BOOST_TEST(last == 8U); // the pointers have left each other: McKeown 1999
}

BOOST_AUTO_TEST_CASE(MoreIterationsOfIslipMatchMore)
{
    Requests once = EverybodyAsks(8);
    Arbiter(8, 8, Arbitration::ISLIP, 1).Match(once);
    Requests often = EverybodyAsks(8);
    Arbiter(8, 8, Arbitration::ISLIP, 8).Match(often);
    BOOST_TEST(once.size() == 1U); // all outputs grant input 0
    BOOST_TEST(often.size() == 8U);
}

BOOST_AUTO_TEST_SUITE_END()
