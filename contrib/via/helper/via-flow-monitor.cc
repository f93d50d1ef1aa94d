/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
// Per-flow statistics of the messages between processes, like those of ns-3's FlowMonitor for IP.

#include "via-flow-monitor.h"

#include "ns3/via-error.h"
#include "ns3/via-nic-object.h"

#include <algorithm>
#include <fstream>
#include <iomanip>
#include <ostream>

namespace ns3
{
namespace via
{

NS_OBJECT_ENSURE_REGISTERED(ViaFlowMonitor);

namespace
{

/// A time in FlowMonitor's format: nanoseconds, here with all three decimals.
struct InNs
{
    Ps time;
};

std::ostream&
operator<<(std::ostream& out, InNs ns)
{
    return out << '+' << ns.time / PS_PER_NS << '.' << std::setw(3) << std::setfill('0')
               << ns.time % PS_PER_NS << "ns";
}

void
WriteHistogram(std::ostream& out, const ViaFlow& flow, Ps width)
{
    out << "      <delayHistogram nBins=\"" << flow.bins.size() << "\">\n";
    std::size_t index = 0;
    for (const auto& [bin, count] : flow.bins)
    {
        out << "        <bin index=\"" << index++ << "\" start=\""
            << InNs{static_cast<Ps>(bin) * width} << "\" width=\"" << InNs{width} << "\" count=\""
            << count << "\"/>\n";
    }
    out << "      </delayHistogram>\n";
}

void
WriteFlow(std::ostream& out, std::size_t id, const ViaFlow& flow)
{
    out << "    <Flow flowId=\"" << id << "\" timeFirstTxPacket=\"" << InNs{flow.firstPosted}
        << "\" timeFirstRxPacket=\"" << InNs{flow.firstEnd} << "\" timeLastTxPacket=\""
        << InNs{flow.lastPosted} << "\" timeLastRxPacket=\"" << InNs{flow.lastEnd}
        << "\" delaySum=\"" << InNs{flow.delaySum} << "\" jitterSum=\"" << InNs{flow.jitterSum}
        << "\" lastDelay=\"" << InNs{flow.delayLast} << "\" maxDelay=\"" << InNs{flow.delayMax}
        << "\" minDelay=\"" << InNs{flow.delayMin} << "\" txBytes=\""
        << flow.bytes + flow.droppedBytes << "\" rxBytes=\"" << flow.bytes << "\" txPackets=\""
        << flow.messages + flow.dropped << "\" rxPackets=\"" << flow.messages << "\" lostPackets=\""
        << flow.dropped << "\" timesForwarded=\"0\">\n";
}

} // namespace

TypeId
ViaFlowMonitor::GetTypeId()
{
    static TypeId tid =
        TypeId("ns3::via::ViaFlowMonitor")
            .SetParent<Object>()
            .SetGroupName("Via")
            .AddConstructor<ViaFlowMonitor>()
            .AddAttribute("StartTime",
                          "Messages posted before this time are not counted (warm-up)",
                          TimeValue(Time(0)),
                          MakeTimeAccessor(&ViaFlowMonitor::m_start),
                          MakeTimeChecker())
            .AddAttribute("DelayBinWidth",
                          "Width of a bin in the histograms of delays; above 0",
                          TimeValue(MicroSeconds(1)),
                          MakeTimeAccessor(&ViaFlowMonitor::m_binWidth),
                          MakeTimeChecker());
    return tid;
}

ViaFlowMonitor::ViaFlowMonitor() = default;

ViaFlowMonitor::~ViaFlowMonitor() = default;

void
ViaFlowMonitor::Install(const NodeContainer& nodes)
{
    if (!m_binWidth.IsStrictlyPositive())
    {
        throw ConfigError("ViaFlowMonitor::DelayBinWidth",
                          std::to_string(m_binWidth.GetPicoSeconds()) + " ps",
                          "must be above 0");
    }
    for (auto node = nodes.Begin(); node != nodes.End(); ++node)
    {
        const auto nic = (*node)->GetObject<ViaNicObject>();
        if (nic == nullptr)
        {
            throw ConfigError("ViaFlowMonitor::Install",
                              "node " + std::to_string((*node)->GetId()),
                              "it has no VIA NIC: give it to ViaHelper::Install first");
        }
        // the callback holds the monitor, which lives as long as it is called
        nic->TraceConnectWithoutContext(
            "MessageEnd",
            MakeCallback(&ViaFlowMonitor::OnMessage, Ptr<ViaFlowMonitor>(this)));
    }
}

void
ViaFlowMonitor::OnMessage(const MessageRow& message)
{
    if (message.posted < m_start.GetPicoSeconds())
    {
        return;
    }
    ViaFlow& flow = m_flows[{message.sourceRank, message.destinationRank}];
    if (flow.messages + flow.dropped == 0)
    {
        flow.firstPosted = message.posted;
    }
    flow.firstPosted = std::min(flow.firstPosted, message.posted);
    flow.lastPosted = std::max(flow.lastPosted, message.posted);
    if (message.dropped)
    {
        ++flow.dropped;
        flow.droppedBytes += message.bytes;
        return;
    }
    CountArrival(flow, message);
}

void
ViaFlowMonitor::CountArrival(ViaFlow& flow, const MessageRow& message)
{
    const Ps delay = message.end - message.posted;
    if (flow.messages == 0)
    {
        flow.firstEnd = message.end;
        flow.delayMin = delay;
    }
    else
    {
        flow.jitterSum += std::max(delay, flow.delayLast) - std::min(delay, flow.delayLast);
    }
    ++flow.messages;
    flow.bytes += message.bytes;
    flow.firstEnd = std::min(flow.firstEnd, message.end);
    flow.lastEnd = std::max(flow.lastEnd, message.end);
    flow.delayMin = std::min(flow.delayMin, delay);
    flow.delayMax = std::max(flow.delayMax, delay);
    flow.delayLast = delay;
    flow.delaySum += delay;
    ++flow.bins[static_cast<std::uint64_t>(delay / m_binWidth.GetPicoSeconds())];
}

const std::map<ViaFlowMonitor::Key, ViaFlow>&
ViaFlowMonitor::Flows() const
{
    return m_flows;
}

void
ViaFlowMonitor::SerializeToXml(std::ostream& out, bool histograms) const
{
    out << "<?xml version=\"1.0\" ?>\n<FlowMonitor>\n  <FlowStats>\n";
    std::size_t id = 0;
    for (const auto& [key, flow] : m_flows)
    {
        WriteFlow(out, ++id, flow);
        if (histograms)
        {
            WriteHistogram(out, flow, m_binWidth.GetPicoSeconds());
        }
        out << "    </Flow>\n";
    }
    out << "  </FlowStats>\n  <ViaFlowClassifier>\n";
    id = 0;
    for (const auto& [key, flow] : m_flows)
    {
        out << "    <Flow flowId=\"" << ++id << "\" sourceRank=\"" << key.first
            << "\" destinationRank=\"" << key.second << "\"/>\n";
    }
    out << "  </ViaFlowClassifier>\n</FlowMonitor>\n";
}

void
ViaFlowMonitor::SerializeToXmlFile(const std::string& file, bool histograms) const
{
    std::ofstream out(file);
    SerializeToXml(out, histograms);
    if (!out.flush())
    {
        throw ConfigError("ViaFlowMonitor::SerializeToXmlFile", file, "cannot be written");
    }
}

} // namespace via
} // namespace ns3
