/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
// What the partitions of a run recorded and counted: as bytes, and joined as if one had done all.

#include "via-partition-records.h"

#include "ns3/abort.h"
#include "ns3/via-cluster.h"
#include "ns3/via-partition-bytes.h"
#include "ns3/via-run-control.h"

#include <algorithm>
#include <deque>
#include <map>
#include <utility>

namespace ns3
{
namespace via
{

namespace
{

/// The spans of all logs, with the numbers that they have in one.
SpanLog
JoinSpans(std::vector<SpanLog> logs, const SpanNumbers& numbers)
{
    SpanLog all;
    all.Enable();
    for (SpanLog& log : logs)
    {
        RunControl::Check();
        for (Span span : std::exchange(log, SpanLog()).Unpack())
        {
            span.parent = numbers.Of(span.parent);
            all.Add(span);
        }
    }
    return all;
}

/// Adds the messages of @p ends, which are those of all partitions, to @p messages: what was sent
/// first is received first, unless it was lost.
void
JoinSocketEnds(const std::vector<SocketMessageEnd>& ends, MessageRecords& messages)
{
    std::map<std::pair<std::uint32_t, std::uint32_t>, std::deque<const SocketMessageEnd*>> sent;
    for (const SocketMessageEnd& end : ends)
    {
        if (!end.isReceived)
        {
            sent[{end.from, end.to}].push_back(&end);
        }
    }
    for (const SocketMessageEnd& end : ends)
    {
        if (!end.isReceived)
        {
            continue;
        }
        auto& letters = sent[{end.from, end.to}];
        const auto letter = std::find_if(letters.begin(), letters.end(), [&end](const auto* one) {
            return one->IsOf(end);
        });
        NS_ABORT_MSG_IF(letter == letters.end(),
                        "process " << end.to << " received a message that nobody sent");
        messages.push_back(end.record);
        messages.back().origin = (*letter)->record.origin;
        letters.erase(letter);
    }
}

RunCounters
CountersFrom(const std::vector<std::uint8_t>& share)
{
    PartitionReader reader(share);
    RunCounters counters;
    counters.links = reader.Get<LinkRow>();
    counters.ports = reader.Get<PortRow>();
    counters.cards = reader.Get<CardRow>();
    return counters;
}

} // namespace

std::vector<std::uint8_t>
RecordsOfPartition(Cluster& cluster)
{
    const RunLog log = cluster.TakeLog();
    PartitionWriter writer;
    writer.Put(std::vector<std::uint32_t>{log.Hosts()});
    writer.Put(std::vector<MessageRecord>(log.Messages().begin(), log.Messages().end()));
    writer.Put(cluster.GetWorld().messages.SocketEnds());
    writer.Put(log.Spans().Pack());
    return writer.Bytes();
}

RunLog
JoinRecords(const std::vector<std::vector<std::uint8_t>>& shares)
{
    std::uint32_t hosts = 0;
    MessageRecords messages;
    std::vector<SocketMessageEnd> ends;
    std::vector<SpanLog> logs;
    std::vector<std::size_t> counts;
    for (const std::vector<std::uint8_t>& bytes : shares)
    {
        PartitionReader reader(bytes);
        hosts = reader.Get<std::uint32_t>().at(0);
        const auto own = reader.Get<MessageRecord>();
        messages.insert(messages.end(), own.begin(), own.end());
        const auto kept = reader.Get<SocketMessageEnd>();
        ends.insert(ends.end(), kept.begin(), kept.end());
        logs.emplace_back().Restore(reader.Get<std::uint32_t>());
        counts.push_back(logs.back().Count());
    }
    JoinSocketEnds(ends, messages);
    const SpanNumbers numbers(counts);
    for (MessageRecord& record : messages)
    {
        record.origin.program = numbers.Of(record.origin.program);
        record.last = numbers.Of(record.last);
    }
    return {std::move(messages), JoinSpans(std::move(logs), numbers), hosts};
}

std::vector<std::uint8_t>
CountersOfPartition(Cluster& cluster)
{
    const RunCounters counters = RunCounters::Of(cluster);
    PartitionWriter writer;
    writer.Put(counters.links);
    writer.Put(counters.ports);
    writer.Put(counters.cards);
    return writer.Bytes();
}

RunCounters
JoinCounters(const std::vector<std::vector<std::uint8_t>>& shares)
{
    RunCounters all = CountersFrom(shares.at(0));
    for (std::size_t i = 1; i < shares.size(); ++i)
    {
        all.Add(CountersFrom(shares[i]));
    }
    return all;
}

} // namespace via
} // namespace ns3
