/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
// Until when nothing from outside can reach a host.

#ifndef VIA_HORIZON_H
#define VIA_HORIZON_H

#include "ns3/via-component.h"

#include <algorithm>
#include <cstdint>

namespace ns3
{
namespace via
{

/**
 * @brief Until when a host may do its own work without a look at others.
 *
 * Nothing reaches a host before its own next work on the agenda, or before the next work of anybody
 * else plus the least time from there to this host. That time depends on who works: a program must
 * ring a doorbell first, and a card that has nothing to send must be told to (Leads).
 */
class Horizon
{
  public:
    /// @param id of the host
    Horizon(const World& world, ComponentId id)
        : m_head(world.agenda.HeadOf(id)),
          m_world(world),
          m_id(id)
    {
    }

    /**
     * @brief The earliest instant at which anything planned so far, except the host's steps, could
     * matter to this host. Quick as long as nothing has changed.
     */
    Ps At() const
    {
        return m_foundAt == Stamp() ? m_found : Find();
    }

    /// As At(), for what even a shield does not protect.
    Ps WithoutShield() const
    {
        return At(false);
    }

    /// See Host::SetLookahead.
    void SetLookahead(Ps cells, Ps credits)
    {
        m_cellLookahead = std::min(m_cellLookahead, cells);
        m_creditLookahead = std::min(m_creditLookahead, credits);
        m_foundAt = NEVER;
    }

    /// See Host::SetOutsideLookahead.
    void SetOutsideLookahead(Ps delay)
    {
        m_outsideLookahead = std::min(m_outsideLookahead, delay);
        m_foundAt = NEVER;
    }

    /// Whether NIC @p card, one of at most 32, waits for credits.
    void SetWaitsForCredits(bool waits, std::uint32_t card)
    {
        const std::uint32_t bit = std::uint32_t{1} << card;
        m_waits = waits ? m_waits | bit : m_waits & ~bit;
        m_foundAt = NEVER;
    }

    /// @p more threads wait for what others may do here at once. Negative: fewer.
    void NoteListeners(int more)
    {
        m_listeners += more;
        m_foundAt = NEVER;
    }

    /// Whether no cell that arrives matters before the host's next step.
    void SetShielded(bool isShielded)
    {
        m_foundAt = isShielded == m_isShielded ? m_foundAt : NEVER;
        m_isShielded = isShielded;
    }

    /// The host's next step is on the agenda: at @p at, as number @p number. PS_NEVER: it is not.
    void SetStep(Ps at, std::uint32_t number)
    {
        m_stepAt = at;
        m_step = number;
    }

    /// When the host's next step is on the agenda.
    Ps StepAt() const
    {
        return m_stepAt;
    }

    /// The number of the host's next step on the agenda.
    std::uint32_t Step() const
    {
        return m_step;
    }

  private:
    /// What no stamp is.
    static constexpr std::uint64_t NEVER = UINT64_MAX;

    /// Changes whenever anything changes that At() depends on, except our own members. Events of
    /// others change without a sign.
    std::uint64_t Stamp() const
    {
        return m_world.agenda.Stamp() + m_world.inbound.Changes();
    }

    Ps Find() const;
    Ps At(bool isShielded) const;
    Ps OthersNext(bool isShielded, Ps outside) const;
    Ps OthersNextForWaiting(Ps outside) const;
    Ps OthersAtWork(Ps outside) const;
    Ps InTime(Ps arrives, Ps outside) const;
    Ps CellsOfCards(Ps others) const;

    /// Time of the host's next work on the agenda, without that of its next step.
    Ps OwnNext() const
    {
        return m_head < m_stepAt ? m_head : m_world.agenda.HeadBut(m_id, m_step);
    }

    static Ps LaterBy(Ps at, Ps span)
    {
        Ps later;
        return __builtin_add_overflow(at, span, &later) ? PS_NEVER : later;
    }

    const Ps& m_head; ///< time of the host's next work on the agenda
    const World& m_world;
    mutable std::uint64_t m_foundAt{NEVER}; ///< the stamp of m_found
    mutable Ps m_found{0};                  ///< At(), as it was then
    Ps m_stepAt{PS_NEVER};                  ///< see SetStep
    std::uint32_t m_step{0};                ///< see SetStep
    ComponentId m_id;
    std::uint32_t m_waits{0}; ///< cards that wait for credits, one bit each
    int m_listeners{0};       ///< see NoteListeners
    bool m_isShielded{false}; ///< see SetShielded
    Ps m_cellLookahead{PS_NEVER};
    Ps m_outsideLookahead{PS_NEVER};
    Ps m_creditLookahead{PS_NEVER};
};

} // namespace via
} // namespace ns3

#endif // VIA_HORIZON_H
