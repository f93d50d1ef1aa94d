/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
// Checks properties that must hold in every run of a protocol, despite any faults.

#include "via-checkers.h"

#include <algorithm>
#include <map>
#include <set>
#include <sstream>
#include <utility>

namespace ns3
{
namespace via
{

namespace
{

/// Formats a violation.
template <class... T>
std::string
Say(const T&... parts)
{
    std::ostringstream text;
    (text << ... << parts);
    return text.str();
}

/// Calls @p visit with each event of @p kind, until it returns a violation.
template <class V>
std::string
Visit(const History& history, EventKind kind, V visit)
{
    for (const HistoryEvent& event : history.Events())
    {
        if (event.kind == kind)
        {
            std::string said = visit(event);
            if (!said.empty())
            {
                return said;
            }
        }
    }
    return {};
}

/// (key, value) of all events of @p kind.
std::set<std::pair<std::uint64_t, std::uint64_t>>
PairsOf(const History& history, EventKind kind)
{
    std::set<std::pair<std::uint64_t, std::uint64_t>> pairs;
    for (const HistoryEvent& event : history.Events())
    {
        if (event.kind == kind)
        {
            pairs.emplace(event.key, event.value);
        }
    }
    return pairs;
}

} // namespace

std::string
CheckBarrier(const History& history)
{
    for (std::size_t round = 0; round < history.Rounds().size(); ++round)
    {
        const RoundTimes& times = history.Rounds()[round];
        if (times.exits > 0 &&
            (times.entries < history.ProcessCount() || times.firstExit < times.lastEntry))
        {
            return Say("barrier ", round, ": a process left before all had entered");
        }
    }
    return {};
}

std::string
CheckAgreement(const History& history)
{
    std::map<std::uint64_t, HistoryEvent> first;
    std::set<std::pair<std::uint64_t, Rank>> decided;
    return Visit(history, EventKind::DECIDE, [&](const HistoryEvent& event) {
        const HistoryEvent& other = first.emplace(event.key, event).first->second;
        if (other.value != event.value)
        {
            return Say("agreement: process ",
                       other.rank,
                       " decided ",
                       other.value,
                       " for ",
                       event.key,
                       ", process ",
                       event.rank,
                       " decided ",
                       event.value);
        }
        return decided.emplace(event.key, event.rank).second
                   ? std::string()
                   : Say("agreement: process ", event.rank, " decided ", event.key, " twice");
    });
}

std::string
CheckValidity(const History& history)
{
    const auto proposed = PairsOf(history, EventKind::PROPOSE);
    return Visit(history, EventKind::DECIDE, [&](const HistoryEvent& event) {
        return proposed.count({event.key, event.value}) > 0 ? std::string()
                                                            : Say("validity: process ",
                                                                  event.rank,
                                                                  " decided ",
                                                                  event.value,
                                                                  " for ",
                                                                  event.key,
                                                                  ", which nobody proposed");
    });
}

std::string
CheckAtomicity(const History& history)
{
    std::map<std::uint64_t, std::set<Rank>> yes;
    for (const HistoryEvent& event : history.Events())
    {
        if (event.kind == EventKind::VOTE && event.value == 1)
        {
            yes[event.key].insert(event.rank);
        }
    }
    return Visit(history, EventKind::DECIDE, [&](const HistoryEvent& event) {
        const bool all = yes[event.key].size() == history.ProcessCount();
        return event.value == 0 || all ? std::string()
                                       : Say("atomicity: process ",
                                             event.rank,
                                             " committed ",
                                             event.key,
                                             ", to which only ",
                                             yes[event.key].size(),
                                             " of ",
                                             history.ProcessCount(),
                                             " voted yes");
    });
}

std::string
CheckTotalOrder(const History& history)
{
    std::set<std::uint64_t> proposed;
    for (const auto& pair : PairsOf(history, EventKind::PROPOSE))
    {
        proposed.insert(pair.second);
    }
    std::vector<std::uint64_t> next(history.ProcessCount(), 0);
    std::map<std::uint64_t, std::uint64_t> order; // position to value
    std::map<std::uint64_t, std::uint64_t> place; // value to position
    return Visit(history, EventKind::DELIVER, [&](const HistoryEvent& event) {
        if (event.key != next[event.rank]++)
        {
            return Say("total order: process ",
                       event.rank,
                       " delivered position ",
                       event.key,
                       " instead of ",
                       next[event.rank] - 1);
        }
        if (order.emplace(event.key, event.value).first->second != event.value ||
            place.emplace(event.value, event.key).first->second != event.key)
        {
            return Say("total order: process ",
                       event.rank,
                       " delivered ",
                       event.value,
                       " at position ",
                       event.key,
                       ", another process did not");
        }
        return proposed.count(event.value) > 0
                   ? std::string()
                   : Say("total order: ", event.value, " was delivered, but never sent");
    });
}

std::string
CheckOneLeader(const History& history)
{
    std::map<std::uint64_t, Rank> leaders;
    return Visit(history, EventKind::LEAD, [&](const HistoryEvent& event) {
        const Rank leader = leaders.emplace(event.key, event.rank).first->second;
        return leader == event.rank
                   ? std::string()
                   : Say("term ", event.key, " has two leaders, ", leader, " and ", event.rank);
    });
}

std::string
CheckMutualExclusion(const History& history)
{
    std::vector<HistoryEvent> events;
    for (const HistoryEvent& event : history.Events())
    {
        if (event.kind == EventKind::ACQUIRE || event.kind == EventKind::RELEASE)
        {
            events.push_back(event);
        }
    }
    std::stable_sort(events.begin(), events.end(), [](const auto& a, const auto& b) {
        return a.at < b.at;
    });
    std::map<std::uint64_t, Rank> holders;
    for (const HistoryEvent& event : events)
    {
        const bool held = holders.count(event.key) > 0;
        if (event.kind == EventKind::RELEASE)
        {
            holders.erase(event.key);
        }
        else if (held)
        {
            return Say("lock ",
                       event.key,
                       ": process ",
                       event.rank,
                       " holds it while process ",
                       holders[event.key],
                       " holds it");
        }
        else
        {
            holders[event.key] = event.rank;
        }
    }
    return {};
}

std::string
CheckViews(const History& history)
{
    std::map<std::uint64_t, std::uint64_t> members;
    std::map<Rank, std::uint64_t> last;
    return Visit(history, EventKind::VIEW, [&](const HistoryEvent& event) {
        if (members.emplace(event.key, event.value).first->second != event.value)
        {
            return Say("view ", event.key, " has other members at process ", event.rank);
        }
        const auto before = last.find(event.rank);
        if (before != last.end() && before->second >= event.key)
        {
            return Say("process ",
                       event.rank,
                       " went from view ",
                       before->second,
                       " to ",
                       event.key);
        }
        last[event.rank] = event.key;
        return std::string();
    });
}

std::string
CheckSum(const History& history)
{
    std::map<std::uint64_t, std::uint64_t> sums;
    for (const HistoryEvent& event : history.Events())
    {
        if (event.kind == EventKind::PROPOSE)
        {
            sums[event.key] += event.value;
        }
    }
    return Visit(history, EventKind::DECIDE, [&](const HistoryEvent& event) {
        return event.value == sums[event.key] ? std::string()
                                              : Say("round ",
                                                    event.key,
                                                    ": process ",
                                                    event.rank,
                                                    " has ",
                                                    event.value,
                                                    " instead of ",
                                                    sums[event.key]);
    });
}

} // namespace via
} // namespace ns3
