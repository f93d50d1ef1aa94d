/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
// What a run has recorded, as dictionaries of columns.

#include "via-columns.h"
#include "via-table-columns.h"

#include "ns3/via-run-control.h"

#include <cstdint>
#include <string>
#include <vector>

namespace py = pybind11;

namespace ns3
{
namespace via
{

namespace
{

using U32 = std::uint32_t;
using U64 = std::uint64_t;

/// The columns that messages and their stages share.
template <class Row>
py::dict
ColumnsOfMessage(const std::vector<Row>& rows)
{
    py::dict table;
    table["src_rank"] = NumberColumn<U32>(rows, [](const Row& row) { return row.sourceRank; });
    table["dst_rank"] = NumberColumn<U32>(rows, [](const Row& row) { return row.destinationRank; });
    table["vi"] = NumberColumn<U32>(rows, [](const Row& row) { return row.vi; });
    table["seq"] = NumberColumn<U32>(rows, [](const Row& row) { return row.sequence; });
    table["op"] = TextColumn(rows, [](const Row& row) { return row.op; });
    table["bytes"] = NumberColumn<U32>(rows, [](const Row& row) { return row.bytes; });
    return table;
}

/// As in the breakdown.
std::string
MessageName(const MessageRow& row)
{
    return std::to_string(row.sourceRank) + "." + std::to_string(row.vi) + "." +
           std::to_string(row.sequence);
}

/// Hosts come first among the components, then switches.
std::string
OwnerName(const Span& span, U32 hosts)
{
    const std::string component = span.component < hosts
                                      ? "n" + std::to_string(span.component)
                                      : "s" + std::to_string(span.component - hosts);
    return component + "." + EngineName(span.engine);
}

std::vector<Span>
SpansOf(const SpanLog& log)
{
    std::vector<Span> spans;
    for (SpanId id = 1; id < log.Size(); ++id)
    {
        RunControl::Check();
        spans.push_back(log.Get(id));
    }
    return spans;
}

} // namespace

py::dict
KnownTable()
{
    const std::vector<U32> rows{1, 2, 3};
    py::dict table;
    table["u32"] = NumberColumn<U32>(rows, [](U32 row) { return row; });
    table["u64"] = NumberColumn<U64>(rows, [](U32 row) { return U64{row} << 32; });
    table["ps"] = NumberColumn<Ps>(rows, [](U32 row) { return -Ps{row}; });
    table["bool"] = NumberColumn<bool>(rows, [](U32 row) { return row == 2; });
    table["text"] = TextColumn(rows, [](U32 row) { return std::to_string(row); });
    return table;
}

py::dict
MessageTable(const Cluster& cluster)
{
    using Row = MessageRow;
    const std::vector<Row> rows = cluster.Messages();
    py::dict table = ColumnsOfMessage(rows);
    table["message"] = TextColumn(rows, &MessageName);
    table["dropped"] = NumberColumn<bool>(rows, [](const Row& row) { return row.dropped; });
    table["posted_ps"] = NumberColumn<Ps>(rows, [](const Row& row) { return row.posted; });
    table["end_ps"] = NumberColumn<Ps>(rows, [](const Row& row) { return row.end; });
    return table;
}

py::dict
BreakdownTable(const Cluster& cluster)
{
    using Row = BreakdownRow;
    const std::vector<Row> rows = cluster.Breakdown();
    py::dict table = ColumnsOfMessage(rows);
    table["message"] = TextColumn(rows, [](const Row& row) { return row.message; });
    table["stage"] = TextColumn(rows, [](const Row& row) { return row.stage; });
    table["owner"] = TextColumn(rows, [](const Row& row) { return row.owner; });
    table["clock_hz"] = NumberColumn<U64>(rows, [](const Row& row) { return row.clockHz; });
    table["cycles"] = NumberColumn<U64>(rows, [](const Row& row) { return row.cycles; });
    table["start_ps"] = NumberColumn<Ps>(rows, [](const Row& row) { return row.start; });
    table["end_ps"] = NumberColumn<Ps>(rows, [](const Row& row) { return row.end; });
    return table;
}

py::dict
SpanTable(Cluster& cluster)
{
    const U32 hosts = cluster.Config().nodes;
    const std::vector<Span> rows = SpansOf(cluster.GetWorld().spans);
    py::dict table;
    table["owner"] = TextColumn(rows, [&](const Span& row) { return OwnerName(row, hosts); });
    table["stage"] = TextColumn(rows, [](const Span& row) { return StageName(row.stage); });
    table["clock_hz"] = NumberColumn<U64>(rows, [](const Span& row) { return row.hz; });
    table["cycles"] = NumberColumn<U64>(rows, [](const Span& row) { return row.cycles; });
    table["start_ps"] = NumberColumn<Ps>(rows, [](const Span& row) { return row.start; });
    table["end_ps"] = NumberColumn<Ps>(rows, [](const Span& row) { return row.end; });
    return table;
}

py::dict
DecisionTable(const Cluster& cluster)
{
    static const std::vector<HistoryEvent> none;
    const Workload* workload = cluster.GetWorkload();
    const History* history = workload ? workload->GetHistory() : nullptr;
    const std::vector<HistoryEvent>& rows = history ? history->Events() : none;
    using Row = HistoryEvent;
    py::dict table;
    table["at_ps"] = NumberColumn<Ps>(rows, [](const Row& row) { return row.at; });
    table["rank"] = NumberColumn<U32>(rows, [](const Row& row) { return row.rank; });
    table["event"] = TextColumn(rows, [](const Row& row) { return EventName(row.kind); });
    table["key"] = NumberColumn<U64>(rows, [](const Row& row) { return row.key; });
    table["value"] = NumberColumn<U64>(rows, [](const Row& row) { return row.value; });
    return table;
}

py::array_t<Ps>
SampleColumn(const Cluster& cluster)
{
    static const std::vector<Ps> none;
    const Workload* workload = cluster.GetWorkload();
    return NumberColumn<Ps>(workload ? workload->Samples() : none,
                            [](Ps sample) { return sample; });
}

} // namespace via
} // namespace ns3
