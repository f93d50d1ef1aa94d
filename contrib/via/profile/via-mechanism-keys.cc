/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
// The keys by which a profile chooses a NIC's mechanisms, and the keys of each mechanism.

#include "via-mechanism-keys.h"

#include "ns3/via-error.h"
#include "ns3/via-key-maker.h"
#include "ns3/via-provider-profile.h"

#include <algorithm>
#include <string>

namespace ns3
{
namespace via
{

namespace
{

using Keys = std::vector<ProfileKey>;

const char* const FULL_TABLE_OR_CACHE = "nic.translation=full-table | nic.translation=nic-cache";
const char* const CACHE = "nic.translation=nic-cache";
const char* const FIRMWARE = "nic.processor=firmware";
const char* const KERNEL = "nic.processor=host";
const char* const PLUG_IN =
    "nic.doorbell=plug-in | nic.descriptor=plug-in | nic.translation=plug-in";

Keys
Choices()
{
    const KeyMaker product(ProfileScope::PRODUCT);
    return {
        product.Word(
            "nic.processor",
            "pipeline, firmware, host",
            "what runs the engines: parallel hardware, one processor, or the host's kernel"),
        product.Word("nic.doorbell",
                     "mmio-fifo, polled-word, fast-trap, system-call, plug-in",
                     "how the host notifies the card of a descriptor"),
        product.Word("nic.descriptor",
                     "dma-fetch, pio-write, kernel, plug-in",
                     "how the card gets the descriptor"),
        product.Word("nic.translation",
                     "full-table, nic-cache, kernel, plug-in",
                     "where virtual addresses are translated"),
        product.Word("nic.data",
                     "cut-through, store-and-forward, kernel-copy",
                     "how payload passes through the card"),
        product.Word("nic.completion", "polled, interrupt", "how the host learns of a completion"),
        product.Word("nic.barrier", "none, firmware", "whether the card's firmware runs barriers"),
    };
}

Keys
CardKeys()
{
    const KeyMaker product(ProfileScope::PRODUCT);
    return {
        product.Number("nic.dma_engines",
                       "count",
                       1,
                       2,
                       "1: send and receive DMA share one engine, 2: each has its own"),
        product.NicCycles("nic.dma_start", "starting a DMA"),
        product.Number("nic.dma_chaining",
                       "count",
                       0,
                       1,
                       "whether all bursts of one piece of payload need only one start"),
        KeyMaker::Optional(product.Number("nic.read_ahead",
                                          "count",
                                          0,
                                          64,
                                          "DMA bursts of payload that the card requests beyond the "
                                          "one that it reads")),
        product.NicCycles("nic.send_residual",
                          "per sent message: unexplained part of published latencies"),
        KeyMaker::Optional(product.NicCycles("nic.send_upkeep",
                                             "work after a sent message, before the next one",
                                             FIRMWARE)),
        KeyMaker::Optional(product.NicCycles("nic.receive_upkeep",
                                             "work after a received message, before the next one",
                                             FIRMWARE)),
        KeyMaker::Optional(product.Bytes("nic.memory_width",
                                         0,
                                         4096,
                                         "bytes per cycle of the memory that processor, DMA and "
                                         "wires share; 0: not a limit",
                                         FIRMWARE)),
        product.Number("nic.doorbell_depth",
                       "count",
                       1,
                       16'777'216,
                       "capacity of the FIFO for doorbells of sends",
                       "nic.doorbell=mmio-fifo"),
        product.NicCycles("nic.poll_loop",
                          "one sweep over the doorbell words, fixed part",
                          "nic.doorbell=polled-word"),
        product.NicCycles("nic.poll_vi",
                          "one sweep over the doorbell words, per open VI",
                          "nic.doorbell=polled-word"),
        product.Number("nic.descriptor_prefetch",
                       "count",
                       0,
                       65536,
                       "posted receive descriptors of a VI that the card prefetches",
                       "nic.descriptor=dma-fetch"),
        product.NicCycles("nic.descriptor_read",
                          "reading a descriptor from the card's memory",
                          "nic.descriptor=pio-write"),
        product.Number("nic.store_bytes",
                       "bytes",
                       16,
                       16'777'216,
                       "payload that the card collects, at both ends, before it forwards it",
                       "nic.data=store-and-forward"),
        product.NicCycles("nic.barrier_step",
                          "sending or receiving one step of a barrier between cards, beyond "
                          "the work for a short message",
                          "nic.barrier=firmware"),
        {"nic.plug_in",
         ProfileScope::PRODUCT,
         ProfileKind::WORD,
         "file name",
         0,
         0,
         "",
         "shared object of the plug-in, in the profile's folder or on the search path",
         PLUG_IN},
    };
}

Keys
TranslationKeys()
{
    const KeyMaker product(ProfileScope::PRODUCT);
    return {
        product.NicCycles("nic.tpt_lookup",
                          "checking and translating a descriptor's first segment",
                          FULL_TABLE_OR_CACHE),
        product.NicCycles("nic.tpt_segment",
                          "checking and translating each further segment",
                          FULL_TABLE_OR_CACHE),
        product.Number("nic.tlb_entries",
                       "count",
                       1,
                       16'777'216,
                       "capacity of the card's cache, in pages",
                       CACHE),
        product.Number("nic.tlb_ways",
                       "count",
                       1,
                       1024,
                       "associativity of the cache: places where a page can be",
                       CACHE),
        product.Word("nic.tlb_replacement",
                     "lru, fifo, random",
                     "which entry of the cache is replaced",
                     CACHE),
        product.Number("nic.tlb_prefetch", "count", 1, 1024, "entries fetched per miss", CACHE),
        product.Number("nic.tlb_entry_bytes",
                       "bytes",
                       1,
                       64,
                       "size of an entry of the table in host memory",
                       CACHE),
        product.NicCycles("nic.tlb_hit", "per page looked up in the cache", CACHE),
        product.NicCycles("nic.tlb_miss", "per miss, in addition to its DMA read", CACHE),
    };
}

Keys
KernelPathKeys()
{
    const KeyMaker product(ProfileScope::PRODUCT);
    return {
        product.Number("vipl.trap",
                       "host cycles",
                       1,
                       KeyMaker::GHZ,
                       "entering and leaving the kernel by a fast trap",
                       "nic.doorbell=fast-trap"),
        product.HostCycles("vipl.kernel_send", "kernel, per frame sent", KERNEL),
        product.HostCycles("vipl.kernel_receive", "kernel, per frame received", KERNEL),
        product.HostCycles("vipl.kernel_descriptor",
                           "kernel, per descriptor: checks and bookkeeping",
                           "nic.descriptor=kernel"),
        product.HostCycles("vipl.kernel_translate",
                           "kernel, per page of payload",
                           "nic.translation=kernel"),
        product.HostCycles("vipl.kernel_residual",
                           "kernel, per received message: unexplained part of published latencies",
                           KERNEL),
        product.Number("nic.ring_entry_bytes",
                       "bytes",
                       1,
                       256,
                       "size of the entry of the driver's ring that the card fetches per frame",
                       "nic.descriptor=kernel"),
        product.Number("nic.send_copy",
                       "count",
                       0,
                       1,
                       "whether the kernel also copies at the sender",
                       "nic.data=kernel-copy"),
        product.Number("nic.coalesce_frames",
                       "count",
                       1,
                       65536,
                       "received frames that trigger an interrupt",
                       "nic.completion=interrupt"),
        product.Number("nic.coalesce_delay",
                       "us",
                       0,
                       10'000'000,
                       "maximum delay of the interrupt after the first frame",
                       "nic.completion=interrupt"),
    };
}

/// Choices that only the host's kernel can implement, and that must be made together.
constexpr struct
{
    const char* key;
    const char* words;
} KERNEL_CHOICES[] = {
    {"nic.doorbell", "fast-trap, system-call"},
    {"nic.descriptor", "kernel"},
    {"nic.translation", "kernel"},
    {"nic.data", "kernel-copy"},
    {"nic.completion", "interrupt"},
};

} // namespace

const ProfileKey&
PlugInKey()
{
    static const ProfileKey key{"plug_in.NAME",
                                ProfileScope::PRODUCT,
                                ProfileKind::NUMBER,
                                "",
                                0,
                                1'000'000'000'000'000'000,
                                "",
                                "number that the plug-in reads",
                                PLUG_IN};
    return key;
}

std::vector<ProfileKey>
MechanismKeys()
{
    Keys all;
    for (const Keys& part : {Choices(), CardKeys(), TranslationKeys(), KernelPathKeys()})
    {
        all.insert(all.end(), part.begin(), part.end());
    }
    return all;
}

void
CheckMechanisms(const ProviderProfile& profile)
{
    const bool kernel = profile.Word("nic.processor") == "host";
    for (const auto& choice : KERNEL_CHOICES)
    {
        const std::string& word = profile.Word(choice.key);
        const std::string among = std::string(", ") + choice.words + ", ";
        const bool isKernels = among.find(", " + word + ", ") != std::string::npos;
        profile.Require(
            isKernels == kernel,
            choice.key,
            kernel ? std::string("one of: ") + choice.words + ", with nic.processor = host"
                   : std::string("none of: ") + choice.words + ", without nic.processor = host");
    }
    profile.Require(profile.Word("nic.barrier") == "none" ||
                        profile.Word("nic.processor") == "firmware",
                    "nic.barrier",
                    "none, without nic.processor = firmware");
    if (profile.Word("nic.translation") == "nic-cache")
    {
        profile.Require(profile.Number("nic.tlb_entries") % profile.Number("nic.tlb_ways") == 0,
                        "nic.tlb_entries",
                        "a multiple of nic.tlb_ways");
    }
    if (profile.Word("nic.data") == "store-and-forward")
    {
        const std::uint64_t group =
            std::max(profile.Number("nic.dma_burst"), profile.Number("link.cell_payload"));
        profile.Require(profile.Number("nic.store_bytes") >= group,
                        "nic.store_bytes",
                        "at least nic.dma_burst and link.cell_payload");
        profile.Require(profile.Number("nic.transmit_buffer") >= profile.Number("nic.store_bytes"),
                        "nic.transmit_buffer",
                        "at least nic.store_bytes");
    }
}

} // namespace via
} // namespace ns3
