/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
// A process of a built-in workload: a polling loop in steps.

#ifndef VIA_WORKLOAD_PROCESS_H
#define VIA_WORKLOAD_PROCESS_H

#include "ns3/via-process.h"
#include "ns3/via-step-stack.h"
#include "ns3/via-vi-library.h"
#include "ns3/via-workload-step.h"

#include <cstdint>
#include <memory>
#include <string>

namespace ns3
{
namespace via
{

/**
 * @brief A polling process.
 *
 * Between two steps it polls one work queue or CQ in a tight loop. The loop is not run: the first
 * poll that succeeds is the one that begins at or after the completion, on the grid of failing
 * polls, as a program's would. A step borrows a stack, so that each of its calls can wait for its
 * own instant.
 */
class alignas(64) WorkloadProcess final : public Process, public AsyncListener, private StepCode
{
  public:
    WorkloadProcess(Nic& nic, std::uint32_t rank, const ViplCosts& costs, WorkloadStep& step);
    ~WorkloadProcess() override;

    ViLibrary& Library()
    {
        return m_library;
    }

    /// The NIC handle of the process.
    std::uint32_t Owner() const
    {
        return m_owner;
    }

    /// The protection tag of all its memory and VIs.
    Ptag Tag() const
    {
        return m_tag;
    }

    /// Puts the first step on the agenda.
    void Start(Ps at);

    /// The next step is when @p vi has a receive to harvest, which it does before it sends
    /// anything, unless MaySendFirst says otherwise.
    void AwaitReceive(VirtualInterface& vi);

    /// The next step is when @p vi has a finished send to harvest.
    void AwaitSend(VirtualInterface& vi);

    /// As AwaitReceive, when @p cq has an entry.
    void AwaitCq(CompletionQueue& cq);

    /// The next step may send before it harvests, because a timer may be due.
    void MaySendFirst()
    {
        m_harvests = false;
    }

    /**
     * @brief The next step is when something has been written to the process' memory by RDMA.
     * @param poll what one look at all places where something could have been written costs
     */
    void AwaitMemory(Cycles poll);

    /// The process sleeps: the next step is when @p source says so, by OnReady.
    void AwaitSource(StepSource& source)
    {
        m_source = &source;
    }

    /// Frames of its steps stay where they are while a step waits: others use what is in them.
    void KeepFrames()
    {
        m_keepsFrames = true;
    }

    bool KeepsFrames() const override
    {
        return m_keepsFrames;
    }

    /// The next step follows at once: others may come before, who are earlier.
    void Continue();

    /// @p source is told of the end of the process.
    void TellEnd(StepSource& source)
    {
        m_told = &source;
    }

    /// At @p at, or when the poll or step under way then is over, OnAlarm is asked.
    void SetAlarm(Ps at);

    /// The process has done its part.
    void Finish();

    bool HasFinished() const
    {
        return m_finished;
    }

    /// The process ends where it is; its peers are told by the NIC, if it can.
    void Kill();

    /// The process ends with the step that it is in, and @p why is told of it.
    /// @param code its exit code; -1: it has none
    void Fail(const std::string& why, int code);

    /// Why it has ended before its time; empty: it has not.
    const std::string& Failure() const
    {
        return m_failure;
    }

    /// See Fail; -1: it has not failed, or was killed.
    int ExitCode() const
    {
        return m_exitCode;
    }

    void Reach() override;
    Moment Stall(const char* what) override;
    void OnReady(Moment visible) override;
    void OnAgenda(std::uint32_t kind, std::uint64_t data) override;
    void Prefetch(Hint hint, std::uint32_t kind, std::uint64_t data) override;
    void OnAsyncError(const AsyncError& error) override;

  private:
    static constexpr std::uint32_t STEP = 0;
    static constexpr std::uint32_t GO_ON = 1;
    static constexpr std::uint32_t ALARM = 2;
    static constexpr std::uint32_t END = 3;
    /// A step that harvests a receive before it sends anything.
    static constexpr std::uint32_t HARVEST = Agenda::BEFORE_CALL;

    void AwaitKill() override;
    void BeginStep();
    void RunStep() override;
    void GoOn();
    void EndStep();
    void PlanEnd();
    Ps FirstPollFrom(Ps from, Ps visible) const;
    Ps FirstPollFrom(Ps visible) const;
    void Await(const Moment* known, Cycles poll);
    void StopWaiting();

    ViLibrary m_library;
    WorkloadStep& m_step;
    std::uint32_t m_owner;
    Ptag m_tag;
    WorkQueue* m_queue{nullptr}; ///< what it waits for, at most one of the two
    CompletionQueue* m_cq{nullptr};
    StepSource* m_source{nullptr}; ///< to be armed when the step is over
    StepSource* m_bed{nullptr};    ///< it does not poll, but sleeps until this tells it
    StepSource* m_told{nullptr};   ///< of its end; null: nobody
    bool m_watches{false};         ///< its memory; instead of these
    bool m_harvests{false};        ///< the next step does, before it sends anything
    Cycles m_poll;
    Moment m_next;         ///< known instant of what it waits for, when no queue has it
    Moment m_visible;      ///< since when what it waits for is there, valid while m_planned
    bool m_planned{false}; ///< a step is on the agenda, or has not come to its end
    bool m_finished{false};
    bool m_failed{false}; ///< takes no further step
    int m_exitCode{-1};
    std::string m_failure;
    bool m_stalled{false};          ///< a step waits in the middle
    Moment m_woken;                 ///< since when it need not any more
    bool m_keepsFrames{false};      ///< see KeepFrames
    bool m_inStep{false};           ///< a step has begun, and has not ended
    ProcessStep m_underWay;         ///< that step
    const Moment* m_known{nullptr}; ///< what a step that ends waits for
};

} // namespace via
} // namespace ns3

#endif // VIA_WORKLOAD_PROCESS_H
