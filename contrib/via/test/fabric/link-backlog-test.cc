/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
// The cells that a wire has been given and that have not left yet.

#include "ns3/via-link-backlog.h"

#include <boost/test/unit_test.hpp>

using namespace ns3::via;

namespace
{

constexpr Ps CELL = 100;

} // namespace

BOOST_AUTO_TEST_SUITE(LinkBacklogTest)

BOOST_AUTO_TEST_CASE(AWireWithoutCellsHasNoBacklog)
{
    LinkBacklog backlog;
    BOOST_TEST(backlog.CellsAt(0, CELL) == 0U);
}

BOOST_AUTO_TEST_CASE(ACellCountsUntilItsLastBitHasLeft)
{
    LinkBacklog backlog;
    backlog.Add(1, 1000);
    BOOST_TEST(backlog.CellsAt(0, CELL) == 1U); // long before it begins to leave, too
    BOOST_TEST(backlog.CellsAt(999, CELL) == 1U);
    BOOST_TEST(backlog.CellsAt(1000, CELL) == 0U);
}

BOOST_AUTO_TEST_CASE(CellsOfOneBurstLeaveOneByOne)
{
    LinkBacklog backlog;
    backlog.Add(3, 1000);
    BOOST_TEST(backlog.CellsAt(700, CELL) == 3U);
    BOOST_TEST(backlog.CellsAt(800, CELL) == 2U);
    BOOST_TEST(backlog.CellsAt(801, CELL) == 2U);
    BOOST_TEST(backlog.CellsAt(900, CELL) == 1U);
    BOOST_TEST(backlog.CellsAt(1000, CELL) == 0U);
}

BOOST_AUTO_TEST_CASE(LaterBurstsAreCountedInFull)
{
    LinkBacklog backlog;
    backlog.Add(2, 1000);
    backlog.Add(4, 2000);
    BOOST_TEST(backlog.CellsAt(950, CELL) == 5U);
    backlog.Add(1, 2100);
    BOOST_TEST(backlog.CellsAt(1000, CELL) == 5U);
    BOOST_TEST(backlog.CellsAt(2050, CELL) == 1U);
    BOOST_TEST(backlog.CellsAt(5000, CELL) == 0U);
}

BOOST_AUTO_TEST_SUITE_END()
