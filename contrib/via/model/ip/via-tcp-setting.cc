/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
// What all TCP sockets of a simulated kernel have in common.

#include "via-tcp-setting.h"

#include "ns3/boolean.h"
#include "ns3/nstime.h"
#include "ns3/tcp-socket-base.h"
#include "ns3/uinteger.h"

#include <algorithm>

namespace ns3
{
namespace via
{

namespace
{

constexpr std::uint32_t HEADERS = 40;      // of IPv4 and TCP without options
constexpr std::uint32_t WINDOW_UPDATE = 2; // segments: a smaller window counts as shut

/// A reset is no public call of ns-3's.
class Resetting : public TcpSocketBase
{
  public:
    static void Reset(TcpSocketBase& socket)
    {
        (socket.*(&Resetting::SendRST))();
    }
};

} // namespace

void
SetUpTcp(const Ptr<Socket>& socket, const ViaIpDevice& device)
{
    const KernelCosts& costs = device.GetKernel()->Costs();
    socket->SetAttribute("SegmentSize", UintegerValue(device.GetMtu() - HEADERS));
    socket->SetAttribute("SndBufSize", UintegerValue(costs.sendBuffer));
    socket->SetAttribute("RcvBufSize", UintegerValue(costs.receiveBuffer));
    socket->SetAttribute("InitialCwnd", UintegerValue(costs.initialWindow));
    socket->SetAttribute("DelAckCount", UintegerValue(costs.delayedAck));
    socket->SetAttribute("DelAckTimeout", TimeValue(MilliSeconds(costs.delayedAckMs)));
    socket->SetAttribute("MinRto", TimeValue(MilliSeconds(costs.minRtoMs)));
    socket->SetAttribute("TcpNoDelay", BooleanValue(costs.noDelay));
    // ns-3 would send segments of this size and the option's 12 bytes on top: two fragments each
    socket->SetAttribute("Timestamp", BooleanValue(false));
}

bool
TcpWindowWasShut(const ViaIpDevice& device, std::uint32_t before)
{
    const std::uint32_t buffer = device.GetKernel()->Costs().receiveBuffer;
    const std::uint32_t segment = device.GetMtu() - HEADERS;
    return buffer - std::min(buffer, before) < WINDOW_UPDATE * segment;
}

void
AnnounceTcpWindow(const Ptr<Socket>& socket, const ViaIpDevice& device)
{
    // ns-3 3.37 announces a larger window to the peer only when the buffer itself grows
    const std::uint32_t buffer = device.GetKernel()->Costs().receiveBuffer;
    socket->SetAttribute("RcvBufSize", UintegerValue(buffer - 1));
    socket->SetAttribute("RcvBufSize", UintegerValue(buffer));
}

void
ResetTcp(const Ptr<Socket>& socket)
{
    if (const auto tcp = DynamicCast<TcpSocketBase>(socket))
    {
        Resetting::Reset(*tcp);
    }
}

} // namespace via
} // namespace ns3
