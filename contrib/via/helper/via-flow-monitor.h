/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
// Statistics of the messages between each two processes, as ns-3's FlowMonitor has them of IP.

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

/// The messages from one process to another. Times in ps.
struct ViaFlow
{
    Ps firstPosted{0};
    Ps lastPosted{0};
    Ps firstEnd{0};
    Ps lastEnd{0};
    std::uint64_t messages{0}; ///< that arrived
    std::uint64_t bytes{0};    ///< of payload that arrived
    std::uint64_t dropped{0};  ///< messages
    std::uint64_t droppedBytes{0};
    Ps delaySum{0};  ///< from post to end, of those that arrived
    Ps jitterSum{0}; ///< differences of successive delays, absolute
    Ps delayMin{0};  ///< valid if messages > 0, as the next two
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
 * A flow is the messages from one rank to another, over all their VIs. A message counts when its
 * life is over: what is under way at the end is in no flow.
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
     * @brief Listens to the NICs of @p nodes.
     * @param nodes given to ViaHelper::Install before; those of the receivers count
     * @throws ConfigError a node has no VIA NIC, or DelayBinWidth is not above 0
     */
    void Install(const NodeContainer& nodes);

    /// @return the flows that any message has ended of
    const std::map<Key, ViaFlow>& Flows() const;

    /**
     * @brief Writes the flows as XML: elements, attributes and units (ns) are FlowMonitor's.
     *
     * A flow's ranks stand in its ViaFlowClassifier. txPackets are those whose life is over.
     *
     * @param out where to
     * @param histograms write how many messages had which delay, too
     */
    void SerializeToXml(std::ostream& out, bool histograms = false) const;

    /// The same into a file. @throws ConfigError it cannot be written
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
