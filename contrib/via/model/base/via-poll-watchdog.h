/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
// Detects runs in which processes only poll and nothing else happens.

#ifndef VIA_POLL_WATCHDOG_H
#define VIA_POLL_WATCHDOG_H

#include "ns3/via-agenda.h"
#include "ns3/via-time.h"

#include <algorithm>
#include <cstdint>

namespace ns3
{
namespace via
{

/**
 * @brief Detects deadlocks of programs that never block.
 *
 * A program that polls or computes could do anything next. But when all work on the agenda belongs
 * to such programs, and for a long time no message has left and no process has woken up, the run is
 * deadlocked. Only simulated time and polls count, so a run ends in the same way on every machine.
 */
class PollWatchdog
{
  public:
    static constexpr Ps DEFAULT = 30 * PS_PER_SECOND;

    /// Limit on polls, however little time they took, as on a host without costs.
    static constexpr std::uint64_t MOST_LOOKS = 400'000'000;

    /// Sets the simulated time without progress after which a run counts as deadlocked.
    void SetLimit(Ps limit)
    {
        m_limit = limit;
    }

    /// Records progress: a message left, or a process woke up.
    void NoteProgress(Ps at)
    {
        m_moved = std::max(m_moved, at);
        m_count = 0;
    }

    /// A process yielded: its next poll is on the agenda.
    void NoteLook()
    {
        ++m_looks;
    }

    /// That poll is off the agenda.
    void ForgetLook()
    {
        --m_looks;
    }

    /// A process polls before Until(). @return false: too many polls, so IsOver() decides
    bool CountLook()
    {
        return ++m_count <= MOST_LOOKS;
    }

    /// Before this time no process is deadlocked, unless it polls too often.
    Ps Until() const
    {
        return m_limit < PS_NEVER - m_moved ? m_moved + m_limit + 1 : PS_NEVER;
    }

    /// Whether a process that polls at @p at is deadlocked.
    bool IsOver(Ps at, const Agenda& agenda)
    {
        ++m_count;
        return IsStillOver(at, agenda);
    }

    /// As IsOver, of the same poll once more.
    bool IsStillOver(Ps at, const Agenda& agenda) const
    {
        return (at - m_moved > m_limit || m_count > MOST_LOOKS) && agenda.Size() == m_looks;
    }

  private:
    Ps m_limit{DEFAULT};
    Ps m_moved{0};
    std::uint64_t m_looks{0}; ///< polls on the agenda
    std::uint64_t m_count{0}; ///< polls since the last progress
};

} // namespace via
} // namespace ns3

#endif // VIA_POLL_WATCHDOG_H
