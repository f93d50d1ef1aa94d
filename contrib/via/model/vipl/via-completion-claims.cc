/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
// The order of claims on a queue's next completion: blocked calls and handlers.

#include "via-completion-claims.h"

#include <algorithm>

namespace ns3
{
namespace via
{

const Moment*
CompletionSource::Next() const
{
    if (m_cq != nullptr)
    {
        const Completion* next = m_cq->Next();
        return next == nullptr ? nullptr : &next->visible;
    }
    if (m_work->items.IsEmpty() || m_work->items.Front().visible.at == PS_NEVER)
    {
        return nullptr;
    }
    return &m_work->items.Front().visible;
}

void
CompletionSource::SetWaiter(Waiter* waiter) const
{
    m_cq != nullptr ? m_cq->SetWaiter(waiter) : static_cast<void>(m_work->waiter = waiter);
}

std::uint64_t
CompletionClaims::Add(const Key& key, const CompletionSource& source, CompletionClaim claim)
{
    Line& line = m_lines.try_emplace(key, Line{source, {}}).first->second;
    claim.number = ++m_count;
    line.claims.push_back(claim);
    if (line.claims.size() == 1)
    {
        source.SetWaiter(claim.waiter);
    }
    return claim.number;
}

void
CompletionClaims::Remove(const Key& key, std::uint64_t number, Ps now)
{
    Line& line = m_lines.at(key);
    const bool first = line.claims.front().number == number;
    line.claims.erase(std::find_if(line.claims.begin(), line.claims.end(), [number](const auto& c) {
        return c.number == number;
    }));
    if (line.claims.empty())
    {
        line.source.SetWaiter(nullptr);
        m_lines.erase(key);
        return;
    }
    Waiter* next = line.claims.front().waiter;
    line.source.SetWaiter(next);
    const Moment* visible = line.source.Next();
    if (first && visible != nullptr)
    {
        next->OnReady(visible->at >= now ? *visible : Moment{now, 0});
    }
    else if (first)
    {
        WakeEnded(key, {now, 0});
    }
}

bool
CompletionClaims::IsFirst(const Key& key, std::uint64_t number) const
{
    return m_lines.at(key).claims.front().number == number;
}

void
CompletionClaims::WakeEnded(const Key& key, Moment at)
{
    const auto line = m_lines.find(key);
    if (line != m_lines.end() && line->second.source.HasEnded() &&
        line->second.claims.front().IsCall())
    {
        line->second.claims.front().waiter->OnReady(at);
    }
}

void
CompletionClaims::Cancel(const Key& key)
{
    const auto line = m_lines.find(key);
    if (line != m_lines.end())
    {
        line->second.source.SetWaiter(nullptr);
        m_lines.erase(line);
    }
}

void
CompletionClaims::Clear()
{
    while (!m_lines.empty())
    {
        Cancel(m_lines.begin()->first);
    }
}

CompletionClaims::Notification
CompletionClaims::Earliest() const
{
    Notification earliest{{0, false}, {}, {}, PS_NEVER};
    for (const auto& [key, line] : m_lines)
    {
        const CompletionClaim& claim = line.claims.front();
        const Moment* visible = line.source.Next();
        if (claim.IsCall() || visible == nullptr)
        {
            continue;
        }
        const Ps at = std::max(visible->at, claim.since);
        if (at < earliest.at || (at == earliest.at && claim.number < earliest.claim.number))
        {
            earliest = {key, claim, *visible, at};
        }
    }
    return earliest;
}

} // namespace via
} // namespace ns3
