/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
// The packets that every card sends and understands by itself.

#ifndef VIA_CARD_TRAFFIC_H
#define VIA_CARD_TRAFFIC_H

#include "ns3/via-traffic-class.h"

namespace ns3
{
namespace via
{

/// The class of @p kind in every card: requests of RDMA reads and their answers, responses of
/// reliable reception, acknowledgements, and connections. Other kinds are discarded at no cost.
TrafficClass& CardTraffic(PacketKind kind);

} // namespace via
} // namespace ns3

#endif // VIA_CARD_TRAFFIC_H
