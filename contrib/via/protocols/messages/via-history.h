/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
// What the processes of a protocol report: rounds with their times, and events for the checkers.

#ifndef VIA_HISTORY_H
#define VIA_HISTORY_H

#include "ns3/via-time.h"

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

namespace ns3
{
namespace via
{

/// Number of a process among those that run a protocol: 0 .. size - 1.
using Rank = std::uint32_t;

/// What a process can report beside its rounds.
enum class EventKind : std::uint8_t
{
    PROPOSE, ///< key: round or slot; value: what it wants
    VOTE,    ///< key: transaction; value: 1 for yes
    DECIDE,  ///< key: round, slot or transaction; value: what it holds for decided
    DELIVER, ///< key: position in this process' order; value: the message
    LEAD,    ///< key: term; value: of no meaning
    ACQUIRE, ///< key: lock
    RELEASE, ///< key: lock
    SUSPECT, ///< key: the process that is held for dead
    VIEW,    ///< key: number of the view; value: who is in it, see HashOfMembers
};

/// The name of @p kind, as in tables: "decide".
const char* EventName(EventKind kind);

/// One reported event.
struct HistoryEvent
{
    Ps at{0};
    Rank rank{0};
    EventKind kind{EventKind::DECIDE};
    std::uint64_t key{0};
    std::uint64_t value{0};
};

/// When processes came to, and left, a round.
struct RoundTimes
{
    Ps firstEntry{PS_NEVER};
    Ps lastEntry{0};
    Ps firstExit{PS_NEVER};
    Ps lastExit{0};
    std::uint32_t entries{0};
    std::uint32_t exits{0};
};

/// From when to when a round is timed.
enum class RoundSpan
{
    LAST_ENTRY_TO_LAST_EXIT,  ///< barriers: the latest process is not waited for
    FIRST_ENTRY_TO_LAST_EXIT, ///< until everybody knows
    FIRST_ENTRY_TO_FIRST_EXIT ///< until whoever asked knows
};

/**
 * @brief The log of one run of a protocol. It costs no simulated time.
 *
 * Events are kept in the order in which they were reported. Their times are those of the
 * processes' clocks, which may be a little ahead of each other: who needs an order between
 * processes sorts by time.
 */
class History
{
  public:
    /// @param processes that have to Finish() before the run is over
    explicit History(std::uint32_t processes);

    void Enter(std::uint64_t round, Ps at);
    void Leave(std::uint64_t round, Ps at);

    /// What other processes of the same run say of rounds 0, 1, ...
    void AddRounds(const std::vector<RoundTimes>& more);

    void Note(const HistoryEvent& event)
    {
        m_events.push_back(event);
    }

    /// @p rank has done its part, or never will. Again: no effect.
    void Finish(Rank rank);

    /**
     * @brief Where processes are on several ranks it is not known at once that one has finished:
     * @p onFinish is told, and has NoteFinished called later, on all ranks.
     */
    void SetOnFinish(std::function<void(Rank)> onFinish)
    {
        m_onFinish = std::move(onFinish);
    }

    /// One more has finished or crashed.
    void NoteFinished();

    /// @p rank will finish no more: it has crashed.
    void Crash(Rank rank);

    /// True when everybody has finished or crashed.
    bool IsOver() const
    {
        return m_open == 0;
    }

    /// Called once, when the run is over.
    void SetOnOver(std::function<void()> onOver)
    {
        m_onOver = std::move(onOver);
    }

    const std::vector<RoundTimes>& Rounds() const
    {
        return m_rounds;
    }

    const std::vector<HistoryEvent>& Events() const
    {
        return m_events;
    }

    std::uint32_t ProcessCount() const
    {
        return static_cast<std::uint32_t>(m_finished.size());
    }

    /// The processes that crashed, in the order in which they did.
    const std::vector<Rank>& Crashed() const
    {
        return m_crashed;
    }

    /// The times of all rounds that were entered and left, in ps.
    std::vector<Ps> Durations(RoundSpan span) const;

    /// Events of @p kind.
    std::uint64_t Count(EventKind kind) const;

  private:
    RoundTimes& At(std::uint64_t round);

    std::vector<RoundTimes> m_rounds;
    std::vector<HistoryEvent> m_events;
    std::vector<bool> m_finished; ///< by rank
    std::vector<Rank> m_crashed;
    std::uint32_t m_open;
    std::function<void(Rank)> m_onFinish; ///< empty: what it is told is known at once
    std::function<void()> m_onOver;
};

} // namespace via
} // namespace ns3

#endif // VIA_HISTORY_H
