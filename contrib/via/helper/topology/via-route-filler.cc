/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
// Fills the route tables of all switches together, destination by destination.

#include "via-route-filler.h"

namespace ns3
{
namespace via
{

RouteFiller::RouteFiller(const Topology& topology)
    : m_hosts(topology.hosts),
      m_pagesEach((topology.hosts + RouteTable::PAGE - 1) / RouteTable::PAGE),
      m_pool(std::make_shared<RoutePool>()),
      m_pages(topology.switches.size() * m_pagesEach, m_pool->Keep(RoutePage{})),
      m_openNumber(m_pages.size())
{
}

void
RouteFiller::Set(std::uint32_t one, std::uint32_t host, Route route)
{
    Open(one * m_pagesEach + host / RouteTable::PAGE)[host % RouteTable::PAGE] = route;
}

RoutePage&
RouteFiller::Open(std::size_t place)
{
    if (m_openNumber[place] == 0)
    {
        if (m_open.size() == MOST_OPEN)
        {
            Close();
        }
        m_open.push_back({place, *m_pages[place]});
        m_openNumber[place] = static_cast<std::uint32_t>(m_open.size());
    }
    return m_open[m_openNumber[place] - 1].page;
}

void
RouteFiller::Close()
{
    for (const OpenPage& one : m_open)
    {
        m_pages[one.place] = m_pool->Keep(one.page);
        m_openNumber[one.place] = 0;
    }
    m_open.clear();
}

std::vector<RouteTable>
RouteFiller::Tables()
{
    Close();
    std::vector<RouteTable> tables;
    for (auto first = m_pages.begin(); first != m_pages.end();)
    {
        const auto last = first + static_cast<std::ptrdiff_t>(m_pagesEach);
        tables.emplace_back(m_hosts, RoutePool::Pages(first, last), m_pool);
        first = last;
    }
    return tables;
}

} // namespace via
} // namespace ns3
