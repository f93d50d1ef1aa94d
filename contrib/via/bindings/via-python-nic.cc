/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
// VIPL objects of a Python process: addresses and times.

#include "via-python-nic.h"

#include "via-python-arguments.h"

#include "ns3/via-net-address.h"

#include <algorithm>
#include <cstddef>
#include <cstring>

namespace py = pybind11;

namespace ns3
{
namespace via
{

namespace
{

constexpr std::size_t MOST_ADDRESS_BYTES = 65535; // lengths have 16 bits
constexpr std::size_t HEAD = offsetof(VIP_NET_ADDRESS, HostAddress);
constexpr std::size_t HOST_BYTES = 255;

} // namespace

AddressBytes::AddressBytes(std::size_t discriminatorBytes)
    : m_bytes((HEAD + HOST_BYTES + discriminatorBytes + 1) / 2)
{
}

AddressBytes::AddressBytes(std::uint32_t node, const std::string& discriminator)
    : AddressBytes(std::min(discriminator.size(), MOST_ADDRESS_BYTES))
{
    if (discriminator.size() > MOST_ADDRESS_BYTES)
    {
        throw py::value_error("a discriminator can have at most 65535 bytes");
    }
    const std::string host = HostAddressOf(static_cast<NodeId>(node));
    VIP_NET_ADDRESS* address = Get();
    address->HostAddressLen = static_cast<VIP_UINT16>(host.size());
    address->DiscriminatorLen = static_cast<VIP_UINT16>(discriminator.size());
    auto* bytes = reinterpret_cast<char*>(m_bytes.data()) + HEAD;
    std::memcpy(bytes, host.data(), host.size());
    std::memcpy(bytes + host.size(), discriminator.data(), discriminator.size());
}

std::uint32_t
AddressBytes::Node() const
{
    const auto* bytes = reinterpret_cast<const char*>(m_bytes.data());
    NodeId node = 0;
    NodeOfAddress(std::string(bytes + HEAD, m_bytes.front()), node);
    return node;
}

std::string
AddressBytes::Discriminator() const
{
    const auto* bytes = reinterpret_cast<const char*>(m_bytes.data());
    return {bytes + HEAD + m_bytes.at(0), m_bytes.at(1)};
}

VIP_ULONG
TimeoutOf(const py::object& timeout)
{
    if (timeout.is_none())
    {
        return VIP_INFINITE;
    }
    return static_cast<VIP_ULONG>(
        WholeNumber(timeout.ptr(), "timeout in milliseconds", VIP_INFINITE - 1));
}

std::string
DiscriminatorOf(const py::object& given)
{
    if (!py::isinstance<py::bytes>(given) && !py::isinstance<py::str>(given))
    {
        throw py::type_error("discriminator must be bytes or text");
    }
    return given.cast<std::string>();
}

} // namespace via
} // namespace ns3
