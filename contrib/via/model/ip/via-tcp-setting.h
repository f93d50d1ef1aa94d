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

/// The most bytes of a segment.
std::uint32_t TcpSegmentSize(const ViaIpDevice& device);

/// Gives @p socket the kernel's sizes and times, and mends what ns-3's lacks.
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

/// @return whether @p socket, which is bound, may connect to @p to: no other socket of the host has
/// a connection with the same addresses and ports
bool MayConnectTcp(const Ptr<Socket>& socket, const KernelPeer& to);

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
