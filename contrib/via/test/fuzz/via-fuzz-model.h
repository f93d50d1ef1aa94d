/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
// What a fuzzed process has made so far: its choices come from there, and so does what is allowed.

#ifndef VIA_FUZZ_MODEL_H
#define VIA_FUZZ_MODEL_H

#include "fuzz/via-fuzz-arena.h"
#include "fuzz/via-fuzz-random.h"

#include <array>
#include <initializer_list>
#include <string>
#include <vector>
#include <vipl.h>

namespace ns3
{
namespace via
{
namespace test
{

struct FuzzRegion
{
    VIP_NIC_HANDLE nic;
    std::uint8_t* base;
    VIP_ULONG length;
    VIP_MEM_HANDLE handle;
    VIP_MEM_ATTRIBUTES attributes;

    /// Does it hold @p bytes at @p address?
    bool Holds(std::uint64_t address, std::uint64_t bytes) const;
};

/// A descriptor that was posted and not harvested.
struct FuzzPost
{
    VIP_DESCRIPTOR* descriptor;
    VIP_MEM_HANDLE handle;
    VIP_PROTECTION_HANDLE tag;             ///< the VI's by then: what has begun ends with it
    std::vector<VIP_DATA_SEGMENT> targets; ///< that the NIC may write: of a receive or a read
};

struct FuzzVi
{
    VIP_NIC_HANDLE nic;
    VIP_VI_HANDLE handle;
    VIP_VI_ATTRIBUTES attributes;
    std::uint32_t peer; ///< process that it is or will be connected with
    bool connected;     ///< when last heard of
    std::vector<FuzzPost> sends;
    std::vector<FuzzPost> receives;
};

struct FuzzTag
{
    VIP_NIC_HANDLE nic;
    VIP_PROTECTION_HANDLE handle;
};

/// A request that was taken and not answered.
struct FuzzRequest
{
    VIP_CONN_HANDLE handle;
    std::uint32_t peer;
};

/// What happened, so that a run of nothing but refusals is noticed.
struct FuzzCounts
{
    std::uint64_t calls{0};
    std::uint64_t connected{0};
    std::uint64_t received{0};
    std::uint64_t sent{0};
    std::uint64_t written{0}; ///< RDMA writes complete
    std::uint64_t read{0};    ///< RDMA reads complete
    std::uint64_t failed{0};  ///< descriptors with an error
    std::uint64_t announced{0};
    std::uint64_t notified{0};
    std::array<std::uint64_t, 11> errors{}; ///< asynchronous, by code
};

/**
 * @brief One process: its memory, what it has, and its random choices.
 *
 * Calls are free functions that choose from here and enter what they made. Most choices are good,
 * so that something happens; the others are stale, foreign, of another kind, or one byte off.
 */
class FuzzModel
{
  public:
    using Others = std::vector<FuzzModel*>;

    FuzzModel(std::uint32_t index, std::uint32_t node, std::uint64_t seed, const Others& all);

    // ---- choices

    VIP_NIC_HANDLE Nic();
    VIP_PROTECTION_HANDLE Tag();
    VIP_VI_HANDLE Vi();
    VIP_CQ_HANDLE Cq();
    VIP_VI_ATTRIBUTES ViAttributes();
    VIP_MEM_ATTRIBUTES MemAttributes();

    /// One of the live VIs, rather a connected one; null if there is none.
    FuzzVi* LiveVi();
    FuzzVi* Find(VIP_VI_HANDLE vi);

    /// How many VIs are connected.
    std::size_t Connected() const;

    /**
     * A handle for @p vi's use, and a piece of its region, of at most @p most bytes and rather as
     * many if @p large. Sometimes neither fits.
     */
    VIP_DATA_SEGMENT Segment(const FuzzVi& vi, VIP_UINT32 most, bool large);

    /// The same in the memory of the process that @p vi is connected with.
    VIP_DATA_SEGMENT Remote(const FuzzVi& vi);

    /// The descriptors as a region with @p tag; null if there is none.
    const FuzzRegion* PoolOf(VIP_PROTECTION_HANDLE tag) const;

    /// A handle under which the descriptors of @p vi can be reached.
    VIP_MEM_HANDLE PoolHandle(const FuzzVi& vi);

    /// A descriptor that is not posted, empty; null if all are.
    VIP_DESCRIPTOR* FreeDescriptor();

    VIP_ULONG Milliseconds()
    {
        return random.Below(8);
    }

    // ---- results

    /// Notes a result that @p allowed must name. @return true if it is VIP_SUCCESS
    bool Check(const char* call, VIP_RETURN result, std::initializer_list<VIP_RETURN> allowed);

    /// @p descriptor was taken off a queue of @p vi.
    void Harvested(VIP_VI_HANDLE vi, VIP_DESCRIPTOR* descriptor, bool receive);

    /// Enters into the shadow what the NIC may write now.
    void Allow();

    /// Looks at the memory after everything so far has reached it.
    void Look();

    void Complain(const std::string& what);

    FuzzRandom random;
    FuzzArena arena;
    FuzzCounts counts;
    std::string problem; ///< the first; empty: none
    std::uint32_t index;
    std::uint32_t node;
    const Others& all;

    std::vector<VIP_NIC_HANDLE> nics;
    std::vector<FuzzTag> tags;
    std::vector<FuzzRegion> regions;
    std::vector<FuzzRegion> gone; ///< regions that were deregistered lately
    std::vector<FuzzVi> vis;
    std::vector<VIP_CQ_HANDLE> cqs;
    std::vector<FuzzRequest> requests;

  private:
    void* Other();
    const FuzzRegion* Region(VIP_MEM_HANDLE handle) const;
    VIP_DATA_SEGMENT PieceOf(const FuzzRegion& region, VIP_UINT32 most, bool large);
    void AllowPosts(const FuzzVi& vi, const std::vector<FuzzPost>& posts);
};

/// One kind of call.
struct FuzzCall
{
    std::uint32_t weight;
    void (*make)(FuzzModel& self);
};

using FuzzCalls = std::vector<FuzzCall>;

FuzzCalls ResourceCalls();
FuzzCalls ConnectionCalls();
FuzzCalls DataCalls();
FuzzCalls QueueCalls();

/// Posts some receives on a VI that is about to connect.
void Prepare(FuzzModel& self, VIP_VI_HANDLE vi);

/// Makes a tag, registers all slots and the descriptors with it, makes VIs and a CQ.
void Furnish(FuzzModel& self);

} // namespace test
} // namespace via
} // namespace ns3

#endif // VIA_FUZZ_MODEL_H
