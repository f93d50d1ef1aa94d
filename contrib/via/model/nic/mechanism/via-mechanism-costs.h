/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
// The mechanisms of a product and their costs, read from its profile.

#ifndef VIA_MECHANISM_COSTS_H
#define VIA_MECHANISM_COSTS_H

#include "ns3/via-clock-domain.h"
#include "ns3/via-provider-profile.h"
#include "ns3/via-time.h"

#include <cstdint>
#include <memory>
#include <string>

namespace ns3
{
namespace via
{

class PlugInLibrary;

/// The choices of a profile; see doc/mechanisms.md. Costs of choices not made stay 0.
struct MechanismCosts
{
    std::string doorbell;         ///< word of `nic.doorbell`
    std::string descriptor;       ///< word of `nic.descriptor`
    std::string translation;      ///< word of `nic.translation`
    bool isFirmware{false};       ///< one processor runs both engines
    bool isKernel{false};         ///< the host's kernel does the card's work
    bool barriers{false};         ///< the card runs barriers
    Cycles barrierStep;           ///< to send or take one step, beyond the work for a short message
    Cycles sendUpkeep;            ///< after a message has left, before the next one
    Cycles receiveUpkeep;         ///< after a message has arrived, before the next one
    std::uint32_t memoryWidth{0}; ///< bytes per cycle of the card's memory; 0: not a limit
    std::uint32_t readAhead{0};   ///< bursts of payload requested beyond the current one

    std::uint32_t dmaEngines{2};
    Cycles dmaStart;
    bool dmaChains{false}; ///< one start for all bursts of a piece of payload

    std::uint32_t doorbellDepth{0}; ///< capacity of the doorbell FIFO
    Cycles pollLoop;                ///< sweep over the doorbell words, fixed part
    Cycles pollVi;                  ///< sweep, per open VI
    Cycles trap;                    ///< host: into the kernel and back

    std::uint32_t prefetch{0}; ///< posted receive descriptors that are prefetched
    Cycles descriptorRead;     ///< from the card's memory

    Cycles lookup;        ///< translation and tag check of a descriptor and its first segment
    Cycles lookupSegment; ///< each further segment
    std::uint32_t cacheEntries{0};
    std::uint32_t cacheWays{1};
    std::string replacement;
    std::uint32_t cachePrefetch{1}; ///< entries fetched per miss
    std::uint32_t entryBytes{0};
    Cycles cacheHit;
    Cycles cacheMiss;

    std::uint32_t storeBytes{0}; ///< bytes of payload that the card collects; 0: cut-through

    Cycles kernelSend;    ///< per frame
    Cycles kernelReceive; ///< per frame
    Cycles kernelDescriptor;
    Cycles kernelTranslate; ///< per page
    Cycles kernelResidual;
    std::uint32_t ringEntryBytes{0};
    bool sendCopies{false};
    std::uint32_t coalesceFrames{1};
    Ps coalesceDelay{0};

    std::shared_ptr<const PlugInLibrary> plugIn; ///< null: no plug-in

    /// Reads the choices of @p profile and their keys, and opens its plug-in.
    /// @throws ConfigError as PlugInLibrary does
    static MechanismCosts From(const ProviderProfile& profile);
};

} // namespace via
} // namespace ns3

#endif // VIA_MECHANISM_COSTS_H
