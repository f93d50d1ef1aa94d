/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
// A process whose program is ordinary blocking code: its threads, start and end.

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
 * @brief Runs Main() on its own thread, and any number of other threads.
 *
 * Threads share the process's resources; each has its own stack and clock. The process ends when
 * Main() returns, when a thread calls Leave() and returns, or when the process is killed. All other
 * threads then end where they are.
 */
class FiberProcess : public AgendaTarget
{
  public:
    /// Number of the thread that handles interrupts; first in the order of one instant.
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

    /// Schedules the first step of the main thread.
    void Start(Ps at);

    /**
     * @brief Starts another thread.
     * @param from initial clock: that of the starting thread
     * @return the thread, or null if MAX_THREADS are alive. Numbers are reused.
     */
    FiberThread* StartThread(Moment from, FiberThread::Work work);

    /// The thread with this number, which must have been started at least once.
    FiberThread& ThreadAt(std::uint32_t number)
    {
        return *m_threads.at(number);
    }

    /// The thread that handles interrupts. It is started on the first call.
    FiberThread& HandlerThread();

    /// Ends the program where it is, not before now; destructors run, see FiberThread::Kill().
    void Kill();

    /// Schedules a Kill(). Call at most once; no effect if the program ends before.
    void KillAt(Ps at);

    /// A Kill() will come at @p at, as others have planned. What its threads do ahead of time ends
    /// there.
    void ExpectKill(Ps at);

    /// The earliest Kill() that is known to come; PS_NEVER: none is.
    Ps KillTime() const
    {
        return m_killAt;
    }

    /// Ends the process as soon as the running thread's body returns.
    void Leave()
    {
        m_leaving = true;
    }

    /// Whether the process ends with the body of @p thread.
    bool EndsWith(const FiberThread& thread) const
    {
        return m_leaving || thread.Number() == MAIN;
    }

    /// Whether Kill() ended the process.
    bool WasKilled() const
    {
        return m_killed;
    }

    /// The process whose code is running; null in the event loop.
    static FiberProcess* Current()
    {
        const FiberThread* thread = FiberThread::Current();
        return thread == nullptr ? nullptr : &thread->GetProcess();
    }

    /// When its main thread begins.
    Ps StartTime() const
    {
        return m_start;
    }

    bool HasEnded() const
    {
        return m_ended;
    }

    /// The running thread, or the last one that ran.
    FiberThread& Runner() const
    {
        return *m_runner;
    }

    /// That thread's clock.
    const Moment& Clock() const
    {
        return m_runner->Clock();
    }

    /// Puts that thread to sleep until @p when.
    void SleepUntil(Ps when)
    {
        m_runner->SleepUntil(when);
    }

    /// Cycles spent by all threads so far, as ps of the CPU.
    Ps CpuTime() const;

    /// The part of it that was spent in the kernel, or by the kernel for it.
    Ps SystemTime() const;

    /// What its threads wait in, e.g. "waits in VipCQWait; thread 2 waits in sleep";
    /// empty if none waits.
    std::string WaitsFor() const;

    void OnAgenda(std::uint32_t kind, std::uint64_t data) override;

  protected:
    /// The program. Runs on the main thread.
    virtual void Main() = 0;

    /// Notified of every switch to and from the main thread; may be null. Called once, by Start.
    virtual FiberListener* Listener()
    {
        return nullptr;
    }

    /**
     * @brief Called on a thread that will never leave its current loop.
     * @return @p loop, or a more precise text; must live as long as the process
     */
    virtual const char* OnLoop(const char* loop)
    {
        return loop;
    }

    /// Code of the interrupt thread; a subclass provides it.
    virtual FiberThread::Work HandlerWork()
    {
        return {};
    }

    /// Stack size of the main thread. Called once, by Start.
    virtual std::size_t StackBytes() const
    {
        return Fiber::DEFAULT_STACK_BYTES;
    }

    /// A thread has ended and will not run again; other threads may.
    virtual void OnThreadEnd(FiberThread&)
    {
    }

    /// The program has ended or was killed; called inside the agenda's event.
    virtual void OnEnd()
    {
    }

    /// Whether a NIC may still use memory of @p stack, on which nothing runs any more: then nobody
    /// gets its addresses while the process lives.
    virtual bool Pins(const FiberStack& /* stack */)
    {
        return false;
    }

    /// Whether stacks of threads that outlive the program are unwound, so that destructors run.
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
    std::vector<std::unique_ptr<Fiber>> m_pinned;        ///< of ended threads, see Pins
    FiberThread* m_runner;
    Ps m_start{0};
    Ps m_killAt{PS_NEVER};
    bool m_leaving{false};
    bool m_ended{false};
    bool m_killed{false};
    bool m_killPlanned{false};
    std::uint32_t m_kill{0}; ///< number on the agenda, valid while m_killPlanned
};

} // namespace via
} // namespace ns3

#endif // VIA_FIBER_PROCESS_H
