/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
// What the network stack and the driver of a kernel cost, read from its profile.

#include "via-kernel-costs.h"

#include <string>

namespace ns3
{
namespace via
{

namespace
{

std::uint32_t
Small(const ProviderProfile& profile, const std::string& key)
{
    return static_cast<std::uint32_t>(profile.Number(key));
}

void
ReadCycles(const ProviderProfile& profile, KernelCosts& costs)
{
    const auto cycles = [&profile](const char* key) { return Cycles(profile.Number(key)); };
    costs.socketSend = cycles("kernel.socket_send");
    costs.socketReceive = cycles("kernel.socket_receive");
    costs.wakeUp = cycles("kernel.wake_up");
    costs.softInterrupt = cycles("kernel.soft_interrupt");
    costs.driverSend = cycles("kernel.driver_send");
    costs.driverReceive = cycles("kernel.driver_receive");
    costs.receiveResidual = cycles("kernel.receive_residual");
    costs.ipSend = cycles("ip.send");
    costs.ipReceive = cycles("ip.receive");
    costs.udpSend = cycles("udp.send");
    costs.udpReceive = cycles("udp.receive");
    costs.tcpSend = cycles("tcp.send");
    costs.tcpReceive = cycles("tcp.receive");
    costs.ackSend = cycles("tcp.ack_send");
    costs.ackReceive = cycles("tcp.ack_receive");
    if (costs.offloadsTcp)
    {
        costs.offloadSend = cycles("tcp.offload_send");
        costs.offloadReceive = cycles("tcp.offload_receive");
    }
    if (!costs.offloadsChecksum)
    {
        costs.checksumLine = cycles("kernel.checksum_line");
    }
    if (!costs.copies)
    {
        costs.mapPage = cycles("kernel.map_page");
    }
}

} // namespace

KernelCosts
KernelCosts::From(const ProviderProfile& profile)
{
    KernelCosts costs;
    costs.offloadsTcp = profile.Word("kernel.offload") == "tcp";
    costs.offloadsChecksum = profile.Word("kernel.checksum") == "offload";
    costs.copies = profile.Word("kernel.payload") == "copy";
    ReadCycles(profile, costs);
    costs.coalesceFrames = Small(profile, "kernel.coalesce_frames");
    costs.coalesceDelay = static_cast<Ps>(profile.Number("kernel.coalesce_delay")) * PS_PER_US;
    costs.transmitRing = Small(profile, "kernel.transmit_ring");
    costs.receiveRing = Small(profile, "kernel.receive_ring");
    costs.mtu = Small(profile, "ip.mtu");
    costs.udpBuffer = Small(profile, "udp.buffer");
    costs.sendBuffer = Small(profile, "tcp.send_buffer");
    costs.receiveBuffer = Small(profile, "tcp.receive_buffer");
    costs.initialWindow = Small(profile, "tcp.initial_window");
    costs.delayedAck = Small(profile, "tcp.delayed_ack");
    costs.delayedAckMs = Small(profile, "tcp.delayed_ack_time");
    costs.minRtoMs = Small(profile, "tcp.min_rto");
    costs.noDelay = profile.Number("tcp.no_delay") != 0;
    return costs;
}

} // namespace via
} // namespace ns3
