/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
// The heap of one simulated process, at the same addresses in every run.

#ifndef VIA_PROCESS_MEMORY_H
#define VIA_PROCESS_MEMORY_H

#include <boost/interprocess/mem_algo/rbtree_best_fit.hpp>
#include <boost/interprocess/sync/mutex_family.hpp>
#include <cstddef>
#include <cstdint>

namespace ns3
{
namespace via
{

/**
 * @brief The memory behind a simulated process' malloc.
 *
 * Each heap has a slot of SPAN_BYTES in the address space and takes the lowest free slot, so
 * addresses depend only on the order in which processes start and allocate. Memory is committed
 * when touched and returned to the system when the heap is destroyed.
 */
class ProcessHeap
{
  public:
    /// Address space of one heap, and the most that one process can allocate.
    static constexpr std::size_t SPAN_BYTES = std::size_t(4) << 30;

    /// The same below 2 GiB (LowMemory).
    static constexpr std::size_t LOW_SPAN_BYTES = std::size_t(64) << 20;

    /// @param number of the process; processes of one run with different ones have the same
    /// addresses in every run, however many of them this OS process simulates
    explicit ProcessHeap(std::size_t number = 0);
    ~ProcessHeap();
    ProcessHeap(const ProcessHeap&) = delete;
    ProcessHeap& operator=(const ProcessHeap&) = delete;

    /**
     * @param bytes wanted size; 0 counts as 1
     * @param alignment power of two
     * @return memory, or null if the span is used up
     */
    void* Allocate(std::size_t bytes, std::size_t alignment);

    /**
     * @param block memory of this heap
     * @param bytes new size
     * @return the block, or its copy elsewhere; null (and the block stays) if there is no room
     */
    void* Resize(void* block, std::size_t bytes);

    /// @param block memory of this heap
    void Free(void* block);

    /// @return usable bytes of a block of this heap
    std::size_t SizeOf(const void* block) const;

    /// @return true if the address lies in this heap's slot
    bool Owns(const void* address) const
    {
        return reinterpret_cast<std::uintptr_t>(address) -
                   reinterpret_cast<std::uintptr_t>(m_base) <
               m_spanBytes;
    }

    /// @return true if the address lies in the area of all heaps, where runs repeat addresses
    static bool IsHeapAddress(std::uint64_t address);

  private:
    // No locks: the process is one OS thread. Plain pointers: the memory never moves.
    struct SingleThread
    {
        using mutex_type = boost::interprocess::null_mutex;
        using recursive_mutex_type = boost::interprocess::null_mutex;
    };

    using Arena = boost::interprocess::rbtree_best_fit<SingleThread, void*>;

    void* TryAllocate(std::size_t bytes, std::size_t alignment);
    bool Grow(std::size_t bytes);
    bool Map(std::size_t bytes);

    bool m_isLow;
    std::size_t m_spanBytes;
    std::size_t m_slot{0}; ///< unless it is low
    char* m_base;
    std::size_t m_mapped{0};
    Arena* m_arena{nullptr};
};

} // namespace via
} // namespace ns3

#endif // VIA_PROCESS_MEMORY_H
