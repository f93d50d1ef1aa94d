/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
// The mechanisms of one NIC, assembled according to its profile.

#ifndef VIA_NIC_PARTS_H
#define VIA_NIC_PARTS_H

#include "ns3/via-data-path.h"
#include "ns3/via-descriptor-path.h"
#include "ns3/via-doorbell.h"
#include "ns3/via-kernel-path.h"
#include "ns3/via-plug-in-library.h"
#include "ns3/via-translation.h"

#include <memory>

namespace ns3
{
namespace via
{

class Nic;

/// One part for each choice in the profile; see doc/mechanisms.md.
struct NicParts
{
    /// Makes the parts that @p costs selects. The table and checks of @p nic must exist.
    NicParts(Nic& nic, const Shared<NicCosts>& costs);

    /// Prefetch hint: the parts will be used soon (see AgendaTarget::Prefetch).
    void Prefetch() const;

    std::unique_ptr<PlugInState> plugIn; ///< null: no part comes from a plug-in
    std::unique_ptr<DoorbellPath> doorbells;
    std::unique_ptr<DescriptorPath> descriptors;
    std::unique_ptr<Translation> translation;
    std::unique_ptr<DataPath> data;
    NicProcessor processor;
    DmaEngines dma;
    SendRing* sendRing{nullptr};       ///< null: the card reads payload where descriptors say
    ReceiveRing* receiveRing{nullptr}; ///< null: the card places payload where descriptors say
    std::unique_ptr<KernelReceiver> kernelReceiver; ///< the same; null unless the kernel receives
};

} // namespace via
} // namespace ns3

#endif // VIA_NIC_PARTS_H
