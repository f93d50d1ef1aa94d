/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
// View-synchronous membership: processes that survive together have the same messages.

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
        SUSPECT,  ///< members: the silent processes
        DATA,     ///< count, value: the sender's next multicast
        ACK,      ///< count: I have received it
        FLUSH,    ///< coordinator: stop, and report what you have received
        REPORT,   ///< I have received `count` multicasts of `sender`, the last is `value`
        FLUSHED,  ///< after `count` REPORTs; members, value: what I have accepted, and its ballot
        FORWARD,  ///< as REPORT, from the coordinator: what all must have received
        PROPOSE,  ///< after `count` FORWARDs: these members form the next view
        ACCEPT,   ///< I have received all that, and agree
        INSTALL,  ///< a majority has agreed
        EXCLUDED, ///< you are no longer in any view
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
 * @brief Multicasts in views: all processes that continue to the next view have delivered the same
 * multicasts.
 *
 *     DATA --ACK of all--> next DATA ...                                 in a view
 *     silence --> FLUSH --REPORT.., FLUSHED--> FORWARD.., PROPOSE --ACCEPT of a majority--> INSTALL
 *
 * A process has one multicast under way, so two processes differ by at most one for each sender. A
 * process that promises a FLUSH takes no DATA until the next view. The lowest process that is not
 * suspected coordinates. The next view is a decree of Paxos, which makes it unique: a coordinator
 * uses ballots, and adopts what an earlier one may have had accepted. A view has a majority of the
 * previous one, so after a network partition one side continues and the other is excluded. No
 * process rejoins. Safe under any crash, delay and loss; makes progress while a majority is
 * connected.
 *
 * 2 (n - 1) messages per multicast, n (n - 1) heartbeats per quarter of the time-out, up to (n + 2)
 * (n - 1) + (n + 2) (n - 1) + (n - 1) messages for a new view. At most 64 members, sent as bits.
 * Parameters: timeout-us (10000 and 100 for each node). Rounds: multicasts of each process.
 * Samples: from the multicast to its last delivery. Sources: Birman & Joseph, "Exploiting virtual
 * synchrony in distributed systems", SOSP 1987; Chockler, Keidar & Vitenberg, "Group communication
 * specifications", ACM Computing Surveys 33(4), 2001; for the agreement on views see Paxos. The
 * combination is our own.
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
    /// Must the rest be delivered before the next view? Tests override it.
    virtual bool DeliversTheRest() const
    {
        return true;
    }

  private:
    static constexpr TimerId TICK = 0;

    /// What a process has received from a sender.
    struct Heard
    {
        std::uint64_t count{0};
        std::uint64_t value{0}; ///< of the last multicast
    };

    using AllHeard = std::vector<Heard>; ///< by sender

    /// What an acceptor has accepted.
    struct Agreement
    {
        std::uint64_t ballot{0}; ///< 0: nothing
        std::uint64_t members{0};
        AllHeard heard;
    };

    /// A coordinator's record of a member.
    struct Reply
    {
        AllHeard heard;
        std::uint64_t reports{0};
        bool complete{false};
        Agreement agreed; ///< `heard` is unused
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
    std::vector<Ps> m_lastSign; ///< last sign of life, by rank
    AllHeard m_heard;
    std::uint64_t m_acked{0}; ///< processes that have acknowledged the last multicast

    // of an acceptor, in this view
    std::uint64_t m_promised{0}; ///< ballot; 0: none
    AllHeard m_forwarded;        ///< received with that ballot
    std::uint64_t m_forwards{0};
    Agreement m_agreed;
    std::uint64_t m_lastBallot{0}; ///< ballot that made this view

    // of a coordinator
    std::uint64_t m_ballot{0}; ///< 0: not a coordinator
    std::uint64_t m_tries{0};  ///< in this view
    Ps m_patience{0};          ///< end of its wait for answers
    bool m_isProposing{false};
    std::map<Rank, Reply> m_replies;
    std::uint64_t m_accepts{0};
};

/// Processes that go from one view to the next have delivered the same; nothing twice, nothing
/// unsent.
std::string CheckViewSynchrony(const History& history);

/// View-synchronous membership by name.
std::vector<ProtocolKind> ViewSynchronyKinds();

} // namespace via
} // namespace ns3

#endif // VIA_VIEW_SYNCHRONY_H
