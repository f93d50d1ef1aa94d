/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
// Messages whose last cell has a departure time that has not come yet.

#ifndef VIA_SEND_COMPLETIONS_H
#define VIA_SEND_COMPLETIONS_H

#include "ns3/via-packet.h"
#include "ns3/via-ring.h"

namespace ns3
{
namespace via
{

class Nic;

/// A message that is leaving.
struct SentMessage
{
    Moment left; ///< when its last bit leaves
    std::uint64_t item{0};
    ViId vi{0};
    PacketKind kind{PacketKind::SEND};
    std::uint32_t length{0};
};

/**
 * @brief Makes the NIC complete sends when their last bit leaves.
 *
 * The wire knows that time long before, but the status write must not reserve the bus before
 * earlier requests have done so.
 */
class SendCompletions
{
  public:
    explicit SendCompletions(Nic& nic)
        : m_nic(nic)
    {
    }

    /// A message got its departure time. The messages of a NIC leave one after the other.
    void Push(const SentMessage& message)
    {
        m_sendCompletions.Push(message);
    }

    /// When the next message has left; PS_NEVER if there is none.
    Ps NextAt() const
    {
        return m_sendCompletions.IsEmpty() ? PS_NEVER : m_sendCompletions.At(0).left.at;
    }

    /// Prefetch hint: a step comes soon.
    void Prefetch() const;

    /// The next message has left.
    void PlanStep();

  private:
    Nic& m_nic;
    InlineRing<SentMessage, 2> m_sendCompletions;
};

} // namespace via
} // namespace ns3

#endif // VIA_SEND_COMPLETIONS_H
