/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
// View-synchronous membership: the change from one view to the next.

#include "via-view-synchrony.h"

#include <algorithm>

namespace ns3
{
namespace via
{

namespace
{

/// Number of attempts at a next view after which a coordinator assumes that it is alone.
constexpr std::uint64_t MOST_TRIES = 50;

std::uint32_t
CountOf(std::uint64_t members)
{
    return static_cast<std::uint32_t>(__builtin_popcountll(members));
}

} // namespace

void
ViewSynchrony::Suspect(std::uint64_t members)
{
    const std::uint64_t more = members & Alive();
    m_suspects |= more;
    if (more != 0)
    {
        GroupMessage message = Make(GroupMessage::SUSPECT);
        message.members = more;
        SendTo(Alive(), message);
    }
    const bool isFirst = Alive() != 0 && (Alive() & (Bit(Self()) - 1)) == 0;
    if ((m_suspects & m_members) != 0 && isFirst && (m_ballot == 0 || Now() >= m_patience))
    {
        Coordinate();
    }
}

void
ViewSynchrony::Coordinate()
{
    if (++m_tries > MOST_TRIES)
    {
        Exclude();
        return;
    }
    const std::uint64_t seen = std::max(m_promised, m_ballot);
    m_ballot = (seen / Size() + 1) * Size() + Self();
    m_patience = Now() + m_timeOut * static_cast<Ps>(1 + Random(m_tries) % 4);
    m_isProposing = false;
    m_replies.clear();
    m_accepts = 0;
    const GroupMessage flush = Make(GroupMessage::FLUSH, m_ballot);
    SendTo(m_members, flush);
    m_promised = m_ballot;
    Reply& own = m_replies[Self()];
    own.complete = true;
    own.agreed = m_agreed;
    own.heard = m_agreed.ballot > 0 ? m_agreed.heard : m_heard;
    TryToPropose();
}

void
ViewSynchrony::SendHeard(Rank to, GroupMessage::Kind kind, const AllHeard& heard, GroupMessage last)
{
    for (Rank sender = 0; sender < Size(); ++sender)
    {
        if ((m_members & Bit(sender)) != 0 && heard[sender].count > 0)
        {
            GroupMessage message = Make(kind, last.ballot);
            message.sender = sender;
            message.count = heard[sender].count;
            message.value = heard[sender].value;
            Send(to, message);
            ++last.count;
        }
    }
    Send(to, last);
}

void
ViewSynchrony::OnFlush(Rank from, const GroupMessage& message)
{
    if (message.ballot <= m_promised)
    {
        return;
    }
    m_promised = message.ballot;
    m_forwarded.assign(Size(), {});
    m_forwards = 0;
    GroupMessage last = Make(GroupMessage::FLUSHED, message.ballot);
    last.members = m_agreed.members;
    last.value = m_agreed.ballot;
    SendHeard(from, GroupMessage::REPORT, m_agreed.ballot > 0 ? m_agreed.heard : m_heard, last);
}

void
ViewSynchrony::OnFlushed(Rank from, const GroupMessage& message)
{
    if (message.ballot != m_ballot || m_isProposing)
    {
        return;
    }
    Reply& reply = m_replies[from];
    reply.heard.resize(Size());
    if (message.kind == GroupMessage::REPORT)
    {
        reply.heard[message.sender] = {message.count, message.value};
        ++reply.reports;
        return;
    }
    reply.agreed.ballot = message.value;
    reply.agreed.members = message.members;
    reply.complete = reply.reports == message.count; // else some were lost
    TryToPropose();
}

void
ViewSynchrony::TryToPropose()
{
    std::uint64_t repliers = 0;
    for (const auto& [rank, reply] : m_replies)
    {
        repliers |= reply.complete ? Bit(rank) : 0;
    }
    const bool hasAll = (Alive() & ~repliers) == 0;
    if (!hasAll || CountOf(repliers) < MajorityOf(CountOf(m_members)) || m_promised != m_ballot)
    {
        return;
    }
    m_isProposing = true;
    m_agreed = Choose(repliers);
    m_accepts = Bit(Self());
    GroupMessage proposal = Make(GroupMessage::PROPOSE, m_ballot);
    proposal.members = m_agreed.members;
    for (Rank rank = 0; rank < Size(); ++rank)
    {
        if (rank != Self() && (repliers & Bit(rank)) != 0)
        {
            SendHeard(rank, GroupMessage::FORWARD, m_agreed.heard, proposal);
        }
    }
    OnAccept(Self(), proposal);
}

ViewSynchrony::Agreement
ViewSynchrony::Choose(std::uint64_t repliers) const
{
    Agreement chosen;
    chosen.heard.resize(Size());
    for (const auto& [rank, reply] : m_replies)
    {
        if (reply.complete && reply.agreed.ballot > chosen.ballot)
        {
            // it may be installed somewhere: keep its members and multicasts
            chosen = reply.agreed;
            chosen.heard = reply.heard;
        }
    }
    if (chosen.ballot == 0)
    {
        chosen.members = repliers;
        for (const auto& [rank, reply] : m_replies)
        {
            for (Rank sender = 0; reply.complete && sender < Size(); ++sender)
            {
                const Heard& heard = reply.heard[sender];
                Heard& most = chosen.heard[sender];
                most = heard.count > most.count ? heard : most;
            }
        }
    }
    chosen.ballot = m_ballot;
    return chosen;
}

void
ViewSynchrony::OnPropose(Rank from, const GroupMessage& message)
{
    if (message.ballot != m_promised)
    {
        return;
    }
    if (message.kind == GroupMessage::FORWARD)
    {
        m_forwarded[message.sender] = {message.count, message.value};
        ++m_forwards;
    }
    else if (m_forwards == message.count) // else some were lost
    {
        m_agreed = {message.ballot, message.members, m_forwarded};
        Send(from, Make(GroupMessage::ACCEPT, message.ballot));
    }
}

void
ViewSynchrony::OnAccept(Rank from, const GroupMessage& message)
{
    if (message.ballot != m_ballot || !m_isProposing)
    {
        return;
    }
    m_accepts |= Bit(from);
    if (m_agreed.ballot == m_ballot && CountOf(m_accepts) >= MajorityOf(CountOf(m_members)))
    {
        GroupMessage install = Make(GroupMessage::INSTALL, m_ballot);
        install.members = m_agreed.members;
        SendTo(m_members, install);
        Install();
    }
}

void
ViewSynchrony::OnInstall(const GroupMessage& message)
{
    if ((message.members & Bit(Self())) == 0)
    {
        Exclude();
    }
    else if (m_agreed.ballot == message.ballot)
    {
        Install();
    }
}

void
ViewSynchrony::Install()
{
    const Agreement agreed = m_agreed;
    if ((agreed.members & Bit(Self())) == 0)
    {
        Exclude();
        return;
    }
    for (Rank sender = 0; sender < Size(); ++sender)
    {
        if (agreed.heard[sender].count > m_heard[sender].count && DeliversTheRest())
        {
            Deliver(sender, agreed.heard[sender]);
        }
    }
    ++m_view;
    m_members = agreed.members;
    m_lastBallot = agreed.ballot;
    m_suspects = 0;
    m_promised = 0;
    m_agreed = {};
    m_ballot = 0;
    m_tries = 0;
    m_isProposing = false;
    m_replies.clear();
    std::fill(m_lastSign.begin(), m_lastSign.end(), Now());
    Note(EventKind::VIEW, m_view, m_members);
    m_acked = m_members; // all members of the next view have received it
    Multicast();
}

} // namespace via
} // namespace ns3
