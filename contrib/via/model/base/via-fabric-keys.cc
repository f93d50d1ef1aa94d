/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
// The keys of links and switches, and those that belong to a choice.

#include "via-fabric-keys.h"

namespace ns3
{
namespace via
{

namespace
{

// Ranges refuse slips of the pen, they describe no product.
constexpr std::uint64_t KHZ = 1'000;
constexpr std::uint64_t GHZ = 1'000'000'000;
constexpr std::uint64_t MAX_NIC_CYCLES = 10'000'000;
constexpr std::uint64_t MAX_COUNT = std::uint64_t{1} << 24;

ProfileKey
Clock(const char* key, const char* meaning)
{
    constexpr ProfileScope product = ProfileScope::PRODUCT;
    return {key, product, ProfileKind::CLOCK, "Hz", KHZ, 100 * GHZ, "", meaning};
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
    constexpr ProfileScope product = ProfileScope::PRODUCT;
    return {key, product, ProfileKind::NUMBER, "us", 1, 10'000'000, "", meaning};
}

/// @p key belongs to a choice of another key.
ProfileKey
OnlyIf(const char* choice, ProfileKey key)
{
    key.onlyIf = choice;
    return key;
}

} // namespace

std::vector<ProfileKey>
FabricKeys()
{
    constexpr ProfileScope product = ProfileScope::PRODUCT;
    constexpr ProfileKind number = ProfileKind::NUMBER;
    return {
        Clock("link.symbol_rate", "symbols (bauds) of a link per second and direction"),
        Count("link.code_data", 1, 1024, "line code: data bits"),
        Count("link.code_symbols", 1, 1024, "line code: symbols that carry them"),
        Word("link.framing",
             "cells, packets",
             "length of a message's last cell: as all others, or as its content"),
        Bytes("link.cell_bytes", 2, 65536, "a cell or full packet on the wire, header included"),
        Bytes("link.cell_payload", 1, 65536, "what it carries"),
        {"link.min_payload",
         product,
         number,
         "bytes",
         0,
         65536,
         "",
         "payload that a shorter packet is filled up to",
         "link.framing=packets"},
        Bytes("link.message_header", 0, 65536, "taken from the payload of the first cell"),
        {"link.cable_length_mm", product, number, "mm", 1, 100'000'000, "", "length of a cable"},
        {"link.propagation_ps_per_m",
         product,
         number,
         "ps/m",
         3'000,
         20'000,
         "",
         "time of flight in the cable"},
        Count("link.credits", 1, MAX_COUNT, "cells of receive buffer at the end of a wire"),
        Bytes("link.credit_return_bytes",
              0,
              65536,
              "on the way back: a credit, a control symbol or a pause frame"),
        Microseconds("link.credit_resync", "between two searches for lost credits"),
        Count("link.lanes", 1, 16, "virtual lanes, each with link.credits cells of buffer"),
        Word("link.flow_control",
             "credits, stop-and-go, pause, none",
             "what keeps a sender from overrunning the buffer at the other end"),
        OnlyIf("link.flow_control=stop-and-go | link.flow_control=pause",
               Count("link.stop_mark", 1, MAX_COUNT, "cells in a buffer that stop the sender")),
        OnlyIf("link.flow_control=stop-and-go | link.flow_control=pause",
               Count("link.go_mark", 0, MAX_COUNT, "cells in a buffer that let it go on")),
        OnlyIf("link.flow_control=pause",
               Count("link.pause_quanta",
                     1,
                     65535,
                     "how long a pause frame holds the sender, in units of 512 bits")),
        {"link.bit_errors",
         product,
         number,
         "per 10^15",
         0,
         GHZ,
         "",
         "wrong bits; a cell that has one is corrupt"},
        Bytes("link.route_bytes", 0, 16, "at the head of a packet for each switch ahead of it"),
        Count("nic.ports", 1, 4, "wires between a NIC and its switch, which take cells in turn"),
        Clock("switch.clock", "clock of the switch"),
        Word("switch.forwarding",
             "cut-through, store-and-forward, wormhole",
             "when a cell goes on: with its first bit, as a whole, or with its first bit on a way "
             "that its packet keeps"),
        Word("switch.queueing",
             "output, fifo, voq",
             "where cells wait: at outputs, at inputs in one queue, or in one for each output"),
        OnlyIf("switch.queueing=fifo | switch.queueing=voq",
               Word("switch.arbitration",
                    "oldest-first, round-robin, islip",
                    "which input gets an output")),
        OnlyIf("switch.arbitration=islip",
               Count("switch.iterations", 1, 64, "rounds of request, grant, accept")),
        Word("switch.feedback",
             "none, source",
             "whom it tells that too many cells wait for an output: nobody, or the host whose "
             "packet finds them"),
        OnlyIf("switch.feedback=source",
               Count("switch.feedback_mark", 1, MAX_COUNT, "how many are too many")),
        OnlyIf("switch.feedback=source",
               Microseconds("nic.feedback_pause",
                            "a card that is told begins no message to that host for so long")),
        OnlyIf("switch.forwarding=wormhole",
               Count("link.packet_cells",
                     1,
                     MAX_COUNT,
                     "cells of a message that are a packet on the wire, which stays in one piece")),
        OnlyIf("link.flow_control=none",
               Count("switch.buffer_cells",
                     1,
                     MAX_COUNT,
                     "room of an output, or with other queues of an input; what finds none is "
                     "dropped")),
        {"switch.latency",
         product,
         number,
         "switch cycles",
         1,
         MAX_NIC_CYCLES,
         "",
         "from there to the first bit at an idle output"},
        {"switch.ports",
         product,
         ProfileKind::NUMBERS,
         "count",
         2,
         4096,
         "",
         "ports of each size the product line offers, rising"},
        {"switch.model",
         product,
         ProfileKind::WORDS,
         "word",
         0,
         0,
         "",
         "name of each size, in the order of switch.ports"},
    };
}

} // namespace via
} // namespace ns3
