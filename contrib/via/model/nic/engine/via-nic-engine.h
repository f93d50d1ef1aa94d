/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
// What the engines of a NIC have in common: steps that plan ahead of time, and pauses.

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
 * @brief A state machine whose steps give their end at once.
 *
 * An idle engine runs from its first step to its last in one go, ahead of simulated time and
 * without an event. It pauses where somebody else could be in the way, and in reference mode
 * after each step that takes time. It stops, without an event, before a step that begins later than
 * Host::SafeUntil(), and goes on when that has moved.
 *
 * What kind of engine it is has StepAt(), when the next step begins at the earliest (PS_NEVER:
 * there is nothing to do), and Step(), which does the next thing and is false if it has to wait for
 * somebody, or for a pause.
 */
class NicEngine : public AgendaTarget
{
  public:
    /**
     * @param nic it belongs to
     * @param costs of the product
     * @param engine what its spans belong to
     * @param port orders its work among that of one instant
     */
    NicEngine(Nic& nic, const Shared<NicCosts>& costs, Engine engine, AgendaPort port);

    void OnAgenda(std::uint32_t kind, std::uint64_t data) override;

  protected:
    /// There may be something to do: plans, and has the host's other engines plan.
    void Advance();

    /// No step is due: an event, or somebody, will call Advance().
    bool IsHeld() const
    {
        return m_planned || m_waits;
    }

    /// Does the steps of @p engine, this one, up to the end of its turn.
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

    /// True if @p at has come; else Advance() will be called then.
    bool PauseUntil(Ps at);

    /// What it pauses for is no longer what comes next. Advance() has to follow.
    void CancelPause();

    /// May the engine plan on at @p at? If not, it will be called: in reference mode by an event,
    /// as with PauseUntil, else by the host, when the engine's turn has come.
    bool MayGoOn(Ps at);

    /// Somebody else has to come first.
    bool Waits() const
    {
        return m_waits && !m_running && !m_planned;
    }

    /// Spends cycles of the NIC, from where the engine has planned to.
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
    std::uint64_t m_pause{0}; ///< that event
    bool m_stopped{false};    ///< the last step ended with the engine's turn
    bool m_waits{false};      ///< somebody will call Advance
};

} // namespace via
} // namespace ns3

#endif // VIA_NIC_ENGINE_H
