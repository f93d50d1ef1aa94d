/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
// Microsoft Cluster Server: a node joins and leaves.

#ifndef VIA_MSCS_JOIN_H
#define VIA_MSCS_JOIN_H

#include "ns3/via-mscs-updater.h"
#include "ns3/via-workload.h"

#include <deque>
#include <set>

namespace ns3
{
namespace via
{

/**
 * @brief A node joins: it finds a sponsor, which makes it a member and sends it the database.
 *
 *     node --DISCOVER--> all          member --SPONSOR--> node        (the first is chosen)
 *     node --PETITION--> sponsor      sponsor: global update "the node is a member"
 *     sponsor --DATABASE--> node      one for each member, and `pages` more
 *     node --JOINED--> sponsor        sponsor: returns the lock
 *
 * The update holds the lock until the node has the database, so that the node misses no update. A
 * node without an answer tries again; a node that finds it missed updates joins again. Where
 * messages may be lost, the database is sent again in each `timeout`, until JOINED has come. A
 * member leaves by a global update of its own. Each update creates a view with the update's number.
 *
 * The first `founders` processes form the cluster; each other process joins `rounds` times, with
 * random pauses. All but the locker, process 0, may crash. Parameters: founders (1), pages (16),
 * pause-us (1000), timeout-us (250000, because TCP delays acknowledgements). Samples: from the
 * first DISCOVER to the last page. Source: as MscsRegroup, from memory; the content of messages,
 * and holding the lock for the database, are our interpretation.
 */
class MscsJoin : public MscsUpdater
{
  public:
    MscsJoin(WorkloadParameters& parameters, std::uint32_t nodes);

    void OnStart() override;
    void OnMessage(Rank from, const MscsMessage& message) override;
    void OnTimer(TimerId timer) override;

  protected:
    void Apply(std::uint64_t number, std::uint64_t value) override;
    void OnSpread(std::uint64_t value) override;
    bool Concerns(std::uint64_t value, Rank rank) const override;

    /// The view to install.
    virtual std::uint64_t View() const
    {
        return HashOfMembers(m_members);
    }

  private:
    static constexpr TimerId RETRY = FIRST_FREE;        ///< the join failed
    static constexpr TimerId PAUSE = FIRST_FREE + 1;    ///< time for the next join or leave
    static constexpr TimerId NEWCOMER = FIRST_FREE + 2; ///< the joining node does not answer
    static constexpr TimerId AGAIN = FIRST_FREE + 3;    ///< it may lack parts of the database

    struct JoinRequest
    {
        Rank from;
        std::uint32_t attempt;
    };

    void Discover();
    void NotePetition(const JoinRequest& petition);
    void TakePetition();
    void OnUpdate(Rank from, const MscsMessage& message);
    void OnDatabase(Rank from, const MscsMessage& message);
    void SendDatabase(const JoinRequest& petition);
    void BecomeMember(std::uint64_t number);
    void Pause();
    void EndPetition();

    /// Has it joins left?
    bool HasRounds() const
    {
        return m_joined < Rounds();
    }

    std::uint64_t RoundNumber() const;

    Rank m_founders;
    std::uint64_t m_pages;
    Ps m_pause;
    bool m_isMember{false};
    bool m_isLeaving{false};
    std::set<Rank> m_members;
    // of a node that joins
    std::uint64_t m_joined{0};       ///< number of joins so far
    std::uint32_t m_attempt{0};      ///< counted over all joins
    bool m_isPetitioning{false};     ///< a sponsor has answered
    std::uint64_t m_version{0};      ///< number of the last update in the database
    std::set<std::uint32_t> m_parts; ///< received parts of the database: members, then pages
    // of a sponsor
    std::deque<JoinRequest> m_petitions; ///< the first is in progress
    bool m_isSponsoring{false};
};

} // namespace via
} // namespace ns3

#endif // VIA_MSCS_JOIN_H
