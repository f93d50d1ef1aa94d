/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
// Fiber stacks: pooled, at the same addresses in every run, with an unmapped page below each.

#ifndef VIA_FIBER_STACK_H
#define VIA_FIBER_STACK_H

#include <cstddef>
#include <map>
#include <vector>

namespace ns3
{
namespace via
{

/// One stack: [bottom, bottom + bytes), it grows downwards.
struct FiberStack
{
    char* bottom{nullptr}; ///< lowest address
    std::size_t bytes{0};  ///< usable size, a multiple of the page size

    /// @return the address just above the stack
    char* Top() const
    {
        return bottom + bytes;
    }
};

/**
 * @brief Provides stacks at reproducible addresses, and reuses them.
 *
 * Stacks are consecutive in an address range of their own. Each has an unmapped page below it, so
 * an overflow faults at once and a stack costs one mapping. A returned stack is the next of its
 * size to be reused: addresses depend only on the order of requests. While LowMemory is wanted,
 * they are below 2 GiB, and each is unmapped when it is returned.
 */
class FiberStackPool
{
  public:
    /// @return the pool of this OS process
    static FiberStackPool& Instance();

    /**
     * @param bytes requested size; rounded up to pages
     * @return a mapped stack; only touched pages use memory
     */
    FiberStack Take(std::size_t bytes);

    /// @return false: there is no room for a stack of @p bytes where stacks have to be now
    bool HasRoom(std::size_t bytes) const;

    /// @param stack a stack from Take() that is no longer in use
    void Return(const FiberStack& stack);

  private:
    FiberStackPool();
    FiberStack Map(std::size_t bytes);
    char* PlaceFor(std::size_t bytes);

    std::size_t m_page;
    char* m_next; ///< where the gap of the next new stack begins
    std::map<std::size_t, std::vector<char*>> m_spare; ///< bottoms of unused stacks, by size
};

} // namespace via
} // namespace ns3

#endif // VIA_FIBER_STACK_H
