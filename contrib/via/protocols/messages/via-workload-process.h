/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
// A process of a built-in workload: channels to its peers and a polling loop.

#ifndef VIA_WORKLOAD_PROCESS_H
#define VIA_WORKLOAD_PROCESS_H

#include "ns3/via-fiber.h"
#include "ns3/via-process.h"
#include "ns3/via-vi-library.h"

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

namespace ns3
{
namespace via
{

class WorkloadProcess;

/// How much a channel holds.
struct ChannelShape
{
    std::uint32_t bytes{0};        ///< of a message at the most
    std::uint32_t sendSlots{0};    ///< messages sent but not yet harvested at the most
    std::uint32_t receiveSlots{0}; ///< messages that may arrive before a Repost
};

/// One end of a connected channel, as the other end needs to know it.
struct ChannelEnd
{
    NodeId node{0};
    ViId vi{0};
    ConnectionId connection{0};
    std::uint64_t memory{0}; ///< address of its block, there
    MemoryHandle handle{0};  ///< of its block
};

/// Memory for descriptors and data, aligned as descriptors have to be; all its bytes are 0.
class ChannelMemory
{
  public:
    /// @param bytes how many; with 0 there is none
    explicit ChannelMemory(std::size_t bytes);

    std::uint8_t* Base() const
    {
        return m_bytes.get();
    }

  private:
    struct Free
    {
        void operator()(std::uint8_t* bytes) const;
    };

    std::unique_ptr<std::uint8_t, Free> m_bytes;
};

/**
 * @brief A connected VI with buffers: what a 1999 programmer would have set up by hand.
 *
 * Descriptors and buffers lie in one registered block: first the receive slots, reposted after
 * each harvest, then the send slots, used round robin.
 */
class alignas(64) Channel
{
  public:
    /// @param cq for its receives; null to poll the VI itself
    Channel(WorkloadProcess& process, const ChannelShape& shape, CompletionQueue* cq = nullptr);

    /**
     * @brief A channel in memory that somebody else keeps for it.
     * @param room at least BytesFor(@p shape) bytes, aligned as descriptors have to be
     */
    Channel(WorkloadProcess& process,
            const ChannelShape& shape,
            CompletionQueue* cq,
            std::uint8_t* room);

    /// Bytes of its block, a multiple of a descriptor's alignment.
    static std::size_t BytesFor(const ChannelShape& shape);

    /// Descriptors that its queues have room for from the start.
    static std::uint32_t RoomFor(const ChannelShape& shape);

    /// Connects the two ends, as if VIPL had done it before time starts.
    static void Connect(Channel& a, Channel& b);

    /// Our half of that.
    void ConnectTo(const ChannelEnd& peer);

    VirtualInterface& Vi() const
    {
        return *m_vi;
    }

    ViLibrary& Library() const
    {
        return m_library;
    }

    MemoryHandle Handle() const
    {
        return m_handle;
    }

    /// Sends @p length bytes from Payload(). Finished sends are harvested first if slots are short.
    void Send(std::uint32_t length);

    /// Can a message be sent? Finished sends are harvested first if slots are short.
    bool HasSendRoom();

    /// Harvests the sends that are finished by now; to be called where nobody waits for it.
    void HarvestSends();

    /// The bytes that the next Send takes.
    std::uint8_t* Payload();

    /// Harvests the receive that is known to be complete. @return its bytes; null when it was
    /// flushed, because the connection is lost
    const std::uint8_t* Receive(std::uint32_t& length);

    /// Posts the slot of the last Receive again.
    void Repost();

    /// True if a receive is complete at the process' clock.
    bool HasReceive() const;

    /// A hint: finished sends will be harvested.
    void ExpectHarvest() const
    {
        m_library.GetNic().GetTpt().Expect(m_handle);
    }

    /// A hint: it will be used soon.
    void Expect() const
    {
        __builtin_prefetch(m_vi->channel);
        m_library.GetNic().GetTpt().Expect(m_handle);
        __builtin_prefetch(m_base + static_cast<std::size_t>(m_nextReceive) * m_slotBytes);
        __builtin_prefetch(m_base + static_cast<std::size_t>(m_shape.receiveSlots + m_nextSend) *
                                        m_slotBytes);
    }

  private:
    struct Slot
    {
        Descriptor* descriptor;
        std::uint8_t* data;
    };

    Slot SlotAt(std::uint32_t index);
    ChannelEnd End(ConnectionId connection) const;

    ViLibrary& m_library;
    VirtualInterface* m_vi;
    ChannelShape m_shape;
    std::uint32_t m_slotBytes;
    ChannelMemory m_own;  ///< if nobody else keeps its block
    std::uint8_t* m_base; ///< of its block
    MemoryHandle m_handle{0};
    std::uint32_t m_nextSend{0};
    std::uint32_t m_nextReceive{0};
    std::uint32_t m_lastReceived{0};
};

/// Something other than a work queue that makes the next step of a process due.
class StepSource
{
  public:
    virtual ~StepSource() = default;

    /// The step is over: from now on the process may be told by OnReady.
    /// @return whether it sleeps until then; false: it was told already
    virtual bool Arm() = 0;

    /// The process is awake, whoever woke it: it is not to be told any more.
    virtual void Disarm() = 0;
};

/// What a workload's process does when something has come.
class WorkloadStep
{
  public:
    virtual ~WorkloadStep() = default;

    /// The process runs: its first step, or what it polled for is there.
    virtual void OnStep(std::uint32_t rank) = 0;

    /// The instant given to SetAlarm has come, and the process is not in a step.
    /// @return whether a step is wanted
    virtual bool OnAlarm(std::uint32_t)
    {
        return false;
    }

    /// Hints: OnStep will be called next, and soon. See AgendaTarget.
    virtual void ExpectStep(std::uint32_t) const
    {
    }

    virtual void ForeseeStep(std::uint32_t) const
    {
    }

    /// In a run with faults the process has lost a connection. @return whether it goes on without
    virtual bool OnConnectionLost(std::uint32_t)
    {
        return false;
    }

    /// The node has crashed, and the process with it.
    virtual void OnCrash(std::uint32_t)
    {
    }
};

/**
 * @brief A polling process without a stack.
 *
 * Between two steps it polls one work queue or CQ in a tight loop. The loop is not run: the first
 * poll that succeeds is the one that begins at or after the completion, on the grid of failing
 * polls, as a program's would. In reference mode a step runs on a fiber, so that each of its
 * calls can wait for its own instant; so it does where the card's doorbells may make it wait.
 */
class alignas(64) WorkloadProcess final : public Process, public AsyncListener
{
  public:
    WorkloadProcess(Nic& nic, std::uint32_t rank, const ViplCosts& costs, WorkloadStep& step);

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

    /// The next step is when @p vi has a receive to harvest.
    void AwaitReceive(VirtualInterface& vi);

    /// The next step is when @p vi has a finished send to harvest.
    void AwaitSend(VirtualInterface& vi);

    /// The next step is when @p cq has an entry.
    void AwaitCq(CompletionQueue& cq);

    /**
     * @brief The next step is when something has been written to the process' memory by RDMA.
     * @param poll what one look at all places where something could have been written costs
     */
    void AwaitMemory(Cycles poll);

    /**
     * @brief The process sleeps: the next step is when @p source says so, by OnReady.
     * Only for processes with a stack of their own, see GiveWayInSteps().
     */
    void AwaitSource(StepSource& source)
    {
        m_source = &source;
    }

    /// The next step follows at once: others may come before, who are earlier.
    void Continue();

    /// At @p at, or when the poll or step under way then is over, OnAlarm is asked.
    void SetAlarm(Ps at);

    /**
     * @brief Steps post several messages: in the middle of one the process gives way to others.
     * It needs a stack of its own then. To be called before Start().
     */
    void GiveWayInSteps()
    {
        m_givesWay = true;
    }

    /// The process has done its part.
    void Finish();

    bool HasFinished() const
    {
        return m_finished;
    }

    /// The process ends where it is; its peers are told by the NIC, if it can.
    void Kill();

    /// The process ends with the step that it is in, and @p why is told of it.
    void Fail(const std::string& why);

    /// Why it has ended before its time; empty: it has not.
    const std::string& Failure() const
    {
        return m_failure;
    }

    void Reach() override;
    Moment Stall(const char* what) override;
    void OnReady(Moment visible) override;
    void OnAgenda(std::uint32_t kind, std::uint64_t data) override;
    void Expect(std::uint32_t kind, std::uint64_t data) override;
    void Foresee(std::uint32_t kind, std::uint64_t data) override;
    void OnAsyncError(const AsyncError& error) override;

  private:
    static constexpr std::uint32_t STEP = 0;
    static constexpr std::uint32_t GO_ON = 1;
    static constexpr std::uint32_t ALARM = 2;

    void BeginStep();
    void RunStep();
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
    bool m_watches{false};         ///< its memory; instead of these
    Cycles m_poll;
    Moment m_next;         ///< known instant of what it waits for, when no queue has it
    Ps m_visible{0};       ///< since when what it waits for is there, valid while m_planned
    bool m_planned{false}; ///< a step is on the agenda, or has not come to its end
    bool m_finished{false};
    bool m_failed{false}; ///< takes no further step
    std::string m_failure;
    bool m_givesWay{false};
    bool m_stalled{false};          ///< a step waits in the middle
    Moment m_woken;                 ///< since when it need not any more
    std::unique_ptr<Fiber> m_fiber; ///< where steps wait in the middle; null: none ever does
    const Moment* m_known{nullptr}; ///< reference mode: what a step that ends waits for
};

} // namespace via
} // namespace ns3

#endif // VIA_WORKLOAD_PROCESS_H
