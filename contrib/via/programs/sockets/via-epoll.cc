/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
// A set of descriptors that epoll_wait watches.

#include "via-epoll.h"

#include <cerrno>
#include <iterator>
#include <poll.h>

namespace ns3
{
namespace via
{

namespace
{

constexpr std::uint32_t ALWAYS = EPOLLERR | EPOLLHUP;
constexpr std::uint32_t EVENTS = EPOLLIN | EPOLLOUT | EPOLLRDHUP | EPOLLPRI | ALWAYS;

} // namespace

int
EpollDescriptor::Control(int operation,
                         int number,
                         const std::shared_ptr<OpenFile>& descriptor,
                         epoll_event event)
{
    event.events |= ALWAYS; // they need not be asked for
    const auto found = m_items.find(number);
    const bool isKnown = found != m_items.end() && found->second.descriptor.lock() == descriptor;
    switch (operation)
    {
    case EPOLL_CTL_ADD:
        if (isKnown)
        {
            return EEXIST;
        }
        m_items[number] = {descriptor, event};
        return 0;
    case EPOLL_CTL_MOD:
        if (!isKnown)
        {
            return ENOENT;
        }
        found->second = {descriptor, event};
        return 0;
    case EPOLL_CTL_DEL:
        if (!isKnown)
        {
            return ENOENT;
        }
        m_items.erase(found);
        return 0;
    default:
        return EINVAL;
    }
}

std::uint32_t
EpollDescriptor::ReadyOf(const Item& item)
{
    const auto descriptor = item.descriptor.lock();
    if (descriptor == nullptr || (item.event.events & EVENTS) == 0 ||
        (IsEdge(item) && item.seen == descriptor->Changes() + 1))
    {
        return 0;
    }
    return static_cast<std::uint32_t>(descriptor->Ready()) & item.event.events & EVENTS;
}

std::vector<epoll_event>
EpollDescriptor::Take(std::size_t most)
{
    for (auto at = m_items.begin(); at != m_items.end();)
    {
        at = at->second.descriptor.expired() ? m_items.erase(at) : std::next(at);
    }
    std::vector<epoll_event> taken;
    auto at = m_items.upper_bound(m_last);
    for (std::size_t left = m_items.size(); left > 0 && taken.size() < most; --left, ++at)
    {
        at = at == m_items.end() ? m_items.begin() : at;
        Item& item = at->second;
        if (const std::uint32_t ready = ReadyOf(item))
        {
            epoll_event event = item.event;
            event.events = ready;
            taken.push_back(event);
            m_last = at->first;
            item.seen = item.descriptor.lock()->Changes() + 1;
            item.event.events &= (item.event.events & EPOLLONESHOT) != 0 ? ~EVENTS : ~0U;
        }
    }
    m_last = taken.size() < most ? -1 : m_last;
    return taken;
}

std::vector<std::pair<std::shared_ptr<OpenFile>, short>>
EpollDescriptor::Watched() const
{
    std::vector<std::pair<std::shared_ptr<OpenFile>, short>> watched;
    for (const auto& one : m_items)
    {
        const auto descriptor = one.second.descriptor.lock();
        if (descriptor != nullptr && (one.second.event.events & EVENTS) != 0)
        {
            watched.emplace_back(descriptor, static_cast<short>(one.second.event.events & EVENTS));
        }
    }
    return watched;
}

short
EpollDescriptor::Ready()
{
    for (const auto& one : m_items)
    {
        if (ReadyOf(one.second) != 0)
        {
            return POLLIN;
        }
    }
    return 0;
}

unsigned
EpollDescriptor::Kind() const
{
    return 0;
}

} // namespace via
} // namespace ns3
