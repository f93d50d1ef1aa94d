/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
// The keys of links and switches, and those that belong to a choice.

#include "via-fabric-keys.h"

#include "ns3/via-key-maker.h"

namespace ns3
{
namespace via
{

std::vector<ProfileKey>
FabricKeys()
{
    const KeyMaker product(ProfileScope::PRODUCT);
    return {
        product.Clock("link.symbol_rate", "symbols (bauds) of a link per second and direction"),
        product.Count("link.code_data", 1, 1024, "line code: data bits"),
        product.Count("link.code_symbols", 1, 1024, "line code: symbols that carry them"),
        product.Word("link.framing",
                     "cells, packets",
                     "length of a message's last cell: as all others, or as its content"),
        product.Bytes("link.cell_bytes",
                      2,
                      65536,
                      "a cell or full packet on the wire, header included"),
        product.Bytes("link.cell_payload", 1, 65536, "what it carries"),
        product.Number("link.min_payload",
                       "bytes",
                       0,
                       65536,
                       "payload that a shorter packet is filled up to",
                       "link.framing=packets"),
        product.Bytes("link.message_header", 0, 65536, "taken from the payload of the first cell"),
        product.Number("link.cable_length_mm", "mm", 1, 100'000'000, "length of a cable"),
        product.Number("link.propagation_ps_per_m",
                       "ps/m",
                       3'000,
                       20'000,
                       "time of flight in the cable"),
        product.Count("link.credits",
                      1,
                      KeyMaker::MAX_COUNT,
                      "cells of receive buffer at the end of a wire"),
        product.Bytes("link.credit_return_bytes",
                      0,
                      65536,
                      "on the way back: a credit, a control symbol or a pause frame"),
        product.Microseconds("link.credit_resync", "between two searches for lost credits"),
        product.Count("link.lanes", 1, 16, "virtual lanes, each with link.credits cells of buffer"),
        product.Word("link.flow_control",
                     "credits, stop-and-go, pause, none",
                     "what keeps a sender from overrunning the buffer at the other end"),
        product.Count("link.stop_mark",
                      1,
                      KeyMaker::MAX_COUNT,
                      "cells in a buffer that stop the sender",
                      "link.flow_control=stop-and-go | link.flow_control=pause"),
        product.Count("link.go_mark",
                      0,
                      KeyMaker::MAX_COUNT,
                      "cells in a buffer that let it go on",
                      "link.flow_control=stop-and-go | link.flow_control=pause"),
        product.Count("link.pause_quanta",
                      1,
                      65535,
                      "how long a pause frame holds the sender, in units of 512 bits",
                      "link.flow_control=pause"),
        product.Number("link.bit_errors",
                       "per 10^15",
                       0,
                       KeyMaker::GHZ,
                       "wrong bits; a cell that has one is corrupt"),
        product.Bytes("link.route_bytes",
                      0,
                      16,
                      "at the head of a packet for each switch ahead of it"),
        product.Count("nic.ports",
                      1,
                      4,
                      "wires between a NIC and its switch, which take cells in turn"),
        product.Clock("switch.clock", "clock of the switch"),
        product.Word(
            "switch.forwarding",
            "cut-through, store-and-forward, wormhole",
            "when a cell goes on: with its first bit, as a whole, or with its first bit on a way "
            "that its packet keeps"),
        product.Word(
            "switch.queueing",
            "output, fifo, voq",
            "where cells wait: at outputs, at inputs in one queue, or in one for each output"),
        product.Word("switch.arbitration",
                     "oldest-first, round-robin, islip",
                     "which input gets an output",
                     "switch.queueing=fifo | switch.queueing=voq"),
        product.Count("switch.iterations",
                      1,
                      64,
                      "rounds of request, grant, accept",
                      "switch.arbitration=islip"),
        product.Word("switch.feedback",
                     "none, source",
                     "whom it tells that too many cells wait for an output: nobody, or the host "
                     "whose packet finds them"),
        product.Count("switch.feedback_mark",
                      1,
                      KeyMaker::MAX_COUNT,
                      "how many are too many",
                      "switch.feedback=source"),
        product.Microseconds("nic.feedback_pause",
                             "a card that is told begins no message to that host for so long",
                             "switch.feedback=source"),
        product.Count("link.packet_cells",
                      1,
                      KeyMaker::MAX_COUNT,
                      "cells of a message that are a packet on the wire, which stays in one piece",
                      "switch.forwarding=wormhole"),
        product.Count("switch.buffer_cells",
                      1,
                      KeyMaker::MAX_COUNT,
                      "room of an output, or with other queues of an input; what finds none is "
                      "dropped",
                      "link.flow_control=none"),
        product.Number("switch.latency",
                       "switch cycles",
                       1,
                       KeyMaker::MAX_CARD_CYCLES,
                       "from there to the first bit at an idle output"),
        product.Counts("switch.ports",
                       2,
                       4096,
                       "ports of each size the product line offers, rising"),
        product.Words("switch.model", "", "name of each size, in the order of switch.ports"),
    };
}

} // namespace via
} // namespace ns3
