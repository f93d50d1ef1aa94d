/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
// Base of a NIC's engines: steps that plan ahead of time.

#ifndef VIA_NIC_ENGINE_H
#define VIA_NIC_ENGINE_H

#include "ns3/via-card-task.h"
#include "ns3/via-nic-costs.h"
#include "ns3/via-nic-turns.h"

namespace ns3
{
namespace via
{

class Nic;
struct NicParts;

/**
 * @brief A state machine whose steps compute their end time at once.
 *
 * Time passes at `m_at`, see CardTask. An engine does its steps ahead of simulated time, without
 * events, as long as nothing can interfere: its host says until when (Host::SafeUntil) and calls
 * again later.
 *
 * A derived engine provides StepAt(), the earliest start of the next step (PS_NEVER: nothing to
 * do, or another component decides), Step(), which does the next step or as much of it as
 * MayGoOn() allows, and IsInTurn(), whether a step may begin in this turn. While it IsPending its
 * next step is to go on, and then Resume() does what follows the transfer that it has waited for.
 */
class NicEngine : public CardTask
{
  public:
    /**
     * @param nic the NIC of the engine
     * @param costs of the product
     * @param engine the owner of its spans
     */
    NicEngine(Nic& nic, const Shared<NicCosts>& costs, Engine engine);

  protected:
    /// There may be work: lets this engine and the host's other engines plan.
    void Advance();

    /// Does the steps of @p engine (this object) up to the end of its turn.
    template <class Kind>
    void Plan(Kind& engine)
    {
        do
        {
            if (!engine.IsPending())
            {
                engine.Step();
                continue;
            }
            engine.GoOn();
            if (!engine.IsPending())
            {
                engine.Resume();
            }
        } while (engine.IsInTurn(engine.StepAt()));
    }

    /// May the engine continue to plan at @p at? If not, the step ends and is continued later.
    bool MayGoOn(Ps at) const
    {
        return m_turns.Includes(at);
    }

    Nic& m_nic;
    NicTurns& m_turns;
    NicParts& m_parts;
    Shared<NicCosts> m_costs;
};

} // namespace via
} // namespace ns3

#endif // VIA_NIC_ENGINE_H
