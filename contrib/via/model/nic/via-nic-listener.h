/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
// What a NIC reports to whoever watches it: doorbells, queues, completions, hand-overs.

#ifndef VIA_NIC_LISTENER_H
#define VIA_NIC_LISTENER_H

#include "ns3/via-virtual-interface.h"

namespace ns3
{
namespace via
{

/**
 * @brief Notified of what a NIC does.
 *
 * Engines plan ahead, so a reported time may be later than the agenda's, and times of different
 * VIs are not in order. Those of one work queue are.
 */
class NicListener
{
  public:
    virtual ~NicListener() = default;

    /// A doorbell of @p vi was rung. @param at when the card knows
    virtual void OnDoorbell(const VirtualInterface& vi, bool receive, Ps at) = 0;

    /// A descriptor was posted, or has completed. @param at when the card knows, or the program can
    virtual void OnQueue(const VirtualInterface& vi, bool receive, Ps at) = 0;

    /**
     * @brief A descriptor of @p vi has completed.
     * @param status as in the descriptor, without DONE
     * @param length bytes transferred
     * @param at when the program can see it
     */
    virtual void OnCompletion(const VirtualInterface& vi,
                              bool receive,
                              std::uint32_t status,
                              std::uint32_t length,
                              Ps at) = 0;

    /// @p cells cells were handed to the wire, which sends them at once or holds them until it has
    /// credits. @param at when they are ready
    virtual void OnHandedOver(std::uint32_t cells, Ps at) = 0;
};

} // namespace via
} // namespace ns3

#endif // VIA_NIC_LISTENER_H
