/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
// What a number of a process' descriptor table stands for.

#include "via-open-file.h"

#include <algorithm>
#include <cerrno>
#include <poll.h>

namespace ns3
{
namespace via
{

std::vector<std::uint8_t>
OpenFile::Read(std::size_t, std::int64_t& result)
{
    result = -EBADF;
    return {};
}

std::int64_t
OpenFile::Write(const void*, std::size_t)
{
    return -EBADF;
}

void
OpenFile::Add(FiberThread& thread, short events)
{
    const bool isOnControl = IsOnControl();
    m_wokeFreely = false;
    m_waiters.push_back({&thread, events, isOnControl});
    thread.GetHost().NoteListeners(isOnControl ? 1 : 0);
}

void
OpenFile::Remove(FiberThread& thread)
{
    const auto isHers = [&thread](const Waiter& one) {
        if (one.thread == &thread && one.isOnControl)
        {
            thread.GetHost().NoteListeners(-1);
        }
        return one.thread == &thread;
    };
    m_waiters.erase(std::remove_if(m_waiters.begin(), m_waiters.end(), isHers), m_waiters.end());
}

void
OpenFile::Notify()
{
    ++m_changes;
    if (m_waiters.empty())
    {
        return;
    }
    const short ready = Ready();
    const std::vector<Waiter> waiters = m_waiters;
    for (const Waiter& waiter : waiters)
    {
        if ((ready & (waiter.events | POLLERR | POLLHUP)) != 0)
        {
            Remove(*waiter.thread);
            waiter.thread->OnReady(WakeUp());
        }
    }
}

} // namespace via
} // namespace ns3
