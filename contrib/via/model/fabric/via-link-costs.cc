/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
// Costs of a product's wires, and their flow control.

#include "via-link-costs.h"

#include "ns3/via-clock-domain.h"

#include <algorithm>

namespace ns3
{
namespace via
{

namespace
{

constexpr std::uint64_t PAUSE_QUANTUM_BITS = 512; // IEEE 802.3, annex 31B

void
ReadFlowControl(const ProviderProfile& profile, LinkCosts& costs)
{
    const std::string word = profile.Word("link.flow_control");
    if (word == "credits")
    {
        return;
    }
    if (word == "none")
    {
        costs.flow = FlowControl::NONE;
        return;
    }
    costs.flow = word == "pause" ? FlowControl::PAUSE : FlowControl::STOP_AND_GO;
    costs.stopMark = profile.Number32("link.stop_mark");
    costs.goMark = profile.Number32("link.go_mark");
    if (costs.flow == FlowControl::PAUSE)
    {
        const std::uint64_t bytes = profile.Number("link.pause_quanta") * PAUSE_QUANTUM_BITS / 8;
        costs.pauseTime = ClockDomain(costs.byteClock).Span(Cycles(bytes));
    }
}

} // namespace

LinkCosts
LinkCosts::From(const ProviderProfile& profile)
{
    LinkCosts costs;
    const Frequency symbols = profile.Clock("link.symbol_rate");
    const std::uint64_t bitsPerByte = 8;
    costs.byteClock = {symbols.num * profile.Number("link.code_data"),
                       symbols.den * profile.Number("link.code_symbols") * bitsPerByte};
    costs.cellBytes = profile.Number32("link.cell_bytes");
    costs.cellPayload = profile.Number32("link.cell_payload");
    costs.packets = profile.Word("link.framing") == "packets";
    if (costs.packets)
    {
        costs.minPayload = profile.Number32("link.min_payload");
    }
    costs.messageHeader = profile.Number32("link.message_header");
    costs.wires = profile.Number32("nic.ports");
    costs.credits = profile.Number32("link.credits");
    costs.creditBytes = profile.Number32("link.credit_return_bytes");
    costs.flight = static_cast<Ps>(profile.Number("link.cable_length_mm") *
                                   profile.Number("link.propagation_ps_per_m") / 1000);
    costs.lanes = profile.Number32("link.lanes");
    ReadFlowControl(profile, costs);
    costs.bitErrors = profile.Number("link.bit_errors");
    costs.routeBytes = profile.Number32("link.route_bytes");
    costs.resync = static_cast<Ps>(profile.Number("link.credit_resync")) * PS_PER_US;
    return costs;
}

std::uint32_t
LinkCosts::Shortfall(std::uint32_t length, std::uint32_t cells) const
{
    if (!packets)
    {
        return 0;
    }
    const std::uint32_t content = length + messageHeader - (cells - 1) * cellPayload;
    return cellPayload - std::max({content, minPayload, 1U}); // no cell is empty
}

} // namespace via
} // namespace ns3
