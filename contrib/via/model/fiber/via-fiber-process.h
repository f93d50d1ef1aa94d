/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
// A process whose program is ordinary blocking code: its threads, its beginning and its end.

#ifndef VIA_FIBER_PROCESS_H
#define VIA_FIBER_PROCESS_H

#include "ns3/via-fiber-thread.h"

#include <memory>
#include <string>
#include <vector>

namespace ns3
{
namespace via
{

/**
 * @brief Runs Main() on a thread of its own, and any number of threads beside it.
 *
 * Threads share what the process has; each has a stack and a clock. The process ends when
 * Main() returns, when a thread calls Leave() and returns, or when it is killed. Then all other
 * threads end where they are.
 */
class FiberProcess : public AgendaTarget
{
  public:
    /// Number of the thread that serves interrupts; first in the order of one instant.
    static constexpr std::uint32_t HANDLER = 0;
    /// Number of the thread that runs Main().
    static constexpr std::uint32_t MAIN = 1;
    /// Number of the first thread that a program starts.
    static constexpr std::uint32_t FIRST = 2;

    FiberProcess(Host& host, std::uint32_t rank);
    ~FiberProcess() override;

    Host& GetHost() const
    {
        return m_host;
    }

    std::uint32_t Rank() const
    {
        return m_rank;
    }

    /// Puts the first step of the main thread on the agenda.
    void Start(Ps at);

    /**
     * @brief Starts another thread.
     * @param from where its clock begins: that of the thread that starts it
     * @return the thread, or null when MAX_THREADS of them live. Numbers are used again.
     */
    FiberThread* StartThread(Moment from, FiberThread::Work work);

    /// The thread with this number, which has been started once at least.
    FiberThread& ThreadAt(std::uint32_t number)
    {
        return *m_threads.at(number);
    }

    /// The thread that serves interrupts. It is started when it is first asked for.
    FiberThread& HandlerThread();

    /// Ends the program where it is, not before now; destructors run, see FiberThread::Kill().
    void Kill();

    /**
     * @brief Plans a Kill(). To be called at most once; no effect if the program ends before.
     *
     * What the program has done before it next looks at the world is done, even if its clock
     * has passed @p at by then.
     */
    void KillAt(Ps at);

    /// The process ends as soon as the running thread's body returns.
    void Leave()
    {
        m_leaving = true;
    }

    /// Whether Kill() ended it.
    bool WasKilled() const
    {
        return m_killed;
    }

    /// The process whose code runs now; null in the event loop.
    static FiberProcess* Current()
    {
        const FiberThread* thread = FiberThread::Current();
        return thread == nullptr ? nullptr : &thread->GetProcess();
    }

    bool HasEnded() const
    {
        return m_ended;
    }

    /// The thread that runs, or that ran last.
    FiberThread& Runner() const
    {
        return *m_runner;
    }

    /// That thread's clock.
    const Moment& Clock() const
    {
        return m_runner->Clock();
    }

    /// That thread sleeps until @p when.
    void SleepUntil(Ps when)
    {
        m_runner->SleepUntil(when);
    }

    /// Cycles that all threads spent so far, as ps of the CPU.
    Ps CpuTime() const;

    /// What its threads are blocked in, e.g. "waits in VipCQWait; thread 2 waits in sleep"; empty
    /// when none of them is.
    std::string WaitsFor() const;

    void OnAgenda(std::uint32_t kind, std::uint64_t data) override;

  protected:
    /// The program. Runs on the main thread.
    virtual void Main() = 0;

    /// Told of every switch to and from the main thread; null for none. Asked once, at Start.
    virtual FiberListener* Listener()
    {
        return nullptr;
    }

    /**
     * @brief A thread will never leave the loop it is in. Runs on it.
     * @return @p loop, or what more is known of it; lives as long as the process
     */
    virtual const char* OnLoop(const char* loop)
    {
        return loop;
    }

    /// What the thread that serves interrupts runs; nothing unless a subclass says so.
    virtual FiberThread::Work HandlerWork()
    {
        return {};
    }

    /// Room for the main thread's stack. Asked once, at Start.
    virtual std::size_t StackBytes() const
    {
        return Fiber::DEFAULT_STACK_BYTES;
    }

    /// A thread has ended and will not run again; others may.
    virtual void OnThreadEnd(FiberThread&)
    {
    }

    /// The program has ended or was killed; still inside the agenda's event.
    virtual void OnEnd()
    {
    }

    /// Whether the stacks of threads that outlive the program are unwound: destructors run.
    virtual bool Unwinds() const
    {
        return true;
    }

  private:
    friend class FiberThread;

    void OnDone(FiberThread& thread);
    void EndThreads();
    void End();

    Host& m_host;
    std::uint32_t m_rank;
    std::vector<std::unique_ptr<FiberThread>> m_threads; ///< by number
    FiberThread* m_runner;
    bool m_leaving{false};
    bool m_ended{false};
    bool m_killed{false};
    bool m_killPlanned{false};
    std::uint64_t m_kill{0}; ///< sequence on the agenda, valid while m_killPlanned
};

} // namespace via
} // namespace ns3

#endif // VIA_FIBER_PROCESS_H
