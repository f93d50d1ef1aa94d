/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
// The switches of a cluster as ns-3 objects, with counters and configuration paths.

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
 * @brief A switch of the fabric. Its attributes are sums or maxima over its ports.
 *
 * It only refers to the cluster's switch. ViaHelper::Install creates it; after Simulator::Destroy()
 * all counters are 0.
 */
class ViaSwitchObject : public Object
{
  public:
    /// @return the TypeId
    static TypeId GetTypeId();

    ViaSwitchObject();

    /// @param part the switch; must live until this object is disposed
    explicit ViaSwitchObject(Switch& part);
    ~ViaSwitchObject() override;

    /// @return its name in tables and traces, e.g. "s0"
    std::string GetSwitchName() const;

    /// @return the number of ports
    std::uint32_t GetPorts() const;

    /**
     * @param port below GetPorts()
     * @return the counters of the port so far
     * @throws ConfigError if there is no such port
     */
    PortCounters GetPort(std::uint32_t port) const;

    /// @return the sums over all ports; of peakFill, the largest
    PortCounters GetTotal() const;

  protected:
    void DoDispose() override;

  private:
    /// A counter of GetTotal, for attributes.
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

    /// @return the number of switches
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
