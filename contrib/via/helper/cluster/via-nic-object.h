/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
// The VIA NIC of an ns-3 node as an ns-3 object: attributes and trace sources.

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
 * @brief ViaHelper::Install aggregates it to each node; find it with GetObject<ViaNicObject>().
 *
 * It only refers to the cluster's NIC.
 */
class ViaNicObject : public Object
{
  public:
    /**
     * @brief Signature of the trace source MessageEnd.
     * @param message sender, size and times in ps; the end may be slightly later than
     * Simulator::Now(), because a polling process runs ahead while no event can affect it
     */
    typedef void (*MessageTracedCallback)(const MessageRow& message);

    /// @return the TypeId
    static TypeId GetTypeId();

    ViaNicObject();

    /**
     * @param network owner of the cluster
     * @param host index of the host in the cluster
     */
    ViaNicObject(Ptr<ViaNetwork> network, std::uint32_t host);
    ~ViaNicObject() override;

    /// @return index of the host in the cluster: 0 for the first node of the container
    std::uint32_t GetHostIndex() const;

    /// @return the host's name in programs, e.g. "n3"
    std::string GetHostName() const;

    /// @return current number of VIs
    std::uint32_t GetViCount() const;

    /// @return the NIC. Aborts after Simulator::Destroy().
    Nic& GetNic() const;

    /// @return the network; null after the node was disposed
    Ptr<ViaNetwork> GetNetwork() const;

    /// Fires MessageEnd. For ViaNetwork.
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
