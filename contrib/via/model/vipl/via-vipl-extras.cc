/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
// VIPL: Giganet's extensions.

#include "via-vipl.h"

#include <algorithm>

namespace ns3
{
namespace via
{

VIP_PVOID
Vipl::GetUserData(VIP_VI_HANDLE vi)
{
    const OpenedVi* opened = m_vis.Find(vi);
    return opened == nullptr ? nullptr : opened->userData;
}

void
Vipl::SetUserData(VIP_VI_HANDLE vi, VIP_PVOID data)
{
    OpenedVi* opened = m_vis.Find(vi);
    if (opened != nullptr)
    {
        opened->userData = data;
    }
}

VIP_RETURN
Vipl::AddTagCq(VIP_CQ_HANDLE cq, VIP_EVENT_HANDLE* event, VIP_ULONG tag, VIP_ULONG priority)
{
    return Charge(Stage::CALL_SETUP, Library().Costs().query, Tie(cq, event, tag, priority));
}

VIP_RETURN
Vipl::Tie(VIP_CQ_HANDLE cq, VIP_EVENT_HANDLE* event, VIP_ULONG tag, VIP_ULONG priority)
{
    if (!m_setting.rules.extensions)
    {
        return VIP_ERROR_NOT_SUPPORTED;
    }
    if (m_cqs.Find(cq) == nullptr || event == nullptr)
    {
        return VIP_INVALID_PARAMETER;
    }
    VIP_EVENT_HANDLE named = ProgramMemory::Read(event);
    if ((named != nullptr && m_events.Find(named) == nullptr) ||
        FindTie(cq, named, tag) != m_ties.end())
    {
        return VIP_INVALID_PARAMETER;
    }
    if (named == nullptr)
    {
        named = m_events.Add(0);
        ProgramMemory::Write(event, named);
    }
    ++*m_events.Find(named);
    m_ties.push_back({cq, named, tag, priority});
    return VIP_SUCCESS;
}

VIP_RETURN
Vipl::RemoveTagCq(VIP_CQ_HANDLE cq, VIP_EVENT_HANDLE event, VIP_ULONG tag)
{
    VIP_RETURN result = VIP_ERROR_NOT_SUPPORTED;
    if (m_setting.rules.extensions)
    {
        const auto found = FindTie(cq, event, tag);
        result = found == m_ties.end() ? VIP_INVALID_PARAMETER : VIP_SUCCESS;
        if (result == VIP_SUCCESS)
        {
            Untie(found);
        }
    }
    return Charge(Stage::CALL_SETUP, Library().Costs().query, result);
}

std::vector<Vipl::CqTie>::iterator
Vipl::FindTie(VIP_CQ_HANDLE cq, VIP_EVENT_HANDLE event, VIP_ULONG tag)
{
    return std::find_if(m_ties.begin(), m_ties.end(), [&](const CqTie& tie) {
        return tie.cq == cq && tie.event == event && tie.tag == tag;
    });
}

void
Vipl::Untie(std::vector<CqTie>::iterator tie)
{
    if (--*m_events.Find(tie->event) == 0)
    {
        m_events.Remove(tie->event);
    }
    m_ties.erase(tie);
}

void
Vipl::UntieAll(VIP_CQ_HANDLE cq)
{
    for (std::size_t i = m_ties.size(); i-- > 0;)
    {
        if (m_ties[i].cq == cq)
        {
            Untie(m_ties.begin() + static_cast<std::ptrdiff_t>(i));
        }
    }
}

VIP_RETURN
Vipl::PostDeferredSends(VIP_VI_HANDLE handle, VIP_BOOLEAN defer, VIP_BOOLEAN* deferred)
{
    const Use use(m_vis.Find(handle));
    VirtualInterface* vi = CurrentVi(handle);
    if (!m_setting.rules.extensions)
    {
        return Charge(Stage::CALL_SETUP, Library().Costs().query, VIP_ERROR_NOT_SUPPORTED);
    }
    if (vi == nullptr || deferred == nullptr)
    {
        return Charge(Stage::CALL_SETUP, Library().Costs().query, VIP_INVALID_PARAMETER);
    }
    ProgramMemory::Write(deferred, vi->defersSends ? VIP_TRUE : VIP_FALSE);
    Charge(Stage::CALL_SETUP, Library().Costs().query);
    vi->defersSends = defer != VIP_FALSE;
    if (!vi->defersSends)
    {
        Library().RingDeferred(*vi);
        Caller().Settle();
    }
    return VIP_SUCCESS;
}

} // namespace via
} // namespace ns3
