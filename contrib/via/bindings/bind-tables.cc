/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
// The records of a run, as dictionaries of columns.

#include "via-columns.h"
#include "via-table-columns.h"

#include <algorithm>
#include <cstdint>
#include <string>
#include <string_view>
#include <tuple>
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

/// A column of texts of which there are few: what @p codeOf returns, less than @p codes, for each
/// row; codes are numbered anew in the order of first use. @p textOf names a code.
template <class Row, class CodeOf, class TextOf>
py::tuple
CodeColumn(const std::vector<Row>& rows, std::size_t codes, CodeOf codeOf, TextOf textOf)
{
    std::vector<std::int32_t> numbers(codes, -1);
    std::vector<std::string> texts;
    py::array_t<std::int32_t> column =
        NumberColumn<std::int32_t>(rows, [&](const Row& row) -> std::int32_t {
            const std::size_t code = codeOf(row);
            if (numbers[code] < 0)
            {
                numbers[code] = static_cast<std::int32_t>(texts.size());
                texts.push_back(textOf(code));
            }
            return numbers[code];
        });
    return py::make_tuple(column, py::cast(texts));
}

/// The columns of stages and owners, of spans and of steps of paths.
template <class Row>
void
AddStages(py::dict& table, const std::vector<Row>& rows, const RunLog& log)
{
    constexpr std::size_t engines = static_cast<std::size_t>(Engine::PROGRAM) + 1;
    std::size_t components = 0;
    for (const Row& row : rows)
    {
        components = std::max<std::size_t>(components, row.component + 1);
    }
    table["stage"] = CodeColumn(
        rows,
        STAGE_COUNT,
        [](const Row& row) { return static_cast<std::size_t>(row.stage); },
        [](std::size_t code) { return StageName(static_cast<Stage>(code)); });
    table["owner"] = CodeColumn(
        rows,
        components * engines,
        [](const Row& row) {
            return row.component * engines + static_cast<std::size_t>(row.engine);
        },
        [&](std::size_t code) {
            return OwnerName(static_cast<U32>(code / engines),
                             static_cast<Engine>(code % engines),
                             log.Hosts());
        });
    table["cycles"] = NumberColumn<U64>(rows, [](const Row& row) { return row.cycles; });
    table["start_ps"] = NumberColumn<Ps>(rows, [](const Row& row) { return row.start; });
    table["end_ps"] = NumberColumn<Ps>(rows, [](const Row& row) { return row.end; });
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
MessageTable(const RunLog& log)
{
    using Row = MessageRow;
    const std::vector<Row> rows = MessageRows(log.Messages());
    py::dict table;
    table["src_rank"] = NumberColumn<U32>(rows, [](const Row& row) { return row.sourceRank; });
    table["dst_rank"] = NumberColumn<U32>(rows, [](const Row& row) { return row.destinationRank; });
    table["vi"] = NumberColumn<U32>(rows, [](const Row& row) { return row.vi; });
    table["seq"] = NumberColumn<U32>(rows, [](const Row& row) { return row.sequence; });
    table["op"] = TextColumn(rows, [](const Row& row) { return row.op; });
    table["bytes"] = NumberColumn<U32>(rows, [](const Row& row) { return row.bytes; });
    table["message"] = TextColumn(rows, [](const Row& row) {
        return MessageName(row.sourceRank, row.vi, row.sequence);
    });
    table["dropped"] = NumberColumn<bool>(rows, [](const Row& row) { return row.dropped; });
    table["posted_ps"] = NumberColumn<Ps>(rows, [](const Row& row) { return row.posted; });
    table["end_ps"] = NumberColumn<Ps>(rows, [](const Row& row) { return row.end; });
    return table;
}

py::dict
BreakdownTable(const RunLog& log)
{
    using Row = PathStep;
    const CriticalPaths paths = FindCriticalPaths(log.Messages(), log.Spans());
    const std::vector<Row>& rows = paths.steps;
    const auto of = [&](const auto get) {
        return [&paths, get](const Row& row) { return get(paths.frames[row.frame]); };
    };
    // frames of one name are neighbours: its code is that of the first of them
    std::vector<U32> named(paths.frames.size());
    for (U32 i = 1; i < named.size(); ++i)
    {
        const bool same = paths.frames[i].message == paths.frames[i - 1].message;
        named[i] = same ? named[i - 1] : i;
    }
    py::dict table;
    table["src_rank"] = NumberColumn<U32>(rows, of([](const auto& f) { return f.sourceRank; }));
    table["dst_rank"] =
        NumberColumn<U32>(rows, of([](const auto& f) { return f.destinationRank; }));
    table["vi"] = NumberColumn<U32>(rows, of([](const auto& f) { return f.vi; }));
    table["seq"] = NumberColumn<U32>(rows, of([](const auto& f) { return f.sequence; }));
    table["bytes"] = NumberColumn<U32>(rows, of([](const auto& f) { return f.bytes; }));
    table["message"] = CodeColumn(
        rows,
        named.size(),
        [&](const Row& row) { return std::size_t{named[row.frame]}; },
        [&](std::size_t code) { return paths.frames[code].message; });
    table["op"] = TextColumn(rows, of([](const auto& f) { return std::string_view(f.op); }));
    table["clock_hz"] = NumberColumn<U64>(rows, [](const Row& row) { return row.clockHz; });
    AddStages(table, rows, log);
    return table;
}

py::dict
SpanTable(const RunLog& log)
{
    const std::vector<Span> rows = log.SpansInOrder();
    py::dict table;
    table["clock_hz"] = NumberColumn<U64>(rows, [](const Span& row) { return row.hz; });
    AddStages(table, rows, log);
    return table;
}

py::dict
DecisionTable(const Cluster& cluster)
{
    static const std::vector<HistoryEvent> none;
    const Workload* workload = cluster.GetWorkload();
    const History* history = workload ? workload->GetHistory() : nullptr;
    std::vector<HistoryEvent> rows = history ? history->Events() : none;
    // processes report at times of their own clocks
    std::stable_sort(rows.begin(), rows.end(), [](const auto& a, const auto& b) {
        return std::tie(a.at, a.rank) < std::tie(b.at, b.rank);
    });
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
