/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
// The switches of a cluster as ns-3 objects, with counters and configuration paths.

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

/// Adds a read-only attribute.
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
                                        "Name of the switch in tables and traces",
                                        TypeId::ATTR_GET,
                                        StringValue(""),
                                        MakeStringAccessor(&Self::GetSwitchName),
                                        MakeStringChecker());
        AddCounter(made, "Ports", "Number of ports", &Self::GetPorts);
        AddCounter(made, "CellsIn", "Cells that have arrived", &Self::Total<&Port::cellsIn>);
        AddCounter(made, "CellsOut", "Cells that have left", &Self::Total<&Port::cellsOut>);
        AddCounter(made,
                   "BytesOut",
                   "Bytes on the wire of the cells that have left",
                   &Self::Total<&Port::bytesOut>);
        AddCounter(made,
                   "PacketsIn",
                   "Packets whose last cell has arrived",
                   &Self::Total<&Port::packetsIn>);
        AddCounter(made,
                   "PacketsOut",
                   "Packets whose last cell has reached its output",
                   &Self::Total<&Port::packetsOut>);
        AddCounter(made,
                   "CellsDropped",
                   "Cells dropped on arrival because the buffer was full",
                   &Self::Total<&Port::dropped>);
        AddCounter(made,
                   "Stalls",
                   "Cells that arrived and had to wait (switch.queueing fifo, voq)",
                   &Self::Total<&Port::stalls>);
        AddCounter(made,
                   "PeakFill",
                   "Maximum number of cells in the buffer of one port",
                   &Self::Total<&Port::peakFill>);
        return made;
    }();
    return tid;
}

ViaSwitchObject::ViaSwitchObject() = default;

ViaSwitchObject::ViaSwitchObject(Switch& part)
    : m_switch(&part)
{
    part.RecordDepartures();
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
    return m_switch->CountersNow(port);
}

PortCounters
ViaSwitchObject::GetTotal() const
{
    PortCounters total;
    for (std::uint32_t port = 0; port < GetPorts(); ++port)
    {
        const PortCounters one = m_switch->CountersNow(port);
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
                                          "Switches, in the order of the topology",
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
