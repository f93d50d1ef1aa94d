/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
// Microsoft Cluster Server: global updates, one after the other.

#include "via-mscs.h"

#include <algorithm>

namespace ns3
{
namespace via
{

MscsGlobalUpdate::MscsGlobalUpdate(WorkloadParameters& parameters, std::uint32_t nodes)
    : MscsUpdater(parameters.Microseconds("timeout-us", 10'000)),
      m_writers(static_cast<Rank>(parameters.Number("writers", 1, 1, nodes > 2 ? nodes - 1 : 1)))
{
}

std::vector<Rank>
MscsGlobalUpdate::Targets() const
{
    std::vector<Rank> targets = TypedProtocol::Targets();
    if (Self() > 0 && !IsWriter(Self()))
    {
        const auto isMember = [this](Rank rank) { return rank > 0 && !IsWriter(rank); };
        targets.erase(std::remove_if(targets.begin(), targets.end(), isMember), targets.end());
    }
    return targets;
}

void
MscsGlobalUpdate::OnStart()
{
    if (IsWriter(Self()))
    {
        Ask();
    }
}

void
MscsGlobalUpdate::Ask()
{
    const std::uint64_t value = static_cast<std::uint64_t>(Self()) * Rounds() + m_asked;
    Enter(value);
    Note(EventKind::PROPOSE, value, value);
    RequestUpdate(value);
}

void
MscsGlobalUpdate::OnSpread(std::uint64_t value)
{
    Leave(value);
    EndUpdate();
    if (Self() != 0 && ++m_asked < Rounds())
    {
        Ask();
    }
    FinishIfComplete();
}

void
MscsGlobalUpdate::OnUnlock()
{
    FinishIfComplete();
}

void
MscsGlobalUpdate::Apply(std::uint64_t number, std::uint64_t value)
{
    if (number == NextToApply())
    {
        SetNextToApply(number + 1);
        Note(EventKind::DELIVER, number, value);
        FinishIfComplete();
    }
}

void
MscsGlobalUpdate::FinishIfComplete()
{
    if (NextToApply() == m_writers * Rounds() && IsIdle())
    {
        Finish();
    }
}

} // namespace via
} // namespace ns3
