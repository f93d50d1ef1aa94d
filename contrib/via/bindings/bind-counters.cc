/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
// Traffic of each wire and each port of a cluster, as dictionaries of columns.

#include "via-columns.h"
#include "via-table-columns.h"

#include "ns3/via-clock-domain.h"

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

/// The time that a link's wires needed for the bytes sent.
Ps
BusyTime(const Link& link)
{
    const LinkCosts& costs = link.Costs();
    return ClockDomain(costs.byteClock).Span(Cycles(link.BytesSent() / costs.wires));
}

struct PortRow
{
    U32 switchIndex;
    U32 port;
    PortCounters counters;
};

} // namespace

py::dict
LinkTable(Cluster& cluster)
{
    std::vector<const Link*> rows;
    for (const Cable& cable : cluster.GetTopology().cables)
    {
        rows.push_back(&cluster.GetFabric().LinkFrom(cable.a));
        rows.push_back(&cluster.GetFabric().LinkFrom(cable.b));
    }
    using Row = const Link*;
    py::dict table;
    table["cells"] = NumberColumn<U64>(rows, [](Row row) { return row->CellsLeft(); });
    table["bytes"] = NumberColumn<U64>(rows, [](Row row) { return row->BytesSent(); });
    table["corrupt"] = NumberColumn<U64>(rows, [](Row row) { return row->CellsCorrupt(); });
    table["lost"] = NumberColumn<U64>(rows, [](Row row) { return row->CellsLost(); });
    table["busy_ps"] = NumberColumn<Ps>(rows, [](Row row) { return BusyTime(*row); });
    return table;
}

py::dict
PortTable(const Cluster& cluster)
{
    std::vector<PortRow> rows;
    const auto& switches = cluster.GetFabric().Switches();
    for (U32 index = 0; index < switches.size(); ++index)
    {
        for (U32 port = 0; port < switches[index]->PortCount(); ++port)
        {
            rows.push_back({index, port, switches[index]->Counters(port)});
        }
    }
    using Row = PortRow;
    py::dict table;
    table["switch"] = NumberColumn<U32>(rows, [](const Row& row) { return row.switchIndex; });
    table["port"] = NumberColumn<U32>(rows, [](const Row& row) { return row.port; });
    const auto count = [&](const char* name, auto member) {
        table[name] = NumberColumn<U64>(rows, [&](const Row& row) { return row.counters.*member; });
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
CardTable(Cluster& cluster)
{
    std::vector<const Nic*> rows;
    std::vector<U32> nodes;
    const U32 rails = cluster.GetTopology().rails;
    for (U32 node = 0; node < cluster.Config().nodes; ++node)
    {
        for (U32 card = 0; card < rails; ++card)
        {
            rows.push_back(&cluster.NicAt(node, card));
            nodes.push_back(node);
        }
    }
    using Row = const Nic*;
    py::dict table;
    table["node"] = NumberColumn<U32>(nodes, [](U32 node) { return node; });
    table["translation_hits"] =
        NumberColumn<U64>(rows, [](Row row) { return row->Translations().hits; });
    table["translation_misses"] =
        NumberColumn<U64>(rows, [](Row row) { return row->Translations().misses; });
    table["cells_resent"] =
        NumberColumn<U64>(rows, [](Row row) { return row->GetTransport().CellsResent(); });
    table["messages_dropped"] =
        NumberColumn<U64>(rows, [](Row row) { return row->Receiver().MessagesDropped(); });
    table["open_vis"] = NumberColumn<U32>(rows, [](Row row) { return row->ViCount(); });
    return table;
}

} // namespace via
} // namespace ns3
