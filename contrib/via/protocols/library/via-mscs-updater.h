/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
// The global update of Microsoft Cluster Server: a lock, then an update of each member in turn.

#ifndef VIA_MSCS_UPDATER_H
#define VIA_MSCS_UPDATER_H

#include "ns3/via-protocol.h"

#include <deque>
#include <map>
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
        STATUS,   ///< regroup: stage, epoch, nodes present
        LOCK,     ///< updater to locker: number of the request, value of the update
        GRANT,    ///< locker to updater: request (in `stage`), number of the update
        UPDATE,   ///< updater to each member: number and value
        APPLIED,  ///< answer to UPDATE
        UNLOCK,   ///< all members have the update
        DISCOVER, ///< join: a node looks for members
        SPONSOR,  ///< a member's answer
        PETITION, ///< node to its sponsor: request to join
        DATABASE, ///< sponsor to node: number of the view, and a member or a page
        JOINED,   ///< node to sponsor: database complete
    };

    std::uint32_t kind;
    std::uint32_t stage;
    std::uint64_t number;
    std::uint64_t value;
};

/**
 * @brief A process that makes, numbers and applies global updates.
 *
 *     updater --LOCK--> locker --GRANT--> updater --UPDATE--> member 1 --APPLIED--> updater ...
 *             --UNLOCK--> locker
 *
 * Process 0, the oldest, is the locker: it numbers the updates, applies each first, and gives the
 * lock to one updater at a time. An update takes 2 + 2 (n - 2) + 1 = 2 n - 1 messages, one after
 * the other. A member that does not answer is skipped (a regroup would expel it). If the updater is
 * silent, the locker sends the update to all. A crashed locker stops all updates.
 *
 * Where messages may be lost, an UPDATE is repeated within the limit for its answer, which is 40 ms
 * at the least, and a LOCK until its GRANT has come; the locker repeats the GRANT for a LOCK that
 * it knows. If it has lost an UNLOCK, it sends the update to all when the updater asks anew.
 */
class MscsUpdater : public TypedProtocol<MscsMessage>
{
  public:
    using TypedProtocol::OnMessage;

    void OnMessage(Rank from, const MscsMessage& message) override;
    void OnTimer(TimerId timer) override;

  protected:
    /// @param timeOut limit for a member's answer; the updater has n times that for all members
    explicit MscsUpdater(Ps timeOut);

    static constexpr TimerId ANSWER = 0; ///< no answer to an UPDATE
    static constexpr TimerId HOLDER = 1; ///< the lock was not returned
    static constexpr TimerId ASKED = 2;  ///< no GRANT yet
    static constexpr TimerId FIRST_FREE = 3;

    /// Requests the lock, to send @p value to all.
    void RequestUpdate(std::uint64_t value);

    /// Gives up a request that has not been granted.
    void AbandonRequest();

    /// Applies update @p number, in order; repeated calls have no effect.
    virtual void Apply(std::uint64_t number, std::uint64_t value) = 0;

    /// All members have @p value. EndUpdate() returns the lock.
    virtual void OnSpread(std::uint64_t value) = 0;

    /// On the locker: the lock was returned.
    virtual void OnUnlock()
    {
    }

    /// Must the update @p value be sent to @p rank?
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

    /// Marks @p rank as alive.
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
        std::uint64_t request; ///< number among those of the writer
        std::uint64_t number;  ///< of the update, once granted
    };

    /// An UPDATE is sent so often before its receiver is held for dead.
    std::uint64_t Tries();

    /// How long a member may take to answer.
    Ps Patience();

    void AskForLock();
    void OnLock(Rank from, const MscsMessage& message);
    void OnGrant(const MscsMessage& message);
    void SendGrant(const Request& granted);
    void SendUpdate();
    void TakeOver();
    void Grant();
    void Release();
    void BeginSpread(std::uint64_t number, std::uint64_t value);
    void Spread();

    Ps m_timeOut;
    std::uint64_t m_applied{0}; ///< number of updates applied by this process
    std::uint64_t m_number{0};  ///< number of the update that this process spreads
    std::uint64_t m_value{0};
    Rank m_next{0};              ///< member whose turn it is
    std::uint64_t m_tries{0};    ///< UPDATEs sent to it
    std::uint64_t m_requests{0}; ///< requests for the lock
    std::uint64_t m_wanted{0};   ///< value of the last one
    bool m_isAsking{false};      ///< it has not been granted
    bool m_spreading{false};
    std::set<Rank> m_dead;
    // of the locker
    bool m_locked{false};
    Request m_holder{0, 0, 0, 0};
    std::deque<Request> m_queue;
    std::map<Rank, Request> m_granted; ///< the last one of each writer
};

} // namespace via
} // namespace ns3

#endif // VIA_MSCS_UPDATER_H
