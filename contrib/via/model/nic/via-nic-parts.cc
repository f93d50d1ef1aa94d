/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
// The mechanisms of one NIC, assembled according to its profile.

#include "via-nic-parts.h"

#include "ns3/via-nic.h"
#include "ns3/via-plug-in-parts.h"
#include "ns3/via-prefetch.h"

namespace ns3
{
namespace via
{

namespace
{

const char* const PLUG_IN = "plug-in"; // the same word in three choices

void
MakeKernel(NicParts& parts, Nic& nic, const Shared<NicCosts>& costs)
{
    Host& host = nic.GetHost();
    auto sender = std::make_unique<KernelSender>(nic, costs);
    parts.sendRing = sender.get();
    parts.doorbells = std::move(sender);
    parts.descriptors =
        std::make_unique<KernelDescriptors>(host, costs->mechanisms.kernelDescriptor);
    parts.translation =
        std::make_unique<KernelTranslation>(host, nic.GetTpt(), costs->mechanisms.kernelTranslate);
    parts.data = std::make_unique<KernelData>(host, costs->cellPayload);
    parts.kernelReceiver = std::make_unique<KernelReceiver>(nic, costs);
    parts.receiveRing = parts.kernelReceiver.get();
    host.Cpus().ExpectInterrupts();
}

PlugInPayer
PayerOf(NicParts& parts, Nic& nic)
{
    return PlugInPayer(nic, *parts.plugIn);
}

std::unique_ptr<DoorbellPath>
MakeDoorbells(NicParts& parts, Nic& nic, const NicCosts& costs)
{
    const MechanismCosts& choices = costs.mechanisms;
    if (choices.doorbell == PLUG_IN)
    {
        return std::make_unique<PlugInDoorbells>(PayerOf(parts, nic), costs.decodeDoorbell);
    }
    if (choices.doorbell == "polled-word")
    {
        return std::make_unique<DoorbellWords>(nic,
                                               costs.decodeDoorbell,
                                               choices.pollLoop,
                                               choices.pollVi);
    }
    return std::make_unique<DoorbellFifo>(costs.decodeDoorbell, choices.doorbellDepth, nic.Card());
}

std::unique_ptr<DescriptorPath>
MakeDescriptors(NicParts& parts, Nic& nic, const MechanismCosts& choices)
{
    if (choices.descriptor == PLUG_IN)
    {
        return std::make_unique<PlugInDescriptors>(PayerOf(parts, nic));
    }
    if (choices.descriptor == "pio-write")
    {
        return std::make_unique<WrittenDescriptors>(nic.Clock(),
                                                    choices.descriptorRead,
                                                    nic.Card());
    }
    return std::make_unique<FetchedDescriptors>(nic, choices.prefetch);
}

std::unique_ptr<Translation>
MakeTranslation(NicParts& parts, Nic& nic, const MechanismCosts& choices)
{
    if (choices.translation == PLUG_IN)
    {
        return std::make_unique<PlugInTranslation>(PayerOf(parts, nic));
    }
    if (choices.translation == "nic-cache")
    {
        return std::make_unique<CachedTranslation>(nic.GetHost(), nic.GetTpt(), choices);
    }
    return std::make_unique<TableTranslation>(choices);
}

} // namespace

void
NicParts::Prefetch() const
{
    PrefetchLine(doorbells.get());
    PrefetchLine(descriptors.get());
    PrefetchLine(translation.get());
    PrefetchLine(data.get());
}

NicParts::NicParts(Nic& nic, const Shared<NicCosts>& costs)
    : processor(nic.GetHost(),
                nic.Clock(),
                costs->mechanisms.isFirmware,
                costs->mechanisms.memoryWidth),
      dma(nic.GetHost(), processor, nic.Turns().Turn(), costs->mechanisms, nic.Card())
{
    if (costs->mechanisms.isKernel)
    {
        MakeKernel(*this, nic, costs);
    }
    else
    {
        if (costs->mechanisms.plugIn != nullptr)
        {
            Host& host = nic.GetHost();
            plugIn = std::make_unique<PlugInState>(costs->mechanisms.plugIn,
                                                   host.Id(),
                                                   host.Costs().pageBytes,
                                                   host.GetWorld().seed);
        }
        doorbells = MakeDoorbells(*this, nic, *costs);
        descriptors = MakeDescriptors(*this, nic, costs->mechanisms);
        translation = MakeTranslation(*this, nic, costs->mechanisms);
        data = std::make_unique<CardData>(costs->dmaBurst);
    }
    nic.GetTpt().SetListener(translation.get());
}

} // namespace via
} // namespace ns3
