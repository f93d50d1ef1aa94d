/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
// What a fuzzed process has made so far: its choices come from there, and so does what is allowed.

#include "via-fuzz-model.h"

#include <algorithm>
#include <cstring>

namespace ns3
{
namespace via
{
namespace test
{

namespace
{

constexpr std::uint64_t SOMETIMES = 50; // one choice in so many is bad
constexpr std::uint64_t NOWHERE = 0x10000000000;

VIP_DATA_SEGMENT
SegmentOf(std::uint64_t address, VIP_MEM_HANDLE handle, std::uint64_t length)
{
    VIP_DATA_SEGMENT segment;
    segment.Data.AddressBits = address;
    segment.Handle = handle;
    segment.Length = static_cast<VIP_UINT32>(length);
    return segment;
}

} // namespace

bool
FuzzRegion::Holds(std::uint64_t address, std::uint64_t bytes) const
{
    const auto from = reinterpret_cast<std::uint64_t>(base);
    return address >= from && address - from <= length && bytes <= length - (address - from);
}

FuzzModel::FuzzModel(std::uint32_t index, std::uint32_t node, std::uint64_t seed, const Others& all)
    : random(seed * 977 + index),
      arena(index),
      index(index),
      node(node),
      all(all)
{
}

void*
FuzzModel::Other()
{
    switch (random.Below(6))
    {
    case 0:
        return nullptr;
    case 1:
        return nics.empty() ? nullptr : random.Of(nics);
    case 2:
        return vis.empty() ? nullptr : random.Of(vis).handle;
    case 3:
        return cqs.empty() ? nullptr : random.Of(cqs);
    case 4:
        return tags.empty() ? nullptr : random.Of(tags).handle;
    default: // as if of another time or process
        return reinterpret_cast<void*>((1 + random.Below(6)) << 24 | random.Below(1000));
    }
}

VIP_NIC_HANDLE
FuzzModel::Nic()
{
    return nics.empty() || random.OneIn(SOMETIMES * 4) ? Other() : random.Of(nics);
}

VIP_PROTECTION_HANDLE
FuzzModel::Tag()
{
    return tags.empty() || random.OneIn(SOMETIMES) ? Other() : random.Of(tags).handle;
}

VIP_VI_HANDLE
FuzzModel::Vi()
{
    return vis.empty() || random.OneIn(SOMETIMES) ? Other() : random.Of(vis).handle;
}

VIP_CQ_HANDLE
FuzzModel::Cq()
{
    return cqs.empty() || random.OneIn(SOMETIMES) ? Other() : random.Of(cqs);
}

VIP_VI_ATTRIBUTES
FuzzModel::ViAttributes()
{
    VIP_VI_ATTRIBUTES attributes;
    std::memset(&attributes, 0, sizeof(attributes));
    const bool good = !random.OneIn(SOMETIMES);
    attributes.ReliabilityLevel = good ? random.Of<VIP_USHORT>({1, 2, 2, 2, 2, 4})
                                       : static_cast<VIP_USHORT>(random.Below(0x10000));
    attributes.MaxTransferSize = good ? 32768 : random.Of<VIP_ULONG>({0, 1, 1000, ~0UL});
    attributes.QoS = random.OneIn(100) ? Other() : nullptr;
    attributes.Ptag = Tag();
    attributes.EnableRdmaWrite = random.OneIn(4) ? VIP_FALSE : VIP_TRUE;
    attributes.EnableRdmaRead = random.OneIn(4) ? VIP_TRUE : VIP_FALSE;
    return attributes;
}

VIP_MEM_ATTRIBUTES
FuzzModel::MemAttributes()
{
    return {Tag(), random.OneIn(3) ? VIP_FALSE : VIP_TRUE, random.OneIn(3) ? VIP_TRUE : VIP_FALSE};
}

FuzzVi*
FuzzModel::LiveVi()
{
    for (int attempt = 0; attempt < 12 && !vis.empty(); ++attempt)
    {
        FuzzVi& vi = random.Of(vis);
        if (vi.connected)
        {
            return &vi;
        }
    }
    return vis.empty() ? nullptr : &random.Of(vis);
}

std::size_t
FuzzModel::Connected() const
{
    return static_cast<std::size_t>(
        std::count_if(vis.begin(), vis.end(), [](const FuzzVi& vi) { return vi.connected; }));
}

FuzzVi*
FuzzModel::Find(VIP_VI_HANDLE vi)
{
    const auto found = std::find_if(vis.begin(), vis.end(), [vi](const FuzzVi& other) {
        return other.handle == vi;
    });
    return found == vis.end() ? nullptr : &*found;
}

const FuzzRegion*
FuzzModel::Region(VIP_MEM_HANDLE handle) const
{
    const auto found = std::find_if(regions.begin(), regions.end(), [handle](const FuzzRegion& r) {
        return r.handle == handle;
    });
    return found == regions.end() ? nullptr : &*found;
}

VIP_DATA_SEGMENT
FuzzModel::PieceOf(const FuzzRegion& region, VIP_UINT32 most, bool large)
{
    const std::uint64_t room = region.length - std::min<std::uint64_t>(most, region.length - 1);
    const std::uint64_t offset = random.Below(random.OneIn(8) ? region.length : room);
    std::uint64_t address = reinterpret_cast<std::uint64_t>(region.base) + offset;
    const std::uint64_t longest = std::min<std::uint64_t>(most, region.length - offset);
    std::uint64_t length = large && !random.OneIn(16) ? longest : random.Below(longest + 1);
    VIP_MEM_HANDLE handle = region.handle;
    switch (random.Below(SOMETIMES * 3))
    {
    case 0: // one byte before
        address = reinterpret_cast<std::uint64_t>(region.base) - 1;
        break;
    case 1: // one byte behind
        length = region.length - offset + 1;
        break;
    case 2:
        handle += random.Of<VIP_MEM_HANDLE>({1, 1U << 20, ~0U, 0x80000000U});
        break;
    case 3:
        handle = random.OneIn(2) ? 0 : static_cast<VIP_MEM_HANDLE>(random.Next());
        break;
    case 4: // into the guard
        address = reinterpret_cast<std::uint64_t>(region.base) + region.length;
        length = 1 + random.Below(FuzzArena::GUARD);
        break;
    default:
        break;
    }
    return SegmentOf(address, handle, length);
}

VIP_DATA_SEGMENT
FuzzModel::Segment(const FuzzVi& vi, VIP_UINT32 most, bool large)
{
    if (random.OneIn(SOMETIMES))
    {
        const FuzzModel& other = *all[random.Below(all.size())]; // perhaps itself
        const FuzzRegion* foreign =
            other.regions.empty() ? nullptr : &other.regions[random.Below(other.regions.size())];
        return foreign == nullptr || foreign->base >= other.arena.Pool()
                   ? SegmentOf(NOWHERE, 1, random.Below(100))
                   : PieceOf(*foreign, most, large);
    }
    for (int attempt = 0; attempt < 32 && !regions.empty(); ++attempt)
    {
        const FuzzRegion& region = random.Of(regions);
        const bool fits =
            region.attributes.Ptag == vi.attributes.Ptag || random.OneIn(SOMETIMES * 16);
        if (fits && region.base < arena.Pool()) // what descriptors hold is nobody's data
        {
            return PieceOf(region, most, large);
        }
    }
    return SegmentOf(reinterpret_cast<std::uint64_t>(arena.Slot(0)), 0, random.Below(most));
}

VIP_DATA_SEGMENT
FuzzModel::Remote(const FuzzVi& vi)
{
    FuzzModel& peer = *all[random.OneIn(SOMETIMES) ? random.Below(all.size()) : vi.peer];
    std::vector<FuzzRegion>& list =
        !peer.gone.empty() && random.OneIn(SOMETIMES) ? peer.gone : peer.regions;
    return list.empty() ? SegmentOf(NOWHERE, 1, 0) : PieceOf(random.Of(list), 1000, false);
}

const FuzzRegion*
FuzzModel::PoolOf(VIP_PROTECTION_HANDLE tag) const
{
    const auto found = std::find_if(regions.begin(), regions.end(), [&](const FuzzRegion& r) {
        return r.base == arena.Pool() && r.attributes.Ptag == tag;
    });
    return found == regions.end() ? nullptr : &*found;
}

VIP_MEM_HANDLE
FuzzModel::PoolHandle(const FuzzVi& vi)
{
    const FuzzRegion* region = PoolOf(vi.attributes.Ptag);
    return region != nullptr ? region->handle : regions.empty() ? 0 : random.Of(regions).handle;
}

VIP_DESCRIPTOR*
FuzzModel::FreeDescriptor()
{
    for (int attempt = 0; attempt < 8; ++attempt)
    {
        const auto number = static_cast<std::uint32_t>(random.Below(FuzzArena::DESCRIPTORS));
        auto* descriptor = reinterpret_cast<VIP_DESCRIPTOR*>(arena.Descriptor(number));
        const auto isThis = [descriptor](const FuzzPost& post) {
            return post.descriptor == descriptor;
        };
        const bool posted = std::any_of(vis.begin(), vis.end(), [&isThis](const FuzzVi& vi) {
            return std::any_of(vi.sends.begin(), vi.sends.end(), isThis) ||
                   std::any_of(vi.receives.begin(), vi.receives.end(), isThis);
        });
        if (!posted)
        {
            return descriptor;
        }
    }
    return nullptr;
}

bool
FuzzModel::Check(const char* call, VIP_RETURN result, std::initializer_list<VIP_RETURN> allowed)
{
    ++counts.calls;
    const bool known = result == VIP_SUCCESS || result == VIP_INVALID_PARAMETER ||
                       std::find(allowed.begin(), allowed.end(), result) != allowed.end();
    if (!known)
    {
        Complain(std::string(call) + " returned " + std::to_string(result));
    }
    return result == VIP_SUCCESS;
}

void
FuzzModel::Harvested(VIP_VI_HANDLE handle, VIP_DESCRIPTOR* descriptor, bool receive)
{
    FuzzVi* vi = Find(handle);
    if (vi == nullptr)
    {
        Complain("a descriptor of a VI that is gone was harvested");
        return;
    }
    std::vector<FuzzPost>& posts = receive ? vi->receives : vi->sends;
    const auto found = std::find_if(posts.begin(), posts.end(), [descriptor](const FuzzPost& p) {
        return p.descriptor == descriptor;
    });
    if (found == posts.end())
    {
        Complain("a descriptor was harvested that is not posted there");
        return;
    }
    posts.erase(found);
}

void
FuzzModel::AllowPosts(const FuzzVi& vi, const std::vector<FuzzPost>& posts)
{
    for (const FuzzPost& post : posts)
    {
        const auto reaches =
            [&](VIP_MEM_HANDLE handle, std::uint64_t address, std::uint64_t bytes) {
                const FuzzRegion* region = Region(handle);
                return region != nullptr && region->Holds(address, bytes) &&
                       (region->attributes.Ptag == vi.attributes.Ptag ||
                        region->attributes.Ptag == post.tag);
            };
        const auto address = reinterpret_cast<std::uint64_t>(post.descriptor);
        if (reaches(post.handle, address, sizeof(VIP_CONTROL_SEGMENT)))
        {
            arena.Allow(address, sizeof(VIP_CONTROL_SEGMENT));
        }
        for (const VIP_DATA_SEGMENT& segment : post.targets)
        {
            if (reaches(segment.Handle, segment.Data.AddressBits, segment.Length))
            {
                arena.Allow(segment.Data.AddressBits, segment.Length);
            }
        }
    }
}

void
FuzzModel::Allow()
{
    for (const FuzzVi& vi : vis)
    {
        AllowPosts(vi, vi.sends);
        AllowPosts(vi, vi.receives);
        for (const FuzzRegion& region : regions)
        {
            if (vi.attributes.EnableRdmaWrite != VIP_FALSE &&
                region.attributes.EnableRdmaWrite != VIP_FALSE &&
                region.attributes.Ptag == vi.attributes.Ptag)
            {
                arena.Allow(reinterpret_cast<std::uint64_t>(region.base), region.length);
            }
        }
    }
}

void
FuzzModel::Look()
{
    VIP_VI_STATE state;
    VIP_VI_ATTRIBUTES attributes;
    VIP_BOOLEAN empty;
    VipQueryVi(nullptr, &state, &attributes, &empty, &empty); // waits for what was to come
    const std::string wrong = arena.Look();
    if (!wrong.empty())
    {
        Complain(wrong);
    }
    Allow();
}

void
FuzzModel::Complain(const std::string& what)
{
    if (problem.empty())
    {
        problem = "call " + std::to_string(counts.calls) + " of process " + std::to_string(index) +
                  ": " + what;
    }
}

} // namespace test
} // namespace via
} // namespace ns3
