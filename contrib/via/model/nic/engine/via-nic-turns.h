/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
// Whose turn it is among those who plan for one NIC.

#ifndef VIA_NIC_TURNS_H
#define VIA_NIC_TURNS_H

#include "ns3/via-host.h"

#include <algorithm>

namespace ns3
{
namespace via
{

class Departures;
class ReceiveEngine;
class SendEngine;

/**
 * @brief Lets departures and engines of one NIC do their steps in the order of time.
 *
 * A turn ends with the step of another one, of this NIC or of the host's others. Who moves whom is
 * not told: all are asked again behind each turn, by direct calls. At ties departures go first,
 * then the send engine.
 */
class NicTurns final : public BusPlanner
{
  public:
    /// They may be constructed later. The host lets them plan from then on.
    NicTurns(Host& host, Departures& departures, SendEngine& send, ReceiveEngine& receive);

    Ps NextAt() override;
    void PlanStep() override;
    void OnStop() override;

    /// Whether each step that takes time is an event.
    bool IsReference() const
    {
        return m_isReference;
    }

    /// The end of the turn.
    Ps End() const
    {
        return std::min(m_end, m_host.TurnEnd());
    }

  private:
    enum class Whose
    {
        DEPARTURE,
        SEND,
        RECEIVE,
    };

    Host& m_host;
    Departures& m_departures;
    SendEngine& m_send;
    ReceiveEngine& m_receive;
    bool m_isReference;
    Whose m_whose{Whose::DEPARTURE}; ///< the turn that NextAt told of
    Ps m_end{PS_NEVER};              ///< when the next of the others has a step
};

} // namespace via
} // namespace ns3

#endif // VIA_NIC_TURNS_H
