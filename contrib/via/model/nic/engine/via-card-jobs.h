/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
// What a card does that neither of its engines waits for.

#ifndef VIA_CARD_JOBS_H
#define VIA_CARD_JOBS_H

#include "ns3/via-card-task.h"
#include "ns3/via-packet.h"
#include "ns3/via-ring.h"

#include <memory>
#include <utility>
#include <vector>

namespace ns3
{
namespace via
{

class Nic;

/// A message that is leaving.
struct SentMessage
{
    Moment left; ///< when its last bit leaves
    std::uint64_t item{0};
    ViId vi{0};
    PacketKind kind{PacketKind::SEND};
    std::uint32_t length{0};
};

/// Something that a card does beside its engines, such as writing a completion.
class CardJob : public CardTask
{
  public:
    using CardTask::CardTask;
    virtual ~CardJob() = default;
    CardJob(CardJob&&) = default;
    CardJob& operator=(CardJob&&) = default;

    /// All that it has asked for has been done: it asks for more. @return whether it is over, and
    /// nothing IsPending
    virtual bool Continue() = 0;
};

/**
 * @brief The jobs of a card, and the messages whose last cell has a departure time that has not
 * come yet.
 *
 * The wire knows that time long before. When a message leaves its send completes.
 */
class CardJobs
{
  public:
    CardJobs(Nic& nic, CardTurn& turn)
        : m_nic(nic),
          m_turn(turn)
    {
    }

    /// A message got its departure time. The messages of a NIC leave one after the other.
    void Push(const SentMessage& message)
    {
        m_leaving.Push(message);
    }

    /// Begins @p job, at @p now or later: does at once what belongs to @p now, for whoever begins
    /// it may have more to do from then on.
    template <class Job>
    void Begin(Ps now, Job job)
    {
        const Ps end = m_turn.Limit(now);
        const bool isOver = job.Continue();
        m_turn.end = end;
        if (!isOver)
        {
            Keep(std::make_unique<Job>(std::move(job)));
        }
    }

    /// As Begin, for the last thing that is done in a turn: does all that the turn includes.
    template <class Job>
    void BeginLast(Job job)
    {
        if (!job.Continue())
        {
            Keep(std::make_unique<Job>(std::move(job)));
        }
    }

    /// When the next message has left, or the next job goes on; PS_NEVER if there is none.
    Ps NextAt()
    {
        const Ps left = m_leaving.IsEmpty() ? PS_NEVER : m_leaving.At(0).left.at;
        return m_jobs.empty() ? left : NextOfJobs(left);
    }

    /// When the one after that does, after NextAt.
    Ps SecondAt() const;

    /// Prefetch hint: a step comes soon.
    void Prefetch() const;

    /// The next message has left, or the next job goes on.
    void PlanStep();

  private:
    /// For no job: a message leaves next.
    static constexpr std::size_t NONE = SIZE_MAX;

    Ps NextOfJobs(Ps left);
    void Keep(std::unique_ptr<CardJob> job);

    Nic& m_nic;
    CardTurn& m_turn;
    InlineRing<SentMessage, 2> m_leaving;
    std::vector<std::unique_ptr<CardJob>> m_jobs; ///< in the order in which they began
    std::size_t m_next{NONE};                     ///< the job that goes on next
};

} // namespace via
} // namespace ns3

#endif // VIA_CARD_JOBS_H
