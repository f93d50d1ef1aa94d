/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
// Who hears from a switch that the way to a host is full.

#ifndef VIA_CONGESTION_H
#define VIA_CONGESTION_H

#include "ns3/via-packet.h"

namespace ns3
{
namespace via
{

class Switch;

/// Carries the news that an output is full from a switch to the source of a packet for it.
class CongestionListener
{
  public:
    virtual ~CongestionListener() = default;

    /**
     * @brief A packet of a message has found `switch.feedback_mark` cells waiting for its output.
     * @param where the switch
     * @param source the host that sent it
     * @param destination the host that it is for
     */
    virtual void OnCongestion(const Switch& where, NodeId source, NodeId destination) = 0;
};

} // namespace via
} // namespace ns3

#endif // VIA_CONGESTION_H
