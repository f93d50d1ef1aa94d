/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
// Windows of TCP connections: probes and announcements that ns-3 leaves out.

#ifndef VIA_TCP_WINDOW_H
#define VIA_TCP_WINDOW_H

#include "ns3/ptr.h"

#include <cstdint>

namespace ns3
{

class Socket;

namespace via
{

class ViaIpDevice;

/**
 * @brief From now on, a sender whose peer's window is shut, or too small for a segment, asks for it
 * again and again, and no other sender does (RFC 1122, 4.2.2.17).
 *
 * ns-3 3.37 to 3.48 do not ask for a small window, and so wait for ever if its announcement is
 * lost. They ask for a shut one also without bytes to send, and then read a null pointer. They do
 * not take the acknowledgement of the byte that asks, and ask for ever. The first question comes
 * after the time for retransmissions, as on Linux, not after six seconds.
 */
void MendTcpProbes(const Ptr<Socket>& socket);

/**
 * @brief For a socket that a listener accepted: it has the settings of its listener but this.
 *
 * ns-3 3.37 sends a segment without bytes, and reads a null pointer, when data in recovery fill the
 * peer's window to the byte.
 */
void KeepInsideTcpWindow(const Ptr<Socket>& socket);

/// Sends as many of @p count bytes as the socket has room for. @return how many
std::uint32_t SendTcp(const Ptr<Socket>& socket, const std::uint8_t* bytes, std::size_t count);

/// @return whether the window was so small before the program read that the peer must be told of
/// the new one
/// @param before bytes that waited in the receive buffer then
bool TcpWindowWasShut(const ViaIpDevice& device, std::uint32_t before);

/// Announces the window. For calls inside of the stack.
void AnnounceTcpWindow(const Ptr<Socket>& socket, const ViaIpDevice& device);

} // namespace via
} // namespace ns3

#endif // VIA_TCP_WINDOW_H
