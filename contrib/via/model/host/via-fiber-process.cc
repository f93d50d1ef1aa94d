/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
// A process whose program is ordinary blocking code on a fiber.

#include "via-fiber-process.h"

#include "ns3/abort.h"

#include <algorithm>

namespace ns3
{
namespace via
{

namespace
{

/// While it lives, a process has given way and will go on by itself.
class Looking
{
  public:
    explicit Looking(Patience& patience)
        : m_patience(patience)
    {
        m_patience.Enter();
    }

    ~Looking()
    {
        m_patience.Leave();
    }

    Looking(const Looking&) = delete;
    Looking& operator=(const Looking&) = delete;

  private:
    Patience& m_patience;
};

} // namespace

FiberProcess* FiberProcess::s_current = nullptr;

FiberProcess::FiberProcess(Host& host, std::uint32_t rank)
    : Process(host, rank)
{
}

FiberProcess::~FiberProcess() = default;

void
FiberProcess::Start(Ps at)
{
    m_clock = {at, 0};
    m_fiber = std::make_unique<Fiber>([this] { Main(); }, Listener());
    ResumeAt(at);
}

void
FiberProcess::ResumeAt(Ps at)
{
    m_resume = GetHost().Schedule(at, FIRST_PORT + Rank(), this, RESUME);
}

void
FiberProcess::Resume()
{
    FiberProcess* const outer = s_current;
    s_current = this;
    Settle();
    m_fiber->Resume();
    s_current = outer;
    if (m_fiber->IsDone() && !m_ended)
    {
        End();
    }
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
FiberProcess::KillAt(Ps at)
{
    m_killPlanned = true;
    m_kill = GetHost().Schedule(at, FIRST_PORT + Rank(), this, KILL);
}

void
FiberProcess::Kill()
{
    if (m_ended || m_fiber == nullptr)
    {
        m_ended = true;
        return;
    }
    if (m_waitsFor != nullptr && m_deadlineAt != PS_NEVER && !m_ready)
    {
        GetHost().GetWorld().agenda.Cancel(GetHost().Id(), m_deadline);
    }
    m_killed = true;
    m_waitsFor = nullptr;
    m_deadlineAt = PS_NEVER;
    Wait({GetHost().Now(), 0}, Stage::BLOCKED);
    FiberProcess* const outer = s_current;
    s_current = this;
    m_fiber->Kill();
    s_current = outer;
    End();
}

void
FiberProcess::OnAgenda(std::uint32_t kind, std::uint64_t)
{
    if (m_ended)
    {
        return;
    }
    if (kind == KILL)
    {
        m_killPlanned = false;
        Kill();
        return;
    }
    if (kind == DEADLINE)
    {
        m_deadlineAt = PS_NEVER;
    }
    Resume();
}

void
FiberProcess::LookLast()
{
    // a destructor must not throw, so nothing is thrown while it behaves
    if (++m_lastLooks > MAX_LAST_LOOKS)
    {
        Fiber::Suspend();
    }
}

void
FiberProcess::Look(const char* loop)
{
    if (m_killed)
    {
        LookLast();
        return;
    }
    World& world = GetHost().GetWorld();
    if (world.patience.IsOver(m_clock.at, world.agenda))
    {
        Block(PS_NEVER, loop);
    }
    if (m_clock.at < GetHost().Horizon() && m_clock.at <= world.agenda.Limit() && !world.reference)
    {
        return;
    }
    ResumeAt(std::max(m_clock.at, GetHost().Now()));
    const Looking looking(world.patience);
    Fiber::Suspend();
}

bool
FiberProcess::Block(Ps deadline, const char* what, const Moment* known)
{
    if (m_killed)
    {
        LookLast();
        return false;
    }
    m_waitsFor = what;
    m_deadlineAt = deadline;
    if (deadline != PS_NEVER)
    {
        m_deadline =
            GetHost().Schedule(std::max(deadline, m_clock.at), FIRST_PORT + Rank(), this, DEADLINE);
    }
    if (known != nullptr)
    {
        OnReady(*known);
    }
    Fiber::Suspend();
    m_waitsFor = nullptr;
    const bool ready = m_ready;
    m_ready = false;
    if (!ready)
    {
        Wait({deadline, 0}, Stage::BLOCKED);
    }
    Settle();
    GetHost().GetWorld().patience.NoteProgress(m_clock.at);
    return ready;
}

void
FiberProcess::OnReady(Moment visible)
{
    if (m_ended || m_waitsFor == nullptr || visible.at > m_deadlineAt ||
        (m_ready && visible.at >= m_woken.at))
    {
        return;
    }
    Agenda& agenda = GetHost().GetWorld().agenda;
    if (m_ready)
    {
        agenda.Cancel(GetHost().Id(), m_resume);
    }
    else if (m_deadlineAt != PS_NEVER)
    {
        agenda.Cancel(GetHost().Id(), m_deadline);
    }
    m_ready = true;
    m_woken = visible;
    ResumeAt(std::max({visible.at, m_clock.at, GetHost().Now()}));
}

void
FiberProcess::SleepUntil(Ps when)
{
    if (when > m_clock.at)
    {
        Block(when, "sleep");
    }
}

} // namespace via
} // namespace ns3
