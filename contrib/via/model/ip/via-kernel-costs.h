/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
// Costs of a kernel's network stack and driver, read from its profile.

#ifndef VIA_KERNEL_COSTS_H
#define VIA_KERNEL_COSTS_H

#include "ns3/via-clock-domain.h"
#include "ns3/via-provider-profile.h"
#include "ns3/via-time.h"

#include <cstdint>

namespace ns3
{
namespace via
{

/// Cycles of the host's CPU per call, packet or cache line; see profiles/README.md.
struct KernelCosts
{
    bool offloadsTcp{false};      ///< TCP and IP run in the card
    bool offloadsChecksum{false}; ///< the card computes payload checksums
    bool copies{true};            ///< payload is copied; else its pages are mapped
    Cycles socketSend;
    Cycles socketReceive;
    Cycles wakeUp;
    Cycles softInterrupt;
    Cycles driverSend;
    Cycles driverReceive;
    Cycles checksumLine;
    Cycles mapPage;
    Cycles receiveResidual;
    Cycles ipSend;
    Cycles ipReceive;
    Cycles udpSend;
    Cycles udpReceive;
    Cycles tcpSend;
    Cycles tcpReceive;
    Cycles ackSend;
    Cycles ackReceive;
    Cycles offloadSend;    ///< of the NIC's clock
    Cycles offloadReceive; ///< of the NIC's clock
    std::uint32_t coalesceFrames{1};
    Ps coalesceDelay{0};
    std::uint32_t transmitRing{1};
    std::uint32_t receiveRing{1};
    std::uint32_t mtu{0};
    std::uint32_t udpBuffer{0};
    std::uint32_t sendBuffer{0};
    std::uint32_t receiveBuffer{0};
    std::uint32_t initialWindow{1};
    std::uint32_t delayedAck{1};
    std::uint32_t delayedAckMs{0};
    std::uint32_t minRtoMs{1};
    bool noDelay{false};

    /// @throws ConfigError if @p profile has no kernel
    static KernelCosts From(const ProviderProfile& profile);
};

} // namespace via
} // namespace ns3

#endif // VIA_KERNEL_COSTS_H
