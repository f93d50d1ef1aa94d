/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
// The VIA NIC of an ns-3 node, as ns-3 sees it: attributes and trace sources.

#ifndef VIA_NIC_OBJECT_H
#define VIA_NIC_OBJECT_H

#include "ns3/object.h"
#include "ns3/traced-callback.h"
#include "ns3/via-network.h"

#include <cstdint>
#include <string>

namespace ns3
{
namespace via
{

/**
 * @ingroup via
 * @brief Aggregated to each node by ViaHelper::Install; found with GetObject<ViaNicObject>().
 *
 * It holds no model of its own: the NIC is the cluster's.
 */
class ViaNicObject : public Object
{
  public:
    /**
     * @brief Signature of the trace source MessageEnd.
     * @param message its sender, size and times in ps; the end may lie a little ahead of
     *        Simulator::Now(), because a process that polls runs ahead while nothing can happen
     */
    typedef void (*MessageTracedCallback)(const MessageRow& message);

    /// @return the TypeId
    static TypeId GetTypeId();

    ViaNicObject();

    /**
     * @param network it belongs to
     * @param host its number there
     */
    ViaNicObject(Ptr<ViaNetwork> network, std::uint32_t host);
    ~ViaNicObject() override;

    /// @return number of the host in the cluster: 0 for the first node of the container
    std::uint32_t GetHostIndex() const;

    /// @return the name that programs know this host by, e.g. "n3"
    std::string GetHostName() const;

    /// @return VIs that exist at present
    std::uint32_t GetViCount() const;

    /// @return the NIC. Aborts after Simulator::Destroy().
    Nic& GetNic() const;

    /// @return the network that it belongs to; null after the node was disposed
    Ptr<ViaNetwork> GetNetwork() const;

    /// Fires MessageEnd. For the network.
    void NoteMessage(const MessageRecord& record);

  protected:
    void DoDispose() override;

  private:
    Ptr<ViaNetwork> m_network;
    std::uint32_t m_host{0};
    TracedCallback<const MessageRow&> m_messageEnd;
};

} // namespace via
} // namespace ns3

#endif // VIA_NIC_OBJECT_H
