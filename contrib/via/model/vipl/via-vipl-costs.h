/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
// Host CPU costs of the VI Provider Library and its kernel agent, read from the profile.

#ifndef VIA_VIPL_COSTS_H
#define VIA_VIPL_COSTS_H

#include "ns3/via-clock-domain.h"
#include "ns3/via-provider-profile.h"

namespace ns3
{
namespace via
{

/// Host CPU cycles per call; see profiles/README.md for what each includes.
struct ViplCosts
{
    Cycles postSend;
    Cycles postReceive;
    Cycles doneHit;  ///< SendDone/RecvDone that harvests
    Cycles doneMiss; ///< ... that finds no completion
    Cycles cqDoneHit;
    Cycles cqDoneMiss;
    Cycles waitEnter; ///< going to sleep in the kernel
    Cycles query;
    Cycles openNic;
    Cycles closeNic;
    Cycles createPtag;
    Cycles destroyPtag;
    Cycles registerBase;
    Cycles registerPage; ///< per page, pinning included
    Cycles deregisterBase;
    Cycles deregisterPage; ///< per page, unpinning included
    Cycles setAttributes;
    Cycles createVi;
    Cycles destroyVi;
    Cycles createCq;
    Cycles destroyCq;
    Cycles resizeCq;
    Cycles connectRequest;
    Cycles connectWait;
    Cycles connectAccept;
    Cycles connectReject;
    Cycles disconnect;
    Cycles nameService;

    /// Reads the keys `vipl.*` and `os.page_*` of @p profile.
    static ViplCosts From(const ProviderProfile& profile);
};

} // namespace via
} // namespace ns3

#endif // VIA_VIPL_COSTS_H
