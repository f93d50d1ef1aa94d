/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
// The message loop of a protocol's process: handles messages and timers one at a time.

#ifndef VIA_MESSAGE_LOOP_H
#define VIA_MESSAGE_LOOP_H

#include "ns3/via-message-path.h"
#include "ns3/via-process-faults.h"
#include "ns3/via-ring.h"

#include <algorithm>
#include <array>
#include <cstring>
#include <list>
#include <memory>
#include <vector>

namespace ns3
{
namespace via
{

/// Largest message of a protocol in C++ without padding, in bytes.
constexpr std::uint32_t MESSAGE_BYTES = 64;

/// A copy of a message. Up to MESSAGE_BYTES it needs no block of its own.
class MessageCopy
{
  public:
    MessageCopy() = default;

    /// @param least length to which shorter messages are filled with zeros
    MessageCopy(const void* data, std::uint32_t length, std::uint32_t least = 0)
        : m_length(std::max(length, least))
    {
        if (m_length > MESSAGE_BYTES)
        {
            m_long = std::make_unique<std::uint8_t[]>(m_length);
        }
        std::uint8_t* bytes = m_long ? m_long.get() : m_short.data();
        std::memcpy(bytes, data, length);
        std::memset(bytes + length, 0, m_length - length);
    }

    const std::uint8_t* Data() const
    {
        return m_long ? m_long.get() : m_short.data();
    }

    std::uint32_t Length() const
    {
        return m_length;
    }

  private:
    std::uint32_t m_length{0};
    std::array<std::uint8_t, MESSAGE_BYTES> m_short;
    std::unique_ptr<std::uint8_t[]> m_long;
};

/// Number of a timer; the process chooses it, below FIRST_REOPENING.
using TimerId = std::uint32_t;

/// The loop's own timers: one for each rank whose window is shut.
constexpr TimerId FIRST_REOPENING = 0x80000000;

/// How many messages may be under way to a peer, and who limits them.
struct MessageWindow
{
    std::uint32_t window{8}; ///< messages from one peer that may wait for a process
    bool bounded{false};     ///< true: the protocol itself never sends more
};

/// A protocol's process, as called by MessageLoop.
class ProtocolListener
{
  public:
    virtual ~ProtocolListener() = default;

    /// Runs the first step.
    virtual void OnStart() = 0;

    /// Handles a message. @p data is valid during the call.
    virtual void OnBytes(Rank from, const void* data, std::uint32_t length) = 0;

    /// A timer has expired; it does not repeat.
    virtual void OnTimer(TimerId timer) = 0;

    /// Whose message is wanted next. A protocol returns ANYONE either always or never.
    virtual Rank Awaited() const = 0;

    /// The process crashes and is not called again.
    virtual void OnCrash() = 0;
};

/**
 * @brief Runs a process of a protocol in steps, in place of a main loop.
 *
 * A step does one thing: start, handle a message or a timer, or send the next of several messages.
 * Between two messages the process yields to earlier work, so it needs no stack.
 *
 *     IDLE --message, timer--> handler --more to send--> SENDING --all sent--> Release --> IDLE
 *
 * Costs are those of the path's calls, plus a call of the clock for a timer.
 */
class alignas(64) MessageLoop
{
  public:
    /**
     * @param process runs the steps
     * @param path to its peers
     * @param least length to which shorter messages are padded
     * @param most length of the longest message
     * @param faults faults of the process; null: none
     */
    MessageLoop(WorkloadProcess& process,
                std::unique_ptr<MessagePath> path,
                std::uint32_t least,
                std::uint32_t most,
                const ProcessFaults* faults);

    void SetListener(ProtocolListener* listener)
    {
        m_listener = listener;
    }

    /// May messages to a peer that lives be lost?
    bool MayLose() const
    {
        return m_path->MayLose();
    }

    /**
     * @brief Limits messages without a credit to @p window for each of @p peers. A receiver returns
     * credits for each half window of messages, in a message of 4 bytes. Messages that wait for a
     * credit are sent after those that do not. Where the path may lose messages, and credits with
     * them, a window without credits opens again after REOPEN_AFTER.
     */
    void LimitWindow(std::uint32_t window, const std::vector<Rank>& peers);

    /// Ignores timers after @p limit, so that a process that waits forever ends.
    void SetLimit(Ps limit)
    {
        m_limit = limit;
    }

    /// Sends @p length bytes, at most those of the longest message, after all earlier messages.
    void Send(Rank to, const void* data, std::uint32_t length);

    /// Sets @p timer to expire at Now() + @p after; replaces an earlier setting.
    void SetTimer(TimerId timer, Ps after);

    void CancelTimer(TimerId timer);

    /// The program has failed: the process ends with this step, and reports @p why.
    void Fail(const std::string& why, int code)
    {
        m_process.Fail(why, code);
    }

    /// The time of the process.
    Ps Now() const
    {
        return m_process.Clock().at;
    }

    /// Runs the next step of the process.
    void Step();

    /// Step() of the loop with @p path will be called soon: @p hint is SOON, NEXT or NOW.
    static void PrefetchStep(Hint hint, const MessagePath* path)
    {
        if (hint == Hint::SOON)
        {
            PrefetchUpTo(path, reinterpret_cast<const char*>(path) + PATH_BYTES);
        }
        else
        {
            path->Prefetch(hint);
        }
    }

    /// Handles the alarm. @return true if a timer has expired, so that a step is needed
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
    /**
     * @brief After this time without credits those under way count as lost.
     *
     * The shortest of the protocols' usual time-outs: what waits is not much later than what is
     * sent again, and a receiver that is only slow has returned credits before.
     */
    static constexpr Ps REOPEN_AFTER = 10 * PS_PER_MS;

    /// A path keeps the data that each message needs in its first bytes.
    static constexpr std::size_t PATH_BYTES = 320;

    struct Letter
    {
        Rank to{0}; ///< or the sender
        MessageCopy message;
    };

    /// The state of a peer's window.
    struct Credit
    {
        Rank peer;
        std::uint32_t left;    ///< messages that may still be sent to it
        std::uint32_t taken;   ///< messages taken from it and not yet credited
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
    void AwaitCredit(Credit& credit);
    void SendWaiting(Credit& credit);
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
    std::uint32_t m_least; ///< shorter messages are padded
    std::uint32_t m_most;
    bool m_started{false};
    bool m_posted{false}; ///< true: this step has posted a message
    bool m_crashed{false};
    std::uint64_t m_sent{0};
    std::uint64_t m_received{0};
    FaultHits m_hits;
    std::uint32_t m_window{0};     ///< 0: no limit
    std::vector<Credit> m_credits; ///< by peer
    std::list<Letter> m_waiting;   ///< messages that wait for credits
    Ring<Letter> m_outbox;
    std::unique_ptr<Letter> m_late; ///< message held back because this process is slow, or null
    std::vector<Timer> m_timers;    ///< ordered by due time
    Ps m_alarm{PS_NEVER};
    Ps m_limit{PS_NEVER};
};

} // namespace via
} // namespace ns3

#endif // VIA_MESSAGE_LOOP_H
