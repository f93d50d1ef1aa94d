/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
// Costs and structure of a product's switch, read from its profile.

#include "via-switch-costs.h"

#include <string>

namespace ns3
{
namespace via
{

SwitchCosts
SwitchCosts::From(const ProviderProfile& profile)
{
    SwitchCosts costs;
    costs.clock = profile.Clock("switch.clock");
    costs.latency = Cycles(profile.Number("switch.latency"));
    const std::string forwarding = profile.Word("switch.forwarding");
    costs.notice = forwarding == "store-and-forward" ? Notice::LAST_BIT : Notice::FIRST_BIT;
    costs.worms = Worms::From(profile);
    const std::string queueing = profile.Word("switch.queueing");
    if (queueing != "output")
    {
        costs.queueing = queueing == "voq" ? Queueing::VOQ : Queueing::FIFO;
        const std::string arbitration = profile.Word("switch.arbitration");
        if (arbitration == "islip")
        {
            costs.arbitration = Arbitration::ISLIP;
            costs.iterations = profile.Number32("switch.iterations");
        }
        else if (arbitration == "round-robin")
        {
            costs.arbitration = Arbitration::ROUND_ROBIN;
        }
    }
    if (profile.Word("switch.feedback") == "source")
    {
        costs.feedbackMark = profile.Number32("switch.feedback_mark");
    }
    if (profile.Word("link.flow_control") == "none")
    {
        costs.bufferCells = profile.Number32("switch.buffer_cells");
    }
    return costs;
}

} // namespace via
} // namespace ns3
