/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
// Costs and limits of a product's NIC, read from its profile.

#include "via-nic-costs.h"

#include "ns3/via-virtual-interface.h"

#include <algorithm>
#include <string>
#include <utility>

namespace ns3
{
namespace via
{

namespace
{

Cycles
CyclesOf(const ProviderProfile& profile, const std::string& key)
{
    return Cycles(profile.Number(key));
}

Reliability
LevelOf(const std::string& word)
{
    if (word == "unreliable")
    {
        return Reliability::UNRELIABLE;
    }
    return word == "reliable-delivery" ? Reliability::RELIABLE_DELIVERY
                                       : Reliability::RELIABLE_RECEPTION;
}

} // namespace

NicCosts
NicCosts::From(const ProviderProfile& profile, std::uint32_t leastRoom)
{
    NicCosts costs;
    costs.clock = profile.Clock("nic.clock");
    costs.decodeDoorbell = CyclesOf(profile, "nic.doorbell_decode");
    costs.segment = CyclesOf(profile, "nic.segment_cell");
    costs.demux = CyclesOf(profile, "nic.receive_demux");
    costs.residual = CyclesOf(profile, "nic.receive_residual");
    costs.sendResidual = CyclesOf(profile, "nic.send_residual");
    costs.connection = CyclesOf(profile, "nic.connection");
    costs.acknowledge = CyclesOf(profile, "nic.acknowledge");
    costs.retransmitTimeout = static_cast<Ps>(profile.Number("nic.retransmit_timeout")) * PS_PER_US;
    costs.retransmitLimit = profile.Number32("nic.retransmit_limit");
    costs.statusBytes = profile.Number32("nic.status_bytes");
    costs.cqEntryBytes = profile.Number32("nic.cq_entry_bytes");
    costs.dmaBurst = profile.Number32("nic.dma_burst");
    costs.messageHeader = profile.Number32("link.message_header");
    costs.cellPayload = profile.Number32("link.cell_payload");
    costs.mechanisms = MechanismCosts::From(profile);
    const MechanismCosts& parts = costs.mechanisms;
    // a control program takes a step the way of a short message: token, look-up, start of a DMA
    const Cycles common =
        parts.barrierStep + parts.descriptorRead + parts.lookup + parts.cacheHit + parts.dmaStart;
    costs.barrierSend = common + costs.segment + costs.sendResidual;
    costs.barrierReceive = common + costs.residual;
    const bool kernel = costs.mechanisms.isKernel; // the kernel handles frame by frame
    costs.groupCells = kernel ? 1 : std::max(costs.dmaBurst / costs.cellPayload, 1U);
    costs.transmitGroups =
        profile.Number32("nic.transmit_buffer") / (costs.groupCells * costs.cellPayload);
    if (profile.Word("switch.feedback") == "source")
    {
        costs.feedbackPause = static_cast<Ps>(profile.Number("nic.feedback_pause")) * PS_PER_US;
    }
    costs.worms = Worms::From(profile);
    const std::uint32_t groupBytes = costs.groupCells * costs.cellPayload;
    costs.storeGroups = std::max(costs.mechanisms.storeBytes / groupBytes, 1U);
    costs.perPiece = Divisor(std::uint64_t{costs.storeGroups} * costs.groupCells);
    if (kernel)
    {
        std::swap(costs.demux, costs.ringDemux);
        std::swap(costs.residual, costs.ringResidual);
    }
    const std::string flow = profile.Word("link.flow_control");
    const bool hasMarks = flow == "stop-and-go" || flow == "pause";
    // cells that wait for the rest of a group must not keep the sender stopped
    costs.receiveCells = profile.Number32(hasMarks ? "link.go_mark" : "link.credits");
    constexpr std::uint32_t acknowledgements = 4; // while the retransmission buffer fills once
    costs.retransmitUnit = std::min(profile.Number32("nic.retransmit_unit"),
                                    std::min(profile.Number32("link.credits"), leastRoom));
    costs.retransmitCells = profile.Number32("nic.retransmit_buffer") / costs.cellPayload;
    costs.acknowledgeCells = std::max(costs.retransmitCells / acknowledgements, 1U);
    return costs;
}

NicLimits
NicLimits::From(const ProviderProfile& profile)
{
    NicLimits limits;
    limits.vis = profile.Number("nic.max_vi");
    limits.transferBytes = profile.Number("nic.max_transfer_size");
    limits.registeredBytes = profile.Number("nic.max_registered_bytes");
    limits.regionBytes = profile.Number("nic.max_region_bytes");
    limits.regions = profile.Number("nic.max_regions");
    limits.queueDepth = profile.Number("nic.max_queue_depth");
    limits.segments = profile.Number("nic.max_segments");
    limits.cqs = profile.Number("nic.max_cq");
    limits.cqEntries = profile.Number("nic.max_cq_entries");
    limits.tags = profile.Number("nic.max_ptags");
    limits.nativeMtu = profile.Number("nic.native_mtu");
    limits.discriminatorBytes = profile.Number("nic.max_discriminator_bytes");
    for (const std::string& word : profile.Words("nic.reliability"))
    {
        limits.reliability |= static_cast<std::uint16_t>(LevelOf(word));
    }
    limits.rdmaRead = profile.Number("nic.rdma_read") != 0;
    return limits;
}

} // namespace via
} // namespace ns3
