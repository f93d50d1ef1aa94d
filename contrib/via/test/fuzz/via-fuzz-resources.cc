/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
// Random calls that make and end NIC handles, tags, regions, VIs; names and management.

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

constexpr std::size_t MOST_NICS = 2;
constexpr std::size_t MOST_TAGS = 4;
constexpr std::size_t MOST_REGIONS = 20;
constexpr std::size_t MOST_VIS = 6;
constexpr std::size_t MOST_GONE = 8;

void
OnError(VIP_PVOID context, VIP_ERROR_DESCRIPTOR* error)
{
    FuzzModel& self = *static_cast<FuzzModel*>(context);
    if (static_cast<std::size_t>(error->ErrorCode) >= self.counts.errors.size())
    {
        self.Complain("an asynchronous error of an unknown code");
        return;
    }
    ++self.counts.errors[static_cast<std::size_t>(error->ErrorCode)];
}

void
OpenNic(FuzzModel& self)
{
    if (self.nics.size() >= MOST_NICS)
    {
        return;
    }
    VIP_NIC_HANDLE nic = nullptr;
    const char* const name = self.random.OneIn(4) ? "nothing" : "nic0";
    if (self.Check("VipOpenNic", VipOpenNic(name, &nic), {VIP_ERROR_RESOURCE}))
    {
        self.nics.push_back(nic);
        VipErrorCallback(nic, &self, &OnError);
    }
}

void
CloseNic(FuzzModel& self)
{
    const VIP_NIC_HANDLE nic = self.Nic();
    if (self.Check("VipCloseNic", VipCloseNic(nic), {VIP_ERROR_RESOURCE}))
    {
        self.nics.erase(std::find(self.nics.begin(), self.nics.end(), nic));
        // handles that share what they made leave it to those that are still open
        for (FuzzRegion& region : self.regions)
        {
            region.nic = region.nic == nic && !self.nics.empty() ? self.nics.front() : region.nic;
        }
    }
}

void
QueryNic(FuzzModel& self)
{
    VIP_NIC_ATTRIBUTES attributes;
    self.Check("VipQueryNic", VipQueryNic(self.Nic(), &attributes), {});
}

void
SetHandler(FuzzModel& self)
{
    self.Check("VipErrorCallback",
               VipErrorCallback(self.Nic(), &self, self.random.OneIn(4) ? nullptr : &OnError),
               {VIP_ERROR_RESOURCE});
}

void
Register(FuzzModel& self, std::uint8_t* base, VIP_ULONG length, VIP_MEM_ATTRIBUTES attributes)
{
    const VIP_NIC_HANDLE nic = self.Nic();
    VIP_MEM_HANDLE handle = 0;
    if (self.Check("VipRegisterMem",
                   VipRegisterMem(nic, base, length, &attributes, &handle),
                   {VIP_ERROR_RESOURCE, VIP_INVALID_PTAG, VIP_INVALID_RDMAREAD}))
    {
        self.regions.push_back({nic, base, length, handle, attributes});
    }
    self.Allow();
}

/// The descriptors as a region, which nobody else may write.
void
RegisterPool(FuzzModel& self, VIP_MEM_ATTRIBUTES attributes)
{
    attributes.EnableRdmaWrite = VIP_FALSE;
    Register(self, self.arena.Pool(), FuzzArena::DESCRIPTORS * FuzzArena::DESCRIPTOR, attributes);
}

void
CreatePtag(FuzzModel& self)
{
    if (self.tags.size() >= MOST_TAGS)
    {
        return;
    }
    const VIP_NIC_HANDLE nic = self.Nic();
    VIP_PROTECTION_HANDLE tag = nullptr;
    if (self.Check("VipCreatePtag", VipCreatePtag(nic, &tag), {VIP_ERROR_RESOURCE}))
    {
        self.tags.push_back({nic, tag});
        RegisterPool(self, {tag, VIP_FALSE, VIP_FALSE});
    }
}

void
DestroyPtag(FuzzModel& self)
{
    const VIP_PROTECTION_HANDLE tag = self.Tag();
    if (self.Check("VipDestroyPtag", VipDestroyPtag(self.Nic(), tag), {VIP_ERROR_RESOURCE}))
    {
        self.tags.erase(std::find_if(self.tags.begin(), self.tags.end(), [tag](const FuzzTag& t) {
            return t.handle == tag;
        }));
    }
}

void
RegisterMem(FuzzModel& self)
{
    if (self.regions.size() >= MOST_REGIONS)
    {
        return;
    }
    VIP_MEM_ATTRIBUTES attributes = self.MemAttributes();
    const FuzzVi* vi = self.LiveVi();
    if (vi != nullptr && !self.random.OneIn(8))
    {
        attributes.Ptag = vi->attributes.Ptag; // memory that is of use
    }
    if (self.PoolOf(attributes.Ptag) == nullptr || self.random.OneIn(20))
    {
        RegisterPool(self, attributes);
        return;
    }
    const auto slot = static_cast<std::uint32_t>(self.random.Below(FuzzArena::SLOTS));
    const std::uint64_t offset = self.random.OneIn(2) ? 0 : self.random.Below(FuzzArena::SLOT);
    const std::uint64_t length = FuzzArena::SLOT - offset;
    Register(self,
             self.arena.Slot(slot) + offset,
             self.random.OneIn(2) ? length : self.random.Below(length + 1),
             attributes);
}

void
DeregisterMem(FuzzModel& self)
{
    if (self.regions.empty())
    {
        return;
    }
    const FuzzRegion region = self.random.Of(self.regions);
    if (region.base == self.arena.Pool() && !self.random.OneIn(8))
    {
        return; // without descriptors there is little to see
    }
    const std::uint64_t off = self.random.OneIn(10) ? 1 : 0;
    if (self.Check("VipDeregisterMem",
                   VipDeregisterMem(self.random.OneIn(10) ? self.Nic() : region.nic,
                                    region.base + off,
                                    region.handle),
                   {}))
    {
        const auto same = [&region](const FuzzRegion& r) { return r.handle == region.handle; };
        self.regions.erase(std::find_if(self.regions.begin(), self.regions.end(), same));
        self.gone.push_back(region);
        if (self.gone.size() > MOST_GONE)
        {
            self.gone.erase(self.gone.begin());
        }
    }
}

void
SetMemAttributes(FuzzModel& self)
{
    if (self.regions.empty())
    {
        return;
    }
    FuzzRegion& region = self.random.Of(self.regions);
    VIP_MEM_ATTRIBUTES attributes = self.MemAttributes();
    if (region.base == self.arena.Pool())
    {
        attributes.Ptag = self.random.OneIn(8) ? attributes.Ptag : region.attributes.Ptag;
        attributes.EnableRdmaWrite = VIP_FALSE;
    }
    if (self.Check("VipSetMemAttributes",
                   VipSetMemAttributes(region.nic, region.base, region.handle, &attributes),
                   {VIP_ERROR_RESOURCE, VIP_INVALID_PTAG, VIP_INVALID_RDMAREAD}))
    {
        region.attributes = attributes;
    }
    self.Allow();
}

void
QueryMem(FuzzModel& self)
{
    if (self.regions.empty())
    {
        return;
    }
    const FuzzRegion& region = self.random.Of(self.regions);
    VIP_MEM_ATTRIBUTES out{};
    const bool found =
        self.Check("VipQueryMem", VipQueryMem(region.nic, region.base, region.handle, &out), {});
    if (!found || out.Ptag != region.attributes.Ptag ||
        out.EnableRdmaWrite != region.attributes.EnableRdmaWrite)
    {
        self.Complain("VipQueryMem does not know a region as it was registered");
    }
}

void
CreateVi(FuzzModel& self)
{
    if (self.vis.size() >= MOST_VIS)
    {
        return;
    }
    const VIP_NIC_HANDLE nic = self.Nic();
    VIP_VI_ATTRIBUTES attributes = self.ViAttributes();
    VIP_VI_HANDLE vi = nullptr;
    const VIP_CQ_HANDLE sends = self.random.OneIn(2) ? nullptr : self.Cq();
    const VIP_CQ_HANDLE receives = self.random.OneIn(2) ? nullptr : self.Cq();
    if (self.Check("VipCreateVi",
                   VipCreateVi(nic, &attributes, sends, receives, &vi),
                   {VIP_ERROR_RESOURCE,
                    VIP_INVALID_RELIABILITY_LEVEL,
                    VIP_INVALID_MTU,
                    VIP_INVALID_QOS,
                    VIP_INVALID_PTAG,
                    VIP_INVALID_RDMAREAD}))
    {
        self.vis.push_back({nic, vi, attributes, self.index, false, {}, {}});
    }
    self.Allow();
}

void
DestroyVi(FuzzModel& self)
{
    const VIP_VI_HANDLE vi = self.Vi();
    if (self.Check("VipDestroyVi", VipDestroyVi(vi), {VIP_INVALID_STATE, VIP_ERROR_RESOURCE}))
    {
        self.vis.erase(self.vis.begin() + (self.Find(vi) - self.vis.data()));
    }
}

void
SetViAttributes(FuzzModel& self)
{
    VIP_VI_ATTRIBUTES attributes = self.ViAttributes();
    const VIP_VI_HANDLE vi = self.Vi();
    if (self.Check("VipSetViAttributes",
                   VipSetViAttributes(vi, &attributes),
                   {VIP_INVALID_STATE,
                    VIP_ERROR_RESOURCE,
                    VIP_INVALID_RELIABILITY_LEVEL,
                    VIP_INVALID_MTU,
                    VIP_INVALID_QOS,
                    VIP_INVALID_PTAG,
                    VIP_INVALID_RDMAREAD}))
    {
        self.Find(vi)->attributes = attributes;
    }
    self.Allow();
}

void
LookUp(FuzzModel& self)
{
    char name[16] = "n1";

    union {
        VIP_NET_ADDRESS address;
        char bytes[64];
    } found;

    VIP_ULONG length = self.random.Below(sizeof(name));
    const VIP_NIC_HANDLE nic = self.Nic();
    self.Check("VipNSInit", VipNSInit(nic, nullptr), {VIP_ERROR_RESOURCE, VIP_ERROR_NAMESERVICE});
    if (self.Check("VipNSGetHostByName",
                   VipNSGetHostByName(nic, name, &found.address, self.random.Below(2)),
                   {VIP_ERROR_RESOURCE, VIP_ERROR_NAMESERVICE}))
    {
        self.Check("VipNSGetHostByAddr",
                   VipNSGetHostByAddr(nic, &found.address, name, &length),
                   {VIP_ERROR_RESOURCE, VIP_ERROR_NAMESERVICE});
    }
    VipNSShutdown(nic);
}

void
Refill(FuzzModel& self)
{
    const auto slot = static_cast<std::uint32_t>(self.random.Below(FuzzArena::SLOTS));
    self.Look(); // what came before is not to be hidden
    self.arena.Fill(self.arena.Slot(slot), FuzzArena::SLOT);
}

} // namespace

FuzzCalls
ResourceCalls()
{
    return {{3, &OpenNic},
            {2, &CloseNic},
            {5, &QueryNic},
            {2, &SetHandler},
            {4, &CreatePtag},
            {3, &DestroyPtag},
            {40, &RegisterMem},
            {18, &DeregisterMem},
            {8, &SetMemAttributes},
            {8, &QueryMem},
            {12, &CreateVi},
            {8, &DestroyVi},
            {6, &SetViAttributes},
            {2, &LookUp},
            {4, &Refill}};
}

void
Furnish(FuzzModel& self)
{
    while (self.nics.empty())
    {
        OpenNic(self);
    }
    while (self.tags.empty())
    {
        CreatePtag(self);
    }
    const VIP_MEM_ATTRIBUTES open{self.tags[0].handle, VIP_TRUE, VIP_FALSE};
    for (std::uint32_t slot = 0; slot < FuzzArena::SLOTS; ++slot)
    {
        Register(self, self.arena.Slot(slot), FuzzArena::SLOT, open);
    }
    for (int i = 0; i < 8; ++i)
    {
        CreateVi(self);
    }
}

} // namespace test
} // namespace via
} // namespace ns3
