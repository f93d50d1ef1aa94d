/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
// What the wires, switch ports and cards of a cluster have counted.

#include "via-run-counters.h"

#include "ns3/via-cluster.h"

#include <algorithm>

namespace ns3
{
namespace via
{

namespace
{

LinkRow
RowOf(const Link& link)
{
    return {link.CellsLeft(),
            link.BytesLeft(),
            link.CellsCorrupt(),
            link.CellsLost(),
            link.BusyTime(),
            link.SilentFrom()};
}

CardRow
RowOf(const Nic& nic, std::uint32_t node)
{
    return {node,
            nic.Vis().Count(),
            nic.Translations().hits,
            nic.Translations().misses,
            nic.GetTransport().CellsResent(),
            nic.Receiver().MessagesDropped()};
}

void
AddTo(LinkRow& row, const LinkRow& other)
{
    row.cells += other.cells;
    row.bytes += other.bytes;
    row.corrupt += other.corrupt;
    row.lost += other.lost;
    row.busy += other.busy;
    row.silent = std::max(row.silent, other.silent);
}

void
AddTo(PortRow& row, const PortRow& other)
{
    row.counters.cellsIn += other.counters.cellsIn;
    row.counters.cellsOut += other.counters.cellsOut;
    row.counters.bytesOut += other.counters.bytesOut;
    row.counters.packetsIn += other.counters.packetsIn;
    row.counters.packetsOut += other.counters.packetsOut;
    row.counters.dropped += other.counters.dropped;
    row.counters.stalls += other.counters.stalls;
    row.counters.peakFill = std::max(row.counters.peakFill, other.counters.peakFill);
}

void
AddTo(CardRow& row, const CardRow& other)
{
    row.openVis += other.openVis;
    row.translationHits += other.translationHits;
    row.translationMisses += other.translationMisses;
    row.cellsResent += other.cellsResent;
    row.messagesDropped += other.messagesDropped;
}

template <class Row>
void
AddRows(std::vector<Row>& rows, const std::vector<Row>& others)
{
    for (std::size_t i = 0; i < rows.size(); ++i)
    {
        AddTo(rows[i], others[i]);
    }
}

} // namespace

RunCounters
RunCounters::Of(Cluster& cluster)
{
    RunCounters all;
    all.links.reserve(2 * cluster.GetTopology().cables.size());
    for (const Cable& cable : cluster.GetTopology().cables)
    {
        for (const Endpoint& end : {cable.a, cable.b})
        {
            const Link* link = cluster.GetFabric().FindLink(end);
            all.links.push_back(link == nullptr ? LinkRow{} : RowOf(*link));
        }
    }
    const auto& switches = cluster.GetFabric().Switches();
    std::size_t ports = 0;
    for (const SwitchShape& shape : cluster.GetTopology().switches)
    {
        ports += shape.ports;
    }
    all.ports.reserve(ports); // there may be many, and rows that move need room twice
    for (std::uint32_t index = 0; index < switches.size(); ++index)
    {
        const Switch* one = switches[index].get();
        for (std::uint32_t port = 0; port < cluster.GetTopology().switches[index].ports; ++port)
        {
            all.ports.push_back(
                {index, port, one == nullptr ? PortCounters{} : one->Counters(port)});
        }
    }
    all.cards.reserve(std::size_t{cluster.Config().nodes} * cluster.GetTopology().rails);
    for (std::uint32_t node = 0; node < cluster.Config().nodes; ++node)
    {
        for (std::uint32_t card = 0; card < cluster.GetTopology().rails; ++card)
        {
            const bool isOurs = cluster.GetFabric().IsOurs(node);
            all.cards.push_back(isOurs ? RowOf(cluster.NicAt(node, card), node) : CardRow{node});
        }
    }
    return all;
}

void
RunCounters::Add(const RunCounters& other)
{
    AddRows(links, other.links);
    AddRows(ports, other.ports);
    AddRows(cards, other.cards);
}

} // namespace via
} // namespace ns3
