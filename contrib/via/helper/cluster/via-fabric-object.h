/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
// The switches of a cluster, as ns-3 sees them: objects with counters, found by paths.

#ifndef VIA_FABRIC_OBJECT_H
#define VIA_FABRIC_OBJECT_H

#include "ns3/object.h"
#include "ns3/ptr.h"
#include "ns3/via-port-counters.h"

#include <cstdint>
#include <string>
#include <vector>

namespace ns3
{
namespace via
{

class Switch;

/**
 * @ingroup via
 * @brief A switch of the fabric: the attributes are sums over its ports, or of one of them.
 *
 * It holds no model of its own: the switch is the cluster's. Made by ViaHelper::Install; after
 * Simulator::Destroy() all counters are 0.
 */
class ViaSwitchObject : public Object
{
  public:
    /// @return the TypeId
    static TypeId GetTypeId();

    ViaSwitchObject();

    /// @param part the switch; must live until this object is disposed
    explicit ViaSwitchObject(const Switch& part);
    ~ViaSwitchObject() override;

    /// @return its name in tables and traces, e.g. "s0"
    std::string GetSwitchName() const;

    /// @return how many ports it has
    std::uint32_t GetPorts() const;

    /**
     * @param port below GetPorts()
     * @return what has passed it so far
     * @throws ConfigError there is no such port
     */
    PortCounters GetPort(std::uint32_t port) const;

    /// @return the sums over all ports; of peakFill, the largest
    PortCounters GetTotal() const;

  protected:
    void DoDispose() override;

  private:
    /// One of the counters of GetTotal, for attributes.
    template <auto counter>
    std::uint64_t Total() const
    {
        return GetTotal().*counter;
    }

    const Switch* m_switch{nullptr};
};

/**
 * @ingroup via
 * @brief The fabric, a root of ns-3's configuration paths while its cluster exists:
 * `Config::LookupMatches("/ViaSwitchList/0")` finds its first switch.
 */
class ViaFabricObject : public Object
{
  public:
    /// @return the TypeId
    static TypeId GetTypeId();

    ViaFabricObject();
    ~ViaFabricObject() override;

    /// Adds a switch; the first is number 0. For ViaNetwork.
    void Add(Ptr<ViaSwitchObject> part);

    /// @return how many switches there are
    std::size_t GetN() const;

    /// @param index below GetN(), as in the topology
    Ptr<ViaSwitchObject> Get(std::size_t index) const;

  protected:
    void DoDispose() override;

  private:
    std::vector<Ptr<ViaSwitchObject>> m_switches;
};

} // namespace via
} // namespace ns3

#endif // VIA_FABRIC_OBJECT_H
