/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
// The mechanisms of one NIC, put together as its profile says.

#ifndef VIA_NIC_PARTS_H
#define VIA_NIC_PARTS_H

#include "ns3/via-data-path.h"
#include "ns3/via-descriptor-path.h"
#include "ns3/via-doorbell.h"
#include "ns3/via-kernel-path.h"
#include "ns3/via-translation.h"

#include <memory>

namespace ns3
{
namespace via
{

class Nic;

/// One part for each choice; see doc/mechanisms.md.
struct NicParts
{
    /// Makes the parts that @p costs names for @p nic, whose table and checks exist.
    NicParts(Nic& nic, const Shared<NicCosts>& costs);

    /// A hint: they will be used soon (see AgendaTarget::Expect).
    void Expect() const;

    std::unique_ptr<DoorbellPath> doorbells;
    std::unique_ptr<DescriptorPath> descriptors;
    std::unique_ptr<Translation> translation;
    std::unique_ptr<DataPath> data;
    NicProcessor processor;
    DmaEngines dma;
    KernelSender* kernelSender{nullptr};            ///< the doorbells, if the kernel sends
    std::unique_ptr<KernelReceiver> kernelReceiver; ///< if the kernel receives
};

} // namespace via
} // namespace ns3

#endif // VIA_NIC_PARTS_H
