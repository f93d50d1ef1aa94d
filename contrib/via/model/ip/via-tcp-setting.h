/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
// What all TCP sockets of a simulated kernel have in common.

#ifndef VIA_TCP_SETTING_H
#define VIA_TCP_SETTING_H

#include "ns3/simple-ref-count.h"
#include "ns3/socket.h"
#include "ns3/via-ip-device.h"
#include "ns3/via-kernel-socket.h"

#include <cstddef>
#include <cstdint>

namespace ns3
{
namespace via
{

/// Gives @p socket the kernel's sizes and times.
void SetUpTcp(const Ptr<Socket>& socket, const ViaIpDevice& device);

/**
 * @brief Binds @p socket; address and port may be any.
 *
 * Connections to the same address do not hinder it, as on Linux with SO_REUSEADDR; those of ns-3's
 * own Bind do, unless the address is any.
 *
 * @return false: another socket is bound there
 */
bool BindTcp(const Ptr<Socket>& socket, const Ipv4Address& address, std::uint16_t port);

/**
 * @brief For a socket that a listener accepted: it has the settings of its listener but this.
 *
 * ns-3 3.37 sends a segment without bytes, and reads a null pointer, when data in recovery fill the
 * peer's window to the byte.
 */
void KeepInsideTcpWindow(const Ptr<Socket>& socket);

/// @return whether @p socket, which is bound, may connect to @p to: no other socket of the host has
/// a connection with the same addresses and ports
bool MayConnectTcp(const Ptr<Socket>& socket, const KernelPeer& to);

/// Sends as many of @p count bytes as the socket has room for. @return how many
std::uint32_t SendTcp(const Ptr<Socket>& socket, const std::uint8_t* bytes, std::size_t count);

/**
 * @brief Tells the peer that the receive buffer has room again, if it was nearly full.
 * @param before bytes that waited in the buffer before the program read
 * @return whether an announcement was due
 */
bool TcpWindowWasShut(const ViaIpDevice& device, std::uint32_t before);

/// Announces the window. For calls inside of the stack.
void AnnounceTcpWindow(const Ptr<Socket>& socket, const ViaIpDevice& device);

/// @return whether the peer still has to acknowledge bytes or the end of a closed connection
bool AwaitsTcpAcknowledgement(const Ptr<Socket>& socket);

/// Ends a connection with a reset, without a last word of its data.
void ResetTcp(const Ptr<Socket>& socket);

/// Resets a connection that nobody will read, and lets go of it. For events: not inside of its
/// calls.
void ResetAndEndTcp(Ptr<Socket> socket);

/**
 * @brief What the callbacks of a listening socket hold instead of its owner.
 *
 * ns-3 copies them to the socket of each connection that is being set up, which may outlive the
 * owner.
 */
template <class Owner>
struct TcpListener : public SimpleRefCount<TcpListener<Owner>>
{
    explicit TcpListener(Owner* theOwner)
        : owner(theOwner)
    {
    }

    Owner* owner; ///< null: it is gone, and what is accepted has to be reset
};

} // namespace via
} // namespace ns3

#endif // VIA_TCP_SETTING_H
