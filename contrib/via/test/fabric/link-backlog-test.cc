/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
// The cells that a wire has been given and that have not left yet.

#include "ns3/via-link-backlog.h"

#include <boost/test/unit_test.hpp>

using namespace ns3::via;

BOOST_AUTO_TEST_SUITE(LinkBacklogTest)

BOOST_AUTO_TEST_CASE(AWireWithoutCellsHasNoBacklog)
{
    LinkBacklog backlog;
    BOOST_TEST(backlog.CellsAt(0) == 0U);
}

BOOST_AUTO_TEST_CASE(ACellCountsUntilItsLastBitHasLeft)
{
    LinkBacklog backlog;
    backlog.Add(1000);
    BOOST_TEST(backlog.CellsAt(0) == 1U); // long before it begins to leave, too
    BOOST_TEST(backlog.CellsAt(999) == 1U);
    BOOST_TEST(backlog.CellsAt(1000) == 0U);
}

BOOST_AUTO_TEST_CASE(CellsLeaveOneByOne)
{
    LinkBacklog backlog;
    for (const Ps end : {1000, 1100, 1200})
    {
        backlog.Add(end);
    }
    BOOST_TEST(backlog.CellsAt(950) == 3U);
    BOOST_TEST(backlog.CellsAt(1100) == 1U);
    backlog.Add(2100);
    BOOST_TEST(backlog.CellsAt(1200) == 1U);
    BOOST_TEST(backlog.CellsAt(5000) == 0U);
}

BOOST_AUTO_TEST_SUITE_END()
