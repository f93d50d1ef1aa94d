/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
// Bodies of connection packets: attributes, addresses and deadlines as bytes.

#include "via-connect-body.h"

#include <cstring>

namespace ns3
{
namespace via
{

namespace
{

/// Attributes in wire format, without the tag, which is valid only on its own NIC.
struct WireAttributes
{
    std::uint64_t maxTransfer;
    std::uint64_t qos; ///< 0, the only quality of service that there is
    std::uint16_t reliability;
    std::uint8_t rdmaWrite;
    std::uint8_t rdmaRead;
    std::uint8_t padding[4];
};

} // namespace

void
ConnectBodyWriter::Put(const ViAttributes& attributes)
{
    const WireAttributes wire{attributes.maxTransfer,
                              0,
                              static_cast<std::uint16_t>(attributes.reliability),
                              static_cast<std::uint8_t>(attributes.rdmaWrite),
                              static_cast<std::uint8_t>(attributes.rdmaRead),
                              {}};
    Append(&wire, sizeof(wire));
}

void
ConnectBodyWriter::Put(const NetAddress& address)
{
    Append(address.host);
    Append(address.discriminator);
}

void
ConnectBodyWriter::Put(Ps time)
{
    Append(&time, sizeof(time));
}

void
ConnectBodyWriter::Append(const void* from, std::size_t bytes)
{
    const auto* first = static_cast<const std::uint8_t*>(from);
    m_packet.bytes.insert(m_packet.bytes.end(), first, first + bytes);
    m_packet.length = static_cast<std::uint32_t>(m_packet.bytes.size());
}

void
ConnectBodyWriter::Append(const std::string& text)
{
    const auto size = static_cast<std::uint8_t>(text.size());
    Append(&size, sizeof(size));
    Append(text.data(), text.size());
}

ViAttributes
ConnectBodyReader::Attributes()
{
    WireAttributes wire;
    Extract(&wire, sizeof(wire));
    return {static_cast<Reliability>(wire.reliability),
            wire.rdmaWrite != 0,
            wire.rdmaRead != 0,
            0,
            wire.maxTransfer};
}

NetAddress
ConnectBodyReader::Address()
{
    NetAddress address;
    address.host = Text();
    address.discriminator = Text();
    return address;
}

Ps
ConnectBodyReader::Time()
{
    Ps time = 0;
    Extract(&time, sizeof(time));
    return time;
}

void
ConnectBodyReader::Extract(void* to, std::size_t bytes)
{
    std::memcpy(to, m_packet.bytes.data() + m_at, bytes);
    m_at += bytes;
}

std::string
ConnectBodyReader::Text()
{
    std::uint8_t size = 0;
    Extract(&size, sizeof(size));
    std::string text(size, '\0');
    Extract(text.data(), size);
    return text;
}

} // namespace via
} // namespace ns3
