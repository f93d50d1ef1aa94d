/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
// The VIA NIC of an ns-3 node as an ns-3 object: attributes and trace sources.

#include "via-nic-object.h"

#include "ns3/abort.h"
#include "ns3/log.h"
#include "ns3/string.h"
#include "ns3/trace-source-accessor.h"
#include "ns3/uinteger.h"
#include "ns3/via-run-log.h"

#include <algorithm>
#include <utility>

namespace ns3
{
namespace via
{

NS_LOG_COMPONENT_DEFINE("ViaNicObject");

NS_OBJECT_ENSURE_REGISTERED(ViaNicObject);

namespace
{
/// After arrivals of cells and of credits at an instant.
constexpr AgendaPort HANDED_PORT = Link::RESYNC_PORT - 3;
} // namespace

TypeId
ViaNicObject::GetTypeId()
{
    static TypeId tid =
        TypeId("ns3::via::ViaNicObject")
            .SetParent<Object>()
            .SetGroupName("Via")
            .AddConstructor<ViaNicObject>()
            .AddAttribute("HostIndex",
                          "Number of the host in the cluster",
                          TypeId::ATTR_GET,
                          UintegerValue(0),
                          MakeUintegerAccessor(&ViaNicObject::GetHostIndex),
                          MakeUintegerChecker<std::uint32_t>())
            .AddAttribute("HostName",
                          "Host name that programs see",
                          TypeId::ATTR_GET,
                          StringValue(""),
                          MakeStringAccessor(&ViaNicObject::GetHostName),
                          MakeStringChecker())
            .AddAttribute("ViCount",
                          "Number of VIs that exist",
                          TypeId::ATTR_GET,
                          UintegerValue(0),
                          MakeUintegerAccessor(&ViaNicObject::GetViCount),
                          MakeUintegerChecker<std::uint32_t>())
            .AddTraceSource(
                "MessageEnd",
                "A message to this node was reaped, placed completely (RDMA write), or dropped",
                MakeTraceSourceAccessor(&ViaNicObject::m_messageEnd),
                "ns3::via::ViaNicObject::MessageTracedCallback")
            .AddTraceSource("Drop",
                            "A message to this node was dropped",
                            MakeTraceSourceAccessor(&ViaNicObject::m_drop),
                            "ns3::via::ViaNicObject::MessageTracedCallback")
            .AddTraceSource("Doorbell",
                            "A program of this node rang the doorbell of a VI",
                            MakeTraceSourceAccessor(&ViaNicObject::m_doorbell),
                            "ns3::via::ViaNicObject::DoorbellTracedCallback")
            .AddTraceSource("Queue",
                            "A descriptor was posted to a work queue, or one in it has completed",
                            MakeTraceSourceAccessor(&ViaNicObject::m_queue),
                            "ns3::via::ViaNicObject::QueueTracedCallback")
            .AddTraceSource("Completion",
                            "A descriptor has completed: the program can see its status",
                            MakeTraceSourceAccessor(&ViaNicObject::m_completion),
                            "ns3::via::ViaNicObject::CompletionTracedCallback")
            .AddTraceSource("Credits",
                            "The NIC handed cells to its wire, which counts the credits in use",
                            MakeTraceSourceAccessor(&ViaNicObject::m_credits),
                            "ns3::via::ViaNicObject::CreditsTracedCallback");
    return tid;
}

ViaNicObject::ViaNicObject() = default;

ViaNicObject::ViaNicObject(Ptr<ViaNetwork> network, std::uint32_t host)
    : m_network(network),
      m_host(host)
{
}

ViaNicObject::~ViaNicObject() = default;

std::uint32_t
ViaNicObject::GetHostIndex() const
{
    return m_host;
}

std::string
ViaNicObject::GetHostName() const
{
    return GetNic().GetHost().Name();
}

std::uint32_t
ViaNicObject::GetViCount() const
{
    return GetNic().Vis().Count();
}

Nic&
ViaNicObject::GetNic() const
{
    NS_ABORT_MSG_IF(m_network == nullptr,
                    "this ViaNicObject was not created by ViaHelper::Install");
    return m_network->GetCluster().NicAt(m_host);
}

Ptr<ViaNetwork>
ViaNicObject::GetNetwork() const
{
    return m_network;
}

void
ViaNicObject::NoteMessage(const MessageRecord& record)
{
    NS_LOG_LOGIC("host " << m_host << ": message " << record.origin.sequence << " of rank "
                         << record.origin.rank << " to rank " << record.destinationRank << ", "
                         << record.bytes << " bytes, " << (record.dropped ? "dropped" : "ended")
                         << " at " << record.end << " ps");
    if (!m_messageEnd.IsEmpty())
    {
        m_messageEnd(MakeMessageRow(record));
    }
    if (record.dropped && !m_drop.IsEmpty())
    {
        m_drop(MakeMessageRow(record));
    }
}

void
ViaNicObject::Listen()
{
    if (m_network != nullptr)
    {
        GetNic().SetListener(this);
    }
}

void
ViaNicObject::OnDoorbell(const VirtualInterface& vi, bool receive, Ps at)
{
    m_doorbell(vi.id, receive, at);
}

void
ViaNicObject::OnQueue(const VirtualInterface& vi, bool receive, Ps at)
{
    const WorkQueue& queue = vi.QueueOf(receive);
    const std::uint64_t open = queue.items.EndSerial() - queue.FirstOpen();
    m_queue(vi.id, receive, static_cast<std::uint32_t>(open), at);
}

void
ViaNicObject::OnCompletion(const VirtualInterface& vi,
                           bool receive,
                           std::uint32_t status,
                           std::uint32_t length,
                           Ps at)
{
    m_completion(vi.id, receive, status, length, at);
}

void
ViaNicObject::ListenToWire()
{
    Listen();
    if (m_network == nullptr || std::exchange(m_hearsWire, true))
    {
        return;
    }
    Link& wire = Wire();
    if (wire.Costs().flow != FlowControl::CREDITS)
    {
        wire.RecordDepartures();
    }
    wire.AddCreditListener(*this);
    m_handed = wire.CellsSent() + wire.WaitingCells();
    m_returned.Start(wire.CellsSent() - wire.CellsOut());
}

Link&
ViaNicObject::Wire() const
{
    return *m_network->GetCluster().GetFabric().Uplinks()[m_host];
}

void
ViaNicObject::OnHandedOver(std::uint32_t cells, Ps at)
{
    if (m_hearsWire)
    {
        Host& host = GetNic().GetHost();
        host.Schedule(std::max(at, host.Now()), HANDED_PORT, this, 0, cells);
    }
}

void
ViaNicObject::OnCredits(std::uint32_t cells, Ps at)
{
    m_returned.Add(cells, at);
}

void
ViaNicObject::OnAgenda(std::uint32_t, std::uint64_t data)
{
    if (m_network == nullptr)
    {
        return;
    }
    m_handed += data;
    const Link& wire = Wire();
    const LinkCosts& costs = wire.Costs();
    const Ps now = GetNic().GetHost().Now();
    const std::uint64_t returned = std::min(m_returned.By(now), m_handed);
    const std::uint64_t granted = costs.flow == FlowControl::CREDITS
                                      ? returned + std::uint64_t{costs.credits} * costs.wires
                                      : wire.LeftByNow().cells;
    const std::uint64_t out = std::min(granted, m_handed) - returned;
    m_credits(static_cast<std::uint32_t>(out),
              static_cast<std::uint32_t>(m_handed - returned - out),
              now);
}

void
ViaNicObject::DoDispose()
{
    m_network = nullptr;
    Object::DoDispose();
}

} // namespace via
} // namespace ns3
