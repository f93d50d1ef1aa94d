/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
// The mechanisms of a product and their costs, read from its profile.

#include "via-mechanism-costs.h"

#include "ns3/via-plug-in-library.h"
#include "ns3/via-profile-schema.h"

namespace ns3
{
namespace via
{

namespace
{

/// The keys of a profile. Keys of choices that were not made read as 0.
class Numbers
{
  public:
    explicit Numbers(const ProviderProfile& profile)
        : m_profile(profile)
    {
    }

    std::uint32_t Count(const char* key) const
    {
        return static_cast<std::uint32_t>(Value(key));
    }

    Cycles CyclesOf(const char* key) const
    {
        return Cycles(Value(key));
    }

  private:
    std::uint64_t Value(const char* key) const
    {
        const auto word = [this](const std::string& name) { return m_profile.Word(name); };
        return IsUsed(*FindProfileKey(key), word) ? m_profile.Number(key) : 0;
    }

    const ProviderProfile& m_profile;
};

void
ReadCard(MechanismCosts& costs, const Numbers& numbers)
{
    costs.dmaEngines = numbers.Count("nic.dma_engines");
    costs.dmaStart = numbers.CyclesOf("nic.dma_start");
    costs.dmaChains = numbers.Count("nic.dma_chaining") != 0;
    costs.doorbellDepth = numbers.Count("nic.doorbell_depth");
    costs.pollLoop = numbers.CyclesOf("nic.poll_loop");
    costs.pollVi = numbers.CyclesOf("nic.poll_vi");
    costs.prefetch = numbers.Count("nic.descriptor_prefetch");
    costs.descriptorRead = numbers.CyclesOf("nic.descriptor_read");
    costs.lookup = numbers.CyclesOf("nic.tpt_lookup");
    costs.lookupSegment = numbers.CyclesOf("nic.tpt_segment");
    costs.cacheEntries = numbers.Count("nic.tlb_entries");
    costs.cacheWays = numbers.Count("nic.tlb_ways");
    costs.cachePrefetch = numbers.Count("nic.tlb_prefetch");
    costs.entryBytes = numbers.Count("nic.tlb_entry_bytes");
    costs.cacheHit = numbers.CyclesOf("nic.tlb_hit");
    costs.cacheMiss = numbers.CyclesOf("nic.tlb_miss");
    costs.storeBytes = numbers.Count("nic.store_bytes");
    costs.barrierStep = numbers.CyclesOf("nic.barrier_step");
    costs.sendUpkeep = numbers.CyclesOf("nic.send_upkeep");
    costs.receiveUpkeep = numbers.CyclesOf("nic.receive_upkeep");
    costs.memoryWidth = numbers.Count("nic.memory_width");
    costs.readAhead = numbers.Count("nic.read_ahead");
}

void
ReadKernel(MechanismCosts& costs, const Numbers& numbers)
{
    costs.kernelSend = numbers.CyclesOf("vipl.kernel_send");
    costs.kernelReceive = numbers.CyclesOf("vipl.kernel_receive");
    costs.kernelDescriptor = numbers.CyclesOf("vipl.kernel_descriptor");
    costs.kernelTranslate = numbers.CyclesOf("vipl.kernel_translate");
    costs.kernelResidual = numbers.CyclesOf("vipl.kernel_residual");
    costs.ringEntryBytes = numbers.Count("nic.ring_entry_bytes");
    costs.sendCopies = numbers.Count("nic.send_copy") != 0;
    costs.coalesceFrames = numbers.Count("nic.coalesce_frames");
    costs.coalesceDelay = static_cast<Ps>(numbers.Count("nic.coalesce_delay")) * PS_PER_US;
}

} // namespace

MechanismCosts
MechanismCosts::From(const ProviderProfile& profile)
{
    const Numbers numbers(profile);
    MechanismCosts costs;
    costs.doorbell = profile.Word("nic.doorbell");
    costs.descriptor = profile.Word("nic.descriptor");
    costs.translation = profile.Word("nic.translation");
    costs.isFirmware = profile.Word("nic.processor") == "firmware";
    costs.isKernel = profile.Word("nic.processor") == "host";
    costs.barriers = profile.Word("nic.barrier") == "firmware";
    costs.trap = costs.doorbell == "system-call" ? Cycles(profile.Number("os.syscall"))
                                                 : numbers.CyclesOf("vipl.trap");
    if (costs.translation == "nic-cache")
    {
        costs.replacement = profile.Word("nic.tlb_replacement");
    }
    ReadCard(costs, numbers);
    ReadKernel(costs, numbers);
    if (!profile.PlugIn().empty())
    {
        costs.plugIn = std::make_shared<const PlugInLibrary>(profile);
    }
    return costs;
}

} // namespace via
} // namespace ns3
