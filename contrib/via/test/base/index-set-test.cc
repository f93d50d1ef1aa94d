/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
// A set of small numbers, visited in ascending order.

#include "ns3/via-index-set.h"

#include <boost/test/unit_test.hpp>
#include <vector>

using namespace ns3::via;

namespace
{

std::vector<std::uint32_t>
Elements(const IndexSet& set)
{
    std::vector<std::uint32_t> elements;
    for (auto i = set.Next(0); i != IndexSet::NONE; i = set.Next(i + 1))
    {
        elements.push_back(i);
    }
    return elements;
}

} // namespace

BOOST_AUTO_TEST_SUITE(IndexSetTest)

BOOST_AUTO_TEST_CASE(ElementsAreVisitedInAscendingOrder)
{
    IndexSet set(200);
    for (const std::uint32_t i : {199U, 0U, 63U, 64U, 127U, 128U})
    {
        set.Add(i);
    }
    set.Remove(127);
    BOOST_TEST(Elements(set) == (std::vector<std::uint32_t>{0, 63, 64, 128, 199}),
               boost::test_tools::per_element());
}

BOOST_AUTO_TEST_CASE(AnEmptySetHasNoNextElement)
{
    IndexSet set(64);
    BOOST_TEST(set.Next(0) == IndexSet::NONE);
    set.Add(63);
    BOOST_TEST(set.Next(63) == 63U);
    BOOST_TEST(set.Next(64) == IndexSet::NONE); // the size itself may be asked
    set.Clear();
    BOOST_TEST(set.Next(0) == IndexSet::NONE);
}

BOOST_AUTO_TEST_CASE(CommonElementsAreFound)
{
    IndexSet a(130);
    IndexSet b(130);
    a.Add(5);
    a.Add(129);
    b.Add(6);
    b.Add(129);
    BOOST_TEST(a.NextInBoth(0, b) == 129U);
    b.Remove(129);
    BOOST_TEST(a.NextInBoth(0, b) == IndexSet::NONE);
}

BOOST_AUTO_TEST_SUITE_END()
