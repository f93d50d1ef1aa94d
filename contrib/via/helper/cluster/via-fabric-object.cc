/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
// The switches of a cluster, as ns-3 sees them: objects with counters, found by paths.

#include "via-fabric-object.h"

#include "ns3/object-vector.h"
#include "ns3/string.h"
#include "ns3/uinteger.h"
#include "ns3/via-error.h"
#include "ns3/via-switch.h"

#include <algorithm>

namespace ns3
{
namespace via
{

NS_OBJECT_ENSURE_REGISTERED(ViaSwitchObject);
NS_OBJECT_ENSURE_REGISTERED(ViaFabricObject);

namespace
{

/// Adds an attribute that can only be read.
template <class Getter>
void
AddCounter(TypeId& tid, const char* name, const char* help, Getter get)
{
    tid.AddAttribute(name,
                     help,
                     TypeId::ATTR_GET,
                     UintegerValue(0),
                     MakeUintegerAccessor(get),
                     MakeUintegerChecker<std::uint64_t>());
}

} // namespace

TypeId
ViaSwitchObject::GetTypeId()
{
    static TypeId tid = [] {
        using Self = ViaSwitchObject;
        using Port = PortCounters;
        TypeId made = TypeId("ns3::via::ViaSwitchObject")
                          .SetParent<Object>()
                          .SetGroupName("Via")
                          .AddConstructor<ViaSwitchObject>()
                          .AddAttribute("SwitchName",
                                        "Its name in tables and traces",
                                        TypeId::ATTR_GET,
                                        StringValue(""),
                                        MakeStringAccessor(&Self::GetSwitchName),
                                        MakeStringChecker());
        AddCounter(made, "Ports", "How many ports it has", &Self::GetPorts);
        AddCounter(made, "CellsIn", "Cells that have come in", &Self::Total<&Port::cellsIn>);
        AddCounter(made, "CellsOut", "Cells that have left", &Self::Total<&Port::cellsOut>);
        AddCounter(made, "BytesOut", "Bytes on the wires out of it", &Self::Total<&Port::bytesOut>);
        AddCounter(made,
                   "PacketsIn",
                   "Packets whose last cell has come in",
                   &Self::Total<&Port::packetsIn>);
        AddCounter(made,
                   "PacketsOut",
                   "Packets whose last cell has found its output",
                   &Self::Total<&Port::packetsOut>);
        AddCounter(made,
                   "CellsDropped",
                   "Cells that came in and found no room",
                   &Self::Total<&Port::dropped>);
        AddCounter(made,
                   "Stalls",
                   "Bursts that came in and had to wait for their turn (switch.queueing fifo, voq)",
                   &Self::Total<&Port::stalls>);
        AddCounter(made,
                   "PeakFill",
                   "Cells in the buffer of one port at a time, at the most",
                   &Self::Total<&Port::peakFill>);
        return made;
    }();
    return tid;
}

ViaSwitchObject::ViaSwitchObject() = default;

ViaSwitchObject::ViaSwitchObject(const Switch& part)
    : m_switch(&part)
{
}

ViaSwitchObject::~ViaSwitchObject() = default;

std::string
ViaSwitchObject::GetSwitchName() const
{
    return m_switch == nullptr ? "" : m_switch->Name();
}

std::uint32_t
ViaSwitchObject::GetPorts() const
{
    return m_switch == nullptr ? 0 : m_switch->PortCount();
}

PortCounters
ViaSwitchObject::GetPort(std::uint32_t port) const
{
    if (port >= GetPorts())
    {
        throw ConfigError("ViaSwitchObject::GetPort",
                          std::to_string(port),
                          "must be below " + std::to_string(GetPorts()));
    }
    return m_switch->Counters(port);
}

PortCounters
ViaSwitchObject::GetTotal() const
{
    PortCounters total;
    for (std::uint32_t port = 0; port < GetPorts(); ++port)
    {
        const PortCounters one = m_switch->Counters(port);
        total.cellsIn += one.cellsIn;
        total.cellsOut += one.cellsOut;
        total.bytesOut += one.bytesOut;
        total.packetsIn += one.packetsIn;
        total.packetsOut += one.packetsOut;
        total.dropped += one.dropped;
        total.stalls += one.stalls;
        total.peakFill = std::max(total.peakFill, one.peakFill);
    }
    return total;
}

void
ViaSwitchObject::DoDispose()
{
    m_switch = nullptr;
    Object::DoDispose();
}

TypeId
ViaFabricObject::GetTypeId()
{
    static TypeId tid = TypeId("ns3::via::ViaFabricObject")
                            .SetParent<Object>()
                            .SetGroupName("Via")
                            .AddConstructor<ViaFabricObject>()
                            .AddAttribute("ViaSwitchList",
                                          "The switches, in the order of the topology",
                                          TypeId::ATTR_GET,
                                          ObjectVectorValue(),
                                          MakeObjectVectorAccessor(&ViaFabricObject::m_switches),
                                          MakeObjectVectorChecker<ViaSwitchObject>());
    return tid;
}

ViaFabricObject::ViaFabricObject() = default;

ViaFabricObject::~ViaFabricObject() = default;

void
ViaFabricObject::Add(Ptr<ViaSwitchObject> part)
{
    m_switches.push_back(part);
}

std::size_t
ViaFabricObject::GetN() const
{
    return m_switches.size();
}

Ptr<ViaSwitchObject>
ViaFabricObject::Get(std::size_t index) const
{
    return m_switches.at(index);
}

void
ViaFabricObject::DoDispose()
{
    for (const Ptr<ViaSwitchObject>& part : m_switches)
    {
        part->Dispose();
    }
    m_switches.clear();
    Object::DoDispose();
}

} // namespace via
} // namespace ns3
