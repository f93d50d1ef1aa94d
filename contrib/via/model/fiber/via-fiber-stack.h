/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
// Fiber stacks: pooled, at the same addresses in every run, most with an unmapped page below each.

#ifndef VIA_FIBER_STACK_H
#define VIA_FIBER_STACK_H

#include <cstddef>
#include <cstdint>
#include <map>
#include <utility>
#include <vector>

namespace ns3
{
namespace via
{

/// What lies below a stack.
enum class StackGuard : std::uint8_t
{
    PAGE, ///< an unmapped page: an overflow faults at once
    NONE, ///< the next stack: for code of ours, known to be shallow; many stacks are one mapping,
          ///< of which Linux grants 65,530
};

/// One stack: [bottom, bottom + bytes), it grows downwards.
struct FiberStack
{
    char* bottom{nullptr}; ///< lowest address
    std::size_t bytes{0};  ///< usable size, a multiple of the page size
    StackGuard guard{StackGuard::PAGE};

    /// @return the address just above the stack
    char* Top() const
    {
        return bottom + bytes;
    }
};

/**
 * @brief Provides stacks at reproducible addresses, and reuses them.
 *
 * Stacks are consecutive in an address range of their own. A guarded one costs one mapping. A
 * returned stack is the next of its kind to be reused: addresses depend only on the order of
 * requests. While LowMemory is wanted, they are guarded and below 2 GiB, and each is unmapped when
 * it is returned.
 */
class FiberStackPool
{
  public:
    /// @return the pool of this OS process
    static FiberStackPool& Instance();

    /**
     * @param bytes requested size; rounded up to pages
     * @param guard what lies below it
     * @return a mapped stack; only touched pages use memory
     */
    FiberStack Take(std::size_t bytes, StackGuard guard = StackGuard::PAGE);

    /// @return false: there is no room for a stack of @p bytes where stacks have to be now
    bool HasRoom(std::size_t bytes) const;

    /// @param stack a stack from Take() that is no longer in use
    void Return(const FiberStack& stack);

  private:
    FiberStackPool();
    using Kind = std::pair<std::size_t, StackGuard>; ///< size and guard

    FiberStack Map(const Kind& kind);
    char* PlaceFor(const Kind& kind);

    std::size_t m_page;
    char* m_next; ///< where the gap of the next new stack begins, or itself
    std::map<Kind, std::vector<char*>> m_spare; ///< bottoms of unused stacks
};

} // namespace via
} // namespace ns3

#endif // VIA_FIBER_STACK_H
