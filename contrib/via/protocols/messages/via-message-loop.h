/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
// The loop of a process that runs a protocol: messages, timers, one thing after the other.

#ifndef VIA_MESSENGER_H
#define VIA_MESSENGER_H

#include "ns3/via-message-path.h"
#include "ns3/via-process-faults.h"
#include "ns3/via-ring.h"

#include <array>
#include <list>
#include <memory>
#include <optional>
#include <vector>

namespace ns3
{
namespace via
{

/// The most bytes of a message that mean something; a protocol's messages may be padded.
constexpr std::uint32_t MESSAGE_BYTES = 64;

/// Number of a timer of a process, its own choice.
using TimerId = std::uint32_t;

/// How many messages may be on their way to a peer, and who sees to it.
struct MessageWindow
{
    std::uint32_t window{8}; ///< messages of one peer that may wait for a process
    bool bounded{false};     ///< the protocol itself never sends more; nothing has to be done
};

/// What a Messenger calls: a protocol's process.
class ProtocolListener
{
  public:
    virtual ~ProtocolListener() = default;

    /// The first step.
    virtual void OnStart() = 0;

    /// @p data is valid during the call.
    virtual void OnBytes(Rank from, const void* data, std::uint32_t length) = 0;

    /// A timer has expired. It has to be set again to expire again.
    virtual void OnTimer(TimerId timer) = 0;

    /// Whose message is wanted next; ANYONE at all times, or at no time.
    virtual Rank Awaited() const = 0;

    /// The process crashes: it will not be called again.
    virtual void OnCrash() = 0;
};

/**
 * @brief What a process of a protocol has instead of a main loop.
 *
 * A step does one thing: start, a message, a timer, or the next of several messages to be sent.
 * Between two messages the process gives way to whoever is earlier, so no stack is needed.
 *
 *     IDLE --message, timer--> handler --more to send--> SENDING --all sent--> Release --> IDLE
 *
 * The costs are those of the path's calls, and a call of the clock for a timer.
 */
class alignas(64) Messenger
{
  public:
    /**
     * @param process whose steps these are
     * @param path to its peers
     * @param bytes messages are at least that long
     * @param faults what goes wrong; null: nothing
     */
    Messenger(WorkloadProcess& process,
              std::unique_ptr<MessagePath> path,
              std::uint32_t bytes,
              const ProcessFaults* faults);

    void SetListener(ProtocolListener* listener)
    {
        m_listener = listener;
    }

    /**
     * @brief Not more than @p window messages are sent to each of @p peers without a credit.
     * Half a window of messages taken is told to whoever sent them, in a message of 4 bytes. What
     * has to wait for a credit is sent behind what has not.
     */
    void LimitWindow(std::uint32_t window, const std::vector<Rank>& peers);

    /// No timer is set for a later instant: what waits for ever comes to its end.
    void SetLimit(Ps limit)
    {
        m_limit = limit;
    }

    /// Sends @p length bytes, at most MESSAGE_BYTES, as soon as those before them are sent.
    void Send(Rank to, const void* data, std::uint32_t length);

    /// @p timer expires at Now() + @p after, and not when it would have.
    void SetTimer(TimerId timer, Ps after);

    /// @p timer does not expire.
    void CancelTimer(TimerId timer);

    /// Its program has failed: the process ends with this step, and @p why is told of it.
    void Fail(const std::string& why)
    {
        m_process.Fail(why);
    }

    /// The process' own time.
    Ps Now() const
    {
        return m_process.Clock().at;
    }

    /// The process runs.
    void Step();

    /// Hints: Step() will be called soon, and next.
    static void ForeseeStep(const MessagePath* path)
    {
        PrefetchUpTo(path, reinterpret_cast<const char*>(path) + PATH_BYTES);
    }

    void ExpectStep() const
    {
        m_path->Foresee();
    }

    /// The alarm rings. @return whether a timer has expired, so that a step is wanted
    bool OnAlarm();

    std::uint64_t MessagesSent() const
    {
        return m_sent;
    }

    const FaultHits& Hits() const
    {
        return m_hits;
    }

  private:
    /// What a path needs for each message lies in its first bytes.
    static constexpr std::size_t PATH_BYTES = 192;

    struct Letter
    {
        Rank to; ///< or from
        std::uint32_t length;
        std::array<std::uint8_t, MESSAGE_BYTES> data;
    };

    /// What the window of a peer has left.
    struct Credit
    {
        Rank peer;
        std::uint32_t left;    ///< messages that may be sent to it
        std::uint32_t taken;   ///< messages of it that it has got no credit for
        std::uint32_t waiting; ///< messages to it in m_waiting
    };

    struct Timer
    {
        Ps due;
        TimerId id;
    };

    /// When the first timer is due; PS_NEVER if none is set.
    Ps DueTimer() const
    {
        return m_timers.empty() ? PS_NEVER : m_timers.front().due;
    }

    Credit& CreditOf(Rank peer);
    void SendNow(Rank to, const void* data, std::uint32_t length);
    void NoteTaken(Rank from);
    void NoteCredit(const ArrivedMessage& message);
    void Post(Rank to, const void* data, std::uint32_t length);
    void Handle();
    void HandleTimer();
    void HandleMessage(const ArrivedMessage& message);
    bool Suffers(const ArrivedMessage& message);
    void SetAlarm();

    WorkloadProcess& m_process;
    std::unique_ptr<MessagePath> m_path;
    ProtocolListener* m_listener{nullptr};
    const ProcessFaults* m_faults;
    std::uint32_t m_bytes;
    bool m_started{false};
    bool m_posted{false}; ///< a message in this step
    bool m_crashed{false};
    std::uint64_t m_sent{0};
    std::uint64_t m_received{0};
    FaultHits m_hits;
    std::uint32_t m_window{0};     ///< 0: nobody counts
    std::vector<Credit> m_credits; ///< by peer
    std::list<Letter> m_waiting;   ///< for credits
    Ring<Letter> m_outbox;
    std::optional<Letter> m_late; ///< its receiver is slow
    std::vector<Timer> m_timers;  ///< the first that is due in front
    Ps m_alarm{PS_NEVER};
    Ps m_limit{PS_NEVER};
};

} // namespace via
} // namespace ns3

#endif // VIA_MESSENGER_H
