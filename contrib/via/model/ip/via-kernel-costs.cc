/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
// Costs of a kernel's network stack and driver, read from its profile.

#include "via-kernel-costs.h"

namespace ns3
{
namespace via
{

namespace
{

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
    costs.coalesceFrames = profile.Number32("kernel.coalesce_frames");
    costs.coalesceDelay = static_cast<Ps>(profile.Number("kernel.coalesce_delay")) * PS_PER_US;
    costs.transmitRing = profile.Number32("kernel.transmit_ring");
    costs.receiveRing = profile.Number32("kernel.receive_ring");
    costs.mtu = profile.Number32("ip.mtu");
    costs.udpBuffer = profile.Number32("udp.buffer");
    costs.sendBuffer = profile.Number32("tcp.send_buffer");
    costs.receiveBuffer = profile.Number32("tcp.receive_buffer");
    costs.initialWindow = profile.Number32("tcp.initial_window");
    costs.delayedAck = profile.Number32("tcp.delayed_ack");
    costs.delayedAckMs = profile.Number32("tcp.delayed_ack_time");
    costs.minRtoMs = profile.Number32("tcp.min_rto");
    costs.noDelay = profile.Number("tcp.no_delay") != 0;
    return costs;
}

} // namespace via
} // namespace ns3
