/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
// Stacks of fibers: pooled, at the same addresses in every run, with a gap below each.

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
 * @brief Hands out stacks at fixed simulated addresses and takes them back.
 *
 * Stacks lie one after the other in a range of their own, each with an unmapped page
 * below it, so an overflow faults at once and a stack costs one mapping. A returned stack
 * is the next one of its size to be handed out: addresses depend on the order of requests only.
 */
class FiberStackPool
{
  public:
    /// @return the pool of this OS process
    static FiberStackPool& Instance();

    /**
     * @param bytes wanted size; rounded up to pages
     * @return a mapped stack; only pages that are touched take memory
     */
    FiberStack Take(std::size_t bytes);

    /// @param stack a stack that Take() returned and that nobody runs on any more
    void Return(const FiberStack& stack);

  private:
    FiberStackPool();
    FiberStack Map(std::size_t bytes);

    std::size_t m_page;
    char* m_next;                                      ///< where the next new stack's gap begins
    std::map<std::size_t, std::vector<char*>> m_spare; ///< bottoms of unused stacks, per size
};

} // namespace via
} // namespace ns3

#endif // VIA_FIBER_STACK_H
