/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
// Traffic of each wire and each port of a cluster, as dictionaries of columns.

#include "via-bindings.h"
#include "via-columns.h"
#include "via-table-columns.h"

#include "ns3/via-partition-records.h"
#include "ns3/via-run-counters.h"

#include <cstdint>
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

/// A column of what @p member of each row holds.
template <class T, class Row, class Member>
py::array_t<T>
MemberColumn(const std::vector<Row>& rows, Member member)
{
    return NumberColumn<T>(rows, [member](const Row& row) { return row.*member; });
}

py::dict
LinkTable(const RunCounters& counters)
{
    const auto& rows = counters.links;
    py::dict table;
    table["cells"] = MemberColumn<U64>(rows, &LinkRow::cells);
    table["bytes"] = MemberColumn<U64>(rows, &LinkRow::bytes);
    table["corrupt"] = MemberColumn<U64>(rows, &LinkRow::corrupt);
    table["lost"] = MemberColumn<U64>(rows, &LinkRow::lost);
    table["busy_ps"] = MemberColumn<Ps>(rows, &LinkRow::busy);
    table["silent_ps"] = MemberColumn<Ps>(rows, &LinkRow::silent);
    return table;
}

py::dict
PortTable(const RunCounters& counters)
{
    const auto& rows = counters.ports;
    py::dict table;
    table["switch"] = MemberColumn<U32>(rows, &PortRow::switchIndex);
    table["port"] = MemberColumn<U32>(rows, &PortRow::port);
    const auto count = [&](const char* name, auto member) {
        table[name] =
            NumberColumn<U64>(rows, [&](const PortRow& row) { return row.counters.*member; });
    };
    count("cells_in", &PortCounters::cellsIn);
    count("cells_out", &PortCounters::cellsOut);
    count("bytes_out", &PortCounters::bytesOut);
    count("packets_in", &PortCounters::packetsIn);
    count("packets_out", &PortCounters::packetsOut);
    count("dropped", &PortCounters::dropped);
    count("stalls", &PortCounters::stalls);
    count("peak_fill", &PortCounters::peakFill);
    return table;
}

py::dict
CardTable(const RunCounters& counters)
{
    const auto& rows = counters.cards;
    py::dict table;
    table["node"] = MemberColumn<U32>(rows, &CardRow::node);
    table["translation_hits"] = MemberColumn<U64>(rows, &CardRow::translationHits);
    table["translation_misses"] = MemberColumn<U64>(rows, &CardRow::translationMisses);
    table["cells_resent"] = MemberColumn<U64>(rows, &CardRow::cellsResent);
    table["messages_dropped"] = MemberColumn<U64>(rows, &CardRow::messagesDropped);
    table["open_vis"] = MemberColumn<U32>(rows, &CardRow::openVis);
    return table;
}

RunCounters
CountersOf(const std::vector<py::bytes>& shares)
{
    return JoinCounters(BytesOf(shares));
}

} // namespace

void
BindCounters(py::module_& module)
{
    py::class_<RunCounters>(module,
                            "RunCounters",
                            "What a run counted; tables are built when they are read.")
        .def_static("join", &CountersOf, py::arg("shares"))
        .def("links", &LinkTable, "Two rows per cable: the traffic sent by each end.")
        .def("ports", &PortTable, "One row per port of a switch.")
        .def("cards", &CardTable, "One row per card of a node; those of one node are adjacent.");
}

} // namespace via
} // namespace ns3
