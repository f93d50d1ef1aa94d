/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
// Routes of a switch: for each host an output port, or several to choose from.

#ifndef VIA_ROUTE_H
#define VIA_ROUTE_H

#include <array>
#include <cstdint>
#include <deque>
#include <map>
#include <memory>
#include <tuple>
#include <vector>

namespace ns3
{
namespace via
{

/// The route of a switch to one host.
struct Route
{
    static constexpr std::uint16_t NONE = UINT16_MAX;

    std::uint16_t port{NONE}; ///< output port; NONE: no route
    std::uint8_t lane{0};     ///< virtual lane on the wire from that port
    std::uint8_t choice{0};   ///< index in RouteTable::choices plus 1; 0: only `port`
};

inline bool
operator==(const Route& a, const Route& b)
{
    return a.port == b.port && a.lane == b.lane && a.choice == b.choice;
}

/// How a packet's port is selected among equally good ones.
enum class PortSelection : std::uint8_t
{
    FIRST,     ///< `port`, always
    FLOW_HASH, ///< one for each pair of hosts, by a hash of the pair
    ADAPTIVE,  ///< the one with the shortest backlog; packets may overtake each other
};

/// Routes to consecutive hosts.
using RoutePage = std::array<Route, 64>;

/// Stores equal pages of routes, and equal lists of pages, once.
class RoutePool
{
  public:
    using Pages = std::vector<const RoutePage*>;

    RoutePool() = default;
    RoutePool(const RoutePool&) = delete;
    RoutePool& operator=(const RoutePool&) = delete;

    /// The page that is equal to @p page. It lives as long as the pool.
    const RoutePage* Keep(const RoutePage& page);

    /// The list of pages that is equal to @p pages.
    const Pages* Keep(Pages pages);

    std::size_t PageCount() const
    {
        return m_pages.size();
    }

    std::size_t ListCount() const
    {
        return m_lists.size();
    }

  private:
    std::deque<RoutePage> m_pages;
    std::deque<Pages> m_lists;
    std::multimap<std::uint64_t, const RoutePage*> m_pageByHash;
    std::multimap<std::uint64_t, const Pages*> m_listByHash;
};

/**
 * @brief The routes of one switch, by destination host.
 *
 * Tables of a large fabric have much in common: all leaves of a fat tree send up by the same
 * digits. So a table is a list of pages in a pool, which all switches of a topology share. Copies
 * share it, too.
 */
class RouteTable
{
  public:
    static constexpr std::uint32_t PAGE = std::tuple_size_v<RoutePage>;

    RouteTable() = default;

    /// @param routes by destination host
    /// @param pool where they are stored
    RouteTable(const std::vector<Route>& routes, const std::shared_ptr<RoutePool>& pool);

    /// As above, in a pool of its own.
    explicit RouteTable(const std::vector<Route>& routes);

    /// @param hosts number of routes
    /// @param pages of them, from @p pool; routes beyond @p hosts are Route::NONE
    RouteTable(std::uint32_t hosts, RoutePool::Pages pages, const std::shared_ptr<RoutePool>& pool);

    /// Number of hosts, with or without a route to them.
    std::uint32_t HostCount() const
    {
        return m_hosts;
    }

    /// The route to @p destination, which is below HostCount().
    const Route& To(std::uint32_t destination) const
    {
        return (*PageOf(destination))[destination % PAGE];
    }

    /// The page that contains the route to @p destination.
    const RoutePage* PageOf(std::uint32_t destination) const
    {
        return m_pages[destination / PAGE];
    }

    bool Has(std::uint32_t destination) const
    {
        return destination < m_hosts && To(destination).port != Route::NONE;
    }

    /// Whether two packets for one host may leave by different ports.
    bool HasChoices() const
    {
        return selection != PortSelection::FIRST && !choices.empty();
    }

    /**
     * @brief The choice of a pair of hosts by its hash.
     * @param at component number of the switch
     * @param ports number of ports to choose from
     * @return index of one
     */
    static std::size_t HashedChoice(std::uint32_t source,
                                    std::uint32_t destination,
                                    std::uint32_t at,
                                    std::size_t ports);

    /// All routes, by destination host.
    std::vector<Route> All() const;

    /// Sets of output ports; a route with choice c may take any port of choices[c - 1].
    std::vector<std::vector<std::uint16_t>> choices;
    PortSelection selection{PortSelection::FIRST};

  private:
    std::uint32_t m_hosts{0};
    const RoutePage* const* m_pages{nullptr};
    std::shared_ptr<const RoutePool> m_pool; ///< keeps the pages
};

} // namespace via
} // namespace ns3

#endif // VIA_ROUTE_H
