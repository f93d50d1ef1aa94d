/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
// The keys of a kernel's profile: its network stack and driver.

#include "via-kernel-keys.h"

#include "ns3/via-key-maker.h"

namespace ns3
{
namespace via
{

namespace
{

using Keys = std::vector<ProfileKey>;

Keys
CommonKeys()
{
    const KeyMaker kernel(ProfileScope::KERNEL);
    return {
        kernel.Word("kernel.offload",
                    "none, tcp",
                    "who processes TCP and IP: the host's CPU or the card (a TCP offload engine)"),
        kernel.Word("kernel.checksum",
                    "software, offload",
                    "who computes payload checksums: the host's CPU or the card"),
        kernel.Word("kernel.payload",
                    "copy, zero-copy",
                    "how payload gets from a program into the kernel and back"),
        kernel.HostCycles("kernel.socket_send", "socket layer, per send call, without os.syscall"),
        kernel.HostCycles("kernel.socket_receive",
                          "socket layer, per receive call, without os.syscall"),
        kernel.HostCycles("kernel.wake_up",
                          "making a process ready to run, without os.context_switch"),
        kernel.HostCycles("kernel.soft_interrupt",
                          "from an interrupt to the protocols, once per interrupt"),
        kernel.HostCycles("kernel.driver_send", "per frame: buffer and entry of the card's ring"),
        kernel.HostCycles("kernel.driver_receive",
                          "per frame: buffer and entry of the card's ring"),
        kernel.HostCycles("kernel.checksum_line",
                          "checksum over one cache line",
                          "kernel.checksum=software"),
        kernel.HostCycles("kernel.map_page",
                          "pinning and mapping a page of payload, and undoing it",
                          "kernel.payload=zero-copy"),
        kernel.HostCycles("kernel.receive_residual",
                          "per packet with payload: unexplained part of published latencies"),
        kernel.Number("kernel.coalesce_frames",
                      "count",
                      1,
                      65536,
                      "received frames that trigger an interrupt of a VIA card"),
        kernel.Number("kernel.coalesce_delay",
                      "us",
                      0,
                      1'000'000,
                      "maximum delay of a VIA card's interrupt after the first frame"),
        kernel.Number(
            "kernel.transmit_ring",
            "count",
            1,
            65536,
            "maximum frames that the driver has given to the card and that have not left"),
        kernel.Number("kernel.receive_ring",
                      "count",
                      1,
                      65536,
                      "maximum frames that have arrived and wait for the kernel"),
    };
}

Keys
ProtocolKeys()
{
    const KeyMaker kernel(ProfileScope::KERNEL);
    return {
        kernel.Number("ip.mtu", "bytes", 576, 65535, "largest IP packet that the driver accepts"),
        kernel.HostCycles("ip.send", "per packet"),
        kernel.HostCycles("ip.receive", "per packet"),
        kernel.HostCycles("udp.send", "per datagram"),
        kernel.HostCycles("udp.receive", "per datagram"),
        kernel.Number("udp.buffer",
                      "bytes",
                      1024,
                      1 << 30,
                      "maximum received payload that a socket holds"),
        kernel.HostCycles("tcp.send", "per segment with payload"),
        kernel.HostCycles("tcp.receive", "per segment with payload"),
        kernel.HostCycles("tcp.ack_send", "per segment without payload"),
        kernel.HostCycles("tcp.ack_receive", "per segment without payload"),
        kernel.NicCycles("tcp.offload_send", "per segment in the card", "kernel.offload=tcp"),
        kernel.NicCycles("tcp.offload_receive", "per segment in the card", "kernel.offload=tcp"),
        kernel.Number("tcp.send_buffer",
                      "bytes",
                      1024,
                      1 << 30,
                      "maximum payload sent but not acknowledged"),
        kernel.Number("tcp.receive_buffer", "bytes", 1024, 1 << 30, "largest window advertised"),
        kernel
            .Number("tcp.initial_window", "count", 1, 64, "initial congestion window, in segments"),
        kernel.Number("tcp.delayed_ack", "count", 1, 64, "segments per acknowledgement"),
        kernel.Number("tcp.delayed_ack_time", "ms", 0, 1000, "maximum delay of an acknowledgement"),
        kernel.Number("tcp.min_rto", "ms", 1, 100'000, "minimum retransmission timeout"),
        kernel.Number("tcp.no_delay", "count", 0, 1, "1: small segments do not wait (TCP_NODELAY)"),
    };
}

} // namespace

std::vector<ProfileKey>
KernelKeys()
{
    Keys all = CommonKeys();
    const Keys protocols = ProtocolKeys();
    all.insert(all.end(), protocols.begin(), protocols.end());
    return all;
}

} // namespace via
} // namespace ns3
