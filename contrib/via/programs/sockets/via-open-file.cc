/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
// What a number of a process' descriptor table stands for.

#include "via-open-file.h"

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
    m_wokeFreely = false;
    Host* const listens = IsOnControl() ? &thread.GetHost() : nullptr;
    m_waiters.push_back({&thread, events, listens});
    if (listens != nullptr)
    {
        listens->NoteListeners(1);
    }
}

void
OpenFile::Remove(FiberThread& thread)
{
    for (auto waiter = m_waiters.begin(); waiter != m_waiters.end();)
    {
        if (waiter->thread != &thread)
        {
            ++waiter;
            continue;
        }
        if (waiter->listens != nullptr)
        {
            waiter->listens->NoteListeners(-1);
        }
        waiter = m_waiters.erase(waiter);
    }
}

void
OpenFile::RemoveAll()
{
    while (!m_waiters.empty())
    {
        Remove(*m_waiters.back().thread);
    }
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
