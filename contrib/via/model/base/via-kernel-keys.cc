/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
// The keys of a kernel's profile: its network stack and driver.

#include "via-kernel-keys.h"

namespace ns3
{
namespace via
{

namespace
{

using Keys = std::vector<ProfileKey>;

constexpr ProfileScope KERNEL = ProfileScope::KERNEL;
constexpr std::uint64_t MOST_CYCLES = 10'000'000;

ProfileKey
Cpu(const char* key, const char* meaning, const char* onlyIf = "")
{
    return {key, KERNEL, ProfileKind::NUMBER, "host cycles", 0, MOST_CYCLES, "", meaning, onlyIf};
}

ProfileKey
Card(const char* key, const char* meaning, const char* onlyIf)
{
    return {key, KERNEL, ProfileKind::NUMBER, "nic cycles", 0, MOST_CYCLES, "", meaning, onlyIf};
}

ProfileKey
Number(const char* key, const char* unit, std::uint64_t min, std::uint64_t max, const char* meaning)
{
    return {key, KERNEL, ProfileKind::NUMBER, unit, min, max, "", meaning};
}

ProfileKey
Choice(const char* key, const char* words, const char* meaning)
{
    return {key, KERNEL, ProfileKind::WORD, "word", 0, 0, words, meaning};
}

Keys
CommonKeys()
{
    return {
        Choice("kernel.offload",
               "none, tcp",
               "who processes TCP and IP: the host's CPU, or the card (a TCP offload engine)"),
        Choice("kernel.checksum",
               "software, offload",
               "who sums payload up: the host's CPU, or the card"),
        Choice("kernel.payload",
               "copy, zero-copy",
               "how payload gets from a program into the kernel and back"),
        Cpu("kernel.socket_send", "a send call's way through the socket layer, without os.syscall"),
        Cpu("kernel.socket_receive", "the same of a receive call"),
        Cpu("kernel.wake_up", "making a process ready to run; os.context_switch comes on top"),
        Cpu("kernel.soft_interrupt", "from an interrupt to the protocols, once for all its frames"),
        Cpu("kernel.driver_send", "per frame: buffer, entry of the card's ring"),
        Cpu("kernel.driver_receive", "per frame: buffer, entry of the card's ring"),
        Cpu("kernel.checksum_line",
            "summing up one line of the caches",
            "kernel.checksum=software"),
        Cpu("kernel.map_page",
            "pinning and mapping a page of payload, and undoing it",
            "kernel.payload=zero-copy"),
        Cpu("kernel.receive_residual", "per packet with payload: the unexplained rest"),
        Number("kernel.coalesce_frames",
               "count",
               1,
               65536,
               "frames after which a VIA card interrupts at the latest"),
        Number("kernel.coalesce_delay",
               "us",
               0,
               1'000'000,
               "time after a frame after which it interrupts at the latest"),
        Number("kernel.transmit_ring",
               "count",
               1,
               65536,
               "frames that the driver has handed to the card and that have not left"),
        Number("kernel.receive_ring",
               "count",
               1,
               65536,
               "frames that have arrived and wait for the kernel"),
    };
}

Keys
ProtocolKeys()
{
    return {
        Number("ip.mtu", "bytes", 576, 65535, "largest IP packet that the driver takes"),
        Cpu("ip.send", "per packet"),
        Cpu("ip.receive", "per packet"),
        Cpu("udp.send", "per datagram"),
        Cpu("udp.receive", "per datagram"),
        Number("udp.buffer", "bytes", 1024, 1 << 30, "received payload that a socket holds"),
        Cpu("tcp.send", "per segment with payload"),
        Cpu("tcp.receive", "per segment with payload"),
        Cpu("tcp.ack_send", "per segment without payload"),
        Cpu("tcp.ack_receive", "per segment without payload"),
        Card("tcp.offload_send", "per segment in the card", "kernel.offload=tcp"),
        Card("tcp.offload_receive", "per segment in the card", "kernel.offload=tcp"),
        Number("tcp.send_buffer", "bytes", 1024, 1 << 30, "payload sent and not acknowledged"),
        Number("tcp.receive_buffer", "bytes", 1024, 1 << 30, "the largest window offered"),
        Number("tcp.initial_window", "count", 1, 64, "segments that a connection begins with"),
        Number("tcp.delayed_ack", "count", 1, 64, "segments that are acknowledged together"),
        Number("tcp.delayed_ack_time", "ms", 0, 1000, "after which one is acknowledged alone"),
        Number("tcp.min_rto", "ms", 1, 100'000, "the shortest time until it sends again"),
        Number("tcp.no_delay", "count", 0, 1, "1: small segments do not wait (TCP_NODELAY)"),
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
