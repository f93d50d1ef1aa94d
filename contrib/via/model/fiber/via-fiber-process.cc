/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
// A process whose program is ordinary blocking code: its threads, start and end.

#include "via-fiber-process.h"

#include "ns3/via-fiber-stack.h"

#include <algorithm>
#include <utility>

namespace ns3
{
namespace via
{

FiberProcess::FiberProcess(Host& host, std::uint32_t rank)
    : m_host(host),
      m_rank(rank)
{
    for (std::uint32_t number = 0; number < FIRST; ++number)
    {
        m_threads.push_back(std::make_unique<FiberThread>(*this, number));
    }
    m_runner = m_threads[MAIN].get();
}

FiberProcess::~FiberProcess() = default;

void
FiberProcess::Start(Ps at)
{
    m_start = at;
    m_threads[MAIN]->Start({at, 0}, {[this] { Main(); }, Listener(), StackBytes()});
}

FiberThread*
FiberProcess::StartThread(Moment from, FiberThread::Work work)
{
    const auto free = std::find_if(m_threads.begin() + FIRST,
                                   m_threads.end(),
                                   [](const auto& thread) { return thread->HasEnded(); });
    const auto number = static_cast<std::uint32_t>(free - m_threads.begin());
    if (number >= Process::MAX_THREADS || !FiberStackPool::Instance().HasRoom(work.stackBytes))
    {
        return nullptr;
    }
    if (free == m_threads.end())
    {
        m_threads.push_back(std::make_unique<FiberThread>(*this, number));
    }
    m_threads[number]->Start(from, std::move(work));
    return m_threads[number].get();
}

FiberThread&
FiberProcess::HandlerThread()
{
    FiberThread& handler = *m_threads[HANDLER];
    if (handler.IsNew())
    {
        handler.Start({0, 0}, HandlerWork()); // as if it had slept since the beginning
    }
    return handler;
}

void
FiberProcess::ExpectKill(Ps at)
{
    m_killAt = std::min(m_killAt, at);
    for (const auto& thread : m_threads)
    {
        thread->ExpectKill(m_killAt);
    }
}

void
FiberProcess::KillAt(Ps at)
{
    ExpectKill(at);
    m_killPlanned = true;
    m_kill = GetHost().Schedule(at, m_threads.front()->Port(), this, 0);
}

void
FiberProcess::Kill()
{
    if (m_ended || m_threads[MAIN]->IsNew())
    {
        m_ended = true;
        return;
    }
    m_killed = true;
    EndThreads();
    End();
}

void
FiberProcess::EndThreads()
{
    for (const auto& thread : m_threads)
    {
        GetHost().Cpus().Forget(*thread); // a CPU that one of them releases must go to others
    }
    // the youngest first: it often uses objects on the stack of an older one
    for (std::size_t number = m_threads.size(); number-- > 0;)
    {
        FiberThread& thread = *m_threads[number];
        Unwinds() ? thread.Kill() : thread.Abandon();
    }
}

void
FiberProcess::OnDone(FiberThread& thread)
{
    if (m_ended)
    {
        return;
    }
    if (m_killed || EndsWith(thread))
    {
        EndThreads();
        m_runner = &thread;
        End();
        return;
    }
    OnThreadEnd(thread);
}

void
FiberProcess::End()
{
    m_ended = true;
    if (m_killPlanned)
    {
        m_killPlanned = false;
        GetHost().GetWorld().agenda.Cancel(GetHost().Id(), m_kill);
    }
    OnEnd();
}

void
FiberProcess::OnAgenda(std::uint32_t, std::uint64_t)
{
    m_killPlanned = false;
    Kill();
}

Ps
FiberProcess::CpuTime() const
{
    Ps sum = 0;
    for (const auto& thread : m_threads)
    {
        sum += thread->CpuTime();
    }
    return sum;
}

Ps
FiberProcess::SystemTime() const
{
    Ps sum = 0;
    for (const auto& thread : m_threads)
    {
        sum += thread->SystemTime();
    }
    return sum;
}

std::string
FiberProcess::WaitsFor() const
{
    std::string text;
    for (const auto& thread : m_threads)
    {
        if (thread->WaitsFor() != nullptr)
        {
            text += (text.empty() ? "" : "; ") + thread->Title() + "waits in " + thread->WaitsFor();
        }
    }
    return text;
}

} // namespace via
} // namespace ns3
