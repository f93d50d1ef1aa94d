/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
// A set of descriptors that epoll_wait watches.

#include "via-epoll.h"

#include "ns3/via-fiber-process.h"

#include <algorithm>
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

short
EventsOf(const epoll_event& event)
{
    return static_cast<short>(event.events & EVENTS);
}

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
        return isKnown ? EEXIST : Enter(number, descriptor, event);
    case EPOLL_CTL_MOD:
        return isKnown ? Enter(number, descriptor, event) : ENOENT;
    case EPOLL_CTL_DEL:
        if (!isKnown)
        {
            return ENOENT;
        }
        Leave(number);
        return 0;
    default:
        return EINVAL;
    }
}

int
EpollDescriptor::Enter(int number, const std::shared_ptr<OpenFile>& descriptor, epoll_event event)
{
    auto* const set = dynamic_cast<EpollDescriptor*>(descriptor.get());
    if (set != nullptr)
    {
        if (set->Depth(*this) + m_level > MOST_NESTED)
        {
            return ELOOP;
        }
        set->Sink(m_level + 1);
    }
    Leave(number);
    Item& item = m_items[number] = {descriptor, event};
    for (const Waiter& waiter : Waiters())
    {
        descriptor->Add(*waiter.thread, EventsOf(event));
    }
    if (ReadyOf(item) != 0)
    {
        Notify();
    }
    return 0;
}

void
EpollDescriptor::Leave(int number)
{
    const auto found = m_items.find(number);
    const auto left = found == m_items.end() ? nullptr : found->second.descriptor.lock();
    for (const Waiter& waiter : Waiters())
    {
        if (left != nullptr)
        {
            left->Remove(*waiter.thread);
        }
    }
    m_items.erase(number);
}

unsigned
EpollDescriptor::Depth(const EpollDescriptor& set) const
{
    if (this == &set)
    {
        return MOST_NESTED + 1;
    }
    unsigned depth = 0;
    for (const auto& one : m_items)
    {
        const auto watched = one.second.descriptor.lock();
        const auto* const inner = dynamic_cast<EpollDescriptor*>(watched.get());
        depth = std::max(depth, inner == nullptr ? 0 : inner->Depth(set));
    }
    return depth + 1;
}

void
EpollDescriptor::Sink(unsigned level)
{
    m_level = std::max(m_level, level);
    for (const auto& one : m_items)
    {
        const auto watched = one.second.descriptor.lock();
        if (auto* const inner = dynamic_cast<EpollDescriptor*>(watched.get()))
        {
            inner->Sink(m_level + 1);
        }
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
        if (descriptor != nullptr && EventsOf(one.second.event) != 0)
        {
            watched.emplace_back(descriptor, EventsOf(one.second.event));
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

void
EpollDescriptor::Add(FiberThread& thread, short events)
{
    OpenFile::Add(thread, events);
    for (const auto& one : Watched())
    {
        one.first->Add(thread, one.second);
    }
}

void
EpollDescriptor::Remove(FiberThread& thread)
{
    OpenFile::Remove(thread);
    for (const auto& one : m_items) // also those that ask for no more events since
    {
        if (const auto descriptor = one.second.descriptor.lock())
        {
            descriptor->Remove(thread);
        }
    }
}

std::uint64_t
EpollDescriptor::Changes() const
{
    std::uint64_t changes = OpenFile::Changes();
    for (const auto& one : Watched())
    {
        changes += one.first->Changes();
    }
    return changes;
}

bool
EpollDescriptor::IsFree() const
{
    const auto watched = Watched();
    return !watched.empty() && std::all_of(watched.begin(), watched.end(), [](const auto& one) {
        return one.first->IsFree();
    });
}

bool
EpollDescriptor::WokeFreely() const
{
    const auto watched = Watched();
    return std::any_of(watched.begin(), watched.end(), [](const auto& one) {
        return one.first->WokeFreely();
    });
}

Moment
EpollDescriptor::WakeUp()
{
    return {m_process.Clock().at, 0};
}

} // namespace via
} // namespace ns3
