/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
// View-synchronous membership: who goes on together has heard the same.

#ifndef VIA_VIEW_SYNCHRONY_H
#define VIA_VIEW_SYNCHRONY_H

#include "ns3/via-protocol-kind.h"

#include <map>
#include <vector>

namespace ns3
{
namespace via
{

/// A message of a group. All but EXCLUDED are about one view.
struct GroupMessage
{
    enum Kind : std::uint32_t
    {
        HEARTBEAT,
        SUSPECT,  ///< members: who is silent
        DATA,     ///< count, value: the sender's next multicast
        ACK,      ///< count: I have it
        FLUSH,    ///< coordinator: stop, and tell me what you have heard
        REPORT,   ///< of `sender` I have heard `count` multicasts, the last is `value`
        FLUSHED,  ///< after so many REPORTs; members, value: what I have accepted, and its ballot
        FORWARD,  ///< as REPORT, by the coordinator: what all have to have heard
        PROPOSE,  ///< after so many FORWARDs: these members shall be the next view
        ACCEPT,   ///< I have all that, and agree
        INSTALL,  ///< a majority has agreed
        EXCLUDED, ///< you are in no view any more
    };

    std::uint32_t kind;
    std::uint32_t sender;
    std::uint64_t view;
    std::uint64_t ballot;
    std::uint64_t members; ///< bit r: process r
    std::uint64_t count;
    std::uint64_t value;
};

/**
 * @brief Multicasts in views: a view ends with the same multicasts at all who go on.
 *
 *     DATA --ACK of all--> next DATA ...                                 in a view
 *     silence --> FLUSH --REPORT.., FLUSHED--> FORWARD.., PROPOSE --ACCEPT of a majority--> INSTALL
 *
 * A process has one multicast under way, so of each sender two processes differ by one at the
 * most. Who promises a FLUSH takes no DATA until the next view. The lowest process that is not
 * suspected coordinates; its ballots, and that it goes on with what an earlier one may have had
 * accepted, make the next view unique: it is a decree of Paxos. A view has a majority of the one
 * before, so after a partition one side goes on, the other is excluded. Nobody comes back.
 * Crashes, delays and losses: nothing is ever wrong; it goes on while a majority is connected.
 *
 * 2 (n - 1) messages for a multicast, n (n - 1) heartbeats in each quarter of the time-out; up to
 * (n + 2) (n - 1) + (n + 2) (n - 1) + (n - 1) for a new view. Members travel as bits: 64 at most.
 * Parameters: timeout-us (10000 and 100 for each node). Rounds: multicasts of each process.
 * Samples: from the multicast to its last delivery.
 * Sources: Birman & Joseph, "Exploiting virtual synchrony in distributed systems", SOSP 1987;
 * Chockler, Keidar & Vitenberg, "Group communication specifications", ACM Computing Surveys 33(4),
 * 2001; for the agreement on views see Paxos. How they are put together is our own.
 */
class ViewSynchrony : public TypedProtocol<GroupMessage>
{
  public:
    using TypedProtocol::OnMessage;

    ViewSynchrony(WorkloadParameters& parameters, std::uint32_t nodes);

    void OnStart() override;
    void OnMessage(Rank from, const GroupMessage& message) override;
    void OnTimer(TimerId timer) override;

  protected:
    /// What is to be heard before the next view, unless a test forgets it.
    virtual bool DeliversTheRest() const
    {
        return true;
    }

  private:
    static constexpr TimerId TICK = 0;

    /// What a process has heard of a sender.
    struct Heard
    {
        std::uint64_t count{0};
        std::uint64_t value{0}; ///< of the last one
    };

    using AllHeard = std::vector<Heard>; ///< by sender

    /// What an acceptor has agreed to.
    struct Agreement
    {
        std::uint64_t ballot{0}; ///< 0: to nothing
        std::uint64_t members{0};
        AllHeard heard;
    };

    /// What a coordinator knows of a member.
    struct Reply
    {
        AllHeard heard;
        std::uint64_t reports{0};
        bool complete{false};
        Agreement agreed; ///< its `heard` is not used
    };

    static std::uint64_t Bit(Rank rank)
    {
        return 1ULL << rank;
    }

    bool IsBlocked() const
    {
        return m_promised > 0;
    }

    std::uint64_t Alive() const
    {
        return m_members & ~m_suspects;
    }

    GroupMessage Make(GroupMessage::Kind kind, std::uint64_t ballot = 0) const;
    void SendTo(std::uint64_t members, const GroupMessage& message);
    void SendHeard(Rank to, GroupMessage::Kind kind, const AllHeard& heard, GroupMessage last);

    // in a view
    void OnGroupMessage(Rank from, const GroupMessage& message);
    void Multicast();
    void Deliver(Rank sender, const Heard& heard);
    void OnData(Rank from, const GroupMessage& message);
    void OnAck(Rank from, const GroupMessage& message);
    void FinishIfComplete();
    void Exclude();
    void AnswerStraggler(Rank from, const GroupMessage& message);

    // between views
    void Suspect(std::uint64_t members);
    void Coordinate();
    void OnFlush(Rank from, const GroupMessage& message);
    void OnFlushed(Rank from, const GroupMessage& message);
    void TryToPropose();
    Agreement Choose(std::uint64_t repliers) const;
    void OnPropose(Rank from, const GroupMessage& message);
    void OnAccept(Rank from, const GroupMessage& message);
    void OnInstall(const GroupMessage& message);
    void Install();

    Ps m_timeOut;
    std::uint64_t m_view{1};
    std::uint64_t m_members{0};
    std::uint64_t m_suspects{0};
    bool m_excluded{false};
    std::vector<Ps> m_lastSign; ///< of life, by rank
    AllHeard m_heard;
    std::uint64_t m_acked{0}; ///< who has heard this process' last multicast

    // of an acceptor, in this view
    std::uint64_t m_promised{0}; ///< ballot; 0: none
    AllHeard m_forwarded;        ///< with that ballot
    std::uint64_t m_forwards{0};
    Agreement m_agreed;
    std::uint64_t m_lastBallot{0}; ///< that made this view

    // of a coordinator
    std::uint64_t m_ballot{0}; ///< 0: it is none
    std::uint64_t m_tries{0};  ///< in this view
    Ps m_patience{0};          ///< until then it waits for answers
    bool m_isProposing{false};
    std::map<Rank, Reply> m_replies;
    std::uint64_t m_accepts{0};
};

/// Who goes from one view to the next has heard the same in it; nothing twice, nothing invented.
std::string CheckViewSynchrony(const History& history);

/// View-synchronous membership by name.
std::vector<ProtocolKind> ViewSynchronyKinds();

} // namespace via
} // namespace ns3

#endif // VIA_VIEW_SYNCHRONY_H
