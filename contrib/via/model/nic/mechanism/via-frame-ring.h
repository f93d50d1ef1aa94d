/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
// Rings of frames between a card and its host, where products have them.

#ifndef VIA_FRAME_RING_H
#define VIA_FRAME_RING_H

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

    /**
     * @brief The card reads the entry of one frame of a message.
     * @param at the earliest start
     * @param vi that sends it
     * @param item serial of its descriptor
     * @param frame its number in the message
     * @return when the card knows the frame's buffer
     */
    virtual Moment TakeFrame(Moment at, ViId vi, std::uint64_t item, std::uint32_t frame) = 0;

    /// As TakeFrame, for a packet that belongs to no descriptor.
    virtual Moment FetchEntry(Moment at) = 0;
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
