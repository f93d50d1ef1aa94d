/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
// The reports of a protocol's processes: rounds with times, and events for the checkers.

#include "via-history.h"

#include "ns3/abort.h"

#include <algorithm>

namespace ns3
{
namespace via
{

const char*
EventName(EventKind kind)
{
    switch (kind)
    {
    case EventKind::PROPOSE:
        return "propose";
    case EventKind::VOTE:
        return "vote";
    case EventKind::DECIDE:
        return "decide";
    case EventKind::DELIVER:
        return "deliver";
    case EventKind::LEAD:
        return "lead";
    case EventKind::ACQUIRE:
        return "acquire";
    case EventKind::RELEASE:
        return "release";
    case EventKind::SUSPECT:
        return "suspect";
    case EventKind::VIEW:
        return "view";
    }
    NS_ABORT_MSG("an event of unknown kind");
}

History::History(std::uint32_t processes)
    : m_finished(processes, false),
      m_open(processes)
{
}

RoundTimes&
History::At(std::uint64_t round)
{
    if (round >= m_rounds.size())
    {
        m_rounds.resize(round + 1);
    }
    return m_rounds[round];
}

void
History::Enter(std::uint64_t round, Ps at)
{
    RoundTimes& times = At(round);
    times.firstEntry = std::min(times.firstEntry, at);
    times.lastEntry = std::max(times.lastEntry, at);
    ++times.entries;
}

void
History::Leave(std::uint64_t round, Ps at)
{
    RoundTimes& times = At(round);
    times.firstExit = std::min(times.firstExit, at);
    times.lastExit = std::max(times.lastExit, at);
    ++times.exits;
}

void
History::AddRounds(const std::vector<RoundTimes>& more)
{
    for (std::size_t round = 0; round < more.size(); ++round)
    {
        const RoundTimes& one = more[round];
        RoundTimes& all = At(round);
        all.firstEntry = std::min(all.firstEntry, one.firstEntry);
        all.lastEntry = std::max(all.lastEntry, one.lastEntry);
        all.firstExit = std::min(all.firstExit, one.firstExit);
        all.lastExit = std::max(all.lastExit, one.lastExit);
        all.entries += one.entries;
        all.exits += one.exits;
    }
}

void
History::Finish(Rank rank)
{
    if (m_finished[rank])
    {
        return;
    }
    m_finished[rank] = true;
    m_onFinish ? m_onFinish(rank) : NoteFinished();
}

void
History::NoteFinished()
{
    if (--m_open == 0 && m_onOver)
    {
        m_onOver();
    }
}

void
History::Crash(Rank rank)
{
    m_crashed.push_back(rank);
    Finish(rank);
}

std::vector<Ps>
History::Durations(RoundSpan span) const
{
    std::vector<Ps> durations;
    for (const RoundTimes& one : m_rounds)
    {
        if (one.entries == 0 || one.exits == 0)
        {
            continue;
        }
        const bool last = span == RoundSpan::LAST_ENTRY_TO_LAST_EXIT;
        const bool first = span == RoundSpan::FIRST_ENTRY_TO_FIRST_EXIT;
        durations.push_back((first ? one.firstExit : one.lastExit) -
                            (last ? one.lastEntry : one.firstEntry));
    }
    return durations;
}

std::uint64_t
History::Count(EventKind kind) const
{
    return static_cast<std::uint64_t>(
        std::count_if(m_events.begin(), m_events.end(), [kind](const HistoryEvent& event) {
            return event.kind == kind;
        }));
}

} // namespace via
} // namespace ns3
