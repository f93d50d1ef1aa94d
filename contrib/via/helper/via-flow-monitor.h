/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
// Per-flow statistics of the messages between processes, like those of ns-3's FlowMonitor for IP.

#ifndef VIA_FLOW_MONITOR_H
#define VIA_FLOW_MONITOR_H

#include "ns3/node-container.h"
#include "ns3/nstime.h"
#include "ns3/object.h"
#include "ns3/via-run-report.h"

#include <cstdint>
#include <iosfwd>
#include <map>
#include <string>
#include <utility>

namespace ns3
{
namespace via
{

/// Statistics of the messages from one process to another. Times in ps.
struct ViaFlow
{
    Ps firstPosted{0};
    Ps lastPosted{0};
    Ps firstEnd{0};
    Ps lastEnd{0};
    std::uint64_t messages{0}; ///< that arrived
    std::uint64_t bytes{0};    ///< payload that arrived
    std::uint64_t dropped{0};  ///< messages that did not arrive
    std::uint64_t droppedBytes{0};
    Ps delaySum{0};  ///< from post to end, of messages that arrived
    Ps jitterSum{0}; ///< absolute differences of successive delays
    Ps delayMin{0};  ///< valid if messages > 0, like the next two
    Ps delayMax{0};
    Ps delayLast{0};
    std::map<std::uint64_t, std::uint64_t> bins; ///< messages by delay / DelayBinWidth
};

/**
 * @ingroup via
 * @brief Counts the messages that end at the NICs of some nodes, by sender and receiver.
 *
 *     const auto monitor = CreateObject<ViaFlowMonitor>();
 *     monitor->Install(nodes);
 *     Simulator::Run();
 *     monitor->SerializeToXmlFile("flows.xml");
 *
 * A flow is the messages from one rank to another, over all their VIs. A message counts when it
 * ends; messages still under way at the end of the run are not counted.
 */
class ViaFlowMonitor : public Object
{
  public:
    /// Sender's rank, receiver's rank.
    using Key = std::pair<std::uint32_t, std::uint32_t>;

    /// @return the TypeId
    static TypeId GetTypeId();

    ViaFlowMonitor();
    ~ViaFlowMonitor() override;

    /**
     * @brief Starts counting at the NICs of @p nodes.
     * @param nodes already passed to ViaHelper::Install; a message counts at its receiver's node
     * @throws ConfigError if a node has no VIA NIC, or DelayBinWidth is not above 0
     */
    void Install(const NodeContainer& nodes);

    /// @return the flows of which at least one message has ended
    const std::map<Key, ViaFlow>& Flows() const;

    /**
     * @brief Writes the flows as XML with FlowMonitor's elements, attributes and units (ns).
     *
     * The ViaFlowClassifier holds the ranks of each flow. txPackets counts ended messages only.
     *
     * @param out output stream
     * @param histograms also write the delay histograms
     */
    void SerializeToXml(std::ostream& out, bool histograms = false) const;

    /// As above, to a file. @throws ConfigError if it cannot be written
    void SerializeToXmlFile(const std::string& file, bool histograms = false) const;

  private:
    void OnMessage(const MessageRow& message);
    void CountArrival(ViaFlow& flow, const MessageRow& message);

    Time m_start;
    Time m_binWidth;
    std::map<Key, ViaFlow> m_flows;
};

} // namespace via
} // namespace ns3

#endif // VIA_FLOW_MONITOR_H
