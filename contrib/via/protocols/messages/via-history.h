/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
// The reports of a protocol's processes: rounds with times, and events for the checkers.

#ifndef VIA_HISTORY_H
#define VIA_HISTORY_H

#include "ns3/via-time.h"

#include <algorithm>
#include <cstdint>
#include <functional>
#include <string>
#include <vector>

namespace ns3
{
namespace via
{

/// Number of a process of a protocol: 0 .. size - 1.
using Rank = std::uint32_t;

/// Events that a process can report besides its rounds.
enum class EventKind : std::uint8_t
{
    PROPOSE, ///< key: round or slot; value: the proposal
    VOTE,    ///< key: transaction; value: 1 for yes
    DECIDE,  ///< key: round, slot or transaction; value: the decision
    DELIVER, ///< key: position in this process' order; value: the message
    LEAD,    ///< key: term; value: unused
    ACQUIRE, ///< key: lock
    RELEASE, ///< key: lock
    SUSPECT, ///< key: the suspected process
    VIEW,    ///< key: number of the view; value: its members, see HashOfMembers
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

/// When processes entered and left a round.
struct RoundTimes
{
    Ps firstEntry{PS_NEVER};
    Ps lastEntry{0};
    Ps firstExit{PS_NEVER};
    Ps lastExit{0};
    std::uint32_t entries{0};
    std::uint32_t exits{0};
};

/// The interval that counts as the time of a round, if it has been entered and has come to its end.
/// Up to its last exit that means: each process has left it, or has crashed, or has finished
/// without it, and one that has left it has not crashed.
enum class RoundSpan
{
    LAST_ENTRY_TO_LAST_EXIT,  ///< barriers: excludes the wait for the last process
    FIRST_ENTRY_TO_LAST_EXIT, ///< until all processes have completed it
    FIRST_ENTRY_TO_FIRST_EXIT ///< until the process that asked has its answer
};

/**
 * @brief The log of one run of a protocol. It costs no simulated time.
 *
 * Events are kept in the order of their reports. Their times come from the processes' clocks, which
 * may be slightly ahead of each other: sort by time to order events of different processes.
 */
class History
{
  public:
    /// @param processes number of processes that must Finish() before the run is over
    explicit History(std::uint32_t processes);

    void Enter(std::uint64_t round, Ps at);
    void Leave(std::uint64_t round, Rank rank, Ps at);

    /// Merges what other processes of the same run report for rounds 0, 1, ...
    /// @param left as Left()
    void AddRounds(const std::vector<RoundTimes>& more, const std::vector<std::uint64_t>& left);

    void Note(const HistoryEvent& event)
    {
        m_events.push_back(event);
    }

    /// @p rank has finished, or never will. Repeated calls have no effect.
    void Finish(Rank rank);

    /**
     * @brief The end of a process becomes known later: Finish() calls @p onFinish, which arranges
     * that NoteFinished is called, on all partitions.
     */
    void SetOnFinish(std::function<void(Rank)> onFinish)
    {
        m_onFinish = std::move(onFinish);
    }

    /// One more process has finished or crashed.
    void NoteFinished();

    /// @p rank has crashed and will not finish.
    void Crash(Rank rank);

    /// Whether @p rank has done its part: others may still need its answers.
    bool HasFinished(Rank rank) const
    {
        return m_finished[rank] && !HasCrashed(rank);
    }

    bool HasCrashed(Rank rank) const
    {
        return std::find(m_crashed.begin(), m_crashed.end(), rank) != m_crashed.end();
    }

    /// True when all processes have finished or crashed.
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

    /// For each round, a bit for each process: whether it has left the round.
    const std::vector<std::uint64_t>& Left() const
    {
        return m_left;
    }

    const std::vector<HistoryEvent>& Events() const
    {
        return m_events;
    }

    std::uint32_t ProcessCount() const
    {
        return static_cast<std::uint32_t>(m_finished.size());
    }

    /// The processes that crashed, in that order.
    const std::vector<Rank>& Crashed() const
    {
        return m_crashed;
    }

    /// The processes that have finished or crashed; not @p have: all others.
    std::vector<Rank> Ended(bool have = true) const;

    /// The durations of all rounds that have come to their end, in ps.
    std::vector<Ps> Durations(RoundSpan span) const;

    /// Number of events of @p kind.
    std::uint64_t Count(EventKind kind) const;

  private:
    /// A bit for each process.
    using Processes = std::vector<std::uint64_t>;
    static constexpr std::uint32_t WORD_BITS = 64;

    RoundTimes& At(std::uint64_t round);
    static void Add(Rank rank, std::uint64_t* processes);
    Processes Make(const std::vector<Rank>& ranks) const;
    /// Have all processes left @p round that must?
    bool IsComplete(std::size_t round, const Processes& open, const Processes& crashed) const;

    std::uint32_t m_words; ///< of a bit for each process
    std::vector<RoundTimes> m_rounds;
    std::vector<std::uint64_t> m_left; ///< m_words for each round
    std::vector<HistoryEvent> m_events;
    std::vector<bool> m_finished; ///< by rank
    std::vector<Rank> m_crashed;
    std::uint32_t m_open;
    std::function<void(Rank)> m_onFinish; ///< empty: Finish() takes effect at once
    std::function<void()> m_onOver;
};

} // namespace via
} // namespace ns3

#endif // VIA_HISTORY_H
