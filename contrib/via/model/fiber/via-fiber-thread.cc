/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
// A thread of a process: ordinary blocking code on a fiber, with its own clock.

#include "via-fiber-thread.h"

#include "ns3/abort.h"
#include "ns3/via-fiber-process.h"
#include "ns3/via-run-ticks.h"

#include <algorithm>
#include <thread>
#include <utility>

namespace ns3
{
namespace via
{

namespace
{

/// The C library's word for "this OS process has never had a second thread" becomes false: with it,
/// the C++ library of programs leaves out the locks that their threads need.
void
TellLibraryOfThreads()
{
    static const bool told = [] {
        std::thread([] {}).join();
        return true;
    }();
    static_cast<void>(told);
}

} // namespace

FiberThread* FiberThread::s_current = nullptr;

FiberThread::FiberThread(FiberProcess& process, std::uint32_t number)
    : Process(process.GetHost(), process.Rank(), number),
      m_process(process),
      m_number(number)
{
    ExpectKill(process.KillTime());
}

FiberThread::~FiberThread()
{
    m_dying = true;
    if (m_joined)
    {
        Quit(GetHost().Now());
    }
}

void
FiberThread::Start(Moment from, Work work)
{
    NS_ABORT_MSG_IF(!HasEnded(), "a running thread was started again");
    if (m_number != FiberProcess::MAIN)
    {
        TellLibraryOfThreads();
    }
    m_clock = from;
    m_cpuTimeBefore = CpuTime();
    m_systemTimeBefore = SystemTime();
    auto body = [this, run = std::move(work.body)] {
        if (m_number != FiberProcess::HANDLER) // which sleeps first
        {
            TakeCpu(m_number != FiberProcess::MAIN); // programs pay for the start of a thread
        }
        run();
        while (m_process.EndsWith(*this) && !m_dying && m_clock.at > GetHost().Now())
        {
            GiveWay(); // its other threads, and the kernel, are not done before its clock
        }
    };
    if (m_fiber != nullptr && m_process.Pins(m_fiber->Stack()))
    {
        m_process.m_pinned.push_back(std::move(m_fiber));
    }
    m_fiber = std::make_unique<Fiber>(std::move(body), work.listener, work.stackBytes);
    m_joined = true;
    GetHost().Cpus().Join();
    ResumeAt(std::max(from.at, GetHost().Now()));
}

std::string
FiberThread::Title() const
{
    switch (m_number)
    {
    case FiberProcess::HANDLER:
        return "handler ";
    case FiberProcess::MAIN:
        return "";
    default:
        return "thread " + std::to_string(m_number) + " ";
    }
}

void
FiberThread::ResumeAt(Ps at)
{
    m_resume = GetHost().Schedule(at, Port(), this, RESUME);
    if (s_current != nullptr)
    {
        s_current->ForgetVainPoll(); // this thread may be of its host
    }
}

void
FiberThread::Resume()
{
    FiberThread* const outer = std::exchange(s_current, this);
    m_process.m_runner = this;
    ForgetVainPoll();
    const Ps* const ran = GetHost().SetRunning(&m_clock.at);
    Settle();
    m_fiber->Resume();
    GetHost().SetRunning(ran);
    s_current = outer;
    if (m_fiber->IsDone())
    {
        LoseToKernel();
        Quit(m_clock.at);
        m_process.OnDone(*this);
    }
}

void
FiberThread::Quit(Ps at)
{
    if (m_joined)
    {
        m_joined = false;
        GetHost().Cpus().Leave(*this, at);
    }
}

void
FiberThread::LookAt(Ps at)
{
    GetHost().GetWorld().pollWatchdog.NoteLook();
    m_look = GetHost().Schedule(std::max(at, GetHost().Now()), Port(), this, LOOK);
    m_looking = true;
}

void
FiberThread::GiveWay()
{
    if (m_dying)
    {
        return; // its last steps take no time
    }
    LookAt(m_clock.at);
    Fiber::Suspend();
}

void
FiberThread::TakeCpu(bool paysSwitch)
{
    if (m_dying)
    {
        return; // its last steps cost no time
    }
    HostCpus& cpus = GetHost().Cpus();
    while (cpus.IsShared() && m_clock.at > GetHost().Now())
    {
        GiveWay(); // then the order of requests is known
    }
    if (!m_dying)
    {
        m_isTaking = true; // the plan of the CPUs must be complete before anything else happens
        const bool hasOne = cpus.Take(*this, paysSwitch);
        m_isTaking = false;
        if (!hasOne)
        {
            Fiber::Suspend();
        }
        if (m_clock.at >= KillTime())
        {
            AwaitKill();
        }
    }
}

void
FiberThread::AwaitKill()
{
    if (s_current == this && !m_isTaking) // else it waits, and somebody gives it a CPU
    {
        GiveWay(); // for good
    }
}

void
FiberThread::OnPreempted()
{
    NS_ABORT_MSG_IF(!m_looking, "a thread was preempted that had not yielded");
    m_looking = false;
    GetHost().GetWorld().agenda.Cancel(GetHost().Id(), m_look);
    GetHost().GetWorld().pollWatchdog.ForgetLook();
}

void
FiberThread::OnGranted()
{
    LookAt(m_clock.at);
}

void
FiberThread::StopWaiting()
{
    if (m_blocked && m_deadlineAt != PS_NEVER && !m_ready)
    {
        GetHost().GetWorld().agenda.Cancel(GetHost().Id(), m_deadline);
    }
    m_blocked = false;
    m_waitsFor = nullptr;
    m_deadlineAt = PS_NEVER;
}

void
FiberThread::Kill()
{
    if (HasEnded())
    {
        return;
    }
    StopWaiting();
    ForgetVainPoll();
    EndWork();
    m_dying = true;
    Wait({GetHost().Now(), 0}, Stage::BLOCKED);
    Follow({GetHost().Now(), Clock().cause}); // what it was to work on is not done
    FiberThread* const outer = std::exchange(s_current, this);
    m_process.m_runner = this;
    const Ps* const ran = GetHost().SetRunning(&m_clock.at);
    GetHost().Cpus().Forget(*this);
    m_fiber->Kill();
    GetHost().SetRunning(ran);
    s_current = outer;
    Quit(GetHost().Now());
}

void
FiberThread::Abandon()
{
    if (!HasEnded())
    {
        StopWaiting();
        LoseUntilEnd();
        m_fiber->Abandon();
        Quit(GetHost().Now());
    }
}

void
FiberThread::OnAgenda(std::uint32_t kind, std::uint64_t)
{
    if (kind == LOOK)
    {
        m_looking = false;
        GetHost().GetWorld().pollWatchdog.ForgetLook();
    }
    if (HasEnded())
    {
        return;
    }
    if (kind == DEADLINE)
    {
        m_deadlineAt = PS_NEVER;
    }
    Resume();
}

void
FiberThread::KeepUp(Ps from)
{
    m_ahead += m_clock.at - from;
    if (m_ahead > MOST_AHEAD && !m_dying)
    {
        m_ahead = 0;
        Reach();
        Settle();
    }
}

void
FiberThread::LookLast()
{
    // a destructor must not throw, so throw only at misbehaviour
    if (++m_lastLooks > MAX_LAST_LOOKS)
    {
        Fiber::Suspend();
    }
}

void
FiberThread::NoteVainPoll(const VainPoll& poll)
{
    const World& world = GetHost().GetWorld();
    if (m_dying || world.reference || world.spans.IsEnabled() || poll.cost.count == 0)
    {
        return; // each poll is looked at, or is of interest by itself
    }
    const Ps limit = world.agenda.Limit();
    m_vain = poll;
    m_vain.until = std::min({poll.until,
                             GetHost().QuietUntil(),
                             world.pollWatchdog.Until(),
                             limit == PS_NEVER ? PS_NEVER : limit + 1});
    m_vainEnd = m_clock.at;
    m_vainTime = GetHost().CpuClock().SpanFromAnyEdge(poll.cost);
}

ClockDomain::Window
FiberThread::NextVainPoll() const
{
    return GetHost().CpuClock().Run(m_clock.at, m_vain.cost);
}

void
FiberThread::Look(const char* loop)
{
    if (m_dying)
    {
        LookLast();
        return;
    }
    World& world = GetHost().GetWorld();
    if (RunControl::IsAsked())
    {
        if (RunControl::IsIdle(world.agenda.Now(), m_clock.at))
        {
            Block(PS_NEVER, m_process.OnLoop(RunTicks::STANDSTILL));
        }
        if (!RunTicks::Answer())
        {
            GiveWay(); // for good
        }
    }
    if (world.pollWatchdog.IsOver(m_clock.at, world.agenda))
    {
        if (GetHost().Now() < m_clock.at)
        {
            GiveWay(); // others may do something, or be about to, before its clock
        }
        if (world.pollWatchdog.IsStillOver(m_clock.at, world.agenda))
        {
            Block(PS_NEVER, m_process.OnLoop(loop));
        }
    }
    bool gaveWay = false;
    for (;;)
    {
        GetHost().CatchUp(); // what the NIC does until now moves the horizon
        if (GetHost().Cpus().IsDisturbed())
        {
            const Ps certain = GetHost().Cpus().CertainUntil();
            if (LoseToKernel(certain))
            {
                gaveWay = false; // the clock has moved
                continue;
            }
            if (certain < m_clock.at && !gaveWay)
            {
                GiveWay(); // another thread may have the CPU by then
                gaveWay = true;
                continue;
            }
        }
        if (gaveWay || (GetHost().IsWithinHorizon(m_clock.at) &&
                        m_clock.at <= world.agenda.Limit() && !world.reference))
        {
            return;
        }
        GiveWay();
        gaveWay = true;
    }
}

bool
FiberThread::Block(Ps deadline, const char* what, const Moment* known)
{
    if (m_dying)
    {
        LookLast();
        return false;
    }
    m_blocked = true;
    m_waitsFor = what;
    m_deadlineAt = deadline;
    if (deadline != PS_NEVER)
    {
        m_deadline = GetHost().Schedule(std::max(deadline, m_clock.at), Port(), this, DEADLINE);
    }
    if (known != nullptr)
    {
        OnReady(*known);
    }
    LoseToKernel();
    GetHost().Cpus().Release(*this, m_clock.at);
    Fiber::Suspend();
    m_blocked = false;
    m_waitsFor = nullptr;
    const bool ready = m_ready;
    m_ready = false;
    if (!ready)
    {
        Wait({deadline, 0}, Stage::BLOCKED);
    }
    GetHost().GetWorld().pollWatchdog.NoteProgress(m_clock.at);
    if (!ready && !m_dying)
    {
        TakeCpu(false);
    }
    Settle();
    return ready;
}

void
FiberThread::OnReady(Moment visible)
{
    if (!m_blocked || visible.at > m_deadlineAt || (m_ready && visible.at >= m_woken.at))
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
FiberThread::SleepUntil(Ps when)
{
    if (when > m_clock.at)
    {
        Block(when, "sleep");
    }
    else if (RunControl::IsAsked() &&
             (RunControl::IsIdle(GetHost().Now(), m_clock.at) || !RunTicks::Answer()))
    {
        Block(PS_NEVER, RunTicks::STANDSTILL);
    }
}

} // namespace via
} // namespace ns3
