/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
// A process of a built-in workload: its polling loop.

#include "via-workload-process.h"

#include "ns3/abort.h"

#include <algorithm>
#include <utility>

namespace ns3
{
namespace via
{

/**
 * @brief A stack for one step at a time.
 *
 * Most steps end without a wait, so a few stacks, warm in the caches, serve thousands of processes.
 */
WorkloadProcess::~WorkloadProcess() = default;

WorkloadProcess::WorkloadProcess(Nic& nic,
                                 std::uint32_t rank,
                                 const ViplCosts& costs,
                                 WorkloadStep& step)
    : Process(nic.GetHost(), rank),
      m_library(*this, nic, costs),
      m_step(step),
      m_owner(nic.GetHandles().Open(this)),
      m_tag(nic.GetTpt().CreateTag(m_owner))
{
}

void
WorkloadProcess::OnAsyncError(const AsyncError& error)
{
    NS_ABORT_MSG_IF(!GetHost().GetWorld().lossy,
                    "a built-in workload broke a rule of VIA: process "
                        << Rank() << ", VI " << error.vi << ", asynchronous error "
                        << static_cast<int>(error.code) << " at " << error.at << " ps");
    if (!m_step.OnConnectionLost(Rank()) && !m_finished && !m_failed)
    {
        Fail("lost a connection", -1);
        Wait({error.at, 0}, Stage::BLOCKED); // its end is that of the run
    }
}

void
WorkloadProcess::Fail(const std::string& why, int code)
{
    if (!m_finished && !m_failed)
    {
        m_failed = true;
        m_failure = why;
        m_exitCode = code;
    }
}

void
WorkloadProcess::Kill()
{
    m_failed = true;
    m_failure = "killed";
    EndWork();
    Follow({GetHost().Now(), 0}); // its clock was ahead
    m_step.OnCrash(Rank());
    m_library.GetNic().GetHandles().CloseAll(m_owner, {GetHost().Now(), 0});
}

void
WorkloadProcess::Start(Ps at)
{
    m_clock = {at, 0};
    m_visible = {at, 0};
    m_planned = true;
    GetHost().Cpus().Join();
    TakeCpu(false);
    GetHost().Schedule(at, Port(), this, STEP);
}

void
WorkloadProcess::RunStep()
{
    m_planned = true;
    m_step.OnStep(Rank());
    m_planned = false;
    if (m_known != nullptr)
    {
        OnReady(*std::exchange(m_known, nullptr));
    }
    else if (m_source != nullptr)
    {
        m_poll = Cycles(0);
        StepSource* source = std::exchange(m_source, nullptr);
        m_bed = source->Arm() ? source : nullptr;
    }
}

void
WorkloadProcess::GoOn()
{
    if (m_underWay.GoOn())
    {
        EndStep();
    }
}

void
WorkloadProcess::EndStep()
{
    m_inStep = false;
    if (m_finished)
    {
        PlanEnd();
    }
}

void
WorkloadProcess::Finish()
{
    m_finished = true;
    if (m_bed != nullptr && !m_planned)
    {
        std::exchange(m_bed, nullptr)->Disarm();
    }
    if (!m_inStep)
    {
        PlanEnd();
    }
}

void
WorkloadProcess::PlanEnd()
{
    if (m_told != nullptr)
    {
        // its last step may go on for longer than the run of which it is part
        GetHost().Schedule(std::max(m_clock.at, GetHost().Now()), Port(), this, END);
    }
}

void
WorkloadProcess::Reach()
{
    Host& host = GetHost();
    for (;;)
    {
        host.CatchUp();
        if (host.Cpus().IsDisturbed() && LoseToKernel())
        {
            continue;
        }
        const World& world = host.GetWorld();
        if (m_clock.at <= host.Now() || (!world.reference && host.IsWithinHorizon(m_clock.at) &&
                                         m_clock.at <= world.agenda.Limit()))
        {
            return;
        }
        host.Schedule(m_clock.at, Port(), this, GO_ON);
        Fiber::Suspend();
    }
}

void
WorkloadProcess::AwaitKill()
{
    if (m_inStep)
    {
        Fiber::Suspend(); // for good
    }
}

Moment
WorkloadProcess::Stall(const char*)
{
    m_stalled = true;
    Fiber::Suspend();
    return m_woken;
}

void
WorkloadProcess::Await(const Moment* known, Cycles poll)
{
    m_poll = poll;
    m_known = known; // the step is not over yet
    m_harvests = false;
}

void
WorkloadProcess::AwaitReceive(VirtualInterface& vi)
{
    m_queue = &vi.ReceiveQueue();
    m_queue->waiter = this;
    const WorkItem& head = m_queue->items.Front();
    Await(head.visible.at == PS_NEVER ? nullptr : &head.visible, m_library.Costs().doneMiss);
    m_harvests = true;
}

void
WorkloadProcess::AwaitSend(VirtualInterface& vi)
{
    m_queue = &vi.SendQueue();
    m_queue->waiter = this;
    const WorkItem& head = m_queue->items.Front();
    Await(head.visible.at == PS_NEVER ? nullptr : &head.visible, m_library.Costs().doneMiss);
}

void
WorkloadProcess::AwaitCq(CompletionQueue& cq)
{
    m_cq = &cq;
    cq.SetWaiter(this);
    const Completion* next = cq.Next();
    Await(next == nullptr ? nullptr : &next->visible, m_library.Costs().cqDoneMiss);
    m_harvests = true;
}

void
WorkloadProcess::AwaitMemory(Cycles poll)
{
    m_watches = true;
    HostMemory& memory = GetHost().Memory();
    memory.Watch(Rank(), this);
    m_next = {memory.NextWrite(Rank()), 0};
    Await(m_next.at == PS_NEVER ? nullptr : &m_next, poll);
}

void
WorkloadProcess::Continue()
{
    m_next = {m_clock.at, 0};
    Await(&m_next, Cycles(0));
}

void
WorkloadProcess::SetAlarm(Ps at)
{
    GetHost().Schedule(std::max(at, GetHost().Now()), Port(), this, ALARM);
}

void
WorkloadProcess::StopWaiting()
{
    if (m_queue != nullptr)
    {
        m_queue->waiter = nullptr;
        m_queue = nullptr;
    }
    if (m_cq != nullptr)
    {
        m_cq->SetWaiter(nullptr);
        m_cq = nullptr;
    }
    if (m_watches)
    {
        GetHost().Memory().Watch(Rank(), nullptr);
        m_watches = false;
    }
}

Ps
WorkloadProcess::FirstPollFrom(Ps visible) const
{
    Ps from = m_clock.at;
    for (const ClockDomain::Window& kernel : GetHost().Cpus().InterruptsOf(*this))
    {
        if (visible <= kernel.start)
        {
            const Ps poll = FirstPollFrom(from, visible);
            if (poll <= kernel.start)
            {
                return poll;
            }
        }
        // the poll under way then ends later
        const Ps end = FirstPollFrom(from, kernel.start + 1);
        from = end + GetHost().SetbackOf(end, kernel.start, kernel.end);
    }
    return FirstPollFrom(from, visible);
}

Ps
WorkloadProcess::FirstPollFrom(Ps from, Ps visible) const
{
    const ClockDomain& cpu = GetHost().CpuClock();
    if (visible <= from || m_poll.count == 0)
    {
        return std::max(from, visible);
    }
    const std::uint64_t away = cpu.Between(from, visible).count;
    return cpu.After(from, m_poll * ((away + m_poll.count - 1) / m_poll.count));
}

void
WorkloadProcess::OnReady(Moment visible)
{
    if (m_stalled)
    {
        m_stalled = false;
        m_woken = visible;
        GetHost().Schedule(std::max({visible.at, m_clock.at, GetHost().Now()}),
                           Port(),
                           this,
                           GO_ON);
        return;
    }
    if (m_planned || m_finished)
    {
        return;
    }
    m_planned = true;
    m_visible = visible;
    GetHost().Schedule(std::max(FirstPollFrom(visible.at), GetHost().Now()),
                       Port(),
                       this,
                       m_harvests ? HARVEST : STEP);
}

void
WorkloadProcess::OnAgenda(std::uint32_t kind, std::uint64_t)
{
    if (m_failed)
    {
        return;
    }
    if (kind == ALARM)
    {
        if (!m_planned && !m_stalled && m_step.OnAlarm(Rank()))
        {
            MaySendFirst();
            OnReady({GetHost().Now(), 0});
        }
        return;
    }
    if (kind == END)
    {
        m_told->End();
        return;
    }
    const Ps* const ran = GetHost().SetRunning(&m_clock.at);
    if (kind == GO_ON)
    {
        GoOn();
    }
    else
    {
        BeginStep();
    }
    GetHost().SetRunning(ran);
}

void
WorkloadProcess::BeginStep()
{
    if (m_finished)
    {
        return; // others ended the run after this step was planned
    }
    const Ps poll = GetHost().Cpus().IsDisturbed() ? FirstPollFrom(m_visible.at) : 0;
    if (poll > GetHost().Now())
    {
        GetHost().Schedule(poll, Port(), this, STEP); // interrupted since then
        return;
    }
    m_planned = false;
    StopWaiting();
    const Moment now{std::max(m_clock.at, GetHost().Now()), 0};
    if (m_bed != nullptr)
    {
        std::exchange(m_bed, nullptr)->Disarm();
        if (m_visible.cause != 0) // who woke it is on its path
        {
            Follow(Later(Clock(), m_visible));
        }
        Wait(now, Stage::BLOCKED);
        GetHost().Cpus().Lose(*this); // what the kernel did meanwhile it did not miss
        Spend(Stage::CONTEXT_SWITCH, GetHost().Costs().contextSwitch);
    }
    else
    {
        Busy(now, Stage::CALL_POLL);
    }
    if (Clock().at >= KillTime())
    {
        return;
    }
    Settle();
    m_inStep = true;
    if (m_underWay.Begin(*this, m_keepsFrames))
    {
        EndStep();
    }
}

void
WorkloadProcess::Prefetch(Hint hint, std::uint32_t, std::uint64_t)
{
    switch (hint)
    {
    case Hint::FAR:
        PrefetchObject(this);
        GetHost().PrefetchUse();
        m_step.PrefetchStep(hint, Rank());
        break;
    case Hint::SOON:
        m_library.GetNic().PrefetchEarlyUse();
        if (m_queue != nullptr)
        {
            PrefetchObject(m_queue);
        }
        m_step.PrefetchStep(hint, Rank());
        break;
    case Hint::NEXT:
        m_underWay.Prefetch();
        if (m_queue != nullptr && !m_queue->items.IsEmpty())
        {
            PrefetchLine(&m_queue->items.Front());
        }
        GetHost().Memory().Prefetch();
        m_library.GetNic().PrefetchUse();
        m_step.PrefetchStep(hint, Rank());
        break;
    case Hint::NOW:
        m_step.PrefetchStep(hint, Rank());
        break;
    }
}

} // namespace via
} // namespace ns3
