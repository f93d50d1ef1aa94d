/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
// Receives congestion notices from switches.

#ifndef VIA_CONGESTION_H
#define VIA_CONGESTION_H

#include "ns3/via-packet.h"

namespace ns3
{
namespace via
{

class Switch;

/// Carries congestion notices from a switch to the source of a packet.
class CongestionListener
{
  public:
    virtual ~CongestionListener() = default;

    /**
     * @brief A message packet found `switch.feedback_mark` or more cells waiting for its output.
     * @param where the switch
     * @param source the host that sent the packet
     * @param destination the host it is addressed to
     */
    virtual void OnCongestion(const Switch& where, NodeId source, NodeId destination) = 0;
};

} // namespace via
} // namespace ns3

#endif // VIA_CONGESTION_H
