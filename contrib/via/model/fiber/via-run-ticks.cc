/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
// Ticks of CPU time, at which a monitor may inspect the run.

#include "via-run-ticks.h"

#include "ns3/via-code-walk.h"
#include "ns3/via-fault.h"
#include "ns3/via-fiber-process.h"
#include "ns3/via-run-control.h"

#include <cerrno>
#include <csignal>
#include <ctime>
#include <pthread.h>
#include <sys/syscall.h>
#include <unistd.h>

namespace ns3
{
namespace via
{

namespace
{

struct Ticks
{
    unsigned users{0};
    pthread_t thread{};

    struct sigaction outer
    {
    };

    timer_t timer{};
    bool hasTimer{false};
};

Ticks g_ticks;

/// Runs the monitor on the stack of the event loop, although a program is in the
/// middle of its code.
class Interruption final : public OutsideCall
{
  public:
    void Run() override
    {
        goesOn = RunControl::Answer();
    }

    bool goesOn{true};
};

/// Whether a program that is in its own code may continue.
bool
MayStay()
{
    const FiberThread* thread = FiberThread::Current();
    if (thread != nullptr && RunControl::IsIdle(thread->GetHost().Now(), thread->Clock().at))
    {
        return false;
    }
    return RunTicks::Answer();
}

/// The program whose own code was interrupted; null: other code was.
FaultTarget*
Interrupted(const void* code)
{
    const Fiber* fiber = Fiber::Current();
    if (fiber == nullptr || pthread_equal(pthread_self(), g_ticks.thread) == 0)
    {
        return nullptr;
    }
    FaultTarget* target = fiber->Target();
    const bool isIts = target != nullptr && target->OwnsCode(code) && target->CanEnd();
    return isIts ? target : nullptr;
}

/// Runs on the stack of the interrupted code: a program waits there for its next turn.
void
OnTick(int, siginfo_t* info, void* context)
{
    const int code = errno;
    RunControl::Ask();
    const void* const at = CodeOf(context);
    FaultTarget* const target = Interrupted(at);
    if (target != nullptr)
    {
        const bool isEmpty = LoopsForEver(at, *target); // the compiler reports no block for it
        if (isEmpty || !MayStay())
        {
            Fault fault = FaultAt(isEmpty ? 0 : SIGVTALRM, *info, context);
            AddCallers(fault, context, Fiber::Current()->Stack());
            fault.loopsForEver = true;
            target->OnFault(fault);
        }
    }
    errno = code;
}

} // namespace

bool
RunTicks::Answer()
{
    Interruption interruption;
    Fiber::RunOutside(interruption);
    return interruption.goesOn;
}

RunTicks::RunTicks()
{
    Ticks& ticks = g_ticks;
    if (ticks.users++ > 0)
    {
        return;
    }
    LearnModules();
    ticks.thread = pthread_self();

    struct sigaction tick
    {
    };

    tick.sa_sigaction = &OnTick;
    tick.sa_flags = SA_SIGINFO | SA_NODEFER | SA_RESTART; // the handler may be left by a jump
    sigaction(SIGVTALRM, &tick, &ticks.outer);
    sigevent event{};
    event.sigev_notify = SIGEV_THREAD_ID;
    event.sigev_signo = SIGVTALRM;
    event._sigev_un._tid = static_cast<pid_t>(syscall(SYS_gettid));
    ticks.hasTimer = timer_create(CLOCK_THREAD_CPUTIME_ID, &event, &ticks.timer) == 0;
    const timespec period{0, RunControl::TICK_MS * 1'000'000L};
    const itimerspec every{period, period};
    if (ticks.hasTimer)
    {
        timer_settime(ticks.timer, 0, &every, nullptr);
    }
}

RunTicks::~RunTicks()
{
    Ticks& ticks = g_ticks;
    if (--ticks.users > 0)
    {
        return;
    }
    if (ticks.hasTimer)
    {
        timer_delete(ticks.timer);
    }
    sigaction(SIGVTALRM, &ticks.outer, nullptr);
}

} // namespace via
} // namespace ns3
