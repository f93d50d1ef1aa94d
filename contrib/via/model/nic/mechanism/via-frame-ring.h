/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
// Rings of frames between a card and its host, where products have them.

#ifndef VIA_FRAME_RING_H
#define VIA_FRAME_RING_H

#include "ns3/via-card-task.h"
#include "ns3/via-packet.h"
#include "ns3/via-time.h"

#include <cstdint>

namespace ns3
{
namespace via
{

/// The host puts frames into a ring. The card reads an entry before each group of a packet.
class SendRing
{
  public:
    virtual ~SendRing() = default;

    /// When the host has put a frame into the ring, as for TakeFrame; PS_NEVER: it is not known
    /// yet.
    virtual Ps MadeAt(ViId vi, std::uint64_t item, std::uint32_t frame) const = 0;

    /**
     * @brief The send engine reads the entry of one frame of a message, which is in the ring.
     * @param vi that sends it
     * @param item serial of its descriptor
     * @param frame its number in the message
     */
    virtual void TakeFrame(CardTask& engine, ViId vi, std::uint64_t item, std::uint32_t frame) = 0;

    /// As TakeFrame, for a packet that belongs to no descriptor.
    virtual void FetchEntry(CardTask& engine) = 0;
};

/// The card puts frames into a ring. The host hands them to the receive engine one by one.
class ReceiveRing
{
  public:
    virtual ~ReceiveRing() = default;

    /// The engine is done with a frame at @p at.
    virtual void OnDone(Moment at) = 0;
};

} // namespace via
} // namespace ns3

#endif // VIA_FRAME_RING_H
