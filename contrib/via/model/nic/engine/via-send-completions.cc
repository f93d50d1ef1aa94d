/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
// Messages whose last cell has a departure time that has not come yet.

#include "via-send-completions.h"

#include "ns3/via-nic.h"

namespace ns3
{
namespace via
{

void
SendCompletions::Prefetch() const
{
    if (!m_sendCompletions.IsEmpty())
    {
        m_nic.Vis().PrefetchBefore(m_sendCompletions.At(0).vi);
    }
}

void
SendCompletions::PlanStep()
{
    const SentMessage sent = m_sendCompletions.Front();
    m_sendCompletions.Pop();
    m_nic.GetCompletions().OnMessageLeft(sent);
}

} // namespace via
} // namespace ns3
