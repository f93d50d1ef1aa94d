/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
// The global update of Microsoft Cluster Server: a lock, and a walk through all members.

#ifndef VIA_MSCS_UPDATER_H
#define VIA_MSCS_UPDATER_H

#include "ns3/via-protocol.h"

#include <deque>
#include <set>

namespace ns3
{
namespace via
{

/// A message of the cluster service.
struct MscsMessage
{
    enum Kind : std::uint32_t
    {
        HEARTBEAT,
        STATUS,   ///< regroup: stage, epoch, who is there
        LOCK,     ///< updater to locker: value to be updated
        GRANT,    ///< locker to updater: number of the update
        UPDATE,   ///< updater to each member: number and value
        APPLIED,  ///< the answer
        UNLOCK,   ///< the update is everywhere
        DISCOVER, ///< join: a node asks who is in the cluster
        SPONSOR,  ///< the answer of a member
        PETITION, ///< the node to its sponsor: take me in
        DATABASE, ///< sponsor to node: number of the view, and a member or a page
        JOINED,   ///< the node has it all
    };

    std::uint32_t kind;
    std::uint32_t stage;
    std::uint64_t number;
    std::uint64_t value;
};

/**
 * @brief A process that makes, numbers and takes global updates.
 *
 *     updater --LOCK--> locker --GRANT--> updater --UPDATE--> member 1 --APPLIED--> updater ...
 *             --UNLOCK--> locker
 *
 * Process 0, the oldest, is the locker: it numbers the updates, applies each first, and gives
 * the lock to one updater at a time. 2 + 2 (n - 2) + 1 = 2 n - 1 messages for an update, one after
 * the other. A member that does not answer is left out (a regroup would expel it). If the updater
 * is silent the locker brings the update to all. A crashed locker stops everything.
 */
class MscsUpdater : public TypedProtocol<MscsMessage>
{
  public:
    using TypedProtocol::OnMessage;

    void OnMessage(Rank from, const MscsMessage& message) override;
    void OnTimer(TimerId timer) override;

  protected:
    /// @param timeOut a member has so long to answer, and an updater n times that for its walk
    explicit MscsUpdater(Ps timeOut);

    static constexpr TimerId ANSWER = 0; ///< an UPDATE is not answered
    static constexpr TimerId HOLDER = 1; ///< the lock is not given back
    static constexpr TimerId FIRST_FREE = 2;

    /// Asks for the lock, to bring @p value to all.
    void RequestUpdate(std::uint64_t value);

    /// Applies update @p number, in order; again, it has no effect.
    virtual void Apply(std::uint64_t number, std::uint64_t value) = 0;

    /// All have @p value. EndUpdate() gives the lock back.
    virtual void OnSpread(std::uint64_t value) = 0;

    /// The lock was given back. Of the locker.
    virtual void OnUnlock()
    {
    }

    /// Does the update @p value go to @p rank?
    virtual bool Concerns(std::uint64_t, Rank) const
    {
        return true;
    }

    void EndUpdate();

    /// The number of the next update that this process has not applied.
    std::uint64_t NextToApply() const
    {
        return m_applied;
    }

    void SetNextToApply(std::uint64_t number)
    {
        m_applied = number;
    }

    /// @p rank lives again.
    void Revive(Rank rank)
    {
        m_dead.erase(rank);
    }

    bool IsIdle() const
    {
        return !m_spreading && !m_locked;
    }

    Ps TimeOut() const
    {
        return m_timeOut;
    }

  private:
    struct Request
    {
        Rank writer;
        std::uint64_t value;
    };

    void Grant();
    void Release();
    void BeginSpread(std::uint64_t number, std::uint64_t value);
    void Spread();

    Ps m_timeOut;
    std::uint64_t m_applied{0}; ///< updates at this process
    std::uint64_t m_number{0};  ///< of the update that this process spreads
    std::uint64_t m_value{0};
    Rank m_next{0}; ///< member whose turn it is
    bool m_spreading{false};
    std::set<Rank> m_dead;
    // of the locker
    bool m_locked{false};
    Request m_holder{0, 0};
    std::deque<Request> m_queue;
};

} // namespace via
} // namespace ns3

#endif // VIA_MSCS_UPDATER_H
