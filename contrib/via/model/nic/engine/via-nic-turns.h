/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
// Decides which of one NIC's planners runs next.

#ifndef VIA_NIC_TURNS_H
#define VIA_NIC_TURNS_H

#include "ns3/via-dma-engines.h"
#include "ns3/via-host.h"

#include <algorithm>

namespace ns3
{
namespace via
{

class CardJobs;
class ReceiveEngine;
class SendEngine;

/**
 * @brief Runs the steps of one NIC's jobs and engines in time order.
 *
 * A turn ends when another planner, of this NIC or elsewhere on the host, has a step, or gets a new
 * one: then all of them are asked again. At one instant jobs go first, then the receive engine,
 * then the send engine.
 */
class NicTurns final : public BusPlanner
{
  public:
    /// The three planners may be constructed later. Registers with @p host, which lets them plan.
    NicTurns(Host& host, CardJobs& jobs, SendEngine& send, ReceiveEngine& receive);

    Ps NextAt() override;
    Ps NoticedAt() override;
    void PlanStep() override;
    void Prefetch() const override;

    /// When the turn ends.
    Ps End() const
    {
        return std::min(m_turn.end, m_turn.host.TurnEnd());
    }

    /// Whether what begins at @p at belongs to the turn: less to ask than its end.
    bool Includes(Ps at) const
    {
        return m_turn.Includes(at);
    }

    /// The same, for the parts of the card.
    CardTurn& Turn()
    {
        return m_turn;
    }

  private:
    enum class Whose
    {
        JOB,
        SEND,
        RECEIVE,
    };

    CardTurn m_turn;
    CardJobs& m_jobs;
    SendEngine& m_send;
    ReceiveEngine& m_receive;
    Whose m_whose{Whose::JOB}; ///< the turn that NextAt chose
    Ps m_job{PS_NEVER};        ///< the next step of a job
    Ps m_sendStep{PS_NEVER};   ///< the next step of the send engine
    Ps m_end{PS_NEVER};        ///< of the turn that NextAt chose
};

} // namespace via
} // namespace ns3

#endif // VIA_NIC_TURNS_H
