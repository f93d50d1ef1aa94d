/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
// The table of all keys a provider profile must have: this file decides, the README repeats it.

#include "via-profile-schema.h"

#include "ns3/via-fabric-keys.h"
#include "ns3/via-kernel-keys.h"
#include "ns3/via-mechanism-keys.h"

#include <algorithm>

namespace ns3
{
namespace via
{

namespace
{

using Keys = std::vector<ProfileKey>;

// Ranges refuse slips of the pen (a unit mixed up, a digit too many), they describe no product.
constexpr std::uint64_t KHZ = 1'000;
constexpr std::uint64_t GHZ = 1'000'000'000;
constexpr std::uint64_t MAX_CYCLES = 1'000'000'000;
constexpr std::uint64_t MAX_NIC_CYCLES = 10'000'000;
constexpr std::uint64_t MAX_CLOCKS = 1'000;
constexpr std::uint64_t MAX_BYTES = std::uint64_t{1} << 40;
constexpr std::uint64_t MAX_COUNT = std::uint64_t{1} << 24;

ProfileKey
Clock(ProfileScope scope, const char* key, const char* meaning)
{
    return {key, scope, ProfileKind::CLOCK, "Hz", KHZ, 100 * GHZ, "", meaning};
}

ProfileKey
Count(const char* key, std::uint64_t min, std::uint64_t max, const char* meaning)
{
    return {key, ProfileScope::PRODUCT, ProfileKind::NUMBER, "count", min, max, "", meaning};
}

ProfileKey
Bytes(const char* key, std::uint64_t min, std::uint64_t max, const char* meaning)
{
    return {key, ProfileScope::PRODUCT, ProfileKind::NUMBER, "bytes", min, max, "", meaning};
}

ProfileKey
Word(const char* key, const char* words, const char* meaning)
{
    return {key, ProfileScope::PRODUCT, ProfileKind::WORD, "word", 0, 0, words, meaning};
}

ProfileKey
Microseconds(const char* key, const char* meaning)
{
    constexpr ProfileScope scope = ProfileScope::PRODUCT;
    return {key, scope, ProfileKind::NUMBER, "us", 1, 10'000'000, "", meaning};
}

/// Work of the host CPU that is part of something longer.
ProfileKey
HostCycles(ProfileScope scope, const char* key, const char* meaning)
{
    return {key, scope, ProfileKind::NUMBER, "host cycles", 0, MAX_CYCLES, "", meaning};
}

/// A call, or whatever a program can do again and again: for nothing, its loop would never end.
ProfileKey
Call(ProfileScope scope, const char* key, const char* meaning)
{
    return {key, scope, ProfileKind::NUMBER, "host cycles", 1, MAX_CYCLES, "", meaning};
}

ProfileKey
NicCycles(const char* key, const char* meaning)
{
    constexpr ProfileScope scope = ProfileScope::PRODUCT;
    return {key, scope, ProfileKind::NUMBER, "nic cycles", 0, MAX_NIC_CYCLES, "", meaning};
}

ProfileKey
BusClocks(const char* key, std::uint64_t min, const char* meaning)
{
    constexpr ProfileScope scope = ProfileScope::HOST;
    return {key, scope, ProfileKind::NUMBER, "bus clocks", min, MAX_CLOCKS, "", meaning};
}

Keys
HostKeys()
{
    constexpr ProfileScope host = ProfileScope::HOST;
    constexpr ProfileKind number = ProfileKind::NUMBER;
    return {
        Clock(host, "cpu.clock", "clock of each CPU"),
        {"cpu.count",
         host,
         number,
         "count",
         1,
         256,
         "",
         "CPUs of the node, for which its processes and threads compete"},
        HostCycles(host, "cpu.cache_miss", "one load from main memory that misses every cache"),
        Call(host, "cpu.basic_block", "one basic block of a program, when time passes by them"),
        Call(host, "cpu.time_call", "reading the time of day"),
        Call(host, "os.syscall", "entering and leaving the kernel, doing nothing there"),
        HostCycles(host, "os.interrupt", "one device interrupt with its lost cache and pipeline"),
        HostCycles(host, "os.context_switch", "changing from one process to another"),
        HostCycles(host, "os.page_pin", "pinning one page of a registration"),
        HostCycles(host, "os.page_unpin", "unpinning one page of a deregistration"),
        {"os.page_bytes", host, number, "bytes", 512, 1 << 22, "", "size of a page, power of two"},
        {"cpu.line_bytes",
         host,
         number,
         "bytes",
         8,
         4096,
         "",
         "a line of the caches, power of two"},
        {"cpu.cache_bytes", host, number, "bytes", 0, 1 << 30, "", "the last cache"},
        HostCycles(host, "cpu.copy_base", "copying memory: part that has no size"),
        HostCycles(host, "cpu.copy_line", "copying one line from memory to memory"),
        HostCycles(host, "cpu.copy_line_cached", "copying one line whose source is in a cache"),
        {"os.quantum",
         host,
         number,
         "us",
         1,
         10'000'000,
         "",
         "how long a process has a CPU for which others wait"},
    };
}

Keys
BusKeys()
{
    constexpr ProfileScope host = ProfileScope::HOST;
    constexpr ProfileKind number = ProfileKind::NUMBER;
    return {
        Clock(host, "bus.clock", "clock of the I/O bus"),
        {"bus.count", host, number, "count", 1, 64, "", "I/O buses; card k is on bus k mod count"},
        {"bus.width", host, number, "bytes", 1, 64, "", "bytes moved per data clock"},
        BusClocks("bus.arbitration", 0, "from the request of the bus to its grant"),
        BusClocks("bus.address", 0, "address phase, attributes included"),
        BusClocks("bus.read_initial", 0, "DMA read: from the address to the first data"),
        BusClocks("bus.write_initial", 0, "DMA write: from the address to the first data"),
        BusClocks("bus.store_initial", 0, "store of a CPU: from the address to the first data"),
        BusClocks("bus.turnaround", 0, "from the last data to the next arbitration"),
        BusClocks("bus.latency_timer", 1, "data clocks after which a master gives the bus away"),
        {"bus.burst_bytes",
         host,
         number,
         "bytes",
         1,
         1 << 20,
         "",
         "longest burst before the bridge ends it"},
        {"bus.split_reads",
         host,
         number,
         "count",
         0,
         1,
         "",
         "whether the bus is free for others while a read waits for its first data"},
        {"bus.write_combining",
         host,
         number,
         "bytes",
         0,
         4096,
         "",
         "stores to consecutive addresses that a CPU gathers into one burst; 0: none"},
        {"bus.store_bytes", host, number, "bytes", 1, 64, "", "one uncached store of a CPU"},
    };
}

Keys
ViplKeys()
{
    constexpr ProfileScope product = ProfileScope::PRODUCT;
    return {
        Call(product, "vipl.post_send", "VipPostSend, without the doorbell store"),
        Call(product, "vipl.post_recv", "VipPostRecv, without the doorbell store"),
        Call(product, "vipl.done_hit", "VipSendDone, VipRecvDone that reap a descriptor"),
        Call(product, "vipl.done_miss", "VipSendDone, VipRecvDone that find nothing"),
        Call(product, "vipl.cq_done_hit", "VipCQDone that pops an entry"),
        Call(product, "vipl.cq_done_miss", "VipCQDone that finds nothing"),
        Call(product, "vipl.wait_enter", "a wait or notify call up to going to sleep"),
        Call(product, "vipl.query", "VipQueryNic, VipQueryVi, VipQueryMem and the like"),
        Call(product, "vipl.open_nic", "VipOpenNic"),
        Call(product, "vipl.close_nic", "VipCloseNic"),
        Call(product, "vipl.create_ptag", "VipCreatePtag"),
        Call(product, "vipl.destroy_ptag", "VipDestroyPtag"),
        Call(product, "vipl.register_base", "VipRegisterMem, part that has no size"),
        HostCycles(product, "vipl.register_page", "VipRegisterMem, per page beyond os.page_pin"),
        Call(product, "vipl.deregister_base", "VipDeregisterMem, part that has no size"),
        HostCycles(product,
                   "vipl.deregister_page",
                   "VipDeregisterMem, per page beyond os.page_unpin"),
        Call(product, "vipl.set_attributes", "VipSetViAttributes, VipSetMemAttributes"),
        Call(product, "vipl.create_vi", "VipCreateVi"),
        Call(product, "vipl.destroy_vi", "VipDestroyVi"),
        Call(product, "vipl.create_cq", "VipCreateCQ"),
        Call(product, "vipl.destroy_cq", "VipDestroyCQ"),
        Call(product, "vipl.resize_cq", "VipResizeCQ"),
        Call(product, "vipl.connect_request", "client's work before its request leaves"),
        Call(product, "vipl.connect_wait", "server's work from wake-up to return"),
        Call(product, "vipl.connect_accept", "server's work before its accept leaves"),
        Call(product, "vipl.connect_reject", "server's work before its reject leaves"),
        Call(product, "vipl.disconnect", "VipDisconnect"),
        Call(product, "vipl.name_service", "one VipNS call, one system management query"),
    };
}

Keys
ViplRuleKeys()
{
    return {
        Count("vipl.null_tag", 0, 1, "whether a NULL tag is taken, as the process' default tag"),
        Count("vipl.shared_handles",
              0,
              1,
              "whether the NIC handles of a process share tags, memory, CQs and handler"),
        Count("vipl.extensions", 0, 1, "whether Giganet's extra calls work"),
        Word("vipl.tag_in_use",
             "error-resource, invalid-parameter",
             "what VipDestroyPtag says of a tag in use"),
    };
}

Keys
NicCostKeys()
{
    return {
        Clock(ProfileScope::PRODUCT, "nic.clock", "clock of the card's engines"),
        NicCycles("nic.doorbell_decode", "taking one doorbell from the FIFO"),
        NicCycles("nic.segment_cell", "per message, before its first cell is ready"),
        NicCycles("nic.receive_demux", "per message, from its header to its VI"),
        NicCycles("nic.receive_residual", "per received message: the unexplained rest"),
        NicCycles("nic.connection", "handling one connection packet"),
        NicCycles("nic.acknowledge",
                  "making or taking one acknowledgement, or finding cells to send again"),
        Count("nic.retransmit_unit", 1, 16, "cells that are sent again together"),
        Bytes("nic.retransmit_buffer",
              1024,
              1073741824,
              "payload sent to a peer, not acknowledged"),
        Microseconds("nic.retransmit_timeout", "without news of cells that were sent"),
        Count("nic.retransmit_limit", 1, 1000, "time-outs in a row before a peer is given up"),
        Bytes("nic.status_bytes", 1, 64, "DMA write that completes a descriptor"),
        Bytes("nic.cq_entry_bytes", 1, 64, "DMA write that adds a completion queue entry"),
        Bytes("nic.dma_burst", 16, 65536, "longest payload of one bus burst"),
        Bytes("nic.transmit_buffer",
              64,
              16777216,
              "payload between DMA and wire; whole DMA bursts"),
    };
}

Keys
NicLimitKeys()
{
    // The smallest largest transfer is the VI Architecture's own, 252 segments are its limit.
    return {
        Count("nic.max_vi", 1, MAX_COUNT, "VIs open at a time"),
        Bytes("nic.max_transfer_size", 32768, MAX_BYTES, "payload of one descriptor"),
        Bytes("nic.max_registered_bytes", 4096, MAX_BYTES, "memory registered at a time"),
        Bytes("nic.max_region_bytes", 4096, MAX_BYTES, "memory of one registration"),
        Count("nic.max_regions", 1, MAX_COUNT, "registrations at a time"),
        Count("nic.max_queue_depth", 1, MAX_COUNT, "descriptors on one work queue"),
        Count("nic.max_segments", 1, 252, "data segments of one descriptor"),
        Count("nic.max_cq", 1, MAX_COUNT, "completion queues open at a time"),
        Count("nic.max_cq_entries", 1, MAX_COUNT, "entries of one completion queue"),
        Count("nic.max_ptags", 1, MAX_COUNT, "protection tags at a time"),
        Bytes("nic.native_mtu", 1, MAX_BYTES, "NativeMTU as VipQueryNic reports it"),
        Bytes("nic.max_discriminator_bytes", 1, 256, "longest discriminator"),
        {"nic.reliability",
         ProfileScope::PRODUCT,
         ProfileKind::WORDS,
         "word",
         0,
         0,
         "unreliable, reliable-delivery, reliable-reception",
         "reliability levels offered"},
        Count("nic.rdma_read", 0, 1, "whether RDMA read is offered"),
    };
}

Keys
AllKeys()
{
    Keys all;
    for (const Keys& part : {HostKeys(),
                             BusKeys(),
                             ViplKeys(),
                             ViplRuleKeys(),
                             NicCostKeys(),
                             NicLimitKeys(),
                             MechanismKeys(),
                             KernelKeys(),
                             FabricKeys()})
    {
        all.insert(all.end(), part.begin(), part.end());
    }
    std::sort(all.begin(), all.end(), [](const ProfileKey& a, const ProfileKey& b) {
        return a.key < b.key;
    });
    return all;
}

} // namespace

const std::vector<ProfileKey>&
ProfileKeys()
{
    static const std::vector<ProfileKey> keys = AllKeys();
    return keys;
}

} // namespace via
} // namespace ns3
