/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
// VIPL: peer-to-peer connections.

#include "via-vipl.h"

namespace ns3
{
namespace via
{

VIP_RETURN
Vipl::ConnectPeerRequest(VIP_VI_HANDLE handle,
                         VIP_NET_ADDRESS* local,
                         VIP_NET_ADDRESS* remote,
                         VIP_ULONG timeout)
{
    VirtualInterface* vi = CurrentVi(handle);
    NetAddress from;
    NetAddress to;
    if (vi == nullptr || !ReadAddress(local, from) || !ReadAddress(remote, to) || timeout == 0)
    {
        return Charge(Stage::CALL_CONNECT, Library().Costs().query, VIP_INVALID_PARAMETER);
    }
    if (vi->state != ViState::IDLE)
    {
        return Charge(Stage::CALL_CONNECT, Library().Costs().query, VIP_INVALID_STATE);
    }
    const Ps deadline = Deadline(timeout);
    Charge(Stage::CALL_CONNECT, Library().Costs().connectRequest);
    vi = CurrentVi(handle);
    if (vi == nullptr || vi->state != ViState::IDLE)
    {
        return VIP_INVALID_STATE; // another thread was faster
    }
    PeerMatcher& peers = m_nic.GetViConnections().Manager().Peers();
    NodeId peer = 0;
    if (!NodeOfAddress(to.host, peer) || !IsReachable(peer))
    {
        peers.RequestNobody(*vi, Caller().Clock());
        return VIP_SUCCESS; // VipConnectPeerDone reports the result
    }
    peers.Request(*vi, from, to, peer, deadline, Caller().Clock());
    return VIP_SUCCESS;
}

VIP_RETURN
Vipl::TakePeerResult(VIP_VI_HANDLE handle,
                     VIP_VI_ATTRIBUTES* remoteAttributes,
                     const Waiter* waiter)
{
    VirtualInterface* vi = CurrentVi(handle);
    if (vi == nullptr || remoteAttributes == nullptr)
    {
        return VIP_INVALID_PARAMETER;
    }
    const Ps now = Caller().Clock().at;
    PeerMatcher& peers = m_nic.GetViConnections().Manager().Peers();
    const PeerAttempt* attempt = peers.Look(*vi, now);
    if (attempt == nullptr || (attempt->isTaken && waiter == nullptr))
    {
        return VIP_INVALID_STATE;
    }
    if (attempt->result == ConnectResult::PENDING || attempt->ended.at > now)
    {
        return VIP_NOT_DONE;
    }
    const VIP_RETURN result = CodeOf(attempt->result);
    if (result == VIP_SUCCESS)
    {
        ProgramMemory::Write(remoteAttributes, Present(attempt->peerAttributes));
    }
    peers.Take(vi->id, waiter);
    return result;
}

VIP_RETURN
Vipl::ConnectPeerDone(VIP_VI_HANDLE handle, VIP_VI_ATTRIBUTES* remoteAttributes)
{
    return Charge(Stage::CALL_CONNECT,
                  Library().Costs().query,
                  TakePeerResult(handle, remoteAttributes));
}

VIP_RETURN
Vipl::ConnectPeerWait(VIP_VI_HANDLE handle, VIP_VI_ATTRIBUTES* remoteAttributes)
{
    const VIP_RETURN first = TakePeerResult(handle, remoteAttributes);
    if (first != VIP_NOT_DONE)
    {
        return Charge(Stage::CALL_CONNECT, Library().Costs().query, first);
    }
    Charge(Stage::CALL_CONNECT, Library().Costs().waitEnter);
    VirtualInterface* vi = CurrentVi(handle);
    PeerMatcher& peers = m_nic.GetViConnections().Manager().Peers();
    PeerAttempt* attempt = vi == nullptr ? nullptr : peers.Look(*vi, Caller().Clock().at);
    if (attempt != nullptr)
    {
        const bool known = attempt->result != ConnectResult::PENDING;
        const Moment ended = attempt->ended;
        attempt->waiters.push_back(&Caller());
        if (Caller().Block(attempt->deadline, "VipConnectPeerWait", known ? &ended : nullptr))
        {
            Caller().Wait(Caller().Woken(), Stage::BLOCKED);
            WakeUp();
        }
    }
    const VIP_RETURN result = TakePeerResult(handle, remoteAttributes, &Caller());
    Caller().Settle();
    return result == VIP_NOT_DONE ? VIP_TIMEOUT : result; // a killed process must not continue
}

} // namespace via
} // namespace ns3
