/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
// Random calls that connect and disconnect.

#include "support/via-test-vipl-bench.h"
#include "via-fuzz-model.h"

#include <algorithm>

namespace ns3
{
namespace via
{
namespace test
{

namespace
{

constexpr VIP_ULONG PATIENCE = 8; // an accept takes milliseconds, too

/// Where clients find a process.
std::string
NameOf(std::uint32_t process)
{
    return "p" + std::to_string(process);
}

/// What two peers call each other.
std::string
NameOf(std::uint32_t one, std::uint32_t other)
{
    return "q" + std::to_string(std::min(one, other)) + std::to_string(std::max(one, other));
}

/// Another process; sometimes one that is not there.
std::uint32_t
Partner(FuzzModel& self)
{
    const auto other =
        static_cast<std::uint32_t>(self.index + 1 + self.random.Below(self.all.size() - 1));
    return other % static_cast<std::uint32_t>(self.all.size());
}

void
Connected(FuzzModel& self, VIP_VI_HANDLE vi, std::uint32_t peer)
{
    ++self.counts.connected;
    if (FuzzVi* found = self.Find(vi))
    {
        found->peer = peer;
        found->connected = true;
    }
    else
    {
        self.Complain("a VI that is gone was connected");
    }
}

void
Accept(FuzzModel& self)
{
    if (self.requests.empty())
    {
        return;
    }
    const std::size_t number = self.random.Below(self.requests.size());
    const FuzzRequest request = self.requests[number];
    for (int attempt = 0; attempt < 6; ++attempt)
    {
        const VIP_VI_HANDLE vi = self.Vi();
        Prepare(self, vi);
        const VIP_RETURN result = VipConnectAccept(request.handle, vi);
        if (self.Check("VipConnectAccept",
                       result,
                       {VIP_INVALID_RELIABILITY_LEVEL,
                        VIP_INVALID_MTU,
                        VIP_INVALID_QOS,
                        VIP_TIMEOUT,
                        VIP_ERROR_RESOURCE,
                        VIP_INVALID_STATE}))
        {
            self.requests.erase(self.requests.begin() + static_cast<std::ptrdiff_t>(number));
            Connected(self, vi, request.peer);
            return;
        }
    }
    self.Check("VipConnectReject", VipConnectReject(request.handle), {});
    self.requests.erase(self.requests.begin() + static_cast<std::ptrdiff_t>(number));
}

/// With most VIs connected, a process has other things to do than to wait for milliseconds.
bool
IsBusy(FuzzModel& self)
{
    return self.Connected() * 2 > self.vis.size() && !self.random.OneIn(10);
}

void
WaitForRequest(FuzzModel& self)
{
    if (IsBusy(self))
    {
        return;
    }
    Address local(self.node, NameOf(self.index));
    Address from(0, "----------------");
    VIP_VI_ATTRIBUTES attributes;
    VIP_CONN_HANDLE handle = nullptr;
    if (self.Check(
            "VipConnectWait",
            VipConnectWait(self.Nic(), local, self.Milliseconds(), from, &attributes, &handle),
            {VIP_TIMEOUT, VIP_ERROR_RESOURCE}))
    {
        self.requests.push_back({handle, static_cast<std::uint32_t>(from.Bytes().back() - '0')});
        if (!self.random.OneIn(4))
        {
            Accept(self);
        }
    }
}

void
Reject(FuzzModel& self)
{
    const VIP_CONN_HANDLE old = reinterpret_cast<VIP_CONN_HANDLE>(self.random.Below(1000));
    const bool real = !self.requests.empty() && self.random.OneIn(2);
    const VIP_CONN_HANDLE handle = real ? self.requests.back().handle : old;
    if (self.Check("VipConnectReject", VipConnectReject(handle), {}) && real)
    {
        self.requests.pop_back();
    }
}

void
Request(FuzzModel& self)
{
    if (IsBusy(self))
    {
        return;
    }
    const std::uint32_t peer = Partner(self);
    const VIP_VI_HANDLE vi = self.Vi();
    Address local(self.node, NameOf(self.index));
    Address remote(self.random.OneIn(50) ? 77 : self.all[peer]->node, NameOf(peer));
    VIP_VI_ATTRIBUTES attributes;
    if (self.Check(
            "VipConnectRequest",
            VipConnectRequest(vi, local, remote, PATIENCE * self.Milliseconds(), &attributes),
            {VIP_TIMEOUT,
             VIP_REJECT,
             VIP_NO_MATCH,
             VIP_ERROR_RESOURCE,
             VIP_NOT_REACHABLE,
             VIP_INVALID_STATE}))
    {
        Connected(self, vi, peer);
    }
}

void
PeerRequest(FuzzModel& self)
{
    const std::uint32_t peer = Partner(self);
    const VIP_VI_HANDLE vi = self.Vi();
    const std::string name = NameOf(self.index, peer);
    Address local(self.node, name);
    Address remote(self.all[peer]->node, name);
    Prepare(self, vi);
    if (self.Check("VipConnectPeerRequest",
                   VipConnectPeerRequest(vi, local, remote, PATIENCE * self.Milliseconds()),
                   {VIP_INVALID_STATE, VIP_ERROR_RESOURCE, VIP_ERROR_NOT_SUPPORTED}))
    {
        self.Find(vi)->peer = peer;
    }
}

void
PeerAnswer(FuzzModel& self)
{
    const VIP_VI_HANDLE vi = self.Vi();
    VIP_VI_ATTRIBUTES attributes;
    const bool poll = !self.random.OneIn(4);
    const VIP_RETURN result =
        poll ? VipConnectPeerDone(vi, &attributes) : VipConnectPeerWait(vi, &attributes);
    if (self.Check("VipConnectPeerDone",
                   result,
                   {VIP_NOT_DONE,
                    VIP_TIMEOUT,
                    VIP_INVALID_STATE,
                    VIP_INVALID_RELIABILITY_LEVEL,
                    VIP_INVALID_MTU,
                    VIP_INVALID_QOS,
                    VIP_NO_MATCH,
                    VIP_REJECT,
                    VIP_NOT_REACHABLE,
                    VIP_ERROR_NOT_SUPPORTED}))
    {
        Connected(self, vi, self.Find(vi)->peer);
    }
}

void
Disconnect(FuzzModel& self)
{
    const VIP_VI_HANDLE vi = self.Vi();
    if (self.Check("VipDisconnect", VipDisconnect(vi), {}))
    {
        self.Find(vi)->connected = false;
    }
}

} // namespace

FuzzCalls
ConnectionCalls()
{
    return {{12, &WaitForRequest},
            {16, &Request},
            {3, &Accept},
            {2, &Reject},
            {6, &PeerRequest},
            {8, &PeerAnswer},
            {3, &Disconnect}};
}

} // namespace test
} // namespace via
} // namespace ns3
