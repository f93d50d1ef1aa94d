/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
// VIPL: virtual interfaces.

#include "via-vipl.h"

#include <cstring>

namespace ns3
{
namespace via
{

namespace
{

bool
IsInfinite(VIP_ULONG milliseconds)
{
    // Win32's INFINITE has 32 bits; with a 64-bit VIP_ULONG programs use either form
    return milliseconds == 0xFFFFFFFFUL || milliseconds == ~static_cast<VIP_ULONG>(0);
}

} // namespace

Ps
Vipl::Deadline(VIP_ULONG milliseconds) const
{
    const Ps now = Caller().Clock().at;
    const VIP_ULONG most = static_cast<VIP_ULONG>((PS_NEVER - now) / PS_PER_MS);
    return IsInfinite(milliseconds) || milliseconds >= most
               ? PS_NEVER
               : now + static_cast<Ps>(milliseconds) * PS_PER_MS;
}

VirtualInterface*
Vipl::CurrentVi(VIP_VI_HANDLE handle)
{
    Caller().Reach();
    VirtualInterface* vi = FindVi(handle);
    if (vi != nullptr)
    {
        m_nic.GetViConnections().Manager().Peers().Look(*vi, Caller().Clock().at);
    }
    return vi;
}

VIP_VI_HANDLE
Vipl::HandleOf(ViId id)
{
    return m_vis.HandleOf([id](const OpenedVi& vi) { return vi.id == id; });
}

VIP_RETURN
Vipl::CheckAttributes(const OpenedNic& nic,
                      const VIP_VI_ATTRIBUTES* attributes,
                      ViAttributes& checked)
{
    if (attributes == nullptr)
    {
        return VIP_INVALID_PARAMETER;
    }
    const VIP_VI_ATTRIBUTES asked = ProgramMemory::Read(attributes);
    const VIP_USHORT level = asked.ReliabilityLevel;
    const NicLimits& limits = m_nic.Limits();
    if (level == 0 || (level & (level - 1)) != 0 || (level & limits.reliability) == 0)
    {
        return VIP_INVALID_RELIABILITY_LEVEL;
    }
    if (asked.MaxTransferSize == 0 || asked.MaxTransferSize > limits.transferBytes)
    {
        return VIP_INVALID_MTU;
    }
    if (asked.QoS != nullptr)
    {
        return VIP_INVALID_QOS;
    }
    Ptag tag = 0;
    const VIP_RETURN found = TagOf(nic, asked.Ptag, tag);
    if (found != VIP_SUCCESS)
    {
        return found;
    }
    if (asked.EnableRdmaRead != VIP_FALSE && !limits.rdmaRead)
    {
        return VIP_INVALID_RDMAREAD;
    }
    checked = {static_cast<Reliability>(level),
               asked.EnableRdmaWrite != VIP_FALSE,
               asked.EnableRdmaRead != VIP_FALSE,
               tag,
               asked.MaxTransferSize};
    return VIP_SUCCESS;
}

VIP_VI_ATTRIBUTES
Vipl::Present(const ViAttributes& attributes)
{
    VIP_VI_ATTRIBUTES out;
    std::memset(&out, 0, sizeof(out));
    out.ReliabilityLevel = static_cast<VIP_RELIABILITY_LEVEL>(attributes.reliability);
    out.MaxTransferSize = attributes.maxTransfer;
    const Ptag tag = attributes.tag;
    out.Ptag = tag == 0 ? nullptr : m_tags.HandleOf([tag](Ptag other) { return other == tag; });
    out.EnableRdmaWrite = attributes.rdmaWrite ? VIP_TRUE : VIP_FALSE;
    out.EnableRdmaRead = attributes.rdmaRead ? VIP_TRUE : VIP_FALSE;
    return out;
}

VIP_RETURN
Vipl::CreateVi(VIP_NIC_HANDLE nic,
               VIP_VI_ATTRIBUTES* attributes,
               VIP_CQ_HANDLE sendCq,
               VIP_CQ_HANDLE receiveCq,
               VIP_VI_HANDLE* vi)
{
    Caller().Reach();
    const OpenedNic* opened = FindNic(nic);
    CompletionQueue** send = m_cqs.Find(sendCq);
    CompletionQueue** receive = m_cqs.Find(receiveCq);
    const auto foreign = [opened](VIP_CQ_HANDLE handle, CompletionQueue** cq) {
        return handle != nullptr && (cq == nullptr || (*cq)->Owner() != opened->owner);
    };
    if (opened == nullptr || vi == nullptr || foreign(sendCq, send) || foreign(receiveCq, receive))
    {
        return Charge(Stage::CALL_SETUP, Library().Costs().query, VIP_INVALID_PARAMETER);
    }
    ViAttributes checked;
    VIP_RETURN result = CheckAttributes(*opened, attributes, checked);
    if (result == VIP_SUCCESS && m_nic.Vis().Count() >= m_nic.Limits().vis)
    {
        result = VIP_ERROR_RESOURCE;
    }
    if (result == VIP_SUCCESS)
    {
        const VirtualInterface& made =
            m_nic.GetHandles().CreateVi(checked,
                                        opened->owner,
                                        Caller().Rank(),
                                        send == nullptr ? nullptr : *send,
                                        receive == nullptr ? nullptr : *receive);
        ProgramMemory::Write(vi, m_vis.Add({made.id, nullptr}));
    }
    return Charge(Stage::CALL_SETUP, Library().Costs().createVi, result);
}

VIP_RETURN
Vipl::DestroyVi(VIP_VI_HANDLE handle)
{
    const VirtualInterface* vi = CurrentVi(handle);
    if (vi == nullptr)
    {
        return Charge(Stage::CALL_SETUP, Library().Costs().query, VIP_INVALID_PARAMETER);
    }
    VIP_RETURN result = VIP_SUCCESS;
    if (vi->state != ViState::IDLE)
    {
        result = VIP_INVALID_STATE;
    }
    else if (!vi->SendQueue().items.IsEmpty() || !vi->ReceiveQueue().items.IsEmpty() ||
             m_vis.Find(handle)->uses > 0)
    {
        result = VIP_ERROR_RESOURCE;
    }
    else
    {
        m_claims.Cancel(CompletionClaims::KeyOf(handle, false));
        m_claims.Cancel(CompletionClaims::KeyOf(handle, true));
        m_nic.GetHandles().DestroyVi(vi->id);
        m_vis.Remove(handle);
    }
    return Charge(Stage::CALL_SETUP, Library().Costs().destroyVi, result);
}

VIP_RETURN
Vipl::QueryVi(VIP_VI_HANDLE handle,
              VIP_VI_STATE* state,
              VIP_VI_ATTRIBUTES* attributes,
              VIP_BOOLEAN* sendEmpty,
              VIP_BOOLEAN* receiveEmpty)
{
    const VirtualInterface* vi = CurrentVi(handle);
    if (vi == nullptr || state == nullptr || attributes == nullptr || sendEmpty == nullptr ||
        receiveEmpty == nullptr)
    {
        return Charge(Stage::CALL_SETUP, Library().Costs().query, VIP_INVALID_PARAMETER);
    }
    ProgramMemory::Write(state, static_cast<VIP_VI_STATE>(vi->StateAt(Caller().Clock().at)));
    ProgramMemory::Write(attributes, Present(vi->attributes));
    ProgramMemory::Write(sendEmpty, vi->SendQueue().items.IsEmpty() ? VIP_TRUE : VIP_FALSE);
    ProgramMemory::Write(receiveEmpty, vi->ReceiveQueue().items.IsEmpty() ? VIP_TRUE : VIP_FALSE);
    return Charge(Stage::CALL_SETUP, Library().Costs().query);
}

VIP_RETURN
Vipl::SetViAttributes(VIP_VI_HANDLE handle, VIP_VI_ATTRIBUTES* attributes)
{
    VirtualInterface* vi = CurrentVi(handle);
    if (vi == nullptr)
    {
        return Charge(Stage::CALL_SETUP, Library().Costs().query, VIP_INVALID_PARAMETER);
    }
    ViAttributes checked;
    VIP_RETURN result = CheckAttributes(*FindNic(NicHandleOf(vi->owner)), attributes, checked);
    if (vi->state != ViState::IDLE)
    {
        result = VIP_INVALID_STATE;
    }
    if (result == VIP_SUCCESS)
    {
        vi->attributes = checked;
    }
    return Charge(Stage::CALL_SETUP, Library().Costs().setAttributes, result);
}

} // namespace via
} // namespace ns3
