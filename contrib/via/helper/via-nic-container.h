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
 * makes one of it. The node of a NIC is `nic->GetObject<Node>()`.
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

    /// @param nic the only one, such as nics.Get(0)
    explicit ViaNicContainer(Ptr<ViaNicObject> nic)
        : m_nics{std::move(nic)}
    {
    }

    /// @param nic becomes the last one
    void Add(Ptr<ViaNicObject> nic)
    {
        m_nics.push_back(std::move(nic));
    }

    /// @param others come after those that are there
    void Add(const ViaNicContainer& others)
    {
        m_nics.insert(m_nics.end(), others.Begin(), others.End());
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
