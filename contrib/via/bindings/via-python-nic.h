/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
// VIPL objects of a Python process: NIC, tags, queues and connections.

#ifndef VIA_PYTHON_NIC_H
#define VIA_PYTHON_NIC_H

#include "via-python-vi.h"

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

namespace ns3
{
namespace via
{

/// An opened NIC.
struct PythonNic
{
    std::shared_ptr<PythonProcess> process;
    VIP_NIC_HANDLE handle{nullptr};
    VIP_NIC_ATTRIBUTES attributes{};
};

/// A protection tag.
struct PythonTag
{
    std::shared_ptr<PythonProcess> process;
    VIP_NIC_HANDLE nic{nullptr};
    VIP_PROTECTION_HANDLE handle{nullptr};
};

/// A completion queue.
struct PythonCq
{
    std::shared_ptr<PythonProcess> process;
    VIP_CQ_HANDLE handle{nullptr};
};

/// A connection request, to be accepted or rejected.
struct PythonConnection
{
    std::shared_ptr<PythonProcess> process;
    VIP_CONN_HANDLE handle{nullptr};
    std::uint32_t node{0};
    std::string discriminator;
};

/// A VIP_NET_ADDRESS with its bytes.
class AddressBytes
{
  public:
    /// Room for an address with @p discriminatorBytes to be filled in by VIPL.
    explicit AddressBytes(std::size_t discriminatorBytes);

    /// The address of @p node. @throws py::value_error for a discriminator beyond 65535 bytes
    AddressBytes(std::uint32_t node, const std::string& discriminator);

    VIP_NET_ADDRESS* Get()
    {
        return reinterpret_cast<VIP_NET_ADDRESS*>(m_bytes.data());
    }

    /// @return the node of the address
    std::uint32_t Node() const;

    /// Its discriminator.
    std::string Discriminator() const;

  private:
    std::vector<VIP_UINT16> m_bytes; ///< aligned for the length fields
};

/// Converts to VIPL milliseconds; None is forever. @throws py::value_error out of range
VIP_ULONG TimeoutOf(const pybind11::object& timeout);

/// Converts bytes or text to bytes. @throws py::type_error for anything else
std::string DiscriminatorOf(const pybind11::object& given);

} // namespace via
} // namespace ns3

#endif // VIA_PYTHON_NIC_H
