/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
// Fills the route tables of all switches together, destination by destination.

#ifndef VIA_ROUTE_FILLER_H
#define VIA_ROUTE_FILLER_H

#include "ns3/via-topology.h"

#include <cstdint>
#include <memory>
#include <vector>

namespace ns3
{
namespace via
{

/**
 * @brief Route tables under construction: routes are set in any order.
 *
 * Pages that are being filled are stored in full; from time to time they go to the pool, which
 * stores equal ones once. So the tables of large fabrics are never in memory in full.
 */
class RouteFiller
{
  public:
    /// @param topology gives the numbers of switches and hosts; no switch has a route yet
    explicit RouteFiller(const Topology& topology);

    /// Sets the route of switch @p one to @p host.
    void Set(std::uint32_t one, std::uint32_t host, Route route);

    /// The tables, by switch. To be called once.
    std::vector<RouteTable> Tables();

  private:
    /// A page that is being filled.
    struct OpenPage
    {
        std::size_t place; ///< index in m_pages
        RoutePage page;
    };

    static constexpr std::size_t MOST_OPEN = std::size_t{1} << 20; // 264 MiB

    RoutePage& Open(std::size_t place);
    void Close();

    std::uint32_t m_hosts;
    std::size_t m_pagesEach; ///< of one switch
    std::shared_ptr<RoutePool> m_pool;
    RoutePool::Pages m_pages;                ///< by switch, then by first host
    std::vector<std::uint32_t> m_openNumber; ///< by page: index in m_open plus 1; 0: not open
    std::vector<OpenPage> m_open;
};

} // namespace via
} // namespace ns3

#endif // VIA_ROUTE_FILLER_H
