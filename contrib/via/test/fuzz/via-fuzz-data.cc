/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
// Random descriptors.

#include "via-fuzz-model.h"

#include <cstring>

namespace ns3
{
namespace via
{
namespace test
{

namespace
{

constexpr VIP_UINT32 MOST_BYTES = 4000; // of a segment
constexpr std::size_t ENOUGH = 16;      // descriptors of a queue; more are an overrun soon
constexpr std::size_t MOST_SEGMENTS =
    (FuzzArena::DESCRIPTOR - sizeof(VIP_CONTROL_SEGMENT)) / sizeof(VIP_DATA_SEGMENT);

/// A descriptor as bytes, filled outside of the arena.
struct Draft
{
    Draft()
    {
        std::memset(bytes, 0, sizeof(bytes));
    }

    VIP_CONTROL_SEGMENT& Control()
    {
        return descriptor.CS;
    }

    void Add(const VIP_DATA_SEGMENT& segment)
    {
        if (Control().SegCount < MOST_SEGMENTS)
        {
            std::memcpy(bytes + sizeof(VIP_CONTROL_SEGMENT) +
                            Control().SegCount * sizeof(VIP_DATA_SEGMENT),
                        &segment,
                        sizeof(segment));
            ++Control().SegCount;
        }
    }

    union {
        VIP_DESCRIPTOR descriptor;
        std::uint8_t bytes[FuzzArena::DESCRIPTOR];
    };
};

/// Local segments of @p draft, rather larger for receives. @return them
std::vector<VIP_DATA_SEGMENT>
AddSegments(FuzzModel& self, const FuzzVi& vi, Draft& draft, bool receive)
{
    std::vector<VIP_DATA_SEGMENT> added;
    const std::uint64_t count =
        self.random.OneIn(8) ? self.random.Below(MOST_SEGMENTS) : receive + self.random.Below(2);
    const VIP_UINT32 most = receive || self.random.OneIn(4) ? MOST_BYTES : 100;
    std::uint64_t length = 0;
    for (std::uint64_t i = 0; i < count; ++i)
    {
        added.push_back(self.Segment(vi, most, receive));
        draft.Add(added.back());
        length += added.back().Length;
    }
    draft.Control().Length =
        static_cast<VIP_UINT32>(self.random.OneIn(100) ? self.random.Next() : length);
    return added;
}

/// What makes descriptors bad as a whole.
void
Corrupt(FuzzModel& self, Draft& draft)
{
    VIP_CONTROL_SEGMENT& control = draft.Control();
    control.Status = static_cast<VIP_UINT32>(self.random.Next()); // the library clears it
    if (self.random.OneIn(100))
    {
        control.Control = static_cast<VIP_UINT16>(self.random.Next());
    }
    if (self.random.OneIn(200)) // beyond what any NIC takes
    {
        control.SegCount = self.random.Of<VIP_UINT16>({1000, 0x7FFF, 0xFFFF});
    }
}

/// An address that is no good descriptor.
VIP_DESCRIPTOR*
Elsewhere(FuzzModel& self)
{
    const auto number = static_cast<std::uint32_t>(self.random.Below(FuzzArena::DESCRIPTORS));
    std::uint8_t* const foreign = self.all[0]->arena.Descriptor(number);
    switch (self.random.Below(4))
    {
    case 0:
        return nullptr;
    case 1:
        return reinterpret_cast<VIP_DESCRIPTOR*>(0x20000000000);
    case 2:
        return reinterpret_cast<VIP_DESCRIPTOR*>(self.arena.Descriptor(number) + 8);
    default:
        return self.index == 0 ? nullptr : reinterpret_cast<VIP_DESCRIPTOR*>(foreign);
    }
}

void
Post(FuzzModel& self, const FuzzVi& vi, Draft& draft, FuzzPost post, bool receive)
{
    Corrupt(self, draft);
    if (self.random.OneIn(150))
    {
        post.descriptor = Elsewhere(self);
        post.targets.clear();
    }
    else
    {
        self.arena.Write(post.descriptor, draft.bytes, sizeof(draft.bytes));
    }
    post.handle = self.random.OneIn(150) ? static_cast<VIP_MEM_HANDLE>(self.random.Next())
                                         : self.PoolHandle(vi);
    const VIP_VI_HANDLE handle = self.random.OneIn(100) ? self.Vi() : vi.handle;
    const VIP_RETURN result = receive ? VipPostRecv(handle, post.descriptor, post.handle)
                                      : VipPostSend(handle, post.descriptor, post.handle);
    if (self.Check(receive ? "VipPostRecv" : "VipPostSend", result, {}))
    {
        FuzzVi* posted = self.Find(handle);
        post.tag = posted->attributes.Ptag;
        (receive ? posted->receives : posted->sends).push_back(post);
    }
    self.Allow();
}

/// What is posted while nothing is connected is flushed; that is tried less often.
bool
IsIdle(FuzzModel& self, const FuzzVi& vi)
{
    return !vi.connected && !self.random.OneIn(6);
}

void
PostReceive(FuzzModel& self, const FuzzVi& vi)
{
    if (VIP_DESCRIPTOR* const descriptor = self.FreeDescriptor())
    {
        Draft draft;
        const std::vector<VIP_DATA_SEGMENT> targets = AddSegments(self, vi, draft, true);
        Post(self, vi, draft, {descriptor, 0, nullptr, targets}, true);
    }
}

void
PostRecv(FuzzModel& self)
{
    const FuzzVi* vi = self.LiveVi();
    const bool enough = vi != nullptr && vi->receives.size() >= ENOUGH && !self.random.OneIn(20);
    if (vi != nullptr && !enough && !IsIdle(self, *vi))
    {
        PostReceive(self, *vi);
    }
}

void
PostSend(FuzzModel& self)
{
    const FuzzVi* vi = self.LiveVi();
    VIP_DESCRIPTOR* const descriptor = self.FreeDescriptor();
    const bool enough = vi != nullptr && vi->sends.size() >= ENOUGH && !self.random.OneIn(20);
    if (vi == nullptr || descriptor == nullptr || enough || IsIdle(self, *vi))
    {
        return;
    }
    Draft draft;
    const VIP_UINT16 op = self.random.Of<VIP_UINT16>({VIP_CONTROL_OP_SENDRECV,
                                                      VIP_CONTROL_OP_SENDRECV,
                                                      VIP_CONTROL_OP_SENDRECV,
                                                      VIP_CONTROL_OP_RDMAWRITE,
                                                      VIP_CONTROL_OP_RDMAWRITE,
                                                      VIP_CONTROL_OP_RDMAWRITE,
                                                      VIP_CONTROL_OP_RDMAREAD});
    if (op != VIP_CONTROL_OP_SENDRECV)
    {
        draft.Add(self.Remote(*vi));
    }
    std::vector<VIP_DATA_SEGMENT> segments = AddSegments(self, *vi, draft, false);
    draft.Control().Control =
        static_cast<VIP_UINT16>(op | (self.random.OneIn(3) ? VIP_CONTROL_IMMEDIATE : 0) |
                                (self.random.OneIn(8) ? VIP_CONTROL_QFENCE : 0));
    draft.Control().ImmediateData = static_cast<VIP_UINT32>(self.random.Next());
    if (op != VIP_CONTROL_OP_RDMAREAD)
    {
        segments.clear(); // nothing is written there
    }
    Post(self, *vi, draft, {descriptor, 0, nullptr, segments}, false);
}

/// The same descriptor once more while it is posted.
void
PostAgain(FuzzModel& self)
{
    FuzzVi* vi = self.LiveVi();
    if (vi == nullptr || vi->receives.empty())
    {
        return;
    }
    const VIP_VI_HANDLE handle = vi->handle;
    const FuzzPost post = self.random.Of(vi->receives);
    if (self.Check("VipPostRecv", VipPostRecv(handle, post.descriptor, post.handle), {}))
    {
        self.Find(handle)->receives.push_back(post);
    }
}

} // namespace

void
Prepare(FuzzModel& self, VIP_VI_HANDLE vi)
{
    for (const FuzzVi* found = self.Find(vi);
         found != nullptr && found->receives.size() < ENOUGH / 2 && !self.random.OneIn(10);
         found = self.Find(vi))
    {
        PostReceive(self, *found);
    }
}

FuzzCalls
DataCalls()
{
    return {{220, &PostRecv}, {150, &PostSend}, {3, &PostAgain}};
}

} // namespace test
} // namespace via
} // namespace ns3
