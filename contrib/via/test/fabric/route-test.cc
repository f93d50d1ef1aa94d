/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
// Route tables: pages that switches share.

#include "ns3/via-route.h"

#include <boost/test/unit_test.hpp>

using namespace ns3::via;

namespace
{

/// Routes to @p hosts hosts, by @p ports ports in turn.
std::vector<Route>
InTurn(std::uint32_t hosts, std::uint32_t ports)
{
    std::vector<Route> routes(hosts);
    for (std::uint32_t host = 0; host < hosts; ++host)
    {
        routes[host].port = static_cast<std::uint16_t>(host % ports);
    }
    return routes;
}

} // namespace

BOOST_AUTO_TEST_SUITE(RouteTest)

BOOST_AUTO_TEST_CASE(ATableGivesBackTheRoutesThatItWasMadeOf)
{
    for (const std::uint32_t hosts : {0U, 1U, 63U, 64U, 65U, 1000U})
    {
        const std::vector<Route> routes = InTurn(hosts, 7);
        const RouteTable table(routes);
        BOOST_TEST((table.All() == routes));
        BOOST_TEST(table.HostCount() == hosts);
        BOOST_TEST(!table.Has(hosts));
    }
}

BOOST_AUTO_TEST_CASE(AHostWithoutARouteHasNone)
{
    std::vector<Route> routes = InTurn(100, 4);
    routes[70] = {};
    const RouteTable table(routes);
    BOOST_TEST(table.Has(69));
    BOOST_TEST(!table.Has(70));
    BOOST_TEST(!RouteTable().Has(0));
}

BOOST_AUTO_TEST_CASE(EqualPagesAndEqualTablesAreStoredOnce)
{
    const auto pool = std::make_shared<RoutePool>();
    const RouteTable one(InTurn(640, 8), pool);
    const RouteTable same(InTurn(640, 8), pool);
    BOOST_TEST(pool->PageCount() == 1U); // 64 is a multiple of 8
    BOOST_TEST(pool->ListCount() == 1U);
    const RouteTable shorter(InTurn(320, 8), pool);
    BOOST_TEST(pool->PageCount() == 1U);
    BOOST_TEST(pool->ListCount() == 2U);
    BOOST_TEST(one.PageOf(0) == shorter.PageOf(319));
}

BOOST_AUTO_TEST_CASE(PagesThatDifferInALaneOrAChoiceAreNotTheSame)
{
    RoutePool pool;
    RoutePage page{};
    const RoutePage* const first = pool.Keep(page);
    page[63].lane = 1;
    BOOST_TEST(pool.Keep(page) != first);
    page[63] = {Route::NONE, 0, 1};
    BOOST_TEST(pool.Keep(page) != first);
    BOOST_TEST(pool.PageCount() == 3U);
}

BOOST_AUTO_TEST_CASE(ACopyOfATableOutlivesIt)
{
    RouteTable copy;
    {
        const RouteTable table(InTurn(128, 3));
        copy = table;
    }
    BOOST_TEST(copy.To(127).port == 127U % 3);
}

BOOST_AUTO_TEST_SUITE_END()
