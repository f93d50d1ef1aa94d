/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
// The keys of links and switches, including those that apply to certain choices only.

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
        product.Word(
            "link.framing",
            "cells, packets",
            "length of a message's last cell: same as the others, or as long as its content"),
        product.Bytes("link.cell_bytes",
                      2,
                      65536,
                      "size of a cell or full packet on the wire, including its header"),
        product.Bytes("link.cell_payload", 1, 65536, "payload of a cell or full packet"),
        product.Number("link.min_payload",
                       "bytes",
                       0,
                       65536,
                       "shorter packets are padded to this payload",
                       "link.framing=packets"),
        product.Bytes("link.message_header",
                      0,
                      65536,
                      "message header, part of the payload of the first cell"),
        product.Number("link.cable_length_mm", "mm", 1, 100'000'000, "length of a cable"),
        product.Number("link.propagation_ps_per_m",
                       "ps/m",
                       3'000,
                       20'000,
                       "propagation delay of the cable"),
        KeyMaker::Optional(product.Number("link.host_phy_ps",
                                          "ps",
                                          0,
                                          10'000'000,
                                          "latency of the transceiver at a host's end of a cable")),
        product.Count("link.credits",
                      1,
                      KeyMaker::MAX_COUNT,
                      "receive buffer at the end of a wire, in cells"),
        product.Bytes("link.credit_return_bytes",
                      0,
                      65536,
                      "size of a credit, control symbol or pause frame on the reverse wire"),
        product.Microseconds("link.credit_resync", "interval of the search for lost credits"),
        product.Count("link.lanes", 1, 16, "virtual lanes, each with link.credits cells of buffer"),
        product.Word("link.flow_control",
                     "credits, stop-and-go, pause, none",
                     "what keeps a sender from overrunning the buffer at the other end"),
        product.Count("link.stop_mark",
                      1,
                      KeyMaker::MAX_COUNT,
                      "number of cells in a buffer at which the sender stops",
                      "link.flow_control=stop-and-go | link.flow_control=pause"),
        product.Count("link.go_mark",
                      0,
                      KeyMaker::MAX_COUNT,
                      "number of cells in a buffer at which the sender continues",
                      "link.flow_control=stop-and-go | link.flow_control=pause"),
        product.Count("link.pause_quanta",
                      1,
                      65535,
                      "duration of the pause that a pause frame requests, in units of 512 bits",
                      "link.flow_control=pause"),
        product.Number("link.bit_errors",
                       "per 10^15",
                       0,
                       KeyMaker::GHZ,
                       "wrong bits; a cell with a wrong bit is corrupt"),
        product.Bytes("link.route_bytes", 0, 16, "route header of a packet, per remaining switch"),
        product.Count("nic.ports", 1, 4, "wires between a NIC and its switch, used in turn"),
        product.Clock("switch.clock", "clock of the switch"),
        product.Word("switch.forwarding",
                     "cut-through, store-and-forward, wormhole",
                     "when a cell is forwarded: after its first bit, after its last bit, or after "
                     "its first bit on an output reserved for its packet"),
        product.Word("switch.queueing",
                     "output, fifo, voq",
                     "where cells wait: at outputs, at inputs in one queue, or at inputs in one "
                     "queue per output"),
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
                     "who receives a congestion notice when too many cells wait for an output: "
                     "nobody, or the source of the arriving packet"),
        product.Count("switch.feedback_mark",
                      1,
                      KeyMaker::MAX_COUNT,
                      "number of waiting cells that triggers a congestion notice",
                      "switch.feedback=source"),
        product.Microseconds("nic.feedback_pause",
                             "after a congestion notice, time in which the card starts no message "
                             "to that destination",
                             "switch.feedback=source"),
        product.Count("link.packet_cells",
                      1,
                      KeyMaker::MAX_COUNT,
                      "cells of a message that form one packet, which the wire does not interleave",
                      "switch.forwarding=wormhole"),
        product.Count("switch.buffer_cells",
                      1,
                      KeyMaker::MAX_COUNT,
                      "buffer of an output (output queueing) or of an input, in cells; cells that "
                      "find no room are dropped",
                      "link.flow_control=none"),
        product.Number(
            "switch.latency",
            "switch cycles",
            1,
            KeyMaker::MAX_CARD_CYCLES,
            "from the bit that switch.forwarding waits for to the first bit at an idle output"),
        product.Counts("switch.ports",
                       2,
                       4096,
                       "port counts of the product line's switches, ascending"),
        product.Words("switch.model", "", "name of each switch, in the order of switch.ports"),
    };
}

} // namespace via
} // namespace ns3
