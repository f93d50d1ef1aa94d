/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
// The system calls of one process that wait for several descriptors: poll, epoll.

#include "ns3/via-epoll.h"
#include "ns3/via-program-memory.h"
#include "ns3/via-system-calls.h"

#include <algorithm>
#include <cerrno>
#include <poll.h>

namespace ns3
{
namespace via
{

namespace
{

/// @return events with POLLIN and POLLOUT where others mean the same: there is no urgent data
short
Basic(short events)
{
    return static_cast<short>(events | ((events & POLLRDNORM) != 0 ? POLLIN : 0) |
                              ((events & (POLLWRNORM | POLLWRBAND)) != 0 ? POLLOUT : 0));
}

/// @return what is ready, with the other names of POLLIN and POLLOUT
int
WithOtherNames(int ready)
{
    return ready | ((ready & POLLIN) != 0 ? POLLRDNORM : 0) |
           ((ready & POLLOUT) != 0 ? POLLWRNORM | POLLWRBAND : 0);
}

} // namespace

std::int64_t
SystemCalls::Poll(void* list, std::size_t count, Ps until)
{
    if (m_host.process == nullptr)
    {
        return -ENOSYS;
    }
    if (count > DescriptorTable::MOST)
    {
        return -EINVAL;
    }
    const std::string bytes = ProgramMemory::ReadBytes(list, count * sizeof(pollfd));
    std::vector<pollfd> asked(count);
    std::copy(bytes.begin(), bytes.end(), reinterpret_cast<char*>(asked.data()));
    Watched watched;
    for (const pollfd& one : asked)
    {
        watched.emplace_back(m_table.At(one.fd), Basic(one.events));
    }
    Charge(watched);
    for (;;)
    {
        watched.clear();
        std::int64_t ready = 0;
        Look();
        for (pollfd& one : asked)
        {
            const auto descriptor = m_table.At(one.fd);
            const int now = descriptor == nullptr ? POLLNVAL : descriptor->Ready();
            const int wanted = one.events | POLLERR | POLLHUP | POLLNVAL;
            one.revents = static_cast<short>(one.fd < 0 ? 0 : WithOtherNames(now) & wanted);
            ready += one.revents != 0 ? 1 : 0;
            if (descriptor != nullptr)
            {
                watched.emplace_back(descriptor, Basic(one.events));
            }
        }
        const Woken woken = ready > 0 ? Woken::TIMEOUT : AwaitChange(watched, until, "poll");
        if (woken == Woken::INTERRUPTED)
        {
            return -EINTR;
        }
        if (woken == Woken::TIMEOUT)
        {
            ProgramMemory::WriteBytes(list, asked.data(), count * sizeof(pollfd));
            return ready;
        }
    }
}

std::int64_t
SystemCalls::EpollControl(const std::int64_t* a)
{
    const auto descriptor = m_table.At(static_cast<int>(a[0]));
    const auto watched = m_table.At(static_cast<int>(a[2]));
    if (descriptor == nullptr || watched == nullptr)
    {
        return -EBADF;
    }
    auto* const set = dynamic_cast<EpollDescriptor*>(descriptor.get());
    if (set == nullptr || watched == descriptor)
    {
        return -EINVAL;
    }
    if (watched->RealFile() >= 0)
    {
        return -EPERM; // as Linux, for what is always ready
    }
    epoll_event event{};
    if (a[1] != EPOLL_CTL_DEL)
    {
        event = ProgramMemory::Read(reinterpret_cast<const epoll_event*>(a[3]));
    }
    Charge(*watched);
    Look();
    return -set->Control(static_cast<int>(a[1]), static_cast<int>(a[2]), watched, event);
}

std::int64_t
SystemCalls::EpollWait(int number, void* list, int most, Ps until)
{
    const auto descriptor = m_table.At(number);
    auto* const set = dynamic_cast<EpollDescriptor*>(descriptor.get());
    if (set == nullptr || most <= 0)
    {
        return descriptor == nullptr ? -EBADF : -EINVAL;
    }
    const Watched watched{{descriptor, POLLIN}};
    Charge(watched);
    for (;;)
    {
        Look();
        const auto events = set->Take(static_cast<std::size_t>(most));
        const bool isReady = !events.empty();
        const Woken woken = isReady ? Woken::TIMEOUT : AwaitChange(watched, until, "epoll_wait");
        if (woken == Woken::INTERRUPTED)
        {
            return -EINTR;
        }
        if (woken == Woken::TIMEOUT)
        {
            ProgramMemory::WriteBytes(list, events.data(), events.size() * sizeof(epoll_event));
            return static_cast<std::int64_t>(events.size());
        }
    }
}

} // namespace via
} // namespace ns3
