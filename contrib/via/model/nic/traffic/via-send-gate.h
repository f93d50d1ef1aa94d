/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
// What may hold back the messages of a card.

#ifndef VIA_SEND_GATE_H
#define VIA_SEND_GATE_H

#include "ns3/via-span.h"

namespace ns3
{
namespace via
{

struct VirtualInterface;

/**
 * @brief Decides whether a message may begin. A module beside the card registers it with
 * SendEngine::SetGate; packets that are not messages pass.
 */
class SendGate
{
  public:
    virtual ~SendGate() = default;

    /**
     * @brief Must a message of @p vi that would begin at @p at wait?
     * If so, its doorbell rings again (Nic::RingAgain).
     */
    bool HoldsBack(const VirtualInterface& vi, Moment at)
    {
        return m_everClosed && MustWait(vi, at);
    }

  protected:
    /// From now on MustWait is asked.
    void NoteClosed()
    {
        m_everClosed = true;
    }

  private:
    virtual bool MustWait(const VirtualInterface& vi, Moment at) = 0;

    bool m_everClosed{false};
};

} // namespace via
} // namespace ns3

#endif // VIA_SEND_GATE_H
