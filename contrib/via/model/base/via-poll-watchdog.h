/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
// How long a run goes on in which nobody does anything but look.

#ifndef VIA_PATIENCE_H
#define VIA_PATIENCE_H

#include "ns3/via-agenda.h"
#include "ns3/via-time.h"

#include <algorithm>
#include <cstdint>

namespace ns3
{
namespace via
{

/**
 * @brief Finds deadlocks of programs that never block.
 *
 * A program that polls, or computes, could do anything next. But when all work on the agenda is
 * that of programs like it, and no message has left and nobody has slept for a long time, then
 * nobody ever will. Simulated time and looks only: the same run ends in the same way everywhere.
 */
class Patience
{
  public:
    static constexpr Ps DEFAULT = 30 * PS_PER_SECOND;

    /// So many looks are too many however little time they took, as on a host without costs.
    static constexpr std::uint64_t MOST_LOOKS = 400'000'000;

    /// After @p limit of simulated time in which nothing moves it is over.
    void SetLimit(Ps limit)
    {
        m_limit = limit;
    }

    /// Something moved: a message left, or somebody woke.
    void NoteProgress(Ps at)
    {
        m_moved = std::max(m_moved, at);
        m_count = 0;
    }

    /// A process gave way: its next look is on the agenda.
    void NoteLook()
    {
        ++m_looks;
    }

    /// That work is off the agenda.
    void ForgetLook()
    {
        --m_looks;
    }

    /// Whether a process that looks at the world at @p at does so in vain.
    bool IsOver(Ps at, const Agenda& agenda)
    {
        ++m_count;
        return (at - m_moved > m_limit || m_count > MOST_LOOKS) && agenda.Size() == m_looks;
    }

  private:
    Ps m_limit{DEFAULT};
    Ps m_moved{0};
    std::uint64_t m_looks{0}; ///< on the agenda
    std::uint64_t m_count{0}; ///< of looks since anything moved
};

} // namespace via
} // namespace ns3

#endif // VIA_PATIENCE_H
