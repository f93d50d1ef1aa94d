/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
// Routes of a switch: for each host an output port, or several to choose from.

#include "via-route.h"

#include "ns3/via-scramble.h"

#include <algorithm>
#include <cstring>
#include <utility>

namespace ns3
{
namespace via
{

namespace
{

/// A hash of @p bytes, a multiple of 8; equal contents are compared in any case.
std::uint64_t
HashOf(const void* data, std::size_t bytes)
{
    constexpr std::uint64_t odd = 0x9E3779B97F4A7C15; // 2^64 / golden ratio
    std::uint64_t hash = bytes;
    for (std::size_t at = 0; at < bytes; at += sizeof(hash))
    {
        std::uint64_t word = 0;
        std::memcpy(&word, static_cast<const char*>(data) + at, sizeof(word));
        hash = (hash ^ word) * odd;
        hash ^= hash >> 32;
    }
    return hash;
}

/// The entry of @p known, by hash, that is equal to @p value; else a copy, put into @p store.
template <class T, class STORE, class INDEX>
const T*
KeepIn(STORE& store, INDEX& known, std::uint64_t hash, T&& value)
{
    const auto [first, last] = known.equal_range(hash);
    const auto found =
        std::find_if(first, last, [&value](const auto& one) { return *one.second == value; });
    if (found != last)
    {
        return found->second;
    }
    store.push_back(std::move(value));
    return known.emplace(hash, &store.back())->second;
}

} // namespace

const RoutePage*
RoutePool::Keep(const RoutePage& page)
{
    return KeepIn(m_pages, m_pageByHash, HashOf(page.data(), sizeof(page)), RoutePage(page));
}

const RoutePool::Pages*
RoutePool::Keep(Pages pages)
{
    const std::uint64_t hash = HashOf(pages.data(), pages.size() * sizeof(pages[0]));
    return KeepIn(m_lists, m_listByHash, hash, std::move(pages));
}

RouteTable::RouteTable(std::uint32_t hosts,
                       RoutePool::Pages pages,
                       const std::shared_ptr<RoutePool>& pool)
    : m_hosts(hosts),
      m_pages(pool->Keep(std::move(pages))->data()),
      m_pool(pool)
{
}

RouteTable::RouteTable(const std::vector<Route>& routes, const std::shared_ptr<RoutePool>& pool)
{
    RoutePool::Pages pages;
    for (std::size_t first = 0; first < routes.size(); first += PAGE)
    {
        RoutePage page;
        std::copy_n(routes.begin() + static_cast<std::ptrdiff_t>(first),
                    std::min<std::size_t>(PAGE, routes.size() - first),
                    page.begin());
        pages.push_back(pool->Keep(page));
    }
    *this = RouteTable(static_cast<std::uint32_t>(routes.size()), std::move(pages), pool);
}

RouteTable::RouteTable(const std::vector<Route>& routes)
    : RouteTable(routes, std::make_shared<RoutePool>())
{
}

std::size_t
RouteTable::HashedChoice(std::uint32_t source,
                         std::uint32_t destination,
                         std::uint32_t at,
                         std::size_t ports)
{
    // hash in the switch's number, or the same flows would collide again at the next switch
    const std::uint64_t flow = std::uint64_t{source} << 32 | destination;
    return Scramble(Scramble(flow) ^ at) % ports;
}

std::vector<Route>
RouteTable::All() const
{
    std::vector<Route> routes;
    routes.reserve(m_hosts);
    for (std::uint32_t host = 0; host < m_hosts; ++host)
    {
        routes.push_back(To(host));
    }
    return routes;
}

} // namespace via
} // namespace ns3
