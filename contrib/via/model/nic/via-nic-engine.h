/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
// What the engines of a NIC have in common: steps that plan ahead of time, and pauses.

#ifndef VIA_NIC_ENGINE_H
#define VIA_NIC_ENGINE_H

#include "ns3/via-host.h"
#include "ns3/via-nic-costs.h"

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
 */
class NicEngine : public AgendaTarget, public BusPlanner
{
  public:
    /**
     * @param nic it belongs to; its host lets the engine plan from now on
     * @param costs of the product
     * @param engine what its spans belong to
     * @param port orders its work among that of one instant
     */
    NicEngine(Nic& nic, const Shared<NicCosts>& costs, Engine engine, AgendaPort port);

    void OnAgenda(std::uint32_t kind, std::uint64_t data) override;

    Ps NextAt() const override
    {
        return m_planned || m_waits ? PS_NEVER : StepAt();
    }

    void PlanStep() override;

    void OnStop() override
    {
    }

  protected:
    /// There may be something to do: plans, and has the host's other engines plan.
    void Advance();

    /// When the next step begins, at the earliest; PS_NEVER if there is nothing to do.
    virtual Ps StepAt() const = 0;

    /// Does the next thing. @return false if it has to wait for somebody, or for a pause
    virtual bool Step() = 0;

    /// True if @p at has come; else Advance() will be called then.
    bool PauseUntil(Ps at);

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
    NicParts& m_parts;
    Shared<NicCosts> m_costs;
    Moment m_at; ///< how far the engine has planned

  private:
    Engine m_engine;
    AgendaPort m_port;
    bool m_running{false}; ///< inside a step
    bool m_planned{false}; ///< an event will call Advance
    bool m_stopped{false}; ///< the last step ended with the engine's turn
    bool m_waits{false};   ///< somebody will call Advance
};

} // namespace via
} // namespace ns3

#endif // VIA_NIC_ENGINE_H
