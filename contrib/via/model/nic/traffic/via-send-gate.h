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
     * @brief Must the next message of @p vi wait?
     * If so, its doorbell rings again (Nic::RingAgain).
     * @param isAgain whether this is the doorbell of a message that was held back
     * @param at when it would begin. Another doorbell may start a message that was held back: then
     * the cause becomes that message's own.
     */
    bool HoldsBack(const VirtualInterface& vi, bool isAgain, Moment& at)
    {
        return m_everClosed && MustWait(vi, isAgain, at);
    }

    /// The messages of @p vi that have not begun never will: they are flushed.
    virtual void OnFlush(const VirtualInterface& vi)
    {
        static_cast<void>(vi);
    }

  protected:
    /// From now on MustWait is asked.
    void NoteClosed()
    {
        m_everClosed = true;
    }

  private:
    virtual bool MustWait(const VirtualInterface& vi, bool isAgain, Moment& at) = 0;

    bool m_everClosed{false};
};

} // namespace via
} // namespace ns3

#endif // VIA_SEND_GATE_H
