/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
// Microsoft Cluster Server: how a node joins, and leaves.

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
 * @brief A node joins: it finds a sponsor, who makes it a member and gives it the database.
 *
 *     node --DISCOVER--> all          member --SPONSOR--> node        (the first one is chosen)
 *     node --PETITION--> sponsor      sponsor: global update "the node is a member"
 *     sponsor --DATABASE--> node      one for each member, and `pages` more
 *     node --JOINED--> sponsor        sponsor: gives the lock back
 *
 * The update holds the lock until the node has the database, so that no update passes it by. A
 * node that is not answered tries again; one that finds that updates did pass it by joins anew. A
 * member leaves by a global update of its own. Each update makes a view, whose number is that of
 * the update.
 *
 * The first `founders` processes form the cluster; each other one joins `rounds` times, with a
 * pause at random in between. Crashes: of all but the locker, process 0.
 * Parameters: founders (1), pages (16), pause-us (1000), timeout-us (250000: TCP acknowledges
 * late). Samples: from the first DISCOVER to the last page. Source: as MscsRegroup, from memory;
 * what a message holds, and that the lock is kept for the database, is our reading.
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

    /// The view that is installed.
    virtual std::uint64_t View() const
    {
        return HashOfMembers(m_members);
    }

  private:
    static constexpr TimerId RETRY = FIRST_FREE;        ///< the join came to nothing
    static constexpr TimerId PAUSE = FIRST_FREE + 1;    ///< the next one begins, or a leave
    static constexpr TimerId NEWCOMER = FIRST_FREE + 2; ///< it says nothing

    struct Petition
    {
        Rank from;
        std::uint32_t attempt;
    };

    void Discover();
    void TakePetition();
    void OnUpdate(Rank from, const MscsMessage& message);
    void OnDatabase(Rank from, const MscsMessage& message);
    void SendDatabase(const Petition& petition);
    void BecomeMember(std::uint64_t number);
    void Pause();
    void EndPetition();

    /// Is one of its joins still to be made?
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
    std::uint64_t m_joined{0};   ///< times
    std::uint32_t m_attempt{0};  ///< of all joins together
    bool m_isPetitioning{false}; ///< a sponsor was found
    std::set<Rank> m_told;       ///< members in the database
    std::uint64_t m_parts{0};    ///< of the database
    // of a sponsor
    std::deque<Petition> m_petitions; ///< the first one is being worked on
    bool m_isSponsoring{false};
};

} // namespace via
} // namespace ns3

#endif // VIA_MSCS_JOIN_H
