/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
// Decides which of one NIC's planners runs next.

#ifndef VIA_NIC_TURNS_H
#define VIA_NIC_TURNS_H

#include "ns3/via-host.h"

#include <algorithm>

namespace ns3
{
namespace via
{

class SendCompletions;
class ReceiveEngine;
class SendEngine;

/**
 * @brief Runs the steps of one NIC's completions of sends and engines in time order.
 *
 * A turn ends when another planner, of this NIC or elsewhere on the host, has a step, or gets a new
 * one: then all of them are asked again. At one instant completions of sends go first, then the
 * receive engine, then the send engine.
 */
class NicTurns final : public BusPlanner
{
  public:
    /// The three planners may be constructed later. Registers with @p host, which lets them plan.
    NicTurns(Host& host, SendCompletions& completions, SendEngine& send, ReceiveEngine& receive);

    Ps NextAt() override;
    Ps NoticedAt() override;
    void PlanStep() override;
    void Prefetch() const override;

    /// When the turn ends.
    Ps End() const
    {
        return std::min(m_end, m_host.TurnEnd());
    }

    /// Whether what begins at @p at belongs to the turn: less to ask than its end.
    bool Includes(Ps at) const
    {
        return at <= m_end && m_host.TurnIncludes(at);
    }

  private:
    enum class Whose
    {
        COMPLETION,
        SEND,
        RECEIVE,
    };

    Host& m_host;
    SendCompletions& m_sendCompletions;
    SendEngine& m_send;
    ReceiveEngine& m_receive;
    Whose m_whose{Whose::COMPLETION}; ///< the turn that NextAt chose
    Ps m_completion{PS_NEVER};        ///< the next step of the completions of sends
    Ps m_sendStep{PS_NEVER};          ///< the next step of the send engine
    Ps m_end{PS_NEVER};               ///< when another planner of this NIC has a step
};

} // namespace via
} // namespace ns3

#endif // VIA_NIC_TURNS_H
