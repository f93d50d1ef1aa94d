/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
// VIPL: virtual interfaces and client-server connections.

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
    // Win32's INFINITE has 32 bits; on a 64-bit VIP_ULONG programs use either form
    return milliseconds == 0xFFFFFFFFUL || milliseconds == ~static_cast<VIP_ULONG>(0);
}

VIP_RETURN
CheckMatch(const ViAttributes& ours, const ViAttributes& theirs)
{
    if (ours.reliability != theirs.reliability)
    {
        return VIP_INVALID_RELIABILITY_LEVEL;
    }
    if (ours.maxTransfer != theirs.maxTransfer)
    {
        return VIP_INVALID_MTU;
    }
    return ours.qos == theirs.qos ? VIP_SUCCESS : VIP_INVALID_QOS;
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
Vipl::FindVi(VIP_VI_HANDLE vi)
{
    const OpenedVi* opened = m_vis.Find(vi);
    return opened == nullptr ? nullptr : m_nic.FindVi(opened->id);
}

VIP_VI_HANDLE
Vipl::HandleOf(ViId id)
{
    return m_vis.HandleOf([id](const OpenedVi& vi) { return vi.id == id; });
}

bool
Vipl::ReadAddress(const VIP_NET_ADDRESS* from, NetAddress& to) const
{
    if (from == nullptr || from->HostAddressLen > 255 ||
        from->DiscriminatorLen > m_nic.Limits().discriminatorBytes)
    {
        return false;
    }
    const auto* bytes = reinterpret_cast<const char*>(from->HostAddress);
    to.host.assign(bytes, from->HostAddressLen);
    to.discriminator.assign(bytes + from->HostAddressLen, from->DiscriminatorLen);
    return true;
}

VIP_RETURN
Vipl::CheckAttributes(std::uint32_t owner,
                      const VIP_VI_ATTRIBUTES* attributes,
                      ViAttributes& checked)
{
    if (attributes == nullptr)
    {
        return VIP_INVALID_PARAMETER;
    }
    const VIP_USHORT level = attributes->ReliabilityLevel;
    const NicLimits& limits = m_nic.Limits();
    if (level == 0 || (level & (level - 1)) != 0 || (level & limits.reliability) == 0)
    {
        return VIP_INVALID_RELIABILITY_LEVEL;
    }
    if (attributes->MaxTransferSize == 0 || attributes->MaxTransferSize > limits.transferBytes)
    {
        return VIP_INVALID_MTU;
    }
    if (attributes->QoS != nullptr)
    {
        return VIP_INVALID_QOS;
    }
    const Ptag* tag = m_tags.Find(attributes->Ptag);
    if (tag == nullptr || !m_nic.GetTpt().OwnsTag(*tag, owner))
    {
        return VIP_INVALID_PTAG;
    }
    if (attributes->EnableRdmaRead != VIP_FALSE && !limits.rdmaRead)
    {
        return VIP_INVALID_RDMAREAD;
    }
    checked = {static_cast<Reliability>(level),
               attributes->MaxTransferSize,
               0,
               *tag,
               attributes->EnableRdmaWrite != VIP_FALSE,
               attributes->EnableRdmaRead != VIP_FALSE};
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
    Enter();
    Caller().Reach();
    const OpenedNic* opened = m_opened.Find(nic);
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
    VIP_RETURN result = CheckAttributes(opened->owner, attributes, checked);
    if (result == VIP_SUCCESS && m_nic.ViCount() >= m_nic.Limits().vis)
    {
        result = VIP_ERROR_RESOURCE;
    }
    if (result == VIP_SUCCESS)
    {
        const VirtualInterface& made = m_nic.CreateVi(checked,
                                                      opened->owner,
                                                      Caller().Rank(),
                                                      send == nullptr ? nullptr : *send,
                                                      receive == nullptr ? nullptr : *receive);
        *vi = m_vis.Add({made.id, nullptr});
    }
    return Charge(Stage::CALL_SETUP, Library().Costs().createVi, result);
}

VIP_RETURN
Vipl::DestroyVi(VIP_VI_HANDLE handle)
{
    Enter();
    Caller().Reach();
    const VirtualInterface* vi = FindVi(handle);
    if (vi == nullptr)
    {
        return Charge(Stage::CALL_SETUP, Library().Costs().query, VIP_INVALID_PARAMETER);
    }
    VIP_RETURN result = VIP_SUCCESS;
    if (vi->state != ViState::IDLE)
    {
        result = VIP_INVALID_STATE;
    }
    else if (!vi->send.items.IsEmpty() || !vi->receive.items.IsEmpty() ||
             m_vis.Find(handle)->uses > 0)
    {
        result = VIP_ERROR_RESOURCE;
    }
    else
    {
        m_claims.Cancel(CompletionClaims::KeyOf(handle, false));
        m_claims.Cancel(CompletionClaims::KeyOf(handle, true));
        m_nic.DestroyVi(vi->id);
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
    Enter();
    Caller().Reach();
    const VirtualInterface* vi = FindVi(handle);
    if (vi == nullptr || state == nullptr || attributes == nullptr || sendEmpty == nullptr ||
        receiveEmpty == nullptr)
    {
        return Charge(Stage::CALL_SETUP, Library().Costs().query, VIP_INVALID_PARAMETER);
    }
    *state = static_cast<VIP_VI_STATE>(vi->StateAt(Caller().Clock().at));
    *attributes = Present(vi->attributes);
    *sendEmpty = vi->send.items.IsEmpty() ? VIP_TRUE : VIP_FALSE;
    *receiveEmpty = vi->receive.items.IsEmpty() ? VIP_TRUE : VIP_FALSE;
    return Charge(Stage::CALL_SETUP, Library().Costs().query);
}

VIP_RETURN
Vipl::SetViAttributes(VIP_VI_HANDLE handle, VIP_VI_ATTRIBUTES* attributes)
{
    Enter();
    Caller().Reach();
    VirtualInterface* vi = FindVi(handle);
    if (vi == nullptr)
    {
        return Charge(Stage::CALL_SETUP, Library().Costs().query, VIP_INVALID_PARAMETER);
    }
    ViAttributes checked;
    VIP_RETURN result = CheckAttributes(vi->owner, attributes, checked);
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

VIP_RETURN
Vipl::ConnectWait(VIP_NIC_HANDLE nic,
                  VIP_NET_ADDRESS* local,
                  VIP_ULONG timeout,
                  VIP_NET_ADDRESS* remote,
                  VIP_VI_ATTRIBUTES* remoteAttributes,
                  VIP_CONN_HANDLE* connection)
{
    Enter();
    Caller().Reach();
    ConnectWaiter waiter;
    waiter.process = &Caller();
    if (m_opened.Find(nic) == nullptr || !ReadAddress(local, waiter.local) || remote == nullptr ||
        remoteAttributes == nullptr || connection == nullptr)
    {
        return Charge(Stage::CALL_CONNECT, Library().Costs().query, VIP_INVALID_PARAMETER);
    }
    waiter.deadline = Deadline(timeout);
    Charge(Stage::CALL_CONNECT, Library().Costs().waitEnter);
    Mine().waiter = &waiter;
    m_nic.Connections().AddWaiter(&waiter);
    const bool came = Caller().Block(waiter.deadline, "VipConnectWait");
    m_nic.Connections().RemoveWaiter(&waiter);
    Mine().waiter = nullptr;
    if (!came)
    {
        return VIP_TIMEOUT;
    }
    Caller().Wait(Caller().Woken(), Stage::BLOCKED);
    WakeUp();
    Charge(Stage::CALL_CONNECT, Library().Costs().connectWait);
    const via::ConnectRequest& request = *m_nic.Connections().FindRequest(waiter.request);
    const NetAddress& from = request.clientAddress;
    remote->HostAddressLen = static_cast<VIP_UINT16>(from.host.size());
    remote->DiscriminatorLen = static_cast<VIP_UINT16>(from.discriminator.size());
    auto* bytes = reinterpret_cast<char*>(remote) + offsetof(VIP_NET_ADDRESS, HostAddress);
    std::memcpy(bytes, from.host.data(), from.host.size());
    std::memcpy(bytes + from.host.size(), from.discriminator.data(), from.discriminator.size());
    *remoteAttributes = Present(request.clientAttributes);
    *connection = m_requests.Add({waiter.request});
    Caller().Settle();
    return VIP_SUCCESS;
}

VIP_RETURN
Vipl::ConnectAccept(VIP_CONN_HANDLE connection, VIP_VI_HANDLE handle)
{
    Enter();
    Caller().Reach();
    const Request* request = m_requests.Find(connection);
    VirtualInterface* vi = FindVi(handle);
    if (request == nullptr || vi == nullptr)
    {
        return Charge(Stage::CALL_CONNECT, Library().Costs().query, VIP_INVALID_PARAMETER);
    }
    const via::ConnectRequest& asked = *m_nic.Connections().FindRequest(request->number);
    const VIP_RETURN match = vi->state != ViState::IDLE
                                 ? VIP_INVALID_STATE
                                 : CheckMatch(vi->attributes, asked.clientAttributes);
    if (match != VIP_SUCCESS)
    {
        return Charge(Stage::CALL_CONNECT, Library().Costs().query, match);
    }
    Charge(Stage::CALL_CONNECT, Library().Costs().connectAccept);
    Caller().Reach();
    m_nic.Connections().Accept(request->number, *vi, Caller().Clock());
    m_requests.Remove(connection);
    return VIP_SUCCESS;
}

VIP_RETURN
Vipl::ConnectReject(VIP_CONN_HANDLE connection)
{
    Enter();
    Caller().Reach();
    const Request* request = m_requests.Find(connection);
    if (request == nullptr)
    {
        return Charge(Stage::CALL_CONNECT, Library().Costs().query, VIP_INVALID_PARAMETER);
    }
    Charge(Stage::CALL_CONNECT, Library().Costs().connectReject);
    Caller().Reach();
    m_nic.Connections().Reject(request->number, Caller().Clock());
    m_requests.Remove(connection);
    return VIP_SUCCESS;
}

VIP_RETURN
Vipl::ConnectRequest(VIP_VI_HANDLE handle,
                     VIP_NET_ADDRESS* local,
                     VIP_NET_ADDRESS* remote,
                     VIP_ULONG timeout,
                     VIP_VI_ATTRIBUTES* remoteAttributes)
{
    Enter();
    Caller().Reach();
    VirtualInterface* vi = FindVi(handle);
    NetAddress from;
    NetAddress to;
    if (vi == nullptr || !ReadAddress(local, from) || !ReadAddress(remote, to) || timeout == 0 ||
        remoteAttributes == nullptr)
    {
        return Charge(Stage::CALL_CONNECT, Library().Costs().query, VIP_INVALID_PARAMETER);
    }
    if (vi->state != ViState::IDLE)
    {
        return Charge(Stage::CALL_CONNECT, Library().Costs().query, VIP_INVALID_STATE);
    }
    NodeId server = 0;
    if (!NodeOfAddress(to.host, server) || server >= m_nodes)
    {
        return Charge(Stage::CALL_CONNECT, Library().Costs().connectRequest, VIP_NOT_REACHABLE);
    }
    ConnectAttempt attempt;
    attempt.deadline = Deadline(timeout);
    Charge(Stage::CALL_CONNECT, Library().Costs().connectRequest);
    Caller().Reach();
    attempt.vi = vi->id;
    attempt.process = &Caller();
    Mine().attempt = &attempt;
    m_nic.Connections().Request(&attempt, *vi, from, server, to, Caller().Clock());
    const bool answered = Caller().Block(attempt.deadline, "VipConnectRequest");
    m_nic.Connections().Forget(&attempt);
    Mine().attempt = nullptr;
    if (!answered)
    {
        vi->state = ViState::IDLE;
        return VIP_TIMEOUT;
    }
    Caller().Wait(Caller().Woken(), Stage::BLOCKED);
    WakeUp();
    Caller().Settle();
    switch (attempt.result)
    {
    case ConnectResult::ACCEPTED:
        *remoteAttributes = Present(attempt.peerAttributes);
        return VIP_SUCCESS;
    case ConnectResult::REJECTED:
        return VIP_REJECT;
    default:
        return VIP_NO_MATCH;
    }
}

void
Vipl::Drain(VirtualInterface& vi)
{
    // what was posted before the disconnect still goes out
    while (vi.state == ViState::CONNECTED && !vi.send.items.IsEmpty())
    {
        WorkItem& last = vi.send.items.At(vi.send.items.Size() - 1);
        if (last.visible.at != PS_NEVER)
        {
            Caller().Wait({last.visible.at, 0}, Stage::BLOCKED);
            return;
        }
        vi.send.drain = &Caller();
        const bool gone = Caller().Block(PS_NEVER, "VipDisconnect (sends that were posted before)");
        vi.send.drain = nullptr;
        if (!gone)
        {
            return; // killed
        }
    }
}

VIP_RETURN
Vipl::Disconnect(VIP_VI_HANDLE handle)
{
    Enter();
    Caller().Reach();
    VirtualInterface* vi = FindVi(handle);
    if (vi == nullptr)
    {
        return Charge(Stage::CALL_CONNECT, Library().Costs().query, VIP_INVALID_PARAMETER);
    }
    Charge(Stage::CALL_CONNECT, Library().Costs().disconnect);
    Caller().Reach();
    Drain(*vi);
    Caller().Reach();                          // what arrives meanwhile still does
    ForgetErrors(vi->id, Caller().Clock().at); // of a connection that is gone before they happen
    m_nic.Disconnect(*vi, Caller().Clock());
    for (const WorkQueue* queue : {&vi->send, &vi->receive})
    {
        Caller().Wait({queue->lastVisible, 0}, Stage::BLOCKED); // flushed when we return
    }
    Caller().Settle();
    return VIP_SUCCESS;
}

} // namespace via
} // namespace ns3
