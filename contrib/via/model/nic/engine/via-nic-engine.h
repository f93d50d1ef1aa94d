/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
// Base of a NIC's engines: steps that plan ahead of time, and pauses.

#ifndef VIA_NIC_ENGINE_H
#define VIA_NIC_ENGINE_H

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
 * An idle engine runs from its first step to its last in one go, ahead of simulated time and
 * without an event. It pauses where another component could interfere, and in reference mode
 * after each step that takes time. It stops, without an event, before a step that begins later than
 * Host::SafeUntil(), and continues when that instant has moved.
 *
 * A derived engine provides StepAt(), the earliest start of the next step (PS_NEVER: nothing to
 * do), and Step(), which does the next step and returns false if it must wait for another component
 * or for a pause.
 */
class NicEngine : public AgendaTarget
{
  public:
    /**
     * @param nic the NIC of the engine
     * @param costs of the product
     * @param engine the owner of its spans
     * @param port orders its work within one instant
     */
    NicEngine(Nic& nic, const Shared<NicCosts>& costs, Engine engine, AgendaPort port);

    void OnAgenda(std::uint32_t kind, std::uint64_t data) override;

  protected:
    /// There may be work: lets this engine and the host's other engines plan.
    void Advance();

    /// No step is due: an event or another component will call Advance().
    bool IsHeld() const
    {
        return m_planned || m_waits;
    }

    /// Does the steps of @p engine (this object) up to the end of its turn.
    template <class Kind>
    void Plan(Kind& engine)
    {
        bool more = true;
        m_running = true;
        m_stopped = false;
        while (more && engine.StepAt() <= m_turns.End())
        {
            more = engine.Step();
        }
        m_running = false;
        m_waits = !more && !m_stopped;
    }

    /// Returns true if @p at has come. Otherwise an event will call Advance() at @p at.
    bool PauseUntil(Ps at);

    /// Cancels a pause because another step comes first now. The caller must then call Advance().
    void CancelPause();

    /// May the engine continue to plan at @p at? If not, it will be called again: in reference
    /// mode by an event, as with PauseUntil, else by the host on the engine's next turn.
    bool MayGoOn(Ps at);

    /// The engine waits for another component.
    bool Waits() const
    {
        return m_waits && !m_running && !m_planned;
    }

    /// Spends @p n cycles of the NIC, starting at `m_at`.
    void Work(Stage stage, Cycles n);

    Nic& m_nic;
    NicTurns& m_turns;
    NicParts& m_parts;
    Shared<NicCosts> m_costs;
    Moment m_at; ///< how far the engine has planned

  private:
    Engine m_engine;
    AgendaPort m_port;
    bool m_running{false};    ///< inside a step
    bool m_planned{false};    ///< an event will call Advance
    std::uint64_t m_pause{0}; ///< its sequence number on the agenda
    bool m_stopped{false};    ///< the last step ended because the engine's turn did
    bool m_waits{false};      ///< another component will call Advance
};

} // namespace via
} // namespace ns3

#endif // VIA_NIC_ENGINE_H
