/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
// The authoritative table of all keys of a provider profile; the README repeats it.

#include "via-profile-schema.h"

#include "ns3/via-fabric-keys.h"
#include "ns3/via-kernel-keys.h"
#include "ns3/via-key-maker.h"
#include "ns3/via-mechanism-keys.h"

#include <algorithm>

namespace ns3
{
namespace via
{

namespace
{

using Keys = std::vector<ProfileKey>;

Keys
HostKeys()
{
    const KeyMaker host(ProfileScope::HOST);
    return {
        host.Clock("cpu.clock", "clock of each CPU"),
        host.Number("cpu.count",
                    "count",
                    1,
                    256,
                    "CPUs of the node, shared by its processes and threads"),
        host.HostCycles("cpu.cache_miss", "one load from main memory that misses every cache"),
        host.Call("cpu.basic_block", "one basic block of a program"),
        host.Call("cpu.time_call", "reading the time of day"),
        host.Call("os.syscall", "entering and leaving the kernel"),
        host.HostCycles("os.interrupt",
                        "one device interrupt, including its effects on cache and pipeline"),
        host.HostCycles("os.context_switch", "changing from one process to another"),
        host.HostCycles("os.page_pin", "pinning one page of a registration"),
        host.HostCycles("os.page_unpin", "unpinning one page of a deregistration"),
        host.Number("os.page_bytes", "bytes", 512, 1 << 22, "size of a page, power of two"),
        host.Number("cpu.line_bytes", "bytes", 8, 4096, "size of a cache line, power of two"),
        host.Number("cpu.cache_bytes", "bytes", 0, 1 << 30, "size of the last-level cache"),
        host.HostCycles("cpu.copy_base", "copying memory: part that does not depend on the size"),
        host.HostCycles("cpu.copy_line", "copying one line from memory to memory"),
        host.HostCycles("cpu.copy_line_cached", "copying one line whose source is in the cache"),
        host.Number("os.quantum",
                    "us",
                    1,
                    10'000'000,
                    "time that a process keeps a CPU while others wait"),
    };
}

Keys
BusKeys()
{
    const KeyMaker host(ProfileScope::HOST);
    return {
        host.Clock("bus.clock", "clock of the I/O bus"),
        host.Number("bus.count", "count", 1, 64, "I/O buses; card k is on bus k mod count"),
        host.Number("bus.width", "bytes", 1, 64, "bytes moved per data clock"),
        host.BusClocks("bus.arbitration", 0, "from the bus request to its grant"),
        host.BusClocks("bus.address", 0, "address phase, including attributes"),
        host.BusClocks("bus.read_initial", 0, "DMA read: from the address to the first data"),
        KeyMaker::Optional(host.Bytes("bus.read_piece",
                                      0,
                                      1 << 20,
                                      "data that the bridge delivers in one go; 0: a burst")),
        KeyMaker::Optional(
            host.BusClocks("bus.read_gap", 0, "DMA read: between two pieces of a burst")),
        host.BusClocks("bus.write_initial", 0, "DMA write: from the address to the first data"),
        host.BusClocks("bus.store_initial", 0, "CPU store: from the address to the first data"),
        host.BusClocks("bus.turnaround", 0, "from the last data to the next arbitration"),
        host.BusClocks("bus.latency_timer", 1, "data clocks after which a master releases the bus"),
        host.Number("bus.burst_bytes",
                    "bytes",
                    1,
                    1 << 20,
                    "longest burst; the bridge ends longer ones"),
        host.Number("bus.split_reads",
                    "count",
                    0,
                    1,
                    "whether the bus is free for others while a read waits for its first data"),
        host.Number("bus.write_combining",
                    "bytes",
                    0,
                    4096,
                    "stores to consecutive addresses that a CPU gathers into one burst; 0: none"),
        host.Number("bus.store_bytes", "bytes", 1, 64, "size of one uncached store of a CPU"),
    };
}

Keys
ViplKeys()
{
    const KeyMaker product(ProfileScope::PRODUCT);
    return {
        product.Call("vipl.post_send", "VipPostSend, without the doorbell store"),
        product.Call("vipl.post_recv", "VipPostRecv, without the doorbell store"),
        product.Call("vipl.done_hit", "VipSendDone, VipRecvDone that reap a descriptor"),
        product.Call("vipl.done_miss", "VipSendDone, VipRecvDone that find nothing"),
        product.Call("vipl.cq_done_hit", "VipCQDone that pops an entry"),
        product.Call("vipl.cq_done_miss", "VipCQDone that finds nothing"),
        product.Call("vipl.wait_enter", "a wait or notify call, until it sleeps"),
        product.Call("vipl.query", "VipQueryNic, VipQueryVi, VipQueryMem and the like"),
        product.Call("vipl.open_nic", "VipOpenNic"),
        product.Call("vipl.close_nic", "VipCloseNic"),
        product.Call("vipl.create_ptag", "VipCreatePtag"),
        product.Call("vipl.destroy_ptag", "VipDestroyPtag"),
        product.Call("vipl.register_base", "VipRegisterMem, part that does not depend on the size"),
        product.HostCycles("vipl.register_page", "VipRegisterMem, per page beyond os.page_pin"),
        product.Call("vipl.deregister_base",
                     "VipDeregisterMem, part that does not depend on the size"),
        product.HostCycles("vipl.deregister_page",
                           "VipDeregisterMem, per page beyond os.page_unpin"),
        product.Call("vipl.set_attributes", "VipSetViAttributes, VipSetMemAttributes"),
        product.Call("vipl.create_vi", "VipCreateVi"),
        product.Call("vipl.destroy_vi", "VipDestroyVi"),
        product.Call("vipl.create_cq", "VipCreateCQ"),
        product.Call("vipl.destroy_cq", "VipDestroyCQ"),
        product.Call("vipl.resize_cq", "VipResizeCQ"),
        product.Call("vipl.connect_request", "client's work before its request leaves"),
        product.Call("vipl.connect_wait", "server's work from wake-up to return"),
        product.Call("vipl.connect_accept", "server's work before its accept leaves"),
        product.Call("vipl.connect_reject", "server's work before its reject leaves"),
        product.Call("vipl.disconnect", "VipDisconnect"),
        product.Call("vipl.name_service", "one VipNS call, one system management query"),
    };
}

Keys
ViplRuleKeys()
{
    const KeyMaker product(ProfileScope::PRODUCT);
    return {
        product.Count("vipl.null_tag",
                      0,
                      1,
                      "whether a NULL tag is accepted, as the process's default tag"),
        product.Count("vipl.shared_handles",
                      0,
                      1,
                      "whether the NIC handles of a process share tags, memory, CQs and handler"),
        product.Count("vipl.extensions", 0, 1, "whether Giganet's extra calls work"),
        product.Word("vipl.tag_in_use",
                     "error-resource, invalid-parameter",
                     "what VipDestroyPtag returns for a tag in use"),
    };
}

Keys
NicCostKeys()
{
    const KeyMaker product(ProfileScope::PRODUCT);
    return {
        product.Clock("nic.clock", "clock of the card's engines"),
        product.NicCycles("nic.doorbell_decode", "taking one doorbell from the FIFO"),
        product.NicCycles("nic.segment_cell", "per sent message, before its first cell is ready"),
        product.NicCycles("nic.receive_demux",
                          "per received message: finding its VI from its header"),
        product.NicCycles("nic.receive_residual",
                          "per received message: unexplained part of published latencies"),
        product.NicCycles("nic.connection", "handling one connection packet"),
        product.NicCycles(
            "nic.acknowledge",
            "sending or processing one acknowledgement, or finding cells to retransmit"),
        product.Count("nic.retransmit_unit", 1, 16, "cells that are retransmitted together"),
        product.Bytes("nic.retransmit_buffer",
                      1024,
                      1073741824,
                      "maximum payload sent to a peer but not acknowledged"),
        product.Microseconds("nic.retransmit_timeout",
                             "silence after which the sender requests an acknowledgement"),
        product.Count("nic.retransmit_limit",
                      1,
                      1000,
                      "consecutive timeouts after which the NIC gives up on a peer"),
        product.Bytes("nic.status_bytes",
                      1,
                      64,
                      "size of the DMA write that completes a descriptor"),
        product.Bytes("nic.cq_entry_bytes",
                      1,
                      64,
                      "size of the DMA write that adds a completion queue entry"),
        product.Bytes("nic.dma_burst", 16, 65536, "maximum payload of one bus burst"),
        product.Bytes("nic.transmit_buffer",
                      64,
                      16777216,
                      "buffer for payload between DMA and wire; holds whole DMA bursts"),
    };
}

Keys
NicLimitKeys()
{
    const KeyMaker product(ProfileScope::PRODUCT);
    // The lower limit of the transfer size is the VI Architecture's minimum; 252
    // segments are its limit.
    return {
        product.Count("nic.max_vi", 1, KeyMaker::MAX_COUNT, "maximum VIs open at the same time"),
        product.Bytes("nic.max_transfer_size",
                      32768,
                      KeyMaker::MAX_TRANSFER,
                      "maximum payload of one descriptor"),
        product.Bytes("nic.max_registered_bytes",
                      4096,
                      KeyMaker::MAX_BYTES,
                      "maximum memory registered at the same time"),
        product.Bytes("nic.max_region_bytes",
                      4096,
                      KeyMaker::MAX_BYTES,
                      "maximum memory of one registration"),
        product.Count("nic.max_regions",
                      1,
                      KeyMaker::MAX_REGIONS,
                      "maximum registrations at the same time"),
        product.Count("nic.max_queue_depth",
                      1,
                      KeyMaker::MAX_COUNT,
                      "maximum descriptors on one work queue"),
        product.Count("nic.max_segments", 1, 252, "maximum data segments of one descriptor"),
        product.Count("nic.max_cq",
                      1,
                      KeyMaker::MAX_COUNT,
                      "maximum completion queues open at the same time"),
        product.Count("nic.max_cq_entries",
                      1,
                      KeyMaker::MAX_COUNT,
                      "maximum entries of one completion queue"),
        product.Count("nic.max_ptags",
                      1,
                      KeyMaker::MAX_COUNT,
                      "maximum protection tags at the same time"),
        product.Bytes("nic.native_mtu",
                      1,
                      KeyMaker::MAX_BYTES,
                      "NativeMTU as VipQueryNic reports it"),
        product.Bytes("nic.max_discriminator_bytes", 1, 256, "longest discriminator"),
        product.Words("nic.reliability",
                      "unreliable, reliable-delivery, reliable-reception",
                      "reliability levels offered"),
        product.Count("nic.rdma_read", 0, 1, "whether RDMA read is offered"),
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
