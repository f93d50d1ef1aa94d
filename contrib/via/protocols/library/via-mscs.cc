/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
// Microsoft Cluster Server: heartbeats and regroup.

#include "via-mscs.h"

#include "ns3/via-mscs-join.h"
#include "ns3/via-scramble.h"

#include <algorithm>
#include <iterator>

namespace ns3
{
namespace via
{

MscsHeartbeat::MscsHeartbeat(WorkloadParameters& parameters, std::uint32_t nodes)
    : m_interval(parameters.Microseconds("interval-us", 1'200'000)),
      // after one interval the next heartbeat is still under way
      m_missed(parameters.Number("missed", 6, 2, 1'000)),
      m_heard(nodes, 0)
{
}

void
MscsHeartbeat::OnStart()
{
    SetTimer(Self(), static_cast<Ps>(Random(0) % static_cast<std::uint64_t>(m_interval)));
    for (Rank peer = 0; peer < Size(); ++peer)
    {
        if (peer != Self())
        {
            SetTimer(peer, Patience());
        }
    }
}

Ps
MscsHeartbeat::Patience() const
{
    return static_cast<Ps>(m_missed) * m_interval;
}

void
MscsHeartbeat::OnMessage(Rank from, const MscsMessage&)
{
    m_heard[from] = Now();
    SetTimer(from, Patience());
}

void
MscsHeartbeat::OnTimer(TimerId peer)
{
    if (peer != Self())
    {
        const std::uint64_t suspicion = static_cast<std::uint64_t>(Self()) * Size() + peer;
        Note(EventKind::SUSPECT, peer);
        EnterAt(suspicion, m_heard[peer]);
        Leave(suspicion);
    }
    else if (m_beats++ < Rounds())
    {
        SendToOthers({MscsMessage::HEARTBEAT, 0, m_beats, 0});
        SetTimer(Self(), m_interval);
    }
    else
    {
        Finish();
    }
}

MscsRegroup::MscsRegroup(WorkloadParameters& parameters, std::uint32_t)
    : m_patience(parameters.Microseconds("tick-us", 300'000) *
                 static_cast<Ps>(parameters.Number("patience", 4, 1, 1'000)))
{
}

void
MscsRegroup::OnStart()
{
    BeginEpoch(1);
}

void
MscsRegroup::BeginEpoch(std::uint64_t epoch)
{
    m_epoch = epoch;
    m_stage = 0;
    m_heard.clear();
    if (m_members.empty())
    {
        Enter(m_stable);
        for (Rank rank = 0; rank < Size(); ++rank)
        {
            m_members.insert(rank);
        }
    }
    Tell();
}

void
MscsRegroup::Tell()
{
    // ACTIVATE asks for members, and reports with whom the previous epoch completed, if it did;
    // later stages report the members
    const bool isAgreed = m_stage > 0 || m_ended + 1 == m_epoch;
    SendToOthers({MscsMessage::STATUS, m_stage, m_epoch, isAgreed ? HashOfMembers(m_members) : 0});
    SetTimer(PATIENCE, IsAlone() ? 0 : m_patience);
}

bool
MscsRegroup::IsAlone() const
{
    return m_members.size() == 1;
}

bool
MscsRegroup::IsOver(const MscsMessage& message) const
{
    // a node that completed this epoch has heard all stages of all members, including ours
    return message.number == m_epoch + 1 && message.stage == 0 && m_stage + 1 == STAGES &&
           message.value == HashOfMembers(m_members);
}

void
MscsRegroup::OnMessage(Rank from, const MscsMessage& message)
{
    if (message.number < m_epoch)
    {
        return;
    }
    if (IsOver(message))
    {
        Stabilize(); // it overtook the others' reports of the last stage
    }
    if (message.number > m_epoch)
    {
        BeginEpoch(message.number); // a node misses another, or is ahead of us
    }
    m_heard[message.stage].emplace(from, message.value);
    GoOn();
}

void
MscsRegroup::GoOn()
{
    for (const Rank member : m_members)
    {
        const std::map<Rank, std::uint64_t>& heard = m_heard[m_stage];
        const auto told = heard.find(member);
        if (member != Self() && told == heard.end())
        {
            return;
        }
        if (member != Self() && m_stage > 0 && told->second != HashOfMembers(m_members))
        {
            return; // others report other members: the patience timer resolves it
        }
    }
    if (++m_stage < STAGES)
    {
        Tell();
        GoOn(); // others may be ahead
    }
    else
    {
        Stabilize();
    }
}

void
MscsRegroup::Stabilize()
{
    CancelTimer(PATIENCE);
    Note(EventKind::VIEW, m_epoch, View());
    Leave(m_stable);
    m_ended = m_epoch;
    if (++m_stable < Rounds())
    {
        Enter(m_stable);
        BeginEpoch(m_epoch + 1);
    }
    else
    {
        Finish();
    }
}

void
MscsRegroup::OnTimer(TimerId)
{
    if (IsAlone())
    {
        GoOn(); // nobody's report will call it
        return;
    }
    const std::map<Rank, std::uint64_t> heard = m_heard[m_stage];
    for (auto member = m_members.begin(); member != m_members.end();)
    {
        const bool silent = *member != Self() && heard.count(*member) == 0;
        member = silent ? m_members.erase(member) : std::next(member);
    }
    BeginEpoch(m_epoch + 1);
}

std::string
CheckSuspicions(const History& history)
{
    for (const HistoryEvent& event : history.Events())
    {
        const std::vector<Rank>& crashed = history.Crashed();
        if (event.kind == EventKind::SUSPECT &&
            std::count(crashed.begin(), crashed.end(), event.key) == 0)
        {
            return "process " + std::to_string(event.key) + " is alive, but " +
                   std::to_string(event.rank) + " suspects it";
        }
    }
    return {};
}

std::vector<ProtocolKind>
MscsKinds()
{
    const RoundSpan all = RoundSpan::FIRST_ENTRY_TO_LAST_EXIT;
    const RoundSpan own = RoundSpan::FIRST_ENTRY_TO_FIRST_EXIT; // of one process
    return {KindWith<MscsHeartbeat>("mscs-heartbeat", own, {&CheckSuspicions}),
            KindWith<MscsRegroup>("mscs-regroup", all, {&CheckViews}),
            KindWith<MscsGlobalUpdate>("mscs-global-update", own, {&CheckTotalOrder}),
            KindWith<MscsJoin>("mscs-join", own, {&CheckViews})};
}

} // namespace via
} // namespace ns3
