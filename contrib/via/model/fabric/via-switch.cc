/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
// A cut-through or store-and-forward switch: routes a cell's head before its tail arrives.

#include "via-switch.h"

#include "ns3/abort.h"
#include "ns3/via-switch-queues.h"

#include <utility>

namespace ns3
{
namespace via
{

namespace
{
/// The first bytes of a Link contain everything needed for returning credits.
constexpr std::size_t UPSTREAM_BYTES = 192;
} // namespace

Switch::Switch(World& world,
               ComponentId id,
               std::string name,
               const SwitchCosts& costs,
               const Shared<LinkCosts>& links,
               std::uint32_t ports)
    : Component(world, id, std::move(name)),
      m_costs(costs),
      m_clock(MakeClock(costs.clock, 0)),
      m_ports(ports)
{
    world.agenda.Untrack(id);
    for (std::uint32_t port = 0; port < ports; ++port)
    {
        m_ports[port].out = std::make_unique<Link>(*this, links, port + 1);
    }
    if (costs.NeedsQueues() || links->NeedsLanes())
    {
        m_queues = std::make_unique<SwitchQueues>(*this, costs, *links, ports);
    }
}

Switch::~Switch() = default;

bool
Switch::ServesInOrder(const SwitchCosts& costs, const LinkCosts& links, const RouteTable& routes)
{
    return !costs.NeedsQueues() && !links.NeedsLanes() && !routes.HasChoices();
}

AgendaTarget*
Switch::Entrance()
{
    return m_queues == nullptr ? static_cast<AgendaTarget*>(this) : m_queues.get();
}

void
Switch::SetUpstream(std::uint32_t port, InPort* upstream)
{
    m_ports[port].upstream = upstream;
    if (m_queues != nullptr)
    {
        m_queues->SetUpstream(port, upstream);
    }
}

void
Switch::SetCongestionListener(CongestionListener* listener)
{
    m_congestion = listener;
    CountBacklogs();
}

void
Switch::CountBacklogs()
{
    for (Port& port : m_ports)
    {
        if (port.out != nullptr)
        {
            port.out->CountBacklog();
        }
    }
}

void
Switch::SetRoutes(RouteTable routes)
{
    const RoutePage* checked = nullptr;
    for (std::uint32_t host = 0; host < routes.HostCount(); host += RouteTable::PAGE)
    {
        const RoutePage* page = routes.PageOf(host);
        if (page == std::exchange(checked, page))
        {
            continue; // switches share most pages
        }
        for (const Route& route : *page)
        {
            NS_ABORT_MSG_IF(route.port != Route::NONE && route.port >= m_ports.size(),
                            Name() << " has no port " << route.port);
        }
    }
    m_routes = std::move(routes);
    if (m_queues == nullptr && m_routes.HasChoices())
    {
        m_queues = std::make_unique<SwitchQueues>(*this, m_costs, Out(0).Costs(), PortCount());
    }
    if (m_routes.HasChoices())
    {
        CountBacklogs();
    }
}

void
Switch::OnAgenda(std::uint32_t kind, std::uint64_t data)
{
    auto* cell = reinterpret_cast<Cell*>(data);
    const std::uint32_t port = RouteTo(cell->destination).port;
    Port& out = m_ports[port];
    Port& in = m_ports[kind];
    ++in.cellsIn;
    cell->ready = Through(in, *cell->packet, cell->first);
    if (cell->ends || cell->resent)
    {
        in.open = nullptr;
        ++in.packetsIn;
        ++out.packetsOut;
    }
    if (m_congestion != nullptr)
    {
        Watch(*cell->packet, out.out->Backlog());
    }
    cell->cookie = std::uint64_t{port} << 32 | kind;
    out.out->Transmit(cell, this);
}

void
Switch::Prefetch(Hint hint, std::uint32_t kind, std::uint64_t data)
{
    const Cell& cell = *reinterpret_cast<const Cell*>(data);
    if (!m_routes.Has(cell.destination))
    {
        return;
    }
    const Port& in = m_ports[kind];
    const Port& out = m_ports[m_routes.To(cell.destination).port];
    switch (hint)
    {
    case Hint::FAR:
        PrefetchObject(&in);
        PrefetchObject(&out);
        PrefetchLine(cell.packet);
        GetWorld().agenda.PrefetchHead(cell.destination); // notified next, or a switch is
        break;
    case Hint::SOON:
        // to return its room: the first bytes of a Link
        PrefetchUpTo(in.upstream, reinterpret_cast<const char*>(in.upstream) + UPSTREAM_BYTES);
        PrefetchObject(out.out.get());
        if (out.receiver != nullptr)
        {
            PrefetchUpTo(out.receiver,
                         static_cast<const char*>(out.receiver) + EarlyReceiver::HOT_BYTES);
        }
        break;
    case Hint::NEXT:
    case Hint::NOW:
        out.out->PrefetchFarEnd(hint, cell);
        break;
    }
}

Moment
Switch::Through(Port& in, const Packet& packet, Moment first)
{
    if (in.open == &packet)
    {
        return Wait(first, Stage::SWITCH, Engine::CROSSBAR, first.at + in.delay);
    }
    const Moment out = Pass(first);
    in.open = &packet;
    in.delay = out.at - first.at;
    return out;
}

void
Switch::OnDeparture(const Cell& cell)
{
    const auto in = static_cast<std::uint32_t>(cell.cookie);
    ReturnRoom(*m_ports[in].upstream, Out(cell.cookie >> 32), cell);
}

void
ReturnRoom(InPort& upstream, const Link& out, const Cell& cell)
{
    if (!cell.vanished) // it took no room here
    {
        upstream.ReturnCredits(1, out.LastBit(cell)); // when its last bit has left
    }
}

std::uint64_t
Switch::CellsIn() const
{
    std::uint64_t cells = m_queues == nullptr ? 0 : m_queues->CellsIn();
    for (const Port& port : m_ports)
    {
        cells += port.cellsIn;
    }
    return cells;
}

std::uint64_t
Switch::CellsOut() const
{
    std::uint64_t cells = 0;
    for (const Port& port : m_ports)
    {
        cells += port.out == nullptr ? 0 : port.out->CellsSent();
    }
    return cells;
}

std::uint64_t
Switch::CellsDropped() const
{
    return m_queues == nullptr ? 0 : m_queues->CellsDropped();
}

std::string
Switch::Violation() const
{
    if (CellsIn() != CellsOut() + CellsDropped())
    {
        return Name() + ": " + std::to_string(CellsIn()) + " cells in, " +
               std::to_string(CellsOut()) + " out, " + std::to_string(CellsDropped()) +
               " dropped, but nothing is in flight";
    }
    for (const Port& port : m_ports)
    {
        const std::string wrong = port.out == nullptr ? "" : port.out->Violation();
        if (!wrong.empty())
        {
            return wrong;
        }
    }
    return "";
}

PortCounters
Switch::Counters(std::uint32_t port) const
{
    PortCounters counters = m_queues == nullptr ? PortCounters{} : m_queues->Counters(port);
    const Port& here = m_ports[port];
    counters.cellsIn += here.cellsIn;
    counters.packetsIn += here.packetsIn;
    counters.packetsOut += here.packetsOut;
    if (here.out != nullptr)
    {
        counters.cellsOut = here.out->CellsLeft();
        counters.bytesOut = here.out->BytesLeft();
    }
    return counters;
}

void
Switch::RecordDepartures()
{
    for (Port& port : m_ports)
    {
        if (port.out != nullptr)
        {
            port.out->RecordDepartures();
        }
    }
}

PortCounters
Switch::CountersNow(std::uint32_t port) const
{
    PortCounters counters = Counters(port);
    if (m_ports[port].out != nullptr)
    {
        const LinkTally left = m_ports[port].out->LeftByNow();
        counters.cellsOut = left.cells;
        counters.bytesOut = left.bytes;
    }
    return counters;
}

} // namespace via
} // namespace ns3
