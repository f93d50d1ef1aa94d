/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
// What a run recorded: messages and spans, and the critical paths that can be found in them.

#include "via-run-log.h"

#include "ns3/via-run-control.h"

#include <algorithm>
#include <map>
#include <tuple>
#include <utility>

namespace ns3
{
namespace via
{

namespace
{

/// The path from @p from on; gaps are waits for the stack's queues and timers.
std::vector<Span>
WithWaits(const std::vector<Span>& path, Ps from)
{
    std::vector<Span> whole;
    for (Span span : path)
    {
        if (span.start > from)
        {
            whole.push_back(
                {from, span.start, 0, 0, 0, span.component, Stage::BLOCKED, Engine::PROGRAM});
        }
        span.start = std::max(span.start, from);
        if (span.end > span.start)
        {
            whole.push_back(span);
            from = span.end;
        }
    }
    return whole;
}

/// The messages by sender and by the time of their post.
std::vector<const MessageRecord*>
InOrderOfPosts(const MessageRecords& messages)
{
    std::vector<const MessageRecord*> order;
    order.reserve(messages.size());
    for (const MessageRecord& record : messages)
    {
        order.push_back(&record);
    }
    std::stable_sort(order.begin(), order.end(), [](const auto* a, const auto* b) {
        return std::tie(a->origin.rank, a->origin.posted) <
               std::tie(b->origin.rank, b->origin.posted);
    });
    return order;
}

/// Finds paths message by message; each message may have the program's time before it.
class PathFinder
{
  public:
    PathFinder(const std::vector<Span>& spans, CriticalPaths& paths)
        : m_spans(spans),
          m_paths(paths)
    {
    }

    void Add(const MessageRecord& record)
    {
        const MessageOrigin& origin = record.origin;
        PathFrame frame;
        frame.sourceRank = origin.rank;
        frame.destinationRank = origin.rank;
        frame.op = "program";
        const Ps programFrom = std::max(origin.programFrom, m_told[origin.rank]);
        if (programFrom < origin.posted)
        {
            frame.sequence = m_programs[origin.rank]++;
            frame.message =
                std::to_string(origin.rank) + ".program." + std::to_string(frame.sequence);
            AddPath(frame, PathTo(m_spans, origin.program, programFrom), programFrom);
            m_told[origin.rank] = origin.posted;
        }
        frame.message = MessageName(origin.rank, record.vi, origin.sequence);
        frame.destinationRank = record.destinationRank;
        frame.vi = record.vi;
        frame.sequence = origin.sequence;
        frame.op = PacketKindName(record.kind);
        frame.bytes = record.bytes;
        const std::vector<Span> path = PathTo(m_spans, record.last, origin.posted);
        const bool isSocket = record.kind == PacketKind::DATAGRAM;
        AddPath(frame, isSocket ? WithWaits(path, origin.posted) : path, origin.posted);
    }

  private:
    void AddPath(const PathFrame& frame, const std::vector<Span>& path, Ps from)
    {
        const auto number = static_cast<std::uint32_t>(m_paths.frames.size());
        m_paths.frames.push_back(frame);
        for (const Span& span : path)
        {
            m_paths.steps.push_back({number,
                                     span.component,
                                     span.stage,
                                     span.engine,
                                     span.hz,
                                     span.cycles,
                                     std::max(span.start, from),
                                     span.end});
        }
    }

    const std::vector<Span>& m_spans;
    CriticalPaths& m_paths;
    std::map<std::uint32_t, std::uint32_t> m_programs; ///< program rows so far, by rank
    std::map<std::uint32_t, Ps> m_told; ///< end of the program time reported so far, by rank
};

/// Sorts frames by name, and steps by frame and start. Frames of one name become neighbours whose
/// steps are sorted together.
void
SortByName(CriticalPaths& paths)
{
    std::vector<std::uint32_t> order(paths.frames.size());
    for (std::uint32_t i = 0; i < order.size(); ++i)
    {
        order[i] = i;
    }
    std::stable_sort(order.begin(), order.end(), [&](std::uint32_t a, std::uint32_t b) {
        return paths.frames[a].message < paths.frames[b].message;
    });
    std::vector<PathFrame> frames;
    frames.reserve(order.size());
    std::vector<std::uint32_t> groupOf(order.size()); // by old number: frames of one name share one
    std::vector<std::uint32_t> numberOf(order.size());
    std::uint32_t group = 0;
    for (const std::uint32_t old : order)
    {
        group += !frames.empty() && frames.back().message != paths.frames[old].message ? 1 : 0;
        groupOf[old] = group;
        numberOf[old] = static_cast<std::uint32_t>(frames.size());
        frames.push_back(std::move(paths.frames[old]));
    }
    RunControl::Check();
    std::stable_sort(paths.steps.begin(),
                     paths.steps.end(),
                     [&](const PathStep& a, const PathStep& b) {
                         return std::tie(groupOf[a.frame], a.start) <
                                std::tie(groupOf[b.frame], b.start);
                     });
    for (PathStep& step : paths.steps)
    {
        step.frame = numberOf[step.frame];
    }
    paths.frames = std::move(frames);
}

} // namespace

RunLog::RunLog(MessageRecords messages, SpanLog spans, std::uint32_t hosts)
    : m_messages(std::move(messages)),
      m_spans(std::move(spans)),
      m_hosts(hosts)
{
    SortByEnd(m_messages);
}

std::vector<Span>
RunLog::SpansInOrder() const
{
    std::vector<Span> spans = m_spans.Unpack();
    const auto place = [](const Span& span) {
        return std::tie(span.start,
                        span.end,
                        span.component,
                        span.engine,
                        span.stage,
                        span.cycles,
                        span.hz);
    };
    std::sort(spans.begin(), spans.end(), [&place](const Span& a, const Span& b) {
        return place(a) < place(b);
    });
    return spans;
}

void
SortByEnd(MessageRecords& messages)
{
    const auto isBefore = [](const MessageRecord& a, const MessageRecord& b) {
        return std::tie(a.end, a.origin.rank, a.vi, a.origin.sequence) <
               std::tie(b.end, b.origin.rank, b.vi, b.origin.sequence);
    };
    if (!std::is_sorted(messages.begin(), messages.end(), isBefore))
    {
        std::stable_sort(messages.begin(), messages.end(), isBefore);
    }
}

std::string
OwnerName(std::uint32_t component, Engine engine, std::uint32_t hosts)
{
    const std::string name = component < hosts ? "n" + std::to_string(component)
                                               : "s" + std::to_string(component - hosts);
    return name + "." + EngineName(engine);
}

std::string
MessageName(std::uint32_t rank, std::uint32_t vi, std::uint32_t sequence)
{
    return std::to_string(rank) + "." + std::to_string(vi) + "." + std::to_string(sequence);
}

MessageRow
MakeMessageRow(const MessageRecord& record)
{
    return {record.origin.rank,
            record.destinationRank,
            record.vi,
            record.origin.sequence,
            PacketKindName(record.kind),
            record.bytes,
            record.dropped,
            record.origin.posted,
            record.end};
}

std::vector<MessageRow>
MessageRows(const MessageRecords& messages)
{
    std::vector<MessageRow> rows;
    rows.reserve(messages.size());
    for (const MessageRecord& record : messages)
    {
        rows.push_back(MakeMessageRow(record));
    }
    return rows;
}

CriticalPaths
FindCriticalPaths(const MessageRecords& messages, const SpanLog& spans)
{
    CriticalPaths paths;
    {
        const std::vector<Span> all = spans.Unpack();
        PathFinder finder(all, paths);
        for (const MessageRecord* record : InOrderOfPosts(messages))
        {
            RunControl::Check();
            finder.Add(*record);
        }
    }
    SortByName(paths);
    return paths;
}

std::vector<BreakdownRow>
BreakdownRows(const CriticalPaths& paths, std::uint32_t hosts)
{
    std::vector<BreakdownRow> rows;
    rows.reserve(paths.steps.size());
    for (const PathStep& step : paths.steps)
    {
        const PathFrame& frame = paths.frames[step.frame];
        rows.push_back({frame.message,
                        frame.sourceRank,
                        frame.destinationRank,
                        frame.vi,
                        frame.sequence,
                        frame.op,
                        frame.bytes,
                        StageName(step.stage),
                        OwnerName(step.component, step.engine, hosts),
                        step.clockHz,
                        step.cycles,
                        step.start,
                        step.end});
    }
    return rows;
}

} // namespace via
} // namespace ns3
