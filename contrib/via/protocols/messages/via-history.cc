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
    : m_words((processes + WORD_BITS - 1) / WORD_BITS),
      m_finished(processes, false),
      m_open(processes)
{
}

RoundTimes&
History::At(std::uint64_t round)
{
    if (round >= m_rounds.size())
    {
        m_rounds.resize(round + 1);
        m_left.resize(m_rounds.size() * m_words);
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
History::Leave(std::uint64_t round, Rank rank, Ps at)
{
    RoundTimes& times = At(round);
    Add(rank, &m_left[round * m_words]);
    times.firstExit = std::min(times.firstExit, at);
    times.lastExit = std::max(times.lastExit, at);
    ++times.exits;
}

void
History::AddRounds(const std::vector<RoundTimes>& more, const std::vector<std::uint64_t>& left)
{
    NS_ABORT_MSG_IF(left.size() != more.size() * m_words, "the histories of two runs");
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
    for (std::size_t word = 0; word < left.size(); ++word)
    {
        m_left[word] |= left[word];
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

void
History::Add(Rank rank, std::uint64_t* processes)
{
    processes[rank / WORD_BITS] |= std::uint64_t{1} << rank % WORD_BITS;
}

History::Processes
History::Make(const std::vector<Rank>& ranks) const
{
    Processes made(m_words);
    for (const Rank rank : ranks)
    {
        Add(rank, made.data());
    }
    return made;
}

std::vector<Rank>
History::Ended(bool have) const
{
    std::vector<Rank> ranks;
    for (Rank rank = 0; rank < ProcessCount(); ++rank)
    {
        if (m_finished[rank] == have)
        {
            ranks.push_back(rank);
        }
    }
    return ranks;
}

bool
History::IsComplete(std::size_t round, const Processes& open, const Processes& crashed) const
{
    const std::uint64_t* left = &m_left[round * m_words];
    bool survives = false;
    for (std::uint32_t word = 0; word < m_words; ++word)
    {
        if ((open[word] & ~left[word]) != 0)
        {
            return false;
        }
        survives = survives || (left[word] & ~crashed[word]) != 0;
    }
    return survives;
}

std::vector<Ps>
History::Durations(RoundSpan span) const
{
    const bool last = span == RoundSpan::LAST_ENTRY_TO_LAST_EXIT;
    const bool first = span == RoundSpan::FIRST_ENTRY_TO_FIRST_EXIT;
    const Processes open = Make(Ended(false));
    const Processes crashed = Make(m_crashed);
    std::vector<Ps> durations;
    for (std::size_t round = 0; round < m_rounds.size(); ++round)
    {
        const RoundTimes& one = m_rounds[round];
        const bool isOver = first ? one.exits > 0 : IsComplete(round, open, crashed);
        if (one.entries == 0 || !isOver)
        {
            continue;
        }
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
