/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
// Random calls that take completions, and completion queues.

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

constexpr std::size_t MOST_CQS = 3;

/// Notes what a completed descriptor says.
void
Count(FuzzModel& self, const VIP_DESCRIPTOR& descriptor)
{
    FuzzCounts& counts = self.counts;
    switch (descriptor.CS.Status & VIP_STATUS_OP_MASK)
    {
    case VIP_STATUS_OP_SEND:
        ++counts.sent;
        break;
    case VIP_STATUS_OP_RDMA_WRITE:
        ++counts.written;
        break;
    case VIP_STATUS_OP_RDMA_READ:
        ++counts.read;
        break;
    default:
        ++counts.received;
    }
}

/// Enters what a call that harvests has given.
void
Taken(FuzzModel& self,
      VIP_VI_HANDLE vi,
      VIP_RETURN result,
      VIP_DESCRIPTOR* descriptor,
      bool receive)
{
    if (result == VIP_SUCCESS && descriptor == nullptr)
    {
        self.Complain("VIP_SUCCESS without a descriptor");
    }
    if (descriptor == nullptr || (result != VIP_SUCCESS && result != VIP_DESCRIPTOR_ERROR))
    {
        return;
    }
    if (result == VIP_SUCCESS)
    {
        Count(self, *descriptor);
    }
    else
    {
        ++self.counts.failed;
    }
    self.Harvested(vi, descriptor, receive);
}

VIP_RETURN
Harvest(FuzzModel& self, VIP_VI_HANDLE vi, bool receive)
{
    VIP_DESCRIPTOR* descriptor = nullptr;
    const VIP_RETURN result = (receive ? VipRecvDone : VipSendDone)(vi, &descriptor);
    self.Check("VipSendDone", result, {VIP_NOT_DONE, VIP_DESCRIPTOR_ERROR});
    Taken(self, vi, result, descriptor, receive);
    return descriptor == nullptr ? VIP_NOT_DONE : result;
}

void
SendDone(FuzzModel& self)
{
    Harvest(self, self.Vi(), false);
}

void
RecvDone(FuzzModel& self)
{
    Harvest(self, self.Vi(), true);
}

void
WaitForOne(FuzzModel& self)
{
    const VIP_VI_HANDLE vi = self.Vi();
    const bool receive = self.random.OneIn(2);
    VIP_DESCRIPTOR* descriptor = nullptr;
    const VIP_RETURN result =
        (receive ? VipRecvWait : VipSendWait)(vi, self.random.Below(2), &descriptor);
    self.Check("VipSendWait", result, {VIP_TIMEOUT, VIP_DESCRIPTOR_ERROR, VIP_ERROR_RESOURCE});
    Taken(self, vi, result, descriptor, receive);
}

/// A broken VI is made idle, and its queues are emptied, as programs do.
void
Mend(FuzzModel& self)
{
    const VIP_VI_HANDLE vi = self.Vi();
    VIP_VI_STATE state;
    VIP_VI_ATTRIBUTES attributes;
    VIP_BOOLEAN sends;
    VIP_BOOLEAN receives;
    if (!self.Check("VipQueryVi", VipQueryVi(vi, &state, &attributes, &sends, &receives), {}))
    {
        return;
    }
    self.Find(vi)->connected = state == VIP_STATE_CONNECTED;
    if (state == VIP_STATE_ERROR)
    {
        VipDisconnect(vi);
        for (const bool receive : {false, true})
        {
            while (Harvest(self, vi, receive) != VIP_NOT_DONE)
            {
            }
        }
    }
}

void
Announced(FuzzModel& self, VIP_VI_HANDLE vi, VIP_BOOLEAN receive)
{
    ++self.counts.announced;
    if (self.Find(vi) == nullptr)
    {
        self.Complain("a completion queue names a VI that is gone");
        return;
    }
    Harvest(self, vi, receive != VIP_FALSE);
}

void
TakeEntry(FuzzModel& self)
{
    VIP_VI_HANDLE vi = nullptr;
    VIP_BOOLEAN receive = VIP_FALSE;
    const VIP_CQ_HANDLE cq = self.Cq();
    const VIP_RETURN result = self.random.OneIn(5)
                                  ? VipCQWait(cq, self.random.Below(2), &vi, &receive)
                                  : VipCQDone(cq, &vi, &receive);
    if (self.Check("VipCQDone", result, {VIP_NOT_DONE, VIP_TIMEOUT}))
    {
        Announced(self, vi, receive);
    }
}

void
CreateCq(FuzzModel& self)
{
    if (self.cqs.size() >= MOST_CQS)
    {
        return;
    }
    VIP_CQ_HANDLE cq = nullptr;
    const VIP_ULONG entries = self.random.OneIn(10) ? self.random.Next() : self.random.Below(40);
    if (self.Check("VipCreateCQ", VipCreateCQ(self.Nic(), entries, &cq), {VIP_ERROR_RESOURCE}))
    {
        self.cqs.push_back(cq);
    }
}

void
DestroyCq(FuzzModel& self)
{
    const VIP_CQ_HANDLE cq = self.Cq();
    if (self.Check("VipDestroyCQ", VipDestroyCQ(cq), {VIP_ERROR_RESOURCE}))
    {
        self.cqs.erase(std::find(self.cqs.begin(), self.cqs.end(), cq));
    }
}

void
ResizeCq(FuzzModel& self)
{
    self.Check("VipResizeCQ", VipResizeCQ(self.Cq(), self.random.Below(100)), {VIP_ERROR_RESOURCE});
}

void
OnSend(VIP_PVOID context, VIP_NIC_HANDLE, VIP_VI_HANDLE vi, VIP_DESCRIPTOR* descriptor)
{
    FuzzModel& self = *static_cast<FuzzModel*>(context);
    ++self.counts.notified;
    self.Harvested(vi, descriptor, false);
}

void
OnReceive(VIP_PVOID context, VIP_NIC_HANDLE, VIP_VI_HANDLE vi, VIP_DESCRIPTOR* descriptor)
{
    FuzzModel& self = *static_cast<FuzzModel*>(context);
    ++self.counts.notified;
    self.Harvested(vi, descriptor, true);
}

void
OnEntry(VIP_PVOID context, VIP_NIC_HANDLE, VIP_VI_HANDLE vi, VIP_BOOLEAN receive)
{
    FuzzModel& self = *static_cast<FuzzModel*>(context);
    ++self.counts.notified;
    Announced(self, vi, receive);
}

void
Notify(FuzzModel& self)
{
    const std::initializer_list<VIP_RETURN> allowed{VIP_ERROR_RESOURCE, VIP_ERROR_NOT_SUPPORTED};
    switch (self.random.Below(3))
    {
    case 0:
        self.Check("VipSendNotify", VipSendNotify(self.Vi(), &self, &OnSend), allowed);
        break;
    case 1:
        self.Check("VipRecvNotify", VipRecvNotify(self.Vi(), &self, &OnReceive), allowed);
        break;
    default:
        self.Check("VipCQNotify", VipCQNotify(self.Cq(), &self, &OnEntry), allowed);
    }
}

void
Extras(FuzzModel& self)
{
    VIP_BOOLEAN deferred;
    VipSetUserData(self.Vi(), &self);
    const VIP_PVOID data = VipGetUserData(self.Vi());
    if (data != nullptr && data != &self)
    {
        self.Complain("VipGetUserData has what nobody left there");
    }
    self.Check("VipPostDeferredSends",
               VipPostDeferredSends(self.Vi(), VIP_FALSE, &deferred),
               {VIP_ERROR_NOT_SUPPORTED});
}

} // namespace

FuzzCalls
QueueCalls()
{
    return {{110, &SendDone},
            {110, &RecvDone},
            {20, &WaitForOne},
            {40, &Mend},
            {80, &TakeEntry},
            {4, &CreateCq},
            {2, &DestroyCq},
            {4, &ResizeCq},
            {6, &Notify},
            {2, &Extras}};
}

} // namespace test
} // namespace via
} // namespace ns3
