/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
// Bodies of connection packets: attributes, addresses and deadlines as bytes.

#ifndef VIA_CONNECT_BODY_H
#define VIA_CONNECT_BODY_H

#include "ns3/via-net-address.h"
#include "ns3/via-virtual-interface.h"

namespace ns3
{
namespace via
{

/// Appends fields to the body of a connection packet; the packet's length grows accordingly.
class ConnectBodyWriter
{
  public:
    explicit ConnectBodyWriter(Packet& packet)
        : m_packet(packet)
    {
    }

    void Put(const ViAttributes& attributes);
    void Put(const NetAddress& address);
    void Put(Ps time);

  private:
    void Append(const void* from, std::size_t bytes);
    void Append(const std::string& text);

    Packet& m_packet;
};

/// Reads the fields back, in the same order.
class ConnectBodyReader
{
  public:
    explicit ConnectBodyReader(const Packet& packet)
        : m_packet(packet)
    {
    }

    ViAttributes Attributes();
    NetAddress Address();
    Ps Time();

  private:
    void Extract(void* to, std::size_t bytes);
    std::string Text();

    const Packet& m_packet;
    std::size_t m_at{0};
};

} // namespace via
} // namespace ns3

#endif // VIA_CONNECT_BODY_H
