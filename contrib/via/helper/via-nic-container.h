/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
// The NICs that ViaHelper::Install made, in the order of their nodes.

#ifndef VIA_NIC_CONTAINER_H
#define VIA_NIC_CONTAINER_H

#include "ns3/via-nic-object.h"

#include <cstdint>
#include <utility>
#include <vector>

namespace ns3
{
namespace via
{

/**
 * @ingroup via
 * @brief NICs of nodes, as NetDeviceContainer has devices. A VIA NIC is no NetDevice: ViaIpHelper
 * makes one of it.
 */
class ViaNicContainer
{
  public:
    typedef std::vector<Ptr<ViaNicObject>>::const_iterator Iterator;

    ViaNicContainer() = default;

    explicit ViaNicContainer(std::vector<Ptr<ViaNicObject>> nics)
        : m_nics(std::move(nics))
    {
    }

    Iterator Begin() const
    {
        return m_nics.begin();
    }

    Iterator End() const
    {
        return m_nics.end();
    }

    /// @return the number of NICs
    std::uint32_t GetN() const
    {
        return static_cast<std::uint32_t>(m_nics.size());
    }

    /// @param i index of the node in the container passed to Install; less than GetN()
    Ptr<ViaNicObject> Get(std::uint32_t i) const
    {
        return m_nics[i];
    }

  private:
    std::vector<Ptr<ViaNicObject>> m_nics;
};

} // namespace via
} // namespace ns3

#endif // VIA_NIC_CONTAINER_H
