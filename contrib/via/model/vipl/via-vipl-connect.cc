/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
// VIPL: client-server connections, and the end of connections.

#include "via-vipl.h"

#include "ns3/abort.h"

namespace ns3
{
namespace via
{

namespace
{

/// Longest host address; no network of the period had longer ones.
constexpr VIP_UINT16 MOST_HOST_BYTES = 255;

} // namespace

VIP_RETURN
Vipl::CodeOf(ConnectResult result)
{
    switch (result)
    {
    case ConnectResult::PENDING:
        return VIP_NOT_DONE;
    case ConnectResult::ACCEPTED:
        return VIP_SUCCESS;
    case ConnectResult::REJECTED:
        return VIP_REJECT;
    case ConnectResult::NO_MATCH:
        return VIP_NO_MATCH;
    case ConnectResult::NOT_REACHABLE:
        return VIP_NOT_REACHABLE;
    case ConnectResult::TIMED_OUT:
        return VIP_TIMEOUT;
    case ConnectResult::CANCELLED:
        return VIP_INVALID_STATE;
    case ConnectResult::UNEQUAL_LEVEL:
        return VIP_INVALID_RELIABILITY_LEVEL;
    case ConnectResult::UNEQUAL_TRANSFER:
        return VIP_INVALID_MTU;
    }
    NS_ABORT_MSG("no such result of a connection: " << static_cast<int>(result));
}

bool
Vipl::ReadAddress(const VIP_NET_ADDRESS* from, NetAddress& to) const
{
    if (from == nullptr)
    {
        return false;
    }
    const VIP_UINT16 hostBytes = ProgramMemory::Read(&from->HostAddressLen);
    const VIP_UINT16 discriminatorBytes = ProgramMemory::Read(&from->DiscriminatorLen);
    if (hostBytes > MOST_HOST_BYTES || discriminatorBytes > m_nic.Limits().discriminatorBytes)
    {
        return false;
    }
    const std::string bytes =
        ProgramMemory::ReadBytes(from->HostAddress, hostBytes + discriminatorBytes);
    to.host = bytes.substr(0, hostBytes);
    to.discriminator = bytes.substr(hostBytes);
    return true;
}

void
Vipl::WriteAddress(const NetAddress& from, VIP_NET_ADDRESS* to)
{
    const std::string bytes = from.host + from.discriminator;
    ProgramMemory::Write(&to->HostAddressLen, static_cast<VIP_UINT16>(from.host.size()));
    ProgramMemory::Write(&to->DiscriminatorLen, static_cast<VIP_UINT16>(from.discriminator.size()));
    ProgramMemory::WriteBytes(to->HostAddress, bytes.data(), bytes.size());
}

VIP_RETURN
Vipl::ConnectWait(VIP_NIC_HANDLE nic,
                  VIP_NET_ADDRESS* local,
                  VIP_ULONG timeout,
                  VIP_NET_ADDRESS* remote,
                  VIP_VI_ATTRIBUTES* remoteAttributes,
                  VIP_CONN_HANDLE* connection)
{
    Caller().Reach();
    const OpenedNic* opened = FindNic(nic);
    NetAddress here;
    if (opened == nullptr || !ReadAddress(local, here) || remote == nullptr ||
        remoteAttributes == nullptr || connection == nullptr)
    {
        return Charge(Stage::CALL_CONNECT, Library().Costs().query, VIP_INVALID_PARAMETER);
    }
    const Ps deadline = Deadline(timeout);
    Charge(Stage::CALL_CONNECT, Library().Costs().waitEnter);
    ConnectionManager& connections = m_nic.GetViConnections().Manager();
    const auto waiter = connections.Listen(opened->owner, here, deadline, &Caller());
    const bool came = Caller().Block(deadline, "VipConnectWait");
    const auto number = connections.EndListen(waiter);
    if (!came)
    {
        return VIP_TIMEOUT;
    }
    Caller().Wait(Caller().Woken(), Stage::BLOCKED);
    WakeUp();
    Charge(Stage::CALL_CONNECT, Library().Costs().connectWait);
    const via::ConnectRequest* request = connections.FindRequest(number);
    if (request == nullptr)
    {
        return VIP_INVALID_PARAMETER; // another thread has closed the NIC handle
    }
    WriteAddress(request->clientAddress, remote);
    ProgramMemory::Write(remoteAttributes, Present(request->clientAttributes));
    ProgramMemory::Write(connection, m_requests.Add({number}));
    Caller().Settle();
    return VIP_SUCCESS;
}

VIP_RETURN
Vipl::ConnectAccept(VIP_CONN_HANDLE connection, VIP_VI_HANDLE handle)
{
    VirtualInterface* vi = CurrentVi(handle);
    ConnectionManager& connections = m_nic.GetViConnections().Manager();
    const Request* request = m_requests.Find(connection);
    const via::ConnectRequest* asked =
        request == nullptr ? nullptr : connections.FindRequest(request->number);
    if (asked == nullptr || vi == nullptr)
    {
        return Charge(Stage::CALL_CONNECT, Library().Costs().query, VIP_INVALID_PARAMETER);
    }
    const VIP_RETURN match = vi->state != ViState::IDLE
                                 ? VIP_INVALID_STATE
                                 : CodeOf(Compare(vi->attributes, asked->clientAttributes));
    if (match != VIP_SUCCESS)
    {
        return Charge(Stage::CALL_CONNECT, Library().Costs().query, match);
    }
    const auto number = request->number;
    m_requests.Remove(connection);
    Charge(Stage::CALL_CONNECT, Library().Costs().connectAccept);
    vi = CurrentVi(handle);
    if (vi == nullptr || vi->state != ViState::IDLE || connections.FindRequest(number) == nullptr)
    {
        connections.Reject(number, Caller().Clock());
        return VIP_INVALID_STATE; // another thread was faster
    }
    connections.Peers().Forget(vi->id);
    connections.Accept(number, *vi, Caller().Clock());
    return VIP_SUCCESS;
}

VIP_RETURN
Vipl::ConnectReject(VIP_CONN_HANDLE connection)
{
    Caller().Reach();
    const Request* request = m_requests.Find(connection);
    if (request == nullptr ||
        m_nic.GetViConnections().Manager().FindRequest(request->number) == nullptr)
    {
        return Charge(Stage::CALL_CONNECT, Library().Costs().query, VIP_INVALID_PARAMETER);
    }
    const auto number = request->number;
    m_requests.Remove(connection);
    Charge(Stage::CALL_CONNECT, Library().Costs().connectReject);
    Caller().Reach();
    m_nic.GetViConnections().Manager().Reject(number, Caller().Clock());
    return VIP_SUCCESS;
}

bool
Vipl::IsReachable(NodeId node) const
{
    return node < m_setting.nodes && (m_setting.hasSwitches || node != m_nic.GetHost().Id());
}

VIP_RETURN
Vipl::ConnectRequest(VIP_VI_HANDLE handle,
                     VIP_NET_ADDRESS* local,
                     VIP_NET_ADDRESS* remote,
                     VIP_ULONG timeout,
                     VIP_VI_ATTRIBUTES* remoteAttributes)
{
    VirtualInterface* vi = CurrentVi(handle);
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
    if (!NodeOfAddress(to.host, server) || !IsReachable(server))
    {
        return Charge(Stage::CALL_CONNECT, Library().Costs().connectRequest, VIP_NOT_REACHABLE);
    }
    const Ps deadline = Deadline(timeout);
    Charge(Stage::CALL_CONNECT, Library().Costs().connectRequest);
    vi = CurrentVi(handle);
    if (vi == nullptr || vi->state != ViState::IDLE)
    {
        return VIP_INVALID_STATE; // another thread was faster
    }
    ConnectionManager& connections = m_nic.GetViConnections().Manager();
    connections.Peers().Forget(vi->id);
    const ConnectionId number =
        connections.Request(*vi, from, server, to, deadline, &Caller(), Caller().Clock());
    const bool answered = Caller().Block(deadline, "VipConnectRequest");
    const ConnectAttempt attempt = connections.End(number);
    if (!answered)
    {
        return VIP_TIMEOUT;
    }
    Caller().Wait(Caller().Woken(), Stage::BLOCKED);
    WakeUp();
    Caller().Settle();
    if (attempt.result == ConnectResult::ACCEPTED)
    {
        ProgramMemory::Write(remoteAttributes, Present(attempt.peerAttributes));
    }
    return CodeOf(attempt.result);
}

bool
Vipl::AwaitCompletion(VirtualInterface& vi, bool receive, RingSerial serial, const char* what)
{
    const WorkItem* item = std::as_const(vi).QueueOf(receive).items.Find(serial);
    if (item == nullptr)
    {
        return true; // harvested, or there was none
    }
    if (item->visible.at != PS_NEVER)
    {
        Caller().Wait({item->visible.at, 0}, Stage::BLOCKED);
        return true;
    }
    vi.MakeExtras().drains.push_back(&Caller());
    const bool gone = Caller().Block(PS_NEVER, what);
    std::vector<Waiter*>& drains = vi.MakeExtras().drains;
    drains.erase(std::find(drains.begin(), drains.end(), &Caller()));
    return !gone; // killed
}

void
Vipl::Drain(VirtualInterface& vi)
{
    // earlier posts are still sent, unless a second thread cuts this short; what another thread
    // posts from now on is not waited for
    const RingSerial end = vi.SendQueue().items.EndSerial();
    while (vi.state == ViState::CONNECTED && vi.Extras().drains.empty() &&
           !AwaitCompletion(vi, false, end - 1, "VipDisconnect (for sends posted before it)"))
    {
    }
}

VIP_RETURN
Vipl::Disconnect(VIP_VI_HANDLE handle)
{
    const Use use(m_vis.Find(handle));
    Caller().Reach();
    VirtualInterface* vi = FindVi(handle);
    if (vi == nullptr)
    {
        return Charge(Stage::CALL_CONNECT, Library().Costs().query, VIP_INVALID_PARAMETER);
    }
    Charge(Stage::CALL_CONNECT, Library().Costs().disconnect);
    Library().RingDeferred(*vi);
    Drain(*vi);
    Caller().Reach();                          // arrivals until now still count
    ForgetErrors(vi->id, Caller().Clock().at); // later ones: the connection ends before
    m_nic.GetViConnections().Disconnect(*vi, Caller().Clock());
    for (const bool receive : {false, true}) // all are flushed on return
    {
        const RingSerial end = std::as_const(*vi).QueueOf(receive).items.EndSerial();
        while (!AwaitCompletion(*vi, receive, end - 1, "VipDisconnect (for what it has flushed)"))
        {
        }
    }
    EndWaits(vi->id, Caller().Clock());
    Caller().Settle();
    return VIP_SUCCESS;
}

} // namespace via
} // namespace ns3
